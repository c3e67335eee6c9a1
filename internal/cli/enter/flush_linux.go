package enter

import "golang.org/x/sys/unix"

// flush drops what was typed and not yet read.
func flush(fd int) error { return unix.IoctlSetInt(fd, unix.TCFLSH, unix.TCIFLUSH) }
