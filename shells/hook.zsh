# Completion of tmp for zsh 5.8 and later.
#
# Source this file from ~/.zshrc, before or after compinit or without it. It
# asks nothing when the shell starts. On a Tab it starts tmp-tab once; for a
# command without a map, and if tmp-tab is missing or fails, the completion
# that zsh had before runs, untouched.
#
#   TMP_TAB_BIN   the tmp-tab to start; by default the one installed with this
#                 file, else the one found on PATH

if [[ -o interactive && -z ${_tmp_tab_loaded-} ]]; then

typeset -g _tmp_tab_loaded=1
export TMP_HOOK="zsh 1 $$" # for tmp doctor
typeset -g _tmp_tab_bin=tmp-tab
typeset -g _tmp_tab_asked='' _tmp_tab_path='' # the program that was asked last, and its path
typeset -g _tmp_tab_armed='' # where the last Tab held a risky match back
typeset -g _tmp_tab_own=''   # where zsh's own completion is to run, and when that was found
typeset -g _tmp_tab_failed='' # set once a failure has been shown
typeset -g _tmp_tab_noted=''  # the last note that has been shown
typeset -g _tmp_tab_later=$_tmp_tab_code # what is read on the first key

if [[ ${_tmp_file-} == */share/tmp/hook.zsh && -x ${_tmp_file%/share/tmp/hook.zsh}/bin/tmp-tab ]]; then
    _tmp_tab_bin=${_tmp_file%/share/tmp/hook.zsh}/bin/tmp-tab
fi

# Adds the matches for the command line. Fails if zsh's own completion is to run.
_tmp_tab() {
    { if (( $+functions[builtin] )); then _tmp_guard _tmp_tab_answer; else _tmp_tab_answer; fi } 2>/dev/null
}

# Reads what is in its place then.
_tmp_tab_answer() { _tmp_later _tmp_tab_later && _tmp_tab_answer }

# Read on the first key:

_tmp_tab_answer() {
    builtin emulate -L zsh -o no_aliases -o no_xtrace
    builtin setopt extendedglob
    [[ ${compstate[context]} == command && -z ${compstate[vared]} ]] || builtin return 1
    _tmp_tab_user && builtin return 1
    # What cdpath leads to is zsh's to find.
    (( ! $#cdpath )) || [[ "${words[1,2]}" != (|builtin |command )(cd|chdir|pushd)(| *) ]] || builtin return 1

    # What the variables hold that the line names. No other local may have the name
    # of one yet.
    local -a _tmp_names _tmp_values
    if [[ $LBUFFER == *\$* ]]; then
        local _tmp_rest=$LBUFFER _tmp_name
        while [[ $_tmp_rest == *\$* && $#_tmp_names -lt 32 ]]; do
            _tmp_rest=${_tmp_rest#*\$}
            _tmp_name=${${_tmp_rest#\{}%%[^A-Za-z0-9_]*}
            [[ $_tmp_name == [A-Za-z_]* && ${parameters[$_tmp_name]} == (scalar|integer)* && ${(P)_tmp_name} != *$'\0'* ]] || builtin continue
            _tmp_names+=("$_tmp_name")
            _tmp_values+=("${(P)_tmp_name}")
        done
    fi

    # A widget sees the line without the quotes around the word; they are in
    # QIPREFIX and QISUFFIX.
    # Without complete_in_word zsh completes the whole word, wherever in it the
    # cursor stands.
    # Where a quote opens inside the word (--file="a b) PREFIX has backslashes
    # in place of it, and the line nothing.
    local left=$LBUFFER right=$RBUFFER word=$PREFIX bare=${(Q)PREFIX}
    while [[ $left != *"$word" && $left != *"$bare" ]]; do
        [[ -n $right ]] || builtin return 1
        left+=$right[1]
        right=${right[2,-1]}
    done
    [[ $left == *"$word" ]] || left=${left%"$bare"}$word
    left=$PREBUFFER${left%"$word"}$QIPREFIX$word
    right=$SUFFIX$QISUFFIX${right#"$SUFFIX"}

    # zsh asks for the command, for its path and for others in turn.
    local place="$left"$'\0'"$right" z=$'\0'
    [[ $_tmp_tab_own != "$place"$'\0'${SECONDS%.*} ]] || builtin return 1

    local bin=${TMP_TAB_BIN:-$_tmp_tab_bin} answer armed=''
    if [[ $bin != "$_tmp_tab_asked" || ! -x $_tmp_tab_path ]]; then
        _tmp_tab_asked=$bin _tmp_tab_path=${commands[$bin]-$bin}
        [[ -x $_tmp_tab_path ]] || {
            _tmp_tab_fail "$bin is not there"
            builtin return 1
        }
    fi
    local -a vars
    [[ $_tmp_tab_armed != "$place" ]] || armed=--armed
    _tmp_tab_armed=
    local records="$left$z$right$z$word$z"
    (( ! $#aliases )) || records+="${(pj:\0:)${(@k)aliases}}$z${(pj:\0:)${(@v)aliases}}$z"
    if (( $#_tmp_names )); then
        records+="${(pj:\0:)_tmp_names}$z${(pj:\0:)_tmp_values}$z"
        vars=(--vars $#_tmp_names)
    fi
    # One processor: the others would each cost the program a thread and memory.
    answer=$(GOMAXPROCS=1 "$_tmp_tab_path" --wire 1 --shell zsh --aliases $#aliases --columns $COLUMNS --cwd "$PWD" $armed $vars \
        2>/dev/null <<<"$records")
    local code=$?
    local -a rows
    rows=("${(@ps:\n:)answer}")
    # Of what is known not to be all zsh's own completion of the command has more.
    [[ ${rows[1]%% note *} != *partial* || -z ${_comps[${words[1]:t}]-} ]] || rows[1]=own
    case $rows[1] in
        (ok*) _tmp_tab_add "$place" ;;
        (none) ;;
        (say\ *) builtin compadd -x "${${rows[1]#say }//\%/%%}" ;;
        (own)
            _tmp_tab_own="$place"$'\0'${SECONDS%.*}
            comppostfuncs+=(_tmp_tab_over)
            builtin return 1
            ;;
        (*)
            _tmp_tab_fail "$bin failed (status $code)"
            builtin return 1
            ;;
    esac
    _compskip=all
    builtin return 0
}

# After a completion: a Tab at the same place is another, of which the second of the
# clock says nothing, since each completion of compinit has a clock of its own.
_tmp_tab_over() { _tmp_tab_own='' }

# Adds the matches of an answer: its head, its message, the lengths of its
# runs, the texts, the lines of the list.
_tmp_tab_add() {
    local head=${rows[1]%% note *} message=$rows[2] run
    local -a runs values lines layout suffix add
    add=(builtin compadd)
    # That of fzf-tab is to get what there is, and shows it.
    [[ ${functions[compadd]-} != *_ftb_* ]] || add=(compadd)
    # Ask before a list only if it does not fit the screen.
    compstate[list_max]=0
    runs=(${=rows[3]})
    integer n=0 i=4 count=$(( ($#rows - 3) / 2 ))
    if [[ $rows[1] == *' note '* && $_tmp_tab_noted != ${rows[1]#* note } ]]; then
        _tmp_tab_noted=${rows[1]#* note }
        if (( count == 1 )); then # there will be no list
            builtin zle -M "tmp: $_tmp_tab_noted"
        else
            message+="${message:+; }tmp: $_tmp_tab_noted"
        fi
    fi
    [[ -z $message ]] || $add -x "${message//\%/%%}"
    [[ $head != *notes* ]] || layout=(-l)
    for run in $runs; do
        n=${run%-}
        suffix=()
        [[ $run != *- ]] || suffix=(-S '')
        values=("${(@)rows[i,i+n-1]}")
        lines=("${(@)rows[i+count,i+count+n-1]}")
        $add -U -Q -V tmp "${(@)suffix}" $layout -d lines -a values
        i+=n
    done
    case $head in
        (*hold*)
            _tmp_tab_armed=$1
            compstate[insert]='' compstate[list]='list force'
            ;;
        (*stuck*)
            [[ ${compstate[insert]} != *unambiguous* ]] || compstate[insert]='' compstate[list]='list force'
            ;;
    esac
}

# Whether the user has given the command a completion of their own: a function
# that was not loaded from the file of its name on fpath.
_tmp_tab_user() {
    local own=${_comps[${words[1]-}]-}
    [[ -n $own && -n ${functions[$own]-} && ${functions[$own]} != 'builtin autoload'* ]] || builtin return 1
    [[ ${functions_source[$own]:t} != $own ]]
}

_tmp_tab_fail() {
    [[ -z $_tmp_tab_failed ]] || builtin return 0
    _tmp_tab_failed=1
    builtin zle -M "tmp: $1; zsh completes by itself"
}

# Read at the start:

# The completion widget of a zsh without compinit.
_tmp_tab_widget() {
    local _compskip
    _tmp_tab || _tmp_guard _tmp_tab_default
}

_tmp_tab_default() { builtin compcall -TD }

# Stands for such a widget until it is used: its modules take a while to load.
_tmp_tab_lazy() {
    _tmp_guard _tmp_tab_load
}

_tmp_tab_load() {
    builtin emulate -L zsh -o no_aliases -o no_xtrace
    builtin zmodload zsh/complete zsh/compctl
    local widget
    for widget in $_tmp_tab_widgets; do
        builtin zle -C $widget .$widget _tmp_tab_widget
    done
    builtin zle $WIDGET
}

# Once, before the first prompt: by then the user's compinit has run, or there
# is none.
_tmp_tab_install() {
    { _tmp_guard _tmp_tab_register } 2>/dev/null
}

_tmp_tab_register() {
    builtin emulate -L zsh -o no_aliases -o no_xtrace
    precmd_functions=(${precmd_functions:#_tmp_tab_install})
    if builtin typeset -f compdef >/dev/null; then
        compdef -p _tmp_tab '*'
        builtin return
    fi
    typeset -ga _tmp_tab_widgets
    _tmp_tab_widgets=(complete-word expand-or-complete expand-or-complete-prefix list-choices
        menu-complete menu-expand-or-complete reverse-menu-complete delete-char-or-list)
    local widget
    for widget in $_tmp_tab_widgets; do
        builtin zle -l $widget || builtin zle -N $widget _tmp_tab_lazy
    done
}
typeset -ga precmd_functions
precmd_functions+=(_tmp_tab_install)

fi
