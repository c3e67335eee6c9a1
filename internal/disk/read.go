// Package disk reads files and directories with as few system calls as it takes:
// what a press of Tab waits for. It never waits for a FIFO, and every read has a
// bound.
package disk

import (
	"errors"
	"io/fs"
	"syscall"
	"unsafe"
)

// The readers below call the system directly: os.Open asks the poller about
// every file and arms a cleanup for it, which on the way of a Tab costs more
// than the read itself.

// ErrTooLarge says that a file is longer than anything git writes there.
var ErrTooLarge = errors.New("file is too large")

// Open opens a file for reading and never waits: a FIFO that somebody put
// in the place of a file opens at once and reads as empty.
func Open(path string) (int, error) {
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

// Close closes a descriptor of Open; nothing was written, so no error
// can matter.
func Close(fd int) { _ = syscall.Close(fd) }

// ReadAt fills buf from offset as far as the file goes.
func ReadAt(fd int, buf []byte, offset int64) (int, error) {
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

// ReadStart fills buf with the first bytes of a file.
func ReadStart(path string, buf []byte) (int, error) {
	fd, err := Open(path)
	if err != nil {
		return 0, err
	}
	defer Close(fd)
	return ReadAt(fd, buf, 0)
}

// ReadRegular reads a whole regular file of at most limit bytes.
func ReadRegular(path string, limit int64) ([]byte, error) {
	fd, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer Close(fd)
	var st syscall.Stat_t
	if err := syscall.Fstat(fd, &st); err != nil {
		return nil, &fs.PathError{Op: "stat", Path: path, Err: err}
	}
	if st.Mode&syscall.S_IFMT != syscall.S_IFREG {
		return nil, &fs.PathError{Op: "read", Path: path, Err: fs.ErrInvalid}
	}
	if st.Size > limit {
		return nil, &fs.PathError{Op: "read", Path: path, Err: ErrTooLarge}
	}
	buf := make([]byte, st.Size)
	n, err := ReadAt(fd, buf, 0)
	if err != nil {
		return nil, &fs.PathError{Op: "read", Path: path, Err: err}
	}
	return buf[:n], nil
}

// Stat is stat(2); ok is false when there is nothing to see.
func Stat(path string) (st syscall.Stat_t, ok bool) {
	for {
		err := syscall.Stat(path, &st)
		if err != syscall.EINTR {
			return st, err == nil
		}
	}
}

// Lstat is lstat(2).
func Lstat(path string) (st syscall.Stat_t, err error) {
	for {
		err = syscall.Lstat(path, &st)
		if err != syscall.EINTR {
			return st, err
		}
	}
}

// IsDir reports whether path is a directory, through symbolic links.
func IsDir(path string) bool {
	st, ok := Stat(path)
	return ok && st.Mode&syscall.S_IFMT == syscall.S_IFDIR
}

// Type is what a directory says of an entry.
type Type uint8

const (
	Other Type = iota // FIFO, socket, device
	File
	Directory
	Link
)

// TypeOf gives the entry type of a stat mode.
func TypeOf(mode uint32) Type {
	switch mode & syscall.S_IFMT {
	case syscall.S_IFREG:
		return File
	case syscall.S_IFDIR:
		return Directory
	case syscall.S_IFLNK:
		return Link
	}
	return Other
}

// View looks at bytes as a string without a copy. The string is good only
// until the bytes change.
func View(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
