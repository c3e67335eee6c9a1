package shape

import (
	"bytes"
	"slices"
)

const (
	peekLines = 60
	peekBytes = 64 << 10
)

// choose returns the policy for an output, and its name.
func choose(s *Shaper, o Options) (string, policy) {
	f := outputs[o.Command.Output]
	name := o.Policy
	switch o.Policy {
	case "":
		switch name = f.name(); {
		case f == unknown:
			name = "generic"
		case f == cargoOut && o.Command.Tests:
			name = "test_summary"
		}
	case "raw":
		f = asIs
	case "generic":
		f = plainLines
	case "status_summary":
		f = gitStatus
	case "diff_summary":
		if f != gitLog {
			f = gitDiff
		}
	case "history_summary":
		f = gitLog
	case "git_summary":
		f = gitWork
	case "search_summary":
		f = searchOut
	case "log_summary":
		if f != gitLog {
			f = logOut
		}
	case "package_summary":
		if f != cargoOut {
			f = packageOut
		}
	case "table_summary":
		f = tableOut
	case "json_projection":
		f = jsonOut
	case "test_summary", "build_summary":
		if n := f.name(); n != "test_summary" && n != "build_summary" {
			f = unknown
			if o.Policy == "build_summary" {
				f = buildOut
			}
		}
	}
	switch {
	case f == unknown, f == buildOut, f == packageOut, f == logOut && o.Policy == "" && o.Command.Relays:
		// What a script, make or a container prints is seen from what it prints.
		return name, &auto{s: s, first: f, fixed: o.Policy != "", tests: o.Policy == "test_summary" || o.Command.Tests}
	}
	return name, s.reader(f)
}

// reader makes the policy that reads a format.
func (s *Shaper) reader(f format) policy {
	switch f {
	case asIs:
		return newGeneric(s) // shown only if it is too much to show whole
	case goTest:
		return newGoText(s)
	case goJSON:
		return newGoEvents(s)
	case cargoOut:
		return newCargo(s)
	case goTestSum:
		return newGotestsum(s)
	case pytestOut:
		return newPytest(s)
	case unittestOut:
		return newUnittest(s)
	case tapOut:
		return newTAP(s)
	case jsTest:
		return newJSTests(s)
	case ctestOut:
		return newCTest(s)
	case buildOut:
		return newBuild(s)
	case junitXML:
		return newJUnit(s)
	case searchOut:
		return newSearch(s)
	case logOut:
		return newLogs(s)
	case packageOut:
		return newInstalls(s)
	case tableOut:
		return newTables(s)
	case ansibleOut:
		return newAnsible(s)
	case terraformOut:
		return newTerraform(s)
	case straceOut:
		return newStraced(s)
	case jsonOut:
		return newProjection(s)
	case gitDiff:
		return newDiffs(s)
	case gitLog:
		return newHistory(s)
	case gitStatus:
		return newStatus(s)
	case gitWork:
		return newWork(s)
	}
	return newGeneric(s)
}

// auto finds out from the output itself what it is: a line that only one
// program writes decides, else the majority of the first lines. It goes on
// looking, since a script runs one tool after the other.
type auto struct {
	s     *Shaper
	first format // of the command, if it is known
	fixed bool
	tests bool // the command runs tests, of whatever kind
	inner bool // it reads one stream of several

	held    []entry
	heldRaw [][]byte
	size    int
	now     policy
	form    format
}

func (a *auto) line(l line) {
	f := sniff(l.text)
	if f == unknown && a.tests && a.form != jsTest && jsMark(l.text) {
		f = jsTest
	}
	switch {
	case f != unknown && a.takes(f):
		a.become(f)
	case a.now == nil && f == unknown:
		if a.size += len(l.text); len(a.heldRaw) < peekLines && a.size < peekBytes {
			a.heldRaw = append(a.heldRaw, slices.Clone(l.text))
			a.held = append(a.held, entry{n: l.n, cut: l.cut})
			return
		}
		a.decide()
	}
	if a.now == nil {
		a.decide()
	}
	a.now.line(l)
}

// takes reports whether a line of format f begins something new: what tests
// print is theirs, and a build goes on in between.
func (a *auto) takes(f format) bool {
	if a.form == f {
		return false
	}
	switch a.form {
	case unknown, plainLines, buildOut, packageOut, gitWork:
		return true
	case cargoOut, goTest, goJSON, pytestOut, unittestOut, tapOut, jsTest, ctestOut, goTestSum:
		return f == pytestOut || f == tapOut || f == goJSON || f == ctestOut || f == cargoOut && a.form != goTest || f == goTestSum && (a.form == goTest || a.form == jsTest)
	}
	return false
}

func (a *auto) become(f format) {
	if a.now != nil {
		a.now.finish()
	}
	a.form = f
	a.now = a.s.reader(f)
	if !a.fixed && f != buildOut {
		a.s.name = f.name()
	}
	a.replay()
}

// replay gives the lines that were held back to the policy.
func (a *auto) replay() {
	held, raw := a.held, a.heldRaw
	a.held, a.heldRaw = nil, nil
	for i, e := range held {
		a.now.line(line{n: e.n, text: raw[i], cut: e.cut})
	}
}

func (a *auto) decide() {
	if !a.inner && several(a.heldRaw) && (a.first != logOut || majority(texts(a.heldRaw), unknown) != logOut) {
		a.now, a.form = newStreams(a), mixed
		a.replay()
		return
	}
	f := majority(a.heldRaw, a.first)
	if f == unknown {
		if f = a.first; f == unknown {
			f = plainLines
		}
	}
	a.become(f)
}

func (a *auto) finish() {
	if a.now == nil {
		a.decide()
	}
	a.now.finish()
}

// sniff returns the format that only a line like this one begins.
func sniff(b []byte) format {
	if len(b) < 4 {
		return unknown
	}
	if f := sniffTests(b); f != unknown {
		return f
	}
	return sniffWork(b)
}

// sniffTests is sniff for what runs tests. A line has four bytes at least.
func sniffTests(b []byte) format {
	switch b[0] {
	case '=':
		switch {
		case has(b, "=== RUN   "):
			return goTest
		case has(b, "=== Failed") || has(b, "=== Skipped") || has(b, "=== FAIL: "):
			return goTestSum
		case has(b, "====") && (contains(b, " test session starts ") || contains(b, "= FAILURES =") || contains(b, "= ERRORS =")):
			return pytestOut
		}
	case '-':
		if has(b, "--- FAIL: ") || has(b, "--- PASS: ") {
			return goTest
		}
	case 'o':
		if has(b, "ok  \t") {
			return goTest
		}
		if has(b, "ok ") && digit(b[3]) {
			return tapOut
		}
	case 'n':
		if len(b) > 7 && has(b, "not ok ") && digit(b[7]) {
			return tapOut
		}
	case '1':
		if _, n := number(b[3:]); has(b, "1..") && n > 0 && n == len(b)-3 {
			return tapOut
		}
	case 'F':
		if has(b, "FAIL\t") {
			return goTest
		}
		if has(b, "FAIL ") && jsPath(b[5:]) {
			return jsTest
		}
	case '?':
		if has(b, "?   \t") {
			return goTest
		}
	case '{':
		if contains(b, `"Action":"`) && (contains(b, `"Package":"`) || contains(b, `"ImportPath":"`)) {
			return goJSON
		}
	case '<':
		if has(b, "<testsuite") || has(b, "<?xml ") && contains(b, "<testsuite") {
			return junitXML
		}
	case '.', 'R', '\xe2':
		if (b[0] == 0xe2 || b[0] == 'R') && sniffJS(b) {
			return jsTest
		}
	case 'P':
		if has(b, "PASS ") && jsPath(b[5:]) {
			return jsTest
		}
	case 'T':
		if has(b, "TAP version ") {
			return tapOut
		}
		if has(b, "Test project /") {
			return ctestOut
		}
	case 't':
		if has(b, "test") && contains(b, ") ... ") && contains(b, " (") && !has(b, "test ") {
			return unittestOut // "test_a (pkg.T.test_a) ... ok"
		}
	}
	return unknown
}

// sniffWork is sniff for builds, for git, and for what begins with a blank.
func sniffWork(b []byte) format {
	switch b[0] {
	case 'r':
		if has(b, "running ") && (ends(b, " tests") || ends(b, " test")) && digit(b[8]) {
			return cargoOut
		}
	case ' ':
		if cargoVerb(b) {
			return cargoOut
		}
		if boxPlace(trimLeft(b)) != nil {
			return buildOut
		}
		if t := trimLeft(b); has(t, "RUN  v") || digit(t0(t)) && contains(t, " passing (") || jsMark(t) && timed(t) {
			return jsTest
		}
	case 'e':
		if has(b, "error[E") && contains(b, "]: ") {
			return cargoOut
		}
	case 'd':
		if has(b, "diff --git ") || has(b, "diff --cc ") {
			return gitDiff
		}
	case 'c':
		if has(b, "commit ") && len(b) >= 47 && hexWord(b, 7) {
			return gitLog
		}
	case 'O':
		if has(b, "On branch ") {
			return gitStatus
		}
	case 'H':
		if has(b, "HEAD detached ") {
			return gitStatus
		}
	case '#':
		if has(b, "## ") && contains(b, "...") {
			return gitStatus
		}
	case 'P':
		if has(b, "PLAY [") && ends(b, "***") {
			return ansibleOut
		}
	case 'T':
		if hasAny(b, "Terraform used the selected providers", "Terraform will perform the following actions:") {
			return terraformOut
		}
	case 'C':
		if has(b, "Cloning into '") {
			return gitWork
		}
	}
	return unknown
}

func t0(t []byte) byte {
	if len(t) == 0 {
		return 0
	}
	return t[0]
}

// sniffJS reports whether a line at the edge is a timed result, or the head of
// a run.
func sniffJS(b []byte) bool {
	return has(b, "RUN  v") || jsMark(b) && timed(b) || has(b, "Running ") && contains(b, " using ") && contains(b, " worker") && digit(b[8])
}

// jsPath reports whether b begins with the path of a test's file.
func jsPath(b []byte) bool {
	if i := bytes.IndexByte(b, ' '); i >= 0 {
		b = b[:i]
	}
	return contains(b, ".test.") || contains(b, ".spec.") || contains(b, "__tests__/") || contains(b, "test/") && (ends(b, ".js") || ends(b, ".ts"))
}

// jsMark reports whether a line is a result as runners of JavaScript write it.
func jsMark(b []byte) bool {
	t := trimLeft(b)
	return mark3(t, "✔", "✓", "✖", "✕", "×", "√") || hasAny(t, "▶ ", "● ")
}

// timed reports whether such a line ends with a time, which only tests have.
func timed(b []byte) bool {
	return ends(b, "ms)") || ends(b, " ms)") || ends(b, "ms") && len(b) > 3 && digit(b[len(b)-3]) || ends(b, " s)")
}

// majority decides by what most of the first lines look like.
func majority(lines [][]byte, first format) format {
	var all, marks, records, found, broken, numbered, headed int
	for _, b := range lines {
		t := trim(b)
		if len(t) == 0 {
			continue
		}
		all++
		if jsMark(t) && timed(t) {
			marks++
		}
		r := parseRecord(b)
		if access(b) || r.starts && (len(r.time) > 0 || has(t, "{")) {
			records++
		}
		name, _ := matched(b)
		_, level := located(t)
		_, boxed := bracketed(t)
		if _, n := number(b); n > 0 && n < len(b) && b[n] == ':' {
			numbered++
		} else if bytes.IndexByte(b, ' ') < 0 && bytes.IndexByte(b, '/') >= 0 {
			headed++
		}
		switch {
		case (level != noDiagnostic || boxed != noDiagnostic) && severe(t):
			broken++
		case name != "" && len(r.time) == 0:
			found++
		}
	}
	switch {
	case marks >= 2 && marks*2 >= all:
		return jsTest
	case records >= 5 && records*10 >= all*6:
		return logOut
	case broken > 0 && first == unknown:
		return buildOut
	case first == unknown && tabular(lines):
		return tableOut
	case found >= 10 && found*10 >= all*9 && first == unknown,
		numbered >= 10 && headed > 1 && (numbered+headed)*10 >= all*9 && first == unknown: // rg --heading
		return searchOut
	}
	return unknown
}

// access reports whether a line is one of a web server's access log.
func access(b []byte) bool {
	i := index(b, "] \"")
	return i > 0 && contains(b[i:], " HTTP/") && bytes.IndexByte(b[:i], '[') > 0
}

// severe reports whether a diagnostic says that it is one.
func severe(t []byte) bool {
	return contains(t, "error:") || contains(t, "warning:") || contains(t, "error TS") || contains(t, ": error ") || contains(t, ": warning ") || contains(t, " - error ")
}
