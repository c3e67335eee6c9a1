package shells_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/shells/shelltest"
)

const dropped = "tmp: that line is not run but dropped: its input has ended, or is no terminal"

// Without a terminal a bash that edits its lines drops a refused one, says so
// once, and goes on to its end: readline gives a line that is left in the editor
// at the end of input again for ever.
func TestRealEnterNoTerminal(t *testing.T) {
	for _, c := range []struct{ name, input, out string }{
		{"last line", `echo be''fore\nrm -rf ../work\n`, "before\n"},
		{"without its line break", `echo be''fore\nrm -rf ../work`, "before\n"},
		{"and more", `rm -rf ../work\necho af''ter\n`, "after\n"},
		{"twice", `rm -rf ../work\nrm -rf ../work\necho af''ter\n`, "after\n"},
		{"after a held line", `echo be''fore; rm \\\n-rf ../work\n`, ""},
		{"here-document", `sh <<E\nrm -rf ../work\nE\necho af''ter\n`, "after\n"},
		{"here-document at the end", `sh <<E\nrm -rf ../work\nE\n`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			x := start(t, "bash", setup{
				real: true, noTab: true, noPrompt: true, args: []string{"-i"},
				wrap: []string{"sh", "-c", `printf '` + strings.ReplaceAll(c.input, "'", `'\''`) + `' | timeout -s KILL 20 setsid -w "$@" >"$HOME/out" 2>"$HOME/err"; echo it ended`, "sh"},
			})
			x.shows("it ended")
			x.holds("out", c.out)
			if _, err := os.Stat(x.dir); err != nil {
				t.Errorf("it ran: %v", err)
			}
			said, _ := os.ReadFile(filepath.Join(x.home, "err"))
			want := strings.Count(c.input, "-rf")
			if n := strings.Count(string(said), dropped); n != want {
				t.Errorf("said %d times, want %d\n%s", n, want, said)
			}
			if n := strings.Count(string(said), `"reason":"no_terminal"`); n != want {
				t.Errorf("refused %d times, want %d\n%s", n, want, said)
			}
			if strings.Contains(string(said), "/dev/tty") {
				t.Errorf("a fault of the hook's own is shown\n%s", said)
			}
		})
	}
}

// Input that ends at a question (what script(1) sends then is Ctrl-D) drops the
// line and those that it continues, and the shell goes on.
func TestRealEnterInputEnds(t *testing.T) {
	each(t, func(t *testing.T, name string) {
		x := dirty(t, name, setup{cols: 120})
		for _, typed := range []string{"rm -rf ../work", "rm new.txt", "sh <<E|rm -rf ../work|E"} {
			lines := strings.Split(typed, "|")
			if name == "fish" && len(lines) > 1 {
				continue
			}
			x.prompt()
			for i, l := range lines {
				x.Keys(l + "\r")
				if i < len(lines)-1 {
					x.Wait("the next row", func(s *shelltest.Screen) bool { return s.Before() == "> " })
				}
			}
			x.question("rm")
			x.Keys("\x04")
			x.shows(dropped)
			x.line("|")
			x.holds("work/new.txt", "new\n")
			x.prompt()
			x.runs("echo go''es on", "goes on")
		}
	})
}
