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

if [[ -z ${BASH_VERSION-} || $- != *i* ]]; then
    : # not for this shell
elif ((BASH_VERSINFO[0] < 4 || BASH_VERSINFO[0] == 4 && BASH_VERSINFO[1] < 4)); then
    echo "tmp: Enter is not judged: that needs bash 4.4 or later; this is $BASH_VERSION" >&2
    export TMP_ENTER_HOOK="bash 1 $$ old" # for tmp doctor
elif [[ ! -o emacs && ! -o vi ]]; then
    [[ -n ${_tmp_enter_loaded-} ]] || echo "tmp: Enter is not judged: this bash has no line editing" >&2
    _tmp_enter_loaded=no
    export TMP_ENTER_HOOK="bash 1 $$ noediting"
elif [[ -z ${_tmp_enter_loaded-} ]]; then

_tmp_enter_loaded=1
export TMP_ENTER_HOOK="bash 1 $$ on" # for tmp doctor
_tmp_enter_bin=tmp-enter
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

# The first key. Names begin with _tmp_ because the values of variables that the
# line names are read in here.
_tmp_enter() {
    local - IFS=$' \t\n'
    set +eux -f
    [[ -z $_tmp_enter_held ]] || _tmp_enter_second accept-line operate-and-get-next
    case ${PROMPT_COMMAND[*]-} in
        # Past the prompt a command runs, and what is read is for its read -e.
        *_tmp_enter_prompt*) [[ ${_tmp_enter_hash@P} == "$_tmp_enter_number" ]] || return 0 ;;
        *) # somebody has set it anew
            _tmp_enter_arm
            _tmp_enter_number=${_tmp_enter_hash@P} _tmp_enter_pending=
            ;;
    esac
    [[ -n $_tmp_enter_pending || $READLINE_LINE == *[![:space:]]* ]] || return 0
    if [[ -n $_tmp_enter_off ]] && _tmp_enter_paused; then
        _tmp_enter_credit=65536
        return 0
    fi
    local _tmp_line=$READLINE_LINE _tmp_code _tmp_input _tmp_counts _tmp_reply='' _tmp_cut=''
    _tmp_enter_expand || return 0
    _tmp_line=$_tmp_enter_pending$_tmp_line
    _tmp_enter_records
    # An exported line beyond 128 KiB would keep every program from starting.
    export -n READLINE_LINE
    if ! hash -- "$_tmp_enter_bin" 2>/dev/null; then
        _tmp_code=missing
    else
        # shellcheck disable=SC2086 # arguments without blanks of their own
        _tmp_enter_call --silent $_tmp_counts
        _tmp_code=$?
        if ((_tmp_code == 13)); then
            # A Ctrl-C that comes before readline has the terminal again would
            # wait in bash for the next key, and take that with it. It is to drop
            # the line.
            local _tmp_trap _tmp_tty
            _tmp_trap=$(trap -p INT)
            trap '_tmp_cut=1' INT
            _tmp_tty=$(stty -g 2>/dev/null </dev/tty)
            # shellcheck disable=SC2086
            _tmp_reply=$(_tmp_enter_call $_tmp_counts 3>&1 1>&2)
            _tmp_code=$?
            case $_tmp_code in
                0 | 10 | 11 | 12 | 130) ;;
                *) # killed, with the terminal as it had it
                    [[ -z $_tmp_tty ]] || stty "$_tmp_tty" </dev/tty 2>/dev/null
                    printf '\ntmp: not run: %s ended without an answer (status %s); tmp off -- runs a line unasked\n' "$_tmp_enter_bin" "$_tmp_code" >&2
                    _tmp_code=10
                    ;;
            esac
        fi
    fi
    _tmp_enter_decide "$_tmp_code"
    [[ $_tmp_cut != 1 || -z $_tmp_enter_held ]] || READLINE_LINE='' READLINE_POINT=0
    if [[ -n ${_tmp_trap-} ]]; then
        eval "$_tmp_trap"
    elif [[ -n ${_tmp_trap+set} ]]; then
        trap - INT
    fi
    [[ $_tmp_cut != 2 ]] || kill -INT $$
    return 0
}

# Starts tmp-enter with the arguments. bash may keep a here-string in a file, for
# which there may be no room; a pipe needs none, but a process more.
_tmp_enter_call() {
    local code=1
    # One processor: see hook.bash.
    if [[ -z $_tmp_enter_piped ]]; then
        GOMAXPROCS=1 "$_tmp_enter_bin" --shell bash --split "$@" <<<"$_tmp_input"
        code=$?
    fi
    if ((code == 1)); then
        printf %s "$_tmp_input" | GOMAXPROCS=1 "$_tmp_enter_bin" --shell bash --split "$@"
        code=$?
        ((code == 1)) || _tmp_enter_piped=1
    fi
    return $code
}

# Does with the line what the status says.
_tmp_enter_decide() {
    case $1 in
        0)
            _tmp_enter_failed=
            _tmp_enter_allow
            ;;
        10 | 11 | 130)
            _tmp_enter_second '""' '""'
            [[ $1 != 11 ]] || READLINE_LINE=$_tmp_reply READLINE_POINT=${#_tmp_reply}
            if [[ ! -t 0 || $1 == 10 && $_tmp_reply == ended ]]; then
                _tmp_enter_drop
            else
                [[ $1 == 11 || -z $_tmp_enter_pending ]] || echo 'tmp: the lines before it still wait; Ctrl-C drops them' >&2
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
                    echo "tmp: this line was not judged: $_tmp_enter_bin is not there" >&2
                else
                    echo "tmp: this line was not judged: $_tmp_enter_bin failed (status $1)" >&2
                fi
            fi
            ;;
    esac
}

# Drops a line that does not run where nobody can change it: at the end of input
# readline would accept it again, and again. With it go the lines that it
# continues, which bash would run as they are.
_tmp_enter_drop() {
    echo 'tmp: that line is not run but dropped: its input has ended, or is no terminal' >&2
    READLINE_LINE='' READLINE_POINT=0
    [[ -z $_tmp_enter_pending ]] || _tmp_cut=2
}

# Lets as many commands pass as the text can hold: bash runs a text of several
# lines one by one.
_tmp_enter_allow() {
    local rows
    _tmp_enter_credit=1
    [[ $_tmp_line != *$'\n'* ]] || {
        mapfile -t rows <<<"$_tmp_line"
        _tmp_enter_credit=${#rows[@]}
    }
    # Should bash ask for more after all, this belongs to it.
    _tmp_enter_pending=$_tmp_line$'\n'
}

# The rows of the prompt above its last, which readline does not draw again.
_tmp_enter_upper() {
    local prompt=${PS1@P}
    [[ $prompt == *$'\n'* ]] || return 0
    prompt=${prompt%$'\n'*}
    prompt=${prompt//$'\1'/}
    printf '%s\n' "${prompt//$'\2'/}" >&2
}

# Sets _tmp_line to what history expansion makes of it. Fails if bash will not
# run it but show it first.
_tmp_enter_expand() {
    local marks=${histchars-!^} expanded
    # Of a line that is too long to be judged history -p takes minutes.
    [[ $- == *H* ]] && ((${#_tmp_line} <= 65536)) || return 0
    [[ $_tmp_line == *"${marks:0:1}"* || $_tmp_line == "${marks:1:1}"* ]] || return 0
    # history -p leaves out the last event, which for bash is the command that
    # called it, until something has been added: here in a copy of the shell.
    expanded=$(
        HISTTIMEFORMAT='' HISTCONTROL='' HISTIGNORE='' last=$(history 1)
        if [[ $last =~ ^\ *([0-9]+)[\ *]\ ?(.*)$ ]]; then
            history -s -- "${BASH_REMATCH[2]}"
            history -d $((BASH_REMATCH[1] + 1))
        fi >/dev/null 2>&1
        history -p -- "$_tmp_line" 2>/dev/null
    ) || return 0
    [[ $expanded == "$_tmp_line" ]] || ! shopt -q histverify || return 1
    _tmp_line=$expanded
}

# Sets _tmp_input to the text and what only the shell knows of it, and
# _tmp_counts to the arguments that say how much that is.
_tmp_enter_records() {
    local _tmp_sep=$'\37' _tmp_whole='' _tmp_n=0 _tmp_v=0 _tmp_f=0 _tmp_i _tmp_word _tmp_names _tmp_texts
    _tmp_input=${_tmp_line//$_tmp_sep/$'\36'}$_tmp_sep
    if ((${#_tmp_line} <= 65536)); then
        _tmp_names=("${!BASH_ALIASES[@]}") _tmp_texts=("${BASH_ALIASES[@]}") _tmp_n=${#_tmp_names[@]}
        for ((_tmp_i = 0; _tmp_i < _tmp_n; _tmp_i++)); do
            _tmp_input+=${_tmp_names[_tmp_i]}=${_tmp_texts[_tmp_i]//$_tmp_sep/}$_tmp_sep
        done
        [[ $_tmp_line != *'$'* ]] || _tmp_enter_variables
        _tmp_enter_functions &>/dev/null
    fi
    local _tmp_rows=()
    [[ -z $_tmp_enter_pending ]] || mapfile -t _tmp_rows <<<"${_tmp_enter_pending%$'\n'}"
    [[ $READLINE_LINE != *$'\n' ]] || _tmp_whole=--whole
    _tmp_counts="$_tmp_whole --held ${#_tmp_rows[@]} --aliases $_tmp_n --variables $_tmp_v --functions $_tmp_f"
}

_tmp_enter_variables() {
    local IFS='$'
    for _tmp_word in ${_tmp_line#*'$'}; do
        _tmp_word=${_tmp_word#'{'}
        _tmp_word=${_tmp_word#[#!]}
        _tmp_word=${_tmp_word%%[!a-zA-Z0-9_]*}
        [[ $_tmp_word == [a-zA-Z_]* && $_tmp_word != _tmp_* && -v $_tmp_word ]] || continue
        _tmp_input+=$_tmp_word=${!_tmp_word//$_tmp_sep/}$_tmp_sep
        ((++_tmp_v < 64)) || break
    done
}

# The functions that the line names, and those that they name.
_tmp_enter_functions() {
    local IFS=$' \t\n;|&(){}<>`"\'$' _tmp_seen=' ' _tmp_next=$_tmp_line _tmp_text _tmp_body
    while [[ -n $_tmp_next ]]; do
        _tmp_text=$_tmp_next _tmp_next=
        for _tmp_word in $_tmp_text; do
            # declare takes a=b for an assignment, and complains.
            [[ $_tmp_word != *=* ]] || continue
            declare -F -- "$_tmp_word" || continue
            [[ $_tmp_word != tmp && $_tmp_word != _tmp_* && $_tmp_seen != *" $_tmp_word "* ]] || continue
            _tmp_seen+="$_tmp_word "
            _tmp_body=$(declare -f -- "$_tmp_word")
            ((${#_tmp_body} <= 16384)) || continue
            _tmp_body=${_tmp_body#*$'\n'}
            _tmp_input+=$_tmp_word=${_tmp_body//$_tmp_sep/}$_tmp_sep
            _tmp_next+=$_tmp_body$'\n'
            ((++_tmp_f < 32)) || return 0
        done
    done
}

# What the second keys, of Enter and of Ctrl-O, do.
_tmp_enter_second() {
    local map
    _tmp_enter_held=1 # first, should a signal end this
    for map in emacs-standard vi-insert vi-command; do
        bind -m "$map" "\"\\C-x\\C-_2\": $1"
        bind -m "$map" "\"\\C-x\\C-_3\": $2"
    done
    [[ $1 != accept-line ]] || _tmp_enter_held=
}

# Whether judging is paused.
_tmp_enter_paused() {
    local now
    [[ $_tmp_enter_off != on ]] || return 0
    printf -v now '%(%s)T' -1
    ((now < _tmp_enter_off)) && return 0
    _tmp_enter_off=
    return 1
}

# Before a prompt: notices a command that ran without a verdict.
_tmp_enter_prompt() {
    local -
    set +eux
    local now=${_tmp_enter_hash@P}
    if [[ -n $_tmp_enter_number && $now != "$_tmp_enter_number" ]]; then
        if ((_tmp_enter_credit -= now - _tmp_enter_number, _tmp_enter_credit >= 0)); then
            _tmp_enter_missed=
        elif _tmp_enter_credit=0; [[ -z $_tmp_enter_missed ]]; then
            _tmp_enter_missed=1
            echo "tmp: that line was not judged: it did not come through tmp's Enter (tmp doctor)" >&2
        fi
    fi
    _tmp_enter_number=$now _tmp_enter_pending=
    return 0
}

# At the end, where $? is not needed any more. To an array this adds to the first.
# If it is exported, shells without the hook have it too.
# shellcheck disable=SC2178,SC2128
_tmp_enter_arm() {
    [[ ${PROMPT_COMMAND[*]-} != *_tmp_enter_prompt* ]] || return 0
    PROMPT_COMMAND=${PROMPT_COMMAND:+$PROMPT_COMMAND$'\n'}'[[ -z ${_tmp_enter_loaded-} ]] || _tmp_enter_prompt'
}

# Guards the keys that run a line: all that do so now, which the shell is asked
# without starting a process (see _tmp_tab_install). A key that the user has
# given another meaning keeps it.
_tmp_enter_bind() {
    local - map fd answer line key second
    set -f
    for map in emacs-standard vi-insert vi-command; do
        bind -m "$map" -x '"\C-x\C-_1": _tmp_enter'
        answer=
        if exec {fd}<<<''; then
            {
                echo
                bind -m "$map" -q accept-line
                bind -m "$map" -q operate-and-get-next
            } >"/dev/fd/$fd"
            IFS= read -r -d '' -u "$fd" answer
            exec {fd}<&-
        fi 2>/dev/null
        [[ $answer == *[a-z]* ]] || answer=$(bind -m "$map" -q accept-line; bind -m "$map" -q operate-and-get-next)
        while IFS= read -r line; do
            second=2
            [[ $line != operate-and-get-next* ]] || second=3
            while [[ $line == *'"'*'"'* ]]; do
                line=${line#*\"}
                key=${line%%\"*}
                line=${line#*\"}
                [[ $key != *'\C-x\C-_'* ]] || continue
                bind -m "$map" "\"$key\": \"\\C-x\\C-_1\\C-x\\C-_$second\""
                _tmp_enter_guarded+=" $map:$key"
            done
        done <<<"$answer"
    done
    _tmp_enter_second accept-line operate-and-get-next
    [[ $_tmp_enter_guarded == *'\C-m'* ]] || echo "tmp: Enter is not judged: it does something else than accept-line here (tmp doctor)" >&2
}
_tmp_enter_bind
_tmp_enter_arm

# Says for tmp doctor how it stands with Enter: on, paused or taken.
_tmp_enter_state() {
    local map=emacs state=on
    [[ ! -o vi ]] || map=vi-insert
    if [[ $(bind -m "$map" -s 2>/dev/null) != *'"\C-m": "\C-x\C-_1'* ]]; then
        state=taken
    elif [[ -n $_tmp_enter_off ]] && _tmp_enter_paused; then
        state=paused
        [[ $_tmp_enter_off == on ]] || state+=:$_tmp_enter_off
    fi
    export TMP_ENTER_HOOK="bash 1 $$ $state"
}

_tmp_enter_pause() {
    if [[ -n ${TMP_AGENT_ID-} ]]; then
        echo 'tmp pause: not for an agent' >&2
        return 1
    elif [[ -z ${1-} ]]; then
        _tmp_enter_off=on
        echo 'tmp: Enter is not judged in this shell until tmp resume'
    elif [[ $1 == *[!0-9]* ]] || ((${#1} > 6)); then
        echo 'tmp pause: want a number of minutes' >&2
        return 2
    else
        printf -v _tmp_enter_off '%(%s)T' -1
        ((_tmp_enter_off += 60 * 10#$1))
        printf 'tmp: Enter is not judged in this shell until %(%H:%M)T\n' "$_tmp_enter_off"
    fi
}

# tmp, with what only the shell itself can do. An alias or function of the
# user's own by that name stays.
if ! declare -F tmp >/dev/null && ! alias tmp &>/dev/null; then
    function tmp {
        case ${1-},${2-} in
            off,--)
                shift 2
                if (($# == 1)); then eval "$1"; else "$@"; fi
                ;;
            pause,-* | resume,-*) command tmp "$@" ;;
            pause,*) _tmp_enter_pause "${2-}" ;;
            resume,*)
                _tmp_enter_off=
                echo 'tmp: Enter is judged in this shell'
                ;;
            doctor,*)
                _tmp_enter_state
                command tmp "$@"
                ;;
            *) command tmp "$@" ;;
        esac
    }
fi

fi
