//go:build !linux

package quarantine

import (
	"io/fs"

	"golang.org/x/sys/unix"
)

func rename(from, to string) error { return renamePlain(from, to) }

// mountPoints is not known here: only the home trash is listed.
func mountPoints() []string { return nil }

func device(path string) (uint64, error) {
	var st unix.Stat_t
	if err := unix.Lstat(path, &st); err != nil {
		return 0, &fs.PathError{Op: "lstat", Path: path, Err: err}
	}
	return uint64(st.Dev), nil
}
