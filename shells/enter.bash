# shellcheck shell=bash
# The Enter key of tmp for bash 4.4 and later.
#
# Source this file from ~/.bashrc. On Enter it starts tmp-enter, which judges
# the line; a line that would destroy something is asked about before bash gets
# it. If tmp-enter is missing or fails, the line runs, with one notice.
#
#   TMP_CHECK=off cmd …    typed before one simple command: not judged
#   tmp off -- line        the same for a line
#   tmp pause [minutes]    judge nothing in this shell; tmp resume
#
# How: Enter is a macro of two keys. The first runs _tmp_enter; the second is
# accept-line, which _tmp_enter takes away where the line is to stay.

_tmp_enter_load= # set where the hook is to be loaded
if [[ -z ${BASH_VERSION-} || $- != *i* ]]; then
    builtin : # not for this shell
elif ((BASH_VERSINFO[0] < 4 || BASH_VERSINFO[0] == 4 && BASH_VERSINFO[1] < 4)); then
    builtin echo "tmp: Enter is not judged: that needs bash 4.4 or later; this is $BASH_VERSION" >&2
    TMP_ENTER_HOOK="bash 1 $$ old" # for tmp doctor
    builtin export TMP_ENTER_HOOK
elif [[ ! -o emacs && ! -o vi ]]; then
    [[ -n ${_tmp_enter_loaded-} ]] || builtin echo "tmp: Enter is not judged: this bash has no line editing" >&2
    _tmp_enter_loaded=no
    TMP_ENTER_HOOK="bash 1 $$ noediting"
    builtin export TMP_ENTER_HOOK
elif [[ -z ${_tmp_enter_loaded-} ]]; then
    _tmp_enter_load=1
fi

_tmp_enter_wipe() {
    [[ -n ${BASH_XTRACEFD-} || ${TERM:-dumb} == dumb ]] || builtin printf '\e[A\e[2K' >&9
}

# Sets _tmp_enter_path to the program: by its path, since a function may have its
# name.
_tmp_enter_find() {
    builtin set -h
    builtin hash -- "$_tmp_enter_bin" 2>/dev/null || builtin return 1
    _tmp_enter_path=${BASH_CMDS[$_tmp_enter_bin]-$_tmp_enter_bin}
}

# Has tmp-enter ask, and sets _tmp_code and _tmp_reply to the answer.
_tmp_enter_ask() {
    builtin local _tmp_tty
    # A Ctrl-C that comes before readline has the terminal again would wait in
    # bash for the next key, and take that with it. It is to drop the line.
    _tmp_trap=$(\builtin trap -p INT)
    builtin trap '_tmp_cut=1' INT
    _tmp_tty=$(\builtin command stty -g 2>/dev/null </dev/tty)
    # shellcheck disable=SC2086
    _tmp_reply=$(\_tmp_enter_call $_tmp_counts 3>&1 1>&2)
    _tmp_code=$?
    case $_tmp_code in
        0 | 10 | 11 | 12 | 130) ;;
        *) # killed, with the terminal as it had it
            [[ -z $_tmp_tty ]] || builtin command stty "$_tmp_tty" 2>/dev/null </dev/tty
            builtin printf '\ntmp: not run: %s ended without an answer (status %s); tmp off -- runs a line unasked\n' "$_tmp_enter_bin" "$_tmp_code" >&2
            _tmp_code=10
            ;;
    esac
}

# Drops a line that does not run where nobody can change it: at the end of input
# readline would accept it again, and again. With it go the lines that it
# continues, which bash would run as they are.
_tmp_enter_drop() {
    builtin echo 'tmp: that line is not run but dropped: its input has ended, or is no terminal' >&2
    READLINE_LINE='' READLINE_POINT=0
    [[ -z $_tmp_enter_pending ]] || _tmp_cut=2
}

# The rows of the prompt above its last, which readline does not draw again.
_tmp_enter_upper() {
    builtin local prompt="${PS1@P}"
    [[ $prompt == *$'\n'* ]] || builtin return 0
    prompt=${prompt%$'\n'*}
    prompt=${prompt//$'\1'/}
    builtin printf '%s\n' "${prompt//$'\2'/}" >&2
}

# Prints what history expansion makes of a line; in a copy of the shell.
_tmp_enter_history() {
    HISTTIMEFORMAT='' HISTCONTROL='' HISTIGNORE=''
    builtin local last
    last=$(\builtin history 1)
    # history -p leaves out the last event, which for bash is the command that
    # called it, until something has been added.
    if [[ $last =~ ^\ *([0-9]+)[\ *]\ ?(.*)$ ]]; then
        builtin history -s -- "${BASH_REMATCH[2]}"
        builtin history -d $((BASH_REMATCH[1] + 1))
    fi &>/dev/null
    builtin history -p -- "$1" 2>/dev/null
}

# Succeeds if bash will only print the line, as for !rm:p. The modifier leaves
# nothing behind: the line without it expands to the same. Within !?text? it would
# be part of the text.
_tmp_enter_prints() {
    builtin local left='' right="$_tmp_line" other
    while [[ $right == *:p* ]]; do
        left+=${right%%:p*} right=${right#*:p}
        if [[ $left != *"${marks:0:1}?"* ]] || [[ $left == *\? && $left != *"${marks:0:1}?" ]]; then
            other=$(\_tmp_enter_history "$left$right") && [[ $other == "$expanded" ]] && builtin return 0
        fi
        left+=:p
    done
    builtin return 1
}

# What the second keys, of Enter and of Ctrl-O, do.
_tmp_enter_second() {
    builtin local map
    _tmp_enter_held=1 # first, should a signal end this
    for map in emacs-standard vi-insert vi-command; do
        builtin bind -m "$map" "\"\\C-x\\C-_2\": $1"
        builtin bind -m "$map" "\"\\C-x\\C-_3\": $2"
    done
    [[ $1 != accept-line ]] || _tmp_enter_held=
}

# The keys that have an editor write the line, and run what it leaves past Enter:
# what it leaves comes into the line instead, for Enter to judge.
_tmp_enter_edit() {
    { _tmp_enter_shown; } 9>&2 2>/dev/null
}

_tmp_enter_shown() {
    [[ $- != *x* ]] || _tmp_enter_wipe
    _tmp_real || _tmp_aside
    builtin local -
    builtin set +euxb -fh
    _tmp_enter_editor 2>&9
    [[ -z $_tmp_own ]] || _tmp_back
}

_tmp_enter_editor() {
    builtin local file text tty editor="${VISUAL:-${EDITOR:-}}"
    if [[ ! -o vi ]]; then
        editor=${editor:-emacs}
    elif [[ -z $editor || -o posix ]]; then
        editor='vi'
    fi
    file=$(\builtin command mktemp -- "${TMPDIR:-/tmp}/bash-fc.XXXXXX") || builtin return 0
    tty=$(\builtin command stty -g 2>/dev/null)
    if builtin printf '%s\n' "$READLINE_LINE" >|"$file"; then
        builtin command stty icanon echo icrnl 2>/dev/null
        if builtin eval "$editor \"\$file\""; then
            text=$(<"$file")
            READLINE_LINE=$text READLINE_POINT=${#text}
        fi
        [[ -z $tty ]] || builtin command stty "$tty" 2>/dev/null
    fi
    builtin command rm -f -- "$file"
    _tmp_enter_upper
}

# Whether judging is paused.
_tmp_enter_paused() {
    builtin local now
    [[ $_tmp_enter_off != on ]] || builtin return 0
    builtin printf -v now '%(%s)T' -1
    ((now < _tmp_enter_off)) && builtin return 0
    _tmp_enter_off=
    builtin return 1
}

_tmp_enter_notice() {
    _tmp_enter_credit=0
    if [[ -z $_tmp_enter_missed ]]; then
        _tmp_enter_missed=1
        _tmp_real || _tmp_aside
        builtin echo "tmp: that line was not judged: it did not come through tmp's Enter (tmp doctor)" >&9 || builtin :
        [[ -z $_tmp_own ]] || _tmp_back
    fi
}

# At the end, where $? is not needed any more. To an array this adds to the first.
# If it is exported, shells without the hook have it too.
# shellcheck disable=SC2178,SC2128
_tmp_enter_arm() {
    [[ ${PROMPT_COMMAND[*]-} != *_tmp_enter_prompt* ]] || builtin return 0
    PROMPT_COMMAND=${PROMPT_COMMAND:+$PROMPT_COMMAND$'\n'}'{ ((${_tmp_enter_loaded:+1}+0)) && _tmp_enter_prompt; } 9>&2 2>/dev/null'
}

# Prints for each keymap which keys run a line, or open an editor for it.
_tmp_enter_keys() {
    for map in emacs-standard vi-insert vi-command; do
        builtin echo "in $map"
        builtin bind -m "$map" -q accept-line
        builtin bind -m "$map" -q operate-and-get-next
        case $map in # each of these takes a while
            emacs-standard) builtin bind -m "$map" -q edit-and-execute-command ;;
            vi-command) builtin bind -m "$map" -q vi-edit-and-execute-command ;;
        esac
    done
}

# Guards the keys that run a line: all that do so now, which the shell is asked
# without starting a process (see _tmp_tab_install). A key that the user has
# given another meaning keeps it.
_tmp_enter_bind() {
    builtin local - map='' answer='' line key second IFS=$'\n'
    builtin set -f
    {
        _tmp_enter_keys >/dev/fd/9
        builtin read -r -N 65536 -u 9 answer # of a pipe, other reads take single bytes
    } 9<<<'' 2>/dev/null
    [[ $answer == *'in vi-command'* ]] || answer=$(\_tmp_enter_keys)
    for line in $answer; do
        second=2
        case $line in
            'in '*)
                map=${line#in }
                builtin bind -m "$map" -x '"\C-x\C-_1": _tmp_enter'
                ;;
            *edit-and-execute-command*) second= ;;
            operate-and-get-next*) second=3 ;;
        esac
        while [[ $line == *'"'*'"'* ]]; do
            line=${line#*\"}
            key=${line%%\"*}
            line=${line#*\"}
            [[ $key != *'\C-x\C-_'* ]] || builtin continue
            if [[ -z $second ]]; then
                builtin bind -m "$map" -x "\"$key\": _tmp_enter_edit"
            else
                builtin bind -m "$map" "\"$key\": \"\\C-x\\C-_1\\C-x\\C-_$second\""
                _tmp_enter_guarded+=" $map:$key"
            fi
        done
    done
    _tmp_enter_second accept-line operate-and-get-next
    [[ $_tmp_enter_guarded == *'\C-m'* ]] || builtin echo "tmp: Enter is not judged: it does something else than accept-line here (tmp doctor)" >&2
}

# Says for tmp doctor how it stands with Enter: on, paused or taken.
_tmp_enter_state() {
    builtin local map=emacs state=on
    [[ ! -o vi ]] || map=vi-insert
    if [[ $(\builtin bind -m "$map" -s 2>/dev/null) != *'"\C-m": "\C-x\C-_1'* ]]; then
        state=taken
    elif [[ -n $_tmp_enter_off ]] && _tmp_enter_paused; then
        state=paused
        [[ $_tmp_enter_off == on ]] || state+=:$_tmp_enter_off
    fi
    TMP_ENTER_HOOK="bash 1 $$ $state"
    # shellcheck disable=SC2034 # exported
    builtin export TMP_ENTER_HOOK
}

# The functions that every key calls come last, each a command of its own: they lie
# together in memory then, and less has to be copied when bash starts a program.

# The first key. In a line that goes on bash would not know a { for what it is, so
# what the key runs is one word; set -x shows it, and the row is wiped.
_tmp_enter() {
    { _tmp_enter_key; } 9>&2 2>/dev/null
}

_tmp_enter_key() {
    [[ $- != *x* ]] || _tmp_enter_wipe
    builtin local - _tmp_mine=1 >&2
    if ((!${_tmp_mine-0})); then # see _tmp_real
        _tmp_aside
        builtin local -
    fi
    builtin set +euxb -f
    _tmp_enter_line 2>&9
    [[ -z $_tmp_own ]] || _tmp_back
}

# Judges the line. Names begin with _tmp_ because the values of variables that
# the line names are read in here.
_tmp_enter_line() {
    builtin local _tmp_ifs="${IFS-}" IFS=$' \t\n'
    [[ -z $_tmp_enter_held ]] || _tmp_enter_second accept-line operate-and-get-next
    case ${PROMPT_COMMAND[*]-} in
        # Past the prompt a command runs, and what is read is for its read -e.
        *_tmp_enter_prompt*) [[ ${_tmp_enter_hash@P} == "$_tmp_enter_number" ]] || builtin return 0 ;;
        *) # somebody has set it anew
            _tmp_enter_arm
            _tmp_enter_number=${_tmp_enter_hash@P} _tmp_enter_pending=
            ;;
    esac
    [[ -n $_tmp_enter_pending || $READLINE_LINE == *[![:space:]]* ]] || builtin return 0
    if [[ -n $_tmp_enter_off ]] && _tmp_enter_paused; then
        _tmp_enter_credit=65536
        builtin return 0
    fi
    builtin local _tmp_line="$READLINE_LINE" _tmp_code=missing _tmp_input _tmp_counts _tmp_reply='' _tmp_cut='' _tmp_trap=none
    _tmp_enter_expand || builtin return 0
    _tmp_line=$_tmp_enter_pending$_tmp_line
    _tmp_enter_records
    # An exported line beyond 128 KiB would keep every program from starting.
    builtin export -n READLINE_LINE
    if [[ -x $_tmp_enter_path ]] || _tmp_enter_find; then
        # shellcheck disable=SC2086 # arguments without blanks of their own
        _tmp_enter_call --silent $_tmp_counts
        _tmp_code=$?
        ((_tmp_code != 13)) || _tmp_enter_ask
    fi
    _tmp_enter_decide "$_tmp_code"
    [[ $_tmp_cut != 1 || -z $_tmp_enter_held ]] || READLINE_LINE='' READLINE_POINT=0
    case $_tmp_trap in
        none) ;;
        '') builtin trap - INT ;;
        *) builtin eval "\\builtin $_tmp_trap" ;;
    esac
    [[ $_tmp_cut != 2 ]] || builtin kill -INT $$
}

# Sets _tmp_line to what history expansion makes of it. Fails if bash will not
# run it but show it first.
_tmp_enter_expand() {
    builtin local marks="${histchars-!^}" expanded
    # Of a line that is too long to be judged history -p takes minutes.
    [[ $- == *H* ]] && ((${#_tmp_line} <= 65536)) || builtin return 0
    [[ $_tmp_line == *"${marks:0:1}"* || $_tmp_line == "${marks:1:1}"* ]] || builtin return 0
    expanded=$(\_tmp_enter_history "$_tmp_line") || builtin return 0
    [[ $expanded == "$_tmp_line" ]] || ! builtin shopt -q histverify || builtin return 1
    ! _tmp_enter_prints || builtin return 1
    _tmp_line=$expanded
}

# Starts tmp-enter with the arguments. bash may keep a here-string in a file, for
# which there may be no room; a pipe needs none, but a process more.
_tmp_enter_call() {
    builtin local code=1
    # One processor: see hook.bash.
    if [[ -z $_tmp_enter_piped ]]; then
        GOMAXPROCS=1 "$_tmp_enter_path" --shell bash --split "$@" <<<"$_tmp_input"
        code=$?
    fi
    if ((code == 1)); then
        builtin printf %s "$_tmp_input" | GOMAXPROCS=1 "$_tmp_enter_path" --shell bash --split "$@"
        code=$?
        ((code == 1)) || _tmp_enter_piped=1
    fi
    builtin return "$code"
}

# Does with the line what the status says.
_tmp_enter_decide() {
    case $1 in
        0)
            _tmp_enter_failed=
            _tmp_enter_allow
            [[ $_tmp_trap == none ]] || _tmp_enter_upper
            ;;
        10 | 11 | 130)
            _tmp_enter_second '""' '""'
            [[ $1 != 11 ]] || READLINE_LINE=$_tmp_reply READLINE_POINT=${#_tmp_reply}
            if [[ ! -t 0 || $1 == 10 && $_tmp_reply == ended ]]; then
                _tmp_enter_drop
            else
                [[ $1 == 11 || -z $_tmp_enter_pending ]] || builtin echo 'tmp: the lines before it still wait; Ctrl-C drops them' >&2
                _tmp_enter_upper
            fi
            ;;
        12)
            if [[ $READLINE_LINE == *$'\n'* && $READLINE_LINE != *$'\n' ]]; then
                # bash would run the rows that are whole: the rest is to be
                # written here. On an empty row Enter hands over what there is.
                _tmp_enter_second '""' '""'
                READLINE_LINE+=$'\n' READLINE_POINT=${#READLINE_LINE}
            else
                _tmp_enter_pending=$_tmp_line$'\n' _tmp_enter_credit=0
            fi
            ;;
        *)
            _tmp_enter_allow
            if [[ -z $_tmp_enter_failed ]]; then
                _tmp_enter_failed=1
                if [[ $1 == missing ]]; then
                    builtin echo "tmp: this line was not judged: $_tmp_enter_bin is not there" >&2
                else
                    builtin echo "tmp: this line was not judged: $_tmp_enter_bin failed (status $1)" >&2
                fi
            fi
            ;;
    esac
}

# Lets as many commands pass as the text can hold: bash runs a text of several
# lines one by one.
_tmp_enter_allow() {
    builtin local rows
    _tmp_enter_credit=1
    [[ $_tmp_line != *$'\n'* ]] || {
        builtin mapfile -t rows <<<"$_tmp_line"
        _tmp_enter_credit=${#rows[@]}
    }
    # Should bash ask for more after all, this belongs to it.
    _tmp_enter_pending=$_tmp_line$'\n'
}

# Sets _tmp_input to the text and what only the shell knows of it, and
# _tmp_counts to the arguments that say how much that is.
_tmp_enter_records() {
    builtin local _tmp_sep=$'\37' _tmp_whole='' _tmp_n=0 _tmp_v=0 _tmp_f=0 _tmp_i _tmp_word _tmp_names _tmp_texts
    _tmp_input=${_tmp_line//$_tmp_sep/$'\36'}$_tmp_sep
    if ((${#_tmp_line} <= 65536)); then
        _tmp_names=("${!BASH_ALIASES[@]}") _tmp_texts=("${BASH_ALIASES[@]}") _tmp_n=${#_tmp_names[@]}
        for ((_tmp_i = 0; _tmp_i < _tmp_n; _tmp_i++)); do
            _tmp_input+=${_tmp_names[_tmp_i]}=${_tmp_texts[_tmp_i]//$_tmp_sep/}$_tmp_sep
        done
        [[ $_tmp_line != *'$'* ]] || _tmp_enter_variables
        _tmp_enter_functions &>/dev/null
    fi
    builtin local -a _tmp_rows
    _tmp_rows=()
    [[ -z $_tmp_enter_pending ]] || builtin mapfile -t _tmp_rows <<<"${_tmp_enter_pending%$'\n'}"
    [[ $READLINE_LINE != *$'\n' ]] || _tmp_whole=--whole
    _tmp_counts="$_tmp_whole --held ${#_tmp_rows[@]} --aliases $_tmp_n --variables $_tmp_v --functions $_tmp_f"
}

_tmp_enter_variables() {
    builtin local IFS='$' _tmp_text
    for _tmp_word in ${_tmp_line#*'$'}; do
        _tmp_word=${_tmp_word#'{'}
        _tmp_word=${_tmp_word#[#!]}
        _tmp_word=${_tmp_word%%[!a-zA-Z0-9_]*}
        case $_tmp_word in
            # These have another value here than in the line.
            _ | _tmp_* | READLINE_* | BASH_* | FUNCNAME | SHELLOPTS | LINENO | RANDOM | SRANDOM | SECONDS) builtin continue ;;
            IFS) _tmp_text=$_tmp_ifs ;;
            [a-zA-Z_]*)
                [[ -v $_tmp_word ]] || builtin continue
                _tmp_text=${!_tmp_word}
                ;;
            *) builtin continue ;;
        esac
        _tmp_input+=$_tmp_word=${_tmp_text//$_tmp_sep/}$_tmp_sep
        ((++_tmp_v < 64)) || builtin break
    done
}

# The functions that the line names, and those that they name.
_tmp_enter_functions() {
    builtin local IFS=$' \t\n;|&(){}<>`"\'$' _tmp_seen=' ' _tmp_next="$_tmp_line" _tmp_text _tmp_body
    while [[ -n $_tmp_next ]]; do
        _tmp_text=$_tmp_next _tmp_next=
        for _tmp_word in $_tmp_text; do
            # declare takes a=b for an assignment, and complains.
            [[ $_tmp_word != *=* ]] || builtin continue
            builtin declare -F -- "$_tmp_word" || builtin continue
            [[ $_tmp_word != tmp && $_tmp_word != _tmp_* && $_tmp_seen != *" $_tmp_word "* ]] || builtin continue
            _tmp_seen+="$_tmp_word "
            _tmp_body=$(\builtin declare -f -- "$_tmp_word")
            ((${#_tmp_body} <= 16384)) || builtin continue
            _tmp_body=${_tmp_body#*$'\n'}
            _tmp_input+=$_tmp_word=${_tmp_body//$_tmp_sep/}$_tmp_sep
            _tmp_next+=$_tmp_body$'\n'
            ((++_tmp_f < 32)) || builtin return 0
        done
    done
}

# Before a prompt: notices a command that ran without a verdict. It calls no
# builtin, and is right under set -eu.
_tmp_enter_prompt() {
    _tmp_enter_now=${_tmp_enter_hash@P}
    if [[ -n $_tmp_enter_number && $_tmp_enter_now != "$_tmp_enter_number" ]]; then
        _tmp_enter_credit=$((_tmp_enter_credit - _tmp_enter_now + _tmp_enter_number))
        if ((_tmp_enter_credit >= 0)); then
            _tmp_enter_missed=
        else
            _tmp_enter_notice
        fi
    fi
    _tmp_enter_number=$_tmp_enter_now _tmp_enter_pending=
}

if [[ -n $_tmp_enter_load ]]; then

_tmp_enter_loaded=1
TMP_ENTER_HOOK="bash 1 $$ on" # for tmp doctor
# shellcheck disable=SC2034 # exported
builtin export TMP_ENTER_HOOK
_tmp_enter_bin=tmp-enter
_tmp_enter_path=      # where that is
_tmp_enter_hash='\#'  # as a prompt, the number of the next command
_tmp_enter_number=    # that number at the last prompt
_tmp_enter_credit=0   # how many commands may run without being noticed as unjudged
_tmp_enter_pending=   # the lines that this one continues
_tmp_enter_held=      # set while the second key does nothing
_tmp_enter_off=       # paused: until this time in seconds, or "on"
_tmp_enter_failed=    # set once a failure has been shown, until it is mended
_tmp_enter_piped=     # set once a here-string has failed
_tmp_enter_missed=    # set once an unjudged line has been noticed, until one is judged
_tmp_enter_guarded=   # the keys that are guarded

if [[ ${BASH_SOURCE[0]-} == */share/tmp/hook.bash && -x ${BASH_SOURCE[0]%/share/tmp/hook.bash}/bin/tmp-enter ]]; then
    _tmp_enter_bin=${BASH_SOURCE[0]%/share/tmp/hook.bash}/bin/tmp-enter
fi

_tmp_enter_bind
_tmp_enter_arm

fi
