# The hooks of tmp for zsh.
#
# Every name in them may be an alias or a function of the user's own. So aliases
# are off while they are read and run, builtins are called by "builtin", programs
# by their path. zsh reads all of what eval gets before it runs the first of it:
# hence the quotes around the rest. A function named builtin is disabled
# meanwhile, by assignments, which nothing stands before. Where set -x would show
# what is ours, standard error is kept in descriptor 9.
_tmp_file=${(%):-%x} _tmp_aliases=$options[aliases] _tmp_builtin=${functions[builtin]-}
(( ! $#_tmp_builtin )) || dis_functions[builtin]=$_tmp_builtin
\builtin \setopt \no_aliases

# Runs a command of ours.
\builtin \eval '_tmp_guard() {
    local _tmp_builtin=${functions[builtin]-}
    [[ -z $_tmp_builtin ]] || dis_functions[builtin]=$_tmp_builtin
    { "$@" } always { [[ -z $_tmp_builtin ]] || functions[builtin]=$_tmp_builtin }
}'

# Reads the text in the parameter $1, once.
\builtin \eval '_tmp_later() {
    builtin emulate -L zsh -o no_aliases -o no_xtrace
    local text=${(P)1-}
    [[ -n $text ]] || builtin return 1
    builtin unset $1
    builtin eval "$text"
}'
