package shape

import (
	"bytes"
	"strings"
)

// build reads what compilers, linkers, linters and build programs write: every
// error and warning with its place once, what a build program says of a step
// that failed, and not the source around.
type build struct {
	s   *Shaper
	g   *ledger
	etc *spread

	seen    map[string]bool // diagnostics
	noted   map[string]bool // what belongs to them
	placed  int             // the line after that tells a place, where its source may follow
	code    *entry          // that may be such
	same    folds           // errors by what they say, warnings by their rule
	first   *folded         // of the diagnostic whose details follow
	hidden  bool            // it is not shown
	source  bool            // the line of a script that shellcheck speaks of follows
	errors  int
	warned  int
	after   severity // of the diagnostic whose lines follow
	path    *entry   // eslint: a file's name that waits for its problems
	file    []byte   // that name
	below   bool     // it has some
	colon   bool     // the error ends with a colon: what follows, indented, says what to do
	indent  bool     // what follows, indented, explains an error (CMake, Gradle)
	advice  bool     // shellcheck's advice
	failing bool
	boxes   boxes
	table   bool // tsc's counts of errors by file follow
}

type severity uint8

const (
	noDiagnostic severity = iota
	isError
	isWarning
	isNote
)

const (
	maxSeen   = 100_000
	maxOfRule = 2 // warnings of one rule that are shown
)

func newBuild(s *Shaper) *build {
	return &build{s: s, g: &s.ledger, etc: newSpread(&s.ledger, budget{lines: 60, bytes: 6 << 10, head: 10, tail: 30, alarms: 160}), seen: map[string]bool{}, noted: map[string]bool{}, same: newFolds(&s.ledger)}
}

func (p *build) line(l line) {
	b := l.text
	if p.path != nil && !p.linted(b) {
		p.pathless()
	}
	t := trimLeft(b)
	if p.code != nil {
		p.excerpted(b)
	}
	switch {
	case blank(b):
		p.advice, p.boxes.advice = false, false
		p.g.drop(l, blanks)
	case p.advice && !has(b, "For more information:"):
		p.g.drop(l, hints)
	case p.framed(l, t):
	case has(b, "[ERROR]") && mavenAdvice(b):
		p.g.drop(l, hints)
	case p.diagnostic(l):
	case p.tool(l, t):
	case p.colon && indented(b):
		p.g.keep(l)
	case p.after == isError && detail(b, t):
		if said := p.noted[string(t)]; p.hidden && said {
			p.g.drop(l, repeated)
			break
		}
		if len(p.noted) < maxSeen {
			p.noted[string(t)] = true
		}
		if p.first != nil {
			p.first.last = l.n
		}
		p.g.keep(l)
	case p.after != noDiagnostic && excerpt(b):
		p.g.drop(l, excerpts)
	case p.placed == l.n && !indented(b): // source that is not indented, if a mark follows
		e := p.g.entry(l)
		p.code = &e
	case p.indent && hasAny(b, "  /usr/share/cmake", "  /usr/local/share/cmake", "  /opt/homebrew/") && contains(b, ".cmake:"):
		p.g.drop(l, frames)
	case p.indent && indented(b):
		p.g.keep(l)
	default:
		p.after, p.indent, p.colon = noDiagnostic, false, false
		p.etc.line(l)
	}
}

// excerpted decides a line after one that tells a place, by the line that
// follows it: a mark points at source.
func (p *build) excerpted(next []byte) {
	if bytes.IndexByte(next, '^') >= 0 && len(bytes.Trim(next, " \t^~")) == 0 {
		p.g.dropEntry(*p.code, excerpts)
	} else {
		p.after, p.indent = noDiagnostic, false
		p.etc.add(*p.code, []byte(p.code.text))
	}
	p.code = nil
}

// pathless decides a line that names a file when no more problems follow it.
func (p *build) pathless() {
	if p.below {
		p.g.dropEntry(*p.path, headings) // those in it are told of elsewhere
	} else {
		p.etc.add(*p.path, []byte(p.path.text))
	}
	p.path = nil
}

// detail reports whether an indented line says more of the error above: what go
// has and what it wants, the symbol that javac did not find and where.
func detail(b, t []byte) bool {
	return b[0] == '\t' && hasAny(t, "have ", "want ") || b[0] == ' ' && hasAny(t, "symbol: ", "location: ", "required: ", "found: ", "reason: ")
}

// excerpt reports whether a line shows source, or points into it.
func excerpt(b []byte) bool {
	t := trimLeft(b)
	if _, n := number(t); n > 0 && n < len(t) && t[n] == ' ' && len(t) == len(b) {
		return true // tsc --pretty: "12 code"
	}
	if len(t) == len(b) && len(bytes.Trim(t, "^~")) > 0 {
		return codeFrame(t)
	}
	return codeFrame(t) || len(bytes.Trim(t, " ^~-|\t")) == 0 || len(t) < len(b)
}

// diagnostic reads "path:line:col: severity: message" and its variants.
func (p *build) diagnostic(l line) bool {
	b := trimLeft(l.text)
	if has(b, "vet: ") {
		b = b[5:]
	}
	end, level := 0, noDiagnostic
	if foreignHeader(b) && passage(b) {
		p.g.drop(l, frames) // the way through a library; its end is in the program
		p.placed = l.n + 1
		return true
	}
	if i := index(b, ": In function "); i > 0 || has(b, "In file included from ") || has(b, "from ") && position(b[index(b, "from ")+5:]) != "" {
		p.after = isNote
		p.g.drop(l, headings)
		return true
	}
	if end, level = located(b); level == noDiagnostic {
		if end, level = bracketed(b); level == noDiagnostic {
			return p.linting(l)
		}
	}
	p.placed = l.n + 1
	if level == isNote {
		switch {
		case !noteworthy(b[end:]) || p.after == isWarning || indented(l.text) && contains(l.text, " - "):
			p.g.drop(l, excerpts)
		case p.noted[string(b)]: // the same way into a library as before
			p.g.drop(l, repeated)
		default:
			if len(p.noted) < maxSeen {
				p.noted[string(b)] = true
			}
			p.g.keep(l)
		}
		return true
	}
	p.diagnosed(l, level, bytes.TrimRight(bytes.TrimSuffix(b[:end], []byte(" - ")), ":, "), b[end:])
	return true
}

// passage reports whether a line tells of the way through templates, or of what
// was tried and does not fit.
func passage(b []byte) bool {
	for _, w := range [...]string{": In instantiation of ", "   required from ", " note: candidate", ":   template argument deduction/", " requested here", " note: expanded from "} {
		if contains(b, w) {
			return true
		}
	}
	return false
}

// foreignHeader reports whether a diagnostic is about a header of the system.
func foreignHeader(b []byte) bool {
	return hasAny(b, "/usr/include/", "/usr/lib/", "/usr/bin/../", "/usr/local/include/", "/Library/Developer/", "/Applications/Xcode", "/opt/homebrew/") ||
		contains(b[:max(0, bytes.IndexByte(b, ':'))], "/include/c++/")
}

// diagnosed shows a diagnostic, once; of those that say the same as one before
// it tells the place.
func (p *build) diagnosed(l line, level severity, place, message []byte) {
	p.after, p.first, p.hidden, p.colon = level, nil, true, false
	text := trim(l.text)
	if p.seen[string(text)] {
		p.g.drop(l, repeated)
		return
	}
	if len(p.seen) < maxSeen {
		p.seen[string(text)] = true
	}
	if level == isError {
		p.errors++
		p.hidden = placed(place) && p.again(message, l.n, nil, place)
		if p.hidden {
			p.g.drop(l, repeated)
			return
		}
		p.colon = ends(message, ":")
		p.g.keep(l)
		return
	}
	p.warned++
	if r := rule(message); p.often(r, l.n, nil, place) || p.warned > maxWarnings && len(r) == 0 {
		p.g.drop(l, warnings)
		return
	}
	p.hidden = false
	p.g.keep(l)
}

// placed reports whether what stands before a message says where it is.
func placed(place []byte) bool {
	t := bytes.TrimRight(place, ")")
	return len(t) > 3 && digit(t[len(t)-1])
}

// again reports whether an error says what one before did; its place is noted.
func (p *build) again(message []byte, n int, file, place []byte) bool {
	d := p.same.add(message, n)
	if d == nil {
		return false
	}
	d.whole, d.places.all = len(file) == 0, true
	if d.n <= maxOfRule {
		if d.n == 2 {
			d.second = second{n, d.last, string(file), string(place)}
		}
		p.first, d.last = d, n
		return false
	}
	d.at(file, place)
	return true
}

// often reports whether a rule has been broken often enough to show no more of
// its warnings; their places are noted.
func (p *build) often(rule []byte, n int, file, place []byte) bool {
	if len(rule) == 0 {
		return false
	}
	d := p.same.add(append([]byte("rule "), rule...), n)
	if d == nil {
		return true
	}
	if d.n <= maxOfRule {
		d.last = n
		return false
	}
	d.rule, d.whole = string(rule), len(file) == 0 && rule[0] == '['
	if len(place) > 0 {
		d.at(file, place)
	}
	return true
}

// linted reports whether a line is a problem under a file's name, as ESLint
// writes them: "  12:5  error  message  rule".
func (p *build) linted(b []byte) bool {
	_, ok := stylish(b)
	return ok
}

func stylish(b []byte) (severity, bool) {
	t := trimLeft(b)
	if len(t) == len(b) {
		return 0, false
	}
	_, n := number(t)
	if n == 0 || n >= len(t) || t[n] != ':' {
		return 0, false
	}
	_, m := number(t[n+1:])
	rest := trimLeft(t[n+1+m:])
	switch {
	case m > 0 && has(rest, "error "):
		return isError, true
	case m > 0 && has(rest, "warning "):
		return isWarning, true
	}
	return 0, false
}

// linting reads ESLint's lines.
func (p *build) linting(l line) bool {
	b := l.text
	if level, ok := stylish(b); ok {
		p.below = true
		if p.lint(l, level) {
			return true
		}
		if p.path != nil {
			p.g.keepEntry(*p.path)
			p.path = nil
		}
		p.g.keep(l)
		return true
	}
	if len(b) > 1 && b[0] != ' ' && (b[0] == '/' || letter(b[0]) && bytes.IndexByte(b, '/') > 0) && bytes.IndexByte(b, ' ') < 0 && bytes.IndexByte(b, ':') < 0 && bytes.LastIndexByte(b, '.') > 0 {
		e := p.g.entry(l)
		p.path, p.file, p.below = &e, append(p.file[:0], b...), false
		return true
	}
	return false
}

// lint reads a problem under a file's name; it leaves it out, but for its place,
// if another one said the same.
func (p *build) lint(l line, level severity) bool {
	t := trim(l.text)
	i := bytes.IndexByte(t, ' ')
	place, said := t[:i], bytes.Join(bytes.Fields(t[i:]), []byte(" "))
	if level == isError {
		p.errors++
		if !p.again(said, l.n, p.file, place) {
			return false
		}
		p.g.drop(l, repeated)
		return true
	}
	p.warned++
	if !p.often(said[bytes.LastIndexByte(said, ' ')+1:], l.n, p.file, place) {
		return false
	}
	p.g.drop(l, warnings)
	return true
}

// tool reads what build programs say themselves.
func (p *build) tool(l line, t []byte) bool {
	b := l.text
	switch {
	case hasAny(b, "make: ***", "make[", "gmake") && contains(b, "***"), hasAny(b, "ninja: build stopped", "FAILED: "):
		p.failing = true
		p.errors++
		p.g.keep(l)
	case has(b, "make") && (contains(b, ": Entering directory") || contains(b, ": Leaving directory") || contains(b, ": Nothing to be done")):
		p.g.drop(l, progress)
	case hasAny(b, "CMake Error", "CMake Warning", "CMake Deprecation"):
		p.indent = true
		if has(b, "CMake Error") {
			p.errors++
		}
		p.g.keep(l)
	case tally(b):
		p.g.keep(l)
	case hasAny(b, "[INFO] BUILD FAILURE", "[INFO] Tests run:", "[INFO] Reactor Summary"):
		p.g.keep(l)
	case hasAny(b, "-- Configuring incomplete", "* What went wrong:", "FAILURE:", "BUILD FAIL", "> Task") && !(has(b, "> Task") && !ends(b, "FAILED")):
		p.indent = true
		p.g.keep(l)
	case hasAny(b, "-- ", "> Task ", "[INFO] ", "Scanning dependencies", "Consolidate compiler", "> Configure project"):
		p.g.drop(l, progress)
	case hasAny(t, `"posn": "`, `"message": "`): // go vet -json
		if t[1] == 'm' {
			p.errors++
		}
		p.g.keep(l)
	case buildStep(t), quietStep(b):
		p.g.drop(l, progress)
	case routine(b) != other:
		p.g.drop(l, routine(b))
	case has(b, "# ") && !contains(b[2:], " = "):
		p.g.keep(l)
	case has(b, "In ") && contains(b, " line ") && ends(b, ":"):
		p.source = true
		p.g.keep(l)
	case contains(t, "^-- SC") || contains(t, "^ SC") || contains(t, "-^ SC"):
		p.source = false
		p.errors++
		p.checked(l, t)
	case p.source:
		p.source = false
		p.g.drop(l, excerpts)
	case has(t, "Errors  Files"):
		p.table = true
		p.g.drop(l, headings)
	case p.table && digit(t[0]) && len(t) < len(b):
		p.g.drop(l, headings)
	case contains(b, "potentially fixable with the `--fix` option"), contains(b, "fixable with the `--fix`"):
		p.g.drop(l, hints)
	case hasAny(b, "Did you mean:", "For more information:"):
		p.advice = true
		p.g.drop(l, hints)
	case has(t, "https://www.shellcheck.net/"):
		p.g.drop(l, hints)
	case contains(b, "undefined reference to") || hasAny(b, "collect2:", "ld: ", "/usr/bin/ld", "clang: error", "gcc: ", "cc1: ", "error:", "Error:", "fatal error", "ERROR", "FATAL"):
		p.diagnosed(l, isError, nil, nil)
	case hasAny(b, "go: downloading ", "go: finding ", "go: extracting ", "Downloading ", "Downloaded "):
		p.g.drop(l, progress)
	default:
		return false
	}
	return true
}

// checked shows what shellcheck says of a line, without the marks under its text.
func (p *build) checked(l line, t []byte) {
	i := index(t, "SC")
	if (contains(t, " (info): ") || contains(t, " (style): ")) && p.often(t[i:min(len(t), i+6)], l.n, nil, nil) {
		p.g.drop(l, warnings)
		return
	}
	e := p.g.entry(l)
	if i = strings.Index(e.text, " SC"); i > 0 {
		e.cut, e.text = e.cut+i+1, e.text[i+1:]
	}
	p.g.keepEntry(e)
}

func (p *build) finish() {
	if p.path != nil {
		p.pathless()
	}
	if p.code != nil {
		p.excerpted(nil)
	}
	p.boxes.flush(p)
	p.same.finish()
	p.etc.finish()
	p.s.found.failures += p.errors
	if p.errors == 0 {
		p.s.found.failures += p.etc.alarmN
	}
	if p.errors > 0 {
		add(p.s.found.fields, "errors", p.errors)
	}
	if p.warned > 0 {
		add(p.s.found.fields, "warnings", p.warned)
	}
}
