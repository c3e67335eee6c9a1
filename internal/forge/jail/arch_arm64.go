//go:build linux

package jail

import "golang.org/x/sys/unix"

const auditArch = unix.AUDIT_ARCH_AARCH64

// allowedHere are the calls that only this architecture has.
var allowedHere = [...]uint32{}
