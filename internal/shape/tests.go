package shape

import (
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
}

// line takes a line; a kind other than "" says that it may be dropped.
func (t *testCounts) line(s string) (kind string) {
	if kind, ok := t.goLine(s); ok {
		t.seen = true
		return kind
	}
	if kind, ok := t.cargoLine(s); ok {
		t.seen = true
		return kind
	}
	if t.first != "" && t.file == "" {
		t.file = position(strings.TrimSpace(s))
	}
	return ""
}

// goLine reads the lines of cmd/go's test output (go help test; testing.T).
func (t *testCounts) goLine(s string) (kind string, ok bool) {
	trimmed := strings.TrimLeft(s, " ")
	top := len(trimmed) == len(s)
	switch {
	case strings.HasPrefix(s, "=== RUN") || strings.HasPrefix(s, "=== PAUSE") || strings.HasPrefix(s, "=== CONT") || strings.HasPrefix(s, "=== NAME"):
		return "progress_lines", true
	case strings.HasPrefix(trimmed, "--- PASS: "):
		if top {
			t.passed++
		}
		return "passing_test_lines", true
	case strings.HasPrefix(trimmed, "--- SKIP: "):
		if top {
			t.ignored++
		}
		return "", true
	case strings.HasPrefix(trimmed, "--- FAIL: "):
		if top {
			t.failed++
		}
		if t.first == "" {
			t.first, _, _ = strings.Cut(strings.TrimPrefix(trimmed, "--- FAIL: "), " ")
		}
		return "", true
	case strings.HasPrefix(s, "ok  \t"):
		t.packagesOK++
		return "passing_test_lines", true
	case strings.HasPrefix(s, "?   \t") && strings.HasSuffix(s, "[no test files]"):
		return "progress_lines", true
	case s == "PASS":
		return "passing_test_lines", true
	case strings.HasPrefix(s, "FAIL\t"):
		t.packagesFailed++
		return "", true
	}
	return "", false
}

// cargoLine reads the lines of libtest and of cargo's own progress.
func (t *testCounts) cargoLine(s string) (kind string, ok bool) {
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
		return "", true
	case strings.HasPrefix(s, "test ") && strings.HasSuffix(s, " ... ok"):
		return "passing_test_lines", true
	case strings.HasPrefix(s, "test ") && strings.HasSuffix(s, " ... FAILED"):
		if t.first == "" {
			t.first = strings.TrimSuffix(strings.TrimPrefix(s, "test "), " ... FAILED")
		}
		return "", true
	case strings.HasPrefix(s, "running ") && (strings.HasSuffix(s, " tests") || strings.HasSuffix(s, " test")):
		return "progress_lines", true
	case strings.HasPrefix(s, "thread '") && strings.Contains(s, "' panicked at "):
		if _, at, _ := strings.Cut(s, "' panicked at "); t.file == "" {
			t.file = position(at)
		}
		return "", true
	}
	// Cargo sets its verbs to the right in a column of twelve (cargo's shell.rs).
	if len(s) > 13 && s[12] == ' ' {
		switch strings.TrimLeft(s[:12], " ") {
		case "Compiling", "Finished", "Running", "Doc-tests", "Downloading", "Downloaded", "Updating", "Locking", "Fresh", "Blocking", "Building", "Adding":
			return "progress_lines", true
		}
	}
	return "", false
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
