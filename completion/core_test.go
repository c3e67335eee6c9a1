package completion

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/resolvers/all"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// coreEngine answers from the map that the programs carry.
func coreEngine() *Engine { return &Engine{Map: tcpdb.NewView(tcpdb.Core()), Resolvers: all.Table()} }

// git runs git in dir, without the machine's configuration.
func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	cmd := exec.Command("git", append([]string{"-c", "init.defaultBranch=main", "-c", "user.name=n", "-c", "user.email=n@example.org"}, args...)...)
	cmd.Dir = dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "GIT_CONFIG_NOSYSTEM=1"}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// repository has two branches, one of them named like an option, and a file
// that is modified, one that is staged and one that is neither.
func repository(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	git(t, dir, "init", "-q")
	for _, name := range []string{"changed", "same"} {
		write(t, dir, name, "1")
	}
	git(t, dir, "add", ".")
	git(t, dir, "commit", "-q", "-m", "first")
	git(t, dir, "branch", "topic")
	git(t, dir, "update-ref", "refs/heads/-f", "HEAD")
	write(t, dir, "changed", "22")
	write(t, dir, "staged", "1")
	git(t, dir, "add", "staged")
	return dir
}

func write(t *testing.T, dir, name, content string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// noGitConfig is an environment without the machine's git configuration.
func noGitConfig(name string) string {
	if name == "GIT_CONFIG_NOSYSTEM" {
		return "1"
	}
	return ""
}

func completeWords(dir string, words ...string) Answer {
	return coreEngine().Complete(context.Background(), Request{Words: words, Dir: dir, Getenv: noGitConfig, Limit: -1, Explain: true})
}

func rawValues(a Answer) []string {
	var vs []string
	for _, c := range a.Candidates {
		vs = append(vs, c.Value)
	}
	return vs
}

// A value that the command would read as an option is not a value.
func TestOptionLikeValues(t *testing.T) {
	dir := repository(t)
	write(t, dir, "-rf", "")
	write(t, dir, "--", "")
	for _, c := range []struct {
		words     []string
		has, lack []string
	}{
		{[]string{"git", "checkout", ""}, []string{"main", "topic"}, []string{"-f", "-rf"}},
		{[]string{"git", "branch", "-d", ""}, []string{"topic"}, []string{"-f", "main"}},
		{[]string{"git", "merge", ""}, []string{"topic"}, []string{"-f", "main"}},
		{[]string{"git", "add", ""}, []string{"./-rf", "./--"}, []string{"-rf", "--"}},
		{[]string{"git", "add", "./-"}, []string{"./-rf", "./--"}, []string{"././-rf"}},
		{[]string{"git", "add", "--", ""}, []string{"-rf", "--"}, []string{"./-rf"}},
		{[]string{"git", "commit", "--file", ""}, []string{"-rf"}, nil}, // the option takes the word whatever it is
		{[]string{"git", "restore", "--source="}, []string{"--source=-f"}, nil},
	} {
		got := rawValues(completeWords(dir, c.words...))
		for _, v := range c.has {
			if !slices.Contains(got, v) {
				t.Errorf("%q: no %q in %q", c.words, v, got)
			}
		}
		for _, v := range c.lack {
			if slices.Contains(got, v) {
				t.Errorf("%q offers %q", c.words, v)
			}
		}
	}
}

func TestRestoreAndDelete(t *testing.T) {
	dir := repository(t)
	for _, c := range []struct {
		words string
		want  []string
	}{
		{"git restore ", []string{"changed"}},
		{"git restore --staged ", []string{"staged"}},
		{"git restore -S -- ", []string{"staged"}},
		{"git restore -SW ", []string{"staged", "changed"}},
		{"git restore --source=main ", []string{"changed", "same", "staged"}},
		{"git branch -d ", []string{"topic"}},
		{"git branch --delete ", []string{"topic"}},
	} {
		if got := rawValues(completeWords(dir, strings.Split(c.words, " ")...)); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.words, got, c.want)
		}
	}
}

func TestOperationOfALine(t *testing.T) {
	dir := repository(t)
	for _, c := range []struct{ words, id, parameter string }{
		{"cargo run --bin ", "cargo.run_bin", "bin"},
		{"cargo run --bin=", "cargo.run_bin", "bin"},
		{"cargo test ", "cargo.test", "test_filter"},
		{"npm run ", "npm.run_script", "script"},
		{"make ", "make.target", "target"},
		{"make -n ", "make.dry_run", "target"},
		{"go test -run ", "go.test_name", "test_filter"},
		{"git switch ", "git.checkout_branch", "branch"},
		{"git checkout ", "git.checkout_branch", "branch"}, // by its intents: it runs git switch
		{"git checkout -b x ", "", ""},
		{"git branch -d ", "git.delete_branch", "branch"},
		{"git branch -m ", "git.rename_branch", "name"},
		{"git branch ", "", ""}, // makes one: not the operation that deletes
		{"git restore ", "git.discard_file", "file"},
		{"git restore --staged ", "git.unstage_file", "file"},
		{"git log -- ", "git.log_file", "file"}, // its template limits the length as well
		{"git push -u origin ", "git.push_upstream", "branch"},
		{"git reset --hard ", "git.reset_hard_to", "revision"},
		{"git reset ", "", ""},
		{"git status ", "", ""},
		{"git -C . checkout ", "git.checkout_branch", "branch"},
	} {
		a := completeWords(dir, strings.Split(c.words, " ")...)
		if a.Operation != c.id || a.Parameter != c.parameter {
			t.Errorf("%s: %q %q, want %q %q", c.words, a.Operation, a.Parameter, c.id, c.parameter)
		}
	}
}

// A line of a megabyte is answered in time, whatever it repeats.
func TestLongLines(t *testing.T) {
	dir := repository(t)
	for name, line := range map[string]string{
		"words":       "git add " + strings.Repeat("x ", 500_000),
		"directories": "git " + strings.Repeat("-C . ", 200_000) + "add ",
		"path":        "git add " + strings.Repeat("a/", 500_000),
		"name":        "git checkout " + strings.Repeat("a", 1_000_000),
		"quotes":      strings.Repeat(`"`, 1_000_000),
		"options":     "git -" + strings.Repeat("v", 1_000_000),
		"wrappers":    strings.Repeat("sudo ", 200_000) + "git checkout ",
	} {
		start := time.Now()
		a := coreEngine().Complete(context.Background(), Request{Shell: "bash", Line: line, Point: len(line), Dir: dir, Getenv: noGitConfig, Limit: -1})
		if d := time.Since(start); d > 20*time.Second { // quadratic is minutes
			t.Errorf("%s: %v", name, d)
		}
		if len(a.Candidates) > 0 {
			t.Errorf("%s: %d candidates", name, len(a.Candidates))
		}
	}
}

// Nothing is known of the options of a sub-command that the map does not have.
func TestUnknownSubcommand(t *testing.T) {
	dir := repository(t)
	git(t, dir, "config", "alias.sh", "!ls")
	for _, c := range []struct{ words, want string }{
		{"git sh ", "changed same staged"},
		{"git sh --", ""},
		{"git nosuch s", "same staged"},
		{"cargo nosuch s", "same staged"},
	} {
		if got := strings.Join(rawValues(completeWords(dir, strings.Split(c.words, " ")...)), " "); got != c.want {
			t.Errorf("%s: %q, want %q", c.words, got, c.want)
		}
	}
}

// The home of another user is known from the system, and stays as it is typed.
func TestOtherHome(t *testing.T) {
	a := coreEngine().Complete(context.Background(), Request{Shell: "bash", Line: "mv ~root/.", Point: 10, Dir: t.TempDir(), Getenv: noGitConfig, Limit: -1})
	entries, err := os.ReadDir(disk.Home("root"))
	if err != nil {
		t.Skip(err)
	}
	want := []string{"~root/../", "~root/./"}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") {
			want = append(want, "~root/"+e.Name())
		}
	}
	if len(a.Candidates) != len(want) {
		t.Errorf("%d candidates, want %d", len(a.Candidates), len(want))
	}
	for _, c := range a.Candidates {
		if !strings.HasPrefix(c.Insert, "~root/") {
			t.Errorf("inserts %q", c.Insert)
		}
	}
}

// What stands in the line after an insertion is one word, in whole quotes.
func TestQuotesRightOfTheCursor(t *testing.T) {
	dir := t.TempDir()
	git(t, dir, "init", "-q")
	write(t, dir, "some file", "")
	for _, c := range []struct{ line, want string }{
		{`git add "so|"`, `git add "some file"`},
		{`git add 'so|'`, `git add 'some file'`},
		{`git add "so|" x`, `git add "some file" x`},
		{`git add "so|file"`, `git add "some file"`},
		{`git add "so|zz"`, `git add "some filezz"`}, // what is right of the cursor stays
		{`git add so|zz`, `git add some\ filezz`},
		{`git add "so|`, `git add "some file"`},
	} {
		left, right, _ := strings.Cut(c.line, "|")
		line := left + right
		for _, shell := range []string{"bash", "zsh", "fish"} {
			a := coreEngine().Complete(context.Background(), Request{Shell: shell, Line: line, Point: len(left), Dir: dir, Getenv: noGitConfig, Limit: -1})
			if len(a.Candidates) != 1 {
				t.Errorf("%s, %s: %q", shell, c.line, rawValues(a))
				continue
			}
			if got := line[:a.Replace.Start] + a.Candidates[0].Insert + line[a.Replace.End:]; got != c.want {
				t.Errorf("%s, %s: %s, want %s", shell, c.line, got, c.want)
			}
		}
	}
}

// A layer that cannot be read is named: in what tools read and where there is
// nothing to list as the message, else as what a shell says once.
func TestDamagedLayerIsNamed(t *testing.T) {
	e := coreEngine()
	e.Map.Fail(tcpdb.SystemLayer, "/data/system.tcpdb", errors.New("map /data/system.tcpdb: damaged"))
	const want = "map /data/system.tcpdb: damaged"
	for _, c := range []struct {
		line    string
		explain bool
		want    string
	}{
		{"git che", true, want},
		{"git che", false, ""},
		{"git zzz", false, want},
	} {
		a := e.Complete(context.Background(), Request{Line: c.line, Point: len(c.line), Getenv: noGitConfig, Limit: -1, Explain: c.explain})
		if a.Message != c.want || a.Message+a.Notice != want {
			t.Errorf("%s, %v: %q and %q, want %q", c.line, c.explain, a.Message, a.Notice, c.want)
		}
	}
}

func TestNoWorkingDirectory(t *testing.T) {
	for _, words := range [][]string{{"make", "x"}, {"cargo", "run", "--bin", ""}, {"npm", "run", ""}, {"ls", ""}} {
		if a := completeWords("", words...); a.Message != "no working directory" || len(a.Candidates) > 0 {
			t.Errorf("%q: %q %q", words, rawValues(a), a.Message)
		}
	}
}

// The toolchain before the verb is no argument of cargo.
func TestCargoToolchain(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "Cargo.toml", "[package]\nname = \"demo\"\nversion = \"0.1.0\"\n")
	if err := os.MkdirAll(filepath.Join(dir, "src/bin"), 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, dir, "src/bin/gen.rs", "fn main() {}\n")
	if got := rawValues(completeWords(dir, "cargo", "+nightly", "metad")); !slices.Equal(got, []string{"metadata"}) {
		t.Errorf("verbs: %q", got)
	}
	if got := rawValues(completeWords(dir, "cargo", "+nightly", "run", "--bin", "g")); !slices.Equal(got, []string{"gen"}) {
		t.Errorf("binaries: %q", got)
	}
}

// Variables that are not exported, functions and aliases are the shell's to know.
func TestShellsOwnNames(t *testing.T) {
	getenv := func(name string) string { return map[string]string{"PATH": t.TempDir()}[name] }
	for line, handled := range map[string]bool{"unset zz_none": false, "export zz_none": false, "type zz_none": false, "unset -": true, "printenv zz_none": true} {
		a := coreEngine().Complete(context.Background(), Request{Shell: "bash", Line: line, Point: len(line), Getenv: getenv, Limit: -1})
		if a.Handled != handled {
			t.Errorf("%s: handled is %v", line, a.Handled)
		}
	}
}

// Files stand behind what a place is for only where nothing else fits what is
// typed; git add offers what it would add.
func TestFilesOtherwise(t *testing.T) {
	dir := repository(t)
	for _, name := range []string{"Makefile", "maxfile", "main.c"} {
		write(t, dir, name, "all: main.c\n\techo\nclean:\n")
	}
	write(t, dir, ".gitignore", "ignored\n")
	write(t, dir, "ignored", "x")
	for _, tt := range []struct{ line, want string }{
		{"make |", "all clean"},
		{"make c|", "clean"},
		{"make max|", "maxfile"},
		{"git add |", "changed .gitignore Makefile main.c maxfile"},
		{"git add sa|", ""}, // it is as it was
		{"git add ig|", ".gitignore"},
		{"git commit |", "changed"},
		{"git commit sa|", "same"},
	} {
		text := strings.TrimSuffix(tt.line, "|")
		a := completeWords(dir, append(strings.Fields(text), map[bool][]string{true: {""}}[strings.HasSuffix(text, " ")]...)...)
		if got := strings.Join(rawValues(a), " "); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.line, got, tt.want)
		}
	}
}
