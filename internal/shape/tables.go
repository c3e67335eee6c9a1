package shape

import "bytes"

// tables reads the tables of docker and kubectl: every row that is not as it
// should be, and the first ones; and errors, each once.
type tables struct {
	s *Shaper
	g *ledger

	head  bool
	rows  int
	shown int
	small []entry
	large bool
	bad   int
	seen  map[uint64]int
}

const (
	smallTable = 60
	firstRows  = 10
	maxOdd     = 500
	oddEach    = 10 // of those that differ only in numbers
)

func newTables(s *Shaper) *tables { return &tables{s: s, g: &s.ledger, seen: map[uint64]int{}} }

func (p *tables) line(l line) {
	b := l.text
	if complaint(b) {
		p.bad++
		id := skeleton(parseRecord(b).message)
		if p.seen[id]++; p.seen[id] > 1 && len(p.seen) < maxLogKinds {
			p.g.drop(l, repeated)
			return
		}
		p.g.keep(l)
		return
	}
	if blank(b) {
		p.g.drop(l, blanks)
		return
	}
	if tableHead(b) {
		p.head = true
		p.g.keep(l)
		return
	}
	p.rows++
	if !p.large {
		p.small = append(p.small, p.g.entry(l))
		if len(p.small) <= smallTable {
			return
		}
		p.large = true
		for _, e := range p.small {
			p.row(e)
		}
		p.small = nil
		return
	}
	p.row(p.g.entry(l))
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
	return n > 3 && contains(b, "  ")
}

func complaint(b []byte) bool {
	if hasAny(b, "Error", "error", "Cannot connect", "The connection to the server", "Unable to", "unable to", "E1", "E0", "W1", "W0", "Warning:") {
		if b[0] == 'E' || b[0] == 'W' {
			if digit(b[1]) {
				_, ok := klog(b)
				return ok
			}
		}
		return true
	}
	return false
}

func (p *tables) row(e entry) {
	show := p.shown < firstRows
	if b := []byte(e.text); !show && odd(b) && p.shown < maxOdd && len(p.seen) < maxLogKinds {
		id := skeleton(b)
		p.seen[id]++
		show = p.seen[id] <= oddEach
	}
	if show {
		p.shown++
		p.g.keepEntry(e)
		return
	}
	p.g.dropEntry(e, rows)
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
	for _, e := range p.small {
		p.g.keepEntry(e)
	}
	if p.rows > 0 && p.head {
		add(p.s.found.fields, "rows", p.rows)
	}
	p.s.found.failures += p.bad
}
