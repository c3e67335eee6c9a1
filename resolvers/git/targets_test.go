package git

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/tool-mapping-protocol/tmp/resolvers"
	"github.com/tool-mapping-protocol/tmp/resolvers/resolvertest"
)

// What a place takes that only some refs fit.
func TestTargetsOfGit(t *testing.T) {
	dir := newRepo(t)
	gitRun(t, dir, "branch", "topic")
	gitRun(t, dir, "branch", "elsewhere")
	gitRun(t, dir, "tag", "v1")
	for _, ref := range []string{"origin/HEAD", "origin/main", "origin/topic", "fork/main", "fork/own"} {
		gitRun(t, dir, "update-ref", "refs/remotes/"+ref, "HEAD")
	}
	gitRun(t, dir, "remote", "add", "origin", "https://token@example.org/me/one.git")
	gitRun(t, dir, "remote", "add", "fork", "git@example.net:you/one.git")
	tree := filepath.Join(t.TempDir(), "tree")
	gitRun(t, dir, "worktree", "add", "-q", tree, "elsewhere")

	for _, c := range []struct {
		name, dir, text string
		words, want     []string
	}{
		{"git:deletable", dir, "", nil, []string{"topic"}}, // the others are checked out
		{"git:deletable", tree, "", nil, []string{"topic"}},
		{"git:deletable", dir, "or", resolvertest.Words("git branch -rd"), []string{"origin/HEAD", "origin/main", "origin/topic"}},
		{"git:remote-heads", dir, "", resolvertest.Words("git push origin"), []string{"main", "topic"}},
		{"git:remote-heads", dir, "+", resolvertest.Words("git push fork"), []string{"+main", "+own"}},
		{"git:remote-heads", dir, "", resolvertest.Words("git fetch"), []string{"main", "own", "topic"}},
		{"git:pushable", dir, "", nil, []string{"main", "elsewhere", "topic", "HEAD", "v1"}},
		{"git:pushable", dir, "+t", nil, []string{"+topic"}},
		{"git:starts", dir, "t", nil, []string{"topic"}},
		{"git:mergeable", dir, "main", nil, nil},
		{"git:mergeable", dir, "main..t", nil, []string{"main..topic"}},
		{"git:urls", dir, "", nil, []string{"git@example.net:you/one.git", "https://example.org/me/one.git", "git@example.net:you/", "https://example.org/me/"}},
		{"git:urls", filepath.Dir(dir), "https", nil, []string{"https://example.org/me/"}},
	} {
		a := resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: c.name, Dir: c.dir, Getenv: gitEnv, Words: c.words, Filter: resolvers.Filter{Text: c.text}})
		slices.SortStableFunc(a.Values, func(x, y resolvers.Value) int { return y.Weight - x.Weight })
		if got := valuesOf(a); !slices.Equal(got, c.want) {
			t.Errorf("%s %q %q: %q, want %q", c.name, c.words, c.text, got, c.want)
		}
	}
	last := valuesOf(ask(t, "git:starts", dir, "", 0))
	if n := len(last); !slices.Equal(last[n-2:], []string{"HEAD", "main"}) {
		t.Errorf("git:starts ends in %q", last)
	}
}

func TestArchivesFirst(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.txt", "b.tar", "c.tgz", "d", "z.tar.gz"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for limit, want := range map[int][]string{0: {"b.tar", "c.tgz", "z.tar.gz", "a.txt", "d"}, 4: {"b.tar", "c.tgz", "z.tar.gz", "a.txt"}} {
		a := resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: "archives", Dir: dir, Limit: limit, Getenv: resolvertest.Env()})
		if got := valuesOf(a); !slices.Equal(got, want) || a.Omitted != 5-len(want) {
			t.Errorf("limit %d: %q, omitted %d", limit, got, a.Omitted)
		}
	}
}
