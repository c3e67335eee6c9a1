//go:build linux

package jail

import "golang.org/x/sys/unix"

const auditArch = unix.AUDIT_ARCH_X86_64

// allowedHere are the calls that only this architecture has.
var allowedHere = [...]uint32{unix.SYS_ARCH_PRCTL, unix.SYS_EPOLL_WAIT, unix.SYS_TIME}
