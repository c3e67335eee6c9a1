package shape

import (
	"path"
	"slices"
)

const (
	peekLines = 60
	peekBytes = 64 << 10
)

// choose returns the policy for an output, and its name.
func choose(s *Shaper, o Options) (string, policy) {
	f := command(o.Command)
	name := o.Policy
	switch o.Policy {
	case "":
		if name = f.name(); f == unknown {
			name = "generic"
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
		}
	}
	switch f {
	case unknown, buildOut, packageOut:
		// What a script, make or a container prints is seen from what it prints.
		return name, &auto{s: s, first: f, fixed: o.Policy != "", runner: runner(o.Command)}
	}
	return name, s.reader(f)
}

// runner is the name of the program that the command runs in the end.
func runner(argv []string) string {
	if argv = bare(argv); len(argv) > 0 {
		return path.Base(argv[0])
	}
	return ""
}

// reader makes the policy that reads a format.
func (s *Shaper) reader(f format) policy {
	switch f {
	case asIs:
		return rawPolicy{&s.ledger}
	case goTest:
		return newGoText(s)
	case goJSON:
		return newGoEvents(s)
	case cargoOut:
		return newCargo(s)
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
	s      *Shaper
	first  format // of the command, if it is known
	fixed  bool
	runner string

	held    []entry
	heldRaw [][]byte
	size    int
	now     policy
	form    format
}

func (a *auto) line(l line) {
	f := sniff(l.text)
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
		return f == pytestOut || f == tapOut || f == goJSON || f == ctestOut || f == cargoOut && a.form != goTest
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
	held, raw := a.held, a.heldRaw
	a.held, a.heldRaw = nil, nil
	for i, e := range held {
		a.now.line(line{n: e.n, text: raw[i], cut: e.cut})
	}
}

func (a *auto) decide() {
	f := majority(a.heldRaw)
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
	case 'F':
		if has(b, "FAIL\t") {
			return goTest
		}
	case '?':
		if has(b, "?   \t") {
			return goTest
		}
	case '{':
		if contains(b, `"Action":"`) && (contains(b, `"Package":"`) || contains(b, `"ImportPath":"`)) {
			return goJSON
		}
	case 'T':
		if has(b, "TAP version ") {
			return tapOut
		}
		if has(b, "Test project /") {
			return ctestOut
		}
	case 'r':
		if has(b, "running ") && (ends(b, " tests") || ends(b, " test")) && digit(b[8]) {
			return cargoOut
		}
	case ' ':
		if cargoVerb(b) {
			return cargoOut
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
	case 'C':
		if has(b, "Cloning into '") {
			return gitWork
		}
	}
	return unknown
}

// majority decides by what most of the first lines look like.
func majority(lines [][]byte) format { return unknown }
