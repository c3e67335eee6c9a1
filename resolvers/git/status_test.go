package git

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/tool-mapping-protocol/tmp/resolvers"
)

// nulPaths splits what git prints with -z.
func nulPaths(out string) []string {
	if out == "" {
		return nil
	}
	names := strings.Split(strings.TrimSuffix(out, "\x00"), "\x00")
	slices.Sort(names)
	return slices.Compact(names)
}

// compareStatus holds the resolvers of one directory against git.
func compareStatus(t *testing.T, dir, what string) {
	t.Helper()
	check := func(name string, want []string) {
		t.Helper()
		a := ask(t, name, dir, "", 0)
		if a.State != resolvers.Fresh {
			t.Errorf("%s: %s: %s %s", what, name, a.State, a.Message)
		}
		if diff := cmp.Diff(want, sortedValues(a)); diff != "" {
			t.Errorf("%s: %s (-git +ours):\n%s\n%s", what, name, diff, gitRun(t, dir, "status", "--short"))
		}
	}
	// Ours first: git status would refresh the index.
	modified := sortedValues(ask(t, "git:modified", dir, "", 0))
	check("git:untracked", nulPaths(gitRun(t, dir, "ls-files", "-z", "-o", "--exclude-standard")))
	root := strings.TrimSpace(gitRun(t, dir, "rev-parse", "--show-toplevel"))
	rel, _ := filepath.Rel(root, dir)
	prefix := strings.TrimPrefix(rel+"/", "./")
	relative := func(paths []string) []string {
		for i := range paths {
			paths[i] = relativeTo(prefix, paths[i])
		}
		slices.Sort(paths)
		return paths
	}
	check("git:staged", relative(nulPaths(gitRun(t, root, "diff", "-z", "--cached", "--name-only", "--no-renames", "--ignore-submodules=none"))))
	if diff := cmp.Diff(relative(nulPaths(gitRun(t, root, "ls-files", "-z", "-m"))), modified); diff != "" {
		t.Errorf("%s: git:modified (-git +ours):\n%s", what, diff)
	}
}

func TestGitStatusAgainstGit(t *testing.T) {
	rounds := 12
	if testing.Short() {
		rounds = 3
	}
	for seed := range uint64(rounds) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { randomStatus(t, rand.New(rand.NewPCG(seed, 7))) })
	}
}

func randomStatus(t *testing.T, r *rand.Rand) {
	dir := newRepo(t)
	switch r.IntN(4) {
	case 0:
		gitRun(t, dir, "config", "index.version", "4")
	case 1:
		gitRun(t, dir, "config", "core.splitIndex", "true")
	case 2:
		gitRun(t, dir, "config", "index.skipHash", "true")
	}
	names := []string{"a", "a-b", "a.txt", "dir/a", "dir/b.log", "dir/sub/c", "dir-x", "e/f/g/h", "x y", "ü", "build/out.o", "[z]", "dir/deep/er/file.txt"}
	path := func() string { return dir + "/" + names[r.IntN(len(names))] }
	for _, n := range names {
		if r.IntN(3) > 0 {
			writeFile(t, dir+"/"+n, "one\n"+n)
		}
	}
	writeFile(t, dir+"/.gitignore", "*.log\n/build/\n!dir/keep.log\ne/**/h2\n")
	gitRun(t, dir, "add", "-A")
	gitRun(t, dir, "commit", "-q", "--allow-empty", "-m", "base")
	if r.IntN(2) == 0 {
		gitRun(t, dir, "gc", "-q")
	}
	compareStatus(t, dir, "committed")
	for range 12 {
		p := path()
		switch r.IntN(7) {
		case 0:
			if st, err := os.Stat(p); err != nil || !st.IsDir() {
				_ = os.MkdirAll(filepath.Dir(p), 0o755)
				_ = os.WriteFile(p, []byte(fmt.Sprint(r.IntN(5), "\n", p)), 0o644)
			}
		case 1:
			_ = os.Remove(p)
		case 2:
			_ = os.Chmod(p, 0o755)
		case 3:
			_ = os.WriteFile(p+[]string{".new", ".log", "2"}[r.IntN(3)], []byte("new"), 0o644)
		case 4:
			_ = os.Chtimes(p, time.Now(), time.Now().Add(-time.Duration(r.IntN(1000))*time.Second))
		case 5:
			if _, err := os.Lstat(p); err == nil {
				gitRun(t, dir, "add", "-A", "-f", "--", strings.TrimPrefix(p, dir+"/"))
			}
		case 6:
			_ = os.Remove(p)
			_ = os.Symlink("a", p)
		}
	}
	compareStatus(t, dir, "changed")
	if _, err := os.Stat(dir + "/dir"); err == nil {
		compareStatus(t, dir+"/dir", "in dir")
	}
	gitRun(t, dir, "add", "-A")
	compareStatus(t, dir, "all added")
	gitRun(t, dir, "commit", "-q", "--allow-empty", "-m", "second")
	gitRun(t, dir, "gc", "-q")
	gitRun(t, dir, "rm", "-r", "-q", "--cached", ".")
	compareStatus(t, dir, "nothing tracked")
}

func TestGitStatusSpecialEntries(t *testing.T) {
	dir := newRepo(t)
	for _, n := range []string{"skip", "assume", "plain", "sub/x", "sub/y", "conflict"} {
		writeFile(t, dir+"/"+n, n)
	}
	other := newRepo(t)
	gitRun(t, dir, "submodule", "--quiet", "add", other, "module")
	gitRun(t, dir, "add", "-A")
	gitRun(t, dir, "commit", "-q", "-m", "x")
	gitRun(t, dir, "update-index", "--skip-worktree", "skip")
	gitRun(t, dir, "update-index", "--assume-unchanged", "assume")
	writeFile(t, dir+"/skip", "changed")
	writeFile(t, dir+"/assume", "changed")
	writeFile(t, dir+"/ita", "new")
	gitRun(t, dir, "add", "-N", "ita")
	compareStatus(t, dir, "flags")
	gitRun(t, dir+"/module", "commit", "-q", "--allow-empty", "-m", "y")
	compareStatus(t, dir, "submodule moved")
	gitRun(t, filepath.Dir(dir), "clone", "-q", other, dir+"/nested/repo")
	compareStatus(t, dir, "nested repository")
	if got := valuesOf(ask(t, "git:submodules", dir, "", 0)); !cmp.Equal(got, []string{"module"}) {
		t.Errorf("submodules: %q", got)
	}
	gitRun(t, dir, "checkout", "-q", "-b", "side")
	writeFile(t, dir+"/conflict", "side")
	gitRun(t, dir, "commit", "-q", "-m", "side", "conflict")
	gitRun(t, dir, "checkout", "-q", "main")
	writeFile(t, dir+"/conflict", "main")
	gitRun(t, dir, "commit", "-q", "-m", "main", "conflict")
	_ = conflictingMerge(dir)
	compareStatus(t, dir, "merge conflict")
}

func TestGitFiles(t *testing.T) {
	dir := newRepo(t)
	for _, n := range []string{"a", "src/b", "src/lib/c", "src/lib/d", "src2"} {
		writeFile(t, dir+"/"+n, n)
	}
	gitRun(t, dir, "add", "-A")
	for _, c := range []struct {
		dir, text string
		want      []string
	}{
		{"", "", []string{"a", "src/", "src2"}},
		{"", "s", []string{"src/", "src2"}},
		{"", "src/", []string{"src/b", "src/lib/"}},
		{"", "./src/l", []string{"./src/lib/"}},
		{"", "src/lib/c", []string{"src/lib/c"}},
		{"/src", "", []string{"b", "lib/"}},
		{"/src", "../", []string{"../a", "../src2"}},
		{"/src/lib", "../../s", []string{"../../src2"}},
	} {
		if diff := cmp.Diff(c.want, valuesOf(ask(t, "git:files", dir+c.dir, c.text, 0))); diff != "" {
			t.Errorf("%q in %q:\n%s", c.text, c.dir, diff)
		}
	}
}

func TestRelativeTo(t *testing.T) {
	for _, c := range []struct{ prefix, path, want string }{
		{"", "a/b", "a/b"}, {"a/", "a/b", "b"}, {"a/", "b", "../b"}, {"a/b/", "a/c", "../c"}, {"ab/", "ac", "../ac"}, {"a/b/c/", "x/y", "../../../x/y"},
	} {
		if got := relativeTo(c.prefix, c.path); got != c.want {
			t.Errorf("relativeTo(%q, %q) = %q, want %q", c.prefix, c.path, got, c.want)
		}
	}
}
