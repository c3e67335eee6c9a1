package bridge

import (
	"errors"

	"golang.org/x/sys/unix"
)

// pathOnly opens a file for looking at it alone.
const pathOnly = unix.O_PATH

// beneath opens a path that may not leave a directory, by links neither; strict: it may
// have no link at all. What leaves ends the tool.
func beneath(dir int, rel string, flags int, mode uint64, strict bool) (int, error) {
	how := unix.OpenHow{Flags: uint64(flags | unix.O_CLOEXEC), Mode: mode, Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_MAGICLINKS}
	if strict {
		how.Resolve |= unix.RESOLVE_NO_SYMLINKS
	}
	for range 8 {
		fd, err := unix.Openat2(dir, rel, &how)
		switch {
		case errors.Is(err, unix.EAGAIN), errors.Is(err, unix.EINTR): // something was renamed meanwhile
			continue
		case errors.Is(err, unix.EXDEV), strict && errors.Is(err, unix.ELOOP):
			return -1, violation("a link that leads out of the jail")
		case errors.Is(err, unix.ELOOP):
			return -1, fail("ELOOP", "too many links")
		case errors.Is(err, unix.ENXIO):
			return -1, fail("EPERM", "it is no regular file")
		}
		return fd, err
	}
	return -1, fail("EAGAIN", "it changes too often")
}
