package shape

import "bytes"

// jsTests reads the reports of jest, vitest, mocha and node's own runner. They
// name a failure when it happens and tell of it, or tell it again, at the end:
// it is shown once, where most is said.
type jsTests struct {
	s   *Shaper
	g   *ledger
	out outcome
	etc *spread

	held  []*jsFailure // told while the tests ran
	now   *jsFailure   // of which the lines that follow speak
	shown bool         // they are shown at once: it is the report at the end
	depth int          // of its first line
	last  bool         // the report at the end has begun
	again bool         // it repeats what was told
	told  map[string]bool
	diff  bool // the failure showed a difference of actual and expected
	lines diffPart
	said  map[string]bool // long lines of this failure

	titles map[string]bool // mocha: lines of the report that may name a test

	advice  bool // what follows is how jest can be configured
	console bool // what follows was printed
	loud    bool // as a warning, or as an error

	skips  few
	passes int
	fails  int
	totals bool
	mocha  bool // "N failing" was read
}

// diffPart says where in the difference of two values a failure is.
type diffPart uint8

const (
	noDiff      diffPart = iota
	jestDiff             // after "- Expected": changed lines matter
	doubledDiff          // after mocha's "+ expected - actual", which says again what the message did
)

type jsFailure struct {
	name string
	list string // mocha: the test, in the list that stands before the report
	block
}

const maxHeldFailures = 5000

func newJSTests(s *Shaper) *jsTests {
	g := &s.ledger
	return &jsTests{s: s, g: g, etc: newSpread(g, narrow()), told: map[string]bool{}, said: map[string]bool{}, skips: few{g: g, kind: skipped, max: 12}}
}

func (p *jsTests) line(l line) {
	t := trim(l.text)
	depth := len(l.text) - len(trimLeft(l.text))
	switch {
	case len(t) == 0:
		p.g.drop(l, blanks)
	case counted(t):
		p.now = nil
		p.g.drop(l, progress)
	case hasAny(t, "✔ ", "✓ ", "√ "):
		p.now = nil
		p.passes++
		p.g.drop(l, passing)
		p.g.loudly(l.n)
	case hasAny(t, "✖ failing tests:", "✖ failing tests"):
		p.now, p.last = nil, true
		p.g.drop(l, headings)
	case mark3(t, "✖", "✗", "✘", "✕", "×", "❌"):
		p.fails++
		p.begin(l, t[bytes.IndexByte(t, ' ')+1:], depth, p.last)
	case mark3(t, "﹣", "○", "↓") || hasAny(t, "- ") && p.now == nil && depth >= 4 && !alarming(t):
		p.now = nil
		p.skips.add(l)
	case p.total(l, t) || p.heading(l, t, depth):
	case p.console && depth > 2:
		p.printed(l, t)
	case p.now != nil && (depth > p.depth || p.mocha && p.shown):
		p.detail(l, t)
	case foreignFrame(l.text):
		p.g.drop(l, frames)
	default:
		p.now = nil
		p.etc.line(l)
	}
}

// counted reports whether a line says which test is run: "[3/15] a.spec.ts:2:3".
func counted(t []byte) bool {
	if t[0] != '[' {
		return false
	}
	_, n := number(t[1:])
	if n == 0 || 1+n >= len(t) || t[1+n] != '/' {
		return false
	}
	_, m := number(t[2+n:])
	return m > 0 && has(t[2+n+m:], "] ")
}

// printed takes what tests wrote to the console of jest.
func (p *jsTests) printed(l line, t []byte) {
	if has(t, "console.") {
		p.loud = hasAny(t, "console.error", "console.warn")
	}
	if alarming(t) && !has(t, "at ") || p.loud && !has(t, "at ") && !codeFrame(t) {
		p.etc.line(l)
	} else {
		p.g.drop(l, console)
	}
}

// mark3 reports whether t is one of the marks, a blank, and more.
func mark3(t []byte, marks ...string) bool {
	if len(t) == 0 || t[0] < 0x80 {
		return false
	}
	for _, m := range marks {
		if has(t, m) && len(t) > len(m)+1 && t[len(m)] == ' ' {
			return true
		}
	}
	return false
}

// heading reads what begins a part of a report.
func (p *jsTests) heading(l line, t []byte, depth int) bool {
	switch {
	case has(t, "PASS ") && depth < 2:
		p.now, p.console = nil, false
		p.g.drop(l, passing)
	case has(t, "FAIL ") && depth < 2:
		name := trim(t[5:])
		if i := bytes.LastIndex(name, []byte(" > ")); i >= 0 {
			p.begin(l, name[i+3:], -1, true)
			return true
		}
		p.console = false
		if contains(name, " [ ") { // vitest: a file that could not be run
			p.begin(l, name[:index(name, " [ ")], -1, true)
			return true
		}
		p.now = nil
		p.g.keep(l)
	case has(t, "● "):
		if p.console = has(t, "● Console"); p.console {
			p.now, p.loud = nil, false
			p.g.drop(l, headings)
			return true
		}
		name := t[len("● "):]
		if i := bytes.LastIndex(name, []byte(" › ")); i >= 0 {
			name = name[i+len(" › "):]
		}
		p.begin(l, name, depth, true)
	case has(t, "Summary of all failing tests"):
		p.now, p.again = nil, true
		p.g.drop(l, headings)
	case digit(t[0]) && numbered(t) > 0:
		n := numbered(t)
		p.begin(l, t[:n], depth, p.mocha)
	case has(t, "❯ ") && contains(t, " > ") && !p.shown:
		p.begin(l, t[bytes.LastIndex(t, []byte(" > "))+3:], depth, false)
	case has(t, "test at ") && p.last:
		p.now = nil
		p.g.keep(l)
	case hasAny(t, "▶ ", "RUN  v", "⎯⎯", "Start at ", "Duration ", "Snapshots:   0", "Time: ", "Ran all test suites", "DEV  v", "Test Suites Failed"), hasAny(t, "❯ ") && p.now == nil && depth < 2 && !contains(t, "failed"):
		if p.now != nil && !p.last {
			p.now = nil
		}
		p.g.drop(l, headings)
	default:
		return false
	}
	return true
}

// numbered returns the length of "12)" that t begins with.
func numbered(t []byte) int {
	_, n := number(t)
	if n > 0 && n < len(t)-1 && t[n] == ')' && t[n+1] == ' ' {
		return n + 1
	}
	return 0
}

// total reads counts that a tool gives.
func (p *jsTests) total(l line, t []byte) bool {
	switch {
	case has(t, "ℹ "):
		t = t[len("ℹ "):]
		n := 0
		if i := bytes.IndexByte(t, ' '); i > 0 {
			n, _ = number(t[i+1:])
		}
		switch {
		case has(t, "pass "):
			p.out.passed, p.totals = p.out.passed+n, true
		case has(t, "fail "):
			p.out.failed += n
		case has(t, "skipped "):
			p.out.skipped += n
			if n == 0 {
				p.g.drop(l, headings)
				return true
			}
		case has(t, "tests "):
		case hasAny(t, "suites ", "duration_ms ", "cancelled 0", "todo 0", "start of coverage"):
			p.g.drop(l, headings)
			return true
		}
		p.now = nil
		p.g.keep(l)
	case has(t, "Tests:") || has(t, "Tests  ") || has(t, "Test Suites:") || has(t, "Test Files "):
		p.now = nil
		p.g.keep(l)
		if has(t, "Tests") {
			p.totals = true
			eachCount(t, func(n int, what []byte) {
				switch {
				case has(what, "failed"):
					p.out.failed += n
				case has(what, "passed"):
					p.out.passed += n
				case has(what, "skipped"), has(what, "todo"):
					p.out.skipped += n
				}
			})
		} else if contains(t, " failed") {
			p.s.found.failures++
		}
	case digit(t[0]):
		n, w := number(t)
		switch rest := t[w:]; {
		case has(rest, " passing"):
			p.out.passed, p.totals = p.out.passed+n, true
		case has(rest, " failing"):
			p.out.failed, p.mocha = p.out.failed+n, true
		case has(rest, " pending"), string(rest) == " skipped":
			p.out.skipped += n
		case string(rest) == " failed": // Playwright
			p.out.failed, p.totals = p.out.failed+n, true
		case has(rest, " passed ("):
			p.out.passed, p.totals = p.out.passed+n, true
		case string(rest) == " flaky", string(rest) == " did not run":
		default:
			return false
		}
		p.now = nil
		p.g.keep(l)
	default:
		return false
	}
	return true
}

// begin takes the first line about a failure.
func (p *jsTests) begin(l line, name []byte, depth int, final bool) {
	key := string(leaf(name))
	p.depth, p.shown, p.diff, p.lines = depth, final, false, noDiff
	p.advice = false
	clear(p.said)
	p.now = &jsFailure{name: key}
	if p.out.first == "" && numbered(name) == 0 {
		p.out.first = key
	}
	switch {
	case final && p.again && p.told[key]:
		p.again = true
		p.now.name = ""
		p.g.drop(l, repeated)
	case final:
		p.told[key] = true
		p.g.keep(l)
	case len(p.held) < maxHeldFailures:
		if t := trim(l.text); numbered(t) > 0 {
			p.now.list = string(trim(t[numbered(t):]))
		}
		p.held = append(p.held, p.now)
		p.now.add(p.g, l)
	default:
		p.shown = true
		p.g.keep(l)
	}
}

// leaf is the name without a time at its end.
func leaf(name []byte) []byte {
	name = trim(name)
	if i := index(name, " ──"); i > 0 { // Playwright
		name = name[:i]
	}
	if _, n := number(name); n > 0 && n < len(name) && name[n] == ' ' && contains(name, " › ") {
		name = trim(name[n:])
	}
	if i := bytes.LastIndexByte(name, ' '); i > 0 && ends(name, "ms") && digit(name[i+1]) {
		name = trim(name[:i])
	}
	if i := bytes.LastIndex(name, []byte(" (")); i > 0 && (ends(name, "ms)") || ends(name, " s)")) {
		name = name[:i]
	}
	return name
}

// detail takes a line about the failure.
func (p *jsTests) detail(l line, t []byte) {
	if p.mocha && p.shown && len(p.titles) < maxSeen {
		if p.titles == nil {
			p.titles = map[string]bool{}
		}
		p.titles[string(bytes.TrimSuffix(t, []byte(":")))] = true
	}
	k, noise := p.noise(l.text, t)
	switch {
	case p.now.name == "":
		p.g.drop(l, repeated)
	case noise:
		p.g.drop(l, k)
	case p.shown:
		if p.out.file == "" {
			p.out.file = jsPlace(t)
		}
		p.g.keep(l)
	default:
		p.now.add(p.g, l)
	}
}

// noise decides whether a line about a failure says nothing of it.
func (p *jsTests) noise(raw, t []byte) (kind, bool) {
	if codeFrame(t) {
		return excerpts, true
	}
	switch p.lines {
	case jestDiff:
		if hasAny(t, "at ", "❯ ", "> ") || numbered(t) > 0 {
			p.lines = noDiff
		} else if t[0] != '-' && t[0] != '+' && !alarming(t) {
			return context, true
		}
	case doubledDiff:
		if !has(t, "at ") {
			return repeated, true
		}
		p.lines = noDiff
	}
	if len(t) > 40 && len(p.said) < maxSeen {
		if p.said[string(t)] {
			return repeated, true
		}
		p.said[string(t)] = true
	}
	if p.advice = (p.advice || has(t, "Jest failed to parse a file.")) && !has(t, "Details:"); p.advice || has(t, "Details:") {
		return hints, true
	}
	switch {
	case foreignFrame(raw):
		return frames, true
	case hasAny(t, "╔══", "╚══", "Error Context: ") || has(t, "║") && (blank(bytes.Trim(t, "║")) || contains(t, "<3 Playwright")):
		return hints, true
	case has(t, "- Expected") || has(t, "+ Received"):
		p.lines = jestDiff
		return headings, has(t, "+ ")
	case has(t, "+ expected - actual") && p.diff:
		p.lines = doubledDiff
		return repeated, true
	case has(t, "Add a timeout value to this test"):
		return hints, true
	case has(t, "+ actual - expected"):
		p.diff = true
		return excerpts, true
	case hasAny(t, "generatedMessage:", "operator:", "code: 'ERR_ASSERTION'", "diff: 'simple'") || string(t) == "}":
		return excerpts, true
	case p.diff && hasAny(t, "actual:", "expected:"):
		return excerpts, true
	}
	return 0, false
}

// codeFrame reports whether a line is source around the place of a failure:
// "  12 | code", or "     | ^".
func codeFrame(t []byte) bool {
	if has(t, "> ") {
		t = trimLeft(t[1:])
	}
	_, n := number(t)
	rest := trimLeft(t[n:])
	return has(rest, "|") && (n > 0 || len(bytes.Trim(rest, "| ^~")) == 0)
}

// jsPlace returns the file of "at Object.<anonymous> (src/b.test.js:12:5)" or
// "❯ src/b.test.ts:5:13".
func jsPlace(t []byte) string {
	if !hasAny(t, "at ", "❯ ") {
		return ""
	}
	f := t[bytes.LastIndexByte(t, ' ')+1:]
	return place(bytes.Trim(f, "()"))
}

func (p *jsTests) finish() {
	for _, f := range p.held {
		if p.told[f.name] && (f.list == "" || p.titles[f.list]) {
			f.drop(p.g, repeated)
		} else {
			f.keep(p.g)
		}
	}
	p.skips.finish()
	p.etc.finish()
	if !p.totals {
		p.out.passed += p.passes
		p.out.failed += p.fails
	}
	p.s.found.failures += p.fails
	p.out.counted = p.totals
	p.out.report(&p.s.found)
}
