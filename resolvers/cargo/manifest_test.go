package cargo

import (
	"testing"

	"github.com/tool-mapping-protocol/tmp/resolvers/resolvertest"
)

func TestManifestOfTheWrongKind(t *testing.T) {
	for text, want := range map[string]string{
		"package = 1":                           "package: want a table",
		"[package]\nname = 1":                   "package.name: want a string",
		"[[bin]]\nname = []":                    "bin.name: want a string",
		"bin = [1]":                             "bin: want an array of tables",
		"[features]\na = 'x'":                   "features.a: want an array of strings",
		"[workspace]\nmembers = [1]":            "workspace.members: want an array of strings",
		"[package]\nname = 'x'\nautobins = 'x'": "package.autobins: want true or false",
	} {
		root := resolvertest.Tree(t, map[string]string{"Cargo.toml": text})
		_, err := readCargo(root + "/Cargo.toml")
		if err == nil || err.Error() != root+"/Cargo.toml: "+want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
