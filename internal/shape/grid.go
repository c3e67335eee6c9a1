package shape

import (
	"bytes"
	"slices"
)

// grid is one table while it is read.
type grid struct {
	how      byte  // what stands between its columns, as its head says; 0 unknown
	names    int   // words in the head
	at       []int // where columns begin in every row, if that can be told
	numbered bool  // each row so far has a number
	heads    []string
	again    []entry // heads that came again

	row   []heldLine // that is read
	small [][]heldLine
	size  int
	large bool
	n     int
	odds  *odds
	cells []cell
}

const (
	smallTable = 60
	smallText  = 12 << 10 // bytes of a small one
	firstRows  = 10
	maxOdd     = 500
	oddEach    = 10  // of rows that are not well and differ only in numbers
	maxRecord  = 400 // lines of a record
	inColumns  = '@' // every column begins in one place
)

// newGrid begins a table by its head.
func newGrid(head []byte) grid {
	list, how := cells(head, nil)
	t := grid{how: how, names: len(list)}
	if how == ' ' {
		t.at = columnsAt(head)
	}
	return t
}

// headed reports whether a line is the head of this table.
func (t *grid) headed(b []byte) bool {
	return t.n > 0 && slices.ContainsFunc(t.heads, func(h string) bool { return h == string(b) })
}

// columnsAt returns where the columns begin under a head whose names stand three
// blanks or more apart, as docker and kubectl write them.
func columnsAt(head []byte) []int {
	var at []int
	gap := 3
	for i, c := range head {
		switch {
		case c >= 0x80 || c == '\t':
			return nil
		case c == ' ':
			gap++
		default:
			if gap >= 3 {
				at = append(at, i)
			}
			gap = 0
		}
	}
	return at
}

// aligned reports whether the values of a row stand under the names.
func (t *grid) aligned(b []byte) bool {
	for i, at := range t.at {
		if at >= len(b) {
			return i > 1
		}
		end := len(b)
		if i+1 < len(t.at) {
			end = min(end, t.at[i+1])
		}
		value := trim(b[at:end])
		if at > 0 && b[at-1] != ' ' || len(value) > 0 && b[at] == ' ' || contains(value, "  ") {
			return false
		}
	}
	return true
}

// add takes the row that was read.
func (t *grid) add(p *tables) {
	p.rows++
	t.n++
	text := t.row[0].bytes
	if t.numbered = (t.numbered || t.n == 1) && len(t.row) == 1 && t.how != '|' && !wordy(text); t.large {
		t.place(p, t.row)
		return
	}
	var held []heldLine
	for _, h := range t.row {
		held = push(held, h.entry, h.bytes)
		t.size += len(h.bytes)
	}
	if t.small = append(t.small, held); len(t.small) <= smallTable && t.size <= smallText {
		return
	}
	t.large = true
	p.s.found.gaps = true
	t.odds = newOdds(p.g, rows)
	t.odds.ends = true
	t.align()
	for _, r := range t.small {
		t.place(p, r)
	}
	t.small = nil
}

// align decides whether the columns are those that the head says.
func (t *grid) align() {
	fit := 0
	for _, r := range t.small {
		if t.aligned(r[0].bytes) {
			fit++
		}
	}
	if len(t.at) > 2 && fit*10 >= len(t.small)*9 {
		t.how = inColumns
	}
}

// place decides a row of a long table.
func (t *grid) place(p *tables, r []heldLine) {
	t.cells = t.split(r)
	shown := t.odds.n < firstRows || p.unwell(r)
	if shown {
		p.keep(r)
	}
	t.odds.record(r, t.cells, shown)
}

// keep shows a row.
func (p *tables) keep(r []heldLine) {
	for _, h := range r {
		h.text = string(h.bytes)
		p.g.keepEntry(h.entry)
	}
}

// unwell reports whether a row tells of what is not well and is shown for it.
func (p *tables) unwell(r []heldLine) bool {
	for _, h := range r {
		if !odd(h.bytes) || len(p.seen) >= maxOdd {
			continue
		}
		id := skeleton(h.bytes)
		if p.seen[id]++; p.seen[id] <= oddEach {
			return true
		}
	}
	return false
}

// split returns the cells of a row.
func (t *grid) split(r []heldLine) []cell {
	b, out := r[0].bytes, t.cells[:0]
	switch {
	case len(r) > 1:
		for _, h := range r[1:] {
			if name, value, ok := named(h.bytes); ok && len(out) < maxCells {
				out = append(out, newCell(hash(name), value))
			}
		}
		return out
	case t.how == inColumns:
		for i, at := range t.at {
			if at >= len(b) || i >= maxCells {
				break
			}
			end := len(b)
			if i+1 < len(t.at) {
				end = min(end, t.at[i+1])
			}
			out = append(out, newCell(uint64(i), trim(b[at:end])))
		}
		return out
	case t.how == ' ' && t.names > 1:
		return fields(b, min(t.names, maxCells), out)
	case t.how == '|' || t.how == '\t' || t.how == ',':
		return parted(trimLeft(b), t.how, out)
	}
	out, _ = cells(b, out)
	return out
}

// named reads a line of a record: "name | value", "name: value".
func named(b []byte) (name, value []byte, ok bool) {
	if i := bytes.IndexByte(b, '|'); i > 0 {
		return trim(b[:i]), trim(b[i+1:]), true
	}
	if i := index(b, ": "); i > 0 {
		return trim(b[:i]), trim(b[i+2:]), true
	}
	return nil, nil, false
}

// flush decides what is left of the table.
func (t *grid) flush(p *tables) {
	for _, r := range t.small {
		p.keep(r)
	}
	for _, e := range t.again {
		if t.large {
			p.g.dropEntry(e, repeated)
		} else {
			p.g.keepEntry(e)
		}
	}
	if t.odds != nil {
		t.odds.finish()
	}
	*t = grid{}
}

// tabular reports whether lines are a table with a head: words, and below them
// rows of one form in which there are numbers; or records, line by line.
func tabular(lines [][]byte) bool {
	var head []byte
	forms := map[uint64]int{}
	all, most := 0, 0
	var list []cell
	for _, b := range lines {
		switch {
		case head == nil && recordHead(b):
			return true
		case blank(b):
		case head == nil:
			if !wordy(b) || access(b) {
				return false
			}
			head = b
		case !drawn(b):
			var how byte
			list, how = cells(b, list[:0])
			id := form(list, how)
			all++
			if forms[id]++; forms[id] > most && numbersIn(list) >= need(how) {
				most = forms[id]
			}
		}
	}
	if all < 8 || most*10 < all*8 {
		return false
	}
	list, _ = cells(head, list[:0])
	return len(list) > 2
}

// need is how many numbers a row has at least that is told from a sentence.
func need(how byte) int {
	if how == ' ' {
		return 2
	}
	return 1
}

func numbersIn(list []cell) (n int) {
	for _, c := range list {
		if c.number {
			n++
		}
	}
	return n
}
