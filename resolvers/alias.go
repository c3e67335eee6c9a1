package resolvers

// Alias returns what a name stands for that the configuration of git or cargo
// defines, as GitAlias and CargoAlias do; other tools have none.
func Alias(dir string, getenv func(string) string, tool, name string) (text string, ok bool) {
	switch tool {
	case "git":
		return GitAlias(dir, getenv, name)
	case "cargo":
		return CargoAlias(dir, getenv, name)
	}
	return "", false
}
