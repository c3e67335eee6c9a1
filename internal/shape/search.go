package shape

import "bytes"

// search reads what grep and ripgrep find: all of it while it is not much, else
// the first matches of each file and a count of the others.
type search struct {
	s    *Shaper
	g    *ledger
	seen map[string]*fileMatches

	small []entry
	large bool
	shown int
	size  int
	total int
	bad   int
	loose []entry // the last lines that name no file
}

type fileMatches struct {
	name  string
	n     int
	last  int // the line of the last match
	shown int
}

const (
	searchLines = 150 // up to so many lines, and
	searchBytes = 12 << 10
	perFile     = 5    // matches of a file that are shown,
	inAll       = 120  // while so many lines are,
	looseTail   = 20   // lines without a file at the end
	maxNotes    = 25   // files whose other matches are counted apart
	maxFiles    = 5000 // files whose matches are counted apart
)

func newSearch(s *Shaper) *search {
	return &search{s: s, g: &s.ledger, seen: map[string]*fileMatches{}}
}

func (p *search) line(l line) {
	if string(l.text) != "--" && !p.complaint(l.text) {
		p.total++
	}
	if !p.large {
		e := p.g.entry(l)
		p.small = append(p.small, e)
		p.size += len(e.text)
		if len(p.small) <= searchLines && p.size <= searchBytes {
			return
		}
		p.large = true
		for _, e := range p.small {
			p.place(entry{n: e.n, cut: e.cut}, []byte(e.text))
		}
		p.small = nil
		return
	}
	p.place(entry{n: l.n, cut: l.cut}, l.text)
}

func (p *search) show(e entry, b []byte) {
	text, cut := shorten(b, p.g.find)
	e.text, e.cut = string(text), e.cut+cut
	p.g.keepEntry(e)
}

// complaint reports whether a line is the program's own.
func (p *search) complaint(b []byte) bool {
	if hasAny(b, "grep: ", "rg: ", "egrep: ", "ag: ", "ERR:", "error: ", "regex parse error", "ugrep: ", "fatal: ", "Binary file ", "binary file matches") {
		if !has(b, "Binary") {
			p.bad++
		}
		return true
	}
	return false
}

func (p *search) place(e entry, b []byte) {
	if p.complaint(b) {
		p.show(e, b)
		return
	}
	name, match := matched(b)
	if name == "" {
		p.looseLine(e, b)
		return
	}
	f := p.seen[name]
	if f == nil {
		if len(p.seen) >= maxFiles {
			p.g.dropText(e, b, matches)
			return
		}
		f = &fileMatches{name: name}
		p.seen[name] = f
	}
	f.last = e.n
	if match {
		f.n++
	}
	switch {
	case !match && p.shown > inAll/2:
		p.g.dropText(e, b, context)
	case f.shown == 0 || f.shown < perFile && p.shown < inAll:
		f.shown++
		p.shown++
		p.show(e, b)
	case match:
		p.g.dropText(e, b, matches)
	default:
		p.g.dropText(e, b, context)
	}
}

// looseLine shows the first and the last of lines that name no file.
func (p *search) looseLine(e entry, b []byte) {
	if p.shown < inAll/2 {
		p.shown++
		p.show(e, b)
		return
	}
	text, cut := shorten(b, p.g.find)
	e.text, e.cut = string(text), e.cut+cut
	if p.loose = append(p.loose, e); len(p.loose) > looseTail {
		p.g.dropEntry(p.loose[0], matches)
		p.loose = append(p.loose[:0], p.loose[1:]...)
	}
}

// matched splits "path:12:text", "path:text" and, around a match,
// "path-12-text". It returns "" if b is none of them.
func matched(b []byte) (name string, match bool) {
	i := bytes.IndexByte(b, ':')
	if i > 0 && i < 300 && pathlike(b[:i]) && bytes.IndexByte(b[:i], ' ') < 0 {
		return string(b[:i]), true
	}
	for from := 0; from < len(b) && from < 300; {
		j := bytes.IndexByte(b[from:], '-')
		if j < 0 {
			break
		}
		j += from
		if _, n := number(b[j+1:]); n > 0 && j > 0 && j+1+n < len(b) && b[j+1+n] == '-' && pathlike(b[:j]) {
			return string(b[:j]), false
		}
		from = j + 1
	}
	return "", true
}

// rest says how many matches of each file are not shown, or of all files
// together where they are many; each file has its first match shown.
func (p *search) rest() {
	files, lines := 0, 0
	for _, f := range p.seen {
		if f.n > f.shown {
			files++
			lines += f.n - f.shown
		}
	}
	if files > maxNotes {
		p.g.note(p.g.total-1, plural(lines, "more match")+" in "+plural(files, "file")+" that are named above")
		return
	}
	for _, f := range p.seen {
		if left := f.n - f.shown; left > 0 {
			p.g.note(f.last, plural(left, "more line")+" of "+f.name)
		}
	}
}

func (p *search) finish() {
	for _, e := range p.small {
		p.g.keepEntry(e)
	}
	for _, e := range p.loose {
		p.g.keepEntry(e)
	}
	p.rest()
	fields := p.s.found.fields
	if len(p.seen) > 0 {
		add(fields, "matched_files", len(p.seen))
	}
	add(fields, "matched_lines", p.total)
	p.s.found.gaps = p.large && len(p.seen) == 0
	p.s.found.failures += p.bad
}
