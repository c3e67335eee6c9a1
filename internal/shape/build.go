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
	return &build{s: s, g: &s.ledger, etc: newSpread(&s.ledger, budget{lines: 60, bytes: 6 << 10, head: 10, tail: 30, alarms: 160}), seen: map[string]bool{}, same: newFolds(&s.ledger)}
}

func (p *build) line(l line) {
	b := l.text
	if p.path != nil && !p.linted(b) {
		p.pathless()
	}
	t := trimLeft(b)
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
	case p.after == isError && detail(b, t):
		if p.hidden {
			p.g.drop(l, repeated)
			break
		}
		if p.first != nil {
			p.first.last = l.n
		}
		p.g.keep(l)
	case p.after != noDiagnostic && excerpt(b):
		p.g.drop(l, excerpts)
	case p.indent && hasAny(b, "  /usr/share/cmake", "  /usr/local/share/cmake", "  /opt/homebrew/") && contains(b, ".cmake:"):
		p.g.drop(l, frames)
	case p.indent && indented(b):
		p.g.keep(l)
	default:
		p.after, p.indent = noDiagnostic, false
		p.etc.line(l)
	}
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
	if foreignHeader(b) && (contains(b, ": In instantiation of ") || contains(b, "   required from ") || contains(b, " note: candidate: ") || contains(b, ":   template argument deduction/")) {
		p.g.drop(l, frames) // the way through a library; its end is in the program
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
	if level == isNote {
		if !noteworthy(b[end:]) || p.after == isWarning || indented(l.text) && contains(l.text, " - ") {
			p.g.drop(l, excerpts)
			return true
		}
		p.g.keep(l)
		return true
	}
	p.diagnosed(l, level, bytes.TrimRight(bytes.TrimSuffix(b[:end], []byte(" - ")), ":, "), b[end:])
	return true
}

// foreignHeader reports whether a diagnostic is about a header of the system.
func foreignHeader(b []byte) bool {
	return hasAny(b, "/usr/include/", "/usr/lib/", "/usr/local/include/", "/Library/Developer/", "/Applications/Xcode", "/opt/homebrew/")
}

// diagnosed shows a diagnostic, once; of those that say the same as one before
// it tells the place.
func (p *build) diagnosed(l line, level severity, place, message []byte) {
	p.after, p.first, p.hidden = level, nil, true
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

// rule returns what a warning names at its end, "[-Wunused]", "(unused-import)",
// or at its begin, "E302".
func rule(text []byte) []byte {
	if n := styleCode(text); n > 0 {
		return text[:n]
	}
	if i := bytes.LastIndexByte(text, ' '); i > 0 && (ends(text, "]") || ends(text, ")")) {
		return text[i+1:]
	}
	return nil
}

// styleCode returns the length of a code like "E302" or "PLR0913" that a message
// begins with.
func styleCode(b []byte) int {
	n, d := 0, 0
	for n < len(b) && b[n] >= 'A' && b[n] <= 'Z' {
		n++
	}
	for n+d < len(b) && digit(b[n+d]) {
		d++
	}
	if n == 0 || n > 5 || d < 3 || d > 4 || n+d == len(b) || b[n+d] != ' ' {
		return 0
	}
	return n + d
}

// located reads "path:12:5: error: …" and "path:12:5: …"; end is where the
// message begins.
func located(b []byte) (end int, level severity) {
	i := bytes.IndexByte(b, ':')
	if i == 1 && len(b) > 3 && letter(b[0]) && (b[2] == '\\' || b[2] == '/') { // C:\…
		if j := bytes.IndexByte(b[2:], ':'); j > 0 {
			i = j + 2
		}
	}
	if i <= 0 || i > 400 || bytes.IndexByte(b[:i], ' ') >= 0 || !pathlike(b[:i]) {
		return 0, noDiagnostic
	}
	_, n := number(b[i+1:])
	if n == 0 {
		if j := worded(b[i:]); j > 0 {
			return i + j, isError
		}
		return 0, noDiagnostic
	}
	j := i + 1 + n
	if j < len(b) && b[j] == ':' {
		if _, m := number(b[j+1:]); m > 0 {
			j += 1 + m
		}
	}
	if has(b[j:], " - ") { // tsc --pretty
		if !hasAny(b[j+3:], "error", "warning", "message", "suggestion") {
			return j + 3, isNote // a place that the error above has to do with
		}
		return j + 3, levelOf(b[j+3:])
	}
	if j >= len(b) || b[j] != ':' {
		return 0, noDiagnostic
	}
	rest := trimLeft(b[j+1:])
	return len(b) - len(rest), levelOf(rest)
}

// worded returns the end of ": line 12, col 5, ", as JSHint writes a place.
func worded(b []byte) int {
	i := 0
	for _, word := range []string{": line ", ", col "} {
		if !has(b[i:], word) {
			return 0
		}
		i += len(word)
		_, n := number(b[i:])
		if i += n; n == 0 {
			return 0
		}
	}
	if !has(b[i:], ", ") {
		return 0
	}
	return i + 2
}

func pathlike(b []byte) bool {
	return bytes.IndexByte(b, '.') >= 0 || bytes.IndexByte(b, '/') >= 0 || has(b, "Makefile") || has(b, "Dockerfile")
}

// levelOf is that of a message; one without a word for it is an error.
func levelOf(b []byte) severity {
	switch {
	case len(b) == 0:
		return noDiagnostic
	case ends(b, "]") && contains(b, "[SC"): // shellcheck calls notes what no error belongs to
		if has(b, "error") {
			return isError
		}
		return isWarning
	case hasAny(b, "warning", "Warning", "warn ", "W: ", "info:", "style:"):
		return isWarning
	case len(b) > 6 && (b[0] == 'C' || b[0] == 'R') && b[5] == ':' && digit(b[1]) && digit(b[4]): // pylint: convention, refactor
		return isWarning
	case styleCode(b) > 0 && b[0] != 'F' && !hasAny(b, "E9", "E1 "): // flake8, ruff: F and E9 are errors
		return isWarning
	case hasAny(b, "note:", "note ", "required from", "required by", "in instantiation", "candidate"):
		return isNote
	}
	return isError
}

func noteworthy(b []byte) bool {
	for _, w := range []string{"declared here", "defined here", "declaration", "definition", "required", "expected", "previous", "candidate", "conflict"} {
		if contains(b, w) {
			return true
		}
	}
	return false
}

// bracketed reads "path(12,5): error TS2322: …" (tsc, MSBuild) and
// "[ERROR] path:[12,5] …" (Maven).
func bracketed(b []byte) (end int, level severity) {
	if has(b, "[ERROR] ") {
		return 8, isError
	}
	if has(b, "[WARNING] ") {
		return 10, isWarning
	}
	i := index(b, "): ")
	if i < 0 {
		return 0, noDiagnostic
	}
	j := bytes.LastIndexByte(b[:i], '(')
	if j <= 0 || j+1 >= i || !digit(b[j+1]) || !digit(b[i-1]) || !pathlike(b[:j]) {
		return 0, noDiagnostic
	}
	return i + 3, levelOf(b[i+3:])
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

// mavenAdvice reports whether Maven says where help is, as after every failure.
func mavenAdvice(b []byte) bool {
	return hasAny(trimLeft(b[7:]), "To see the full stack trace", "Re-run Maven", "For more information about the errors", "[Help ", "After correcting the problems") || blank(b[7:])
}

// tally reports whether a line counts what was found: "3 errors", "1 warning
// and 2 errors generated."
func tally(b []byte) bool {
	_, n := number(b)
	return n > 0 && len(b) < 60 && hasAny(b[n:], " error", " warning", " issue") && !contains(b, "|") && !contains(b, ";")
}

// quietStep reports whether a line names a step as make files do that print no
// commands: "  CC      src/file.c", "  LD [M]  x.ko".
func quietStep(b []byte) bool {
	t := trimLeft(b)
	if len(t) == len(b) {
		return false
	}
	n := 0
	for n < len(t) && (t[n] >= 'A' && t[n] <= 'Z' || n > 0 && digit(t[n])) {
		n++
	}
	if n < 2 || n > 10 || !hasAny(t[n:], "  ", "\t", " [M] ") || alarmingStep(t) {
		return false
	}
	file := trim(bytes.TrimPrefix(trimLeft(t[n:]), []byte("[M]")))
	return len(file) > 0 && bytes.IndexByte(file, ' ') < 0 && pathlike(file)
}

// buildStep reports whether a line only names a step: "[ 50%] Building C
// object x.o", "[3/40] CC x.o", "  CC  x.o", "Restoring package Foo...".
func buildStep(t []byte) bool {
	if len(t) == 0 || alarmingStep(t) {
		return false
	}
	if t[0] == '[' {
		i := bytes.IndexByte(t, ']')
		if i > 0 && i < 16 {
			in := trim(t[1:i])
			_, n := number(in)
			return n > 0 && (ends(in, "%") || bytes.IndexByte(in, '/') > 0)
		}
	}
	return progressing(t)
}

func alarmingStep(t []byte) bool { return contains(t, "rror:") || contains(t, "FAILED") }

func (p *build) finish() {
	if p.path != nil {
		p.pathless()
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
