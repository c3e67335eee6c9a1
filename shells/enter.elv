
# Enter. A key of elvish cannot ask at the terminal: where there is something to ask the
# line is put aside, a command of ours asks, and the line is back at the next prompt; after
# a yes the next Enter runs it.
var tmp-enter-bin = tmp-enter
var tmp-enter-aside = ''
var tmp-enter-back = ''
var tmp-enter-passed = ''
# Puts the status, and then what is to stand in place of the line, if anything is.
fn tmp-enter-asks {|line @more|
  var code = 0
  var reply = [(try {
    print $line"\x00" | (external $tmp-enter-bin) --shell bash $@more 3>&1 | from-lines
  } catch e {
    set code = 1
    try { set code = $e[reason][exit-status] } catch _ { }
  })]
  put $code
  if (eq $code 11) { put (str:join "\n" $reply) }
}
edit:add-var tmp-ask~ {
  var line = $tmp-enter-aside
  set tmp-enter-aside = ''
  var code @reply = (tmp-enter-asks $line)
  set tmp-enter-back = $line
  if (eq $code 0) {
    set tmp-enter-passed = $line
    echo 'tmp: Enter runs it'
  } elif (> (count $reply) 0) {
    set tmp-enter-back = (str:replace ' && ' '; ' $reply[0]) # of elvish, which stops at a failure too
  }
}
set edit:before-readline = [$@edit:before-readline {
  if (not-eq $tmp-enter-back '') {
    set edit:current-command = $tmp-enter-back
    set tmp-enter-back = ''
  }
}]
set edit:insert:binding[Enter] = {
  var line = $edit:current-command
  if (or (eq $line $tmp-enter-passed) (eq $line tmp-ask) (not (has-external $tmp-enter-bin))) {
    set tmp-enter-passed = ''
    edit:smart-enter
  } elif (eq [(tmp-enter-asks $line --silent 2>/dev/null)][0] 13) {
    set tmp-enter-passed = ''
    set tmp-enter-aside = $line
    set edit:current-command = tmp-ask
    edit:smart-enter
  } else {
    set tmp-enter-passed = ''
    edit:smart-enter
  }
}
