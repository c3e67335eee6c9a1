package engine

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// mapOver maps the first size bytes of a file privately over a range.
func mapOver(over []byte, fd, size int) error {
	_, err := unix.MmapPtr(fd, 0, unsafe.Pointer(unsafe.SliceData(over)), uintptr(size), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_FIXED)
	return err
}
