package shells_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tool-mapping-protocol/tmp/shells/shelltest"
)

// What an editor makes of the line comes back into the line, for Enter to judge.
func TestEnterEditor(t *testing.T) {
	for _, c := range []struct{ name, before, keys, text, shown string }{
		{"emacs", "", "\x18\x05", "danger written", "danger written"},
		{"vi", "set -o vi", "\x1bv", "danger written", "danger written"},
		{"of several lines", "", "\x18\x05", "ran first\ndanger written", "danger written"},
		{"another key", `bind '"\C-g": edit-and-execute-command'`, "\x07", "danger written", "danger written"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			x := entering(t, "bash", setup{before: "TMPDIR=$HOME\n" + c.before, env: []string{"EDITOR=editor"}})
			x.write("bin/editor", "#!/bin/sh\nstty -a | grep -o '[-]*icanon' >>\"$HOME/editor\"\ncat \"$1\" >>\"$HOME/editor\"\n[ -e \"$HOME/fails\" ] || cat \"$HOME/text\" >\"$1\"\n! [ -e \"$HOME/fails\" ]\n")
			if err := os.Chmod(filepath.Join(x.home, "bin/editor"), 0o755); err != nil {
				t.Fatal(err)
			}
			x.write("text", c.text+"\n")
			x.Keys("ran typed" + c.keys)
			x.Wait("the text", func(s *shelltest.Screen) bool { return strings.HasSuffix(s.Before()+s.After(), c.shown) })
			x.holds("editor", "icanon\nran typed\n")
			x.ranTimes("typed", 0)
			x.ranTimes("first", 0)
			x.Keys("\r")
			x.Wait("the question", func(s *shelltest.Screen) bool { return strings.HasSuffix(s.Before(), `danger written"? `) })
			x.Keys("n")
			x.Wait("the line", func(s *shelltest.Screen) bool { return strings.HasSuffix(s.Before()+s.After(), c.shown) })
			x.Keys("\r")
			x.Wait("the question", func(s *shelltest.Screen) bool { return strings.HasSuffix(s.Before(), `danger written"? `) })
			x.Keys("y")
			x.shows("ran:danger written.")
			x.line("|")
			x.ranTimes("danger written", 1)
			// An editor that fails changes nothing.
			x.write("fails", "")
			x.Keys("ran kept" + c.keys)
			x.Wait("the line", func(s *shelltest.Screen) bool { return s.Before()+s.After() == "$ ran kept" })
			x.Keys("\r")
			x.shows("ran:kept.")
			if left, _ := filepath.Glob(filepath.Join(x.home, "bash-fc.*")); len(left) > 0 {
				t.Errorf("files are left: %q", left)
			}
			if strings.Contains(x.Raw(), "not judged") {
				t.Errorf("a notice\n%s", x.Screen())
			}
		})
	}
}

// What zsh or a widget makes of the line after Enter is judged before it runs.
func TestEnterChanged(t *testing.T) {
	for _, c := range []struct{ name, after, typed, keys, runs string }{
		{"correct", "setopt correct; unalias danger 2>/dev/null; hash -r", "dangr one", "y", "danger one"},
		{"correct all", "setopt correctall", "dangr one", "y", "danger one"},
		{"line-finish", `finish() { BUFFER=${BUFFER/harmless/danger}; }; zle -N zle-line-finish finish`, "harmless one", "", "danger one"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			x := entering(t, "zsh", setup{after: "TRAPINT() { return 0; }\n" + c.after})
			for _, answer := range []string{"n", "y"} {
				x.Keys(c.typed + "\r")
				for _, key := range c.keys {
					if !x.Try(func(s *shelltest.Screen) bool { return strings.HasSuffix(s.Before(), "[nyae]? ") }) {
						break
					}
					x.Quiet(100 * time.Millisecond) // what is typed before the query answers it with n
					x.Keys(string(key))
				}
				x.asked(c.runs)
				x.Keys(answer)
				if answer == "n" {
					x.line(c.runs + "|")
					x.ranTimes(c.runs, 0)
					x.clear()
				}
			}
			x.shows("ran:" + c.runs + ".")
			x.line("|")
			x.ranTimes(c.runs, 1)
			x.runs("ran  fine", "ran:fine.")
			if strings.Contains(x.Raw(), "not judged") {
				t.Errorf("a notice\n%s", x.Screen())
			}
		})
	}
}

// What is judged and what zsh gives of it to preexec are the same, whatever its
// form: nothing is judged twice.
func TestEnterSame(t *testing.T) {
	x := entering(t, "zsh", setup{after: "setopt histreduceblanks histignorespace interactivecomments\nalias -g GG='| cat'\nalias a1='ran a1'"})
	for _, typed := range []string{
		"ran   two  blanks", " ran hidden", "ran c # comment", "ran g GG", "a1", "ran !$ ; ran !!", "for i in 1; do ran $i; done",
		"ran a; \\\r\nran b", "ran 'x\r\ny'", paste("ran p\nran q\n\nran r"), "ran $(echo   sub)",
	} {
		x.prompt()
		rows := strings.Split(typed, "\r\n")
		for i, row := range rows {
			x.Keys(row + "\r")
			if i < len(rows)-1 {
				x.Wait("the next row", func(s *shelltest.Screen) bool { return strings.HasSuffix(s.Before(), "> ") })
			}
		}
		x.Wait("it ran", func(s *shelltest.Screen) bool { return strings.Contains(s.String(), "ran:") && s.Before() == "$ " })
		sent, _ := os.ReadFile(filepath.Join(x.home, "sent"))
		if n := strings.Count(string(sent), "--silent"); n != len(rows) {
			t.Errorf("%q was judged %d times, want %d\n%s", typed, n, len(rows), sent)
		}
		_ = os.Remove(filepath.Join(x.home, "sent"))
	}
}
