package shape

import (
	"bytes"
	"strings"
)

// ctest reads the report of CMake's test driver.
type ctest struct {
	s    *Shaper
	g    *ledger
	out  outcome
	etc  *spread
	bad  bool    // what follows is the output of a test that failed
	said thinner // that output

	looking bool // what follows are the places where a program was looked for
}

func newCTest(s *Shaper) *ctest {
	return &ctest{s: s, g: &s.ledger, etc: newSpread(&s.ledger, narrow()), said: thinner{g: &s.ledger, test: true}}
}

func (p *ctest) line(l line) {
	b, t := l.text, trimLeft(l.text)
	was := p.bad
	defer func() {
		if was && !p.bad {
			p.said.flush()
		}
	}()
	if p.looking = p.looking && hasAny(b, "./", "/", "../"); p.looking {
		p.g.drop(l, excerpts)
		return
	}
	switch {
	case blank(b):
		p.g.drop(l, blanks)
	case has(b, "Looked in the following places:"):
		p.looking = true
		p.g.drop(l, excerpts)
	case has(b, "Internal ctest changing into"), has(b, "Could not find executable "):
		p.g.drop(l, headings) // "Unable to find executable" says it again
	case has(t, "Start ") && contains(t, ": "):
		p.bad = false
		p.g.drop(l, progress)
	case contains(t, " Test ") && contains(t, "#") && contains(t, " sec"):
		p.bad = !contains(t, " Passed ")
		if !p.bad {
			p.out.passed++
			p.g.drop(l, passing)
			return
		}
		if contains(t, "Not Run") || contains(t, "Skipped") || contains(t, "Disabled") {
			p.out.skipped++
		} else {
			p.out.fail(ctestName(t), "")
		}
		p.g.keep(l)
	case hasAny(t, "Test project ", "Total Test time", "Label Time Summary", "Constructing a list", "Updating test list", "Checking test dependency", "UpdateCTestConfiguration ", "Done constructing a list", "Added 0 tests to meet", "Output from these tests are in", "Use \"--rerun-failed"), verboseTest(t):
		p.bad = false
		p.g.drop(l, headings)
	case contains(t, "% tests passed") || has(t, "The following tests FAILED") || has(t, "Errors while running CTest"):
		p.bad = false
		p.g.keep(l)
	case p.bad:
		p.said.add(p.g.entry(l))
	default:
		p.etc.line(l)
	}
}

// verboseTest reports whether a line only says how ctest -V runs a test: "13:
// Test command: …", "test 13".
func verboseTest(t []byte) bool {
	if has(t, "test ") && len(t) < 12 {
		_, n := number(t[5:])
		return n > 0 && 5+n == len(t)
	}
	_, n := number(t)
	return n > 0 && hasAny(t[n:], ": Test command: ", ": Working Directory: ", ": Test timeout computed")
}

// ctestName is the name in "1/3 Test #1: parses ....***Failed 0.01 sec".
func ctestName(t []byte) string {
	i := index(t, ": ")
	if i < 0 {
		return ""
	}
	t = t[i+2:]
	if j := index(t, " ."); j >= 0 {
		t = t[:j]
	}
	return string(trim(t))
}

func (p *ctest) finish() {
	p.said.flush()
	p.etc.finish()
	p.out.counted = true
	p.out.report(&p.s.found)
}

// gotestsum reads the summaries of gotestsum; with its other formats go's own
// lines stand between.
type gotestsum struct {
	s    *Shaper
	g    *ledger
	text *goText
	out  outcome

	skips int
	skip  bool
	inSum bool
	oks   few
	done  bool

	sumFrom int // the line that the summary begins with
}

func newGotestsum(s *Shaper) *gotestsum {
	g := &s.ledger
	return &gotestsum{s: s, g: g, text: newGoText(s), oks: few{g: g, kind: packages, max: 8}}
}

func (p *gotestsum) line(l line) {
	b := l.text
	switch {
	case has(b, "=== Skipped") || has(b, "=== Failed") || has(b, "=== Errors"):
		if p.sumFrom == 0 {
			p.sumFrom = l.n
		}
		p.inSum, p.skip = true, false
		p.text.crash = false
		p.g.drop(l, headings)
	case has(b, "=== SKIP: "):
		p.skips++
		p.skip = p.skips > maxSkips
		p.show(l)
	case has(b, "=== FAIL: "):
		p.skip, p.text.crash = false, false
		name := bytes.Fields(b[10:])
		if len(name) > 1 && name[1][0] != '(' {
			if bytes.IndexByte(name[1], '/') < 0 || p.out.first == "" {
				p.out.fail(string(name[1]), "")
			}
		} else {
			p.s.found.failures++
		}
		p.g.keep(l)
	case has(b, "DONE ") && contains(b, " in "):
		p.inSum, p.done = false, true
		p.counts(b)
		p.g.keep(l)
	case hasAny(b, "✓  ", "∅  ", "PASS ", "EMPTY ") && !p.inSum:
		p.oks.add(l)
	case hasAny(b, "✖  ", "FAIL "):
		p.g.keep(l)
	case !p.inSum:
		p.text.line(l)
	case blank(b):
		p.g.drop(l, blanks)
	case p.text.crash:
		p.text.stack(l)
	case stackHead(b):
		p.text.startCrash()
		p.text.stack(l)
	case hasAny(b, "panic: ", "fatal error: "):
		p.text.startCrash()
		p.g.keep(l)
	default:
		if p.out.file == "" && p.out.first != "" {
			p.out.file = position(trimLeft(b))
		}
		p.show(l)
	}
}

func (p *gotestsum) show(l line) {
	if p.skip {
		p.g.drop(l, skipped)
	} else {
		p.g.keep(l)
	}
}

// counts reads "DONE 191 tests, 1 skipped, 5 failures in 4.826s".
func (p *gotestsum) counts(b []byte) {
	var o outcome
	all := 0
	eachCount(b, func(n int, what []byte) {
		switch {
		case has(what, "test"):
			all = n
		case has(what, "skipped"):
			o.skipped = n
		case has(what, "failure"):
			o.failed = n
		case has(what, "error"):
			p.s.found.failures += n
		}
	})
	p.out.failed, p.out.skipped, p.out.passed, p.out.counted = o.failed, o.skipped, max(0, all-o.failed-o.skipped), true
}

func (p *gotestsum) finish() {
	p.oks.over = p.oks.over || p.out.failed+p.s.found.failures > 0
	p.oks.finish()
	if p.done {
		p.text.pkgFailed = nil
	}
	p.text.finish()
	if p.done && p.sumFrom > 0 {
		p.again()
	}
	if p.done {
		delete(p.s.found.fields, "failed_tests")
		delete(p.s.found.fields, "passed_tests")
		delete(p.s.found.fields, "passed_packages")
		delete(p.s.found.fields, "failed_packages")
	}
	p.out.report(&p.s.found)
}

// again leaves out what was told while the tests ran and is told again in the
// summary.
func (p *gotestsum) again() {
	told := map[string]bool{}
	for _, e := range p.g.kept {
		if e.n < p.sumFrom {
			continue
		}
		told[e.text] = true
		if f := strings.Fields(e.text); strings.HasPrefix(e.text, "=== FAIL: ") && len(f) > 3 {
			told["--- FAIL: "+f[3]] = true
			told["FAIL "+f[2]+"."+f[3]] = true
		}
	}
	p.g.retract(repeated, func(e entry) bool {
		if e.n >= p.sumFrom {
			return false
		}
		text := strings.TrimSpace(e.text)
		if i := strings.LastIndex(text, " ("); i > 0 && strings.HasSuffix(text, "s)") && told[text[:i]] {
			return true
		}
		return told[e.text]
	})
}

// junit reads JUnit's XML: of each test that failed its element, of the others
// nothing. A line is shown in the parts that matter.
type junit struct {
	s     *Shaper
	g     *ledger
	out   outcome
	bad   bool   // inside a test that failed
	open  []byte // the start of the test that is read, while it may still fail
	openN int
	held  []entry
	text  []byte
}

func newJUnit(s *Shaper) *junit { return &junit{s: s, g: &s.ledger} }

func (p *junit) line(l line) {
	b := l.text
	p.text = p.text[:0]
	if p.bad && bytes.IndexByte(b, '<') < 0 {
		if k := bodyNoise(b); k != other {
			p.g.drop(l, k)
			return
		}
	}
	for len(b) > 0 {
		i := bytes.IndexByte(b, '<')
		if i < 0 {
			i = len(b)
		}
		if i > 0 {
			if p.bad && bodyNoise(b[:i]) == other {
				p.add(b[:i], false)
			}
			b = b[i:]
			continue
		}
		end := tagEnd(b)
		p.tag(l, b[:end])
		b = b[end:]
	}
	if len(p.text) == 0 {
		if len(p.open) > 0 && p.openN == l.n {
			p.held = append(p.held, p.g.entry(line{n: l.n, text: p.open, cut: l.cut}))
			p.open = p.open[:0]
			return
		}
		k := passing
		if blank(l.text) {
			k = blanks
		}
		p.g.drop(l, k)
		return
	}
	e := entry{n: l.n, text: string(p.text), cut: l.cut}
	if cut := len(l.text) - len(p.text); cut > 0 {
		e.cut += cut
	}
	p.g.keepEntry(e)
}

// bodyNoise returns why a line inside a failure is left out, other if it is not:
// frames that are not the program's own, the source that pytest prints, and
// what node says of its errors.
func bodyNoise(b []byte) kind {
	t := trimLeft(b)
	switch {
	case foreignFrame(b):
		return frames
	case len(t) == 0:
		return blanks
	case hasAny(t, "generatedMessage:", "operator:", "code: 'ERR_", "_ _ _ _"):
		return excerpts
	case has(b, "    ") && !hasAny(t, "at ", "- ", "+ ", "File ") && !alarming(t) && hasAny(t, "def ", "@", "class ", "return ", "import ", "\"\"\"", "# "):
		return excerpts
	case aside(bytes.TrimPrefix(t, []byte("E    "))), has(t, "E  ") && aside(trimLeft(t[1:])):
		return excerpts
	}
	return other
}

func (p *junit) add(b []byte, tag bool) {
	b = bytes.TrimSpace(b)
	if len(b) == 0 {
		return
	}
	if tag && len(p.text) > 0 {
		p.text = append(p.text, '\n')
	}
	b, _ = shorten(b, p.g.find)
	p.text = append(p.text, b...)
}

// tagEnd returns the place after the tag, CDATA section or comment b begins with.
func tagEnd(b []byte) int {
	if has(b, "<![CDATA[") {
		if i := index(b, "]]>"); i >= 0 {
			return i + 3
		}
		return len(b)
	}
	var quote byte
	for i := 1; i < len(b); i++ {
		switch c := b[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '>':
			return i + 1
		}
	}
	return len(b)
}

func (p *junit) tag(l line, b []byte) {
	switch {
	case has(b, "<testcase"):
		p.resolve(false)
		p.open, p.openN = append(p.open[:0], b...), l.n
		p.bad = false
		if ends(b, "/>") {
			p.open = p.open[:0]
			p.out.passed++
		}
	case has(b, "</testcase"):
		if p.bad {
			p.add(b, true)
		} else {
			p.out.passed++
		}
		p.resolve(false)
		p.bad, p.open = false, p.open[:0]
	case has(b, "<failure") || has(b, "<error"):
		p.resolve(true)
		if !p.bad {
			name := attribute(p.open, "name")
			if name == "" && len(p.held) == 0 {
				name = attribute(b, "message")
			}
			p.out.fail(name, attribute(p.open, "file"))
		}
		p.bad = true
		if len(p.open) > 0 {
			p.add(p.open, true)
			p.open = p.open[:0]
		}
		p.add(b, true)
	case has(b, "<skipped"):
		p.out.skipped++
		p.out.passed--
	case has(b, "<testsuite") || has(b, "<testsuites"):
		p.add(b, true)
	case p.bad:
		p.add(b, true)
	}
}

// resolve decides lines that were held back: a test's start that stands on a
// line of its own.
func (p *junit) resolve(keep bool) {
	for _, e := range p.held {
		if keep {
			if p.out.first == "" {
				p.open = append(p.open[:0], e.text...)
			}
			p.g.keepEntry(e)
		} else {
			p.g.dropEntry(e, passing)
		}
	}
	if keep && len(p.held) > 0 {
		name := attribute([]byte(p.held[0].text), "name")
		if !p.bad {
			p.out.fail(name, attribute([]byte(p.held[0].text), "file"))
			p.bad = true
		}
		p.open = p.open[:0]
	}
	p.held = p.held[:0]
}

// attribute returns an attribute of a tag as it is written.
func attribute(b []byte, name string) string {
	for _, quote := range []string{`"`, "'"} {
		if _, v, ok := bytes.Cut(b, []byte(" "+name+"="+quote)); ok {
			if v, _, ok = bytes.Cut(v, []byte(quote)); ok {
				return string(v)
			}
		}
	}
	return ""
}

func (p *junit) finish() {
	p.resolve(false)
	p.out.passed = max(0, p.out.passed)
	p.out.counted = true
	p.out.report(&p.s.found)
}
