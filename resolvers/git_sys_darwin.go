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
