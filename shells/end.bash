
# What stands after the hooks of tmp for bash.
[[ -z $_tmp_aliases ]] || builtin shopt -s expand_aliases
# shellcheck disable=SC2154 # begin.bash sets it
((${#_tmp_own} == 0)) || _tmp_back
