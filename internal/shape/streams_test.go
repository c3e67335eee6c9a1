package shape

import (
	"fmt"
	"strings"
	"testing"
)

func TestFront(t *testing.T) {
	for _, tt := range []struct{ line, name, text string }{
		{"web-1  | GET /", "web-1", "GET /"},
		{"web-1  |", "web-1", ""},
		{"api:test: PASS a", "api:test", "PASS a"},
		{"@acme/api: > mocha", "@acme/api", "> mocha"},
		{"packages/api test: ok 1", "packages/api test", "ok 1"},
		{"[pod/api-1/api] panic: x", "[pod/api-1/api]", "panic: x"},
		{"[0] listening", "[0]", "listening"},
		{"[lint ] a.js", "[lint ]", "a.js"},
		{"2026-03-04T10:00:49.0388031Z ok  \tp\t0.1s", "", "ok  \tp\t0.1s"},
		{"test\tRun tests\t2026-03-04T10:00:49.0388031Z FAIL", "test\tRun tests", "FAIL"},
		// None of these has a name in front.
		{"src/a.c:3:1: error: x", "", ""},
		{"main.go:7: undefined: x", "", ""},
		{"[INFO] Building", "", ""},
		{"[ERROR] failed", "", ""},
		{"[ 50%] Building C object", "", ""},
		{"12 | let x = 1;", "", ""},
		{"error TS2322: Type", "", ""},
		{"note: run with it", "", ""},
		{"AssertionError [ERR]: values", "", ""},
		{"2026-03-04T10:00:49Z INFO started", "", ""},
		{"go: downloading x v1", "", ""},
	} {
		from, to := front([]byte(tt.line))
		name, text := "", ""
		if to > 0 {
			name, text = strings.TrimSpace(tt.line[:from]), tt.line[to:]
		}
		if name != tt.name || text != tt.text {
			t.Errorf("%q: %q, %q", tt.line, name, text)
		}
	}
}

// TestSeveralTasks: the tests of one task and the lint of another, mixed line
// by line, are each read as what they are.
func TestSeveralTasks(t *testing.T) {
	var b strings.Builder
	for i := range 30 {
		fmt.Fprintf(&b, "api:test: ok  \texample.test/p%d\t0.01s\nweb:lint: checking src/f%d.js...\n", i, i)
	}
	b.WriteString("api:test: --- FAIL: TestSum (0.00s)\nweb:lint: src/a.js:3:7: error: x is not defined\napi:test:     sum_test.go:9: got 2, want 3\napi:test: FAIL\napi:test: FAIL\texample.test/sum\t0.02s\n")
	s := shaped(t, ran("turbo run test lint", 1), b.String())
	has2(t, s, []string{
		"[tmp] api:test\n--- FAIL: TestSum (0.00s)\n",
		"[tmp] web:lint\nsrc/a.js:3:7: error: x is not defined\n",
		"    sum_test.go:9: got 2, want 3\nFAIL\texample.test/sum\t0.02s\n",
	}, []string{"example.test/p7", "api:test: "})
	if s.Fields["failed_tests"] != 1 || s.Fields["first_failure"] != "TestSum" {
		t.Errorf("fields %v", s.Fields)
	}
}

// TestServicesOfALogStay: where services write logs, whose a record is stays in
// its line.
func TestServicesOfALogStay(t *testing.T) {
	var b strings.Builder
	for i := range 60 {
		fmt.Fprintf(&b, "web-1  | 2026-03-04T10:00:%02dZ INFO tick %d\ndb-1   | 2026-03-04T10:00:%02dZ INFO checkpoint %d\n", i, i, i, i)
	}
	b.WriteString("db-1   | 2026-03-04T10:01:00Z ERROR disk full\n")
	s := shaped(t, ran("docker compose logs", 0), b.String())
	has2(t, s, []string{"db-1   | 2026-03-04T10:01:00Z ERROR disk full", "web-1  | 2026-03-04T10:00:00Z INFO tick 0"}, []string{"tick 17\n"})
}

func TestTraceback(t *testing.T) {
	out := "Traceback (most recent call last):\n  File \"/app/main.py\", line 8, in <module>\n    run(3)\n  File \"/app/run.py\", line 2, in run\n    return json.loads(text)\n           ^^^^^^^^^^^^^^^^\n" +
		"  File \"/usr/lib/python3.11/json/__init__.py\", line 346, in loads\n    return _default_decoder.decode(s)\njson.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)\n"
	s := shaped(t, ran("python main.py", 1), "starting\n"+out)
	has2(t, s, []string{"/app/main.py\", line 8", "/app/run.py\", line 2", "json.decoder.JSONDecodeError: Expecting value", "exit status 1"}, []string{"_default_decoder", "/usr/lib/python3.11"})
}

// TestTracebackWithoutFile: a line that begins as a frame does and names no file
// is read, too.
func TestTracebackWithoutFile(t *testing.T) {
	out := "Traceback (most recent call last):\n  File \", line 3\nValueError: x\n"
	for _, command := range []string{"python main.py", "python -m unittest"} {
		has2(t, shaped(t, ran(command, 1), "ERROR: test_a (t.A)\n"+out), []string{"  File \", line 3", "ValueError: x"}, nil)
	}
}
