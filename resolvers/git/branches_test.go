package git

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tool-mapping-protocol/tmp/resolvers"
	"github.com/tool-mapping-protocol/tmp/resolvers/resolvertest"
)

// forEachRef is the oracle: what git lists in a space.
func forEachRef(t testing.TB, dir, space string) []string {
	t.Helper()
	var names []string
	for _, ref := range lines(gitRun(t, dir, "for-each-ref", "--format=%(refname)", space)) {
		names = append(names, strings.TrimPrefix(ref, space))
	}
	return names
}

func compareRefs(t testing.TB, dir string) {
	t.Helper()
	for _, c := range []struct{ name, space string }{
		{"git:branches", "refs/heads/"}, {"git:tags", "refs/tags/"}, {"git:remote-branches", "refs/remotes/"},
	} {
		a := ask(t, c.name, dir, "", 0)
		if a.State != resolvers.Fresh {
			t.Errorf("%s: %s: %s", c.name, a.State, a.Message)
		}
		if diff := cmp.Diff(forEachRef(t, dir, c.space), sortedValues(a)); diff != "" {
			t.Errorf("%s differs from git for-each-ref (-git +ours):\n%s", c.name, diff)
		}
	}
}

func TestGitRefsAgainstGit(t *testing.T) {
	dir := newRepo(t)
	for _, name := range []string{"a", "a-b", "a.b", "z/y/x", "z/y-x", "feature/one", "feature/two", "$(touch x)", "a'b", "ü", "\u202egnp", "-rf", "a\"b", "%s", "!x"} {
		gitRun(t, dir, "update-ref", "refs/heads/"+strings.ReplaceAll(name, " ", "_"), "HEAD")
		gitRun(t, dir, "update-ref", "refs/remotes/origin/"+strings.ReplaceAll(name, " ", "_"), "HEAD")
	}
	gitRun(t, dir, "tag", "v1")
	gitRun(t, dir, "tag", "-a", "-m", "x", "v2")
	gitRun(t, dir, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/a")
	compareRefs(t, dir)
	gitRun(t, dir, "pack-refs", "--all")
	compareRefs(t, dir)
	gitRun(t, dir, "branch", "-D", "-q", "a", "z/y/x")
	gitRun(t, dir, "update-ref", "refs/heads/later", "HEAD")
	gitRun(t, dir, "update-ref", "refs/heads/feature/one", "HEAD")
	compareRefs(t, dir)
	// What git passes over, it passes over here.
	heads := dir + "/.git/refs/heads/"
	writeFile(t, heads+"empty", "")
	writeFile(t, heads+"zero", strings.Repeat("0", 40)+"\n")
	writeFile(t, heads+"junk", "junk\n")
	writeFile(t, heads+"x.lock", gitRun(t, dir, "rev-parse", "HEAD"))
	writeFile(t, heads+"sp ace", gitRun(t, dir, "rev-parse", "HEAD"))
	writeFile(t, heads+"dangling", "ref: refs/heads/nowhere\n")
	writeFile(t, heads+"alias", "ref: refs/heads/main\n")
	writeFile(t, heads+"loop", "ref: refs/heads/loop\n")
	writeFile(t, heads+"feature/two", "")
	if err := os.Symlink("nowhere", heads+"link"); err != nil {
		t.Fatal(err)
	}
	compareRefs(t, dir)
}

func TestGitBranchesUnsortedPackedRefs(t *testing.T) {
	dir := newRepo(t)
	id := strings.TrimSpace(gitRun(t, dir, "rev-parse", "HEAD"))
	writeFile(t, dir+"/.git/packed-refs", "# pack-refs with: peeled\n"+id+" refs/tags/t\n^"+id+"\n"+id+" refs/heads/z\n"+id+" refs/heads/b\n")
	compareRefs(t, dir)
	if got := valuesOf(ask(t, "git:branches", dir, "z", 0)); !cmp.Equal(got, []string{"z"}) {
		t.Errorf("z: got %q", got)
	}
}

func TestGitBranchesPrefixAndLimit(t *testing.T) {
	dir := newRepo(t)
	id := strings.TrimSpace(gitRun(t, dir, "rev-parse", "HEAD"))
	var b strings.Builder
	b.WriteString("# pack-refs with: peeled fully-peeled sorted \n")
	for i := range 3000 {
		fmt.Fprintf(&b, "%s refs/heads/feature/%05d-name\n", id, i)
	}
	fmt.Fprintf(&b, "%s refs/heads/other\n%s refs/tags/v1\n^%s\n", id, id, id)
	writeFile(t, dir+"/.git/packed-refs", b.String())
	writeFile(t, dir+"/.git/refs/heads/feature/00001-name", id+"\n")
	writeFile(t, dir+"/.git/refs/heads/feature/00001-other", id+"\n")
	for _, c := range []struct {
		text                  string
		limit, first, omitted int
		one                   string
	}{
		{"feature/", 200, 200, 2801, "feature/00000-name"},
		{"feature/0299", 0, 10, 0, "feature/02990-name"},
		{"feature/0000", 0, 11, 0, "feature/00000-name"},
		{"feature/02999-name", 5, 1, 0, "feature/02999-name"},
		{"o", 5, 1, 0, "other"},
		{"", 0, 3003, 0, "feature/00000-name"},
		{"", 10, 10, 2993, "main"},
		{"zzz", 10, 0, 0, ""},
		{"../", 10, 0, 0, ""},
		{"feature/../../", 10, 0, 0, ""},
	} {
		a := ask(t, "git:branches", dir, c.text, c.limit)
		if len(a.Values) != c.first || a.Omitted != c.omitted {
			t.Errorf("%q limit %d: got %d values, %d omitted, want %d, %d", c.text, c.limit, len(a.Values), a.Omitted, c.first, c.omitted)
		}
		if c.first > 0 && c.text != "" && a.Values[0].Value != c.one {
			t.Errorf("%q: first is %q, want %q", c.text, a.Values[0].Value, c.one)
		}
	}
	a := resolvertest.Resolve(t.Context(), resolvers.Request{Name: "git:branches", Dir: dir, Getenv: gitEnv, Filter: resolvers.Filter{Text: "1234", Mode: resolvers.Substring}, Limit: 1})
	if len(a.Values) != 1 || a.Values[0].Value != "feature/01234-name" || a.Omitted != 0 {
		t.Errorf("substring: %+v", a)
	}
}

func TestGitBranchesRecentFirst(t *testing.T) {
	dir := newRepo(t)
	for _, name := range []string{"a", "b", "c", "d", "gone"} {
		gitRun(t, dir, "branch", name)
	}
	for _, name := range []string{"c", "gone", "a", "main", "d"} {
		gitRun(t, dir, "checkout", "-q", name)
	}
	gitRun(t, dir, "branch", "-D", "-q", "gone")
	a := ask(t, "git:branches", dir, "", 0)
	if diff := cmp.Diff([]string{"main", "a", "c", "d", "b"}, valuesOf(a)); diff != "" {
		t.Error(diff)
	}
	if v := a.Values[3]; v.Description != "current" || v.Weight >= a.Values[4].Weight {
		t.Errorf("current branch: %+v", v)
	}
	if v := a.Values[0]; v.Weight <= a.Values[1].Weight || v.Description != "used just now" {
		t.Errorf("most recent branch: %+v", v)
	}
}

func TestGitPlaces(t *testing.T) {
	dir := newRepo(t)
	gitRun(t, dir, "branch", "topic")
	writeFile(t, dir+"/sub/deep/file", "")
	tree := filepath.Join(filepath.Dir(dir), "tree")
	gitRun(t, dir, "worktree", "add", "-q", tree, "topic")
	bare := filepath.Join(filepath.Dir(dir), "bare.git")
	gitRun(t, dir, "clone", "-q", "--bare", dir, bare)
	outside, _ := filepath.EvalSymlinks(t.TempDir())
	link := outside + "/link"
	if err := os.Symlink(dir+"/sub/deep", link); err != nil {
		t.Fatal(err)
	}
	env := func(pairs ...string) func(string) string {
		return func(name string) string {
			for i := 0; i < len(pairs); i += 2 {
				if pairs[i] == name {
					return pairs[i+1]
				}
			}
			return gitEnv(name)
		}
	}
	both := []string{"main", "topic"}
	for name, c := range map[string]struct {
		r    resolvers.Request
		want []string
	}{
		"root":         {resolvers.Request{Dir: dir}, both},
		"subdirectory": {resolvers.Request{Dir: dir + "/sub/deep"}, both},
		"symlink":      {resolvers.Request{Dir: link}, both},
		"worktree":     {resolvers.Request{Dir: tree}, both},
		"bare":         {resolvers.Request{Dir: bare}, both},
		"inside bare":  {resolvers.Request{Dir: bare + "/refs/heads"}, both},
		"inside .git":  {resolvers.Request{Dir: dir + "/.git/refs"}, both},
		"nowhere":      {resolvers.Request{Dir: outside}, nil},
		"gone":         {resolvers.Request{Dir: outside + "/gone"}, nil},
		"GIT_DIR":      {resolvers.Request{Dir: outside, Getenv: env("GIT_DIR", bare)}, both},
		"relative":     {resolvers.Request{Dir: dir + "/sub", Getenv: env("GIT_DIR", "../.git")}, both},
		"--git-dir=":   {resolvers.Request{Dir: outside, Words: []string{"git", "--git-dir=" + bare, "checkout"}}, both},
		"--git-dir":    {resolvers.Request{Dir: outside, Words: []string{"/usr/bin/git", "-c", "a=b", "--git-dir", bare, "checkout"}}, both},
		"ceiling":      {resolvers.Request{Dir: dir + "/sub/deep", Getenv: env("GIT_CEILING_DIRECTORIES", dir+"/sub")}, nil},
		"ceiling off":  {resolvers.Request{Dir: dir + "/sub/deep", Getenv: env("GIT_CEILING_DIRECTORIES", filepath.Dir(dir))}, both},
	} {
		t.Run(name, func(t *testing.T) {
			c.r.Name = "git:branches"
			if c.r.Getenv == nil {
				c.r.Getenv = gitEnv
			}
			a := resolvertest.Resolve(t.Context(), c.r)
			if a.State != resolvers.Fresh || !cmp.Equal(sortedValues(a), c.want) {
				t.Errorf("got %q (%s %s), want %q", valuesOf(a), a.State, a.Message, c.want)
			}
			if c.want == nil && a.Message != "not in a git repository" {
				t.Errorf("message %q", a.Message)
			}
		})
	}
	if got := valuesOf(ask(t, "git:current_branch", tree, "", 0)); !cmp.Equal(got, []string{"topic"}) {
		t.Errorf("current branch of the linked work tree: %q", got)
	}
}
