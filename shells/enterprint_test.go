package shells_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/shells/shelltest"
)

// With :p a line of the history is only printed, and nothing is asked; what
// looks like it and runs is judged.
func TestEnterPrints(t *testing.T) {
	for _, name := range []string{"bash", "zsh"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x := entering(t, name, setup{rows: 40})
			x.Keys("danger a:p\r")
			x.asked("danger a:p")
			x.Keys("y")
			x.shows("ran:danger a:p.")
			x.line("|")
			for typed, shown := range map[string]string{
				"!dang:p": "danger a:p", "!!:p": "danger a:p", "!?a:p?:p": "danger a:p", "!dang:s/a:p/b/:p": "danger b", "echo !!:0:p": "echo danger",
			} {
				x.prompt()
				x.Keys(typed + "\r")
				x.Wait(shown, func(s *shelltest.Screen) bool {
					return s.Before() == "$ " && (strings.Contains(s.String(), "\n"+shown+"\n") || s.Row(1) == shown)
				})
				x.Keys("ran between\r") // the event before is not always the same
				x.shows("ran:between.")
				x.Keys("danger a:p\r")
				x.asked("danger a:p")
				x.Keys("y")
				x.Wait("the prompt", func(s *shelltest.Screen) bool { return s.Before() == "$ " })
			}
			for _, c := range [][2]string{{"!?r a:p?", "danger a:p"}, {"!dang", "danger a:p"}, {"danger x:p !$", "danger x:p a:p"}} {
				x.prompt()
				x.Keys(c[0] + "\r")
				x.asked(c[1])
				x.Keys("n")
				x.line(c[0] + "|")
				x.clear()
			}
		})
	}
}

// Of the variables that the line names the values are those that it will have,
// not what the hook sets for itself.
func TestEnterOwnVariables(t *testing.T) {
	x := entering(t, "bash", setup{after: `IFS='danger'; READLINE_LINE=x`})
	x.Keys(`ran "$IFS"` + "\r")
	x.asked(`ran "$IFS"`)
	x.Keys("n")
	x.line(`ran "$IFS"|`)
	x.clear()
	x.runs(`ran $READLINE_LINE $_tmp_line $FUNCNAME`, "ran:.")
	sent, err := os.ReadFile(filepath.Join(x.home, "sent"))
	if err != nil || !strings.Contains(string(sent), `"IFS=danger"`) || strings.Contains(string(sent), `"READLINE_LINE=`) || strings.Contains(string(sent), `"FUNCNAME=`) {
		t.Errorf("%v\n%s", err, sent)
	}
}

// set -x shows what runs, and nothing of the hooks.
func TestTrace(t *testing.T) {
	for _, name := range []string{"bash", "zsh"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x := entering(t, name, setup{both: true, rows: 40})
			x.runs("set -x", "$")
			x.Keys("ran fine\r")
			x.shows("ran:fine.")
			x.line("|")
			x.Keys("danger no\r")
			x.asked("danger no")
			x.Keys("n")
			x.line("danger no|")
			x.clear()
			x.Keys("mt one m\t_")
			x.line("mt one main _|")
			x.clear()
			x.Keys("ran again\r")
			x.shows("ran:again.")
			x.line("|")
			s := x.Screen()
			if strings.Contains(s, "_tmp_") || !strings.Contains(s, "+ ran again") && !strings.Contains(s, "> ran again") {
				t.Errorf("the trace is not that of the lines alone\n%s", s)
			}
		})
	}
}

// Of a prompt of two rows both are drawn again below what is said.
func TestTwoRows(t *testing.T) {
	each(t, func(t *testing.T, name string) {
		ps := map[string]string{"bash": `PS1='upper\n$ '`, "zsh": `PS1=$'upper\n$ '`, "fish": "function fish_prompt; echo upper; echo -n '$ '; end"}[name]
		x := entering(t, name, setup{both: true, after: ps})
		x.Keys("mt risk --force\t")
		x.shows("--force")
		if name == "bash" {
			x.Keys("\x15mt desc --h\t")
			x.shows("[CRITICAL] throw away")
			x.Wait("the line", func(s *shelltest.Screen) bool {
				r, _ := s.Cursor()
				return s.Before() == "$ mt desc --h" && s.Row(r-1) == "upper" && strings.Contains(s.Row(r-2), "throw away")
			})
		}
		x.Keys("\x05\x15danger x\r")
		x.asked("danger x")
		x.Keys("n")
		x.Wait("the line", func(s *shelltest.Screen) bool {
			r, _ := s.Cursor()
			return s.Before()+s.After() == "$ danger x" && s.Row(r-1) == "upper"
		})
	})
}
