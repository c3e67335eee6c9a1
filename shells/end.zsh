
\builtin \setopt ${${_tmp_aliases/on/aliases}/off/no_aliases}
(( ! $#_tmp_builtin )) || functions[builtin]=$_tmp_builtin
