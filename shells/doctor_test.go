package shells_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tool-mapping-protocol/tmp/shells"
)

func TestDiagnose(t *testing.T) {
	mapped := func(c string) bool { return c == "git" || c == "npm" }
	fine := shells.Facts{
		Shell: "bash", Hook: "bash 1 42", EnterHook: "bash 1 42 on", Parent: 42, Tab: "/bin/tmp-tab", Enter: "/bin/tmp-enter", Asked: true, Mapped: mapped,
		Answer: []string{"enter on", "hook", "complete -F _tmp_tab -D", "complete -F own other"},
	}
	with := func(change func(*shells.Facts)) shells.Facts {
		f := fine
		f.Answer = slices.Clone(f.Answer)
		change(&f)
		return f
	}
	for _, c := range []struct {
		name  string
		facts shells.Facts
		want  []string // beginnings of findings that are not "ok"
	}{
		{"fine", fine, nil},
		{"other shell", with(func(f *shells.Facts) { f.Shell = "ksh" }), []string{"problem the shell \"ksh\" has no hook"}},
		{"shell of words", with(func(f *shells.Facts) { f.Shell = "elvish" }), []string{"note of elvish it cannot be told what is active"}},
		{"no hook here", with(func(f *shells.Facts) { f.Hook, f.EnterHook = "", "" }), []string{"problem the hook is not loaded in this shell"}},
		{"hooked without Tab", with(func(f *shells.Facts) { f.Hook, f.Answer = "", []string{"enter on"} }), []string{"note Tab is left to bash (--no-tab)", "note a new bash leaves Tab to itself (--no-tab)"}},
		{"hooked without Enter", with(func(f *shells.Facts) { f.EnterHook, f.Answer = "", f.Answer[1:] }), []string{"note Enter is left to bash (--no-enter)"}},
		{"paused", with(func(f *shells.Facts) { f.EnterHook = "bash 1 42 paused" }), []string{"note Enter is not judged in this bash: tmp pause"}},
		{"paused for a time", with(func(f *shells.Facts) { f.EnterHook = "bash 1 42 paused:1900000000" }), []string{"note Enter is not judged in this bash until " + time.Unix(1900000000, 0).Format("15:04") + ": tmp pause"}},
		{"Enter taken", with(func(f *shells.Facts) { f.EnterHook = "bash 1 42 taken"; f.Answer[0] = "enter taken" }), []string{
			"problem Enter is not judged in this bash: it is bound", "problem Enter is not judged in a new bash: it is bound",
		}},
		{"no line editing", with(func(f *shells.Facts) { f.EnterHook = "bash 1 42 noediting" }), []string{"problem Enter is not judged in this bash: it has no line editing"}},
		{"old shell", with(func(f *shells.Facts) { f.Hook, f.EnterHook, f.Answer = "", "bash 1 42 old", nil }), []string{
			"note Tab is left", "problem Enter is not judged in this bash: its version", "problem a new bash does not load the hook",
		}},
		{"hook of an old version", with(func(f *shells.Facts) { f.EnterHook = "bash 1 42" }), []string{"problem Enter is not judged in this bash, and the hook does not say why"}},
		{"no tmp-enter", with(func(f *shells.Facts) { f.Enter = "" }), []string{"problem tmp-enter is not found: every line runs unjudged"}},
		{"broken tmp-enter", with(func(f *shells.Facts) { f.EnterProblem = "status 1" }), []string{"problem /bin/tmp-enter does not judge: status 1"}},
		{"other shells", with(func(f *shells.Facts) {
			f.Others = []shells.Other{
				{Shell: "zsh", Asked: true, Answer: []string{"enter on"}},
				{Shell: "fish", Asked: true, Answer: []string{""}},
				{Shell: "fish"},
				{Shell: "fish", Asked: true, Answer: []string{"enter taken"}},
				{Shell: "zsh", Asked: true, Answer: []string{"hook"}},
			}
		}), []string{
			"note a new fish does not load the hook: nothing is judged in it", "note Enter is not judged in a new fish: it is bound", "note a new zsh leaves Enter to itself",
		}},
		{"not on PATH", with(func(f *shells.Facts) { f.Bin = "/opt/tmp/bin" }), []string{"problem tmp is not on PATH: the hook works"}},
		{"other shells with files", with(func(f *shells.Facts) {
			f.Others = []shells.Other{
				{Shell: "zsh", Asked: true, Answer: []string{"enter on"}},
				{Shell: "fish", Asked: true, Answer: []string{""}, HookFile: "/p/share/tmp/hook.fish"},
				{Shell: "fish"},
				{Shell: "fish", Asked: true, Answer: []string{"enter taken"}},
				{Shell: "zsh", Asked: true, Answer: []string{"hook"}},
			}
		}), []string{
			"note a new fish does not load the hook: nothing is judged in it", "note Enter is not judged in a new fish: it is bound", "note a new zsh leaves Enter to itself",
		}},
		{"hook outside", with(func(f *shells.Facts) { f.Parent = 7 }), []string{"note the hook is loaded in a shell around"}},
		{"hook of another shell outside", with(func(f *shells.Facts) { f.Hook = "fish 1 7" }), []string{"problem the hook is not loaded in this bash, only in the fish around it"}},
		{"no shell known", with(func(f *shells.Facts) { f.Shell, f.Hook = "", "" }), []string{"problem neither the program that started this one nor SHELL"}},
		{"old hook", with(func(f *shells.Facts) { f.Hook = "bash 0 42" }), []string{"problem the hook of this shell is from another version"}},
		{"no program", with(func(f *shells.Facts) { f.Tab = "" }), []string{"problem tmp-tab is not found"}},
		{"broken program", with(func(f *shells.Facts) { f.TabProblem = "exit status 1" }), []string{"problem /bin/tmp-tab does not answer: exit status 1"}},
		{"not in the start-up file", with(func(f *shells.Facts) { f.Answer = []string{""} }), []string{"problem a new bash does not load the hook"}},
		{"overridden default", with(func(f *shells.Facts) { f.Answer = []string{"hook", "complete -F _completion_loader -D"} }), []string{"problem something else has become the default"}},
		{"own completion", with(func(f *shells.Facts) { f.Answer = append([]string{"complete -F mine git"}, f.Answer...) }), []string{"note completions of your own are used instead of the map: git"}},
		{"no compinit", with(func(f *shells.Facts) { f.Shell, f.Hook = "zsh", "zsh 1 42"; f.Answer = []string{"hook"} }), []string{"note compinit is not run"}},
		{"zsh", with(func(f *shells.Facts) {
			f.Shell, f.Hook = "zsh", "zsh 1 42"
			f.Answer = []string{"hook", "compinit", "default _tmp_tab", "own npm", "own zzz"}
		}), []string{"note completions of your own are used instead of the map: npm"}},
		{"fish without its files", with(func(f *shells.Facts) {
			f.Shell, f.Hook, f.FishTools, f.FishFiles = "fish", "fish 1 42", 5, 3
			f.Answer = []string{"hook", "own git", "default"}
		}), []string{"note completions of your own", "problem 3 of 5 mapped commands"}},
	} {
		var got []string
		for _, f := range shells.Diagnose(c.facts) {
			if f.Standing != shells.Fine {
				got = append(got, string(f.Standing)+" "+f.Text)
			}
		}
		ok := len(got) == len(c.want)
		for i := range c.want {
			ok = ok && strings.HasPrefix(got[i], c.want[i])
		}
		if !ok {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestWriteFish(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "fish")
	if err := shells.WriteFish(dir, []string{"git", "old", "../evil", "-x", "a b", "$(x)"}); err != nil {
		t.Fatal(err)
	}
	own := filepath.Join(dir, "mine.fish")
	if err := os.WriteFile(own, []byte("complete -c mine\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := shells.WriteFish(dir, []string{"git", "mine"}); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if got := strings.Join(names, " "); got != "git.fish mine.fish" {
		t.Errorf("files: %s", got)
	}
	text, err := os.ReadFile(own)
	if err != nil || string(text) != "complete -c mine\n" {
		t.Errorf("a file that is not ours: %q %v", text, err)
	}
}
