package shape

import (
	"bytes"
	"cmp"
	"slices"
)

// goText reads what cmd/go writes when it tests (go help test; package testing).
type goText struct {
	s   *Shaper
	g   *ledger
	out outcome
	etc *spread // what belongs to no test

	oks    few // packages that passed
	empty  few // packages without tests
	shown  int // skipped tests
	failed int // packages
	okN    int

	tests   map[string]*goCase // of this package, that began
	free    []*goCase
	now     *goCase // the test whose output follows
	verbose bool
	after   bool   // what follows is what a failed test says
	skip    bool   // what follows is what a skipped test says
	build   bool   // what follows are errors of a build
	crash   bool   // what follows is a panic and stacks
	member  int    // goroutines in it
	fn      *entry // the function of a frame whose place follows
	printed bool   // the stack was printed by a program that may have gone on
	placed  string // the place shown last
	own     int    // frames of the program in this stack
	made    bool   // what follows is where a goroutine was made

	pkgFailed          []string
	pkgFile            string
	pkgPassed, pkgSkip int
}

const maxUnended = 5 // tests that began and did not end that are named

type goCase struct {
	name string
	run  heldLine // the line that says that it began,
	runs bool     // until it is known how it ended
	block
	file string
}

// fresh returns a case, one that was used if there is one.
func (p *goText) fresh() *goCase {
	if n := len(p.free); n > 0 {
		c := p.free[n-1]
		p.free = p.free[:n-1]
		c.name, c.file, c.runs = "", "", false
		return c
	}
	return &goCase{}
}

func newGoText(s *Shaper) *goText {
	g := &s.ledger
	return &goText{
		s: s, g: g, etc: newSpread(g, narrow()), tests: map[string]*goCase{},
		oks: few{g: g, kind: packages, max: 12, values: covered}, empty: few{g: g, kind: packages, max: 6},
	}
}

func (p *goText) line(l line) {
	b := l.text
	if p.fn != nil && !indented(b) {
		p.function(false)
	}
	if len(b) > 0 && (b[0] == '=' && p.marker(l) || b[0] != '=' && p.result(l)) {
		return
	}
	if p.pkgLine(l) {
		p.after, p.skip, p.now = false, false, nil
		return
	}
	switch {
	case p.crash:
		p.stack(l)
	case p.now == nil && stackHead(b):
		p.startCrash()
		p.printed = true
		p.stack(l)
	case hasAny(b, "panic: ", "fatal error: ", "unexpected fault address ", "SIG", "WARNING: DATA RACE"):
		p.startCrash()
		p.release()
		p.g.keep(l)
	case blank(b) && !p.after && !p.skip && p.now == nil:
		p.g.drop(l, blanks)
	case p.build && position(b) != "" || p.build && indented(b):
		p.g.keep(l)
	case (p.after || p.skip) && (indented(b) || blank(b)):
		p.said(l)
	case p.now != nil:
		if p.now.file == "" {
			p.now.file = position(trimLeft(b))
		}
		p.now.add(p.g, l)
	default:
		p.after, p.skip = false, false
		p.etc.line(l)
	}
}

// said takes what a test that failed or was skipped says after the line that
// tells so.
func (p *goText) said(l line) {
	switch {
	case p.skip && p.shown > maxSkips:
		p.g.drop(l, skipped)
	case p.now != nil:
		p.now.add(p.g, l)
	default:
		if p.after && p.pkgFile == "" {
			p.pkgFile = position(trimLeft(l.text))
		}
		p.g.keep(l)
	}
}

// release shows what the running tests said: one of them crashed.
func (p *goText) release() {
	for _, c := range p.tests {
		if !c.empty() {
			c.keep(p.g)
		}
	}
	p.now = nil
}

// covered returns the share in "ok  	p	0.1s	coverage: 85.7% of statements".
func covered(b []byte, out []cell) []cell {
	i := index(b, "coverage: ")
	if i < 0 {
		return out
	}
	return append(fields(b[i+len("coverage: "):], 2, out), cell{})[:1]
}

// marker reads the lines that say which test goes on.
func (p *goText) marker(l line) bool {
	b := l.text
	switch {
	case has(b, "=== RUN   "), has(b, "=== CONT  "), has(b, "=== NAME  "):
		name := string(trim(b[10:]))
		c := p.tests[name]
		if c == nil && name != "" && len(p.tests) < 100_000 {
			c = p.fresh()
			c.name = name
			p.tests[name] = c
		}
		p.now, p.verbose = c, true
	case has(b, "=== PAUSE "):
		p.now, p.verbose = nil, true
	default:
		return false
	}
	p.after, p.skip, p.build = false, false, false
	if p.now != nil && !p.now.runs && has(b, "=== RUN ") {
		text, cut := shorten(b, p.g.find)
		p.now.begins(entry{n: l.n, cut: l.cut + cut}, text)
		return true
	}
	p.g.drop(l, progress)
	return true
}

// ended leaves out the line that says that a test began.
func (p *goText) ended(c *goCase) {
	if c != nil && c.runs {
		p.g.dropText(c.run.entry, c.run.bytes, progress)
		c.runs = false
	}
}

// begins holds the line that says that a test began.
func (c *goCase) begins(e entry, text []byte) {
	c.runs, c.run.entry, c.run.bytes = true, e, append(c.run.bytes[:0], text...)
}

// unended decides the lines that say that tests began of which nothing says how
// they ended: where that is why the package failed, as after os.Exit, the last
// ones are shown.
func (p *goText) unended(begun []*goCase, why bool) {
	begun = slices.DeleteFunc(begun, func(c *goCase) bool { return !c.runs })
	slices.SortFunc(begun, func(a, b *goCase) int { return cmp.Compare(b.run.n, a.run.n) })
	for i, c := range begun {
		if !why || i >= maxUnended {
			p.ended(c)
			continue
		}
		c.run.text, c.runs = string(c.run.bytes), false
		p.g.keepEntry(c.run.entry)
	}
}

// result reads "--- PASS: TestX (0.00s)", which may stand after output without
// a line end.
func (p *goText) result(l line) bool {
	b := l.text
	i := index(b, "--- ")
	if i < 0 || len(b) < i+10 {
		return false
	}
	word, rest := b[i+4:i+8], b[i+8:]
	if !has(rest, ": ") {
		return false
	}
	rest = rest[2:]
	end := index(rest, " (")
	if end < 0 || !ends(b, "s)") {
		return false
	}
	name := string(rest[:end])
	c := p.tests[name]
	if p.verbose && c == nil {
		return false // it was printed
	}
	p.ended(c)
	top := i == 0 || !indented(b)
	switch string(word) {
	case "PASS":
		p.pass(l, c, top)
	case "SKIP":
		if top {
			p.pkgSkip++
		}
		p.shown++
		if p.shown > maxSkips {
			p.dropCase(c, skipped)
			p.g.drop(l, skipped)
		} else {
			p.keepCase(c)
			p.g.keep(l)
		}
		p.skip, p.after, p.now = true, false, nil
	case "FAIL":
		file := ""
		if c != nil {
			file = c.file
		}
		if p.pkgFile == "" {
			p.pkgFile = file
		}
		if top {
			p.pkgFailed = append(p.pkgFailed, name)
		}
		p.keepCase(c)
		p.g.keep(l)
		p.after, p.skip, p.now = true, false, nil
	default:
		return false
	}
	p.crash = false
	return true
}

func (p *goText) pass(l line, c *goCase, top bool) {
	if top {
		p.pkgPassed++
	}
	p.dropCase(c, passing)
	p.g.drop(l, passing)
	p.now, p.after, p.skip = nil, false, false
}

func (p *goText) keepCase(c *goCase) {
	if c != nil && !c.empty() {
		c.keep(p.g)
	}
}

func (p *goText) dropCase(c *goCase, k kind) {
	if c != nil && !c.empty() {
		c.drop(p.g, k)
	}
}

// pkgLine reads the lines about packages.
func (p *goText) pkgLine(l line) bool {
	b := l.text
	switch {
	case has(b, "ok  \t"):
		p.okN++
		p.oks.add(l)
		p.endPackage(false)
	case has(b, "FAIL\t"):
		p.failed++
		p.g.keep(l)
		p.endPackage(true)
	case has(b, "?   \t") || has(b, "\t") && contains(b, "coverage: 0.0% of statements"):
		p.empty.add(l)
	case string(b) == "PASS":
		p.g.drop(l, passing)
	case string(b) == "FAIL":
		p.g.drop(l, repeated)
	case has(b, "# "):
		p.build = true
		p.g.keep(l)
		return true
	case hasAny(b, "go: downloading ", "fuzz: elapsed:"):
		p.g.drop(l, progress)
	case hasAny(b, "Benchmark", "goos: ", "goarch: ", "pkg: ", "cpu: ", "coverage: ", "exit status ", "signal: ", "go: ", "vet: ", "testing: warning: "):
		p.g.keep(l)
	default:
		return false
	}
	p.build, p.crash = false, false
	return true
}

// endPackage takes over what failed in the package if it failed; in one that
// passed it was only printed.
func (p *goText) endPackage(failed bool) {
	var begun []*goCase
	for _, c := range p.tests {
		begun = append(begun, c)
	}
	p.unended(begun, failed && len(p.pkgFailed) == 0)
	for _, c := range p.tests {
		if failed {
			p.keepCase(c)
		} else {
			p.dropCase(c, passing)
		}
	}
	if failed {
		for i, name := range p.pkgFailed {
			file := ""
			if i == 0 {
				file = p.pkgFile
			}
			p.out.fail(name, file)
		}
		p.out.passed += p.pkgPassed
		p.out.skipped += p.pkgSkip
		if len(p.pkgFailed) == 0 {
			p.s.found.failures++
		}
	} else {
		p.out.passed += p.pkgPassed
		p.out.skipped += p.pkgSkip
	}
	for _, c := range p.tests {
		if len(p.free) < 200 {
			p.free = append(p.free, c)
		}
	}
	clear(p.tests)
	p.now, p.verbose = nil, false
	p.pkgFailed, p.pkgFile, p.pkgPassed, p.pkgSkip = nil, "", 0, 0
}

// startCrash begins the reading of a panic's stacks.
func (p *goText) startCrash() {
	p.crash, p.member, p.own, p.made, p.printed = true, 0, 0, false, false
}

// stackHead reports whether a line begins the stack of a goroutine.
func stackHead(b []byte) bool { return has(b, "goroutine ") && ends(b, "]:") }

const maxOwnFrames = 5 // of one stack that are shown, the first with its function

// stack keeps of a panic's stacks, and of those of a race, what is the
// program's own: the first function, and the places.
func (p *goText) stack(l line) {
	b, t := l.text, trimLeft(l.text)
	place := indented(b) && (has(t, "/") || len(t) > 2 && t[1] == ':') && contains(t, ".go:")
	if p.fn != nil {
		p.function(place && p.ours(b, t))
	}
	switch {
	case blank(b):
		p.g.drop(l, blanks)
	case has(b, "goroutine "):
		p.member++
		p.own, p.made, p.placed = 0, false, ""
		if p.member > 1 && p.member <= 3 {
			p.g.keep(l)
		} else {
			p.g.drop(l, frames)
		}
	case p.member == 0 && has(b, "\t\t") && ends(b, "s)"):
		// "running tests:" of a test that took too long
		if i := index(b, " ("); i > 2 {
			p.pkgFailed = append(p.pkgFailed, string(trim(b[:i])))
		}
		p.g.keep(l)
	case p.member > 3:
		p.g.drop(l, frames)
	case place:
		switch {
		case !p.ours(b, t):
			p.g.drop(l, frames)
		case p.placed == string(withoutOffset(t)):
			p.g.drop(l, repeated) // code that was put into its caller, or called itself
		default:
			p.placed = string(withoutOffset(t))
			p.own++
			p.g.keep(l)
		}
	case has(b, "========"):
		p.g.drop(l, headings)
	case ends(b, ")") && bytes.IndexByte(b, '(') > 0 && (p.member > 0 || has(b, "  ")) || has(b, "created by "):
		p.made = p.made || has(b, "created by ")
		e := p.g.entry(l)
		p.fn = &e
	default:
		if p.printed { // by a program that went on
			p.crash = false
			p.line(l)
			return
		}
		if has(b, "Goroutine ") || has(b, "Previous ") || contains(b, " by goroutine ") {
			p.own, p.made = 0, has(b, "Goroutine ")
		}
		p.g.keep(l)
	}
}

// withoutOffset is a place without " +0x1d".
func withoutOffset(t []byte) []byte {
	if i := bytes.LastIndex(t, []byte(" +0x")); i > 0 {
		return t[:i]
	}
	return t
}

// ours reports whether the place of a frame is the program's own, and one that
// is shown.
func (p *goText) ours(b, t []byte) bool {
	return !goFile(t) && p.own < maxOwnFrames && !(p.made && p.own > 0)
}

// function decides the function of a frame: it is shown if its place is the
// first of the program's own, or if no place follows it.
func (p *goText) function(ours bool) {
	switch {
	case foreignFrame([]byte(p.fn.text)) || p.own > 0:
		p.g.dropEntry(*p.fn, frames)
	case ours:
		p.g.keepEntry(*p.fn)
	default:
		p.g.dropEntry(*p.fn, frames)
	}
	p.fn = nil
}

func (p *goText) finish() {
	if p.fn != nil { // cut short
		p.g.keepEntry(*p.fn)
		p.fn = nil
	}
	if len(p.tests) > 0 || len(p.pkgFailed) > 0 {
		p.endPackage(true) // cut short: what failed by then did fail
	}
	p.etc.finish()
	p.out.report(&p.s.found)
	p.oks.over = p.oks.over || p.s.found.failures > 0 && p.okN > 3
	p.oks.finish()
	p.empty.over = p.empty.over || p.s.found.failures > 0
	p.empty.finish()
	f := p.s.found.fields
	if n := p.okN + p.failed; n > 0 {
		add(f, "passed_packages", p.okN)
		add(f, "failed_packages", p.failed)
	}
}
