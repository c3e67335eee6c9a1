//go:build linux

package sandbox

import "golang.org/x/sys/unix"

const auditArch = unix.AUDIT_ARCH_AARCH64

// refusedHere are the calls that only this architecture has.
var refusedHere = [...]uint32{unix.SYS_KEXEC_FILE_LOAD}
