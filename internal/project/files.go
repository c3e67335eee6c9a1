package project

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
)

// Files is all that is seen of the world: what a name is, what a directory holds,
// what a file says. Paths are absolute. Nothing is run, written or waited for.
type Files interface {
	// Stat is what a name is, through symbolic links; false if there is nothing.
	Stat(path string) (Info, bool)
	// List names what is in a directory, in order, at most limit entries.
	List(dir string, limit int) ([]Entry, error)
	// Open gives the bytes of a regular file of at most limit bytes. A longer one
	// is ErrTooLarge, what is no regular file ErrNotRegular.
	Open(path string, limit int64) ([]byte, error)
}

// Info is what a name stands for.
type Info struct {
	Dir, Regular bool
	Exec         bool // a regular file that may be run
	Size         int64
	Owner        uint32
	Stamp        Stamp
	// Real is where the name leads if it is a symbolic link, else "".
	Real string
}

// Stamp changes whenever a file does: device, inode, size and both times.
type Stamp struct {
	Dev, Ino     uint64
	Size         int64
	Mtime, Ctime int64 // nanoseconds
}

// Entry is a name in a directory.
type Entry struct {
	Name string
	Dir  bool
	Link bool // a symbolic link, to whatever
}

var (
	// ErrTooLarge says that a file is longer than anything a person writes there.
	ErrTooLarge = errors.New("is too large to be read")
	// ErrNotRegular says that a name is no file to be read: a FIFO, a device.
	ErrNotRegular = errors.New("is no regular file")
)

// Disk are the files of this machine.
type Disk struct{}

// Stat is stat(2), and lstat(2) where the name is a link.
func (Disk) Stat(path string) (Info, bool) {
	st, err := disk.Lstat(path)
	if err != nil {
		return Info{}, false
	}
	in := Info{}
	if st.Mode&syscall.S_IFMT == syscall.S_IFLNK {
		if in.Real, err = filepath.EvalSymlinks(path); err != nil {
			return Info{}, false
		}
		var ok bool
		if st, ok = disk.Stat(path); !ok {
			return Info{}, false
		}
	}
	mtime, ctime := disk.Times(&st)
	in.Dir, in.Regular = st.Mode&syscall.S_IFMT == syscall.S_IFDIR, st.Mode&syscall.S_IFMT == syscall.S_IFREG
	in.Exec = in.Regular && st.Mode&0o111 != 0
	in.Size, in.Owner = st.Size, st.Uid
	in.Stamp = Stamp{
		Dev: uint64(st.Dev), Ino: st.Ino, Size: st.Size, //nolint:unconvert // not the same type on every system
		Mtime: mtime[0]*1e9 + mtime[1], Ctime: ctime[0]*1e9 + ctime[1],
	}
	return in, true
}

// List reads a directory.
func (Disk) List(dir string, limit int) ([]Entry, error) {
	var out []Entry
	err := disk.ReadDir(dir, func(name []byte, typ disk.Type) bool {
		if len(out) >= limit {
			return false
		}
		out = append(out, Entry{string(name), typ == disk.Directory, typ == disk.Link})
		return true
	})
	slices.SortFunc(out, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
	return out, err
}

// Open reads a file; one that is no regular file is not waited for.
func (Disk) Open(path string, limit int64) ([]byte, error) {
	data, err := disk.ReadRegular(path, limit)
	switch {
	case errors.Is(err, disk.ErrTooLarge):
		return nil, ErrTooLarge
	case err != nil:
		if st, ok := disk.Stat(path); ok && st.Mode&syscall.S_IFMT != syscall.S_IFREG {
			return nil, ErrNotRegular
		}
		var p *os.PathError
		if errors.As(err, &p) {
			err = p.Err
		}
	}
	return data, err
}
