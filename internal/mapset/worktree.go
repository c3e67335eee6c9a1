package mapset

import (
	"path/filepath"

	"github.com/tool-mapping-protocol/tmp/internal/place"
)

// WorkTree returns the root of the working tree that dir is in: the nearest
// directory upwards that holds .git or .tmp; "" if there is none, or if it is
// the home directory, whose programs are the user's own.
func WorkTree(p place.Paths, dir string) string {
	for dir = filepath.Clean(dir); filepath.IsAbs(dir); dir = filepath.Dir(dir) {
		if dir == p.Home || dir == filepath.Dir(dir) {
			return ""
		}
		if exists(filepath.Join(dir, ".git")) || exists(filepath.Join(dir, ".tmp")) {
			return dir
		}
	}
	return ""
}
