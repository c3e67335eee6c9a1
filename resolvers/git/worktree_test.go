package git

import (
	"context"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tool-mapping-protocol/tmp/resolvers"
	"github.com/tool-mapping-protocol/tmp/resolvers/resolvertest"
)

// compareAddable holds git:addable against what git says that it would add, and
// the folders against the files.
func compareAddable(t *testing.T, dir, what string) {
	t.Helper()
	var files, folders []string
	for _, v := range ask(t, "git:addable", dir, "", 0).Values {
		switch {
		case strings.HasPrefix(v.Value, "../"): // git lists what is here
		case v.Partial:
			folders = append(folders, v.Value)
		default:
			files = append(files, v.Value)
		}
	}
	want := nulPaths(gitRun(t, dir, "ls-files", "-z", "-o", "-m", "--exclude-standard"))
	slices.Sort(files)
	if diff := cmp.Diff(want, files); diff != "" {
		t.Errorf("%s: git:addable (-git +ours):\n%s\n%s", what, diff, gitRun(t, dir, "status", "--short"))
	}
	var holders []string
	for _, path := range want {
		if dir, rest, ok := strings.Cut(path, "/"); ok && rest != "" {
			holders = append(holders, dir+"/")
		}
	}
	slices.Sort(holders)
	if diff := cmp.Diff(slices.Compact(holders), folders); diff != "" {
		t.Errorf("%s: folders (-git +ours):\n%s", what, diff)
	}
}

// What git add offers is what it would add: nothing unmodified, nothing ignored,
// no folder without such.
func TestGitAddable(t *testing.T) {
	dir := newRepo(t)
	for _, n := range []string{"same", "src/a", "src/lib/b", "docs/d", "vendor/v", "deep/er/x", "link", "gone/g"} {
		writeFile(t, dir+"/"+n, n)
	}
	writeFile(t, dir+"/.gitignore", "build/\nnode_modules\n*.o\nvendor/\n")
	gitRun(t, dir, "add", "-A", "-f")
	gitRun(t, dir, "commit", "-q", "-m", "x")
	compareAddable(t, dir, "nothing changed")
	for _, n := range []string{"build/out", "node_modules/m/i", "src/z.o", "vendor/new", "deep/new/y"} {
		writeFile(t, dir+"/"+n, "x")
	}
	writeFile(t, dir+"/src/lib/b", "changed")
	writeFile(t, dir+"/vendor/v", "changed though ignored")
	if err := os.MkdirAll(dir+"/empty/folder", 0o755); err != nil {
		t.Fatal(err)
	}
	for _, gone := range []string{"docs/d", "link", "gone"} {
		if err := os.RemoveAll(dir + "/" + gone); err != nil {
			t.Fatal(err)
		}
	}
	for from, to := range map[string]string{"link": "same", "gone": "src"} { // in the place of a file, of a directory
		if err := os.Symlink(to, dir+"/"+from); err != nil {
			t.Fatal(err)
		}
	}
	compareAddable(t, dir, "changed")
	compareAddable(t, dir+"/src", "in src")
	for text, want := range map[string]string{
		"s": "src/ src/lib/b", "src/": "src/lib/ src/lib/b", "src/lib/": "src/lib/b", "./s": "./src/ ./src/lib/b", "same": "", "b": "", "n": "",
		"deep/": "deep/new/ deep/new/y", "e": "", "src/z": "", "src/../d": "",
	} {
		if got := strings.Join(sortedValues(ask(t, "git:addable", dir, text, 0)), " "); got != want {
			t.Errorf("git add %s: %q, want %q", text, got, want)
		}
	}
	for line, want := range map[string]string{
		"git add -u":         "docs/ docs/d gone/ gone/g link src/ src/lib/ src/lib/b vendor/ vendor/v",
		"git add -N":         "deep/ deep/new/y gone",
		"git add --chmod=+x": "",
	} {
		r := resolvers.Request{Name: "git:addable", Dir: dir, Getenv: gitEnv, Words: resolvertest.Words(line)}
		got := strings.Join(sortedValues(resolvertest.Expect(t, resolvers.Fresh, r)), " ")
		want = strings.ReplaceAll(want, "src/lib/ ", "") // one level at a time
		if want == "" {
			want = strings.Join(sortedValues(ask(t, "git:files", dir, "", 0)), " ")
		}
		if got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
	r := resolvers.Request{Name: "git:addable", Dir: dir, Getenv: gitEnv, Words: resolvertest.Words("git add -f"), Filter: resolvers.Filter{Text: "b"}}
	if got := strings.Join(sortedValues(resolvertest.Expect(t, resolvers.Fresh, r)), " "); got != "build/" {
		t.Errorf("git add -f b: %q", got)
	}
}

// The same over any change.
func TestGitAddableAgainstGit(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 9))
	dir := newRepo(t)
	names := []string{"a", "a-b", "a/x", "a.txt", "b/c/d", "b/c/e", "b/f.log", "x/y/z", "x y/q", "build/o"}
	writeFile(t, dir+"/.gitignore", "*.log\nbuild/\n")
	for i := range 40 {
		p := dir + "/" + names[r.IntN(len(names))]
		switch r.IntN(6) {
		case 0, 1, 2:
			if os.MkdirAll(filepath.Dir(p), 0o755) == nil {
				_ = os.WriteFile(p, []byte(fmt.Sprint(i)), 0o644)
			}
		case 3:
			_ = os.RemoveAll(p)
		case 4:
			if filepath.Dir(p) != dir {
				_ = os.RemoveAll(filepath.Dir(p))
			}
		case 5:
			gitRun(t, dir, "add", "-A")
		}
		compareAddable(t, dir, fmt.Sprint("step ", i))
	}
}

// An index of which only a window is in memory gives what one gives that is read
// as a whole, in every version.
func TestIndexCursor(t *testing.T) {
	var input strings.Builder
	for i := range 9000 {
		fmt.Fprintf(&input, "100644 %040x\tdir%03d/%s/file-%05d.go\n", i+1, i/100, strings.Repeat("s", 1+i%90), i)
	}
	dir := newRepo(t)
	for _, version := range []string{"2", "4"} {
		gitRun(t, dir, "read-tree", "--empty")
		gitInput(t, dir, input.String(), "update-index", "--index-version", version, "--index-info")
		repo, err := openGit(resolvers.Request{Dir: dir, Getenv: gitEnv})
		if err != nil {
			t.Fatal(err)
		}
		st, err := os.Stat(dir + "/.git/index")
		if err != nil || version == "2" && st.Size() <= wholeIndex {
			t.Fatal(err, st)
		}
		ix, err := openIndex(repo)
		if err != nil || len(ix.entries) != 9000 {
			t.Fatal(err)
		}
		c, _, err := openCursor(repo, false)
		if err != nil {
			t.Fatal(err)
		}
		for i := range ix.entries {
			e, err := c.next()
			if err != nil || e == nil {
				t.Fatal(version, i, err)
			}
			if w := &ix.entries[i]; e.path != w.path || string(e.stat) != string(w.stat) || e.mode != w.mode || e.flags != w.flags || e.extra != w.extra {
				t.Fatalf("version %s, entry %d: %+v, want %+v", version, i, e, w)
			}
		}
		if e, err := c.next(); e != nil || err != nil {
			t.Errorf("behind the last: %+v, %v", e, err)
		}
		c.close()
		a := ask(t, "git:modified", dir, "", 0)
		if len(a.Values) != 9000 || a.Values[0].Description != "deleted" {
			t.Errorf("version %s: %d deleted of 9000, %s", version, len(a.Values), a.Message)
		}
	}
	gitRun(t, dir, "update-index", "--index-version", "2", "--split-index")
	if a := ask(t, "git:modified", dir, "", 0); len(a.Values) != 9000 {
		t.Errorf("split: %d deleted of 9000, %s", len(a.Values), a.Message)
	}
	// One that ends too early is said to.
	gitRun(t, dir, "update-index", "--no-split-index")
	data, err := os.ReadFile(dir + "/.git/index")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(dir+"/.git/index", data[:len(data)*2/3], fs.FileMode(0o644)); err != nil {
		t.Fatal(err)
	}
	if a := ask(t, "git:modified", dir, "", 0); a.State != resolvers.Failed || a.Message == "" {
		t.Errorf("cut: %s %q with %d values", a.State, a.Message, len(a.Values))
	}
}

// In a large work tree an earlier answer stands in where a new one takes too long,
// as long as the index is the same, and a new one is looked for once.
func TestKeptWalk(t *testing.T) {
	var input strings.Builder
	for i := range 14000 {
		fmt.Fprintf(&input, "100644 %040x\tdir%03d/file-%05d.go\n", i+1, i/100, i)
	}
	dir := newRepo(t)
	gitInput(t, dir, input.String(), "update-index", "--index-info")
	asked := 0
	r := resolvers.Request{Name: "git:modified", Dir: dir, Getenv: gitEnv, CacheDir: t.TempDir(), Again: func(again resolvers.Request) error {
		asked++
		if again.Name != "git:modified" || again.Dir != dir || again.Again != nil {
			t.Errorf("asks again for %+v", again)
		}
		return nil
	}}
	late, cancel := context.WithTimeout(context.Background(), -1)
	defer cancel()
	if a := resolvertest.Resolve(late, r); a.State != resolvers.Timeout || asked != 1 {
		t.Errorf("with no earlier answer: %s, asked %d times", a.State, asked)
	}
	if a := resolvertest.Resolve(late, r); a.State != resolvers.Timeout || asked != 1 {
		t.Errorf("while it is being asked: %s, asked %d times", a.State, asked)
	}
	background := r
	background.Again = nil
	resolvertest.Table.LookAgain(background)
	a := resolvertest.Resolve(late, r)
	if a.State != resolvers.Stale || a.Message == "" || len(a.Values) != 14000 || a.Values[0].Description != "deleted" || asked != 2 {
		t.Errorf("earlier answer: %s %q, %d values, asked %d times", a.State, a.Message, len(a.Values), asked)
	}
	r.Filter.Text = "dir139/file-1399"
	if a := resolvertest.Resolve(late, r); a.State != resolvers.Stale || len(a.Values) != 10 {
		t.Errorf("with a text: %s, %q", a.State, resolvertest.Texts(a))
	}
	if a := resolvertest.Resolve(t.Context(), background); a.State != resolvers.Fresh {
		t.Errorf("who can wait gets %s", a.State)
	}
	gitRun(t, dir, "update-index", "--force-remove", "dir139/file-13999.go")
	if a := resolvertest.Resolve(late, r); a.State != resolvers.Timeout {
		t.Errorf("of another index: %s, %d values", a.State, len(a.Values))
	}
	files, _ := filepath.Glob(filepath.Join(r.CacheDir, "work-*"))
	for _, f := range files {
		if st, err := os.Stat(f); err != nil || st.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", f, st, err)
		}
	}
}
