package shells_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/shells"
)

// hookWords are the words of a shell's hook that name a builtin, a keyword or a
// program: those that a person may have given another meaning.
func hookWords(t *testing.T, shell string) (words []string) {
	t.Helper()
	ask := map[string]string{
		"bash": "compgen -b; compgen -k",
		"zsh":  "zmodload zsh/complete zsh/compctl zsh/zle; print -l ${(k)builtins} ${(k)reswords}",
		"fish": "builtin -n",
	}[shell]
	out, err := exec.Command(shell, "-c", ask).Output()
	if err != nil {
		t.Skipf("%s: %v", shell, err)
	}
	known := strings.Fields(string(out))
	text, err := shells.Hook(shell, shells.Tab|shells.Enter)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range regexp.MustCompile(`[\w.:\[][\w.:\[-]*`).FindAllString(text, -1) {
		if slices.Contains(words, w) || strings.HasPrefix(w, "_") || regexp.MustCompile(`^[\d.-]`).MatchString(w) && w != "." {
			continue
		}
		if _, err := exec.LookPath(w); err == nil && w != "tmp" || slices.Contains(known, w) {
			words = append(words, w)
		}
	}
	for _, w := range []string{"builtin", "command", "stty", "set"} {
		if !slices.Contains(words, w) {
			t.Fatalf("%s is not among the words of the hook: %q", w, words)
		}
	}
	return words
}

// fishKeeps are names that no function of fish can have.
var fishKeeps = strings.Fields("[ _ and argparse begin break builtin case command continue else end eval exec for function if not or read return set status string switch test time while")

// shadow is text for a start-up file that gives words a meaning of the person's
// own: functions that leave a file of their name in called and fail, or aliases
// for such.
func shadow(shell, kind string, words []string) string {
	var b strings.Builder
	if shell == "fish" {
		known, _ := exec.Command(shell, "-c", "builtin -n").Output()
		builtins := strings.Fields(string(known))
		for _, w := range words {
			if slices.Contains(fishKeeps, w) {
				continue
			}
			own := "command"
			if slices.Contains(builtins, w) {
				own = "builtin"
			}
			// fish is written in itself: it is to have what it expects.
			b.WriteString("function " + w + `
	if status stack-trace | string match -qr '__tmp_|hook\.fish'
		command touch $HOME/called/` + w + `
		return 1
	end
	` + own + " " + w + ` $argv
end
`)
		}
		return b.String()
	}
	quote := "" // bash takes it for a part of a function's name
	if shell == "zsh" {
		quote = "'"
	}
	for _, w := range words {
		switch {
		case kind == "functions" && shell == "bash" && w == "builtin":
			// Whether it is the shell's can only be told by calling it.
			b.WriteString("function builtin { ((0)); }\n")
		case kind == "functions":
			b.WriteString("function " + quote + w + quote + ` { [[ -z full ]] >"$HOME/called/` + w + `"; }` + "\n")
		case shell == "bash":
			b.WriteString("BASH_ALIASES['" + w + `']='>"$HOME/called/` + w + `" false'` + "\n")
		default:
			b.WriteString("aliases+=('" + w + `' '>"$HOME/called/` + w + `" false')` + "\n")
			if kind == "global aliases" {
				b.WriteString("galiases+=('" + w + `' '>"$HOME/called/` + w + `" false')` + "\n")
			}
		}
	}
	return b.String()
}

// Whatever the words that the hooks use mean to the person, and whether they do
// so before the hook is loaded or after, Tab and Enter answer as ever and call
// nothing of the person's own.
func TestOwnNames(t *testing.T) {
	for _, c := range []struct{ shell, kind string }{
		{"bash", "functions"},
		{"bash", "aliases"},
		{"zsh", "functions"},
		{"zsh", "aliases"},
		{"zsh", "global aliases"},
		{"fish", "functions"},
	} {
		for _, when := range []string{"before", "after"} {
			t.Run(c.shell+" "+c.kind+" "+when, func(t *testing.T) {
				t.Parallel()
				words := hookWords(t, c.shell)
				text := shadow(c.shell, c.kind, slices.DeleteFunc(slices.Clone(words), func(w string) bool {
					// The start-up file itself needs these to load the hook.
					return when == "before" && c.kind == "functions" && (w == "." || w == "source")
				}))
				s := setup{both: true, after: text}
				if when == "before" {
					s.before, s.after = text, ""
				}
				s.before = `mkdir -p "$HOME/called"` + "\n" + s.before
				x := entering(t, c.shell, s)
				for range 2 {
					x.tab("mt one m", "mt one main ")
				}
				x.Keys("danger no\r")
				x.asked("danger no")
				x.Keys("n")
				x.line("danger no|")
				x.clear()
				x.runs("ran fine", "ran:fine.")
				if c.shell != "fish" {
					x.Keys("danger !!\r")
					x.asked("danger ran fine")
					x.Keys("n")
					x.line("danger !!|")
					x.clear()
				}
				x.Keys("danger yes\r")
				x.asked("danger yes")
				x.Keys("y")
				x.shows("ran:danger yes.")
				x.line("|")
				x.ranTimes("danger no", 0)
				x.ranTimes("danger yes", 1)
				called, err := os.ReadDir(filepath.Join(x.home, "called"))
				if err != nil {
					t.Fatal(err)
				}
				for _, f := range called {
					t.Errorf("%s of the person's own is called", f.Name())
				}
				if raw := x.Raw(); strings.Contains(raw, "not judged") || strings.Contains(raw, "completes by itself") {
					t.Errorf("a notice\n%s", x.Screen())
				}
			})
		}
	}
}
