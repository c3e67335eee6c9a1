# shellcheck shell=bash
# Completion of tmp for bash 4.4 and later.
#
# Source this file from ~/.bashrc. It asks nothing when the shell starts. On a
# Tab it starts tmp-tab once; for a command without a map, and if tmp-tab is
# missing or fails, the completion that bash had before runs, untouched.
#
#   TMP_TAB_BIN   the tmp-tab to start; by default the one installed with this
#                 file, else the one found on PATH

_tmp_tab_load= # set where the hook is to be loaded
if [[ -z ${BASH_VERSION-} || $- != *i* ]]; then
    builtin : # not for this shell
elif ((BASH_VERSINFO[0] < 4 || BASH_VERSINFO[0] == 4 && BASH_VERSINFO[1] < 4)); then
    builtin echo "tmp: completion needs bash 4.4 or later; this is $BASH_VERSION, whose own completion stays" >&2
elif [[ -z ${_tmp_tab_loaded-} ]]; then
    _tmp_tab_load=1
fi

# Sets _tmp_tab_path to the program bin: by its path, since a function may have its
# name.
_tmp_tab_find() {
    builtin set -h
    builtin hash -- "$bin" 2>/dev/null || builtin return 1
    _tmp_tab_asked=$bin _tmp_tab_path=${BASH_CMDS[$bin]-$bin}
}

# Runs what bash would have done without tmp.
_tmp_tab_own() {
    builtin local spec='' status=0
    [[ -z ${1+x} ]] || spec=${_tmp_tab_was[${1:-"''"}]-} # no key is empty
    if [[ -n $spec ]]; then
        _tmp_tab_run "$spec" "$@"
        builtin return
    fi
    if [[ $_tmp_tab_next != *' -F '* ]]; then
        builtin compopt -o bashdefault -o default
        builtin return 0
    fi
    _tmp_tab_run "$_tmp_tab_next" "$@" || status=$?
    # A command that has a map or runs others: what has just been loaded for it
    # would keep its arguments from us.
    if ((status == 124)); then
        case ${_tmp_tab_here:-${1##*/}} in
            here | partial | sudo | doas | env | nice | ionice | nohup | setsid | stdbuf | timeout | watch | xargs | strace | ltrace | time | command | exec)
                spec=$(\builtin complete -p -- "$1" 2>/dev/null) && [[ $spec == *' -F '* ]] && {
                    _tmp_tab_was[$1]=$spec
                    builtin complete -F _tmp_tab -- "$1"
                }
                ;;
        esac
    fi
    builtin return "$status"
}

# Puts what bash's own completion of the command offers, if it has one, in the
# place of matches that are known not to be all.
_tmp_tab_better() {
    builtin local status=0
    builtin local -a ours
    ours=("${COMPREPLY[@]}")
    [[ ${_tmp_tab_was[${1:-"''"}]-} != *' -F '*_minimal' '* ]] || builtin return 0
    COMPREPLY=()
    _tmp_tab_own "$@" 2>&9 || status=$?
    if ((status == 124)); then
        COMPREPLY=()
        [[ ${_tmp_tab_was[$1]-} == *' -F '*_minimal' '* ]] || _tmp_tab_own "$@" 2>&9 || builtin :
    fi
    ((${#COMPREPLY[@]} > 0)) || COMPREPLY=("${ours[@]}")
}

# Runs the function of a specification "complete -o x -F f name" with its options.
_tmp_tab_run() {
    builtin local spec="$1" function
    builtin shift
    function=${spec#* -F }
    function=${function%% *}
    while [[ $spec == *' -o '* ]]; do
        spec=${spec#* -o }
        builtin compopt -o "${spec%% *}"
    done
    "$function" "$@"
}

# Shows a line of text above the prompt and has the command line drawn again.
# The terminal's answer to "are you there" is the key that does it: readline
# knows all of the line, this function a part.
_tmp_tab_say() {
    builtin local down=$((COMP_POINT / ${COLUMNS:-80}))
    builtin local prompt="${PS1@P}"
    prompt=${prompt//[$'\1\2']/}
    builtin printf '\n%s\n' "$1" >&2
    if [[ ${TERM:-dumb} == dumb ]]; then
        builtin printf '%s%s' "$prompt" "$COMP_LINE" >&2
        builtin return
    fi
    # Of a prompt of several rows readline draws the last.
    [[ $prompt != *$'\n'* ]] || builtin printf '%s\n' "${prompt%$'\n'*}" >&2
    builtin bind '"\e[0n": redraw-current-line'
    for (( ; down > 0; down--)); do builtin printf '\n' >&2; done
    builtin printf '\e[5n' >&2
}

_tmp_tab_fail() {
    [[ -z $_tmp_tab_failed ]] || builtin return 0
    _tmp_tab_failed=1
    _tmp_tab_say "tmp: $1; bash completes by itself"
}

# Becomes the default completion, keeping the one there is, and takes over what
# bash-completion has registered for commands that run others. It starts no
# process: the output of "complete -p" goes through the pipe or file that a
# here-string leaves.
_tmp_tab_install() {
    builtin local specs=''
    if builtin complete -p &>/dev/null; then
        {
            {
                builtin echo read
                builtin complete -p -D
                builtin complete -p '' 'time' command exec eval 'then' 'else' 'do' bash builtin chroot env fakeroot less \
                    ltrace nice nohup tsocks xargs awk cat cp df du grep head ln ls mkdir mv rm rmdir sed sort tail \
                    tee touch wc
            } >/dev/fd/9
            builtin read -r -N 65536 -u 9 specs # of a pipe, other reads take single bytes
        } 9<<<'' 2>/dev/null
        [[ $specs == *read$'\n'* ]] || specs=$(\builtin complete -p 2>/dev/null)
    fi 2>/dev/null
    _tmp_tab_take "$specs"
    builtin complete -D -F _tmp_tab
}

# Takes over the specifications that bash-completion has registered before they
# are needed, and remembers them. What the user has registered stays.
_tmp_tab_take() {
    builtin local - IFS=$'\n' spec
    builtin local -a names
    names=()
    builtin set -f
    for spec in $1; do
        case $spec in
            *' -F _tmp_tab '*) ;;
            *' -D') _tmp_tab_next=$spec ;;
            *' -F _longopt '* | *' -F _command '* | *' -F _root_command '* | *' -F _minimal '* | \
                *' -F _filedir_xspec '* | *' -F _known_hosts '* | *' -F _service '* | *' -F _user_at_host '* | \
                *' -F _comp_complete_'* | *' -F _comp_command '* | *' -F _comp_root_command '*)
                names+=("${spec##* }")
                _tmp_tab_was[${spec##* }]=$spec
                ;;
        esac
    done
    # A line that begins with a redirection is completed as that of "".
    ((${#names[@]} == 0)) || builtin complete -F _tmp_tab -- "${names[@]/#\'\'/}"
}

# The functions that every key calls come last, each a command of its own: they lie
# together in memory then, and less has to be copied when bash starts a program.

# Finds what the variables hold that the line names left of the cursor. No local
# may have a name that one of them can have.
_tmp_tab_held() {
    builtin local - _tmp_rest="${COMP_LINE:0:COMP_POINT}" _tmp_name _tmp_letters
    builtin set +euxb
    _tmp_letters=abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_
    while [[ $_tmp_rest == *\$* && ${#_tmp_tab_names[@]} -lt 32 ]]; do
        _tmp_rest=${_tmp_rest#*\$}
        _tmp_name=${_tmp_rest#\{}
        _tmp_name=${_tmp_name%%[!"$_tmp_letters"0123456789]*}
        [[ $_tmp_name == [$_tmp_letters]* && -n ${!_tmp_name-} && ${!_tmp_name} != *$'\37'* ]] || builtin continue
        _tmp_tab_names+=("$_tmp_name")
        _tmp_tab_values+=("${!_tmp_name}")
    done
}

# Has readline step over what stands right of the cursor where the match has it too,
# for this Tab: the next one, or the next prompt, has the user's setting again.
_tmp_tab_skip() {
    [[ $(\builtin bind -v 2>/dev/null) == *'set skip-completed-text off'* ]] || builtin return 0
    builtin bind 'set skip-completed-text on'
    _tmp_tab_skipping=1
}

_tmp_tab_unskip() {
    builtin bind 'set skip-completed-text off'
    _tmp_tab_skipping=
}

# The completion function: of bash's default and of every command that turned
# out to have a map.
_tmp_tab() {
    { _tmp_tab_either "$@"; } 9>&2 2>/dev/null
}

_tmp_tab_either() {
    builtin local _tmp_code=0 >&2
    if [[ -z ${_tmp_code-} ]]; then # see _tmp_real
        _tmp_aside
        builtin local _tmp_code=0
    fi
    _tmp_tab_names=() _tmp_tab_values=()
    [[ ${COMP_LINE-} != *\$* ]] || _tmp_tab_held
    if ! _tmp_tab_answer "$@"; then
        COMPREPLY=()
        _tmp_tab_own "$@" 2>&9 || _tmp_code=$?
    elif [[ -n $_tmp_tab_here ]]; then
        _tmp_tab_better "$@"
    fi
    [[ -z $_tmp_own ]] || _tmp_back
    builtin return "$_tmp_code"
}

_tmp_tab_answer() {
    builtin local - IFS=$'\37' bin="${TMP_TAB_BIN:-$_tmp_tab_bin}"
    builtin set +euxb -f
    if [[ -n ${BASH_COMPLETION_VERSINFO-} && -z $_tmp_tab_eager ]]; then
        _tmp_tab_eager=1
        _tmp_tab_take "$(\builtin complete -p)"
    fi
    # What CDPATH leads to is bash's to find.
    if [[ ${1-} == @(cd|pushd) && -n ${CDPATH-} ]]; then
        _tmp_tab_here=here
        builtin return 1
    fi
    _tmp_tab_ask "$@" 2>&9 || builtin return 1
    [[ -z ${1-} ]] || builtin complete -p -- "$1" &>/dev/null || builtin complete -F _tmp_tab -- "$1"
}

# Asks tmp-tab, bin, and sets COMPREPLY. Fails if the shell's own completion is to
# run.
_tmp_tab_ask() {
    [[ -x $_tmp_tab_path && $bin == "$_tmp_tab_asked" ]] || _tmp_tab_find || {
        _tmp_tab_fail "$bin is not there"
        builtin return 1
    }
    # COMP_POINT counts what the locale calls characters, as ${:} does.
    builtin local left="${COMP_LINE:0:COMP_POINT}" right="${COMP_LINE:COMP_POINT}" word="${2-}" count=${#BASH_ALIASES[@]}
    builtin local input="${left//$IFS/?}$IFS${right//$IFS/?}$IFS${word//$IFS/?}$IFS"
    ((count == 0)) || input+="${!BASH_ALIASES[*]}$IFS${BASH_ALIASES[*]}$IFS"
    builtin local -a armed
    armed=()
    [[ $_tmp_tab_armed != "$COMP_POINT $COMP_LINE" ]] || armed=(--armed)
    _tmp_tab_armed='' _tmp_tab_here=''
    if ((${#_tmp_tab_names[@]} > 0)); then
        input+="${_tmp_tab_names[*]}$IFS${_tmp_tab_values[*]}$IFS"
        armed+=(--vars "${#_tmp_tab_names[@]}")
    fi
    [[ -z $_tmp_tab_skipping ]] || _tmp_tab_unskip
    IFS=$'\n'
    # One processor: the others would each cost the program a thread and memory.
    # shellcheck disable=SC2207 # rows are lines; mapfile from a process is fifty times slower
    COMPREPLY=($(GOMAXPROCS=1 "$_tmp_tab_path" --wire 1 --shell bash --split --aliases "$count" --type "${COMP_TYPE:-9}" \
        --columns "${COLUMNS:-80}" --rows "${LINES:-0}" --cwd "$PWD" "${armed[@]}" <<<"$input" 2>/dev/null))
    builtin local status=$? answer="${COMPREPLY[0]-}"
    case $answer in
        ok*)
            COMPREPLY=("${COMPREPLY[@]:1}")
            builtin compopt -o nosort 2>/dev/null
            [[ ${answer%% note *} != *nospace* ]] || builtin compopt -o nospace
            [[ ${answer%% note *} != *skip* ]] || _tmp_tab_skip
            [[ ${answer%% note *} != *partial* ]] || _tmp_tab_here=partial
            if [[ $answer == *' note '* && $_tmp_tab_noted != "${answer#* note }" ]]; then
                _tmp_tab_noted=${answer#* note }
                _tmp_tab_say "tmp: $_tmp_tab_noted"
            fi
            ;;
        none) COMPREPLY=() ;;
        say\ * | hold\ *)
            COMPREPLY=()
            [[ $answer != hold* ]] || _tmp_tab_armed="$COMP_POINT $COMP_LINE"
            _tmp_tab_say "${answer#* }"
            ;;
        own)
            _tmp_tab_here=${COMPREPLY[1]-}
            builtin return 1
            ;;
        *)
            _tmp_tab_fail "$bin failed (status $status)"
            builtin return 1
            ;;
    esac
}

# Before a prompt: if bash-completion has been loaded since, it has become the
# default, and is to be the one after ours.
_tmp_tab_prompt() {
    [[ -z ${_tmp_tab_skipping-} ]] || _tmp_tab_unskip
    [[ ${BASH_COMPLETION_VERSINFO-} == "$_tmp_tab_library" ]] || {
        _tmp_real || _tmp_aside
        builtin local -
        builtin set +euxb -h
        _tmp_tab_library=${BASH_COMPLETION_VERSINFO-}
        _tmp_tab_install
        [[ -z $_tmp_own ]] || _tmp_back
    }
}

if [[ -n $_tmp_tab_load ]]; then

_tmp_tab_loaded=1
TMP_HOOK="bash 1 $$" # for tmp doctor
# shellcheck disable=SC2034 # exported
builtin export TMP_HOOK
_tmp_tab_bin=tmp-tab
_tmp_tab_asked='' _tmp_tab_path='' # the program that was asked last, and its path
_tmp_tab_next=    # the specification of the default (complete -D) before ours
_tmp_tab_armed=   # where the last Tab held a risky match back
_tmp_tab_library=${BASH_COMPLETION_VERSINFO-} # the version that was there then
_tmp_tab_eager=   # set once all that bash-completion registers at its start is taken over
_tmp_tab_failed=  # set once a failure has been shown
_tmp_tab_noted=   # the last note that has been shown
_tmp_tab_skipping= # set while readline steps over text for us
_tmp_tab_names=() _tmp_tab_values=() # the variables that the line names
_tmp_tab_here=    # set if there is a map for the command, and bash's own answers this Tab
builtin declare -gA _tmp_tab_was # command → its specification before ours
_tmp_tab_was=()

if [[ ${BASH_SOURCE[0]-} == */share/tmp/hook.bash && -x ${BASH_SOURCE[0]%/share/tmp/hook.bash}/bin/tmp-tab ]]; then
    _tmp_tab_bin=${BASH_SOURCE[0]%/share/tmp/hook.bash}/bin/tmp-tab
fi

_tmp_tab_install || builtin :
# At the end, where $? is not needed any more. To an array this adds to the first.
# shellcheck disable=SC2178,SC2128
PROMPT_COMMAND=${PROMPT_COMMAND:+$PROMPT_COMMAND$'\n'}'{ ((${_tmp_tab_loaded:+1}+0)) && _tmp_tab_prompt; } 2>/dev/null'

fi
