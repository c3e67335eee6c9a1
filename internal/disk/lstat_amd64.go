//go:build linux

package disk

import "syscall"

const sysFstatat = syscall.SYS_NEWFSTATAT
