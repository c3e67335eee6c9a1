package shape

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func shaped(t testing.TB, o Options, output string) Summary {
	t.Helper()
	s, err := Shape(o, strings.NewReader(output))
	if err != nil {
		t.Fatal(err)
	}
	honest(t, o.Policy, o, []byte(output), s)
	return s
}

// ran are the options of a command that ended.
func ran(command string, status int) Options {
	return Options{Command: CommandOf(command), Status: status, Ended: true}
}

func real(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile("testdata/real/" + name + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// fieldsOf leaves out the fields that every summary has.
func fieldsOf(s Summary) map[string]any {
	m := map[string]any{}
	for k, v := range s.Fields {
		if k != "lines" && k != "bytes" && k != "shown_lines" {
			m[k] = v
		}
	}
	return m
}

func has2(t *testing.T, s Summary, kept, gone []string) {
	t.Helper()
	for _, w := range kept {
		if !strings.Contains(s.Text, w) {
			t.Errorf("lost %q in\n%s", w, s.Text)
		}
	}
	for _, w := range gone {
		if strings.Contains(s.Text, w) {
			t.Errorf("kept %q in\n%s", w, s.Text)
		}
	}
}

// TestFields: the counts were taken from the files by hand.
func TestFields(t *testing.T) {
	for _, tt := range []struct {
		file, command string
		status        int
		gone          []string
		fields        map[string]any
	}{
		{"go_test_pass", "go test ./...", 0, nil, map[string]any{"failed_tests": 0, "passed_packages": 1, "failed_packages": 0}},
		{"go_test_fail_v", "go test -v ./parser", 1, []string{"case 1 ok", "TestSplit_117"}, map[string]any{
			"failed_tests": 2, "passed_tests": 120, "ignored_tests": 1, "passed_packages": 0, "failed_packages": 1,
			"first_failure": "TestRejectsInvalidEscape", "failure_file": "parser_test.go",
		}},
		{"go_test_fail_json", "go test -json ./parser", 1, []string{"case 1 ok", "TestSplit_117"}, map[string]any{
			"failed_tests": 2, "passed_tests": 120, "ignored_tests": 1, "passed_packages": 0, "failed_packages": 1,
			"first_failure": "TestRejectsInvalidEscape", "failure_file": "parser_test.go",
		}},
		{"go_test_buildfail", "go test ./store", 1, nil, map[string]any{"failed_tests": 0, "passed_packages": 0, "failed_packages": 1}},
		{"go_test_fakefail", "go test -v ./race", 0, []string{"TestHang"}, map[string]any{"failed_tests": 0, "passed_tests": 3, "passed_packages": 1, "failed_packages": 0}},
		{"cargo_test_pass", "cargo test", 0, []string{"case_000", "Finished"}, map[string]any{"failed_tests": 0, "passed_tests": 149, "ignored_tests": 1}},
		{"node_test_spec", "node --test", 1, []string{"adds 3"}, map[string]any{
			"failed_tests": 5, "passed_tests": 81, "ignored_tests": 1, "first_failure": "rejects bad token", "failure_file": "/src/demo/nodep/test/a.test.js",
		}},
		{"pytest_fail", "python3 -m pytest", 1, []string{"[ 79%]"}, map[string]any{
			"failed_tests": 3, "passed_tests": 152, "ignored_tests": 1, "errors": 1, "first_failure": "test_dict_mismatch", "failure_file": "tests/test_main.py",
		}},
		{"gotestsum_fail", "gotestsum ./...", 1, []string{"testing.go"}, map[string]any{
			"failed_tests": 5, "passed_tests": 185, "ignored_tests": 1, "first_failure": "TestWalk", "failure_file": "parser_test.go",
		}},
		{"git_status_short", "git status -sb", 0, nil, map[string]any{"staged": 3, "unstaged": 25, "untracked": 3}},
		{"git_diff", "git diff", 0, []string{"index 6772730"}, map[string]any{"changed_files": 25, "insertions": 22, "deletions": 111}},
		{"gcc_err", "gcc -Wall -c bad.c", 1, []string{"^~~"}, map[string]any{"errors": 2, "warnings": 4}},
	} {
		t.Run(tt.file, func(t *testing.T) {
			s := shaped(t, ran(tt.command, tt.status), real(t, tt.file))
			has2(t, s, nil, tt.gone)
			if diff := cmp.Diff(tt.fields, fieldsOf(s)); diff != "" {
				t.Errorf("fields (-want +got):\n%s", diff)
			}
		})
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

func TestCargoFailure(t *testing.T) {
	for _, out := range []string{
		cargoFailure, // newer versions of Rust name the thread's number too
		strings.Replace(cargoFailure, "'tests::bad' panicked", "'tests::bad' (15144) panicked", 1),
	} {
		s := shaped(t, ran("cargo test", 101), out)
		want := map[string]any{"failed_tests": 1, "passed_tests": 1, "ignored_tests": 1, "errors": 1, "first_failure": "tests::bad", "failure_file": "src/tests.rs"}
		if diff := cmp.Diff(want, fieldsOf(s)); diff != "" {
			t.Errorf("fields (-want +got):\n%s", diff)
		}
		has2(t, s, []string{"panicked at src/tests.rs:10:5", "assertion failed: false", "tests::later ... ignored", "error: test failed", "1 passed; 1 failed; 1 ignored"}, []string{"Compiling"})
		if diff := cmp.Diff(map[string]any{"passing_test_lines": 1, "progress_lines": 4, "blank_lines": 6, "heading_lines": 2, "repeated_lines": 1}, s.Omitted); diff != "" {
			t.Errorf("omitted (-want +got):\n%s", diff)
		}
	}
}

// TestParallelGoTests: with tests that take turns nothing of their output is
// taken for that of another.
func TestParallelGoTests(t *testing.T) {
	s := shaped(t, ran("go test -v ./...", 1), `=== RUN   TestA
=== PAUSE TestA
=== RUN   TestB
=== PAUSE TestB
=== CONT  TestA
    a_test.go:3: a is fine
=== CONT  TestB
    b_test.go:5: b is wrong
=== NAME  TestA
    a_test.go:4: a is still fine
--- FAIL: TestB (0.00s)
--- PASS: TestA (0.00s)
FAIL
FAIL	example.test/p	0.01s
`)
	has2(t, s, []string{"b is wrong", "--- FAIL: TestB", "FAIL\texample.test/p"}, []string{"fine", "TestA"})
	want := map[string]any{"failed_tests": 1, "passed_tests": 1, "first_failure": "TestB", "failure_file": "b_test.go", "passed_packages": 0, "failed_packages": 1}
	if diff := cmp.Diff(want, fieldsOf(s)); diff != "" {
		t.Errorf("fields (-want +got):\n%s", diff)
	}
}

func TestGeneric(t *testing.T) {
	var b strings.Builder
	for i := range 5000 {
		if i == 2500 {
			fmt.Fprintln(&b, "\x1b[31merror\x1b[0m: the middle broke")
			continue
		}
		fmt.Fprintf(&b, "line %s%d\n", strings.Repeat("x", i%2), i)
	}
	s := shaped(t, Options{Policy: "generic"}, b.String())
	has2(t, s, []string{
		"line 0\n", "line x29\n[tmp] 2468 lines omitted\nline 2498\nline x2499\nerror: the middle broke\nline x2501\nline 2502\nline x2503\nline 2504\n[tmp] ",
		"line 4960\n", "line x4999\n",
	}, nil)
	if s.Compressor != "native" || s.Omitted["ansi_sequences"] != "removed" || s.Omitted["other_lines"] != 5000-30-40-7 {
		t.Errorf("%s, %v", s.Compressor, s.Omitted)
	}
}

func TestShortOutputIsWhole(t *testing.T) {
	for _, out := range []string{"", "a", "a\nb\n", "\n\n", "x\ny\n" + strings.Repeat("z", 300)} {
		if s := shaped(t, Options{Policy: "generic"}, out); s.Text != out || s.Compressor != "raw" || len(s.Omitted) != 0 {
			t.Errorf("%.20q becomes %.20q, %s, %v", out, s.Text, s.Compressor, s.Omitted)
		}
	}
}

func TestRawIsUntouched(t *testing.T) {
	out := "\x1b[1mbold\x1b[0m\r\nprogress 1%\rprogress 2%\n\xff no newline"
	s := shaped(t, Options{Policy: "raw", Status: 1, Ended: true}, out)
	if s.Text != out || s.Compressor != "raw" || s.Lines != 3 || s.Shown != 3 {
		t.Errorf("%q, %+v", s.Text, s)
	}
}

func TestLinesAreCleaned(t *testing.T) {
	pad := "\x1b[0m\x1b[0m\x1b[0m\x1b[0m\x1b[0m"
	for _, tt := range []struct{ in, want string }{
		{"a\x1b[31;1mb\x1b[0mc", "abc"},
		{"\x1b]0;title\x07x", "x"},
		{"\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"},
		{"\x1b(Bplain", "plain"},
		{"\x1bPdcs\x1b\\after", "after"},
		{"\x1b]0;no end of the title", "0;no end of the title"},
		{"10%\r50%\r100%", "100%"},
		{"crlf\r", "crlf"},
		{"crcrlf\r\r", "crcrlf"},
		{"old\r\x1b[Knew", "new"},
		{"cut \x1b[", "cut "},
		{"cut \x1b", "cut "},
		{"a|\b/\b-", "a-"},
		{"bo\bold 界\b界", "bold 界"},
		{"odd \x1b[3\x01m", "odd \x01m"},
	} {
		if got := shaped(t, Options{}, pad+tt.in+"\n").Text; got != tt.want+"\n" {
			t.Errorf("%q becomes %q, want %q", tt.in, got, tt.want)
		}
	}
}

// TestFramesThatTellOfErrors: what was overwritten counts, and an error in it
// is shown.
func TestFramesThatTellOfErrors(t *testing.T) {
	out := strings.Repeat("step 1 of 9\r", 200) + "ERROR: disk full\r" + strings.Repeat("step 9 of 9\r", 200) + "end\n"
	s := shaped(t, Options{}, out)
	if s.Text != "ERROR: disk full\nend\n" || s.Omitted["progress_frames"] != "401 frames overwritten" {
		t.Errorf("%q, %v", s.Text, s.Omitted)
	}
}

func TestLongLine(t *testing.T) {
	s := shaped(t, Options{}, strings.Repeat("x", 300_000)+"\nend\n")
	if len(s.Text) > maxShow || !strings.HasSuffix(s.Text, "\nend\n") || s.Omitted["long_lines"] != fmt.Sprintf("%d bytes cut", 300_000-longHead-longTail) {
		t.Errorf("%d bytes, %v: …%s", len(s.Text), s.Omitted, s.Text[max(0, len(s.Text)-60):])
	}
	// Longer than what is held.
	in := strings.Repeat("y", 3<<20) + " error: in the middle " + strings.Repeat("z", 3<<20)
	s = shaped(t, Options{}, "first\n"+in+"\nlast\n")
	has2(t, s, []string{"first\n", "error: in the middle", "\nlast\n", "bytes cut"}, nil)
	if len(s.Text) > 10*maxShow {
		t.Errorf("%d bytes", len(s.Text))
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
		o := ran("go test -v ./...", 1)
		s, err := Shape(o, strings.NewReader(out))
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range []string{"z_test.go:9: wrong", "--- FAIL: TestZ", "--- FAIL: TestZ/bad", "FAIL\tz"} {
			if !strings.Contains(s.Text, w) {
				t.Fatalf("lost %q of\n%s", w, out)
			}
		}
		honest(t, "made up", o, []byte(out), s)
	})
}

// TestLinesThatDifferInNumbers: of many the first and the last are shown.
func TestLinesThatDifferInNumbers(t *testing.T) {
	var b strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&b, "item %d done\n", i)
	}
	s := shaped(t, Options{Policy: "generic"}, b.String())
	want := "item 0 done\nitem 1 done\nitem 2 done\nitem 3 done\nitem 4 done\n[tmp] 990 lines omitted\n" +
		"item 995 done\nitem 996 done\nitem 997 done\nitem 998 done\nitem 999 done\n[tmp] 990 of 1000 lines left out: 955 other, 35 repeated\n"
	if s.Text != want {
		t.Errorf("%s", s.Text)
	}
}

func TestAlarming(t *testing.T) {
	for text, want := range map[string]bool{
		"error: 0 is no index":               true,
		"build finished with 0 errors":       false,
		"errors: 0, warnings: 0":             false,
		"failed: 0":                          false,
		"failures=0 errors=3":                true,
		"no errors":                          false,
		"10 errors":                          true,
		"ValueError: x":                      true,
		"java.lang.NullPointerException":     true,
		"bash: foo: command not found":       true,
		"ls: x: No such file or directory":   true,
		"Segmentation fault (core dumped)":   true,
		"Killed":                             true,
		"terror and mirrors":                 false,
		"✖ name":                             true,
		"all is well":                        false,
		"ERR_PNPM_NO_LOCKFILE":               true,
		"SIGKILL":                            true,
		"signal quality":                     false,
		"panic: boom":                        true,
		"Traceback (most recent call last):": true,
		"request timed out":                  true,
		"v1.0 errors":                        true,
	} {
		if got := alarming([]byte(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
