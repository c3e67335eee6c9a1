package shape

import (
	"fmt"
	"strings"
	"testing"
)

// The cases are public bug reports of other shapers, by the kind of what went
// wrong there.

// No word of success where the status is none.
func TestCaseNoSuccessWithoutIt(t *testing.T) {
	for _, command := range every() {
		for _, out := range []string{"", "\n", "building\n", strings.Repeat("test x ... ok\n", 300), strings.Repeat("ok  \tp\t0.1s\n", 300), "PASS\n" + strings.Repeat("--- PASS: TestX (0.00s)\n", 100)} {
			s := shaped(t, Options{Command: CommandOf(command), Status: 2, Ended: true}, out)
			for l := range strings.SplitSeq(s.Text, "\n") {
				if strings.HasPrefix(l, mark) && success.MatchString(l) {
					t.Errorf("%q: %q", command, l)
				}
			}
			if s.Compressor == "native" && !strings.Contains(s.Text, "exit status 2") {
				t.Errorf("%q: the status is missing in %q", command, s.Text)
			}
		}
	}
}

// What grep says of itself is shown; nothing found stays nothing.
func TestCaseGrep(t *testing.T) {
	if s := shaped(t, ran("grep zzz f", 1), ""); s.Text != "" {
		t.Errorf("%q", s.Text)
	}
	for _, out := range []string{"grep: Unmatched [, [^, [:, [., or [=\n", "grep: missing: No such file or directory\n"} {
		if s := shaped(t, ran("grep '[' f", 2), out); s.Text != out {
			t.Errorf("%q", s.Text)
		}
	}
	// Among thousands of lines too.
	var b strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&b, "src/f%d.go:%d:\tfunc f() {}\n", i%10, i)
	}
	b.WriteString("grep: secret: Permission denied\n")
	s := shaped(t, ran("grep -rn func .", 2), b.String())
	has2(t, s, []string{"grep: secret: Permission denied", "src/f9.go:9:", "295 more lines of src/f9.go"}, nil)
	if s.Fields["matched_files"] != 10 || s.Fields["matched_lines"] != 3000 {
		t.Errorf("%v", s.Fields)
	}
}

// 36 matches of grep -o are 36 lines.
func TestCaseGrepOnlyMatching(t *testing.T) {
	out := strings.Repeat("path=\"a/b/c\"\n", 36)
	if s := shaped(t, ran(`grep -o 'path="[^"]*"' file`, 0), out); s.Text != out || s.Shown != 36 {
		t.Errorf("%d lines:\n%s", s.Shown, s.Text)
	}
}

// A long line is shortened around the match, and the cut marked.
func TestCaseLongMatch(t *testing.T) {
	out := "1:" + strings.Repeat("x", 100_000) + " MARKER " + strings.Repeat("x", 100_000) + "\n2:MARKER short line\n"
	s := shaped(t, ran("grep -n MARKER f", 0), out)
	has2(t, s, []string{"xx MARKER xx", "2:MARKER short line", "bytes cut]…"}, nil)
	if len(s.Text) > 2*maxShow || s.Shown != 2 {
		t.Errorf("%d bytes, %d lines", len(s.Text), s.Shown)
	}
}

// A fatal error of the Go runtime is shown with the first frame of the program.
func TestCaseCheckptr(t *testing.T) {
	out := strings.Repeat("=== RUN   TestOK\n--- PASS: TestOK (0.00s)\n", 336) + `=== RUN   TestUnsafe
fatal error: checkptr: converted pointer straddles multiple allocations

goroutine 36 gp=0xc0001 m=4 mp=0xc000 [running]:
runtime.throw({0x6a6b3a?, 0xc000?})
	/usr/local/go/src/runtime/panic.go:1101 +0x48 fp=0xc0 sp=0xc0 pc=0x47
runtime.checkptrStraddles(0xc0, 0x8)
	/usr/local/go/src/runtime/checkptr.go:35 +0x9b
example.test/x/unsafe.Read(...)
	/home/u/x/unsafe/read.go:42
example.test/x/unsafe.TestUnsafe(0xc0)
	/home/u/x/unsafe/read_test.go:11 +0x25
testing.tRunner(0xc0, 0x6b)
	/usr/local/go/src/testing/testing.go:1792 +0xf4

goroutine 1 [chan receive]:
testing.(*T).Run(0xc0, {0x69, 0xa}, 0x6b)
	/usr/local/go/src/testing/testing.go:1859 +0x431
FAIL	example.test/x/unsafe	0.021s
FAIL
`
	s := shaped(t, ran("go test -v ./...", 1), out)
	has2(t, s, []string{"fatal error: checkptr: converted pointer straddles multiple allocations", "/home/u/x/unsafe/read.go:42", "FAIL\texample.test/x/unsafe"}, []string{"runtime/panic.go", "TestOK"})
	if s.Fields["passed_tests"] != 336 {
		t.Errorf("%v", s.Fields)
	}
}

// pytest's counts are read, quiet, coloured or not.
func TestCasePytestCounts(t *testing.T) {
	for _, line := range []string{
		"5 failed, 1698 passed, 2 skipped in 12.34s",
		"\x1b[31m\x1b[1m5 failed\x1b[0m, \x1b[32m1698 passed\x1b[0m, \x1b[33m2 skipped\x1b[0m\x1b[31m in 12.34s\x1b[0m",
		"===== 5 failed, 1698 passed, 2 skipped in 12.34s (0:00:12) =====",
		"\x1b[31m=========== \x1b[31m\x1b[1m5 failed\x1b[0m, \x1b[32m1698 passed\x1b[0m, \x1b[33m2 skipped\x1b[0m\x1b[31m in 12.34s\x1b[0m\x1b[31m ===========\x1b[0m",
	} {
		out := strings.Repeat("......................................................................F. [ 10%]\n", 24) + line + "\n"
		s := shaped(t, ran("python -m pytest -q", 1), out)
		has2(t, s, []string{"5 failed", "1698 passed", "2 skipped"}, nil)
		if s.Fields["failed_tests"] != 5 || s.Fields["passed_tests"] != 1698 || s.Fields["ignored_tests"] != 2 {
			t.Errorf("%q: %v", line, s.Fields)
		}
	}
}

// An error after the tests, and no test that failed: the error is shown.
func TestCaseFalseGreen(t *testing.T) {
	out := strings.Repeat("✔ works (0.1ms)\n", 200) + "ℹ tests 200\nℹ pass 200\nℹ fail 0\n" + `/app/test/late.test.js:9
    throw new Error("socket hang up");
    ^

Error: socket hang up
    at Timeout._onTimeout (/app/test/late.test.js:9:11)
` + strings.Repeat("    at listOnTimeout (node:internal/timers:581:17)\n", 3)
	for _, command := range []string{"node --test", "npm test", ""} {
		s := shaped(t, ran(command, 1), out)
		has2(t, s, []string{"Error: socket hang up", "late.test.js:9:11", "exit status 1"}, nil)
	}
	// The same with an error that scrolled by long before the end.
	early := "Segmentation fault (core dumped)\n" + strings.Repeat("test a ... ok\n", 500)
	for _, command := range []string{"cargo test", "go test ./...", "pytest", "npm test"} {
		has2(t, shaped(t, ran(command, 139), early), []string{"Segmentation fault"}, nil)
	}
}

// git status is never capped.
func TestCaseStatusIsWhole(t *testing.T) {
	var b strings.Builder
	b.WriteString("On branch main\nChanges not staged for commit:\n  (use \"git add <file>...\" to update what will be committed)\n")
	for i := range 400 {
		fmt.Fprintf(&b, "\tmodified:   src/file%03d.go\n", i)
	}
	b.WriteString("\nUntracked files:\n  (use \"git add <file>...\" to include in what will be committed)\n")
	for i := range 300 {
		fmt.Fprintf(&b, "\tnew/file%03d.go\n", i)
	}
	s := shaped(t, ran("git status", 0), b.String())
	for i := range 400 {
		has2(t, s, []string{fmt.Sprintf("modified:   src/file%03d.go\n", i)}, nil)
	}
	for i := range 300 {
		has2(t, s, []string{fmt.Sprintf("\tnew/file%03d.go\n", i)}, nil)
	}
	if s.Fields["unstaged"] != 400 || s.Fields["untracked"] != 300 {
		t.Errorf("%v", s.Fields)
	}
}

// Line ends of Windows, with characters beyond ASCII before them.
func TestCaseCRLF(t *testing.T) {
	out := strings.Repeat("{\"level\":\"info\",\"msg\":\"café servi\"}\r\n", 50) + "{\"level\":\"error\",\"msg\":\"naïve échec\"}\r\n"
	s := shaped(t, Options{}, out)
	has2(t, s, []string{`{"level":"error","msg":"naïve échec"}` + "\n", "49 more times"}, []string{"\r"})
}

// 41 208 frames of a progress bar are one line.
func TestCaseProgressBar(t *testing.T) {
	var b strings.Builder
	for i := range 41_208 {
		fmt.Fprintf(&b, "\r%3d%%|████      | %d/41208 [00:%02d<00:01, 1.0it/s]", i*100/41_208, i, i%60)
	}
	b.WriteString("\nTraceback (most recent call last):\n  File \"train.py\", line 88, in <module>\nValueError: loss is NaN\n")
	s := shaped(t, ran("python train.py", 1), b.String())
	has2(t, s, []string{"Traceback", "train.py\", line 88", "ValueError: loss is NaN"}, nil)
	if s.Lines != 4 || len(s.Text) > 400 {
		t.Errorf("%d lines, %d bytes", s.Lines, len(s.Text))
	}
}

// What is said again is counted, what is different stays.
func TestCaseRepeatsAndDistinct(t *testing.T) {
	var b strings.Builder
	for i := range 13 {
		fmt.Fprintf(&b, "2026-01-02T10:00:%02dZ INFO step %s finished\n", i, string(rune('a'+i))+"lpha")
		if i%3 == 0 {
			fmt.Fprintf(&b, "2026-01-02T10:00:%02dZ ERROR cannot reach the payment gateway at pay.example.test\n", i)
		}
	}
	s := shaped(t, Options{Policy: "log_summary"}, b.String())
	for i := range 13 {
		has2(t, s, []string{"step " + string(rune('a'+i)) + "lpha finished"}, nil)
	}
	has2(t, s, []string{"ERROR cannot reach the payment gateway", "4 more times"}, nil)
	if strings.Count(s.Text, "cannot reach") != 1 {
		t.Errorf("%s", s.Text)
	}
}

// What a shape would make longer is shown as it was, and not called a saving.
func TestCaseNeverLonger(t *testing.T) {
	out := "a\nb\n\nc\n"
	for _, command := range every() {
		s := shaped(t, ran(command, 0), out)
		if s.Text != out || s.Compressor != "raw" || s.Tokens != s.RawTokens {
			t.Errorf("%q: %q, %s, %d of %d tokens", command, s.Text, s.Compressor, s.Tokens, s.RawTokens)
		}
	}
}

// A package that does not compile is not a package without tests.
func TestCaseBuildFailure(t *testing.T) {
	out := "# example.test/x [example.test/x.test]\n./x_test.go:7:2: undefined: helper\n./x_test.go:9:5: x declared and not used\n" +
		strings.Repeat("?   \texample.test/y\t[no test files]\n", 40) + "FAIL\texample.test/x [build failed]\nFAIL\n"
	s := shaped(t, ran("go test ./...", 1), out)
	has2(t, s, []string{"./x_test.go:7:2: undefined: helper", "./x_test.go:9:5: x declared and not used", "[build failed]"}, []string{"no test files"})
}
