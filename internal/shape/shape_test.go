package shape

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func shaped(t *testing.T, mode, output string) Summary {
	t.Helper()
	s, err := Shape(mode, strings.NewReader(output))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestTestSummary reads outputs of real runs; counts were taken from the files
// by hand.
func TestTestSummary(t *testing.T) {
	for _, tt := range []struct {
		file    string
		signals []string // what must survive
		noise   []string // what must go
		fields  map[string]any
	}{
		{
			"go_test_pass",
			[]string{"example.test/shop/cart", "no test files"},
			nil,
			map[string]any{"lines": 2, "failed_tests": 0, "passed_packages": 1, "failed_packages": 0},
		},
		{
			"go_test_fail_v",
			[]string{
				"TestRejectsInvalidEscape", "got 2 fields, want 1", "parser_test.go:732", "TestTable/empty_string",
				"want 0 fields", "diff: -0 +1", "FAIL\texample.test/shop/parser", "needs network", "setup: connecting",
			},
			[]string{"case 1 ok", "TestSplit_117"},
			map[string]any{
				"lines": 381, "failed_tests": 2, "passed_tests": 120, "ignored_tests": 1, "passed_packages": 0, "failed_packages": 1,
				"first_failure": "TestRejectsInvalidEscape", "failure_file": "parser_test.go",
			},
		},
		{
			"go_test_buildfail",
			[]string{"store/store.go:3:26", "undefined: undefinedThing", "declared and not used: y", "[build failed]"},
			nil,
			map[string]any{"lines": 6, "failed_tests": 0, "passed_packages": 0, "failed_packages": 1},
		},
		{
			"go_test_fakefail", // a passing test prints "--- FAIL: TestFake"
			[]string{"ok  \texample.test/shop/race"},
			nil,
			map[string]any{"lines": 10, "failed_tests": 0, "passed_tests": 3, "passed_packages": 1, "failed_packages": 0},
		},
		{
			"cargo_test_pass",
			[]string{"148 passed; 0 failed; 1 ignored"},
			[]string{"case_000", "Finished"},
			map[string]any{"lines": 163, "failed_tests": 0, "passed_tests": 149, "ignored_tests": 1},
		},
	} {
		data, err := os.ReadFile("testdata/" + tt.file + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		s := shaped(t, "test_summary", string(data))
		for _, w := range tt.signals {
			if !strings.Contains(s.Text, w) {
				t.Errorf("%s: lost %q", tt.file, w)
			}
		}
		for _, w := range tt.noise {
			if strings.Contains(s.Text, w) {
				t.Errorf("%s: kept %q", tt.file, w)
			}
		}
		if diff := cmp.Diff(tt.fields, s.Fields); diff != "" {
			t.Errorf("%s: fields (-want +got):\n%s", tt.file, diff)
		}
		addsUp(t, tt.file, s)
	}
}

const cargoFailure = `   Compiling tinyparse v0.1.0 (/w)
    Finished ` + "`test`" + ` profile [unoptimized + debuginfo] target(s) in 0.50s
     Running unittests src/lib.rs (target/debug/deps/tinyparse-1)

running 3 tests
test tests::ok ... ok
test tests::bad ... FAILED
test tests::later ... ignored

failures:

---- tests::bad stdout ----
thread 'tests::bad' panicked at src/tests.rs:10:5:
assertion failed: false

failures:
    tests::bad

test result: FAILED. 1 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s

error: test failed, to rerun pass ` + "`--lib`" + `
`

// TestCargoPanicWithThreadNumber: newer versions of Rust name the thread's number too.
func TestCargoPanicWithThreadNumber(t *testing.T) {
	s := shaped(t, "test_summary", strings.Replace(cargoFailure, "'tests::bad' panicked", "'tests::bad' (15144) panicked", 1))
	if s.Fields["failure_file"] != "src/tests.rs" {
		t.Errorf("failure_file %v", s.Fields["failure_file"])
	}
}

func TestCargoFailure(t *testing.T) {
	s := shaped(t, "test_summary", cargoFailure)
	want := map[string]any{
		"lines": 21, "failed_tests": 1, "passed_tests": 1, "ignored_tests": 1,
		"first_failure": "tests::bad", "failure_file": "src/tests.rs",
	}
	if diff := cmp.Diff(want, s.Fields); diff != "" {
		t.Errorf("fields (-want +got):\n%s", diff)
	}
	for _, w := range []string{"panicked at src/tests.rs:10:5", "assertion failed: false", "tests::later ... ignored", "error: test failed"} {
		if !strings.Contains(s.Text, w) {
			t.Errorf("lost %q", w)
		}
	}
	if diff := cmp.Diff(map[string]any{"passing_test_lines": 1, "progress_lines": 4}, s.Omitted); diff != "" {
		t.Errorf("omitted (-want +got):\n%s", diff)
	}
}

// TestParallelGoTests: with tests that take turns nothing of their output is
// taken for that of another.
func TestParallelGoTests(t *testing.T) {
	s := shaped(t, "test_summary", `=== RUN   TestA
=== PAUSE TestA
=== RUN   TestB
=== PAUSE TestB
=== CONT  TestA
=== CONT  TestB
    b_test.go:5: b is wrong
--- FAIL: TestB (0.00s)
--- PASS: TestA (0.00s)
FAIL
FAIL	example.test/p	0.01s
`)
	if !strings.Contains(s.Text, "b is wrong") || s.Fields["first_failure"] != "TestB" || s.Fields["failed_tests"] != 1 || s.Fields["passed_tests"] != 1 {
		t.Errorf("%v\n%s", s.Fields, s.Text)
	}
}

func TestGeneric(t *testing.T) {
	var b strings.Builder
	for i := range 5000 {
		if i == 2500 {
			fmt.Fprintln(&b, "\x1b[31merror\x1b[0m: the middle broke")
			continue
		}
		fmt.Fprintf(&b, "line %d\n", i)
	}
	s := shaped(t, "", b.String())
	for _, w := range []string{"line 0\n", "line 39\n", "line 2498\nline 2499\nerror: the middle broke\nline 2501\nline 2504\n", "line 4920\n", "line 4999\n"} {
		w = strings.Replace(w, "line 2501\nline 2504\n", "line 2501\nline 2502\nline 2503\nline 2504\n", 1)
		if !strings.Contains(s.Text, w) {
			t.Errorf("lost %q", w)
		}
	}
	if s.Compressor != "tmp" || s.Omitted["ansi_sequences"] != "removed" || s.Omitted["other_lines"] != 5000-40-80-7 {
		t.Errorf("%s, %v", s.Compressor, s.Omitted)
	}
	addsUp(t, "generic", s)
}

func TestShortOutputIsWhole(t *testing.T) {
	for _, out := range []string{"", "a", "a\nb\n", "\n\n", strings.Repeat("x\n", smallLines)} {
		s := shaped(t, "generic", out)
		want := out
		if out != "" && !strings.HasSuffix(out, "\n") {
			want += "\n"
		}
		if s.Text != want || s.Compressor != "none" || len(s.Omitted) != 0 {
			t.Errorf("%.20q becomes %.20q, %s, %v", out, s.Text, s.Compressor, s.Omitted)
		}
	}
}

func TestRawIsUntouched(t *testing.T) {
	out := "\x1b[1mbold\x1b[0m\r\nprogress 1%\rprogress 2%\n\xff no newline"
	s := shaped(t, "raw", out)
	if s.Text != out || s.Compressor != "none" || s.Lines != 3 || s.Shown != 3 {
		t.Errorf("%q, %+v", s.Text, s)
	}
}

func TestLinesAreCleaned(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"a\x1b[31;1mb\x1b[0mc", "abc"},
		{"\x1b]0;title\x07x", "x"},
		{"\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"},
		{"10%\r50%\r100%", "100%"},
		{"crlf\r", "crlf"},
		{"cut \x1b[", "cut "},
		{"cut \x1b", "cut "},
	} {
		if got := shaped(t, "", tt.in+"\n").Text; got != tt.want+"\n" {
			t.Errorf("%q becomes %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestLongLine(t *testing.T) {
	s := shaped(t, "", strings.Repeat("x", 300_000)+"\nend\n")
	if len(s.Text) > maxLine+100 || !strings.Contains(s.Text, fmt.Sprintf("(%d more bytes)", 300_001-maxLine)) || !strings.HasSuffix(s.Text, "\nend\n") {
		t.Errorf("%d bytes: …%s", len(s.Text), s.Text[max(0, len(s.Text)-60):])
	}
	if s.Compressor != "tmp" || s.Fields["lines_cut"] != 1 {
		t.Errorf("%s, %v", s.Compressor, s.Fields)
	}
}

// addsUp checks that no line is unaccounted for.
func addsUp(t interface{ Errorf(string, ...any) }, name string, s Summary) {
	n := s.Shown
	for _, v := range s.Omitted {
		if c, ok := v.(int); ok {
			n += c
		}
	}
	if n != s.Lines {
		t.Errorf("%s: %d shown and omitted %v of %d lines", name, s.Shown, s.Omitted, s.Lines)
	}
}

// TestFailuresSurvive: whatever lines there are, one that fails is shown, and
// the lines add up.
func TestFailuresSurvive(t *testing.T) {
	lines := []string{
		"=== RUN   TestA", "--- PASS: TestA (0.00s)", "--- FAIL: TestA (0.00s)", "=== CONT  TestA", "=== RUN   TestA/x", "    --- PASS: TestA/x (0.00s)", "    --- FAIL: TestA/x (0.00s)", "    a_test.go:1: x", "PASS", "FAIL",
		"ok  \tp\t0.1s", "FAIL\tp\t0.1s", "test a ... ok", "test b ... FAILED", "running 1 test", "test result: ok. 1 passed; 0 failed;", "panic: x", "",
	}
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		for _, l := range rapid.SliceOfN(rapid.SampledFrom(lines), 0, 60).Draw(t, "lines") {
			b.WriteString(l + "\n")
		}
		out := b.String() + "=== RUN   TestZ\n    z_test.go:9: wrong\n=== RUN   TestZ/sub\n--- FAIL: TestZ (0.00s)\n    --- FAIL: TestZ/bad (0.00s)\n    --- PASS: TestZ/sub (0.00s)\nFAIL\tz\t0.1s\n"
		s, err := Shape("test_summary", strings.NewReader(out))
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range []string{"z_test.go:9: wrong", "--- FAIL: TestZ", "--- FAIL: TestZ/bad", "FAIL\tz"} {
			if !strings.Contains(s.Text, w) {
				t.Fatalf("lost %q of\n%s", w, out)
			}
		}
		addsUp(t, "made up", s)
	})
}

func FuzzShape(f *testing.F) {
	f.Add("test_summary", cargoFailure)
	f.Add("", "\x1b[\r\n\x00")
	f.Fuzz(func(t *testing.T, mode, output string) {
		s := shaped(t, mode, output)
		if mode != "raw" {
			addsUp(t, "fuzz", s)
		}
	})
}
