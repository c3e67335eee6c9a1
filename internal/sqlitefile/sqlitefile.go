// Package sqlitefile reads the schema of an SQLite database straight from its
// file: it takes no lock, writes nothing and runs no SQL, so that it can look at
// a database that is in use or that a stranger made. The format is that of
// https://www.sqlite.org/fileformat2.html.
//
// A database in WAL mode is read with the transactions that its log has
// committed. A rollback journal that a crash left behind is not played back: the
// schema is then the one that the crash left.
package sqlitefile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"unicode/utf16"
)

// Entry is a row of sqlite_schema.
type Entry struct {
	Type  string // "table", "view", "index" or "trigger"
	Name  string
	Table string // the table that it belongs to
	SQL   string // the statement that made it, "" for what SQLite makes itself
}

// Bounds on what is read of a file, which anybody may have made.
const (
	maxPages   = 65_536  // of the schema's tree
	maxDepth   = 40      // of that tree; SQLite itself stops at 20
	maxPayload = 4 << 20 // bytes of one row
	maxTotal   = 64 << 20
)

var (
	// ErrNotDatabase is a file that is no SQLite database.
	ErrNotDatabase = errors.New("not an SQLite database")
	// ErrDamaged is a database whose schema cannot be read whole.
	ErrDamaged = errors.New("the schema of the database is damaged")
	// ErrStopped is a reading that was told to stop.
	ErrStopped = errors.New("stopped before the schema was read whole")
)

// File is a database or its log: what is read and how long it is, in bytes.
type File struct {
	io.ReaderAt
	Size int64
}

// Schema gives the rows of sqlite_schema in the order of their making. log is the
// database's write-ahead log; its Size is 0 if there is none. stop is asked now
// and then whether to give up; it may be nil. What was given before an error is
// good. An empty file is an empty database.
func Schema(db, log File, stop func() bool, each func(Entry)) error {
	if db.Size == 0 && log.Size == 0 {
		return nil
	}
	r := &reader{db: db, stop: stop, each: each}
	if err := r.open(log); err != nil {
		return err
	}
	return r.tree(1, 0)
}

type reader struct {
	db     File
	log    wal
	stop   func() bool
	each   func(Entry)
	size   int // of a page
	usable int // of that without what is reserved at its end
	utf16  binary.ByteOrder
	pages  int
	total  int
	seen   map[uint32]struct{}
	// buffers hold a page for each level of the tree, and one more for a page of
	// a row that goes on.
	buffers [maxDepth + 2][]byte
}

const magic = "SQLite format 3\x00"

// open reads the header, which the log may have in a newer form.
func (r *reader) open(log File) error {
	var head [100]byte
	if r.db.Size >= int64(len(head)) {
		if _, err := r.db.ReadAt(head[:], 0); err != nil {
			return err
		}
		if string(head[:16]) != magic {
			return ErrNotDatabase
		}
		r.size = pageSize(binary.BigEndian.Uint16(head[16:]))
		if r.size == 0 {
			return ErrDamaged
		}
	} else if r.db.Size > 0 {
		return ErrNotDatabase
	}
	if log.Size > 0 {
		r.log = openLog(log, r.size, r.stop)
		if r.size == 0 {
			r.size = r.log.size
		}
	}
	if r.size == 0 {
		return nil // nothing is committed yet
	}
	page, err := r.page(1, 0)
	if err != nil {
		return err
	}
	if string(page[:16]) != magic || pageSize(binary.BigEndian.Uint16(page[16:])) != r.size {
		return ErrDamaged
	}
	r.usable = r.size - int(page[20])
	if r.usable < 480 {
		return ErrDamaged
	}
	switch binary.BigEndian.Uint32(page[56:]) {
	case 2:
		r.utf16 = binary.LittleEndian
	case 3:
		r.utf16 = binary.BigEndian
	}
	return nil
}

// pageSize decodes a page's size; 0 if it is none.
func pageSize(n uint16) int {
	switch {
	case n == 1:
		return 65_536
	case n < 512 || n&(n-1) != 0:
		return 0
	}
	return int(n)
}

// page reads a page into one of the buffers; pages count from 1.
func (r *reader) page(n uint32, buffer int) ([]byte, error) {
	if r.pages++; r.pages > maxPages {
		return nil, fmt.Errorf("%w: more than %d pages", ErrDamaged, maxPages)
	}
	if r.stop != nil && r.stop() {
		return nil, ErrStopped
	}
	if n == 0 {
		return nil, ErrDamaged
	}
	if r.buffers[buffer] == nil {
		r.buffers[buffer] = make([]byte, r.size)
	}
	data := r.buffers[buffer]
	from, at := r.db, int64(n-1)*int64(r.size)
	if offset, ok := r.log.pages[n]; ok {
		from, at = r.log.file, offset
	}
	if at+int64(r.size) > from.Size {
		return nil, fmt.Errorf("%w: page %d lies beyond its end", ErrDamaged, n)
	}
	if _, err := from.ReadAt(data, at); err != nil {
		return nil, fmt.Errorf("%w: page %d: %w", ErrDamaged, n, err)
	}
	return data, nil
}

// tree walks the table whose root is page n, in the order of its keys.
func (r *reader) tree(n uint32, depth int) error {
	if r.size == 0 {
		return nil
	}
	if r.seen == nil {
		r.seen = map[uint32]struct{}{}
	}
	if _, twice := r.seen[n]; twice || depth > maxDepth {
		return fmt.Errorf("%w: page %d leads to itself", ErrDamaged, n)
	}
	r.seen[n] = struct{}{}
	page, err := r.page(n, depth)
	if err != nil {
		return err
	}
	head := 0
	if n == 1 {
		head = 100
	}
	kind, cells := page[head], int(binary.BigEndian.Uint16(page[head+3:]))
	first := head + 8
	switch kind {
	case 5:
		first = head + 12
	case 13:
	default:
		return fmt.Errorf("%w: page %d is not of a table", ErrDamaged, n)
	}
	if first+2*cells > r.usable {
		return fmt.Errorf("%w: page %d has too many cells", ErrDamaged, n)
	}
	for i := range cells {
		at := int(binary.BigEndian.Uint16(page[first+2*i:]))
		if at < first+2*cells || at+4 > r.usable {
			return fmt.Errorf("%w: page %d: a cell lies outside", ErrDamaged, n)
		}
		if kind == 5 {
			err = r.tree(binary.BigEndian.Uint32(page[at:]), depth+1)
		} else {
			err = r.row(page, at)
		}
		if err != nil {
			return err
		}
	}
	if kind == 5 {
		return r.tree(binary.BigEndian.Uint32(page[head+8:]), depth+1)
	}
	return nil
}

// row reads the row in the cell at an offset of a leaf.
func (r *reader) row(page []byte, at int) error {
	length, n := varint(page[at:r.usable])
	if n == 0 || length > maxPayload {
		return fmt.Errorf("%w: a row is too long", ErrDamaged)
	}
	at += n
	if _, n = varint(page[at:r.usable]); n == 0 {
		return ErrDamaged
	}
	at += n
	size := int(length)
	if r.total += size; r.total > maxTotal {
		return fmt.Errorf("%w: longer than %d bytes", ErrDamaged, maxTotal)
	}
	local := r.local(size)
	if at+local > r.usable {
		return ErrDamaged
	}
	payload := page[at : at+local]
	if local < size {
		if at+local+4 > r.usable {
			return ErrDamaged
		}
		payload = append(make([]byte, 0, size), payload...)
		var err error
		if payload, err = r.overflow(payload, binary.BigEndian.Uint32(page[at+local:]), size); err != nil {
			return err
		}
	}
	e, ok := r.record(payload)
	if !ok {
		return fmt.Errorf("%w: a row cannot be read", ErrDamaged)
	}
	r.each(e)
	return nil
}

// local is how much of a row of a size stands in its leaf.
func (r *reader) local(size int) int {
	most := r.usable - 35
	if size <= most {
		return size
	}
	least := (r.usable-12)*32/255 - 23
	if k := least + (size-least)%(r.usable-4); k <= most {
		return k
	}
	return least
}

// overflow follows a chain of pages until the row is whole.
func (r *reader) overflow(payload []byte, next uint32, size int) ([]byte, error) {
	for len(payload) < size {
		page, err := r.page(next, maxDepth+1)
		if err != nil {
			return nil, err
		}
		next = binary.BigEndian.Uint32(page)
		payload = append(payload, page[4:min(r.usable, 4+size-len(payload))]...)
	}
	return payload, nil
}

// record reads the first, second, third and fifth column of a row.
func (r *reader) record(b []byte) (e Entry, ok bool) {
	header, n := varint(b)
	if n == 0 || header > uint64(len(b)) {
		return e, false
	}
	at := int(header)
	for column := 0; column < 5 && n < int(header); column++ {
		kind, k := varint(b[n:header])
		if k == 0 {
			return e, false
		}
		n += k
		length := width(kind)
		if length > uint64(len(b)-at) {
			return e, false
		}
		value := b[at : at+int(length)]
		at += int(length)
		if kind < 13 || kind&1 == 0 {
			continue // no text
		}
		switch column {
		case 0:
			e.Type = r.text(value)
		case 1:
			e.Name = r.text(value)
		case 2:
			e.Table = r.text(value)
		case 4:
			e.SQL = r.text(value)
		}
	}
	return e, e.Type != "" && e.Name != ""
}

// width is how many bytes a value of a serial type takes.
func width(kind uint64) uint64 {
	switch {
	case kind >= 12:
		return (kind - 12) / 2
	case kind == 5:
		return 6
	case kind == 6, kind == 7:
		return 8
	case kind <= 4:
		return kind
	}
	return 0
}

func (r *reader) text(b []byte) string {
	if r.utf16 == nil {
		return string(b)
	}
	units := make([]uint16, len(b)/2)
	for i := range units {
		units[i] = r.utf16.Uint16(b[2*i:])
	}
	return string(utf16.Decode(units))
}

// varint reads a number of one to nine bytes; n is 0 if b ends before it.
func varint(b []byte) (v uint64, n int) {
	for i := range min(len(b), 9) {
		if i == 8 {
			return v<<8 | uint64(b[i]), 9
		}
		v = v<<7 | uint64(b[i]&0x7f)
		if b[i] < 0x80 {
			return v, i + 1
		}
	}
	return 0, 0
}
