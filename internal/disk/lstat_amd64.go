//go:build linux

package disk

import (
	"syscall"
	"unsafe"
)

// Lstat is lstat(2) of an entry; name ends in a zero byte. The call is made here
// since package syscall copies every name for it.
func (d *Dir) Lstat(name []byte, st *syscall.Stat_t) error {
	const noFollow = 0x100 // AT_SYMLINK_NOFOLLOW
	for {
		_, _, err := syscall.Syscall6(syscall.SYS_NEWFSTATAT, uintptr(d.fd), uintptr(unsafe.Pointer(&name[0])), uintptr(unsafe.Pointer(st)), noFollow, 0, 0)
		switch err {
		case 0:
			return nil
		case syscall.EINTR:
		default:
			return err
		}
	}
}
