package term

import "golang.org/x/sys/unix"

func tcflush(fd, queue int) error { return unix.IoctlSetInt(fd, unix.TCFLSH, queue) }
