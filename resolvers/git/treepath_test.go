package git

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/tool-mapping-protocol/tmp/resolvers"
	"github.com/tool-mapping-protocol/tmp/resolvers/resolvertest"
)

func TestTreePaths(t *testing.T) {
	dir := newRepo(t)
	write := func(name, text string) { writeFile(t, filepath.Join(dir, name), text) }
	write("a.txt", "1")
	write("src/lib/x.go", "1")
	write("src/main.go", "1")
	gitRun(t, dir, "add", ".")
	gitRun(t, dir, "commit", "-qm", "first")
	gitRun(t, dir, "tag", "-am", "v", "v1")
	write("b.txt", "2")
	gitRun(t, dir, "add", ".")
	gitRun(t, dir, "commit", "-qm", "second")
	for text, want := range map[string][]string{
		"HEAD:":             {"HEAD:a.txt", "HEAD:b.txt", "HEAD:src/"},
		"HEAD:a":            {"HEAD:a.txt"},
		"HEAD~1:":           {"HEAD~1:a.txt", "HEAD~1:src/"},
		"HEAD^:b":           nil,
		"v1:src/":           {"v1:src/lib/", "v1:src/main.go"},
		"@:src/lib/":        {"@:src/lib/x.go"},
		"HEAD:nowhere/":     nil,
		"HEAD~9:":           nil,
		"absent:":           nil,
		"../../etc/passwd:": nil,
	} {
		got := valuesOf(ask(t, "git:refs", dir, text, 0))
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// What follows the colon of a refspec is a ref.
func TestRefspecs(t *testing.T) {
	dir := newRepo(t)
	gitRun(t, dir, "commit", "--allow-empty", "-qm", "first")
	gitRun(t, dir, "branch", "feature")
	a := resolvertest.Resolve(t.Context(), resolvers.Request{
		Name: "git:refs", Dir: dir, Getenv: os.Getenv, Words: []string{"git", "push", "origin"},
		Filter: resolvers.Filter{Text: "feature:fea"}, Limit: 10,
	})
	if got := valuesOf(a); !slices.Equal(got, []string{"feature:feature"}) {
		t.Errorf("%q", got)
	}
}
