package resolvers

import (
	"errors"
	"io/fs"
	"syscall"
)

// The readers below call the system directly: os.Open asks the poller about
// every file and arms a cleanup for it, which on the way of a Tab costs more
// than the read itself.

// errTooLarge says that a file is longer than anything git writes there.
var errTooLarge = errors.New("file is too large")

// openRead opens a file for reading and never waits: a FIFO that somebody put
// in the place of a file opens at once and reads as empty.
func openRead(path string) (int, error) {
	for {
		fd, err := syscall.Open(path, syscall.O_RDONLY|syscall.O_CLOEXEC|syscall.O_NONBLOCK|syscall.O_NOCTTY, 0)
		if err == nil {
			return fd, nil
		}
		if err != syscall.EINTR {
			return -1, &fs.PathError{Op: "open", Path: path, Err: err}
		}
	}
}

// closeFile closes a descriptor of openRead; nothing was written, so no error
// can matter.
func closeFile(fd int) { _ = syscall.Close(fd) }

// readAt fills buf from offset as far as the file goes.
func readAt(fd int, buf []byte, offset int64) (int, error) {
	n := 0
	for n < len(buf) {
		m, err := syscall.Pread(fd, buf[n:], offset+int64(n))
		if err == syscall.EINTR {
			continue
		}
		if err != nil {
			return n, err
		}
		if m <= 0 {
			break
		}
		n += m
	}
	return n, nil
}

// readStart fills buf with the first bytes of a file.
func readStart(path string, buf []byte) (int, error) {
	fd, err := openRead(path)
	if err != nil {
		return 0, err
	}
	defer closeFile(fd)
	return readAt(fd, buf, 0)
}

// readRegular reads a whole regular file of at most limit bytes.
func readRegular(path string, limit int64) ([]byte, error) {
	fd, err := openRead(path)
	if err != nil {
		return nil, err
	}
	defer closeFile(fd)
	var st syscall.Stat_t
	if err := syscall.Fstat(fd, &st); err != nil {
		return nil, &fs.PathError{Op: "stat", Path: path, Err: err}
	}
	if st.Mode&syscall.S_IFMT != syscall.S_IFREG {
		return nil, &fs.PathError{Op: "read", Path: path, Err: fs.ErrInvalid}
	}
	if st.Size > limit {
		return nil, &fs.PathError{Op: "read", Path: path, Err: errTooLarge}
	}
	buf := make([]byte, st.Size)
	n, err := readAt(fd, buf, 0)
	if err != nil {
		return nil, &fs.PathError{Op: "read", Path: path, Err: err}
	}
	return buf[:n], nil
}

// statFile is stat(2); ok is false when there is nothing to see.
func statFile(path string) (st syscall.Stat_t, ok bool) {
	for {
		err := syscall.Stat(path, &st)
		if err != syscall.EINTR {
			return st, err == nil
		}
	}
}

// lstatFile is lstat(2).
func lstatFile(path string) (st syscall.Stat_t, err error) {
	for {
		err = syscall.Lstat(path, &st)
		if err != syscall.EINTR {
			return st, err
		}
	}
}

func isDir(path string) bool {
	st, ok := statFile(path)
	return ok && st.Mode&syscall.S_IFMT == syscall.S_IFDIR
}

// entryType is what a directory says of an entry.
type entryType uint8

const (
	entryOther entryType = iota // FIFO, socket, device
	entryFile
	entryDir
	entryLink
)

// typeOfMode gives the entry type of a stat mode.
func typeOfMode(mode uint32) entryType {
	switch mode & syscall.S_IFMT {
	case syscall.S_IFREG:
		return entryFile
	case syscall.S_IFDIR:
		return entryDir
	case syscall.S_IFLNK:
		return entryLink
	}
	return entryOther
}
