//go:build !linux

package bridge

import (
	"errors"
	"strings"

	"golang.org/x/sys/unix"
)

// pathOnly opens a file for looking at it alone.
const pathOnly = unix.O_RDONLY | unix.O_NONBLOCK

// beneath opens a path part by part, and follows no link.
func beneath(dir int, rel string, flags int, mode uint64, _ bool) (int, error) {
	at, err := unix.Dup(dir)
	if err != nil {
		return -1, err
	}
	parts := strings.Split(rel, "/")
	for i, part := range parts {
		if part == ".." {
			unix.Close(at)
			return -1, violation("a path out of the jail")
		}
		how := unix.O_RDONLY | unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_CLOEXEC
		if i == len(parts)-1 {
			how = flags | unix.O_NOFOLLOW | unix.O_CLOEXEC
		}
		next, err := unix.Openat(at, part, how, uint32(mode))
		unix.Close(at)
		if errors.Is(err, unix.ELOOP) {
			return -1, violation("a link where there may be none")
		}
		if err != nil {
			return -1, err
		}
		at = next
	}
	return at, nil
}
