package tcpdb

import (
	"runtime/debug"
	"unsafe"
)

// Memory of a mapped file faults when the file was truncated or its disk does
// not answer. All reading of it is done by the functions of this file and by
// Image.find, which copy under a guard: the fault becomes an error, and
// checksums are taken of the copy, so that what was checked is what is used.
// Memory that is no file's does neither fault nor change: it needs no copy.

// caught turns a fault at an address of the image into *errp and lets every
// other panic pass. It is to be deferred, with the former SetPanicOnFault.
func (im *Image) caught(old bool, errp *error) {
	debug.SetPanicOnFault(old)
	r := recover()
	if r == nil {
		return
	}
	if f, ok := r.(interface{ Addr() uintptr }); ok && im.covers(f.Addr()) {
		*errp = corrupt("the file was cut short or cannot be read any more")
		return
	}
	panic(r)
}

// covers reports whether the address lies in the mapped memory.
func (im *Image) covers(addr uintptr) bool {
	base := uintptr(unsafe.Pointer(unsafe.SliceData(im.data)))
	return len(im.data) > 0 && addr-base < uintptr(len(im.data))
}

// copyOut fills dst from offset off of the image.
func (im *Image) copyOut(dst []byte, off int) (err error) {
	if off < 0 || off > len(im.data) || len(dst) > len(im.data)-off {
		return corrupt("offset %d lies outside the file", off)
	}
	if im.mapped {
		defer im.caught(debug.SetPanicOnFault(true), &err)
	}
	copy(dst, im.data[off:])
	return nil
}

// bytes returns n bytes from offset off that stay as they are: a copy of mapped
// memory, else the image's own.
func (im *Image) bytes(off, n int) ([]byte, error) {
	if !im.mapped && off >= 0 && n >= 0 && off <= len(im.data) && n <= len(im.data)-off {
		return im.data[off : off+n : off+n], nil
	}
	buf := make([]byte, n)
	return buf, im.copyOut(buf, off)
}
