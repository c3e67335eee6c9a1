// Package alias knows the short names that the configuration of git and cargo
// defines.
package alias

import (
	"github.com/tool-mapping-protocol/tmp/resolvers/cargo"
	"github.com/tool-mapping-protocol/tmp/resolvers/git"
)

// Of returns what a name stands for that the configuration of git or cargo
// defines, as GitAlias and CargoAlias do; other tools have none.
func Of(dir string, getenv func(string) string, tool, name string) (text string, ok bool) {
	switch tool {
	case "git":
		return git.GitAlias(dir, getenv, name)
	case "cargo":
		return cargo.CargoAlias(dir, getenv, name)
	}
	return "", false
}
