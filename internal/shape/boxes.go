package shape

import "bytes"

// boxes reads diagnostics with a frame around the source: a line that says what
// is wrong, ",-[src/a.js:1:7]" or "╭─[…]" with the place, the source up to
// "`----", and advice (miette, as oxlint and others use it).
type boxes struct {
	said   *entry // waits for its place
	inside bool   // the source follows
	advice bool   // "help:" may follow
	header bool   // Biome: the message of a place follows, then its source
}

// boxPlace returns the place in the first line of a frame, or nil.
func boxPlace(t []byte) []byte {
	for _, open := range []string{",-[", "╭─["} {
		if has(t, open) && ends(t, "]") {
			return t[len(open) : len(t)-1]
		}
	}
	return nil
}

// boxSays reports whether a line is what a frame comes after.
func boxSays(b, t []byte) bool {
	return len(t) < len(b) && hasAny(t, "! ", "x ", "× ", "⚠ ") && len(t) > 8
}

// biomeHead returns the length of the place in "src/a.js:1:20 lint/style/useX
// FIXABLE ━━━━", or 0.
func biomeHead(b []byte) int {
	if !ends(b, "━") {
		return 0
	}
	i := bytes.IndexByte(b, ' ')
	if i <= 0 || !hasAny(b[i+1:], "lint/", "assist/", "format ", "organizeImports", "parse ", "suppressions/") {
		return 0
	}
	return i
}

// framed reads a line of such a diagnostic.
func (p *build) framed(l line, t []byte) bool {
	b, x := l.text, &p.boxes
	if x.idle() && t[0] < 0x80 && t[0] != ',' && t[0] != '!' && t[0] != 'x' && b[len(b)-1] < 0x80 {
		return false
	}
	switch place := boxPlace(t); {
	case x.inside:
		x.inside = !hasAny(t, "`--", "╰──") || hasAny(t, "`-- ", "╰── ")
		x.advice = true
		p.g.drop(l, excerpts)
	case place != nil:
		x.inside = true
		p.boxed(l, place)
	case x.advice && (hasAny(t, "help:", "note:", "url:") || len(t) < len(b)) && !boxSays(b, t):
		p.g.drop(l, hints)
	case boxSays(b, t) && !x.header:
		x.flush(p)
		e := p.g.entry(l)
		x.said, x.advice = &e, false
	case biomeHead(b) > 0:
		p.biome(l)
	case x.header && len(t) < len(b):
		if hasAny(t, "! ", "× ", "✖ ") && !p.hidden {
			p.hidden = true // one line of each says what is wrong
			p.g.keep(l)
			break
		}
		p.g.drop(l, excerpts)
	default:
		x.flush(p)
		x.advice, x.header = false, false
		return false
	}
	return true
}

// idle reports whether no line of such a diagnostic is expected.
func (x *boxes) idle() bool { return x.said == nil && !x.inside && !x.advice && !x.header }

// flush shows a line that no frame followed.
func (x *boxes) flush(p *build) {
	if x.said != nil {
		p.etc.add(*x.said, []byte(x.said.text))
		x.said = nil
	}
}

// boxed decides a diagnostic by the place of its frame.
func (p *build) boxed(l line, place []byte) {
	said := p.boxes.said
	p.boxes.said = nil
	if said == nil {
		p.g.keep(l)
		return
	}
	t := trim([]byte(said.text))
	rule := t
	if i := index(t, "): "); i > 0 {
		rule = t[2 : i+1]
	}
	again := false
	if hasAny(t, "! ", "⚠ ") {
		p.warned++
		again = p.often(rule, l.n, nil, place)
	} else {
		p.errors++
		again = p.again(t, l.n, nil, place)
	}
	if again {
		p.g.dropEntry(*said, repeated)
		p.g.drop(l, repeated)
		return
	}
	p.g.keepEntry(*said)
	p.g.keep(l)
}

// biome decides a diagnostic of Biome by its head.
func (p *build) biome(l line) {
	i := biomeHead(l.text)
	p.boxes.header = true
	word := l.text[i+1:]
	if j := bytes.IndexByte(word, ' '); j > 0 {
		word = word[:j]
	}
	p.errors++
	if p.often(word, l.n, nil, l.text[:i]) {
		p.hidden = true
		p.g.drop(l, repeated)
		return
	}
	p.hidden = false
	e := p.g.entry(l)
	if cut := len(e.text) - (i + 1 + len(word)); cut > 0 && len(e.text) == len(l.text) {
		e.text, e.cut = e.text[:i+1+len(word)], e.cut+cut
	}
	p.g.keepEntry(e)
}
