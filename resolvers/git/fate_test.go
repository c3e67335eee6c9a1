package git

import (
	"context"
	"os"
	"path/filepath"
	"testing"
)

func TestGitFate(t *testing.T) {
	dir := newRepo(t)
	at := func(name string) string { return filepath.Join(dir, name) }
	writeFile(t, at(".gitignore"), "node_modules/\n*.o\n.env\n/deps\nbuilt/\n")
	for _, name := range []string{"clean", "changed", "staged", "src/a", "src/sub/b", "mixed/kept", "built/forced", "exec", "assumed", "-", "ünï"} {
		writeFile(t, at(name), name)
	}
	gitRun(t, dir, "add", "-f", ".")
	gitRun(t, dir, "commit", "-q", "-m", "files")
	writeFile(t, at("changed"), "other")
	writeFile(t, at("staged"), "more")
	gitRun(t, dir, "add", "staged")
	writeFile(t, at("staged-new"), "x")
	gitRun(t, dir, "add", "staged-new")
	writeFile(t, at("intent"), "x")
	gitRun(t, dir, "add", "-N", "intent")
	gitRun(t, dir, "update-index", "--assume-unchanged", "assumed")
	writeFile(t, at("assumed"), "lost")
	if err := os.Chmod(at("exec"), 0o755); err != nil {
		t.Fatal(err)
	}
	writeFile(t, at("untracked"), "x")
	writeFile(t, at(".env"), "secret")
	writeFile(t, at("a.o"), "x")
	writeFile(t, at("node_modules/x/index.js"), "x")
	writeFile(t, at("deps/x"), "x")
	writeFile(t, at("mixed/new"), "x")
	writeFile(t, at("mixed/node_modules/y"), "x")
	writeFile(t, at("pkg/node_modules/y"), "x")
	writeFile(t, at("pkg/x.o"), "x")
	writeFile(t, at("built/rest"), "x")
	gitRun(t, dir, "init", "-q", "other")
	writeFile(t, at("other/x"), "x")
	if err := os.Symlink("/etc", at("link")); err != nil {
		t.Fatal(err)
	}
	w, err := OpenWork(context.Background(), filepath.Join(dir, "src"), gitEnv)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	rebuilt := func(name string, isDir bool) bool {
		return isDir && name == "node_modules" || !isDir && filepath.Ext(name) == ".o"
	}
	for _, tc := range []struct {
		path             string
		tracked, rebuilt int
		lost, why        string
	}{
		{"clean", 1, 0, "", ""},
		{"-", 1, 0, "", ""},
		{"ünï", 1, 0, "", ""},
		{"src", 2, 0, "", ""},
		{"src/sub/b", 1, 0, "", ""},
		{"changed", 0, 0, "changed", "changed"},
		{"exec", 0, 0, "exec", "changed"},
		{"staged", 0, 0, "staged", "staged"},
		{"staged-new", 0, 0, "staged-new", "staged"},
		{"intent", 0, 0, "intent", "not watched by git"},
		{"assumed", 0, 0, "assumed", "not watched by git"},
		{"untracked", 0, 0, "untracked", "not in git"},
		{"link", 0, 0, "link", "not in git"},
		{"nowhere", 0, 0, "nowhere", "not there"},
		{"nowhere/x", 0, 0, "nowhere/x", "not there"},
		{".env", 0, 0, ".env", "ignored by git"},
		{"a.o", 0, 1, "", ""},
		{"node_modules", 0, 1, "", ""},
		{"node_modules/x/index.js", 0, 1, "", ""},
		{"pkg", 0, 2, "", ""},
		{"deps", 0, 0, "deps", "ignored by git"},
		{"deps/x", 0, 0, "deps", "ignored by git"},
		{"built/forced", 1, 0, "", ""},
		{"other", 0, 0, "other", "another repository"},
		{"other/x", 0, 0, "other/x", "in another repository"},
		{".git", 0, 0, ".git", "the repository itself"},
		{".git/config", 0, 0, ".git/config", "in another repository"},
		{".", 0, 0, ".", "the repository itself"},
	} {
		got := w.Fate(tc.path, rebuilt)
		if want := (Fate{tc.tracked, tc.rebuilt, tc.lost, tc.why}); got != want {
			t.Errorf("%s: got %+v, want %+v", tc.path, got, want)
		}
	}
	// What is lost of a directory is any of its files that git does not have.
	for _, path := range []string{"mixed", "built"} {
		if got := w.Fate(path, rebuilt); got.Lost == "" {
			t.Errorf("%s: %+v", path, got)
		}
	}
}

// A file written in the moment the index was, of the same size, is not believed
// to be unchanged on the word of its times.
func TestGitFateRacy(t *testing.T) {
	dir := newRepo(t)
	file := filepath.Join(dir, "f")
	for range 20 {
		writeFile(t, file, "one")
		gitRun(t, dir, "add", "f")
		gitRun(t, dir, "commit", "-q", "--allow-empty", "-m", "x")
		writeFile(t, file, "two")
		w, err := OpenWork(context.Background(), dir, gitEnv)
		if err != nil {
			t.Fatal(err)
		}
		if got := w.Fate("f", nil); got.Why != "changed" {
			t.Errorf("%+v", got)
		}
		w.Close()
	}
}

func TestGitClean(t *testing.T) {
	dir := newRepo(t)
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, name := range []string{"a", "d/b", "e/c"} {
		writeFile(t, at(name), name)
	}
	gitRun(t, dir, "add", ".")
	gitRun(t, dir, "commit", "-q", "-m", "files")
	check := func(want map[string]bool) {
		t.Helper()
		w, err := OpenWork(context.Background(), dir, gitEnv)
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		for path, clean := range want {
			if w.Clean(path) != clean {
				t.Errorf("%q: not %v", path, clean)
			}
		}
	}
	check(map[string]bool{"": true, "a": true, "d": true, "nothing": false})
	writeFile(t, at("untracked"), "x")
	check(map[string]bool{"": true, "untracked": false})
	writeFile(t, at("d/b"), "other")
	check(map[string]bool{"": false, "a": true, "d": false, "d/b": false, "e": true})
	gitRun(t, dir, "add", "d/b")
	check(map[string]bool{"": false, "d/b": false, "e": true})
	gitRun(t, dir, "commit", "-q", "-m", "more")
	gitRun(t, dir, "rm", "-q", "--cached", "e/c")
	check(map[string]bool{"": false, "a": true, "e/c": false})
}
