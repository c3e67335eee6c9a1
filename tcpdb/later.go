package tcpdb

import (
	"strings"
	"sync"
	"sync/atomic"
)

// later is a layer that is opened when somebody asks it.
type later struct {
	once sync.Once
	open func() (im *Image, file string, err error)
	im   atomic.Pointer[Image]
}

// Later says how a layer is opened, once something is asked that it may answer:
// see View.about. The function returns nil and no error where there is none. Of
// an error, the file is where it is.
func (v *View) Later(layer Layer, open func() (im *Image, file string, err error)) {
	if layer < layerCount {
		v.later[layer] = &later{open: open}
	}
}

// load returns the image of a layer, or nil, and opens it if it is not yet.
func (v *View) load(l Layer) *Image {
	if x := v.later[l]; x != nil {
		x.once.Do(func() {
			im, file, err := x.open()
			if err == nil && im != nil {
				err = im.err
			}
			switch {
			case err != nil:
				v.Fail(l, file, err)
			case im != nil:
				x.im.Store(im)
			}
		})
	}
	return v.image(l)
}

// about returns the image of a layer that is to be asked about a tool, or nil.
// The packs are asked only about tools that the core does not map whole: so a key
// that needs nothing of them opens no file, and what they say of a tool depends
// on nothing that was asked before.
func (v *View) about(l Layer, tool string) *Image {
	if l == PackLayer && (v.layers[l] != nil || v.later[l] != nil) {
		if v.wholeInCore(tool) {
			return nil
		}
		return v.load(l)
	}
	return v.image(l)
}

// aboutKey is about of the tool of a canonical path, "git" of "git reset".
func (v *View) aboutKey(l Layer, key string) *Image {
	if l != PackLayer {
		return v.image(l)
	}
	tool, _, _ := strings.Cut(key, " ")
	return v.about(l, tool)
}

// wholeInCore reports whether the core has a map of a tool to complete from.
func (v *View) wholeInCore(tool string) bool {
	im := v.image(CoreLayer)
	if im == nil {
		return false
	}
	h, ok, err := im.find(toolTable, tool)
	return err == nil && ok && h.flags&partialHead == 0
}
