# tmp: Tab in nushell 0.100 or newer. Nushell reads files when it parses, so once:
#   tmp hook nushell | save -f ($nu.user-autoload-dirs | first | path join tmp.nu)
# What nushell itself knows (its own commands, externs that you declared) stays its own;
# a completer that you had answers where tmp has no map.
#   TMP_TAB_BIN   the tmp-tab to start; by default the one on PATH
$env.config.completions.external.enable = true
$env.config.completions.external.completer = do {
  let before = $env.config.completions.external.completer?
  {|spans|
    let bin = (if ($env.TMP_TAB_BIN? | is-empty) { "tmp-tab" } else { $env.TMP_TAB_BIN })
    # A word comes as it is typed: without its quotes.
    let words = ($spans | each {|w| $w | str replace -r '^(["''`])(.*?)["''`]?$' '${2}' })
    let got = (try { $words | append "" | str join (char nul) | ^$bin --wire 1 --shell nushell --words --cwd $env.PWD | complete } catch { {stdout: "own", exit_code: 1} })
    let reply = ($got.stdout | lines)
    let head = (if $got.exit_code == 0 { $reply | get 0? | default own } else { "own" })
    if $head == "own" {
      if $before == null { null } else { do $before $spans }
    } else if $head == "none" or ($head | str starts-with "say ") {
      []
    } else {
      let rows = ($reply | skip 1 | each {|line|
        let cells = ($line | split row (char tab))
        let plain = ($cells.0 =~ '^[-\w@%+=:,./~^]+$')
        let text = (if $plain { $cells.0 } else if not ($cells.0 | str contains '`') { "`" + $cells.0 + "`" } else { $cells.0 | to json -r })
        let tail = (if $cells.3 == "more" or not $plain { "" } else { " " })
        {value: ($text + $tail), display: $cells.1, description: $cells.2}
      })
      # What is risky is not inserted before it was seen: a list of two is shown.
      if ($head | str starts-with "hold ") {
        $rows | append {value: ($spans | last), description: "as it is"}
      } else { $rows }
    }
  }
}
