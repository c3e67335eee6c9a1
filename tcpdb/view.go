package tcpdb

import (
	"encoding/hex"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// Problem is a layer that was left out of a View, and why.
type Problem struct {
	Layer Layer
	File  string // "" where it is not known
	Err   error
}

// View reads the layers of the map as one. Its methods never fail: a layer that
// turns out to be damaged is named in Problems and left out from then on. They
// may be called from several goroutines, Add, Later and Fail only before that.
//
// No layer lowers a risk. Lookup joins the layers itself: the highest level, all
// capabilities. Who judges by Entries and Variants does so for each layer apart:
// what one layer says of a command is its entry, or the highest of its
// SetEffect variants that match, raised by its RaiseEffect variants. The risk
// of the command is the maximum over the layers. So a SetEffect variant stands
// in place of its own layer's entry, never of another's; HarmlessEffect variants
// are answered only from core, packs and system.
type View struct {
	layers [layerCount]*Image
	later  [layerCount]*later // in place of layers
	dead   [layerCount]atomic.Bool

	mu       sync.Mutex
	problems []Problem
	memo     memo
}

// NewView returns a view of the core alone; core may be nil.
func NewView(core *Image) *View {
	v := &View{}
	if core != nil {
		v.Add(CoreLayer, core)
	}
	return v
}

// Add puts an image in the place of a layer.
func (v *View) Add(layer Layer, im *Image) {
	if layer >= layerCount || im == nil {
		return
	}
	if im.err != nil {
		v.Fail(layer, "", im.err)
		return
	}
	v.layers[layer], v.later[layer] = im, nil
}

// Fail records that a layer is missing, and why.
func (v *View) Fail(layer Layer, file string, err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.problems = append(v.problems, Problem{Layer: layer, File: file, Err: err})
}

// Problems returns what was left out so far.
func (v *View) Problems() []Problem {
	v.mu.Lock()
	defer v.mu.Unlock()
	return slices.Clone(v.problems)
}

// Image returns the image of a layer, and the file it was mapped from; nil if
// the layer is missing or was left out.
func (v *View) Image(l Layer) (im *Image, file string) {
	if l >= layerCount {
		return nil, ""
	}
	if im = v.load(l); im == nil {
		return nil, ""
	}
	return im, im.file
}

// image returns the image of a layer, or nil; also where it is not opened yet.
func (v *View) image(l Layer) *Image {
	switch {
	case v.dead[l].Load():
		return nil
	case v.later[l] != nil:
		return v.later[l].im.Load()
	}
	return v.layers[l]
}

// drop leaves a damaged layer out from now on.
func (v *View) drop(l Layer, err error) {
	file := ""
	if im := v.image(l); im != nil {
		file = im.file
	}
	if v.dead[l].CompareAndSwap(false, true) {
		v.Fail(l, file, err)
	}
}

// Digest returns the hex SHA-256 over the digests of the layers.
func (v *View) Digest() string {
	var h sha256Hash
	for l := range Layer(layerCount) {
		if im := v.load(l); im != nil {
			digest := im.Digest()
			h.write([]byte{byte(l)})
			h.write(digest[:])
		}
	}
	sum := h.sum()
	return hex.EncodeToString(sum[:])
}

// Lookup returns the descriptor of a command: the highest level and all
// capabilities of the layers, the other figures of the highest layer that has
// it. It does not allocate.
func (v *View) Lookup(key string) (Descriptor, bool) {
	var d Descriptor
	found := false
	for l := range Layer(layerCount) {
		im := v.aboutKey(l, key)
		if im == nil {
			continue
		}
		h, ok, err := im.find(riskTable, key)
		if err != nil {
			v.drop(l, err)
			continue
		}
		if !ok || h.flags&baseHead == 0 {
			continue
		}
		over := unpack(&h.extra)
		if found {
			over.Flags = (over.Flags | d.Flags&^levelMask).WithLevel(max(over.Level(), d.Level()))
		}
		d, found = over, true
	}
	return d, found
}

// Entries returns the base entries of a key, one of each layer that has one,
// lowest layer first.
func (v *View) Entries(key string) []Entry {
	entries, _ := v.readRisk(key)
	return entries
}

// Variants returns the variants of a key of all layers, lowest layer first.
func (v *View) Variants(key string) []Variant {
	_, variants := v.readRisk(key)
	return variants
}

func (v *View) readRisk(key string) (entries []Entry, variants []Variant) {
	for l := range Layer(layerCount) {
		im := v.aboutKey(l, key)
		if im == nil {
			continue
		}
		r, err := im.risk(l, key)
		if err != nil {
			v.drop(l, err)
			continue
		}
		if r == nil {
			continue
		}
		if r.base != nil {
			entries = append(entries, *r.base)
		}
		for _, x := range r.variants {
			if x.Effect != HarmlessEffect || l <= SystemLayer {
				variants = append(variants, x)
			}
		}
	}
	return entries, variants
}

// Tools returns the names of all tools, sorted; their aliases are not among them.
func (v *View) Tools() []string { return v.keys(toolTable, aliasHead) }

// Keys returns the keys of all risk entries, sorted.
func (v *View) Keys() []string { return v.keys(riskTable, 0) }

func (v *View) keys(t tableID, without uint32) []string {
	var keys []string
	for l := range Layer(layerCount) {
		im := v.load(l)
		if im == nil {
			continue
		}
		before := len(keys)
		err := im.eachHead(t, func(key string, h head) bool {
			if h.flags&without == 0 {
				keys = append(keys, key)
			}
			return true
		})
		if err != nil {
			keys = keys[:before]
			v.drop(l, err)
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// Operations returns all operations, sorted by ID.
func (v *View) Operations() []Operation {
	var ops []Operation
	for l := range Layer(layerCount) {
		im := v.load(l)
		if im == nil {
			continue
		}
		layer, err := im.operations(l)
		if err != nil {
			v.drop(l, err)
			continue
		}
		ops = append(ops, layer...)
	}
	slices.SortStableFunc(ops, func(x, y Operation) int { return strings.Compare(x.ID, y.ID) })
	merged := ops[:0]
	for _, o := range ops {
		if n := len(merged); n > 0 && merged[n-1].ID == o.ID {
			merged[n-1] = mergeOperation(merged[n-1], o)
			continue
		}
		merged = append(merged, o)
	}
	return merged
}

func (im *Image) operations(l Layer) ([]Operation, error) {
	var ops []Operation
	var failed error
	err := im.eachHead(opTable, func(_ string, h head) bool {
		o, err := im.operationAt(l, h.ref)
		failed = err
		ops = append(ops, o)
		return err == nil
	})
	if err == nil {
		err = failed
	}
	return ops, err
}

// Operation returns the operation of an ID.
func (v *View) Operation(id string) (Operation, bool) {
	var merged Operation
	found := false
	for l := range Layer(layerCount) {
		im := v.load(l)
		if im == nil {
			continue
		}
		h, ok, err := im.find(opTable, id)
		var o Operation
		if ok {
			o, err = im.operationAt(l, h.ref)
		}
		switch {
		case err != nil:
			v.drop(l, err)
		case ok && found:
			merged = mergeOperation(merged, o)
		case ok:
			merged, found = o, true
		}
	}
	return merged, found
}

// Detail returns what only running the operation needs, "" if nothing: that of
// the layer whose record counts. A layer that cannot be read is left out, with
// its operations.
func (v *View) Detail(id string) string {
	op, ok := v.Operation(id)
	if !ok {
		return ""
	}
	im := v.load(op.Layer)
	if im == nil {
		return ""
	}
	text, _, err := im.detail(id)
	if err != nil {
		v.drop(op.Layer, err)
	}
	return text
}

// Intent returns the IDs of the operations of any layer that state exactly this
// normalised intent, sorted. Where a higher layer has an operation of the same
// ID, its record counts: compare with Operation.
func (v *View) Intent(text string) []string {
	var ids []string
	for l := range Layer(layerCount) {
		im := v.load(l)
		if im == nil {
			continue
		}
		more, err := im.intent(text)
		if err != nil {
			v.drop(l, err)
			continue
		}
		ids = append(ids, more...)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}
