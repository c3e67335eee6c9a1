package tcpdb

import "sync"

// subs are the sub-commands of a node as its layers state them, still encoded:
// a tool may have hundreds, and who reads a node mostly wants one or none.
type subs struct {
	raw [layerCount]string // their number and the entries, in the node's block

	mu    sync.Mutex
	all   []*Node // all of them, once they were asked for
	found []*Node // those that were asked for by name
}

// HasSubs reports whether the command has sub-commands.
func (n *Node) HasSubs() bool { return n.subs != nil || len(n.Subs) > 0 }

// AllSubs returns the sub-commands, shallow if the node was read from a View.
// They are shared then: they must not be changed.
func (n *Node) AllSubs() []*Node {
	if n.subs == nil {
		return n.Subs
	}
	n.subs.mu.Lock()
	defer n.subs.mu.Unlock()
	return n.subs.list()
}

// Sub returns the (shallow) sub-command of that name or alias, or nil.
func (n *Node) Sub(name string) *Node {
	if n.subs == nil {
		return named(n.Subs, name)
	}
	n.subs.mu.Lock()
	defer n.subs.mu.Unlock()
	return n.subs.find(name)
}

func named(list []*Node, name string) *Node {
	for _, s := range list {
		if s.Name == name {
			return s
		}
	}
	for _, s := range list {
		for _, a := range s.Aliases {
			if a == name {
				return s
			}
		}
	}
	return nil
}

// list decodes and joins them all.
func (s *subs) list() []*Node {
	if s.all != nil {
		return s.all
	}
	for l, raw := range s.raw {
		d := decoder{s: raw}
		slab := make([]Node, d.count())
		layer := make([]*Node, len(slab))
		for i := range slab {
			decodeSub(&d, &slab[i], Layer(l))
			layer[i] = &slab[i]
		}
		if l == 0 {
			s.all = layer
			continue
		}
		s.all = mergeSubs(s.all, layer, Layer(l))
	}
	return s.all
}

// find decodes one of them alone, except by an alias, for which the order of
// all counts.
func (s *subs) find(name string) *Node {
	for _, n := range s.found {
		if n.Name == name {
			return n
		}
	}
	if s.all != nil {
		return named(s.all, name)
	}
	var found *Node
	alias := false
	for l, raw := range s.raw {
		d := decoder{s: raw}
		for range d.count() {
			entry := d.s
			_, isName, isAlias := passSub(&d, name)
			alias = alias || isAlias
			if !isName {
				continue
			}
			n := &Node{}
			decodeSub(&decoder{s: entry}, n, Layer(l))
			if found == nil {
				found = n
			} else {
				found = mergeSub(found, n, Layer(l))
			}
		}
	}
	switch {
	case found != nil:
		s.found = append(s.found, found)
		return found
	case alias:
		return named(s.list(), name)
	}
	return nil
}

// joinSubs adds the sub-commands of over, which one layer states, to those of
// base. A project adds some only where there are some.
func joinSubs(base, over *Node, layer Layer) {
	switch {
	case over.subs == nil:
	case base.subs != nil:
		base.subs.raw[layer] = over.subs.raw[layer]
	case layer != ProjectLayer:
		base.subs = over.subs
	}
}

// decodeSubs takes the part of a node's block that states its sub-commands. It
// looks at all of it: what is decoded later must not fail.
func decodeSubs(d *decoder, layer Layer, node uint32) *subs {
	start := d.s
	count := d.count()
	for range count {
		ref, _, _ := passSub(d, "")
		if ref >= uint64(node) { // sub-commands are written first: no cycles
			d.fail()
		}
		if d.bad {
			return nil
		}
	}
	if count == 0 {
		return nil
	}
	s := &subs{}
	s.raw[layer] = start[:len(start)-len(d.s)]
	return s
}

// passSub passes over the entry of one sub-command and compares its names.
func passSub(d *decoder, name string) (ref uint64, isName, isAlias bool) {
	ref = d.uint()
	path := d.string()
	length := d.uint()
	if length > uint64(len(path)) {
		d.fail()
		return 0, false, false
	}
	isName = path[len(path)-int(length):] == name
	for range d.count() {
		if d.string() == name {
			isAlias = true
		}
	}
	d.string()
	d.uint()
	return ref, isName, isAlias
}

func decodeSub(d *decoder, n *Node, layer Layer) {
	n.refs[layer] = uint32(d.uint())
	decodeTitle(d, n)
}
