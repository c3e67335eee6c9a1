package tcpdb

import "github.com/cespare/xxhash/v2"

// nameIndex finds flags by their names: a map[string]int that mostly needs no
// memory but what it is given, for it is built on every press of Tab.
type nameIndex struct {
	slots   []uint32 // place in entries plus one, 0 is empty; a power of two of them
	entries []nameEntry
}

type nameEntry struct {
	name string
	at   int
}

// slot returns where the name is, or where it would be.
func (x nameIndex) slot(name string) *uint32 {
	mask := uint64(len(x.slots) - 1)
	for i := xxhash.Sum64String(name); ; i++ {
		s := &x.slots[i&mask]
		if *s == 0 || x.entries[*s-1].name == name {
			return s
		}
	}
}

// get returns the place that was set for the name, or -1.
func (x nameIndex) get(name string) int {
	if s := *x.slot(name); s != 0 {
		return x.entries[s-1].at
	}
	return -1
}

// set returns the index with the place of a name, as append does: through a pointer
// the compiler would not see that it may stay on the stack.
func (x nameIndex) set(name string, at int) nameIndex {
	s := x.slot(name)
	if *s != 0 {
		x.entries[*s-1].at = at
		return x
	}
	if len(x.entries) == len(x.slots)/2 {
		x.slots = make([]uint32, 2*len(x.slots))
		for i := range x.entries {
			*x.slot(x.entries[i].name) = uint32(i + 1)
		}
		s = x.slot(name)
	}
	x.entries = append(x.entries, nameEntry{name, at})
	*s = uint32(len(x.entries))
	return x
}
