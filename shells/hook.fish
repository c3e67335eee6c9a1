# tmp: completion for fish, to come.
