package tcpdb

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/cespare/xxhash/v2"
)

// FormatVersion is the version of the file format that Build writes. A reader
// takes every version from 1 up to its own and answers ErrNewer above it.
//
//	1  first version: header, section table, five tables, meta block
//	2  specs that go on, arguments that come with flags
//	3  roles of flags and arguments, classes and forms of output of nodes
//	4  operations with the managers and values that they apply with
//	5  room between groups of heads
//	6  what is at stake with an entry, above its scope
const FormatVersion = 6

// Reasons why a file cannot be used, to be tested with errors.Is.
var (
	ErrNotMap  = errors.New("not a compiled map")
	ErrNewer   = errors.New("written by a newer version")
	ErrCorrupt = errors.New("damaged map")
)

const (
	magic      = "\x89TCPDB\r\n" // a copy in text mode breaks it, as with PNG
	headerSize = 64
	rowSize    = 32
	maxRows    = 64
)

// tableID names one of the keyed tables of an image.
type tableID uint8

const (
	metaTable   tableID = iota // no key: one block of source stamps
	toolTable                  // tool name → node
	riskTable                  // canonical node path → descriptor, entry, variants
	opTable                    // operation ID → operation
	intentTable                // normalised intent → operation IDs
	familyTable                // tool name → v3 family
	detailTable                // operation ID → what only running it needs

	tableCount
)

// A table has up to three sections; the kind of a section is
// 4·table + part.
const (
	indexPart = 0
	headsPart = 1
	bodyPart  = 2

	kindCount = 4 * int(tableCount)
)

// extent is the place of a section in the file.
type extent struct{ off, len int }

// Image is one compiled map, embedded or mapped from a file. Its methods may be
// called from several goroutines; Close must not be called beside them.
// Everything they return outlives Close: what a mapped file says is copied.
type Image struct {
	data     []byte
	mapped   bool // data is a file's memory and may fault
	unmap    func() error
	sections [kindCount]extent
	digest   [32]byte
	file     string // where it was mapped from
	err      error  // why a core image could not be read
}

// Parse reads an image from memory that does not change. Only the header and
// the section table are looked at; every block is checked when it is used.
// Errors: ErrNotMap, ErrNewer, ErrCorrupt.
func Parse(data []byte) (*Image, error) {
	im := &Image{data: data}
	if err := im.open(); err != nil {
		return nil, err
	}
	return im, nil
}

// Close releases the memory of a mapped image. An image made by Parse is not
// affected.
func (im *Image) Close() error {
	if im.unmap == nil {
		return nil
	}
	unmap := im.unmap
	im.unmap, im.data = nil, nil
	return unmap()
}

// Digest returns the SHA-256 over everything behind the header, as the header
// states it. Verify checks that it is true.
func (im *Image) Digest() [32]byte { return im.digest }

// open reads header and section table.
func (im *Image) open() error {
	if len(im.data) < headerSize {
		if len(im.data) >= len(magic) && string(im.data[:len(magic)]) == magic {
			return corrupt("the file ends inside its header, at byte %d", len(im.data))
		}
		return ErrNotMap
	}
	var head [headerSize]byte
	if err := im.copyOut(head[:], 0); err != nil {
		return err
	}
	if string(head[:8]) != magic {
		return ErrNotMap
	}
	if v := binary.LittleEndian.Uint32(head[8:]); v > FormatVersion {
		return fmt.Errorf("%w: format %d, this program reads up to %d", ErrNewer, v, FormatVersion)
	} else if v == 0 {
		return corrupt("format version 0")
	}
	rows := int(binary.LittleEndian.Uint32(head[12:]))
	size := binary.LittleEndian.Uint64(head[16:])
	if size != uint64(len(im.data)) {
		return corrupt("the header says %d bytes, the file has %d", size, len(im.data))
	}
	if rows > maxRows || headerSize+rows*rowSize > len(im.data) {
		return corrupt("a section table of %d rows does not fit", rows)
	}
	var room [56 + maxRows*rowSize]byte
	table := room[:56+rows*rowSize]
	copy(table, head[:56])
	if err := im.copyOut(table[56:], headerSize); err != nil {
		return err
	}
	if xxhash.Sum64(table) != binary.LittleEndian.Uint64(head[56:]) {
		return corrupt("checksum of the header and section table")
	}
	copy(im.digest[:], head[24:56])
	return im.readRows(table[56:])
}

// readRows takes over the section table. Sections of kinds it does not know are
// passed over, so that a later version can add some without a new number.
func (im *Image) readRows(rows []byte) error {
	for ; len(rows) >= rowSize; rows = rows[rowSize:] {
		kind := binary.LittleEndian.Uint32(rows)
		off := binary.LittleEndian.Uint64(rows[8:])
		length := binary.LittleEndian.Uint64(rows[16:])
		size := uint64(len(im.data))
		if off < headerSize || off > size || length > size-off || off%8 != 0 {
			return corrupt("section %d lies outside the file", kind)
		}
		if kind >= uint32(kindCount) {
			continue
		}
		if im.sections[kind].off != 0 {
			return corrupt("section %d occurs twice", kind)
		}
		if kind%4 == indexPart && kind >= 4 && (length%bucketSize != 0 || length&(length-1) != 0) {
			return corrupt("index %d has %d bytes", kind, length)
		}
		im.sections[kind] = extent{int(off), int(length)}
	}
	return nil
}

func (im *Image) section(t tableID, part int) extent { return im.sections[4*int(t)+part] }

func corrupt(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrCorrupt, fmt.Sprintf(format, args...))
}
