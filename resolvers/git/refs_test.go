package git

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tool-mapping-protocol/tmp/resolvers"
	"github.com/tool-mapping-protocol/tmp/resolvers/resolvertest"
)

func updateRefs(t testing.TB, dir string, refs ...string) {
	t.Helper()
	for _, ref := range refs {
		gitRun(t, dir, "update-ref", ref, "HEAD")
	}
}

func TestGitCheckout(t *testing.T) {
	dir := newRepo(t)
	updateRefs(t, dir, "refs/heads/local", "refs/heads/both", "refs/tags/both", "refs/tags/v1", "refs/tags/rel",
		"refs/remotes/origin/local", "refs/remotes/origin/only", "refs/remotes/origin/shared", "refs/remotes/origin/rel",
		"refs/remotes/fork/shared", "refs/remotes/fork/mine", "refs/remotes/stranger/x")
	gitRun(t, dir, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/only")
	gitRun(t, dir, "remote", "add", "origin", "https://token:x@example.org/a.git")
	gitRun(t, dir, "remote", "add", "fork", "git@example.org:b.git")
	check := func(name, text string, want []string) {
		t.Helper()
		if diff := cmp.Diff(want, valuesOf(ask(t, name, dir, text, 0))); diff != "" {
			t.Errorf("%s %q:\n%s", name, text, diff)
		}
	}
	check("git:checkout", "", []string{"main", "both", "local", "mine", "only", "rel", "v1"})
	check("git:switch", "", []string{"main", "both", "local", "mine", "only", "rel"})
	check("git:checkout", "m", []string{"main", "mine"})
	gitRun(t, dir, "config", "checkout.defaultRemote", "origin")
	check("git:switch", "s", []string{"shared"})
	gitRun(t, dir, "pack-refs", "--all")
	check("git:checkout", "", []string{"main", "both", "local", "mine", "only", "shared", "rel", "v1"})
	a := ask(t, "git:checkout", dir, "", 2)
	if len(a.Values) != 2 || a.Omitted != 6 {
		t.Errorf("limit 2: %d values, %d omitted, want 2, 6", len(a.Values), a.Omitted)
	}
	// What detaches HEAD is there for who types it.
	check("git:checkout", "HE", []string{"HEAD"})
	check("git:checkout", "origin/o", []string{"origin/only"})
	check("git:checkout", "zzz", nil)
	// Where git would guess, git agrees.
	gitRun(t, dir, "checkout", "-q", "only")
	gitRun(t, dir, "checkout", "-q", "mine")
	check("git:switch", "", []string{"only", "main", "mine", "both", "local", "rel", "shared"})
}

// Commits by their hash, and former values of refs.
func TestGitUnnamedRevisions(t *testing.T) {
	dir := newRepo(t)
	hash := strings.TrimSpace(gitRun(t, dir, "rev-parse", "HEAD"))
	gitRun(t, dir, "commit", "-q", "--allow-empty", "-m", "second")
	for _, name := range []string{"git:refs", "git:checkout"} {
		for _, lead := range []string{"", "main..", "^"} {
			if lead != "" && name == "git:checkout" {
				continue
			}
			if diff := cmp.Diff([]string{lead + hash[:12]}, valuesOf(ask(t, name, dir, lead+hash[:9], 0))); diff != "" {
				t.Errorf("%s %s:\n%s", name, lead, diff)
			}
			if diff := cmp.Diff([]string{lead + "HEAD@{0}", lead + "HEAD@{1}"}, valuesOf(ask(t, name, dir, lead+"HEAD@", 0))); diff != "" {
				t.Errorf("%s %s:\n%s", name, lead, diff)
			}
		}
	}
	if diff := cmp.Diff([]string{"main@{1}"}, valuesOf(ask(t, "git:refs", dir, "main@{1", 0))); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"@{0}", "@{1}", "@{upstream}", "@{push}"}, valuesOf(ask(t, "git:refs", dir, "@", 0))); diff != "" {
		t.Error(diff)
	}
	for _, text := range []string{"../../HEAD@{", "none@{", "zz", "HEAD@x", "0"} {
		if a := ask(t, "git:refs", dir, text, 0); len(a.Values) > 0 && text != "0" {
			t.Errorf("%s: %v", text, valuesOf(a))
		}
	}
}

func TestGitRefs(t *testing.T) {
	dir := newRepo(t)
	updateRefs(t, dir, "refs/heads/topic", "refs/heads/v1", "refs/tags/v1", "refs/tags/v2", "refs/remotes/origin/topic", "refs/notes/commits", "refs/stash", "ORIG_HEAD")
	for text, want := range map[string][]string{
		"":             {"HEAD", "main", "topic", "v1", "origin/topic", "v2", "ORIG_HEAD", "stash"},
		"v":            {"v1", "v2"},
		"o":            {"origin/topic"},
		"main..t":      {"main..topic"},
		"main...v2":    {"main...v2"},
		"^to":          {"^topic"},
		"refs/n":       {"refs/notes/commits"},
		"heads/":       {"heads/main", "heads/topic", "heads/v1"},
		"tags/v":       {"tags/v1", "tags/v2"},
		"refs/heads/m": {"refs/heads/main"},
		"H":            {"HEAD"},
		"nothing":      nil,
	} {
		if diff := cmp.Diff(want, valuesOf(ask(t, "git:refs", dir, text, 0))); diff != "" {
			t.Errorf("%q:\n%s", text, diff)
		}
	}
}

func TestGitRemotes(t *testing.T) {
	dir := newRepo(t)
	for name, url := range map[string]string{
		"origin": "https://user:secret@example.org/a.git", "zoo": "git@example.org:b.git", "ssh": "ssh://git:pw@example.org/c", "token": "https://tok@example.org/d?key=1",
	} {
		gitRun(t, dir, "remote", "add", name, url)
	}
	a := ask(t, "git:remotes", dir, "", 0)
	var got []string
	for _, v := range a.Values {
		got = append(got, v.Value+" "+v.Description)
	}
	want := []string{"origin https://example.org/a.git", "ssh ssh://git@example.org/c", "token https://example.org/d", "zoo git@example.org:b.git"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestGitStashesAndWorktrees(t *testing.T) {
	dir := newRepo(t)
	writeFile(t, dir+"/f", "1\n")
	gitRun(t, dir, "add", "f")
	gitRun(t, dir, "stash", "push", "-q", "-m", "older")
	writeFile(t, dir+"/f", "2\n")
	gitRun(t, dir, "add", "f")
	gitRun(t, dir, "stash", "push", "-q", "-m", "newer")
	a := ask(t, "git:stashes", dir, "", 0)
	if diff := cmp.Diff([]string{"stash@{0}", "stash@{1}"}, valuesOf(a)); diff != "" {
		t.Fatal(diff)
	}
	if !strings.HasPrefix(a.Values[0].Description, "On main: newer") || a.Values[0].Weight <= a.Values[1].Weight {
		t.Errorf("%+v", a.Values)
	}
	tree := filepath.Dir(dir) + "/near"
	gitRun(t, dir, "worktree", "add", "-q", "-b", "side", tree)
	a = ask(t, "git:worktrees", dir, "", 0)
	if diff := cmp.Diff([]string{".", "../near"}, valuesOf(a)); diff != "" {
		t.Error(diff)
	}
	if a.Values[1].Description != "side" {
		t.Errorf("%+v", a.Values[1])
	}
	for _, v := range ask(t, "git:linked-worktrees", tree, "/", 0).Values {
		if strings.Contains(v.Description, "main work tree") {
			t.Errorf("git:linked-worktrees: %+v", v)
		}
	}
	a = ask(t, "git:worktrees", tree, "/", 0)
	if diff := cmp.Diff([]string{dir, tree}, valuesOf(a)); diff != "" {
		t.Error(diff)
	}
}

func TestGitAliases(t *testing.T) {
	dir := newRepo(t)
	home := t.TempDir()
	writeFile(t, home+"/.gitconfig", "[alias]\n\tst = status -sb\n\tco = checkout\n[include]\n\tpath = more\n[includeIf \"gitdir:"+dir+"/\"]\n\tpath = ~/here\n[includeIf \"gitdir:/elsewhere/\"]\n\tpath = ~/not\n")
	writeFile(t, home+"/more", "[alias]\n\tlg = \"log --graph; x\"\n[include]\n\tpath = more\n")
	writeFile(t, home+"/here", "[alias]\n\there = !echo here\n")
	writeFile(t, home+"/not", "[alias]\n\tnot = x\n")
	gitRun(t, dir, "config", "alias.st", "status")
	env := func(name string) string {
		switch name {
		case "HOME":
			return home
		case "GIT_CONFIG_GLOBAL":
			return ""
		}
		return gitEnv(name)
	}
	a := resolvertest.Resolve(t.Context(), resolvers.Request{Name: "git:aliases", Dir: dir, Getenv: env})
	if diff := cmp.Diff([]string{"co", "here", "lg", "st"}, sortedValues(a)); diff != "" {
		t.Error(diff)
	}
	for name, want := range map[string]string{"st": "status", "lg": "log --graph; x", "here": "!echo here", "nope": ""} {
		if got, ok := GitAlias(dir, env, name); got != want || ok != (want != "") {
			t.Errorf("%s: got %q %v, want %q", name, got, ok, want)
		}
	}
	if got, _ := GitAlias(home, env, "st"); got != "status -sb" {
		t.Errorf("outside a repository: %q", got)
	}
}

func TestGitOwner(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root to give a repository away")
	}
	dir := newRepo(t)
	if err := os.Chown(dir+"/.git", 12345, -1); err != nil {
		t.Fatal(err)
	}
	resolve := func(extra ...string) resolvers.Answer {
		return resolvertest.Resolve(t.Context(), resolvers.Request{Name: "git:branches", Dir: dir, Getenv: func(name string) string {
			for i := 0; i < len(extra); i += 2 {
				if extra[i] == name {
					return extra[i+1]
				}
			}
			return gitEnv(name)
		}})
	}
	if a := resolve(); a.State != resolvers.Failed || !strings.Contains(a.Message, "safe.directory") || len(a.Values) > 0 {
		t.Errorf("another owner: %+v", a)
	}
	// The repository cannot vouch for itself.
	gitRun(t, dir, "--git-dir=.git", "config", "safe.directory", "*")
	if a := resolve(); a.State != resolvers.Failed {
		t.Errorf("safe.directory of the repository: %+v", a)
	}
	if a := resolve("SUDO_UID", "12345"); a.State != resolvers.Fresh {
		t.Errorf("sudo: %+v", a)
	}
	user := t.TempDir() + "/config"
	for value, safe := range map[string]bool{dir: true, "*": true, filepath.Dir(dir) + "/*": true, dir + "/sub": false, "/other": false} {
		writeFile(t, user, "[safe]\n\tdirectory = "+value+"\n")
		if a := resolve("GIT_CONFIG_GLOBAL", user); (a.State == resolvers.Fresh) != safe {
			t.Errorf("safe.directory %q: %+v", value, a)
		}
	}
}

func TestGitForeignFormatAsksGit(t *testing.T) {
	dir := newRepo(t)
	gitRun(t, dir, "branch", "topic")
	gitRun(t, dir, "config", "core.repositoryformatversion", "1")
	gitRun(t, dir, "config", "extensions.preciousObjects", "true")
	if got := sortedValues(ask(t, "git:branches", dir, "", 0)); !cmp.Equal(got, []string{"main", "topic"}) {
		t.Errorf("known extension: %q", got)
	}
	repo, err := openGit(resolvers.Request{Dir: dir, Getenv: gitEnv})
	if err != nil {
		t.Fatal(err)
	}
	repo.foreign = "a test"
	a := askGit(t.Context(), resolvers.Request{Name: "git:branches", Dir: dir, Getenv: gitEnv, Filter: resolvers.Filter{Text: "t"}, Limit: 5}, repo, []string{"refs/heads/"})
	if got := valuesOf(a); a.State != resolvers.Fresh || !cmp.Equal(got, []string{"topic"}) {
		t.Errorf("asking git: %q %s", got, a.Message)
	}
	file, _ := os.ReadFile(dir + "/.git/config")
	writeFile(t, dir+"/.git/config", string(file)+"[extensions]\n\tunheardof = 1\n")
	if a := ask(t, "git:branches", dir, "", 0); a.State != resolvers.Failed || !strings.Contains(a.Message, "unheardof") {
		t.Errorf("unknown extension: %+v", a)
	}
}

func TestGitSHA256(t *testing.T) {
	dir := t.TempDir()
	gitRun(t, dir, "init", "-q", "--object-format=sha256")
	gitRun(t, dir, "commit", "-q", "--allow-empty", "-m", "x")
	gitRun(t, dir, "branch", "topic")
	compareRefs(t, dir)
	gitRun(t, dir, "pack-refs", "--all")
	compareRefs(t, dir)
}
