package git

import (
	"encoding/binary"
	"errors"
	"slices"
	"strings"
)

// splitLink is the extension "link" of a split index: which shared index it
// goes with, and which entries of that are gone or replaced.
type splitLink struct {
	base             []byte
	deleted, changed []uint32 // numbers of entries of the base, ascending
}

var errBitmap = errors.New("bad bitmap")

func parseSplitLink(data []byte, idLen int) (*splitLink, error) {
	if len(data) < idLen {
		return nil, errShortIndex
	}
	link := &splitLink{base: data[:idLen]}
	if allBytesZero(link.base) {
		return nil, nil // no base: an ordinary index
	}
	data = data[idLen:]
	if len(data) == 0 {
		return link, nil
	}
	var err error
	if link.deleted, data, err = parseEWAH(data); err != nil {
		return nil, err
	}
	if link.changed, _, err = parseEWAH(data); err != nil {
		return nil, err
	}
	return link, nil
}

func allBytesZero(b []byte) bool {
	for _, c := range b {
		if c != 0 {
			return false
		}
	}
	return true
}

// parseEWAH reads a compressed bitmap (gitformat-bitmap(5), appendix A) and
// gives the numbers of the bits that are set.
func parseEWAH(data []byte) (set []uint32, rest []byte, err error) {
	if len(data) < 8 {
		return nil, nil, errBitmap
	}
	bits, words := uint64(binary.BigEndian.Uint32(data)), int(binary.BigEndian.Uint32(data[4:]))
	data = data[8:]
	if words > (len(data)-4)/8 || len(data) < 4 {
		return nil, nil, errBitmap
	}
	position := uint64(0)
	for i := 0; i < words; {
		marker := binary.BigEndian.Uint64(data[8*i:])
		i++
		run, literals := marker>>1&(1<<32-1)*64, int(marker>>33)
		if position+run > (bits+63)&^63 || literals > words-i {
			return nil, nil, errBitmap
		}
		if marker&1 == 1 {
			for end := min(position+run, bits); position < end; position++ {
				set = append(set, uint32(position))
			}
		} else {
			position += run
		}
		for range literals {
			word := binary.BigEndian.Uint64(data[8*i:])
			for bit := range uint64(64) {
				if word>>bit&1 == 1 && position+bit < bits {
					set = append(set, uint32(position+bit))
				}
			}
			position += 64
			i++
		}
	}
	return set, data[8*words+4:], nil
}

// join makes one index of a split one and its base: entries without a name
// replace those of the base that are marked, in order; the others are new.
func (ix *gitIndex) join(base *gitIndex) error {
	replaced := 0
	for replaced < len(ix.entries) && ix.entries[replaced].path == "" {
		replaced++
	}
	if replaced != len(ix.link.changed) {
		return errors.New("replacements do not match the bitmap")
	}
	for i, number := range ix.link.changed {
		if int(number) >= len(base.entries) {
			return errBitmap
		}
		e := ix.entries[i]
		e.path = base.entries[number].path
		base.entries[number] = e
	}
	joined := make([]indexEntry, 0, len(base.entries)+len(ix.entries)-replaced)
	deleted := ix.link.deleted
	for number, e := range base.entries {
		if len(deleted) > 0 && int(deleted[0]) == number {
			deleted = deleted[1:]
			continue
		}
		joined = append(joined, e)
	}
	joined = append(joined, ix.entries[replaced:]...)
	slices.SortStableFunc(joined, func(a, b indexEntry) int {
		if c := strings.Compare(a.path, b.path); c != 0 {
			return c
		}
		return a.stage() - b.stage()
	})
	ix.entries = joined
	return nil
}
