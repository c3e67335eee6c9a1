# tmp: Tab in elvish 0.18 or newer. In rc.elv:  eval (tmp hook elvish | slurp)
# A command for which you have an arg-completer of your own keeps it.
#   TMP_TAB_BIN   the tmp-tab to start; by default the one on PATH
use str
var tmp-tab-bin = tmp-tab
if (and (has-env TMP_TAB_BIN) (not-eq $E:TMP_TAB_BIN '')) { set tmp-tab-bin = $E:TMP_TAB_BIN }
set edit:completion:arg-completer[''] = {|@words|
  var reply = []
  try {
    set reply = [(print (str:join "\x00" $words)"\x00" | (external $tmp-tab-bin) --wire 1 --shell elvish --words --cwd $pwd 2>/dev/null | from-lines)]
  } catch _ { }
  var head = own
  if (> (count $reply) 0) { set head = $reply[0] }
  if (eq $head own) {
    edit:complete-filename $@words
  } elif (str:has-prefix $head 'say ') {
    edit:notify $head[4..]
  } elif (not-eq $head none) {
    for line $reply[1..] {
      var value display note more = (str:split "\t" $line)
      var suffix = ' '
      if (eq $more more) { set suffix = '' }
      if (eq $note '') {
        edit:complex-candidate $value &code-suffix=$suffix &display=$display
      } else {
        edit:complex-candidate $value &code-suffix=$suffix &display=$display'  '$note
      }
    }
    if (str:has-prefix $head 'hold ') {
      # What is risky is not inserted before it was seen: a list of two is shown.
      edit:complex-candidate $words[-1] &code-suffix='' &display=(put $words[-1])'  as it is'
    }
  }
}
# That of elvish for sudo takes its first word for the command: sudo -u USER.
if (and (has-key $edit:completion:arg-completer sudo) (eq $edit:completion:arg-completer[sudo] $edit:complete-sudo~)) {
  set edit:completion:arg-completer[sudo] = $edit:completion:arg-completer['']
}
