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
	if st.Size <= smallFile {
		return readSmall(fd, path, int(st.Size))
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

// smallFile is the size up to which reading a file whole is cheaper than the
// page faults of a mapping.
const smallFile = 16 << 10

func readSmall(fd int, path string, size int) (*Image, error) {
	data := make([]byte, size)
	for n := 0; n < size; {
		m, err := syscall.Pread(fd, data[n:], int64(n))
		switch {
		case err == syscall.EINTR:
		case err != nil:
			return nil, err
		case m == 0:
			return nil, corrupt("the file was cut short while it was read")
		default:
			n += m
		}
	}
	im := &Image{data: data, file: path}
	if err := im.open(); err != nil {
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
