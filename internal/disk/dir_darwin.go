package disk

import (
	"os"
	"syscall"
)

// ReadDir calls visit for every entry of a directory but "." and "..". It
// stops when visit returns false.
func ReadDir(path string, visit func(name []byte, typ Type) bool) error {
	d, err := os.OpenFile(path, os.O_RDONLY|syscall.O_DIRECTORY, 0) // a FIFO would hang
	if err != nil {
		return err
	}
	defer d.Close()
	for {
		entries, err := d.ReadDir(512)
		for _, e := range entries {
			typ := Other
			switch {
			case e.Type().IsRegular():
				typ = File
			case e.IsDir():
				typ = Directory
			case e.Type()&os.ModeSymlink != 0:
				typ = Link
			}
			if !visit([]byte(e.Name()), typ) {
				return nil
			}
		}
		if len(entries) == 0 || err != nil {
			return nil
		}
	}
}

// Times gives modification and change time in seconds and nanoseconds.
func Times(st *syscall.Stat_t) (mtime, ctime [2]int64) {
	return [2]int64{st.Mtimespec.Sec, st.Mtimespec.Nsec}, [2]int64{st.Ctimespec.Sec, st.Ctimespec.Nsec}
}

// Dir is a directory of a work tree, whose entries are looked up by path.
type Dir struct {
	path string // absolute, with a slash at its end
}

// OpenDir looks for a directory; parent is nil for the root of a tree. A
// symbolic link below the root is no directory.
func OpenDir(parent *Dir, name, path string, list bool) (d Dir, err error) {
	d = Dir{path}
	st, err := Lstat(path[:len(path)-1])
	switch {
	case err != nil:
		return d, err
	case parent == nil && !IsDir(path), parent != nil && TypeOf(uint32(st.Mode)) != Directory:
		return d, syscall.ENOTDIR
	}
	return d, nil
}

func (d *Dir) Close() {}

// List calls visit for every entry, as ReadDir.
func (d *Dir) List(_ *[]byte, visit func(name []byte, typ Type) bool) error {
	return ReadDir(d.path, visit)
}

// Lstat is lstat(2) of an entry; name ends in a zero byte.
func (d *Dir) Lstat(name []byte, st *syscall.Stat_t) (err error) {
	*st, err = Lstat(d.path + string(name[:len(name)-1]))
	return err
}

// LstatHeld is Lstat; elsewhere it holds its processor meanwhile.
func (d *Dir) LstatHeld(name []byte, st *syscall.Stat_t) error { return d.Lstat(name, st) }
