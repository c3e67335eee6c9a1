# tmp: completion for zsh, to come.
