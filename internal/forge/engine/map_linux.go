package engine

import (
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// mapOver maps the first size bytes of a file privately over a range.
func mapOver(over []byte, fd, size int) error {
	_, err := unix.MmapPtr(fd, 0, unsafe.Pointer(unsafe.SliceData(over)), uintptr(size), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_FIXED)
	return err
}

// mapCode maps the beginning of a file over a range that is to hold code, with all of
// its pages at once: they are read to check them.
func mapCode(over []byte, f *os.File) error {
	_, err := unix.MmapPtr(int(f.Fd()), 0, unsafe.Pointer(unsafe.SliceData(over)), uintptr(len(over)), unix.PROT_READ, unix.MAP_PRIVATE|unix.MAP_FIXED|unix.MAP_POPULATE)
	return err
}
