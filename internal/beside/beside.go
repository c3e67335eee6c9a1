// Package beside finds programs of ours: next to the one that runs, which is of the
// same build, else on PATH.
package beside

import (
	"io/fs"
	"os"
	"path/filepath"
)

// Find returns the path of a program; path is a PATH, of which only absolute entries
// count: the working directory does not choose programs.
func Find(name, path string) (string, error) {
	if self, err := os.Executable(); err == nil {
		if file := filepath.Join(filepath.Dir(self), name); runs(file) {
			return file, nil
		}
	}
	for _, dir := range filepath.SplitList(path) {
		if file := filepath.Join(dir, name); filepath.IsAbs(dir) && runs(file) {
			return file, nil
		}
	}
	return "", &fs.PathError{Op: "run", Path: name, Err: fs.ErrNotExist}
}

func runs(file string) bool {
	st, err := os.Stat(file)
	return err == nil && st.Mode().IsRegular() && st.Mode()&0o111 != 0
}
