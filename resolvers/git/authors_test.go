package git

import (
	"testing"

	"github.com/tool-mapping-protocol/tmp/resolvers"
	"github.com/tool-mapping-protocol/tmp/resolvers/resolvertest"
)

func TestGitAuthors(t *testing.T) {
	dir := newRepo(t)
	commit := func(name, mail string) {
		t.Helper()
		gitRun(t, dir, "commit", "-q", "--allow-empty", "-m", "x", "--author", name+" <"+mail+">")
	}
	commit("Ann Müller", "ann@example.org")
	commit("Bo", "bo@example.org")
	commit("Bo", "bo@example.org")
	a := resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: "git:authors", Dir: dir, Filter: resolvers.Filter{Text: "B"}})
	if resolvertest.Equal(t, "authors", resolvertest.Texts(a), resolvertest.Words("Bo")); resolvertest.Described(a)["Bo"] != "bo@example.org" {
		t.Errorf("%+v", a.Values)
	}
	a = resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: "git:identities", Dir: dir, Filter: resolvers.Filter{Text: "Ann"}})
	resolvertest.Equal(t, "identities", resolvertest.Texts(a), []string{"Ann Müller <ann@example.org>"})
	if a := ask(t, "git:authors", t.TempDir(), "", 0); len(a.Values) > 0 || a.Message == "" {
		t.Errorf("outside a repository: %+v", a)
	}
}
