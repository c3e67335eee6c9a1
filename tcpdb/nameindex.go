package tcpdb

import (
	"math/bits"

	"github.com/cespare/xxhash/v2"
)

// nameIndex finds flags by their names: a map[string]int that takes two pieces
// of memory, for it is built on every press of Tab.
type nameIndex struct {
	slots   []uint32 // place in entries plus one, 0 is empty; a power of two of them
	entries []nameEntry
}

type nameEntry struct {
	name string
	at   int
}

// newNameIndex makes room for the names of the flags.
func newNameIndex(lists ...[]Flag) *nameIndex {
	n := 0
	for _, flags := range lists {
		for i := range flags {
			n += len(flags[i].Names)
		}
	}
	return &nameIndex{slots: make([]uint32, 1<<bits.Len(uint(2*n))), entries: make([]nameEntry, 0, n)}
}

// slot returns where the name is, or where it would be.
func (x *nameIndex) slot(name string) *uint32 {
	mask := uint64(len(x.slots) - 1)
	for i := xxhash.Sum64String(name); ; i++ {
		s := &x.slots[i&mask]
		if *s == 0 || x.entries[*s-1].name == name {
			return s
		}
	}
}

// get returns the place that was set for the name, or -1.
func (x *nameIndex) get(name string) int {
	if s := *x.slot(name); s != 0 {
		return x.entries[s-1].at
	}
	return -1
}

func (x *nameIndex) set(name string, at int) {
	s := x.slot(name)
	if *s != 0 {
		x.entries[*s-1].at = at
		return
	}
	x.entries = append(x.entries, nameEntry{name, at})
	*s = uint32(len(x.entries))
}
