# shellcheck shell=bash
# What stands before the hooks of tmp for bash; end.bash stands after them.
#
# Every name in them may be an alias or a function of the user's own. So aliases
# are off while they are read, builtins are called by "builtin", programs by
# their path; "\builtin" stands where bash reads again what it runs, as in $( ).
# Where set -x would show what is ours, standard error is kept in descriptor 9.

# Succeeds if builtin is the shell's: the variables of a function are its own.
_tmp_real() {
    \builtin local _tmp_mine=1 >&2
    ((${_tmp_mine-0}))
}

# Takes a function named builtin away. In posix mode unset is found before
# functions, as nothing else here is.
_tmp_aside() {
    _tmp_options=$BASHOPTS _tmp_posix=${POSIXLY_CORRECT+set} POSIXLY_CORRECT=1
    _tmp_own=$(\unset -f declare; \declare -f builtin)
    \unset -f builtin
    ((${#_tmp_posix})) || \unset POSIXLY_CORRECT
}

_tmp_own=
_tmp_real 2>/dev/null || _tmp_aside
_tmp_aliases=
\builtin shopt -q expand_aliases && _tmp_aliases=1
\builtin shopt -u expand_aliases

# Puts back what _tmp_aside took away, and the options that posix mode changes.
_tmp_back() {
    builtin local on=''
    [[ :$_tmp_options: == *:inherit_errexit:* ]] || builtin shopt -u inherit_errexit
    [[ :$_tmp_options: != *:expand_aliases:* ]] || on='builtin shopt -s expand_aliases'
    builtin shopt -u expand_aliases
    # Read as one command, before the first of it runs.
    builtin eval "{ $on"$'\n'"$_tmp_own"$'\n}'
    _tmp_own=
}

