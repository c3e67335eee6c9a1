package tcpdb

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// ErrFamily says that commands cannot be stored as one family.
var ErrFamily = errors.New("not a family")

// Member is one command of a family, named without the tool: "remote add".
type Member struct {
	Name       string
	Descriptor Descriptor
}

// Family is the compressed form of a tool's descriptors. Its eight-bit hashes do
// not tell members apart (of 164 about half collide): with Names the stored text
// decides, without them an answer joins all members of a hash.
type Family struct {
	Tool      string
	Parent    Parent
	DeltaSize int // 6 to 8
	Deltas    []Delta
	Names     []string // of the deltas, or nil
	// Exact holds members in full whose hash is also that of a member of
	// another level.
	Exact []Member
}

// BuildFamily makes a family of a tool's members, sorted by name. kind is the
// tool's of FamilyKind. A level that
// is unknown, more than 255 members or names that are not distinct are ErrFamily.
func BuildFamily(tool string, kind uint16, members []Member, deltaSize int) (*Family, error) {
	switch {
	case len(members) == 0 || len(members) > maxMembers:
		return nil, fmt.Errorf("%w: %s has %d members, want 1 to %d", ErrFamily, tool, len(members), maxMembers)
	case deltaSize < minDeltaSize || deltaSize > maxDeltaSize:
		return nil, fmt.Errorf("%w: deltas of %d bytes", ErrFamily, deltaSize)
	}
	members = slices.SortedFunc(slices.Values(members), func(x, y Member) int { return strings.Compare(x.Name, y.Name) })
	for i, m := range members {
		if m.Descriptor.Level() == Unknown {
			return nil, fmt.Errorf("%w: the risk of %s %s is unknown", ErrFamily, tool, m.Name)
		}
		if i > 0 && members[i-1].Name == m.Name {
			return nil, fmt.Errorf("%w: %s %s is given twice", ErrFamily, tool, m.Name)
		}
	}
	f := &Family{Tool: tool, Parent: parentOf(tool, kind, members), DeltaSize: deltaSize}
	for _, m := range members {
		f.Names = append(f.Names, m.Name)
		f.Deltas = append(f.Deltas, deltaOf(f.Parent, tool, m))
	}
	f.Exact = collisions(members)
	return f, nil
}

func parentOf(tool string, kind uint16, members []Member) Parent {
	p := Parent{Hash: keyHash(tool), Count: uint8(len(members)), Properties: kind}
	if kind > 0 {
		p.Common |= VersionControl << (kind - 1)
	}
	floor, root := Critical, true
	for _, m := range members {
		level, f := m.Descriptor.Level(), m.Descriptor.Flags
		floor = min(floor, level)
		root = root && f&RequiresRoot != 0
		if f&Destructive != 0 {
			p.Common |= HasDestructive
		}
		if level == Safe {
			p.Common |= HasSafeOps
		}
	}
	p.Floor = uint8(floor - Safe)
	if root {
		p.Common |= AllRequireRoot
	}
	if len(members) > 10 {
		p.Common |= LargeFamily
	}
	return p
}

func deltaOf(p Parent, tool string, m Member) Delta {
	d := Delta{
		Hash:    subHash(m.Name),
		Risk:    uint8(m.Descriptor.Level()-Safe) - p.Floor,
		Perf:    performance(m.Descriptor.ExecMS, m.Descriptor.MemoryMB),
		NameLen: uint8(min(len(m.Name), 255)),
		KeyLen:  uint8(min(len(tool)+1+len(m.Name), 255)),
	}
	for i, capability := range specificBits {
		if capability == RequiresRoot && p.Common&AllRequireRoot != 0 {
			continue // what all have is not specific
		}
		if m.Descriptor.Flags&capability != 0 {
			d.Specific |= 1 << i
		}
	}
	return d
}

// collisions returns the members whose hash is also that of a member of another
// level.
func collisions(members []Member) []Member {
	var low, high [256]Level
	for _, m := range members {
		h, level := subHash(m.Name), m.Descriptor.Level()
		if low[h] == Unknown || level < low[h] {
			low[h] = level
		}
		high[h] = max(high[h], level)
	}
	var exact []Member
	for _, m := range members {
		if h := subHash(m.Name); low[h] != high[h] {
			exact = append(exact, m)
		}
	}
	return exact
}

// Answer is what a family says of a sub-command.
type Answer struct {
	Level        Level
	Capabilities Flags
	Members      int // how many members share the hash
	Exact        bool
}

// Lookup returns the risk of a sub-command. With a name table it is that of the
// member of this name; without one the highest level and all capabilities of
// the members that share its hash. A member that does not add up (see
// Delta.Level) counts as CRITICAL.
func (f *Family) Lookup(sub string) (Answer, bool) {
	a := Answer{Exact: f.Names != nil}
	found := false
	hash := subHash(sub)
	for i, d := range f.Deltas {
		if d.Hash != hash {
			continue
		}
		a.Members++
		if f.Names != nil && f.Names[i] != sub {
			continue
		}
		level, _ := d.Level(f.Parent)
		a.Level = max(a.Level, level)
		a.Capabilities |= d.Capabilities(f.Parent)
		found = true
	}
	return a, found
}

// Bytes returns the size of the records: parent, deltas, and the members that
// are stored in full as well; names are not counted.
func (f *Family) Bytes() int {
	return parentSize + len(f.Deltas)*f.DeltaSize + len(f.Exact)*descriptorSize
}

// FirstMembers returns as many members as one family holds, the first by name.
// Those beyond stay in their records alone. It sorts the members.
func FirstMembers(members []Member) []Member {
	slices.SortFunc(members, func(a, b Member) int { return strings.Compare(a.Name, b.Name) })
	return members[:min(len(members), maxMembers)]
}

// addFamilies stores a family for every tool with two or more keys below it.
// What cannot be a family stays in its 24-byte records alone, which every
// lookup reads in any case.
func (b *Builder) addFamilies(w *imageWriter) error {
	families := map[string][]Member{}
	for key, r := range b.risks {
		if tool, sub, ok := strings.Cut(key, " "); ok && r.base != nil {
			families[tool] = append(families[tool], Member{Name: sub, Descriptor: r.base.Descriptor})
		}
	}
	kinds := map[string]uint16{}
	for _, root := range b.tools {
		kinds[root.Name] = FamilyKind(root.Class)
	}
	for _, tool := range sortedKeys(families) {
		if len(families[tool]) < 2 {
			continue
		}
		f, err := BuildFamily(tool, kinds[tool], FirstMembers(families[tool]), minDeltaSize)
		if err != nil {
			continue
		}
		w.begin(familyTable, tool)
		ref := w.add(familyTable, familyBlock, encodeFamily(f))
		w.keys[familyTable] = append(w.keys[familyTable], keyed{key: tool, ref: ref})
	}
	return nil
}

func encodeFamily(f *Family) []byte {
	e := &encoder{}
	e.uint(uint64(f.DeltaSize))
	parent := f.Parent.Encode()
	e.raw(parent[:])
	e.uint(uint64(len(f.Deltas)))
	for _, d := range f.Deltas {
		e.b = d.Append(e.b, f.DeltaSize)
	}
	e.strings(f.Names)
	e.uint(uint64(len(f.Exact)))
	for _, m := range f.Exact {
		e.string(m.Name)
		record := m.Descriptor.Encode()
		e.raw(record[:])
	}
	return e.payload()
}

// Family returns the family of a tool as the image holds it; nil if it has none.
func (im *Image) Family(tool string) (*Family, error) {
	h, ok, err := im.find(familyTable, tool)
	if err != nil || !ok {
		return nil, err
	}
	payload, err := im.block(familyTable, h.ref, familyBlock)
	if err != nil {
		return nil, err
	}
	d := newDecoder(payload)
	f := &Family{Tool: tool, DeltaSize: d.count()}
	if f.Parent, err = DecodeParent([]byte(d.raw(parentSize))); err != nil {
		return nil, err
	}
	f.Deltas = decodeList(d, func(d *decoder, x *Delta) {
		var err error
		if *x, err = DecodeDelta([]byte(d.raw(f.DeltaSize))); err != nil {
			d.fail()
		}
	})
	f.Names = d.strings()
	f.Exact = decodeList(d, func(d *decoder, m *Member) {
		m.Name = d.string()
		var err error
		if m.Descriptor, err = DecodeDescriptor([]byte(d.raw(descriptorSize))); err != nil {
			d.fail()
		}
	})
	if f.Names != nil && len(f.Names) != len(f.Deltas) || int(f.Parent.Count) != len(f.Deltas) {
		d.fail()
	}
	return f, d.err("family " + tool)
}

// FamilyKind is the number in Parent.Properties for the classes of a tool: the
// first of seed 001's kinds among them, 0 for none.
func FamilyKind(classes []string) uint16 {
	for _, class := range classes {
		for i, kind := range [...]string{VersionControlClass, FileSystemClass, ContainerClass, CloudClass, DatabaseClass, PackageManagerClass} {
			if class == kind {
				return uint16(i + 1)
			}
		}
	}
	return 0
}
