package shells_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tool-mapping-protocol/tmp/shells/shelltest"
)

// refuse types keys that ask about a text, and says no.
func (x *shell) refuse(keys, text string) {
	x.t.Helper()
	x.Keys(keys)
	x.asked(text)
	x.Keys("n")
}

const bracketed = "\x1b[200~%\x1b[201~"

func paste(text string) string { return strings.Replace(bracketed, "%", text, 1) }

// What a line is made of beyond one row of keys.
func TestEnterText(t *testing.T) {
	each(t, func(t *testing.T, name string) {
		after := "alias al='danger alias'\nfn() { danger fn; }\nouter() { fn; }\nvar=danger"
		if name == "fish" {
			after = "function fn; danger fn; end\nfunction outer; fn; end\nset var danger\nalias al='danger alias'"
		}
		x := entering(t, name, setup{rows: 40, after: after})
		x.refuse("al x\r", "al x")
		x.line("al x|")
		x.clear()
		x.refuse("outer\r", "outer")
		x.line("outer|")
		x.clear()
		x.refuse("ran $var\r", "ran $var")
		x.line("ran $var|")
		x.clear()

		// Pasted lines are judged as one.
		x.refuse(paste("ran p1\ndanger p2")+"\r", "ran p1\ndanger p2")
		x.Wait("the lines", func(s *shelltest.Screen) bool { return strings.HasSuffix(s.Before(), "danger p2") })
		x.Quiet(100 * time.Millisecond)
		x.drop()
		x.Keys(paste("ran q1\nran q2") + "\r")
		x.Wait("both", func(s *shelltest.Screen) bool {
			return strings.Contains(s.String(), "ran:q1.\n") && strings.Contains(s.String(), "ran:q2.\n") && s.Before() == "$ "
		})
		x.ranTimes("p1", 0)
		x.ranTimes("q1", 1)
		x.Keys("\x0c")
		x.line("|")

		// A command over several lines is held and judged whole.
		open, cl := "for i in 1; do\r", "done\r"
		if name == "fish" {
			open, cl = "for i in 1\r", "end\r"
		}
		x.Keys(open)
		x.Wait("the next row", func(s *shelltest.Screen) bool { return !strings.Contains(s.Before(), "$ for") })
		x.Keys("danger loop\r")
		x.Wait("the next row", func(s *shelltest.Screen) bool { return !strings.Contains(s.Before(), "danger") })
		x.Keys(cl)
		x.Wait("the question", func(s *shelltest.Screen) bool { return strings.HasSuffix(s.Before(), `"? `) })
		x.Keys("n")
		x.Wait("the last line", func(s *shelltest.Screen) bool {
			return strings.Contains(s.Before()+s.After(), strings.TrimSuffix(cl, "\r")) && !strings.Contains(s.Before(), `"?`)
		})
		x.Quiet(100 * time.Millisecond) // readline has the terminal again
		x.drop()
		x.ranTimes("danger loop", 0)
		if strings.Contains(x.Raw(), "not judged") {
			t.Errorf("a notice\n%q", x.Raw())
		}
	})
}

func TestEnterHereDocument(t *testing.T) {
	for _, name := range []string{"bash", "zsh"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x := entering(t, name, setup{})
			x.Keys("sh <<E\r")
			x.line0("> ")
			x.Keys("danger here\r")
			x.Wait("the next row", func(s *shelltest.Screen) bool {
				return s.Before() == "> " && strings.Contains(s.String(), "danger here")
			})
			x.refuse("E\r", "sh <<E\ndanger here\nE")
			x.line0("> E")
			x.drop()
			x.runs("ran after", "ran:after.")
			x.ranTimes("danger here", 0)
		})
	}
}

// drop drops the lines with Ctrl-C and waits for an empty one.
func (x *shell) drop() {
	x.t.Helper()
	x.Quiet(300 * time.Millisecond) // bash can lose a Ctrl-C while it takes the line back
	x.Keys("\x03")
	x.line("|")
	x.Keys("\x0c")
	x.Wait("a clean screen", func(s *shelltest.Screen) bool { r, _ := s.Cursor(); return r == 0 && s.Before() == "$ " })
}

// line0 waits for a row that ends at the cursor, the prompt included; zsh's PS2
// has been set to "> ", as bash's is.
func (x *shell) line0(want string) {
	x.t.Helper()
	x.Wait("the row "+want, func(s *shelltest.Screen) bool { return s.Before() == want })
}

func TestEnterOtherWays(t *testing.T) {
	each(t, func(t *testing.T, name string) {
		x := entering(t, name, setup{})
		x.Keys("danger old\r")
		x.asked("danger old")
		x.Keys("y")
		x.Wait("it ran", func(*shelltest.Screen) bool { return x.times("danger old") == 1 })
		x.Wait("the prompt", func(s *shelltest.Screen) bool { return s.Before() == "$ " })
		// Found in the history, where the search gives the line back.
		if name != "fish" {
			x.Keys("\x0c\x12dang")
			x.Wait("the search", func(s *shelltest.Screen) bool { return strings.Contains(s.String(), "danger old") })
			x.Keys("\r")
			x.asked("danger old")
			x.Keys("n")
			x.Wait("the line", func(s *shelltest.Screen) bool { return s.Before()+s.After() == "$ danger old" })
			x.clear()
		}
		if name != "fish" {
			x.refuse("ran !!\r", "ran danger old")
			x.line("ran !!|")
			x.clear()
		}
		if name == "bash" {
			x.Keys("danger co\x0f") // operate-and-get-next
			x.asked("danger co")
			x.Keys("n")
			x.line("danger co|")
			x.clear()
		}
		if name == "zsh" {
			x.Keys("danger hold\x1ba") // accept-and-hold
			x.asked("danger hold")
			x.Keys("n")
			x.line("danger hold|")
			x.clear()
		}
		// A key typed before the question is no answer is tmp-enter's to see to.
		// Reading is not judged.
		read := map[string]string{"bash": "read -e v", "zsh": "vared -c v", "fish": "read v"}[name]
		x.Keys("\x0c" + read + "\r")
		x.Wait("it reads", func(s *shelltest.Screen) bool {
			r, _ := s.Cursor()
			return r > 0 && !strings.HasPrefix(s.Before(), "$ read")
		})
		x.Keys("danger input\r")
		x.Wait("the prompt", func(s *shelltest.Screen) bool { return s.Before() == "$ " })
		if n := x.times("danger old"); n != 1 {
			t.Errorf("ran %d times", n)
		}
		if strings.Contains(x.Raw(), "not judged") {
			t.Errorf("a notice\n%s", x.Screen())
		}
	})
}

func TestEnterAround(t *testing.T) {
	each(t, func(t *testing.T, name string) {
		x := entering(t, name, setup{})
		x.Keys("tmp off -- danger off\r")
		x.Wait("it ran", func(s *shelltest.Screen) bool {
			return strings.Contains(s.String(), "ran:danger off.\n") && s.Before() == "$ "
		})
		x.runs("tmp pause", "tmp: Enter is not judged in this shell until tmp resume")
		x.runs("danger paused", "ran:danger paused.")
		x.runs("tmp resume", "tmp: Enter is judged in this shell")
		x.refuse("danger now\r", "danger now")
		x.line("danger now|")
		x.clear()
		// An Enter that somebody has taken: noticed, once.
		take := map[string]string{"bash": `bind '"\C-m": accept-line'`, "zsh": "bindkey '^M' .accept-line", "fish": `bind \r execute`}[name]
		x.Keys("\x0c" + take + "\r")
		x.Wait("the prompt", func(s *shelltest.Screen) bool { r, _ := s.Cursor(); return r > 0 && s.Before() == "$ " })
		x.runs("danger unseen", "ran:danger unseen.")
		x.shows("not judged: it did not come through tmp's Enter")
		x.runs("danger again", "ran:danger again.")
		if n := strings.Count(x.Raw(), "did not come through"); n != 1 {
			t.Errorf("noticed %d times\n%s", n, x.Screen())
		}
	})
}

func TestEnterFails(t *testing.T) {
	each(t, func(t *testing.T, name string) {
		x := entering(t, name, setup{})
		x.runs("ran crash", "ran:crash.")
		x.shows("tmp: this line was not judged: tmp-enter failed (status 1)")
		x.runs("ran crash again", "ran:crash again.")
		if n := strings.Count(x.Raw(), "not judged"); n != 1 {
			t.Errorf("said %d times\n%s", n, x.Screen())
		}
		_ = os.Remove(filepath.Join(x.home, "bin/tmp-enter"))
		y := entering(t, name, setup{noEnter: true})
		y.runs("ran without", "ran:without.")
		y.shows("tmp: this line was not judged: tmp-enter is not there")
		y.ranTimes("without", 1)
		// Interrupted while it judges: nothing runs.
		z := entering(t, name, setup{})
		z.Keys("ran slow\r")
		z.shows("judging")
		z.Keys("\x03")
		z.line("ran slow|")
		z.Quiet(100 * time.Millisecond)
		z.Keys("\x05\x15")
		z.echo("alive", "alive")
		z.ranTimes("slow", 0)
	})
}

// Set-ups of users under which the same keys do the same.
func TestEnterSetups(t *testing.T) {
	suggest, highlight := ". /usr/share/zsh-autosuggestions/zsh-autosuggestions.zsh", ". /usr/share/zsh-syntax-highlighting/zsh-syntax-highlighting.zsh"
	for _, c := range []struct{ shell, name, before, after string }{
		{"bash", "set -u", "set -u", ""},
		{"bash", "set -e", "", "set -e"},
		{"bash", "vi", "set -o vi", ""},
		{"bash", "vi later", "", "set -o vi"},
		{"bash", "posix", "", "set -o posix"},
		{"bash", "loaded twice", "", `. "$HOOK"`},
		{"bash", "debug trap", `trap 'seen=$BASH_COMMAND' DEBUG`, ""},
		{"bash", "functrace", `set -T; trap ':' DEBUG`, ""},
		{"bash", "prompt command", "PROMPT_COMMAND='x=1'", ""},
		{"bash", "prompt command replaced", "", "PROMPT_COMMAND='x=1'"},
		{"bash", "prompt commands", "PROMPT_COMMAND=('x=1' 'y=2')", ""},
		{"bash", "IFS", "", "IFS=:ad"},
		{"bash", "options", "shopt -s nullglob failglob nocasematch extglob; set -f", ""},
		{"bash", "histverify", "shopt -s histverify", ""},
		{"bash", "C locale", "LC_ALL=C", ""},
		{"zsh", "plain twice", "", `. "$HOOK"`},
		{"zsh", "vi", "bindkey -v", ""},
		{"zsh", "nounset", "setopt nounset", ""},
		{"zsh", "errexit", "", "setopt errexit"},
		{"zsh", "options", "", "setopt ksharrays shwordsplit noglob ksh_glob glob_subst no_nomatch sh_file_expansion"},
		{"zsh", "comments", "setopt interactivecomments extendedglob histverify", ""},
		{"zsh", "hooks", "preexec() { p=1 }; precmd() { q=1 }", ""},
		{"zsh", "both before", suggest + "; " + highlight, ""},
		{"zsh", "both after", "", suggest + "; " + highlight},
		{"zsh", "one each", suggest, highlight},
		{"zsh", "the other way", highlight, suggest},
		{"zsh", "twice between", suggest + "; " + highlight, `. "$HOOK"; ` + suggest},
		{"fish", "vi", "fish_vi_key_bindings", ""},
		{"fish", "vi later", "", "fish_vi_key_bindings"},
		{"fish", "loaded twice", "", "source $HOOK"},
		{"fish", "abbreviations", "abbr -a gd 'git diff'", "set -g fish_autosuggestion_enabled 1"},
		{"fish", "preexec", "function p --on-event fish_preexec; set -g p 1; end", ""},
	} {
		if testing.Short() && c.name != "vi" && c.name != "both before" {
			continue
		}
		t.Run(c.shell+" "+c.name, func(t *testing.T) {
			if strings.Contains(c.before+c.after, suggest) || strings.Contains(c.before+c.after, highlight) {
				if _, err := os.Stat("/usr/share/zsh-autosuggestions"); err != nil {
					t.Skip("the plugins are not installed")
				}
			}
			t.Parallel()
			x := entering(t, c.shell, setup{before: c.before, after: c.after})
			for _, n := range []string{"one", "two"} {
				x.Keys("danger " + n + "\r")
				x.asked("danger " + n)
				x.Keys("n")
				x.Wait("the line", func(s *shelltest.Screen) bool { return strings.HasPrefix(s.Before()+s.After(), "$ danger "+n) })
				x.Keys("\r")
				x.asked("danger " + n)
				x.Keys("y")
				x.Wait("it ran", func(*shelltest.Screen) bool { return x.times("danger "+n) == 1 })
				x.Wait("the prompt", func(s *shelltest.Screen) bool { return s.Before() == "$ " })
			}
			x.runs("ran fine", "ran:fine.")
			x.ranTimes("danger one", 1)
			x.ranTimes("fine", 1)
			if strings.Contains(x.Raw(), "not judged") {
				t.Errorf("a notice\n%s", x.Screen())
			}
		})
	}
}
