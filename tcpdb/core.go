package tcpdb

import (
	_ "embed"
	"sync"
	"unsafe"
)

//go:embed core.tcpdb
var coreFile string

// Core returns the image that is part of the program. It is never nil; where the
// program's own bytes are damaged, it is empty and a View says so in Problems.
func Core() *Image { return core() }

var core = sync.OnceValue(func() *Image {
	// The bytes are read only, as is everything of an Image.
	im, err := Parse(unsafe.Slice(unsafe.StringData(coreFile), len(coreFile)))
	if err != nil {
		return &Image{err: err}
	}
	return im
})
