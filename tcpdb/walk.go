package tcpdb

import "errors"

// eachTree calls f for every tool of an image with its whole tree, and alias
// for every further name of one.
func (im *Image) eachTree(f func(root *Node), alias func(name string)) error {
	var failed error
	err := im.eachHead(toolTable, func(key string, h head) bool {
		if h.flags&aliasHead != 0 {
			alias(key)
			return true
		}
		var root *Node
		if root, failed = im.wholeTree(h.ref); failed == nil {
			f(root)
		}
		return failed == nil
	})
	return errors.Join(err, failed)
}

// wholeTree reads a node and all below it.
func (im *Image) wholeTree(ref uint32) (*Node, error) {
	n, err := im.decodeNode(CoreLayer, ref)
	if err != nil {
		return nil, err
	}
	for _, s := range n.AllSubs() {
		whole, err := im.wholeTree(s.refs[CoreLayer])
		if err != nil {
			return nil, err
		}
		n.Subs = append(n.Subs, whole)
	}
	n.subs = nil
	return n, nil
}

func (im *Image) eachRisk(f func(r *riskRecord)) error {
	var failed error
	err := im.eachHead(riskTable, func(key string, h head) bool {
		var r *riskRecord
		if r, failed = im.riskAt(CoreLayer, key, h.ref); failed == nil {
			f(r)
		}
		return failed == nil
	})
	return errors.Join(err, failed)
}

func (im *Image) eachFamily(f func(f *Family)) error {
	var failed error
	err := im.eachHead(familyTable, func(tool string, _ head) bool {
		var x *Family
		if x, failed = im.Family(tool); failed == nil && x != nil {
			f(x)
		}
		return failed == nil
	})
	return errors.Join(err, failed)
}

// Entries returns every base entry of an image, in the order of the keys.
func (im *Image) Entries() ([]Entry, error) {
	var entries []Entry
	err := im.eachRisk(func(r *riskRecord) {
		if r.base != nil {
			entries = append(entries, *r.base)
		}
	})
	return entries, err
}

// Image adds everything that an image holds. An entry, tool or operation that
// the builder has already is an error of Build, as ever.
func (b *Builder) Image(im *Image) error {
	if im.err != nil {
		return im.err
	}
	err := im.eachTree(b.Tool, func(string) {})
	err = errors.Join(err, im.eachRisk(func(r *riskRecord) {
		if r.base != nil {
			b.Entry(*r.base)
		}
		for _, x := range r.variants {
			b.Variant(x)
		}
	}))
	ops, opErr := im.operations(CoreLayer)
	for _, o := range ops {
		b.Operation(o)
	}
	sources, srcErr := im.readSources()
	b.sources = append(b.sources, sources...)
	return errors.Join(err, opErr, srcErr)
}

// Raise adds an entry, or joins it to the one that its key has: the highest
// level, all capabilities, and the words of the higher of the two. Its provenance
// becomes that of e if e added anything.
func (b *Builder) Raise(e Entry) {
	r := b.risk(e.Key)
	if r.base == nil {
		b.Entry(e)
		return
	}
	joined := *r.base
	if e.Descriptor.Level() > joined.Descriptor.Level() {
		joined = e
	}
	level := max(e.Descriptor.Level(), r.base.Descriptor.Level())
	joined.Descriptor.Flags = (e.Descriptor.Flags | r.base.Descriptor.Flags).WithLevel(level)
	if joined.Descriptor.Flags != r.base.Descriptor.Flags {
		joined.Provenance = e.Provenance // it owes something to e
	}
	sealDescriptor(&joined)
	r.base = &joined
}
