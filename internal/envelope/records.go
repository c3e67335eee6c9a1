package envelope

import (
	"bytes"
	"strconv"
)

// Record is a line of a tool's output, taken apart.
type Record struct {
	Path    string
	Kind    Kind
	Line    int64 // its number
	Offset  int64 // -b
	Column  int64
	Count   int64 // of Counts
	Text    []byte
	Base    int64 // where Text begins in the line; it is a part of a very long one
	Size    int64 // of the whole line
	At      int64 // where in the line it matches, -1 if that is not known
	Off     int64 // where the record begins in the output
	End     int64
	NoBreak bool // it does not end with a newline
}

// Kind is what a record is.
type Kind uint8

const (
	Match Kind = iota
	ContextLine
	PathName
	PlainLine
	separator // between groups of lines
)

func (k Kind) String() string { return [...]string{"match", "context", "path", "line", ""}[k] }

// maxText is how much of a line is looked at, in bytes.
const maxText = 256 << 10

// Reader takes the output of a tool apart as it comes.
type Reader struct {
	c    *Call
	emit func(*Record)

	rest  []byte // the beginning of a record that is not complete
	skip  int64  // bytes of a very long line that are not in rest
	off   int64  // where rest begins in the output
	last  string // the path of the record before
	rec   Record
	limit int // of the text of a line
}

// NewReader returns a reader of what the call prints, from an offset of its output.
func NewReader(c *Call, off int64, emit func(*Record)) *Reader {
	return &Reader{c: c, emit: emit, off: off, limit: maxText}
}

// Write takes the next part of the output. It never fails.
func (r *Reader) Write(p []byte) (int, error) {
	n := len(p)
	if len(r.rest) > 0 {
		// A record that goes on: take what belongs to it, and the rest directly.
		for len(p) > 0 && len(r.rest) > 0 {
			cut := r.endIn(p)
			r.rest = append(r.rest, p[:cut]...)
			p = p[cut:]
			used := r.take(r.rest)
			r.rest = append(r.rest[:0], r.rest[used:]...)
			r.bound()
		}
	}
	if len(p) > 0 {
		used := r.take(p)
		r.rest = append(r.rest[:0], p[used:]...)
		r.bound()
	}
	return n, nil
}

// endIn is how much of p is up to the next byte that may end a record or its path.
func (r *Reader) endIn(p []byte) int {
	if i := bytes.IndexAny(p, "\n\x00"); i >= 0 {
		return i + 1
	}
	return len(p)
}

// bound keeps a very long line from filling the memory.
func (r *Reader) bound() {
	if len(r.rest) <= r.limit+8192 || r.c.Mode == Names {
		return
	}
	r.skip += int64(len(r.rest) - r.limit)
	r.rest = r.rest[:r.limit]
}

// Close ends the output. Lines of files end with a newline whatever the files do, so
// what is left of one is cut off, and dropped; of other output it is the last line.
func (r *Reader) Close() {
	if len(r.rest) > 0 && r.c.Mode == Plain {
		b := r.rest
		r.rest = nil
		r.one(append(b, '\n'), true)
	}
}

// take reads the whole records that b begins with, and returns their length.
func (r *Reader) take(b []byte) int {
	used := 0
	for used < len(b) {
		n := r.one(b[used:], false)
		if n == 0 {
			break
		}
		used += n
	}
	return used
}

// one reads a record; 0 means that its end is not there.
func (r *Reader) one(b []byte, last bool) int {
	if r.c.Mode == Plain {
		return r.plain(b, last)
	}
	if sep := r.c.OwnSeparator; sep != "" && len(b) > len(sep) && b[len(sep)] == '\n' && string(b[:len(sep)]) == sep {
		r.emit(&Record{Kind: separator, Off: r.off, End: r.off + int64(len(sep)) + 1})
		return r.advance(len(sep) + 1)
	}
	if r.c.Context && r.c.OwnSeparator == "" && !r.c.NoSeparator && bytes.HasPrefix(b, []byte("--\n")) {
		r.emit(&Record{Kind: separator, Off: r.off, End: r.off + 3})
		return r.advance(3)
	}
	zero := bytes.IndexByte(b, 0)
	if zero < 0 {
		return 0
	}
	if string(b[:zero]) != r.last {
		r.last = string(b[:zero])
	}
	rec := &r.rec
	*rec = Record{Path: r.last, At: -1, Off: r.off}
	if r.c.Mode == Names {
		rec.Kind, rec.End = PathName, r.off+int64(zero)+1
		if last {
			rec.End--
		}
		r.emit(rec)
		return r.advance(zero + 1)
	}
	eol := bytes.IndexByte(b[zero+1:], '\n')
	if eol < 0 {
		return 0
	}
	rest := b[zero+1 : zero+1+eol]
	n := zero + 1 + eol + 1
	if r.c.Mode == Counts {
		rec.Kind = PathName
		rec.Count, _ = leading(rest)
	} else {
		r.line(rec, rest)
	}
	rec.End = r.off + int64(n) + r.skip
	if last {
		rec.End--
	}
	r.emit(rec)
	return r.advance(n)
}

// line reads "12:text", "12-text", with an offset between if that was asked for.
func (r *Reader) line(rec *Record, b []byte) {
	n, used := leading(b)
	rec.Line = n
	sep := byte(':')
	if used < len(b) {
		sep = b[used]
		b = b[used+1:]
	} else {
		b = nil
	}
	if sep != ':' {
		rec.Kind = ContextLine
	}
	number := func(to *int64) {
		if n, used := leading(b); used > 0 && used < len(b) && b[used] == sep {
			*to, b = n, b[used+1:]
		}
	}
	if r.c.Column && rec.Kind == Match {
		number(&rec.Column)
	}
	if r.c.Offsets {
		number(&rec.Offset)
	}
	rec.Text, rec.Size = b, int64(len(b))+r.skip
}

func (r *Reader) plain(b []byte, last bool) int {
	eol := bytes.IndexByte(b, '\n')
	if eol < 0 {
		return 0
	}
	rec := &r.rec
	*rec = Record{Kind: PlainLine, Text: b[:eol], Size: int64(eol) + r.skip, At: -1, Off: r.off, NoBreak: last}
	rec.End = r.off + int64(eol) + 1 + r.skip
	if last {
		rec.End--
	}
	r.emit(rec)
	return r.advance(eol + 1)
}

func (r *Reader) advance(n int) int {
	r.off += int64(n) + r.skip
	r.skip = 0
	return n
}

// leading reads the decimal number that b begins with.
func leading(b []byte) (n int64, used int) {
	for used < len(b) && b[used] >= '0' && b[used] <= '9' {
		n = n*10 + int64(b[used]-'0')
		used++
	}
	return n, used
}

// appendPrefix writes what stands before the text of a line.
func (c *Call) appendPrefix(b []byte, rec *Record) []byte {
	sep := byte(':')
	if rec.Kind == ContextLine {
		sep = '-'
	}
	if !c.NoName {
		b = append(append(b, Quote(rec.Path)...), sep)
	}
	if !c.NoNumber {
		b = append(strconv.AppendInt(b, rec.Line, 10), sep)
	}
	if c.Column && rec.Kind == Match {
		b = append(strconv.AppendInt(b, rec.Column, 10), sep)
	}
	if c.Offsets {
		b = append(strconv.AppendInt(b, rec.Offset, 10), sep)
	}
	return b
}
