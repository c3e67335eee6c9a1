package quarantine

import (
	"io/fs"
	"os"
)

// renamePlain looks before it moves: the system here cannot do both in one step.
func renamePlain(from, to string) error {
	if _, err := os.Lstat(to); err == nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: fs.ErrExist}
	}
	return os.Rename(from, to)
}
