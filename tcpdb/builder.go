package tcpdb

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"
)

// Builder collects the contents of an image. Its methods keep what they are
// given, which must not be changed before Build.
type Builder struct {
	tools      []*Node
	risks      map[string]*riskRecord
	operations []Operation
	details    map[string]string
	sources    []Source
	errs       []error
}

// NewBuilder returns an empty builder.
func NewBuilder() *Builder { return &Builder{risks: map[string]*riskRecord{}} }

// Tool adds the whole tree of a tool. The names of the nodes make up their
// paths; a Path that is set must agree.
func (b *Builder) Tool(root *Node) { b.tools = append(b.tools, root) }

// Entry adds the base entry of a key. Version, hash and key length of its
// descriptor are set here.
func (b *Builder) Entry(e Entry) {
	r := b.risk(e.Key)
	if r.base != nil {
		b.errs = append(b.errs, fmt.Errorf("entry %q is given twice", e.Key))
		return
	}
	sealDescriptor(&e)
	r.base = &e
}

// Variant adds a variant of a key.
func (b *Builder) Variant(x Variant) {
	r := b.risk(x.Key)
	sealDescriptor(&x.Entry)
	r.variants = append(r.variants, x)
}

func (b *Builder) risk(key string) *riskRecord {
	r := b.risks[key]
	if r == nil {
		r = &riskRecord{}
		b.risks[key] = r
	}
	return r
}

func sealDescriptor(e *Entry) {
	e.Descriptor.Version = descriptorVersion
	e.Descriptor.Hash = keyHash(e.Key)
	e.Descriptor.KeyLen = saturate(len(e.Key))
}

// Operation adds an operation.
func (b *Builder) Operation(o Operation) { b.operations = append(b.operations, o) }

// Detail adds what only running an operation needs, as JSON: the environment,
// the steps. View.Detail returns it, and nothing else reads it.
func (b *Builder) Detail(id, text string) {
	if b.details == nil {
		b.details = map[string]string{}
	}
	b.details[id] = text
}

// Source adds the stamp of a source file.
func (b *Builder) Source(s Source) { b.sources = append(b.sources, s) }

// Build returns the bytes of the image. The same contents give the same bytes:
// the order of the calls matters only among the variants of one key and among
// the sources. Errors: a name or key that is empty or given twice, an image of
// more than 4 GB.
func (b *Builder) Build() ([]byte, error) {
	if len(b.errs) > 0 {
		return nil, b.errs[0]
	}
	w := &imageWriter{}
	for _, step := range []func(*imageWriter) error{b.addTools, b.addRisks, b.addOperations, b.addIntents, b.addFamilies, b.addDetails} {
		if err := step(w); err != nil {
			return nil, err
		}
	}
	if len(b.sources) > 0 {
		w.bodies[metaTable], _ = appendBlock(nil, sourcesBlock, encodeSources(b.sources))
	}
	return w.bytes()
}

func (b *Builder) addTools(w *imageWriter) error {
	tools := slices.Clone(b.tools)
	slices.SortStableFunc(tools, func(x, y *Node) int { return strings.Compare(x.Name, y.Name) })
	taken := map[string]bool{}
	for _, root := range tools {
		if taken[root.Name] {
			return fmt.Errorf("tool %q is given twice", root.Name)
		}
		taken[root.Name] = true
		w.begin(toolTable, root.Name)
		ref, err := w.addNode(root, root.Name)
		if err != nil {
			return err
		}
		k := keyed{key: root.Name, ref: ref}
		if root.Bits&Partial != 0 {
			k.flags = partialHead
		}
		w.keys[toolTable] = append(w.keys[toolTable], k)
	}
	for i, root := range tools { // a name of its own goes before an alias
		for _, alias := range root.Aliases {
			if alias != "" && !taken[alias] {
				taken[alias] = true
				of := w.keys[toolTable][i]
				w.keys[toolTable] = append(w.keys[toolTable], keyed{key: alias, ref: of.ref, flags: of.flags | aliasHead})
			}
		}
	}
	return nil
}

func (b *Builder) addRisks(w *imageWriter) error {
	for _, key := range sortedKeys(b.risks) {
		w.begin(riskTable, key)
		r := b.risks[key]
		k := keyed{key: key, extra: make([]byte, descriptorSize)}
		k.ref = w.add(riskTable, riskBlock, encodeRisk(r))
		if r.base != nil {
			record := r.base.Descriptor.Encode()
			k.flags, k.extra = baseHead, record[:]
		}
		w.keys[riskTable] = append(w.keys[riskTable], k)
	}
	return nil
}

func (b *Builder) addOperations(w *imageWriter) error {
	ops := slices.Clone(b.operations)
	slices.SortStableFunc(ops, func(x, y Operation) int { return strings.Compare(x.ID, y.ID) })
	for i := range ops {
		w.begin(opTable, ops[i].ID)
		ref := w.add(opTable, opBlock, encodeOperation(&ops[i]))
		w.keys[opTable] = append(w.keys[opTable], keyed{key: ops[i].ID, ref: ref})
	}
	return nil
}

func (b *Builder) addDetails(w *imageWriter) error {
	for _, id := range sortedKeys(b.details) {
		e := &encoder{}
		e.string(b.details[id])
		w.keys[detailTable] = append(w.keys[detailTable], keyed{key: id, ref: w.add(detailTable, detailBlock, e.payload())})
	}
	return nil
}

func (b *Builder) addIntents(w *imageWriter) error {
	ids := map[string][]string{}
	for _, o := range b.operations {
		for _, intent := range o.Intents {
			if intent != "" && !slices.Contains(ids[intent], o.ID) {
				ids[intent] = append(ids[intent], o.ID)
			}
		}
	}
	for _, intent := range sortedKeys(ids) {
		slices.Sort(ids[intent])
		e := &encoder{}
		e.strings(ids[intent])
		w.begin(intentTable, intent)
		ref := w.add(intentTable, intentBlock, e.payload())
		w.keys[intentTable] = append(w.keys[intentTable], keyed{key: intent, ref: ref})
	}
	return nil
}

func sortedKeys[T any](m map[string]T) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// imageWriter holds the tables while an image is laid out.
type imageWriter struct {
	keys   [tableCount][]keyed
	bodies [tableCount][]byte
	groups [tableCount]grouped
}

// begin is called before the body of a key is added, in the order of the keys.
func (w *imageWriter) begin(t tableID, key string) {
	w.bodies[t] = w.groups[t].before(w.bodies[t], key)
}

func (w *imageWriter) add(t tableID, kind blockKind, payload []byte) uint32 {
	if len(w.bodies[t]) == 0 && t != metaTable {
		w.bodies[t] = make([]byte, 8) // so that no ref is 0
	}
	body, ref := appendBlock(w.bodies[t], kind, payload)
	w.bodies[t] = body
	return ref
}

// addNode writes a node behind its sub-commands and returns its place.
func (w *imageWriter) addNode(n *Node, path string) (uint32, error) {
	if n.Name == "" || strings.ContainsAny(n.Name, " \t\n\x00") {
		return 0, fmt.Errorf("command %q: %q cannot be the name of a command", path, n.Name)
	}
	if n.Path != "" && n.Path != path {
		return 0, fmt.Errorf("command %q: its path is %q", n.Path, path)
	}
	refs := make([]uint32, len(n.Subs))
	seen := make(map[string]bool, len(n.Subs))
	for i, s := range n.Subs {
		if seen[s.Name] {
			return 0, fmt.Errorf("command %q is given twice", path+" "+s.Name)
		}
		seen[s.Name] = true
		ref, err := w.addNode(s, path+" "+s.Name)
		if err != nil {
			return 0, err
		}
		refs[i] = ref
	}
	return w.add(toolTable, nodeBlock, encodeNode(n, path, refs)), nil
}

// bytes lays out header, section table and sections.
func (w *imageWriter) bytes() ([]byte, error) {
	type section struct {
		kind int
		data []byte
	}
	var sections []section
	for t := range tableCount {
		keys := w.keys[t]
		slices.SortFunc(keys, func(x, y keyed) int { return strings.Compare(x.key, y.key) })
		for i, k := range keys {
			if k.key == "" || len(k.key) > math.MaxUint16 {
				return nil, fmt.Errorf("a key of table %d has %d bytes: want 1 to %d", t, len(k.key), math.MaxUint16)
			}
			if i > 0 && keys[i-1].key == k.key {
				return nil, fmt.Errorf("%q is given twice", k.key)
			}
		}
		index, heads := buildTable(keys)
		for part, data := range [][]byte{index, heads, w.bodies[t]} {
			if int64(len(data)) > math.MaxUint32 {
				return nil, fmt.Errorf("table %d is larger than 4 GB", t)
			}
			if len(data) > 0 {
				sections = append(sections, section{4*int(t) + part, data})
			}
		}
	}
	le := binary.LittleEndian
	out := make([]byte, headerSize+rowSize*len(sections))
	for i, s := range sections {
		for len(out)%bucketSize != 0 { // buckets stay inside a cache line
			out = append(out, 0)
		}
		row := out[headerSize+rowSize*i:]
		le.PutUint32(row, uint32(s.kind))
		le.PutUint64(row[8:], uint64(len(out)))
		le.PutUint64(row[16:], uint64(len(s.data)))
		out = append(out, s.data...)
	}
	copy(out, magic)
	le.PutUint32(out[8:], FormatVersion)
	le.PutUint32(out[12:], uint32(len(sections)))
	le.PutUint64(out[16:], uint64(len(out)))
	digest := sha256Sum(out[headerSize:])
	copy(out[24:], digest[:])
	check := append(slices.Clone(out[:56]), out[headerSize:headerSize+rowSize*len(sections)]...)
	le.PutUint64(out[56:], xxhash.Sum64(check))
	return out, nil
}
