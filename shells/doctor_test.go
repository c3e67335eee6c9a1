package shells_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/shells"
)

func TestDiagnose(t *testing.T) {
	mapped := func(c string) bool { return c == "git" || c == "npm" }
	fine := shells.Facts{
		Shell: "bash", Hook: "bash 1 42", Parent: 42, Tab: "/bin/tmp-tab", Asked: true, Mapped: mapped,
		Answer: []string{"hook", "complete -F _tmp_tab -D", "complete -F own other"},
	}
	with := func(change func(*shells.Facts)) shells.Facts {
		f := fine
		change(&f)
		return f
	}
	for _, c := range []struct {
		name  string
		facts shells.Facts
		want  []string // beginnings of findings that are not "ok"
	}{
		{"fine", fine, nil},
		{"other shell", with(func(f *shells.Facts) { f.Shell = "tcsh" }), []string{"problem the shell \"tcsh\" has no hook"}},
		{"no hook here", with(func(f *shells.Facts) { f.Hook = "" }), []string{"problem the hook is not loaded in this shell"}},
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
