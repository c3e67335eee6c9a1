package shape

import (
	"bytes"
	"strings"
)

// pytest reads the report of pytest: of each failure the assertion, the errors
// and the place, and the counts; not the source around.
type pytest struct {
	s   *Shaper
	g   *ledger
	out outcome
	etc *spread

	section  pySection
	name     string          // of the failure whose lines follow
	named    map[string]bool // failures that were shown
	soft     []softLine      // lines that name a failure again
	skips    few
	warns    few
	captured int     // lines of captured output of this failure
	code     bool    // the next line is the code of a frame
	foreign  bool    // that of one which is not the program's own
	told     bool    // the error of this failure was
	last     *entry  // the code of the frame before
	source   []entry // the failing line, and values, that wait for their place
	done     bool
	cases    int // failures shown in sections
	group    traceback
	placed   string          // the place shown last
	assert   bool            // an assertion was told with its values
	diff     bool            // the whole difference of two values follows
	values   map[string]bool // of this failure that were shown
	like     map[uint64]int  // warnings
}

type pySection uint8

const (
	pyProgress pySection = iota
	pyFailures
	pyWarnings
	pySummary
	pyOther
)

// softLine is shown unless what it names was shown before.
type softLine struct {
	entry
	name string
}

const maxCaptured = 20 // lines of captured output of one failure

func newPytest(s *Shaper) *pytest {
	g := &s.ledger
	return &pytest{s: s, g: g, etc: newSpread(g, narrow()), named: map[string]bool{}, values: map[string]bool{}, like: map[uint64]int{}, skips: few{g: g, kind: skipped, max: maxSkips}, warns: few{g: g, kind: warnings, max: 12}}
}

func (p *pytest) line(l line) {
	b := l.text
	if title, ok := ruled(b, '='); ok {
		p.heading(l, title)
		return
	}
	if title, ok := ruled(b, '!'); ok && len(title) > 0 {
		p.g.keep(l)
		p.s.found.failures++
		return
	}
	if p.counts(b) {
		p.done = true
		p.g.keep(l)
		return
	}
	switch p.section {
	case pyFailures:
		p.failure(l)
	case pyWarnings:
		p.warning(l)
	case pySummary:
		p.summary(l)
	default:
		p.progress(l)
	}
}

// ruled returns the title of a line like "==== title ====".
func ruled(b []byte, mark byte) ([]byte, bool) {
	if len(b) < 8 || b[0] != mark || b[1] != mark || b[len(b)-1] != mark {
		return nil, false
	}
	t := bytes.Trim(b, string(mark))
	if len(b)-len(t) < 4 || len(t) > 0 && (t[0] != ' ' || t[len(t)-1] != ' ') {
		return nil, false
	}
	return trim(t), true
}

func (p *pytest) heading(l line, title []byte) {
	p.code, p.told = false, false
	p.end()
	switch string(title) {
	case "test session starts":
		p.section = pyProgress
		p.g.drop(l, headings)
	case "FAILURES", "ERRORS":
		p.section = pyFailures
		p.g.drop(l, headings)
	case "short test summary info":
		p.section = pySummary
		p.g.drop(l, headings)
	default:
		switch {
		case has(title, "warnings summary"):
			p.section = pyWarnings
			p.g.drop(l, headings)
		case p.counts(title):
			p.section, p.done = pyOther, true
			p.g.keep(l)
		case has(title, "PASSES") || has(title, "XFAILURES"):
			p.section = pyOther
			p.g.keep(l)
		default:
			p.section = pyOther
			p.etc.line(l)
		}
	}
}

// counts reads "3 failed, 152 passed, 1 error in 1.01s"; it returns false if b
// is not like that.
func (p *pytest) counts(b []byte) bool {
	b = trim(b)
	i := bytes.LastIndex(b, []byte(" in "))
	if i < 0 || !digit(b[min(i+4, len(b)-1)]) || !(digit(b[0]) || has(b, "no tests")) {
		return false
	}
	any := has(b, "no tests ran")
	var o outcome
	errs := 0
	for part := range bytes.SplitSeq(b[:i], []byte(", ")) {
		n, w := number(part)
		if w == 0 || w+1 >= len(part) {
			continue
		}
		switch what := part[w+1:]; {
		case has(what, "failed"):
			o.failed, any = n, true
		case has(what, "passed"):
			o.passed, any = n, true
		case has(what, "skipped"):
			o.skipped, any = n, true
		case has(what, "error"):
			errs, any = n, true
		case has(what, "deselected"), has(what, "xfailed"), has(what, "xpassed"), has(what, "warning"):
			any = true
		}
	}
	if !any || p.done && p.section != pyOther {
		return any
	}
	p.out.failed, p.out.passed, p.out.skipped, p.out.counted = o.failed, o.passed, o.skipped, true
	if errs > 0 {
		p.s.found.fields["errors"] = errs
		p.s.found.failures += errs
	}
	return true
}

// progress reads the lines of the run itself.
func (p *pytest) progress(l line) {
	b := l.text
	switch {
	case blank(b):
		p.g.drop(l, blanks)
	case hasAny(b, "platform ", "rootdir: ", "plugins: ", "cachedir: ", "configfile: ", "testpaths: ", "Using --random", "asyncio: ", "collecting ", "hypothesis profile", "gw0 ", "bringing up nodes", "created: ", "scheduling tests"),
		has(b, "collected ") && !contains(b, " error"):
		p.g.drop(l, headings)
	case dots(b):
		p.g.drop(l, progress)
	case contains(b, " PASSED") && (contains(b, "::") || has(b, "[gw")):
		p.g.drop(l, passing)
	case (contains(b, " FAILED") || contains(b, " ERROR")) && contains(b, "::"):
		p.softly(l, b)
	case (contains(b, " SKIPPED") || contains(b, " XFAIL") || contains(b, " XPASS")) && contains(b, "::"):
		p.skips.add(l)
	default:
		p.etc.line(l)
	}
}

// dots reports whether a line is pytest's "tests/a.py ..F.s  [ 33%]".
func dots(b []byte) bool {
	t := trim(b)
	if ends(t, "%]") {
		if i := bytes.LastIndexByte(t, '['); i >= 0 {
			t = trim(t[:i])
		}
	} else if !contains(t, ".py ") && len(t) < 3 {
		return false
	}
	if i := bytes.LastIndexByte(t, ' '); i >= 0 {
		if !contains(t[:i], ".py") || bytes.IndexByte(t[:i], ' ') >= 0 {
			return false
		}
		t = t[i+1:]
	}
	if len(t) == 0 {
		return false
	}
	for _, c := range t {
		if c != '.' && c != 'F' && c != 'E' && c != 's' && c != 'x' && c != 'X' && c != 'R' {
			return false
		}
	}
	return true
}

// testOf returns the last part of the first test ID in b.
func testOf(b []byte) string {
	i := index(b, "::")
	if i < 0 {
		return ""
	}
	t := b[i+2:]
	if j := index(t, " - "); j >= 0 {
		t = t[:j]
	}
	for _, w := range []string{" FAILED", " ERROR", " PASSED"} {
		if j := index(t, w); j >= 0 {
			t = t[:j]
		}
	}
	return string(bytes.ReplaceAll(trim(t), []byte("::"), []byte(".")))
}

func (p *pytest) softly(l line, b []byte) {
	name := testOf(b)
	if p.out.first == "" && name != "" {
		p.out.first = name
	}
	if name == "" || len(p.soft) > 5000 {
		p.g.keep(l)
		return
	}
	p.soft = append(p.soft, softLine{p.g.entry(l), name})
}

// failure reads a line of the sections FAILURES and ERRORS.
func (p *pytest) failure(l line) {
	b := l.text
	if p.last != nil { // the code of a frame, which the next one goes on from
		if position(b) != "" && contains(b, ": in ") || asserted(b) && strings.HasPrefix(strings.TrimSpace(p.last.text), "assert ") {
			p.g.dropEntry(*p.last, excerpts)
		} else {
			p.g.keepEntry(*p.last)
		}
		p.last = nil
	}
	if u := p.ungrouped(b); len(u) < len(b) || p.group.inside {
		if p.group.line(p.g, l) {
			return
		}
		if len(u) < len(b) {
			p.told = true
			p.g.keep(l)
			return
		}
	}
	if title, ok := ruled(b, '_'); ok {
		if len(bytes.Trim(title, "_ ")) == 0 {
			p.g.drop(l, excerpts)
			return
		}
		p.opens(title)
		p.g.keep(l)
		return
	}
	if title, ok := ruled(b, '-'); ok && has(title, "Captured ") {
		p.captured = 1
		p.g.keep(l)
		return
	}
	switch {
	case blank(b):
		p.g.drop(l, blanks)
	case len(b) > 8 && b[0] == '_' && len(bytes.Trim(b, "_ ")) == 0:
		p.g.drop(l, excerpts) // between two frames
	case p.captured > 0:
		if p.captured++; p.captured > maxCaptured && !alarming(b) {
			p.g.drop(l, testOutput)
		} else {
			p.g.keep(l)
		}
	case len(b) > 0 && b[0] == 'E' && blank(b[1:]):
		p.g.drop(l, blanks)
	case has(b, "E  "):
		p.explained(l)
	case has(b, ">"):
		p.source = append(p.source, p.g.entry(l))
	case position(b) != "":
		p.place(l)
	case p.code && indented(b):
		p.code = false
		if p.foreign {
			p.g.drop(l, frames)
		} else {
			e := p.g.entry(l)
			p.last = &e
		}
	case indented(b) && !has(trimLeft(b), "File \""):
		p.g.drop(l, excerpts)
	case contains(b, " = ") && contains(b, " object at 0x"):
		p.g.drop(l, excerpts)
	case argument(b) && p.values[string(b)]:
		p.g.drop(l, repeated)
	case argument(b) && len(p.source) < maxCaptured:
		p.values[string(b)] = true
		p.source = append(p.source, p.g.entry(l))
	default:
		p.g.keep(l)
	}
}

// opens begins the section of a test that failed.
func (p *pytest) opens(title []byte) {
	p.settle(false)
	p.name, p.captured, p.code, p.told = string(title), 0, false, false
	p.placed, p.assert, p.diff = "", false, false
	clear(p.values)
	p.cases++
	if n := bytes.LastIndex(title, []byte(" of ")); has(title, "ERROR at ") && n > 0 {
		p.named[string(title[n+4:])] = true
		return
	}
	p.named[p.name] = true
	if p.out.first == "" {
		p.out.first = p.name
	}
}

// explained reads a line of pytest's that explains a failure, which begins with E.
func (p *pytest) explained(l line) {
	b := l.text
	switch {
	case contains(b, "Use -v to get more diff") || contains(b, "identical items, use -vv to show"):
		p.g.drop(l, hints)
		return
	case aside(trimLeft(b[1:])):
		p.g.drop(l, excerpts)
		return
	}
	p.told = true
	if p.assert = p.assert || asserted(b); contains(b, "Full diff:") {
		p.diff = true
	} else if t := trimLeft(b[1:]); p.diff && t[0] != '-' && t[0] != '+' {
		p.g.drop(l, context)
		return
	}
	p.g.keep(l)
}

// ungrouped is a line without what stands before the members of a group.
func (p *pytest) ungrouped(b []byte) []byte {
	if len(b) == 0 || b[0] != ' ' && b[0] != '|' && b[0] != '+' {
		return b
	}
	return ungrouped(b)
}

// place reads "tests/a.py:12: AssertionError" and "app/a.py:7: in f", and
// decides what stands before it. Frames that are not the program's own go.
func (p *pytest) place(l line) {
	b := l.text
	file := position(b)
	p.foreign = foreignPython(b[:len(file)])
	p.code = contains(b, ": in ")
	if !p.foreign && p.out.file == "" {
		p.out.file = file
	}
	quiet := p.foreign && (p.code || p.told || ends(b, ": ")) // with --tb=line it is all that is said
	p.settle(quiet)
	switch {
	case quiet:
		p.g.drop(l, frames)
	case p.code && p.placed == string(b): // it called itself
		p.g.drop(l, repeated)
	default:
		p.placed = string(b)
		p.g.keep(l)
	}
}

// settle decides the failing lines and values that wait for their place.
func (p *pytest) settle(foreign bool) {
	for _, e := range p.source {
		switch {
		case foreign:
			p.g.dropEntry(e, frames)
		case p.assert && e.text[0] == '>' && strings.HasPrefix(strings.TrimSpace(e.text[1:]), "assert "):
			p.g.dropEntry(e, excerpts) // the error tells it with the values
		default:
			p.g.keepEntry(e)
		}
	}
	p.source, p.assert = p.source[:0], false
}

// asserted reports whether a line tells what an assertion compared.
func asserted(b []byte) bool {
	return has(b, "E  ") && (has(trimLeft(b[1:]), "assert ") || contains(b, "Error: assert "))
}

// aside reports whether a line about an error only points into the line above,
// or tells where in memory something was.
func aside(t []byte) bool {
	return has(t, "? ") && len(bytes.Trim(t[1:], " ^~+-")) == 0 || hasAny(t, "+  where ", "+    where ", "+  and ", "+    and ") && contains(t, " object at 0x")
}

// argument reports whether a line tells the value of an argument: "qty = -1".
func argument(b []byte) bool {
	i := index(b, " = ")
	if i <= 0 || !letter(b[0]) && b[0] != '_' {
		return false
	}
	for _, c := range b[:i] {
		if !letter(c) && !digit(c) && c != '_' {
			return false
		}
	}
	return true
}

// foreignPython reports whether a file is Python's own, or of a package that
// was installed.
func foreignPython(file []byte) bool {
	return contains(file, "/site-packages/") || contains(file, "/dist-packages/") || contains(file, "/lib/python3") || contains(file, "<frozen ") || contains(file, "/lib/python2") || has(file, "importlib/")
}

func (p *pytest) warning(l line) {
	b := l.text
	switch {
	case blank(b):
		p.g.drop(l, blanks)
	case contains(b, "Warning: "):
		if id := skeleton(b); p.like[id] < maxOfRule {
			p.like[id]++
			p.warns.add(l)
		} else {
			p.g.drop(l, warnings)
		}
	default:
		p.g.drop(l, warnings)
	}
}

func (p *pytest) summary(l line) {
	b := l.text
	switch {
	case has(b, "FAILED ") || has(b, "ERROR "):
		p.softly(l, b)
	case hasAny(b, "SKIPPED ", "XFAIL ", "XPASS "):
		p.skips.add(l)
	case has(b, "PASSED "):
		p.g.drop(l, passing)
	case blank(b):
		p.g.drop(l, blanks)
	default:
		p.etc.line(l)
	}
}

// end shows what still waits when a section ends.
func (p *pytest) end() {
	if p.last != nil {
		p.g.keepEntry(*p.last)
		p.last = nil
	}
	p.settle(false)
}

func (p *pytest) finish() {
	p.end()
	seen := map[string]bool{}
	for _, e := range p.soft {
		if p.named[e.name] || seen[e.name] {
			p.g.dropEntry(e.entry, repeated)
			continue
		}
		seen[e.name] = true
		p.g.keepEntry(e.entry)
	}
	p.skips.finish()
	p.warns.finish()
	p.etc.finish()
	if p.out.failed == 0 {
		p.out.failed = 0
		if !p.out.counted {
			p.out.failed = p.cases + len(seen)
		}
	}
	if p.out.counted || p.out.failed > 0 {
		p.out.report(&p.s.found)
	}
}
