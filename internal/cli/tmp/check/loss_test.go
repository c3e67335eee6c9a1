package check

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/risk"
	"github.com/tool-mapping-protocol/tmp/internal/risk/line"
	"github.com/tool-mapping-protocol/tmp/internal/shline"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// TestLeft: what --explain says of commits, where that is sure.
func TestLeft(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	dir := t.TempDir()
	for _, args := range []string{
		"init -q -b main", "commit -q --allow-empty -m first", "checkout -q -b topic", "commit -q --allow-empty -m one", "commit -q --allow-empty -m two",
		"checkout -q main", "tag v1 topic~1", "branch same",
	} {
		cmd := exec.Command("git", strings.Fields(args)...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_AUTHOR_NAME=t", "GIT_AUTHOR_EMAIL=t@e", "GIT_COMMITTER_NAME=t", "GIT_COMMITTER_EMAIL=t@e")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", args, err, out)
		}
	}
	env := &term.Env{Dir: dir, Getenv: func(string) string { return "" }, Context: context.Background()}
	view := tcpdb.NewView(tcpdb.Core())
	for text, want := range map[string]string{
		"git branch -D topic":                  "1 commit would be on no branch or tag",
		"git branch --delete --force topic":    "1 commit would be on no branch or tag",
		"git branch -D same":                   "every commit is on another branch or tag too",
		"git tag -d v1":                        "every commit is on another branch or tag too",
		"git reset --hard topic":               "every commit is on another branch or tag too",
		"git branch -D topic nothing":          "",
		"git branch -r -D topic":               "",
		"git -C /x branch -D topic":            "",
		"git tag -d v1 && git branch -D topic": "every commit is", // of the tag; of the branch nothing is sure
		"cd /x; git branch -D topic":           "",
		"git branch -D $x":                     "",
		"git reset --hard":                     "",
	} {
		v := line.Judge(view, text, shline.Bash, risk.Facts{}, line.Options{})
		var got []string
		for i := range v.Findings {
			if s := left(env, text, &v.Findings[i]); s != "" {
				got = append(got, s)
			}
		}
		if want == "" && len(got) > 0 || want != "" && (len(got) != 1 || !strings.HasPrefix(got[0], want)) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	env.Getenv = func(name string) string { return map[string]string{"GIT_DIR": "/elsewhere"}[name] }
	v := line.Judge(view, "git branch -D topic", shline.Bash, risk.Facts{}, line.Options{})
	if s := left(env, "git branch -D topic", &v.Findings[0]); s != "" {
		t.Errorf("with GIT_DIR: %q", s)
	}
}
