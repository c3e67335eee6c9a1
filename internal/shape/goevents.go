package shape

import "bytes"

// goEvents reads the events of `go test -json` and `go build -json` (go doc
// test2json, go help buildjson): a JSON object a line, in which Output holds a
// line of the text, or a part of one.
type goEvents struct {
	s    *Shaper
	g    *ledger
	out  outcome
	text *goText // what packages say, and what is no event
	runs map[string]*goCase
	skip int

	key []byte
}

// maxRuns are the tests whose output is held back at one time.
const maxRuns = 50_000

func newGoEvents(s *Shaper) *goEvents {
	return &goEvents{s: s, g: &s.ledger, text: newGoText(s), runs: map[string]*goCase{}}
}

func (p *goEvents) line(l line) {
	var action, pkg, test, output []byte
	whole := has(l.text, "{") && object(l.text, func(key, value []byte) {
		switch string(key) {
		case "Action":
			action = unquote(value)
		case "Package":
			pkg = unquote(value)
		case "Test":
			test = unquote(value)
		case "Output":
			output = value
		}
	})
	if !whole || action == nil {
		p.text.line(l)
		return
	}
	switch string(action) {
	case "output":
		p.output(l, pkg, test, unquote(output))
	case "pass", "fail", "skip":
		p.verdict(string(action), pkg, test)
		p.g.drop(l, events)
	case "build-output":
		p.keep(l, unquote(output))
	case "build-fail":
		p.s.found.failures++
		p.g.drop(l, events)
	case "bench", "attr", "artifacts":
		p.g.keep(l)
	default:
		p.g.drop(l, events)
	}
}

// said is the entry of what an event says, and its text.
func (p *goEvents) said(l line, text []byte) (entry, []byte) {
	if bytes.IndexByte(text, 0x1b) >= 0 {
		var c cleaner
		text = c.plain(text)
		p.s.cleaner.ansi = true
	}
	trimmed := bytes.TrimSuffix(text, []byte("\n"))
	short, cut := shorten(trimmed, p.g.find)
	return entry{n: l.n, cut: l.cut + cut, event: true, joined: len(trimmed) == len(text)}, short
}

func (p *goEvents) keep(l line, text []byte) {
	e, text := p.said(l, text)
	e.text = string(text)
	p.g.keepEntry(e)
}

func (p *goEvents) output(l line, pkg, test, text []byte) {
	if len(test) == 0 {
		e, said := p.said(l, text)
		p.text.line(line{n: l.n, text: said, cut: e.cut})
		return
	}
	began := has(text, "=== RUN ")
	if hasAny(text, "=== PAUSE ", "=== CONT ", "=== NAME ") || began && len(p.runs) >= maxRuns {
		p.g.drop(l, progress)
		return
	}
	p.key = append(append(append(p.key[:0], pkg...), 0), test...)
	c := p.runs[string(p.key)]
	if c == nil {
		if len(p.runs) >= maxRuns {
			p.keep(l, text)
			return
		}
		c = p.text.fresh()
		c.name = string(test)
		p.runs[string(p.key)] = c
	}
	e, said := p.said(l, text)
	if began {
		p.text.ended(c) // it runs again
		c.begins(e, said)
		return
	}
	if c.file == "" {
		c.file = position(trimLeft(text))
	}
	c.addEntry(e, said)
}

// verdict decides what was held back of a test, or of the tests of a package
// that have none.
func (p *goEvents) verdict(action string, pkg, test []byte) {
	if len(test) == 0 {
		p.endPackage(action, pkg)
		return
	}
	p.key = append(append(append(p.key[:0], pkg...), 0), test...)
	c := p.runs[string(p.key)]
	delete(p.runs, string(p.key))
	p.text.ended(c)
	top := bytes.IndexByte(test, '/') < 0
	file := ""
	if c != nil {
		file = c.file
	}
	switch {
	case action == "fail":
		p.text.keepCase(c)
		if top {
			p.out.fail(string(test), file)
		}
	case action == "skip":
		if p.skip++; p.skip <= maxSkips {
			p.text.keepCase(c)
		} else {
			p.text.dropCase(c, skipped)
		}
		if top {
			p.out.skipped++
		}
	default:
		p.text.dropCase(c, passing)
		if top {
			p.out.passed++
		}
	}
	if c != nil && len(p.text.free) < 200 {
		p.text.free = append(p.text.free, c)
	}
}

func (p *goEvents) endPackage(action string, pkg []byte) {
	p.key = append(append(p.key[:0], pkg...), 0)
	var begun []*goCase
	for key, c := range p.runs {
		if len(key) < len(p.key) || key[:len(p.key)] != string(p.key) {
			continue
		}
		delete(p.runs, key)
		begun = append(begun, c)
		if action == "fail" {
			p.text.keepCase(c)
			p.out.fail(c.name, c.file)
		} else {
			p.text.dropCase(c, passing)
		}
	}
	p.text.unended(begun, action == "fail")
}

func (p *goEvents) finish() {
	var begun []*goCase
	for key, c := range p.runs {
		begun = append(begun, c)
		p.text.keepCase(c)
		delete(p.runs, key)
	}
	p.text.unended(begun, true)
	p.text.finish()
	p.out.report(&p.s.found)
}
