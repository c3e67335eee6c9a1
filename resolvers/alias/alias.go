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
	for i := range readers {
		if readers[i].tool == tool {
			return readers[i].read(dir, getenv, name)
		}
	}
	return "", false
}

var readers = [...]struct {
	tool string
	read func(dir string, getenv func(string) string, name string) (text string, ok bool)
}{
	{"git", git.GitAlias},
	{"cargo", cargo.CargoAlias},
}
