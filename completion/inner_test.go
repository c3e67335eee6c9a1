package completion

import (
	"context"
	"testing"
)

// A command line inside a word is completed as the shell that will read it reads
// it, and what is found is quoted once more for the word.
func TestLinesInsideWords(t *testing.T) {
	dir := t.TempDir()
	git(t, dir, "init", "-q")
	git(t, dir, "commit", "-q", "--allow-empty", "-m", "first")
	for _, branch := range []string{"release/1.0", "fix/a'b", "cost/$5"} {
		git(t, dir, "update-ref", "refs/heads/"+branch, "HEAD")
	}
	write(t, dir, "some file", "1")
	write(t, dir, "inner", "1")
	const kept = " "
	tests := []struct{ shell, line, want string }{
		{"bash", `bash -c 'git swit`, `'git switch` + kept},
		{"bash", `sh -c "git checkout rel`, `"git checkout release/1.0` + kept},
		{"bash", `bash -lc 'git checkout rel`, `'git checkout release/1.0` + kept},
		{"bash", `su - x -c 'git checkout rel`, `'git checkout release/1.0` + kept},
		{"bash", `bash -c 'cd x && git checkout rel`, `'cd x && git checkout release/1.0` + kept},
		{"bash", `bash -c 'for i in 1; do git checkout rel`, `'for i in 1; do git checkout release/1.0` + kept},
		{"bash", `bash -c 'echo $(git checkout rel`, `'echo $(git checkout release/1.0` + kept},
		{"bash", `sudo -u x bash -c 'git checkout rel`, `'git checkout release/1.0` + kept},
		{"bash", `find . -exec sh -c 'git checkout rel`, `'git checkout release/1.0` + kept},
		{"bash", `hyperfine 'git checkout rel`, `'git checkout release/1.0` + kept},
		{"bash", `watch -n 5 'git checkout rel`, `'git checkout release/1.0` + kept},
		{"bash", `eval "git checkout rel`, `"git checkout release/1.0` + kept},
		{"bash", `flock /tmp/x -c 'git checkout rel`, `'git checkout release/1.0` + kept},
		{"bash", `script -c "git checkout rel`, `"git checkout release/1.0` + kept},
		{"bash", `git rebase -x 'git checkout rel`, `'git checkout release/1.0` + kept},
		{"bash", `git rebase --exec='git checkout rel`, `--exec='git checkout release/1.0` + kept},
		// What one shell would take for its own is kept from both.
		{"bash", `bash -c 'git checkout fix`, `'git checkout fix/a\'\''b` + kept},
		{"bash", `bash -c "git checkout fix`, `"git checkout fix/a\\'b` + kept},
		{"bash", `bash -c git\ checkout\ fix`, `git\ checkout\ fix/a\\\'b\` + kept},
		{"bash", `bash -c 'git checkout cost`, `'git checkout cost/\$5` + kept},
		{"bash", `bash -c "git checkout cost`, `"git checkout cost/\\\$5` + kept},
		{"fish", `bash -c 'git checkout fix`, `'git checkout fix/a\\\'b` + kept},
		{"bash", `bash -c 'bash -c "git checkout fix`, `'bash -c "git checkout fix/a\\'\''b` + kept},
		{"bash", `zsh -c 'cat som`, `'cat some\ file` + kept},
		{"bash", `fish -c 'cat som`, `'cat some\ file` + kept},
		{"bash", `sh -c 'cat <som`, `'cat <some\ file` + kept},
		{"bash", `sh -c 'unknown-program som`, `'unknown-program some\ file` + kept},
		// Words that a shell joins and reads again.
		{"bash", `eval git checkout fix`, `fix/a\\\'b`},
		{"bash", `watch cat som`, `some\\\ file`},
		{"bash", `watch cat inn`, `inner`},
		{"bash", `ssh host git swit`, `switch`},
		// What runs on another machine has not the files and branches of this one.
		{"bash", `ssh host 'git swit`, `'git switch` + kept},
		{"bash", `ssh host 'git checkout rel`, ``},
		{"bash", `ssh host 'cat som`, ``},
		{"bash", `docker exec c sh -c 'cat som`, ``},
		{"bash", `bash -c 'git checkout zzznothing`, ``},
		{"bash", `bash -c '# git checkout rel`, ``},
	}
	for _, tt := range tests {
		a := coreEngine().Complete(context.Background(), Request{
			Shell: tt.shell, Line: tt.line, Point: len(tt.line), Dir: dir, Getenv: noGitConfig, Limit: -1,
		})
		got := ""
		if len(a.Candidates) > 0 {
			got = a.Candidates[0].Insert
		}
		if len(a.Candidates) > 1 || got != tt.want || !a.Handled {
			t.Errorf("%s: %s: %d candidates, first %s; want %s", tt.shell, tt.line, len(a.Candidates), got, tt.want)
		}
	}
}

// No shell reads these: they are words as any other, of which the map says nothing.
func TestLinesThatAreNone(t *testing.T) {
	for _, line := range []string{`timeout 5 'git checkout rel`, `sudo 'git checkout rel`, `bash script 'git checkout rel`, `git commit -m 'git checkout rel`} {
		if a := ask(t, coreEngine(), "bash", line+"|"); len(a.Candidates) > 0 || a.Handled {
			t.Errorf("%s: %q, handled %v", line, rawValues(a), a.Handled)
		}
	}
}

// What such a line would do counts as if it stood alone, and the quote that is
// closed already stays closed.
func TestLinesInsideWordsRiskAndEnd(t *testing.T) {
	a := ask(t, coreEngine(), "bash", `sudo bash -c 'git reset --har|'`)
	if len(a.Candidates) != 1 || !a.Candidates[0].Raises || !a.Hold || a.Candidates[0].Insert != `'git reset --hard'` || a.Replace.End != len(`sudo bash -c 'git reset --har'`) {
		t.Errorf("%+v", a)
	}
	deep := "git swit"
	for range 9 {
		deep = "eval eval " + deep
	}
	if a := ask(t, coreEngine(), "bash", deep+"|"); len(a.Candidates) > 1 {
		t.Errorf("%+v", a)
	}
}
