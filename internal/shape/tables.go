package shape

import "bytes"

// tables reads tables, with a head or without: all rows while they are few, else
// the first ones and those that deviate in a column or tell of what is not well;
// and errors, each once. A record that is written line by line
// ("-[ RECORD 1 ]", "*** 1. row ***") is a row.
type tables struct {
	s *Shaper
	g *ledger

	now    grid
	begun  bool // a row was read since the head, or the last blank line
	heads  int  // that followed on each other
	headed bool
	rows   int
	seen   map[uint64]int // what errors say, and rows that are not well
	bad    int
	record []heldLine // that is read
	over   int        // lines of it that were let go
}

const maxHeads = 3 // lines without a number that are the head of one table

func newTables(s *Shaper) *tables { return &tables{s: s, g: &s.ledger, seen: map[uint64]int{}} }

func (p *tables) line(l line) {
	b := l.text
	switch {
	case recordHead(b):
		p.endRecord()
		p.begun = true
		p.record = p.hold(p.record, l)
	case len(p.record) > 0 && !blank(b) && !tallied(b):
		if len(p.record) < maxRecord {
			p.record = p.hold(p.record, l)
			break
		}
		p.g.drop(l, rows)
		p.over++
	default:
		p.endRecord()
		p.plain(l)
	}
}

func (p *tables) hold(list []heldLine, l line) []heldLine {
	text, cut := shorten(l.text, p.g.find)
	return push(list, entry{n: l.n, cut: l.cut + cut}, text)
}

// plain takes a line that is in no record.
func (p *tables) plain(l line) {
	b := l.text
	switch {
	case complaint(b):
		p.complain(l)
	case blank(b):
		p.begun = false
		p.g.drop(l, blanks)
	case drawn(b):
		if p.now.large {
			p.g.drop(l, headings)
		} else {
			p.g.keep(l)
		}
	case tallied(b):
		p.g.keep(l)
	case p.now.headed(b): // the same head again, as vmstat writes it for who reads along
		p.now.again = append(p.now.again, p.g.entry(l))
	case p.head(b):
		p.newTable(l)
	default:
		p.begun, p.heads = true, 0
		p.now.row = p.hold(p.now.row[:0], l)
		p.now.add(p)
	}
}

// newTable takes a head: of the table that it begins, or one more line of it.
func (p *tables) newTable(l line) {
	above := p.now.heads
	if p.now.n > 0 {
		above = nil
	}
	p.now.flush(p)
	p.now = newGrid(l.text)
	p.now.heads = append(above, string(l.text))
	p.headed, p.begun = true, false
	p.heads++
	p.g.keep(l)
}

func (p *tables) complain(l line) {
	p.bad++
	id := skeleton(parseRecord(l.text).message)
	if p.seen[id]++; p.seen[id] > 1 && len(p.seen) < maxLogKinds {
		p.g.drop(l, repeated)
		return
	}
	p.g.keep(l)
}

// head reports whether a line is the head of a table: words in capitals, or
// words where a table can begin.
func (p *tables) head(b []byte) bool {
	if tableHead(b) {
		return true
	}
	return (!p.begun && p.heads < maxHeads || p.now.numbered) && wordy(b)
}

func (p *tables) endRecord() {
	if len(p.record) == 0 {
		return
	}
	p.now.row, p.record = p.record, p.now.row[:0]
	p.now.add(p)
}

// tableHead reports whether a line is the head of a table: words in capitals.
func tableHead(b []byte) bool {
	n := 0
	for _, c := range b {
		switch {
		case c >= 'a' && c <= 'z':
			return false
		case c >= 'A' && c <= 'Z':
			n++
		}
	}
	return n > 3 && (contains(b, "  ") || bytes.IndexByte(b, '\t') > 0) && wordy(b)
}

// wordy reports whether a line has several words and no number.
func wordy(b []byte) bool {
	n := 0
	for t := trimLeft(b); len(t) > 0; n++ {
		i := 0
		for i < len(t) && t[i] != ' ' && t[i] != '\t' {
			i++
		}
		if _, _, ok := quantity(t[:i]); ok {
			return false
		}
		t = trimLeft(t[i:])
	}
	return n > 1 && bytes.ContainsFunc(b, func(r rune) bool { return r|0x20 >= 'a' && r|0x20 <= 'z' })
}

// drawn reports whether a line is drawn between the parts of a table.
func drawn(b []byte) bool {
	t := trim(b)
	return len(t) > 3 && len(bytes.Trim(t, "-=+|: \t_─━┼│├┤┌┐└┘┬┴╞╡╪═╤╧")) == 0
}

// recordHead reports whether a line begins a record that is written line by
// line, as psql -x and mysql \G do.
func recordHead(b []byte) bool {
	if has(b, "-[ RECORD ") {
		return true
	}
	return has(b, "***") && ends(b, "***") && contains(b, ". row *")
}

// tallied reports whether a line counts the rows: "(200 rows)", "200 rows in set
// (0.01 sec)", "120 loaded units listed."
func tallied(b []byte) bool {
	t := bytes.TrimPrefix(trimLeft(b), []byte("("))
	_, n := number(t)
	return n > 0 && (hasAny(t[n:], " row)", " rows)", " row in set", " rows in set") || contains(t[n:], " listed."))
}

// complaint reports whether a line is what the program says of an error.
func complaint(b []byte) bool {
	switch {
	case hasAny(b, "Error", "error"):
		return len(b) > 5 && (b[5] == ':' || hasAny(b[5:], " from server", " response from", " in ", " when "))
	case hasAny(b, "Cannot connect", "The connection to the server", "Unable to", "unable to", "Warning:", "fatal:", "psql:", "ERROR:"):
		return true
	case len(b) > 1 && (b[0] == 'E' || b[0] == 'W') && digit(b[1]):
		_, ok := klog(b)
		return ok
	}
	return false
}

// odd reports whether a row tells of something that is not well.
func odd(b []byte) bool {
	if alarming(b) {
		return true
	}
	for _, w := range []string{"CrashLoop", "BackOff", "Pending", "Evicted", "Terminating", "Unknown", "NotReady", "Exited (", "Restarting", "unhealthy", "Dead", "Init:", "ContainerCreating", "OOM", "Lost", "False"} {
		if contains(b, w) {
			return !contains(b, "Exited (0)")
		}
	}
	// READY 0/1
	if i := bytes.IndexByte(b, '/'); i > 0 && i+1 < len(b) && digit(b[i-1]) && digit(b[i+1]) {
		word := b[bytes.LastIndexByte(b[:i], ' ')+1 : i]
		_, n := number(word)
		return n == len(word) && b[i-1] != b[i+1]
	}
	return false
}

func (p *tables) finish() {
	p.endRecord()
	p.now.flush(p)
	if p.rows > 0 && p.headed {
		add(p.s.found.fields, "rows", p.rows)
	}
	p.s.found.failures += p.bad
}
