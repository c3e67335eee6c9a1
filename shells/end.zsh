
\builtin \unset _tmp_tab_code _tmp_enter_code
\builtin \setopt ${${_tmp_aliases/on/aliases}/off/no_aliases}
(( ! $#_tmp_builtin )) || functions[builtin]=$_tmp_builtin
