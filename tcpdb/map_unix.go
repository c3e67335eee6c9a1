//go:build unix

package tcpdb

import (
	"io/fs"
	"syscall"
)

// Map maps the file at path into memory. It reads one page of it; every block
// is checked when it is used. The error is a *fs.PathError around ErrNotMap,
// ErrNewer, ErrCorrupt or the system's error (fs.ErrNotExist …).
//
// It calls the system directly: package os would set up its poller for a file
// that is closed again at once.
func Map(path string) (*Image, error) {
	im, err := mapFile(path)
	if err != nil {
		return nil, &fs.PathError{Op: "map", Path: path, Err: err}
	}
	return im, nil
}

func mapFile(path string) (*Image, error) {
	// O_NONBLOCK: opening a pipe without a writer must not wait.
	fd, err := openRetry(path, syscall.O_RDONLY|syscall.O_CLOEXEC|syscall.O_NONBLOCK)
	if err != nil {
		return nil, err
	}
	defer syscall.Close(fd)
	var st syscall.Stat_t
	if err := syscall.Fstat(fd, &st); err != nil {
		return nil, err
	}
	if st.Mode&syscall.S_IFMT != syscall.S_IFREG || st.Size == 0 {
		return nil, ErrNotMap
	}
	if int64(int(st.Size)) != st.Size {
		return nil, corrupt("%d bytes do not fit into this machine's memory", st.Size)
	}
	data, err := syscall.Mmap(fd, 0, int(st.Size), syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return nil, err
	}
	im := &Image{data: data, mapped: true, file: path, unmap: func() error { return syscall.Munmap(data) }}
	if err := im.open(); err != nil {
		im.Close()
		return nil, err
	}
	return im, nil
}

func openRetry(path string, flags int) (int, error) {
	for {
		fd, err := syscall.Open(path, flags, 0)
		if err != syscall.EINTR {
			return fd, err
		}
	}
}
