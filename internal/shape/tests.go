package shape

import (
	"slices"
	"strconv"
	"strings"
)

// testCounts reads the text of `go test` and `cargo test`. It drops only lines
// that it knows to say nothing: those of passing tests and of progress.
type testCounts struct {
	passed, failed, ignored int
	packagesOK              int
	packagesFailed          int
	first, file             string
	counted                 bool // a tool gave the counts themselves (cargo)
	seen                    bool // a line of a test tool was recognised

	// Of the Go package whose lines are read:
	running   string   // the test that began last
	runFile   string   // the file that its output names first
	ran       []string // those that began, with -v
	pkgFailed int      // counts once the package is said to have failed
	pkgFirst  string
	pkgFile   string
}

// verdict says what becomes of a line.
type verdict struct {
	drop   string // the kind to count it under if it is left out
	began  bool   // a test begins: what follows is its output
	passed bool   // the test that began last has passed, with all of its output
	keep   bool   // it is shown, and so is what was held back before it
}

func (t *testCounts) line(s string) verdict {
	if v, ok := t.goLine(s); ok {
		t.seen = true
		return v
	}
	if v, ok := t.cargoLine(s); ok {
		t.seen = true
		return v
	}
	// With -v the place stands before the line of the failure, else after it.
	switch {
	case t.running != "" && t.runFile == "":
		t.runFile = position(strings.TrimSpace(s))
	case t.running == "" && t.pkgFirst != "" && t.pkgFile == "":
		t.pkgFile = position(strings.TrimSpace(s))
	}
	return verdict{}
}

// goLine reads the lines of cmd/go's test output (go help test; testing.T).
func (t *testCounts) goLine(s string) (v verdict, ok bool) {
	trimmed := strings.TrimLeft(s, " ")
	top := len(trimmed) == len(s)
	switch {
	case strings.HasPrefix(s, "=== RUN "):
		t.running = strings.TrimSpace(s[len("=== RUN "):])
		t.ran, t.runFile = append(t.ran, t.running), ""
		return verdict{drop: "progress_lines", began: true}, true
	case strings.HasPrefix(s, "=== PAUSE ") || strings.HasPrefix(s, "=== CONT ") || strings.HasPrefix(s, "=== NAME "):
		t.running = "" // tests take turns: whose output follows is not followed
		return verdict{drop: "progress_lines"}, true
	case strings.HasPrefix(trimmed, "--- PASS: "):
		name := testName(trimmed)
		if !t.known(name) {
			return t.shown()
		}
		if top {
			t.passed++
		}
		if name == t.running {
			return verdict{passed: true}, true
		}
		return verdict{drop: "passing_test_lines"}, true
	case strings.HasPrefix(trimmed, "--- SKIP: "):
		if top && t.known(testName(trimmed)) {
			t.ignored++
		}
		return t.shown()
	case strings.HasPrefix(trimmed, "--- FAIL: "):
		if name := testName(trimmed); t.known(name) {
			if top {
				t.pkgFailed++
			}
			if t.pkgFirst == "" {
				t.pkgFirst = name
				if name == t.running {
					t.pkgFile = t.runFile
				}
			}
		}
		return t.shown()
	case strings.HasPrefix(s, "ok  \t"):
		t.packagesOK++
		t.endPackage(false)
		return t.shown()
	case strings.HasPrefix(s, "FAIL\t"):
		t.packagesFailed++
		t.endPackage(true)
		return t.shown()
	case s == "PASS":
		return verdict{drop: "passing_test_lines"}, true
	}
	return verdict{}, false
}

// shown is the verdict of a line that ends the output of the test that runs.
func (t *testCounts) shown() (verdict, bool) {
	t.running = ""
	return verdict{keep: true}, true
}

// testName is the name in "--- PASS: TestX (0.00s)".
func testName(s string) string {
	name, _, _ := strings.Cut(s[len("--- PASS: "):], " ")
	return name
}

// known reports whether a test of that name may be in this package: with -v each
// begins with a line of its own, so another name is something that was printed.
func (t *testCounts) known(name string) bool { return len(t.ran) == 0 || slices.Contains(t.ran, name) }

// endPackage takes the package's failures over if it failed; in one that
// passed they were only printed.
func (t *testCounts) endPackage(failed bool) {
	if failed {
		t.failed += t.pkgFailed
		if t.first == "" {
			t.first, t.file = t.pkgFirst, t.pkgFile
		}
	}
	t.running, t.ran, t.pkgFailed, t.pkgFirst, t.pkgFile = "", t.ran[:0], 0, "", ""
}

// cargoLine reads the lines of libtest and of cargo's own progress.
func (t *testCounts) cargoLine(s string) (v verdict, ok bool) {
	switch {
	case strings.HasPrefix(s, "test result: "):
		t.counted = true
		for _, part := range strings.FieldsFunc(s, func(r rune) bool { return r == ';' || r == '.' }) {
			f := strings.Fields(part)
			if len(f) != 2 {
				continue
			}
			n, err := strconv.Atoi(f[0])
			if err != nil {
				continue
			}
			switch f[1] {
			case "passed":
				t.passed += n
			case "failed":
				t.failed += n
			case "ignored":
				t.ignored += n
			}
		}
		return verdict{}, true
	case strings.HasPrefix(s, "test ") && strings.HasSuffix(s, " ... ok"):
		return verdict{drop: "passing_test_lines"}, true
	case strings.HasPrefix(s, "test ") && strings.HasSuffix(s, " ... FAILED"):
		if t.first == "" {
			t.first = strings.TrimSuffix(strings.TrimPrefix(s, "test "), " ... FAILED")
		}
		return verdict{}, true
	case strings.HasPrefix(s, "running ") && (strings.HasSuffix(s, " tests") || strings.HasSuffix(s, " test")):
		return verdict{drop: "progress_lines"}, true
	case strings.HasPrefix(s, "thread '") && strings.Contains(s, " panicked at "):
		if _, at, _ := strings.Cut(s, " panicked at "); t.file == "" {
			t.file = position(at)
		}
		return verdict{}, true
	}
	// Cargo sets its verbs to the right in a column of twelve (cargo's shell.rs).
	if len(s) > 13 && s[12] == ' ' {
		switch strings.TrimLeft(s[:12], " ") {
		case "Compiling", "Finished", "Running", "Doc-tests", "Downloading", "Downloaded", "Updating", "Locking", "Fresh", "Blocking", "Building", "Adding":
			return verdict{drop: "progress_lines"}, true
		}
	}
	return verdict{}, false
}

// position returns the file of a text that begins "file.go:12:" or "src/x.rs:3:4",
// or "".
func position(s string) string {
	file, rest, ok := strings.Cut(s, ":")
	if !ok || rest == "" || rest[0] < '0' || rest[0] > '9' || !strings.Contains(file, ".") || strings.ContainsAny(file, " \t'\"") {
		return ""
	}
	return file
}

// fields adds what was counted. What a tool did not say is left out, not zero:
// go test without -v names no passing test.
func (t *testCounts) fields(m map[string]any) {
	if !t.seen {
		return
	}
	t.endPackage(true) // cut short: what failed by then did fail
	m["failed_tests"] = t.failed
	if t.counted || t.passed > 0 {
		m["passed_tests"] = t.passed
	}
	if t.ignored > 0 {
		m["ignored_tests"] = t.ignored
	}
	if n := t.packagesOK + t.packagesFailed; n > 0 {
		m["passed_packages"], m["failed_packages"] = t.packagesOK, t.packagesFailed
	}
	if t.first != "" {
		m["first_failure"] = t.first
	}
	if t.file != "" {
		m["failure_file"] = t.file
	}
}
