package shape

import (
	"bytes"
	"strings"
)

// unittest reads the report of Python's own runner.
type unittest struct {
	s     *Shaper
	g     *ledger
	out   outcome
	etc   *spread
	block bool
	trace traceback

	failing map[string]bool // tests, each of which may fail in several sub-tests
	aside   int             // tests that were skipped, or ended other than they had to
}

func newUnittest(s *Shaper) *unittest {
	return &unittest{s: s, g: &s.ledger, etc: newSpread(&s.ledger, narrow()), failing: map[string]bool{}}
}

func (p *unittest) line(l line) {
	b := l.text
	if !has(b, "    ") {
		p.trace.settle(p.g, b)
	}
	switch {
	case has(b, "FAIL: ") || has(b, "ERROR: ") || has(b, "UNEXPECTED SUCCESS: "):
		p.block = true
		i := index(b, ": ")
		p.out.fail(string(b[i+2:]), "")
		if name := b[i+2:]; len(p.failing) < maxSeen {
			if j := bytes.IndexByte(name, ')'); j > 0 {
				name = name[:j]
			}
			p.failing[string(name)] = true
		}
		p.g.keep(l)
	case has(b, "Ran ") && contains(b, " test"):
		p.block = false
		n, _ := number(b[4:])
		p.out.counted = true
		p.out.passed = n
		p.g.keep(l)
	case has(b, "FAILED (") || has(b, "OK"):
		p.block = false
		for _, key := range []string{"skipped=", "expected failures="} {
			if i := index(b, key); i >= 0 {
				n, _ := number(b[i+len(key):])
				p.aside += n
			}
		}
		p.g.keep(l)
	case has(b, "=====") || has(b, "-----"):
		p.g.drop(l, headings)
	case blank(b):
		p.g.drop(l, blanks)
	case p.block && (underlining(b) || aside(b)):
		p.g.drop(l, excerpts) // a part of the line above
	case p.block && p.trace.line(p.g, l):
	case p.block:
		p.g.keep(l)
	case ends(b, " ... ok"):
		p.g.drop(l, passing)
	case dots(b) || len(bytes.Trim(b, ".FEsxu")) == 0:
		p.g.drop(l, progress)
	default:
		p.etc.line(l)
	}
}

func (p *unittest) finish() {
	p.trace.settle(p.g, nil)
	p.etc.finish()
	p.g.retract(repeated, func(e entry) bool { // "test_a (…) ... FAIL", which its block tells again
		name, verdict, ok := strings.Cut(e.text, " ... ")
		return ok && (verdict == "FAIL" || verdict == "ERROR") && p.failing[strings.TrimSuffix(name, ")")]
	})
	if p.out.counted {
		p.out.passed -= min(p.out.passed, len(p.failing)+p.aside)
	}
	p.out.report(&p.s.found)
}
