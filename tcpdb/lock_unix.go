//go:build darwin || linux || freebsd || netbsd || openbsd || dragonfly

package tcpdb

import (
	"os"
	"syscall"
)

var errLocked error = syscall.EWOULDBLOCK

// openLock opens a lock file, which must not be a symbolic link.
func openLock(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDWR|os.O_CREATE|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0o644)
}

func flock(f *os.File) error {
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err != syscall.EINTR {
			return err
		}
	}
}
