package sql

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/resolvers"
)

var errNotOwn = errors.New("not a file of yours alone")

// readOwn reads a configuration file that says where to connect: a regular file
// of the user or of root, that nobody else may write (nobody else may read, with
// secret). stamp changes when the file does.
func readOwn(path string, secret bool) (data []byte, stamp string, err error) {
	st, ok := disk.Stat(path)
	if !ok {
		return nil, "", &fs.PathError{Op: "read", Path: path, Err: fs.ErrNotExist}
	}
	denied := uint32(0o022)
	if secret {
		denied = 0o077
	}
	if st.Mode&syscall.S_IFMT != syscall.S_IFREG || st.Uid != 0 && int(st.Uid) != os.Geteuid() || uint32(st.Mode)&denied != 0 {
		return nil, "", &fs.PathError{Op: "read", Path: path, Err: errNotOwn}
	}
	data, err = disk.ReadRegular(path, disk.MaxTable)
	return data, resolvers.StampOf(&st), err
}

// ownPlace reports whether a path that the environment or the line names is one
// where the user's own configuration is: below a hidden directory of the home, or
// a hidden file in it. A clone of a stranger's project makes no such place, and
// the project at hand may be one.
func ownPlace(r resolvers.Request, path string) bool {
	home := r.Env("HOME")
	if !filepath.IsAbs(home) || home == "/" || !filepath.IsAbs(path) {
		return false
	}
	path = filepath.Clean(path)
	rel, err := filepath.Rel(home, path)
	if err != nil || rel == "" || rel[0] != '.' || len(rel) > 1 && rel[1] == '.' {
		return false
	}
	return !resolvers.InProject(resolvers.ProjectRoot(r), path)
}
