package shells_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tool-mapping-protocol/tmp/shells/shelltest"
)

// built is where the programs of this source tree lie, built once.
var built struct {
	once sync.Once
	dir  string
	err  error
}

// programs builds tmp, tmp-tab and tmp-enter and returns their directory.
func programs(t *testing.T) string {
	t.Helper()
	built.once.Do(func() {
		if built.dir, built.err = os.MkdirTemp("", "programs"); built.err != nil {
			return
		}
		cmd := exec.Command("go", "build", "-o", built.dir, "../cmd/tmp", "../cmd/tmp-tab", "../cmd/tmp-enter")
		if out, err := cmd.CombinedOutput(); err != nil {
			built.err = err
			t.Logf("%s", out)
		}
	})
	if built.err != nil {
		t.Fatalf("build the programs: %v", built.err)
	}
	return built.dir
}

// dirty starts a shell with the programs as they are built, in a repository in
// which kept.txt is changed and new.txt is not git's.
func dirty(t *testing.T, name string, s setup) *shell {
	t.Helper()
	s.real, s.noTab, s.enter = true, true, true
	x := start(t, name, s)
	x.write(".gitconfig", "[user]\n\tname = A\n\temail = a@example.org\n")
	x.git("init", "-q", "-b", "trunk")
	x.write("work/kept.txt", "one\n")
	x.git("add", ".")
	x.git("commit", "-q", "-m", "first")
	x.soil()
	return x
}

func (x *shell) soil() {
	x.write("work/kept.txt", "two\n")
	x.write("work/new.txt", "new\n")
}

// holds checks the text of a file; "" is none.
func (x *shell) holds(name, want string) {
	x.t.Helper()
	if data, _ := os.ReadFile(filepath.Join(x.home, name)); string(data) != want {
		x.t.Errorf("%s holds %q, want %q\n%s", name, data, want, x.Screen())
	}
}

// gone waits until a file is no more.
func (x *shell) gone(name string) {
	x.t.Helper()
	x.Wait(name+" to go", func(*shelltest.Screen) bool {
		_, err := os.Lstat(filepath.Join(x.home, name))
		return os.IsNotExist(err)
	})
}

// question waits for a question that stands at the cursor, whichever it is.
func (x *shell) question(about string) {
	x.t.Helper()
	x.Wait("the question about "+about, func(s *shelltest.Screen) bool {
		b := s.Before()
		open := strings.HasPrefix(b, "Run it? [") && strings.HasSuffix(b, "] ") || strings.HasPrefix(b, `Type `) && strings.HasSuffix(b, ": ")
		return open && strings.Contains(s.String(), about)
	})
}

// prompt waits for an empty line, and clears the screen.
func (x *shell) prompt() {
	x.t.Helper()
	x.line("|")
	x.Keys("\x0c")
	x.Wait("a clean screen", func(s *shelltest.Screen) bool { r, _ := s.Cursor(); return r == 0 && s.Before() == "$ " })
}

// answers are the answers in the audit log, oldest first, each with its line.
func (x *shell) answers() (all []string) {
	x.t.Helper()
	data, err := os.ReadFile(filepath.Join(x.home, ".local/state/tmp/audit.jsonl"))
	if err != nil {
		x.t.Error(err)
	}
	for _, l := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		var r struct{ Answer, Line, Shell, Agent string }
		if err := json.Unmarshal([]byte(l), &r); err != nil || r.Shell != x.name {
			x.t.Errorf("%v in the audit log: %s", err, l)
		}
		all = append(all, r.Answer+": "+r.Line)
	}
	return all
}

// The word to type is the one in config.toml, which tmp reads for tmp-enter.
func TestRealEnterOwnWord(t *testing.T) {
	each(t, func(t *testing.T, name string) {
		x := dirty(t, name, setup{})
		x.write(".config/tmp/config.toml", "[enter]\nword = \"please\"\n")
		x.Keys("git reset --hard\r")
		x.question("please")
		x.Keys("run\r")
		x.line("git reset --hard|")
		x.holds("work/kept.txt", "two\n")
		x.Keys("\r")
		x.question("please")
		x.Keys("please\r")
		x.prompt()
		x.holds("work/kept.txt", "one\n")
	})
}

// A typed word before a tree is lost; n, Ctrl-C and keys typed ahead are no.
func TestRealEnterHard(t *testing.T) {
	each(t, func(t *testing.T, name string) {
		x := dirty(t, name, setup{})
		hard := func(keys string) {
			t.Helper()
			x.Keys("git reset --hard\r" + keys)
			x.question("discards")
		}
		x.runs("echo first", "first")
		x.Keys("false\r")
		x.line("|")
		hard("")
		x.Keys("n\r")
		x.line("git reset --hard|")
		x.holds("work/kept.txt", "two\n")
		x.Keys("\x02X") // it can be edited
		x.line("git reset --harX|d")
		x.clear()
		x.echo(status(name), "1")
		x.prompt()

		// Ctrl-C, and what was typed before the question.
		hard("")
		x.Keys("\x03")
		x.line("git reset --hard|")
		x.clear()
		x.prompt()
		hard("run\r")
		x.Keys("\x03")
		x.line("git reset --hard|")
		x.holds("work/kept.txt", "two\n")
		x.clear()
		x.prompt()

		// The history has nothing of it.
		x.Keys("\x1b[A\x1b[A\x1b[A")
		x.Wait("the line before", func(s *shelltest.Screen) bool { return s.Before() == "$ echo first" })
		x.clear()
		x.prompt()

		// The safer line is in the buffer, and does not run.
		hard("")
		x.Keys("s\r")
		x.line("git stash && git reset --hard|")
		x.holds("work/kept.txt", "two\n")
		x.clear()
		x.prompt()

		hard("")
		x.Keys("run\r")
		x.Wait("it ran", func(s *shelltest.Screen) bool {
			return strings.Contains(s.String(), "HEAD is now at") && s.Before() == "$ "
		})
		if n := strings.Count(x.Raw(), "HEAD is now at"); n != 1 {
			t.Errorf("ran %d times\n%s", n, x.Screen())
		}
		x.holds("work/kept.txt", "one\n")
		x.prompt()
		x.Keys("\x1b[A")
		x.line("git reset --hard|")
		x.Keys("\x1b[A")
		x.Wait("the line before", func(s *shelltest.Screen) bool { return strings.HasPrefix(s.Before(), "$ echo ") })
		want := []string{"refused", "refused", "refused", "safer", "allowed"}
		for i := range want {
			want[i] += ": git reset --hard"
		}
		if got := x.answers(); !slices.Equal(got, want) {
			t.Errorf("audited %q, want %q", got, want)
		}
		if strings.Contains(x.Raw(), "not judged") {
			t.Errorf("a notice\n%q", x.Raw())
		}
	})
}

// One key before a file is lost, and the ways around the question.
func TestRealEnterFile(t *testing.T) {
	each(t, func(t *testing.T, name string) {
		x := dirty(t, name, setup{})
		x.Keys("rm new.txt\ry") // y is typed too early
		x.question("Run it? [y/N/s]")
		x.Keys("n")
		x.line("rm new.txt|")
		x.holds("work/new.txt", "new\n")
		x.Keys("\r")
		x.question("Run it? [y/N/s]")
		x.Keys("s")
		x.line("tmp quarantine put -- new.txt|")
		x.holds("work/new.txt", "new\n")
		x.Keys("\r")
		x.gone("work/new.txt")
		x.line("|")
		if got, err := os.ReadFile(filepath.Join(x.home, "share/Trash/files/new.txt")); err != nil || string(got) != "new\n" {
			t.Errorf("in the trash: %q, %v", got, err)
		}
		x.prompt()
		var want []string
		for _, c := range []struct{ typed, answer string }{
			{"TMP_CHECK=off rm new.txt", "bypassed"},
			{"tmp off -- rm new.txt", "bypassed"},
			{"rm new.txt", "allowed"},
		} {
			x.soil()
			x.Keys(c.typed + "\r")
			if c.answer == "allowed" {
				x.question("new.txt")
				x.Keys("y")
			}
			x.gone("work/new.txt")
			x.prompt()
			want = append(want, c.answer+": "+c.typed)
		}
		x.soil()
		x.runs("tmp pause", "tmp: Enter is not judged in this shell until tmp resume")
		x.Keys("rm new.txt\r")
		x.gone("work/new.txt")
		x.runs("tmp resume", "tmp: Enter is judged in this shell")
		x.soil()
		x.Keys("rm new.txt\r")
		x.question("new.txt")
		x.Keys("\x1b") // Escape is a no
		x.line("rm new.txt|")
		x.holds("work/new.txt", "new\n")
		want = append([]string{"refused: rm new.txt", "safer: rm new.txt"}, append(want, "refused: rm new.txt")...)
		if got := x.answers(); !slices.Equal(got, want) {
			t.Errorf("audited %q, want %q", got, want)
		}
	})
}

// Nothing is seen of tmp on harmless lines: the screen is what they print.
func TestRealEnterHarmless(t *testing.T) {
	each(t, func(t *testing.T, name string) {
		x := dirty(t, name, setup{})
		x.prompt()
		for typed, out := range map[string]string{
			"echo hi": "hi\n", "A=1 echo B=2 C+=3": "B=2 C+=3\n", "ls": "kept.txt  new.txt\n", "git status -s": " M kept.txt\n?? new.txt\n",
			"for i in 1 2; do echo $i; done": "1\n2\n",
		} {
			if name == "fish" {
				typed = strings.Replace(typed, "; do ", "; ", 1)
				typed = strings.Replace(typed, "; done", "; end", 1)
			}
			x.Keys(typed + "\r")
			want := "$ " + typed + "\n" + out + "$ "
			x.Wait("only\n"+want, func(s *shelltest.Screen) bool {
				return strings.TrimRight(s.String(), "\n ") == strings.TrimRight(want, " ") && s.Before() == "$ "
			})
			x.prompt()
		}
		if _, err := os.Stat(filepath.Join(x.home, ".local/state/tmp/audit.jsonl")); err == nil {
			t.Errorf("something was audited: %q", x.answers())
		}
		if strings.Contains(x.Raw(), "tmp:") {
			t.Errorf("a notice\n%q", x.Raw())
		}
	})
}

// An agent is not asked: it gets one line of JSON, and the line does not run.
func TestRealEnterAgent(t *testing.T) {
	each(t, func(t *testing.T, name string) {
		x := dirty(t, name, setup{env: []string{"TMP_AGENT_ID=a1"}, cols: 200})
		for _, typed := range []string{"git reset --hard", "TMP_CHECK=off git reset --hard"} {
			x.Keys(typed + "\r")
			x.shows(`{"v":1,"decision":"refused","reason":"critical"`)
			x.line(typed + "|")
			x.clear()
			x.prompt()
		}
		x.holds("work/kept.txt", "two\n")
		if strings.Contains(x.Raw(), "Type ") || strings.Contains(x.Raw(), "Run it?") {
			t.Errorf("it was asked\n%q", x.Raw())
		}
		want := []string{"refused: git reset --hard", "refused: TMP_CHECK=off git reset --hard"}
		if got := x.answers(); !slices.Equal(got, want) {
			t.Errorf("audited %q, want %q", got, want)
		}
	})
}

// Terminals that can little.
func TestRealEnterTerminals(t *testing.T) {
	for _, c := range []struct {
		name string
		s    setup
		// Whether the question may have colours.
		colour bool
	}{
		{"dumb", setup{env: []string{"TERM=dumb"}}, false},
		{"no colour", setup{env: []string{"NO_COLOR=1"}}, false},
		{"narrow", setup{cols: 20, rows: 40}, true},
	} {
		each(t, func(t *testing.T, name string) {
			if c.name == "dumb" && name == "fish" {
				t.Skip("fish draws no line that could be read on such a terminal")
			}
			x := dirty(t, name, c.s)
			before := len(x.Raw())
			x.Keys("rm new.txt\r")
			x.question("Run it?")
			raw := x.Raw()[before:]
			if at := strings.Index(raw, "CRITICAL"); at < 0 {
				t.Errorf("no level\n%q", raw)
			} else if got := strings.Contains(raw[at-8:], "\x1b[1;31m") || strings.Contains(raw[at:], "\x1b[31m"); got != c.colour {
				t.Errorf("colours: %v, want %v\n%q", got, c.colour, raw)
			}
			x.Keys("n")
			x.line("rm new.txt|")
			x.holds("work/new.txt", "new\n")
			x.Keys("\r")
			x.question("Run it?")
			x.Keys("y")
			x.gone("work/new.txt")
			x.line("|")
		})
	}
}

// What is pasted or goes on over lines is one text.
func TestRealEnterLines(t *testing.T) {
	each(t, func(t *testing.T, name string) {
		x := dirty(t, name, setup{rows: 50})
		x.Keys(paste("echo harmless\nrm -rf ../work") + "\r")
		x.question("../work")
		x.Keys("n\r")
		x.Wait("the lines", func(s *shelltest.Screen) bool {
			return strings.HasSuffix(s.Before(), "rm -rf ../work") && !strings.HasPrefix(s.Before(), "Type")
		})
		x.drop()
		x.holds("work/new.txt", "new\n")
		if strings.Contains(x.Screen(), "\nharmless\n") {
			t.Errorf("the first line ran\n%s", x.Screen())
		}
		if name != "fish" {
			x.Keys("sh <<E\r")
			x.line0("> ")
			x.Keys("rm -rf ../work\r")
			x.line0("> ")
			x.Keys("E\r")
			x.question("../work")
			x.Keys("n\r")
			x.line0("> E")
			x.drop()
		}
		x.holds("work/new.txt", "new\n")
		x.Keys("echo 'rm -rf ../work' | sh\r")
		x.question("../work")
		x.Keys("n\r")
		x.line("echo 'rm -rf ../work' | sh|")
		x.holds("work/new.txt", "new\n")
	})
}

// A hook for Tab alone judges nothing.
func TestRealNoEnter(t *testing.T) {
	each(t, func(t *testing.T, name string) {
		x := dirty(t, name, setup{hookArgs: " --no-enter"})
		x.Keys("rm new.txt\r")
		x.gone("work/new.txt")
		x.line("|")
		if strings.Contains(x.Raw(), "tmp:") {
			t.Errorf("a notice\n%q", x.Raw())
		}
	})
}

// Of a paste whose end is missing nothing runs before the rest has come, and then
// it is asked about as a whole.
func TestRealEnterUnfinishedPaste(t *testing.T) {
	each(t, func(t *testing.T, name string) {
		x := dirty(t, name, setup{})
		for _, start := range []string{"echo 'mi", "echo mi \\"} {
			x.soil()
			x.Keys("\x1b[200~rm new.txt\n" + start + "\x1b[201~\r")
			x.Quiet(time.Second)
			x.holds("work/new.txt", "new\n")
			rest := "xed"
			if strings.Contains(start, "'") {
				rest = "xed'"
			}
			x.Keys(rest + "\r")
			x.question("rm new.txt")
			x.holds("work/new.txt", "new\n")
			x.Keys("y")
			x.gone("work/new.txt")
			x.prompt()
		}
		if name != "bash" {
			return
		}
		// With Enter on an empty row bash gets what there is.
		x.soil()
		x.Keys("\x1b[200~rm new.txt\necho 'mi\x1b[201~\r")
		x.Quiet(time.Second)
		x.Keys("\r")
		x.question("rm new.txt")
		x.holds("work/new.txt", "new\n")
		x.Keys("y")
		x.gone("work/new.txt")
		x.Keys("'\r")
		x.prompt()
	})
}

// A backslash at the end is held, and judged with what it joins.
func TestRealEnterBackslash(t *testing.T) {
	each(t, func(t *testing.T, name string) {
		x := dirty(t, name, setup{})
		x.Keys("rm \\\r")
		x.Quiet(time.Second)
		x.Keys("new.txt\r")
		x.question("new.txt")
		x.holds("work/new.txt", "new\n")
		x.Keys("y")
		x.gone("work/new.txt")
		if got := x.answers(); !slices.Equal(got, []string{"allowed: rm \\\nnew.txt"}) {
			t.Errorf("asked: %q", got)
		}
	})
}

// Where a shell has no place for its here-strings, the line is judged all the same.
func TestRealEnterNoRoom(t *testing.T) {
	x := dirty(t, "zsh", setup{after: "TMPPREFIX=/nonexistent/zsh"})
	for range 2 {
		x.soil()
		x.Keys("rm new.txt\r")
		x.question("rm new.txt")
		x.Keys("y")
		x.gone("work/new.txt")
		x.prompt()
	}
	if n := strings.Count(x.Raw(), "temp file"); n > 1 || strings.Contains(x.Raw(), "not judged") {
		t.Errorf("%d times of no room, or not judged:\n%s", n, x.Raw())
	}
}
