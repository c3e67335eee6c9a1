package shells_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tool-mapping-protocol/tmp/shells"
	"github.com/tool-mapping-protocol/tmp/shells/shelltest"
)

const moreShells = "elvish nushell tcsh xonsh"

// more are keys and the lines that one Tab makes of them, the same in each shell but
// where it is named: how a shell quotes is its own.
var more = []struct{ shells, typed, want string }{
	{moreShells, "git swit", "git switch "},
	{moreShells, "git checkout rel", "git checkout release/1.0 "},
	{moreShells, "git commit --no-edi", "git commit --no-edit "},
	// elvish quotes a word with "=" and so lists it, since that is not what was typed.
	{"nushell tcsh xonsh", "git log --format=onel", "git log --format=oneline "},
	{"nushell tcsh xonsh", "git -C Jm/ log --format=onel", "git -C Jm/ log --format=oneline "},
	{"elvish", "git -C Jm/ checkout rel", "git -C Jm/ checkout release/1.0 "},
	{"elvish tcsh xonsh", "sudo git checkout rel", "sudo git checkout release/1.0 "},
	{"elvish nushell xonsh", "cd Jm; git checkout rel", "cd Jm; git checkout release/1.0 "},
	{"elvish", "git checkout semi", "git checkout 'semi;colon' "},
	{"xonsh", "git checkout semi", "git checkout 'semi;colon' "},
	{"nushell", "git checkout semi", "git checkout `semi;colon`"},
	{"tcsh", "git checkout semi", `git checkout semi\;colon `},
	{"elvish", "git checkout fix/", "git checkout 'fix/a''b' "},
	{"xonsh", "git checkout fix/", `git checkout "fix/a'b" `},
	{"tcsh", "git checkout fix/", `git checkout fix/a\'b `},
	{"elvish", "git add some", "git add 'some file' "},
	{"xonsh", "git add some", "git add 'some file' "},
	{"nushell", "git add some", "git add `some file`"},
	{"elvish tcsh xonsh", "timeout 5 git checkout rel", "timeout 5 git checkout release/1.0 "},
	{"elvish tcsh xonsh", "kill -s TER", "kill -s TERM "},
	{"elvish tcsh xonsh", "sudo -u roo", "sudo -u root "},
	{"elvish tcsh xonsh", "env A=b git checkout rel", "env A=b git checkout release/1.0 "},
	{"elvish tcsh xonsh", "git merge umlaut/", "git merge umlaut/ä "},
	{"elvish tcsh xonsh", "find . -exec git checkout rel", "find . -exec git checkout release/1.0 "},
	{"tcsh", "echo x | git checkout rel", "echo x | git checkout release/1.0 "},
	{"elvish", "echo x | git checkout rel", "echo x | git checkout release/1.0 "},
	// A command without a map: the shell's own files.
	{moreShells, "pt til", "pt tilde/"},
}

func TestMoreShells(t *testing.T) {
	for name := range strings.FieldsSeq(moreShells) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x := start(t, name, setup{env: []string{"TEST_REAL=1"}, cols: 100})
			x.project()
			for _, c := range more {
				if !strings.Contains(c.shells, name) {
					continue
				}
				want := c.want
				if name == "tcsh" { // it cannot be told where a word goes on
					want = strings.TrimSuffix(want, " ")
				}
				x.more(c.typed, want)
			}
		})
	}
}

// more is tab for a shell whose list goes away only with another key.
func (x *shell) more(typed, want string) {
	x.t.Helper()
	x.Keys(typed)
	x.line(typed + "|")
	x.Keys("\t")
	if x.name == "elvish" && strings.ContainsAny(want, `'"`) { // not what was typed: elvish lists it, Enter takes it
		x.shows("COMPLETING")
		x.Keys("\r")
	}
	x.line(want + "|")
	x.Keys("\x15")
	x.line("|")
}

// What is risky is shown, with its risk where the shell can, and not inserted.
func TestMoreShellsHold(t *testing.T) {
	for name := range strings.FieldsSeq(moreShells) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x := start(t, name, setup{env: []string{"TEST_REAL=1"}, cols: 100})
			x.project()
			x.Keys("git reset --ha")
			x.line("git reset --ha|")
			x.Keys("\t")
			x.shows("--hard")
			if name == "elvish" || name == "nushell" {
				x.shows("CRITICAL")
			}
			x.Quiet(100 * time.Millisecond)
			first, _, _ := strings.Cut(x.Screen(), "\n")
			if name != "elvish" && strings.Contains(first, "--hard") { // elvish shows what Enter would take
				t.Errorf("inserted:\n%s", x.Screen())
			}
		})
	}
}

// Enter asks before a line destroys something; what is refused does not run, and after a
// yes it does.
func TestMoreShellsEnter(t *testing.T) {
	for name := range strings.FieldsSeq("elvish xonsh") {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x := start(t, name, setup{env: []string{"TEST_REAL=1"}, cols: 100, both: true})
			x.project()
			x.write("work/f", "committed\n")
			x.git("add", "f")
			x.git("commit", "-qm", "f")
			x.write("work/f", "changed\n")
			content := func() string {
				data, err := os.ReadFile(filepath.Join(x.dir, "f"))
				if err != nil {
					t.Fatal(err)
				}
				return string(data)
			}
			x.Keys("echo un")
			x.Keys("touched\r")
			x.Wait("an echo without a question", func(s *shelltest.Screen) bool {
				return strings.Contains(s.String(), "\nuntouched\n") && s.Before() == "$ "
			})
			x.Keys("git reset --hard\r")
			x.shows("discards all uncommitted changes")
			x.Keys("n\r")
			if name == "elvish" {
				x.line("git reset --hard|") // back for a change
				x.Keys("\x15")
			}
			x.line("|")
			if got := content(); got != "changed\n" {
				t.Fatalf("it ran: %q", got)
			}
			x.Keys("git reset --hard")
			x.line("git reset --hard|")
			x.Keys("\r")
			x.Wait("the second question", func(s *shelltest.Screen) bool {
				return strings.Count(s.String(), "discards all uncommitted changes") == 2
			})
			x.Keys("run\r")
			if name == "elvish" {
				x.shows("Enter runs it")
				x.line("git reset --hard|")
				x.Keys("\r")
			}
			x.shows("HEAD is now at")
			if got := content(); got != "committed\n" {
				t.Errorf("it did not run: %q", got)
			}
		})
	}
}

// Python in xonsh is no command line: it is not judged.
func TestXonshPython(t *testing.T) {
	x := start(t, "xonsh", setup{env: []string{"TEST_REAL=1"}, cols: 100, both: true})
	x.Keys("rm = 3; total = sum(i for i in range(5))\r")
	x.line("|")
	x.Keys("print('sum', total)\r")
	x.shows("sum 10")
	if s := x.Screen(); strings.Contains(s, "RISK") {
		t.Errorf("asked:\n%s", s)
	}
}

// Where tmp-tab is missing a shell completes by itself.
func TestMoreShellsWithout(t *testing.T) {
	for name := range strings.FieldsSeq("elvish nushell xonsh") {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x := start(t, name, setup{env: []string{"TEST_REAL=1"}, cols: 100, noTab: true})
			x.project()
			x.more("git til", "git tilde/")
		})
	}
}

// PowerShell is not among what the tests can start everywhere: its hook is read at least
// for brackets that do not close, and sends what tmp-tab understands.
func TestPowerShellHook(t *testing.T) {
	hook, err := shells.Hook("powershell", shells.Tab|shells.Enter)
	if err != nil {
		t.Fatal(err)
	}
	var open []rune
	code := ""
	for line := range strings.Lines(hook) {
		if !strings.HasPrefix(strings.TrimSpace(line), "#") {
			code += line
		}
	}
	quote := rune(0)
	for _, r := range code {
		switch {
		case quote != 0:
			if r == quote || r == '\n' {
				quote = 0
			}
		case r == '\'' || r == '"':
			quote = r
		case strings.ContainsRune("({[", r):
			open = append(open, r)
		case strings.ContainsRune(")}]", r):
			if len(open) == 0 || open[len(open)-1] != map[rune]rune{')': '(', '}': '{', ']': '['}[r] {
				t.Fatalf("%q closes nothing", r)
			}
			open = open[:len(open)-1]
		}
	}
	if len(open) > 0 {
		t.Errorf("left open: %q", open)
	}
	call, err := shells.ParseCall(strings.Fields("--wire 1 --shell powershell --cwd / --words -- git checkout fe"), strings.NewReader(""))
	if err != nil || strings.Join(call.Words, " ") != "git checkout fe" {
		t.Errorf("%v %+v", err, call)
	}
}

// Only those of these shells that can be held at Enter have a hook for it alone.
func TestHookOfEnterAlone(t *testing.T) {
	for _, name := range shells.WordShells {
		_, err := shells.Hook(name, shells.Enter)
		if held := name == "elvish" || name == "xonsh"; held != (err == nil) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
