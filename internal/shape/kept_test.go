package shape

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func fresh(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile("testdata/fresh/" + name + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestSmallDiffsApply: what is shown of a small diff is the diff, which git can
// apply.
func TestSmallDiffsApply(t *testing.T) {
	out := fresh(t, "git_diff_small")
	for _, command := range []string{"git diff", "git show", ""} {
		if s := shaped(t, ran(command, 0), out); s.Text != out || s.Compressor != "raw" {
			t.Errorf("%q:\n%s", command, s.Text)
		}
	}
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("no git")
	}
	dir := t.TempDir()
	var b strings.Builder
	for i := range 40 {
		b.WriteString("def f" + itoa(i) + "():\n    return " + itoa(i) + "\n\n")
	}
	if err := os.WriteFile(filepath.Join(dir, "app.py"), []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	apply := exec.Command(git, "apply")
	apply.Dir, apply.Stdin = dir, strings.NewReader(shaped(t, ran("git diff", 0), out).Text)
	if out, err := apply.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

// TestHunksAreNamed: the head of every hunk is shown, of those too whose lines
// are told by a file before.
func TestHunksAreNamed(t *testing.T) {
	for name, out := range map[string]string{"git_diff_hunks": fresh(t, "git_diff_hunks"), "git_diff": real(t, "git_diff")} {
		s := shaped(t, ran("git diff", 0), out)
		if got, want := strings.Count("\n"+s.Text, "\n@@ "), strings.Count("\n"+out, "\n@@ "); got != want || s.Compressor != "native" {
			t.Errorf("%s: %d of %d hunks are named\n%s", name, got, want, s.Text)
		}
	}
}

// TestLogKeepsDatesAndHashes: each commit is named as git names it.
func TestLogKeepsDatesAndHashes(t *testing.T) {
	out := fresh(t, "git_log_dates")
	s := shaped(t, ran("git log", 0), out)
	for l := range strings.SplitSeq(out, "\n") {
		if strings.HasPrefix(l, "commit ") || strings.HasPrefix(l, "Date: ") {
			if !strings.Contains(s.Text, l+"\n") {
				t.Errorf("lost %q", l)
			}
		}
	}
}

// TestNamedFilesAreWhole: what was asked for by its name is shown as it is, up to
// a bound.
func TestNamedFilesAreWhole(t *testing.T) {
	source := strings.Repeat("case 1:\n\n\treturn 1\ncase 2:\n\treturn 2\n", 1200)
	for command, want := range map[string]bool{
		"cat a.go": true, "sudo cat /etc/x": true, "head -n 900 a.go": true, "sed -n 1,900p a.go": true, "bat a.go": true, "nl a.go": true, "bash -c 'cat a.go'": true,
		"git show HEAD:a.go": true, "cat a.go b.go": true, "cat app.log": true,
		"cat": false, "./make-it": false, "sed s/a/b/ a.go": false, "cat a.go | ./filter": false, "": false,
	} {
		s := shaped(t, ran(command, 0), source)
		if (s.Text == source) != want {
			t.Errorf("%q: whole %v, want %v", command, s.Text == source, want)
		}
	}
	if s := shaped(t, ran("cat a.go", 0), strings.Repeat(source, 4)); s.Compressor != "native" {
		t.Errorf("%d bytes are shown whole", len(s.Text))
	}
}

// TestNotesOfTemplates: the notes about the user's files stay, those about the
// library go.
func TestNotesOfTemplates(t *testing.T) {
	s := shaped(t, ran("clang++ a.cpp", 1), fresh(t, "clang_requested"))
	for l := range strings.SplitSeq(s.Text, "\n") {
		if strings.Contains(l, "/include/c++/") && strings.Contains(l, ": note:") {
			t.Errorf("kept %q", l)
		}
	}
	if n := strings.Count(s.Text, "requested here"); n != 3 {
		t.Errorf("%d notes about the way", n)
	}
}

// TestGapsAreMarked: where a list is cut, it says so.
func TestGapsAreMarked(t *testing.T) {
	s := shaped(t, ran("npx mocha", 2), fresh(t, "mocha_list"))
	has2(t, s, []string{"  cart\n[tmp] 3 lines omitted\n  loaded fixture cart 3\n"}, nil)
	s = shaped(t, ran("go test -v ./...", 1), "=== RUN   TestA\n"+strings.Repeat("    row 7 of them is fine\n    row 8 of them is fine\n", 20)+"    a_test.go:12: wrong\n--- FAIL: TestA (0.00s)\nFAIL\n")
	has2(t, s, []string{"is fine\n[tmp] 31 lines omitted\n    row 8 of them is fine\n    a_test.go:12: wrong\n"}, nil)
}

// TestEveryOmissionHasAKind: the last line counts all that was left out.
func TestEveryOmissionHasAKind(t *testing.T) {
	for _, dir := range []string{"testdata/real", "testdata/own", "testdata/fresh"} {
		for _, smp := range samples(t, dir) {
			s := shaped(t, smp.options(), string(smp.raw))
			_, kinds, ok := strings.Cut(s.Text, " left out: ")
			if !ok {
				continue
			}
			sum := 0
			for part := range strings.SplitSeq(strings.TrimSpace(kinds), ", ") {
				n, w := number([]byte(part))
				if w == 0 || w+1 >= len(part) {
					t.Errorf("%s: %q", smp.name, part)
				}
				sum += n
			}
			if sum != s.Lines-s.Shown {
				t.Errorf("%s: %d of %d are counted in %q", smp.name, sum, s.Lines-s.Shown, kinds)
			}
		}
	}
}

// TestPolicyOfCargoTest: tests are told of as tests, whatever stands before them.
func TestPolicyOfCargoTest(t *testing.T) {
	tests := real(t, "cargo_test_pass")
	for _, c := range []struct{ command, out, want string }{
		{"cargo test", tests, "test_summary"},
		{"cargo test", "a stray line\n" + tests, "test_summary"},
		{"cargo +nightly nextest run", "a stray line\n", "test_summary"},
		{"", tests, "test_summary"},
		{"make", "a stray line\n" + tests, "test_summary"},
		{"cargo build", real(t, "cargo_build_err"), "build_summary"},
	} {
		if s := shaped(t, ran(c.command, 0), c.out); s.Policy != c.want {
			t.Errorf("%q: %s, want %s", c.command, s.Policy, c.want)
		}
	}
}

// TestPsqlExpanded: records are records, and no lines of several services.
func TestPsqlExpanded(t *testing.T) {
	out := fresh(t, "psql_x3")
	for _, command := range []string{"psql -x -c 'select 1'", ""} {
		if s := shaped(t, ran(command, 0), out); strings.Contains(s.Text, mark) && s.Shown < s.Lines-1 || strings.Count(s.Text, "-[ RECORD ") != 3 {
			t.Errorf("%q:\n%s", command, s.Text)
		}
	}
}
