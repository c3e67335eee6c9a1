package shells_test

import (
	"strings"
	"testing"
	"time"

	"github.com/tool-mapping-protocol/tmp/shells/shelltest"
)

// While a question stands nothing is written: no job that ends, no trap, no
// clock in the prompt. After a no the line is there to go on with, and the job
// is told of.
func TestRealEnterQuiet(t *testing.T) {
	for _, c := range []struct{ shell, name, after, done string }{
		{"zsh", "job", "", "done "},
		{"zsh", "trap", "TRAPCHLD() { print child >>$HOME/child }", "done "},
		{"zsh", "clock", "TMOUT=1; TRAPALRM() { zle reset-prompt }", "done "},
		{"bash", "job", "", "Done "},
		{"bash", "at once", "set -b", "Done "},
		{"fish", "job", "", "has ended"},
	} {
		t.Run(c.shell+" "+c.name, func(t *testing.T) {
			t.Parallel()
			x := dirty(t, c.shell, setup{after: c.after, cols: 120})
			job := "sleep 2 &"
			x.Keys(job + "\r")
			x.Wait("the prompt", func(s *shelltest.Screen) bool { return strings.Contains(s.String(), job) && s.Before() == "$ " })
			x.Keys("rm new.txt\r")
			x.question("new.txt")
			before := x.Screen()
			time.Sleep(3 * time.Second)
			if after := x.Screen(); after != before {
				t.Errorf("something was written over the question:\n%s\nbefore:\n%s", after, before)
			}
			x.Keys("n")
			x.line("rm new.txt|")
			x.clear()
			x.Keys("echo go''es on\r")
			x.Wait("the job's end", func(s *shelltest.Screen) bool {
				return strings.Contains(s.String(), "goes on") && strings.Contains(s.String(), c.done) && s.Before() == "$ "
			})
			if c.shell == "zsh" {
				x.runs("[[ -o notify ]] && print still''on", "stillon")
			}
		})
	}
}

// In a window of another size the question stands again, with what was typed.
func TestRealEnterResized(t *testing.T) {
	each(t, func(t *testing.T, name string) {
		x := dirty(t, name, setup{cols: 120})
		x.Keys("git reset --hard\r")
		x.question("discards")
		x.Keys("ru")
		x.Wait("the word", func(s *shelltest.Screen) bool { return strings.HasSuffix(s.Before(), ": ru") })
		x.Resize(30, 50)
		x.Wait("the question", func(s *shelltest.Screen) bool {
			return strings.HasSuffix(s.Before(), ": ru") && strings.Contains(s.String(), "discards")
		})
		x.Keys("x\r")
		x.line("git reset --hard|")
		x.Keys("\r")
		x.question("discards")
		x.Keys("run\r")
		x.shows("HEAD is now at")
		x.line("|")
		x.holds("work/kept.txt", "one\n")
	})
}

// What fish suggests is gone from the screen while it asks about the line without it.
func TestEnterSuggestion(t *testing.T) {
	x := entering(t, "fish", setup{after: "set -g fish_autosuggestion_enabled 1"})
	x.runs("ran first second", "ran:first second.")
	x.Keys("echo danger one suggested\r")
	x.asked("echo danger one suggested")
	x.Keys("y")
	x.Wait("the prompt", func(s *shelltest.Screen) bool { return s.Before() == "$ " })
	x.Keys("\x0cecho danger one")
	x.Wait("the suggestion", func(s *shelltest.Screen) bool { return s.Before() == "$ echo danger one" && s.After() == " suggested" })
	x.Keys("\r")
	x.asked("echo danger one")
	if s := x.Screen(); strings.Contains(s, "suggested") {
		t.Errorf("the suggestion stands there\n%s", s)
	}
	x.Keys("n")
	x.Wait("the line", func(s *shelltest.Screen) bool { return s.Before() == "$ echo danger one" })
	// Of a line with the cursor within nothing is wiped.
	x.Keys("\x01\r")
	x.asked("echo danger one")
	x.Wait("the line", func(s *shelltest.Screen) bool { return strings.Contains(s.String(), "$ echo danger one\n") })
}
