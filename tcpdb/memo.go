package tcpdb

import "sync"

// memo keeps what a View has read, for one press of Tab asks for the same few
// nodes and rules once for every candidate. What it hands out is shared and
// must not be changed. Each of its maps starts anew at memoLimit, so that a
// program that runs long and is asked for any name does not grow.
type memo struct {
	mu    sync.Mutex
	roots map[string]*Node
	nodes map[[layerCount]uint32]*Node
	risks map[string]*Risk
}

const memoLimit = 4096

// keep adds to a map of the memo, which must be locked.
func keep[K comparable, V any](m *map[K]V, key K, value V) {
	if *m == nil || len(*m) >= memoLimit {
		*m = map[K]V{}
	}
	(*m)[key] = value
}

// Risk is what the layers say of one command's risk.
type Risk struct {
	Entries  []Entry   // base entries, one of each layer that has one, lowest layer first
	Variants []Variant // of all layers, lowest layer first
}

// Root returns the merged root node of a tool by its name or an alias, nil if
// no layer maps it. The node is shared: it must not be changed.
func (v *View) Root(tool string) *Node {
	v.memo.mu.Lock()
	n, ok := v.memo.roots[tool]
	v.memo.mu.Unlock()
	if ok {
		return n
	}
	n = v.root(tool)
	v.memo.mu.Lock()
	defer v.memo.mu.Unlock()
	keep(&v.memo.roots, tool, n)
	return n
}

// Open makes a shallow sub-command whole. Where no layer can be read any more
// it returns the sub-command as it is. The node is shared: it must not be changed.
func (v *View) Open(n *Node) *Node {
	if n == nil || n.refs == [layerCount]uint32{} {
		return n
	}
	v.memo.mu.Lock()
	whole := v.memo.nodes[n.refs]
	v.memo.mu.Unlock()
	if whole != nil {
		return whole
	}
	whole = v.open(n)
	v.memo.mu.Lock()
	defer v.memo.mu.Unlock()
	keep(&v.memo.nodes, n.refs, whole)
	return whole
}

// Risk returns the entries and variants of a key, nil if no layer has any. It
// is shared: it must not be changed.
func (v *View) Risk(key string) *Risk {
	v.memo.mu.Lock()
	r, ok := v.memo.risks[key]
	v.memo.mu.Unlock()
	if ok {
		return r
	}
	if entries, variants := v.readRisk(key); len(entries)+len(variants) > 0 {
		r = &Risk{Entries: entries, Variants: variants}
	}
	v.memo.mu.Lock()
	defer v.memo.mu.Unlock()
	keep(&v.memo.risks, key, r)
	return r
}
