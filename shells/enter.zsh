# The Enter key of tmp for zsh 5.8 and later.
#
# Source this file from ~/.zshrc. On Enter it starts tmp-enter, which judges the
# line; a line that would destroy something is asked about before zsh gets it.
# If tmp-enter is missing or fails, the line runs, with one notice.
#
#   TMP_CHECK=off cmd …    typed before one simple command: not judged
#   tmp off -- line        the same for a line
#   tmp pause [minutes]    judge nothing in this shell; tmp resume

if [[ -o interactive && -z ${_tmp_enter_loaded-} && ! -o zle ]]; then
    typeset -g _tmp_enter_loaded=no
    export TMP_ENTER_HOOK="zsh 1 $$ noediting" # for tmp doctor
    builtin print -u2 'tmp: Enter is not judged: this zsh has no line editing'
elif [[ -o interactive && -z ${_tmp_enter_loaded-} ]]; then

typeset -g _tmp_enter_loaded=1
export TMP_ENTER_HOOK="zsh 1 $$ on" # for tmp doctor
typeset -g _tmp_enter_bin=tmp-enter
typeset -g _tmp_enter_path=''    # where that is
typeset -gi _tmp_enter_credit=0  # how many commands may run without being noticed as unjudged
typeset -g _tmp_enter_text=''    # what they are, as it was judged
typeset -g _tmp_enter_off=''     # paused: until this time in seconds, or "on"
typeset -g _tmp_enter_failed=''  # set once a failure has been shown, until it is mended
typeset -g _tmp_enter_piped=''   # set once a here-string has failed
typeset -g _tmp_enter_missed=''  # set once an unjudged line has been noticed, until one is judged
typeset -g _tmp_enter_asked=''   # set once a question has been asked, until the next prompt
typeset -g _tmp_enter_quiet=''   # set while NOTIFY is off for it
typeset -g _tmp_enter_notice=''  # what to say at the next prompt
typeset -g _tmp_enter_later=$_tmp_enter_code # what is read on the first key
typeset -ga _tmp_enter_widgets   # that run the line
_tmp_enter_widgets=(accept-line accept-and-hold accept-line-and-down-history accept-and-infer-next-history)

if [[ ${_tmp_file-} == */share/tmp/hook.zsh && -x ${_tmp_file%/share/tmp/hook.zsh}/bin/tmp-enter ]]; then
    _tmp_enter_bin=${_tmp_file%/share/tmp/hook.zsh}/bin/tmp-enter
fi

# Each of these reads what is in its place then.
_tmp_enter_key() { if _tmp_later _tmp_enter_later; then _tmp_enter_key "$@"; else builtin zle .$1; fi }
_tmp_enter_begun() { _tmp_later _tmp_enter_later && _tmp_enter_begun "$@" }
_tmp_enter_notify() { _tmp_later _tmp_enter_later && _tmp_enter_notify }
_tmp_enter_state() { _tmp_later _tmp_enter_later && _tmp_enter_state }
_tmp_enter_pause() { _tmp_later _tmp_enter_later && _tmp_enter_pause "$@" }

# Read on the first key:

# What a widget does that runs the line.
_tmp_enter_key() {
    local _tmp_widget=_tmp_enter_own_$1
    (( $+widgets[$_tmp_widget] )) || _tmp_widget=.$1
    builtin shift
    if _tmp_enter 2>&9; then
        [[ -z $_tmp_enter_asked ]] || _tmp_enter_quieten
        builtin zle $_tmp_widget -- "$@" 2>&9
    else
        _tmp_enter_quieten
    fi
}

# Jobs that ended during a question are told of before the next prompt, which
# zsh does while NOTIFY is off.
_tmp_enter_quieten() {
    [[ -n $_tmp_enter_asked && -o notify ]] || builtin return 0
    _tmp_enter_quiet=1
    builtin setopt no_notify
}

# Whether the line may run, or the text $1. What is put in its place goes into
# the editor. Names begin with _tmp_ because the values of variables that the line
# names are read in here.
_tmp_enter() {
    # A job that ends would have the line drawn again.
    builtin emulate -L zsh -o no_aliases -o no_xtrace -o no_notify
    local _tmp_line=$BUFFER _tmp_judged _tmp_records _tmp_z=$'\0'
    local -a _tmp_args
    integer _tmp_code=0
    if (( $# )); then
        local PREBUFFER=
        _tmp_line=$1
    else
        local _tmp_reply
        # Not for read, vared and select.
        [[ $CONTEXT == (start|cont) ]] || builtin return 0
        [[ -n $PREBUFFER || $BUFFER == *[^[:space:]]* ]] || builtin return 0
        if [[ -n $_tmp_enter_off ]] && _tmp_enter_paused; then
            _tmp_enter_credit=65536
            builtin return 0
        fi
        _tmp_enter_expand || builtin return 0
        _tmp_line=$PREBUFFER$_tmp_line
    fi
    _tmp_judged=$_tmp_line
    _tmp_args=(--shell zsh)
    [[ ! -o interactivecomments ]] || _tmp_args+=(--comments)
    _tmp_enter_records
    if [[ ! -x $_tmp_enter_path ]]; then
        _tmp_enter_path=${commands[$_tmp_enter_bin]-$_tmp_enter_bin}
        [[ -x $_tmp_enter_path ]] || {
            _tmp_enter_fail "$_tmp_enter_bin is not there"
            builtin return 0
        }
    fi
    _tmp_enter_call --silent $_tmp_args
    _tmp_code=$?
    (( _tmp_code != 13 )) || _tmp_enter_ask
    case $_tmp_code in
        (0)
            _tmp_enter_failed=
            _tmp_enter_allow
            ;;
        (10)
            # The input has ended: nobody is there to change the line.
            [[ $_tmp_reply != ended ]] || _tmp_enter_drop
            builtin return 1
            ;;
        (130) # nothing was asked; what the terminal echoed stands in the line
            ! builtin zle || builtin zle -I
            builtin return 1
            ;;
        (11)
            if builtin zle; then
                BUFFER=$_tmp_reply
                CURSOR=$#BUFFER
            fi
            builtin return 1
            ;;
        (12) _tmp_enter_credit=0 ;;
        (*) _tmp_enter_fail "$_tmp_enter_bin failed (status $_tmp_code)" ;;
    esac
    builtin return 0
}

# Has tmp-enter ask, and sets _tmp_code and _tmp_reply to the answer.
_tmp_enter_ask() {
    # Nothing is to write over the question: no job that ends, and no trap.
    # A shell that has TMOUT would end by SIGALRM without its trap.
    _tmp_enter_asked=1
    builtin trap - CHLD
    (( ! ${TMOUT:-0} )) || builtin trap '' ALRM
    if builtin zle; then
        POSTDISPLAY=
        builtin zle -I
    fi
    local _tmp_tty=$(\builtin command stty -g 2>/dev/null </dev/tty)
    _tmp_reply=$(_tmp_enter_call $_tmp_args 3>&1 1>&2)
    _tmp_code=$?
    case $_tmp_code in
        (0|10|11|12|130) ;;
        (*) # killed, with the terminal as it had it
            [[ -z $_tmp_tty ]] || builtin command stty "$_tmp_tty" </dev/tty 2>/dev/null
            builtin print -r -u2 -- $'\n'"tmp: not run: $_tmp_enter_bin ended without an answer (status $_tmp_code); tmp off -- runs a line unasked"
            _tmp_code=10
            ;;
    esac
}

# Starts tmp-enter with the arguments. zsh keeps a here-string in a file, for
# which there may be no room; a pipe needs none, but a process more.
_tmp_enter_call() {
    integer code=1
    # One processor: see hook.zsh.
    if [[ -z $_tmp_enter_piped ]]; then
        GOMAXPROCS=1 "$_tmp_enter_path" "$@" <<<"$_tmp_records"
        code=$?
    fi
    if (( code == 1 )); then
        builtin print -rn -- "$_tmp_records" | GOMAXPROCS=1 "$_tmp_enter_path" "$@"
        code=$?
        (( code == 1 )) || _tmp_enter_piped=1
    fi
    builtin return code
}

# Drops a line that does not run, and those that it continues.
_tmp_enter_drop() {
    builtin print -u2 'tmp: that line is not run but dropped: its input has ended, or is no terminal'
    ! builtin zle || BUFFER=
    [[ -z $PREBUFFER ]] || builtin zle .send-break
}

# Lets as many commands pass as the text has lines: zsh runs them one by one.
_tmp_enter_allow() {
    local -a rows
    rows=("${(@f)_tmp_line}")
    _tmp_enter_credit=$#rows
    _tmp_enter_text=$_tmp_judged
}

_tmp_enter_fail() {
    _tmp_enter_allow
    [[ -z $_tmp_enter_failed ]] || builtin return 0
    _tmp_enter_failed=1
    ! builtin zle || builtin zle -I
    builtin print -r -u2 -- "tmp: this line was not judged: $1"
}

# Sets _tmp_line to what history expansion makes of it. Fails if zsh will not
# run it but show it first.
_tmp_enter_expand() {
    [[ -o banghist && $#BUFFER -le 65536 && ( $BUFFER == *"${histchars[1]}"* || $BUFFER == "${histchars[2]}"* ) ]] || builtin return 0
    local buffer=$BUFFER left= right
    integer cursor=CURSOR prints=0
    builtin zle .expand-history
    _tmp_line=$BUFFER
    # Of :p, with which zsh only prints the line, nothing is left: the line without
    # it expands to the same. Within !?text? it would be part of the text.
    right=$buffer
    while [[ $right == *:p* && $_tmp_line != "$buffer" ]]; do
        left+=${right%%:p*} right=${right#*:p}
        if [[ $left == *"${histchars[1]}?"* ]] && [[ $left != *\? || $left == *"${histchars[1]}?" ]]; then
            left+=:p
            builtin continue
        fi
        BUFFER=$left$right
        builtin zle .expand-history
        [[ $BUFFER != "$_tmp_line" ]] || prints=1
        left+=:p
    done
    BUFFER=$buffer CURSOR=cursor
    (( ! prints )) || builtin return 1
    [[ $_tmp_line == "$buffer" || ! -o histverify ]]
}

# Sets _tmp_records to the text and what only the shell knows of it, and adds to
# _tmp_args how much that is.
_tmp_enter_records() {
    builtin setopt extendedglob
    local _tmp_name _tmp_value _tmp_text=$_tmp_line _tmp_globals=
    integer _tmp_n=0 _tmp_v=0 _tmp_f=0
    local -a _tmp_words
    if (( $#_tmp_line <= 65536 )); then
        if (( $#galiases )); then
            _tmp_globals=${(j:|:)${(@bk)galiases}}
            _tmp_enter_globals
            _tmp_line=$_tmp_text
        fi
        _tmp_words=(${(z)_tmp_line})
    fi
    _tmp_records=$_tmp_line$_tmp_z
    if (( $#_tmp_line <= 65536 )); then
        for _tmp_name _tmp_text in "${(@kv)aliases}"; do
            [[ -z $_tmp_globals ]] || _tmp_enter_globals
            _tmp_records+=$_tmp_name=$_tmp_text$_tmp_z
            (( ++_tmp_n ))
        done
        # x.txt is "vim x.txt" after alias -s txt=vim.
        if (( $#saliases )); then
            for _tmp_name in ${(u)${(M)_tmp_words:#*.*}}; do
                (( $+saliases[${_tmp_name##*.}] && ! $+aliases[$_tmp_name] )) || builtin continue
                _tmp_records+="$_tmp_name=$saliases[${_tmp_name##*.}] $_tmp_name$_tmp_z"
                (( ++_tmp_n ))
            done
        fi
        [[ $_tmp_line != *'$'* ]] || _tmp_enter_variables
        _tmp_enter_functions
    fi
    local -a _tmp_rows
    [[ -z $PREBUFFER ]] || _tmp_rows=("${(@f)${PREBUFFER%$'\n'}}")
    _tmp_args+=(--held $#_tmp_rows --aliases $_tmp_n --variables $_tmp_v --functions $_tmp_f)
}

# Puts global aliases in their words' place in _tmp_text: they stand anywhere in
# a line, and so do those in what they stand for. _tmp_globals is a pattern of
# their names.
_tmp_enter_globals() {
    [[ $_tmp_text == (*[[:space:]\;\|\&\(\)\<\>\`]|)($~_tmp_globals)([[:space:]\;\|\&\(\)\<\>\`]*|) ]] || builtin return 0
    local rest=$_tmp_text word gap
    integer left=4096
    _tmp_text=
    for word in ${(z)rest}; do
        gap=${rest%%"$word"*}
        # A line break is a ";" among the words.
        [[ $gap != *[^[:space:]]* ]] || builtin continue
        _tmp_text+=$gap
        rest=${rest:$(( $#gap + $#word ))}
        case $word in
            ($~_tmp_globals) _tmp_enter_global "$word" ;;
            (*[\(\`]*) _tmp_enter_inner "$word" ;;
            (*) _tmp_text+=$word ;;
        esac
    done
    _tmp_text+=$rest
}

# Adds what the global alias $1 stands for; those after it are being replaced
# already, and stay.
_tmp_enter_global() {
    local inner
    (( --left > 0 )) || builtin return 0
    for inner in ${(z)galiases[$1]}; do
        if (( $+galiases[$inner] && ! ${@[(Ie)$inner]} )); then
            _tmp_enter_global "$inner" "$@"
        else
            _tmp_text+=$inner
        fi
        _tmp_text+=' '
    done
}

# Adds a word that holds a command, in $( ) and the like.
_tmp_enter_inner() {
    local inner=$1 word
    while [[ -n $inner ]]; do
        word=${inner%%[[:space:]\;\|\&\(\)\<\>\`\"]*}
        inner=${inner:$#word}
        if [[ $word == ($~_tmp_globals) ]]; then _tmp_enter_global "$word"; else _tmp_text+=$word; fi
        _tmp_text+=$inner[1]
        inner=${inner:1}
    done
}

_tmp_enter_variables() {
    for _tmp_name in ${(s:$:)_tmp_line#*\$}; do
        _tmp_name=${_tmp_name##[\{\(\#\^=~]#}
        _tmp_name=${_tmp_name%%[^a-zA-Z0-9_]*}
        [[ $_tmp_name == [a-zA-Z_]* && $_tmp_name != _tmp_* ]] && (( ${(P)+_tmp_name} )) || builtin continue
        _tmp_value=${(j: :)${(P@)_tmp_name}}
        _tmp_records+=$_tmp_name=${_tmp_value//$_tmp_z/}$_tmp_z
        (( ++_tmp_v < 64 )) || builtin break
    done
}

# The user's functions that the line names, and those that they name.
_tmp_enter_functions() {
    local -A _tmp_seen
    local -a _tmp_next
    while (( $#_tmp_words )); do
        _tmp_next=()
        for _tmp_name in $_tmp_words; do
            (( $+functions[$_tmp_name] && ! $+_tmp_seen[$_tmp_name] )) || builtin continue
            _tmp_seen[$_tmp_name]=1
            [[ $_tmp_name != (tmp|_tmp_*) && $functions_source[$_tmp_name] != /usr/(local/|)share/zsh/* ]] || builtin continue
            _tmp_value=$functions[$_tmp_name]
            (( $#_tmp_value <= 16384 )) || builtin continue
            _tmp_records+=$_tmp_name=${_tmp_value//$_tmp_z/}$_tmp_z
            _tmp_next+=(${(z)_tmp_value})
            (( ++_tmp_f < 32 )) || builtin return 0
        done
        _tmp_words=($_tmp_next)
    done
}

# Whether judging is paused.
_tmp_enter_paused() {
    [[ $_tmp_enter_off != on ]] || builtin return 0
    local now='%D{%s}'
    (( ${(%)now} >= _tmp_enter_off )) || builtin return 0
    _tmp_enter_off=
    builtin return 1
}

_tmp_enter_begun() {
    _tmp_enter_check "$1"
    _tmp_enter_quieten
}

_tmp_enter_check() {
    builtin emulate -L zsh -o no_aliases -o no_xtrace -o no_notify
    if (( _tmp_enter_credit >= 0 )); then
        _tmp_enter_missed=
        [[ -n $_tmp_enter_off ]] || _tmp_enter_same "$1" || _tmp_enter_again "$1" 2>&9
        builtin return 0
    fi
    _tmp_enter_credit=0
    [[ -z ${_tmp_enter_missed} ]] || builtin return 0
    _tmp_enter_missed=1
    _tmp_enter_notice="tmp: that line was not judged: it did not come through tmp's Enter (tmp doctor)"
}

# Whether the text that is about to run, as the history has it, is what was
# judged, or its beginning. It is not after a correction of zsh's, or where a
# widget has changed the line after Enter. Blanks are no difference: zsh may
# have reduced them.
_tmp_enter_same() {
    [[ -n $1 && $1 != "$_tmp_enter_text" ]] || builtin return 0
    (( $#1 <= 65536 )) || builtin return 1
    builtin setopt extendedglob
    local runs=${1//$'\\\n'/ } judged=${_tmp_enter_text//$'\\\n'/ }
    runs=${${runs//[[:space:]]##/ }# } judged=${${judged//[[:space:]]##/ }# }
    runs=${runs% }
    [[ ${judged% } != "$runs" ]] || builtin return 0
    [[ $judged == "$runs "* ]] || builtin return 1
    _tmp_enter_text=${judged#"$runs "}
}

# Judges what is about to run instead. An interrupt is what ends it here; the
# line goes back into the editor.
_tmp_enter_again() {
    local _tmp_reply
    _tmp_enter "$1" || {
        _tmp_enter_credit=0
        [[ $_tmp_reply == ended ]] || builtin print -rz -- "${_tmp_reply:-$1}"
        builtin trap - INT
        builtin kill -INT $$
    }
}

_tmp_enter_notify() {
    [[ -z $_tmp_enter_quiet ]] || builtin setopt notify
    _tmp_enter_asked='' _tmp_enter_quiet=''
    [[ -n $_tmp_enter_notice ]] || builtin return 0
    builtin print -r -u9 -- "$_tmp_enter_notice"
    _tmp_enter_notice=
}

# Says for tmp doctor how it stands with Enter: on, paused or taken.
_tmp_enter_state() {
    builtin emulate -L zsh -o no_aliases -o no_xtrace
    local state=on key="$(\builtin bindkey '^M')"
    if [[ ${widgets[${key##* }]-} != user:_* ]]; then
        state=taken
    elif [[ -n $_tmp_enter_off ]] && _tmp_enter_paused; then
        state=paused
        [[ $_tmp_enter_off == on ]] || state+=:$_tmp_enter_off
    fi
    export TMP_ENTER_HOOK="zsh 1 $$ $state"
}

_tmp_enter_pause() {
    builtin emulate -L zsh -o no_aliases -o no_xtrace
    if [[ -n ${TMP_AGENT_ID-} ]]; then
        builtin print -u2 'tmp pause: not for an agent'
        builtin return 1
    elif [[ -z ${1-} ]]; then
        _tmp_enter_off=on
        builtin print 'tmp: Enter is not judged in this shell until tmp resume'
    elif [[ $1 == *[^0-9]* ]] || (( $#1 > 6 )); then
        builtin print -u2 'tmp pause: want a number of minutes'
        builtin return 2
    else
        local now='%D{%s}'
        _tmp_enter_off=$(( ${(%)now} + 60 * $1 ))
        builtin print "tmp: Enter is not judged in this shell for $1 minutes"
    fi
}

# Read at the start:

# Before a command: notices one that runs without a verdict.
_tmp_enter_preexec() {
    {
        if (( --_tmp_enter_credit >= 0 )) && [[ $1 == "$_tmp_enter_text" && -z $_tmp_enter_asked ]]; then
            _tmp_enter_missed=
        else
            _tmp_guard _tmp_enter_begun "$1"
        fi
    } 9>&2 2>/dev/null
}

_tmp_enter_precmd() {
    { [[ -z $_tmp_enter_notice$_tmp_enter_asked ]] || _tmp_guard _tmp_enter_notify } 9>&2 2>/dev/null
}

# In the incremental search of history Enter would run the line past its widget:
# another widget ends the search, and the key is read again.
_tmp_enter_search() {}

# Puts a widget of ours before each that runs the line. What was there, a
# builtin or a widget of the user or of a plugin, is what it calls. Whether it
# is a plugin that has wrapped ours since, and calls it, its name tells.
_tmp_enter_install() {
    builtin emulate -L zsh -o no_aliases -o no_xtrace
    local widget was
    for widget in $_tmp_enter_widgets; do
        was=${widgets[$widget]-}
        case $was in
            (user:_tmp_enter_run_*) builtin continue ;;
            (user:*) builtin zle -N _tmp_enter_own_$widget ${was#user:} ;;
        esac
        functions[_tmp_enter_run_$widget]="{
    if (( \$+functions[builtin] )); then _tmp_guard _tmp_enter_key $widget \"\$@\"; else _tmp_enter_key $widget \"\$@\"; fi
} 9>&2 2>/dev/null"
        builtin zle -N $widget _tmp_enter_run_$widget
    done
    builtin zle -N _tmp_enter_search
    builtin bindkey -M isearch '^M' _tmp_enter_search '^J' _tmp_enter_search
}
_tmp_enter_install
typeset -ga preexec_functions precmd_functions
preexec_functions+=(_tmp_enter_preexec)
precmd_functions+=(_tmp_enter_precmd)

# tmp, with what only the shell itself can do. An alias or function of the
# user's own by that name stays.
if ! builtin typeset -f tmp >/dev/null && ! builtin alias tmp >/dev/null; then
    function tmp {
        case ${1-},${2-} in
            (off,--)
                builtin shift 2
                if (( $# == 1 )); then builtin eval "$1"; else "$@"; fi
                ;;
            (pause,-* | resume,-*) builtin command tmp "$@" ;;
            (pause,*) _tmp_enter_pause "${2-}" ;;
            (resume,*)
                _tmp_enter_off=
                builtin print 'tmp: Enter is judged in this shell'
                ;;
            (doctor,*)
                _tmp_enter_state
                builtin command tmp "$@"
                ;;
            (*) builtin command tmp "$@" ;;
        esac
    }
fi

fi
