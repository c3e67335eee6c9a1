// Package recent keeps which words a person used in which place, so that Tab can
// rank them first. It knows words by their hashes alone: nothing that was typed
// can be read from the file.
//
// The file is an array of pages of 4 KiB; a directory and a command choose one
// of them, so that a Tab reads one page. A page is 16 bytes of header (magic,
// salt) and 255 records of 16 bytes: hash of salt, directory, command and word
// u64, minutes since 1970 u32, uses u16, check u16, little-endian. A record
// stands among the eight places that begin where its hash says. Records are
// written whole and in place, without a lock: of two writers of one record the
// later one counts. What does not prove itself is passed over.
package recent

import (
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/cespare/xxhash/v2"
)

const (
	pageSize   = 4096
	pages      = 64 // 256 KiB at most
	headerSize = 16
	recordSize = 16
	places     = (pageSize - headerSize) / recordSize
	probes     = 8
	magic      = 0x31434e5243455254 // "TRECNRC1"
)

// Mark is one use of a word.
type Mark struct {
	Dir     string // where the command works
	Command string // its canonical path, "git checkout"; with a flag's ID for a value of the flag
	Word    string
}

// Table is what is known of one directory and command.
type Table struct {
	page  *[pageSize]byte // apart: a page of memory for a page of the file
	place uint64
	now   uint32 // minutes
}

// Open reads what the file knows of a command in a directory; nil if nothing,
// for whatever reason.
func Open(file, dir, command string, now time.Time) *Table {
	if file == "" {
		return nil
	}
	f, err := open(file, os.O_RDONLY)
	if err != nil {
		return nil
	}
	defer syscall.Close(f)
	t := &Table{page: new([pageSize]byte), place: placeOf(dir, command), now: minutes(now)}
	if t.read(f) != nil {
		return nil
	}
	return t
}

// open opens the file and nothing that a link names in its place. A bare
// descriptor: a Tab needs neither a poller nor a finalizer.
func open(file string, mode int) (int, error) {
	for {
		f, err := syscall.Open(file, mode|syscall.O_NOFOLLOW|syscall.O_CLOEXEC|syscall.O_NONBLOCK, 0o600)
		if err != syscall.EINTR {
			return f, err
		}
	}
}

var errForeign = errors.New("not a page of recent uses")

// read reads the page of the table's place.
func (t *Table) read(f int) error {
	n, err := syscall.Pread(f, t.page[:], t.offset())
	switch {
	case err != nil:
		return err
	case n < pageSize:
		return io.ErrUnexpectedEOF
	case binary.LittleEndian.Uint64(t.page[:]) != magic:
		return errForeign
	}
	return nil
}

func (t *Table) offset() int64 { return int64(t.place%pages) * pageSize }

func placeOf(dir, command string) uint64 {
	return xxhash.Sum64String(dir + "\x00" + command)
}

func minutes(t time.Time) uint32 { return uint32(max(0, t.Unix()/60)) }

// key hashes a word in the table's place. A directory counts with and without
// its slash, an option with and without its "=".
func (t *Table) key(word string) uint64 {
	if n := len(word); n > 1 && (word[n-1] == '/' || word[n-1] == '=') {
		word = word[:n-1]
	}
	var room [128]byte
	b := append(room[:0], t.page[8:headerSize]...)
	b = binary.LittleEndian.AppendUint64(b, t.place)
	b = append(b, word...)
	return xxhash.Sum64(b) | 1 // never that of an empty place
}

// record is one place of the page.
type record struct {
	key  uint64
	when uint32
	uses uint16
}

func (t *Table) at(place int) []byte {
	i := headerSize + place%places*recordSize
	return t.page[i : i+recordSize : i+recordSize]
}

// get reads a place; the zero record if it is empty or damaged.
func (t *Table) get(place int) (r record) {
	b := t.at(place)
	if binary.LittleEndian.Uint16(b[14:]) != check(b) {
		return r
	}
	r.key = binary.LittleEndian.Uint64(b)
	r.when = binary.LittleEndian.Uint32(b[8:])
	r.uses = binary.LittleEndian.Uint16(b[12:])
	return r
}

func (t *Table) put(place int, r record) {
	b := t.at(place)
	binary.LittleEndian.PutUint64(b, r.key)
	binary.LittleEndian.PutUint32(b[8:], r.when)
	binary.LittleEndian.PutUint16(b[12:], r.uses)
	binary.LittleEndian.PutUint16(b[14:], check(b))
}

func check(record []byte) uint16 { return uint16(xxhash.Sum64(record[:14])) }

// Score ranks a word: 0 if it was never used here; higher the more often and
// the more lately.
func (t *Table) Score(word string) int {
	if t == nil {
		return 0
	}
	key := t.key(word)
	for i := range probes {
		if b := t.at(int(key%places) + i); binary.LittleEndian.Uint64(b) == key {
			return t.get(int(key%places) + i).score(t.now)
		}
	}
	return 0
}

// score weighs uses by how long ago the last one was.
func (r record) score(now uint32) int {
	const hour, day, week = 60, 24 * 60, 7 * 24 * 60
	switch age := int64(now) - int64(r.when); {
	case r.key == 0:
		return 0
	case age <= hour:
		return 16 * int(r.uses)
	case age <= day:
		return 8 * int(r.uses)
	case age <= week:
		return 2 * int(r.uses)
	}
	return int(r.uses)
}

// Note keeps marks. It makes the file, of mode 0600, where there is none; a
// file of another shape it empties.
func Note(file string, marks []Mark, now time.Time) error {
	if file == "" || len(marks) == 0 {
		return nil
	}
	f, err := open(file, os.O_RDWR|os.O_CREATE)
	if errors.Is(err, os.ErrNotExist) {
		if err = os.MkdirAll(filepath.Dir(file), 0o700); err == nil {
			f, err = open(file, os.O_RDWR|os.O_CREATE)
		}
	}
	if err != nil {
		return &os.PathError{Op: "open", Path: file, Err: err}
	}
	defer syscall.Close(f)
	for _, m := range marks {
		t := &Table{page: new([pageSize]byte), place: placeOf(m.Dir, m.Command), now: minutes(now)}
		if err := t.note(f, m.Word, now); err != nil {
			return &os.PathError{Op: "write", Path: file, Err: err}
		}
	}
	return nil
}

func (t *Table) note(f int, word string, now time.Time) error {
	switch err := t.read(f); err {
	case nil:
	case io.ErrUnexpectedEOF, errForeign:
		// A new page, or one that is none.
		*t.page = [pageSize]byte{}
		binary.LittleEndian.PutUint64(t.page[:], magic)
		binary.LittleEndian.PutUint64(t.page[8:], uint64(now.UnixNano())^uint64(os.Getpid())<<40)
		if _, err := syscall.Pwrite(f, t.page[:], t.offset()); err != nil {
			return err
		}
	default:
		return err
	}
	key := t.key(word)
	place, worst := int(key%places), -1
	for i := range probes {
		p := (int(key%places) + i) % places
		r := t.get(p)
		if r.key == key {
			place = p
			break
		}
		if s := r.score(t.now); worst < 0 || s < worst {
			place, worst = p, s
		}
	}
	r := t.get(place)
	if r.key != key {
		r = record{key: key}
	}
	r.when, r.uses = t.now, min(r.uses, 1<<16-2)+1
	t.put(place, r)
	_, err := syscall.Pwrite(f, t.at(place), t.offset()+int64(headerSize+place*recordSize))
	return err
}

// Forget removes the file.
func Forget(file string) error {
	err := os.Remove(file)
	if file == "" || errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}

// Steps are a path and those that lead to it, "a/", "a/b/", "a/b/c": at each of
// them a Tab offers the next. At most four.
func Steps(path string) []string {
	var steps []string
	for i := 1; i < len(path)-1 && len(steps) < 3; i++ {
		if path[i] == '/' {
			steps = append(steps, path[:i+1])
		}
	}
	return append(steps, strings.Clone(path))
}
