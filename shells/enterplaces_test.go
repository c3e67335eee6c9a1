package shells_test

import (
	"strings"
	"testing"
	"time"

	"github.com/tool-mapping-protocol/tmp/shells/shelltest"
)

// What a command reads from the terminal is not for tmp-enter, however it reads.
func TestEnterReads(t *testing.T) {
	reads := map[string][][2]string{
		"bash": {
			{"read -e v", "danger in"},
			{"read v", "danger in"},
			{"read -p '' -e w; ran $w", "danger in"},
			{"select v in a b; do break; done", "1"},
			{"cat", "danger in\r\x04"},
			{"python3 -c 'input()'", "danger in"},
			{"f() { local x; read -e x; read -e x; }; f", "danger a\rdanger b"},
		},
		"zsh": {
			{"vared -c v", "danger in"},
			{"read v", "danger in"},
			{"select v in a b; do break; done", "1"},
			{"select v in a b; do [[ -n $v ]] && break; done", "danger\r1"},
			{"cat", "danger in\r\x04"},
			{"f() { vared -c x; vared -c x; }; f", "danger a\rdanger b"},
		},
		"fish": {{"read v", "danger in"}, {"read -S v", "danger in"}, {"cat", "danger in\r\x04"}, {"read a; read b", "danger a\rdanger b"}},
	}
	each(t, func(t *testing.T, name string) {
		x := entering(t, name, setup{})
		for _, r := range reads[name] {
			x.Keys("\x0c")
			x.Wait("a clean screen", func(s *shelltest.Screen) bool { return s.String() == "$\n" })
			x.Keys(r[0] + "\r")
			x.Wait("it reads", func(s *shelltest.Screen) bool { row, _ := s.Cursor(); return row > 0 })
			for _, l := range strings.SplitAfter(r[1], "\r") {
				time.Sleep(200 * time.Millisecond) // a read that draws nothing
				x.Keys(l)
			}
			x.Keys("\r")
			x.Wait("the prompt after "+r[0], func(s *shelltest.Screen) bool { return s.Before() == "$ " })
		}
		if raw := x.Raw(); strings.Contains(raw, `"danger`) || strings.Contains(raw, "not judged") {
			t.Errorf("judged or noticed\n%q", raw)
		}
		// And the line after is.
		x.refuse("\x0cdanger last\r", "danger last")
		x.line("danger last|")
	})
}

// A shell put in the shell's place, or started in it, judges, and once.
func TestEnterShellInShell(t *testing.T) {
	each(t, func(t *testing.T, name string) {
		x := entering(t, name, setup{env: []string{"HISTFILE=/dev/null"}, before: map[string]string{"bash": "export PROMPT_COMMAND"}[name]})
		again := map[string]string{"bash": `bash --noprofile --rcfile "$HOME/.bashrc"`, "zsh": "zsh -d", "fish": "fish"}[name]
		for _, start := range []string{"exec " + again, again, again} {
			x.Keys("\x0cran old; " + start + "\r")
			x.Wait("the new prompt", func(s *shelltest.Screen) bool {
				return strings.HasSuffix(s.String(), "ran:old.\n$\n") && s.Before() == "$ "
			})
			x.Keys("danger new\r")
			x.asked("danger new")
			x.Keys("n")
			x.line("danger new|")
			x.clear()
			x.Keys("danger new\r")
			x.asked("danger new")
			before := x.times("danger new")
			x.Keys("y")
			x.Wait("it ran", func(s *shelltest.Screen) bool { return x.times("danger new") == before+1 && s.Before() == "$ " })
		}
		// One that does not know the hook is left alone.
		bare := map[string]string{"bash": "bash --norc --noprofile", "zsh": "zsh -f", "fish": "fish --no-config"}[name]
		x.Keys("\x0c" + bare + "\r")
		x.Wait("its prompt", func(s *shelltest.Screen) bool {
			row, _ := s.Cursor()
			return row > 0 && !strings.HasPrefix(s.Before(), "$") && s.Before() != ""
		})
		x.Keys("danger bare\r")
		x.Wait("it ran", func(*shelltest.Screen) bool { return x.times("danger bare") == 1 })
		if raw := x.Raw(); strings.Contains(raw, "not judged") || strings.Contains(raw, "not found") || strings.Contains(raw, "Unknown") {
			t.Errorf("a notice\n%q", raw)
		}
	})
}

// In a buffer of Emacs the shell has no line editing, or a terminal that can
// nothing: said once, and every line runs.
func TestEnterEmacs(t *testing.T) {
	each(t, func(t *testing.T, name string) {
		args := map[string][]string{"bash": {"--noediting"}, "zsh": {"+Z"}}[name]
		x := entering(t, name, setup{env: []string{"INSIDE_EMACS=29.1,comint", "TERM=dumb"}, args: args, noPrompt: true})
		if name == "fish" { // has its editor here too
			x.Keys("danger here\r")
			x.Wait("the question", func(s *shelltest.Screen) bool { return strings.HasSuffix(s.Before(), `"danger here"? `) })
			x.Keys("y")
			x.Wait("it ran", func(*shelltest.Screen) bool { return x.times("danger here") == 1 })
			return
		}
		for _, n := range []string{"one", "two"} {
			x.Keys("danger " + n + "\r")
			x.Wait("it ran", func(*shelltest.Screen) bool { return x.times("danger "+n) == 1 })
		}
		x.Keys("echo 'al''ive'\r")
		x.shows("alive")
		if n := strings.Count(x.Raw(), "tmp: Enter is not judged: this "+name+" has no line editing"); n != 1 || strings.Count(x.Raw(), "tmp:") != 1 {
			t.Errorf("said %d times\n%s", n, x.Screen())
		}
	})
	// In a terminal of Emacs it is as everywhere.
	each(t, func(t *testing.T, name string) {
		x := entering(t, name, setup{env: []string{"INSIDE_EMACS=29.1,term:0.96"}})
		x.refuse("danger here\r", "danger here")
		x.line("danger here|")
	})
}

// A line of a megabyte is sent whole, is answered, and runs once.
func TestEnterHuge(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	fill := map[string]string{
		"bash": `fill() { READLINE_LINE=$(<"$HOME/long"); READLINE_POINT=9; }; bind -x '"\C-g": fill'`,
		"zsh":  `setopt interactivecomments; fill() { BUFFER=$(<$HOME/long); CURSOR=9 }; zle -N fill; bindkey '^G' fill`,
		"fish": `function fill; commandline -r -- (cat $HOME/long | string collect); commandline -C 9; end; bind \cg fill`,
	}
	each(t, func(t *testing.T, name string) {
		x := entering(t, name, setup{rows: 10, after: fill[name]})
		// A "!" has bash and zsh look for what history makes of it.
		x.write("long", "ran long; # !x "+strings.Repeat("x ", 500_000)+"danger")
		for _, answer := range []string{"n", "y"} {
			x.Keys("\x07\r")
			x.Wait("the question", func(s *shelltest.Screen) bool { return strings.HasSuffix(s.Before(), `1000021 bytes? `) })
			x.Keys(answer)
			if answer == "n" {
				x.Quiet(time.Second)
				x.ranTimes("long", 0)
			}
		}
		x.Wait("it ran", func(*shelltest.Screen) bool { return x.times("long") == 1 })
		x.Keys("\x0cran after\r")
		x.Wait("it ran", func(*shelltest.Screen) bool { return x.times("after") == 1 })
		x.ranTimes("long", 1)
	})
}
