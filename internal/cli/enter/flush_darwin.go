package enter

import "golang.org/x/sys/unix"

// flush drops what was typed and not yet read: FREAD, 1, is the input queue
// (sys/fcntl.h), given by pointer.
func flush(fd int) error { return unix.IoctlSetPointerInt(fd, unix.TIOCFLUSH, 1) }
