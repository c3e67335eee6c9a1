package shape

import "bytes"

// cargo reads what cargo, rustc, libtest and nextest write.
type cargo struct {
	s   *Shaper
	g   *ledger
	out outcome
	etc *spread

	ignored few
	results few // test results of targets without failures

	diag     diagKind // of rustc, whose lines follow
	panics   bool     // what follows is what a failed test printed
	list     bool     // what follows are the names of failed tests
	named    map[string]bool
	tests    bool
	aside    bool   // what follows is the source of a help or a note
	helps    int    // ways to mend the error that were shown
	mend     int    // lines of source that are still shown of such a way
	wait     *entry // a line that what follows decides
	panicked string // where the test did
	rules    map[string]int
	warned   int
	seen     map[uint64]bool
	after    bool // nextest's own list of failures, after its summary
}

type diagKind uint8

const (
	noDiag diagKind = iota
	errorDiag
	warningDiag
	repeatedDiag
)

const (
	maxWarnings = 40 // of one build that are shown
	maxMend     = 3  // lines of source that show how to mend an error
)

func newCargo(s *Shaper) *cargo {
	g := &s.ledger
	return &cargo{
		s: s, g: g, etc: newSpread(g, narrow()), named: map[string]bool{}, seen: map[uint64]bool{}, rules: map[string]int{},
		ignored: few{g: g, kind: skipped, max: 12}, results: few{g: g, kind: passing, max: 8},
	}
}

func (p *cargo) line(l line) {
	b := l.text
	if p.libtest(l) || p.nextest(l) {
		p.diag = noDiag
		if p.wait != nil {
			p.settle(false)
		}
		return
	}
	switch {
	case p.panics:
		p.failure(l)
	case p.list && has(b, "    "):
		if p.named[string(trim(b))] {
			p.g.drop(l, repeated)
		} else {
			p.g.keep(l)
		}
	case cargoVerb(b):
		p.settle(false)
		p.diag = noDiag
		p.g.drop(l, progress)
	case p.rustc(l):
	case blank(b):
		p.diag = noDiag
		p.g.drop(l, blanks)
	default:
		p.list = false
		p.etc.line(l)
	}
}

// libtest reads the lines of Rust's test harness.
func (p *cargo) libtest(l line) bool {
	b := l.text
	switch {
	case has(b, "test result: "):
		p.result(l)
	case has(b, "test ") && !p.panics && p.test(l):
	case has(b, "running ") && (ends(b, " tests") || ends(b, " test")) && digit(b[8]):
		p.tests = true
		p.g.drop(l, progress)
	case has(b, "---- ") && (ends(b, " stdout ----") || ends(b, " stderr ----") || ends(b, " ----")):
		p.panics, p.list = true, false
		name := trim(b[5 : len(b)-4])
		if i := bytes.LastIndexByte(name, ' '); i > 0 {
			name = name[:i]
		}
		p.named[string(name)] = true
		p.g.keep(l)
	case string(b) == "failures:":
		p.panics, p.list = false, true
		p.g.drop(l, headings)
	default:
		return false
	}
	return true
}

// test reads "test NAME ... STATE".
func (p *cargo) test(l line) bool {
	b := l.text
	i := bytes.LastIndex(b, []byte(" ... "))
	if i < 5 {
		if contains(b, " has been running for over ") {
			p.g.keep(l)
			return true
		}
		return false
	}
	name, state := b[5:i], b[i+5:]
	switch {
	case has(state, "ok"):
		p.g.drop(l, passing)
	case has(state, "FAILED"):
		if p.out.first == "" {
			p.out.first = string(name)
		}
		p.g.keep(l)
	case has(state, "ignored"):
		p.ignored.add(l)
	default:
		return false
	}
	return true
}

// result reads "test result: ok. 148 passed; 0 failed; 1 ignored; …".
func (p *cargo) result(l line) {
	p.panics, p.list, p.tests, p.out.counted = false, false, true, true
	ran, bad := 0, 0
	eachCount(l.text, func(n int, what []byte) {
		switch {
		case has(what, "passed"):
			p.out.passed += n
			ran += n
		case has(what, "failed"):
			p.out.failed += n
			bad += n
		case has(what, "ignored"):
			p.out.skipped += n
			ran += n
		}
	})
	switch {
	case bad > 0 || contains(l.text, "FAILED"):
		p.g.keep(l)
	case ran == 0:
		p.g.drop(l, passing)
	default:
		p.results.add(l)
	}
}

// eachCount calls f for each number in b that stands at the begin of a word,
// with what follows it.
func eachCount(b []byte, f func(n int, what []byte)) {
	for i := 0; i < len(b); i++ {
		if !digit(b[i]) || i > 0 && b[i-1] != ' ' && b[i-1] != '(' && b[i-1] != '=' {
			continue
		}
		v, n := number(b[i:])
		if i += n; i < len(b) && b[i] == ' ' {
			f(v, b[i+1:])
		}
	}
}

// failure keeps what a failed test printed.
func (p *cargo) failure(l line) {
	b := l.text
	switch {
	case blank(b):
		p.g.drop(l, blanks)
	case has(trimLeft(b), "stack backtrace:"):
		p.g.drop(l, headings)
	case p.backtrace(l):
	case foreignFrame(b):
		p.g.drop(l, frames)
	case has(b, "note: run with `RUST_BACKTRACE") || has(b, "note: Some details are omitted, run with `RUST_BACKTRACE"):
		p.g.drop(l, hints)
	default:
		if i := index(b, " panicked at "); i > 0 && has(trimLeft(b), "thread '") {
			if p.out.file == "" {
				p.out.file = position(b[i+13:])
			}
			p.panicked = string(bytes.TrimSuffix(b[i+13:], []byte(":")))
		}
		p.g.keep(l)
	}
}

// backtrace reads a frame, "   4: own::f" and "             at ./src/lib.rs:7:1":
// those of the program stay that say more than where it panicked.
func (p *cargo) backtrace(l line) bool {
	b := l.text
	t := trimLeft(b)
	if p.wait != nil {
		told := has(t, "at ") && (p.panicked != "" && ends(t, p.panicked) || foreignFrame(b))
		if told || !has(t, "at ") || contains([]byte(p.wait.text), "{{closure}}") {
			p.g.dropEntry(*p.wait, frames)
		} else {
			p.g.keepEntry(*p.wait)
		}
		own := !told && !contains([]byte(p.wait.text), "{{closure}}")
		p.wait = nil
		if has(t, "at ") {
			if own {
				p.g.keep(l)
			} else {
				p.g.drop(l, frames)
			}
			return true
		}
	}
	_, n := number(t)
	if n == 0 || !has(t[n:], ": ") || len(t) == len(b) || foreignFrame(b) {
		return false
	}
	e := p.g.entry(l)
	p.wait = &e
	return true
}

// rustc reads a message of the compiler: of an error all that says something,
// of a warning what and where.
func (p *cargo) rustc(l line) bool {
	b := l.text
	if p.wait != nil && (blank(b) || hasAny(b, "error", "warning")) {
		p.settle(!source([]byte(p.wait.text)))
	}
	switch {
	case has(b, "error[") || has(b, "error: "):
		p.diag, p.aside, p.helps, p.mend = errorDiag, false, 0, 0
		p.s.found.failures++
		add(p.s.found.fields, "errors", 1)
		p.g.keep(l)
	case has(b, "warning: ") || has(b, "warning["):
		add(p.s.found.fields, "warnings", 1)
		p.diag, p.aside = warningDiag, false
		if p.warned++; p.warned > maxWarnings || p.often(b) {
			p.diag = repeatedDiag
			p.g.drop(l, warnings)
			break
		}
		p.g.keep(l)
	case has(b, "For more information about ") || has(b, "Some errors have detailed explanations"):
		p.g.drop(l, hints)
	case p.diag == noDiag:
		return false
	case blank(b):
		p.diag = noDiag
		p.g.drop(l, blanks)
	case p.diag == repeatedDiag:
		p.g.drop(l, warnings)
	case p.diag == warningDiag && !has(trimLeft(b), "--> "):
		p.g.drop(l, excerpts)
	default:
		p.diagnosis(l)
	}
	return true
}

// often reports whether warnings of this kind, told by what stands before the
// first name in them, were shown often enough.
func (p *cargo) often(b []byte) bool {
	i := bytes.IndexByte(b, '`')
	if i < 12 || len(p.rules) >= maxSeen {
		return false
	}
	p.rules[string(b[:i])]++
	return p.rules[string(b[:i])] > maxOfRule
}

// diagnosis reads a line under the head of an error: its place, what marks in
// the source say, notes and help that are about the program's own code.
func (p *cargo) diagnosis(l line) {
	b := l.text
	t := trimLeft(b)
	_, n := number(t)
	switch {
	case hasAny(t, "--> ", "::: "):
		foreign := foreignRust(t)
		p.settle(!foreign)
		p.mend = 0 // the help says where something is, not what to write
		switch {
		case foreign:
			p.aside = true
			p.g.drop(l, frames)
		case has(t, "::: "):
			p.g.drop(l, excerpts)
		default:
			p.g.keep(l)
		}
	case has(b, "help: ") && p.helps > 0: // one way to mend it is enough
		p.settle(true)
		p.aside, p.mend = true, 0
		p.g.drop(l, hints)
	case has(t, "= help: the following other types implement trait"):
		p.settle(true)
		p.aside = true
		p.g.drop(l, hints)
	case hasAny(b, "help: ", "note: "):
		p.settle(true)
		p.aside, p.mend = true, 0
		if has(b, "help: ") {
			p.helps++
			p.mend = maxMend
		}
		e := p.g.entry(l)
		p.wait = &e
	case lintNote(t):
		p.g.drop(l, hints)
	case p.mend > 0 && n > 0 && source(b):
		p.settle(true)
		p.mend--
		p.g.keep(l)
	case p.aside && (source(b) || has(t, "= ")), len(bytes.Trim(b, "| ")) == 0, string(t) == "...":
		p.g.drop(l, excerpts)
	case n > 0 && has(trimLeft(t[n:]), "|"): // source: shown if a mark in it says something
		p.settle(false)
		e := p.g.entry(l)
		p.wait = &e
	case has(t, "|"):
		says := bytes.ContainsFunc(bytes.TrimLeft(t, "| ^-_~"), func(r rune) bool { return r > ' ' && r != '|' })
		p.settle(says)
		if says {
			p.g.keep(l)
		} else {
			p.g.drop(l, excerpts)
		}
	case p.aside && has(b, "        "):
		p.g.drop(l, excerpts)
	default:
		p.settle(true)
		p.g.keep(l)
	}
}

// settle decides the line that waits for what follows it.
func (p *cargo) settle(keep bool) {
	if p.wait == nil {
		return
	}
	if keep {
		p.g.keepEntry(*p.wait)
	} else {
		p.g.dropEntry(*p.wait, excerpts)
	}
	p.wait = nil
}

// foreignRust reports whether a place is in the standard library or in a crate
// that was fetched.
func foreignRust(t []byte) bool {
	return contains(t, "/rustc/") || contains(t, "/.cargo/registry/") || contains(t, "/.cargo/git/") || contains(t, "/.rustup/")
}

// lintNote reports whether a note only says which lint spoke, how to silence
// it, or where it is described.
func lintNote(t []byte) bool {
	return hasAny(t, "= help: for further information visit", "= help: to override ", "= note: `#[", "= note: `-D ", "= note: `-W ", "= note: `-F ", "= note: requested on the command line", "= note: this error originates in the macro", "= note: this warning originates in the macro")
}

// source reports whether a line of a diagnostic shows source, or points into it.
func source(b []byte) bool {
	t := trimLeft(b)
	_, n := number(t)
	return has(trimLeft(t[n:]), "|") || n > 0 && hasAny(trimLeft(t[n:]), "+ ", "- ", "~ ") || has(t, "...")
}

// nextest reads the lines of cargo-nextest.
func (p *cargo) nextest(l line) bool {
	b := trimLeft(l.text)
	if len(b) == len(l.text) || len(b) < 8 {
		return false
	}
	word := b
	if i := bytes.IndexByte(b, ' '); i > 0 {
		word = b[:i]
	}
	bracket := has(trimLeft(b[len(word):]), "[")
	switch string(word) {
	case "PASS", "SLOW":
		if !bracket {
			return false
		}
		p.g.drop(l, passing)
	case "FAIL", "TIMEOUT", "SIGABRT", "SIGSEGV", "LEAK", "ABORT", "TRY", "XFAIL":
		if !bracket {
			return false
		}
		id := skeleton(b)
		if p.seen[id] && p.after {
			p.g.drop(l, repeated)
			return true
		}
		p.seen[id] = true
		if p.out.first == "" {
			p.out.first = string(b[bytes.LastIndexByte(b, ' ')+1:])
		}
		p.panics = false
		p.g.keep(l)
	case "SKIP":
		if !bracket {
			return false
		}
		p.ignored.add(l)
	case "Summary":
		p.after, p.panics, p.out.counted = true, false, true
		eachCount(b, func(n int, what []byte) {
			switch {
			case has(what, "passed"):
				p.out.passed += n
			case has(what, "failed"):
				p.out.failed += n
			case has(what, "skipped"):
				p.out.skipped += n
			}
		})
		p.g.keep(l)
	case "stdout", "stderr":
		if !contains(b, "───") {
			return false
		}
		p.panics = true
		p.g.drop(l, headings)
	case "Starting", "Nextest", "Cancelling", "Canceling":
		p.g.drop(l, progress)
	default:
		if has(b, "────") {
			p.g.drop(l, headings)
			return true
		}
		return false
	}
	return true
}

// cargoVerb reports whether a line is cargo's own progress: a verb set to the
// right in a column of twelve (cargo's shell.rs).
func cargoVerb(b []byte) bool {
	if len(b) < 14 || b[12] != ' ' || b[0] != ' ' {
		return false
	}
	switch string(trimLeft(b[:12])) {
	case "Compiling", "Checking", "Finished", "Running", "Doc-tests", "Downloading", "Downloaded", "Updating", "Locking", "Fresh", "Blocking", "Building",
		"Adding", "Documenting", "Scraping", "Fetching", "Unpacking", "Dirty", "Executable":
		return true
	}
	return false
}

func (p *cargo) finish() {
	p.settle(true)
	p.ignored.finish()
	p.results.finish()
	p.etc.finish()
	if p.tests || p.out.counted {
		if p.s.options.Policy == "" {
			p.s.name = "test_summary"
		}
		p.out.report(&p.s.found)
	}
}
