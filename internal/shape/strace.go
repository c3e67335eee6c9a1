package shape

import "bytes"

// straced reads what strace says: the calls that failed, of each kind the first
// ones and the last, what was run and written to standard error, signals and
// ends; not the calls that did what they were asked for.
type straced struct {
	s    *Shaper
	g    *ledger
	etc  *spread
	seen map[string]int
	late []entry // calls that failed, the last ones
}

const (
	failedEach = 2 // calls of one name with one error that are shown,
	failedLate = 4 // and of all the last
)

func newStraced(s *Shaper) *straced {
	return &straced{s: s, g: &s.ledger, etc: newSpread(&s.ledger, wide()), seen: map[string]int{}}
}

func (p *straced) line(l line) {
	b := l.text
	if has(b, "[pid ") {
		if i := index(b, "] "); i > 0 {
			b = b[i+2:]
		}
	} else if _, n := number(b); n > 0 {
		b = trimLeft(b[n:])
	}
	name := callName(b)
	switch i := index(b, " = -1 E"); {
	case name == "", hasAny(b, "execve(", "exit_group(", "write(2, ", "kill(", "tgkill("):
		p.etc.line(l)
	case i > 0:
		p.failed(l, name, b[i+len(" = -1 "):])
	default:
		p.g.drop(l, events)
	}
}

// callName is the name of the system call that a line tells of, or "".
func callName(b []byte) string {
	i := bytes.IndexByte(b, '(')
	if has(b, "<... ") && contains(b, " resumed>") {
		return string(b[5:index(b, " resumed>")])
	}
	if i <= 0 || !contains(b[i:], ") = ") && !contains(b[i:], ")  ") && !ends(b, "<unfinished ...>") {
		return ""
	}
	for _, c := range b[:i] {
		if !letter(c) && !digit(c) && c != '_' {
			return ""
		}
	}
	return string(b[:i])
}

func (p *straced) failed(l line, name string, errno []byte) {
	errno, _, _ = bytes.Cut(errno, []byte(" "))
	key := name + " " + string(errno)
	if p.seen[key] < failedEach && len(p.seen) < maxKinds {
		p.seen[key]++
		p.g.keep(l)
		return
	}
	if p.late = append(p.late, p.g.entry(l)); len(p.late) > failedLate {
		p.g.dropEntry(p.late[0], repeated)
		p.late = append(p.late[:0], p.late[1:]...)
	}
}

func (p *straced) finish() {
	for _, e := range p.late {
		p.g.keepEntry(e)
	}
	p.etc.finish()
	p.s.found.failures += len(p.seen)
}
