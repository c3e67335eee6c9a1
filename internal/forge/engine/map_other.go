//go:build !linux

package engine

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// mapOver reads the first size bytes of a file into a range.
func mapOver(over []byte, fd, size int) error {
	for at := 0; at < size; {
		n, err := unix.Pread(fd, over[at:size], int64(at))
		if err != nil || n == 0 {
			return err
		}
		at += n
	}
	return nil
}

// mapCode: code that is mapped from a file that nobody signed may not run everywhere.
func mapCode([]byte, *os.File) error { return errors.ErrUnsupported }
