package term

import "golang.org/x/sys/unix"

// tcflush takes FREAD, 1, for the input queue here (sys/fcntl.h), by pointer.
func tcflush(fd, _ int) error { return unix.IoctlSetPointerInt(fd, unix.TIOCFLUSH, 1) }
