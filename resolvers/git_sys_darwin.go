package resolvers

import (
	"os"
	"syscall"
)

// readDir calls visit for every entry of a directory but "." and "..". It
// stops when visit returns false.
func readDir(path string, visit func(name []byte, typ entryType) bool) error {
	d, err := os.OpenFile(path, os.O_RDONLY|syscall.O_DIRECTORY, 0) // a FIFO would hang
	if err != nil {
		return err
	}
	defer d.Close()
	for {
		entries, err := d.ReadDir(512)
		for _, e := range entries {
			typ := entryOther
			switch {
			case e.Type().IsRegular():
				typ = entryFile
			case e.IsDir():
				typ = entryDir
			case e.Type()&os.ModeSymlink != 0:
				typ = entryLink
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

// statTimes gives modification and change time in seconds and nanoseconds.
func statTimes(st *syscall.Stat_t) (mtime, ctime [2]int64) {
	return [2]int64{st.Mtimespec.Sec, st.Mtimespec.Nsec}, [2]int64{st.Ctimespec.Sec, st.Ctimespec.Nsec}
}

// workDir is a directory of a work tree, whose entries are looked up by path.
type workDir struct {
	path string // absolute, with a slash at its end
}

// openWorkDir looks for a directory; parent is nil for the root of a tree. A
// symbolic link below the root is no directory.
func openWorkDir(parent *workDir, name, path string, list bool) (d workDir, err error) {
	d = workDir{path}
	st, err := lstatFile(path[:len(path)-1])
	switch {
	case err != nil:
		return d, err
	case parent == nil && !isDir(path), parent != nil && typeOfMode(uint32(st.Mode)) != entryDir:
		return d, syscall.ENOTDIR
	}
	return d, nil
}

func (d *workDir) close() {}

// list calls visit for every entry, as readDir.
func (d *workDir) list(_ *[]byte, visit func(name []byte, typ entryType) bool) error {
	return readDir(d.path, visit)
}

// lstat is lstat(2) of an entry; name ends in a zero byte.
func (d *workDir) lstat(name []byte, st *syscall.Stat_t) (err error) {
	*st, err = lstatFile(d.path + string(name[:len(name)-1]))
	return err
}
