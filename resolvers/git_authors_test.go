package resolvers

import "testing"

func TestGitAuthors(t *testing.T) {
	dir := newRepo(t)
	commit := func(name, mail string) {
		t.Helper()
		gitRun(t, dir, "commit", "-q", "--allow-empty", "-m", "x", "--author", name+" <"+mail+">")
	}
	commit("Ann Müller", "ann@example.org")
	commit("Bo", "bo@example.org")
	commit("Bo", "bo@example.org")
	a := expect(t, Fresh, Request{Name: "git:authors", Dir: dir, Filter: Filter{Text: "B"}})
	if equal(t, "authors", texts(a), words("Bo")); described(a)["Bo"] != "bo@example.org" {
		t.Errorf("%+v", a.Values)
	}
	a = expect(t, Fresh, Request{Name: "git:identities", Dir: dir, Filter: Filter{Text: "Ann"}})
	equal(t, "identities", texts(a), []string{"Ann Müller <ann@example.org>"})
	if a := ask(t, "git:authors", t.TempDir(), "", 0); len(a.Values) > 0 || a.Message == "" {
		t.Errorf("outside a repository: %+v", a)
	}
}
