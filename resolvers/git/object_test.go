package git

import (
	"bytes"
	"compress/zlib"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	git "github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/google/go-cmp/cmp"
	"github.com/tool-mapping-protocol/tmp/internal/inflate"
	"github.com/tool-mapping-protocol/tmp/resolvers"
)

func deflated(t testing.TB, data []byte, level int) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := zlib.NewWriterLevel(&b, level)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = w.Write(data)
	_ = w.Close()
	return b.Bytes()
}

func TestInflate(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 2, 100, 5000, 70000, 300000} {
		noise, text := make([]byte, n), make([]byte, n)
		for i := range noise {
			noise[i], text[i] = byte(r.Uint32()), "abcdeff "[r.IntN(8)]
		}
		for _, data := range [][]byte{noise, text, bytes.Repeat([]byte("x"), n)} {
			for _, level := range []int{zlib.NoCompression, zlib.BestSpeed, zlib.DefaultCompression, zlib.HuffmanOnly} {
				packed := deflated(t, data, level)
				got, err := inflate.Zlib(packed, n, n)
				if err != nil || !bytes.Equal(got, data) {
					t.Fatalf("%d bytes, level %d: %v", n, level, err)
				}
				if n > 0 {
					if _, err := inflate.Zlib(packed, 0, n-1); err == nil {
						t.Errorf("%d bytes pass a limit of %d", n, n-1)
					}
					if _, err := inflate.Zlib(packed[:len(packed)-5], n, n); err == nil && level != zlib.NoCompression {
						t.Errorf("%d bytes, level %d: a cut stream decodes", n, level)
					}
				}
			}
		}
	}
}

func FuzzInflate(f *testing.F) {
	f.Add(deflated(f, []byte("tree and commit"), zlib.BestSpeed))
	f.Add(deflated(f, bytes.Repeat([]byte("abc"), 1000), zlib.BestCompression))
	f.Add(deflated(f, []byte("x"), zlib.NoCompression))
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := inflate.Zlib(data, 0, 1<<20)
		if err != nil {
			return
		}
		r, err := zlib.NewReader(bytes.NewReader(data))
		if err != nil {
			t.Fatalf("the library refuses the header: %v", err)
		}
		want := make([]byte, len(got)+1)
		n := 0
		for n < len(want) {
			m, err := r.Read(want[n:])
			n += m
			if err != nil {
				break
			}
		}
		if !bytes.Equal(got, want[:n]) {
			t.Fatalf("got %d bytes, the library %d", len(got), n)
		}
	})
}

// historyRepo makes a history whose trees and commits end up as deltas.
func historyRepo(t testing.TB, commits int) string {
	t.Helper()
	dir := newRepo(t)
	var in strings.Builder
	for i := range commits {
		fmt.Fprintf(&in, "commit refs/heads/main\nmark :%d\ncommitter C <c@example.org> %d +0000\ndata <<EOF\nsubject %d\n\nbody\nEOF\n", i+1, 1700000000+i*60, i)
		if i > 0 {
			fmt.Fprintf(&in, "from :%d\n", i)
		}
		for j := range 40 {
			if i == 0 || j == i%40 {
				fmt.Fprintf(&in, "M 100644 inline dir/file-%02d\ndata <<EOF\ncontent %d of %d\nEOF\n", j, i, j)
			}
		}
		in.WriteString("\n")
	}
	gitInput(t, dir, in.String(), "fast-import", "--quiet", "--force")
	gitRun(t, dir, "reset", "-q", "--hard")
	return dir
}

func TestObjectsAgainstGoGit(t *testing.T) {
	dir := historyRepo(t, 60)
	for _, step := range [][]string{nil, {"gc", "-q", "--aggressive"}, {"-c", "pack.indexVersion=2", "-c", "pack.packSizeLimit=1m", "repack", "-a", "-d", "-q", "-f", "--depth=200"}} {
		if step != nil {
			gitRun(t, dir, step...)
		}
		oracle, err := git.PlainOpen(dir)
		if err != nil {
			t.Fatal(err)
		}
		repo, err := openGit(resolvers.Request{Dir: dir, Getenv: gitEnv})
		if err != nil {
			t.Fatal(err)
		}
		objects := openObjects(repo)
		defer objects.close()
		iter, err := oracle.CommitObjects()
		if err != nil {
			t.Fatal(err)
		}
		err = iter.ForEach(func(c *object.Commit) error {
			ours, err := objects.commit(c.Hash.String())
			if err != nil {
				return err
			}
			subject, _, _ := strings.Cut(c.Message, "\n")
			if ours.Tree != c.TreeHash.String() || ours.Subject != subject || ours.When != c.Committer.When.Unix() || len(ours.Parents) != len(c.ParentHashes) {
				t.Errorf("commit %s: %+v", c.Hash, ours)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
		trees, err := oracle.TreeObjects()
		if err != nil {
			t.Fatal(err)
		}
		err = trees.ForEach(func(want *object.Tree) error {
			got, err := objects.tree(want.Hash.String())
			if err != nil {
				return err
			}
			if len(got) != len(want.Entries) {
				t.Fatalf("tree %s: %d entries, want %d", want.Hash, len(got), len(want.Entries))
			}
			for i, e := range want.Entries {
				if got[i].Name != e.Name || hex.EncodeToString(got[i].ID) != e.Hash.String() || got[i].Mode != uint32(e.Mode) {
					t.Errorf("tree %s: entry %d is %+v, want %+v", want.Hash, i, got[i], e)
				}
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
		if _, _, err := objects.read(strings.Repeat("12", 20)); err == nil {
			t.Error("an object that is not there was found")
		}
	}
}

func TestGitCommits(t *testing.T) {
	dir := historyRepo(t, 60)
	a := ask(t, "git:commits", dir, "", 0)
	want := lines(gitRun(t, dir, "log", "-50", "--first-parent", "--format=%h %s", "--abbrev=12"))
	for i := range want {
		v := a.Values[i]
		subject, _, _ := strings.Cut(v.Description, ", ")
		if got := v.Value + " " + subject; got != want[i] {
			t.Errorf("commit %d: %q, want %q", i, got, want[i])
		}
	}
	gitRun(t, dir, "commit", "-q", "--allow-empty", "-m", "left behind")
	lost := strings.TrimSpace(gitRun(t, dir, "rev-parse", "--short=12", "HEAD"))
	gitRun(t, dir, "reset", "-q", "--hard", "HEAD~")
	if !slices.Contains(valuesOf(ask(t, "git:commits", dir, "", 0)), lost) {
		t.Errorf("the reflog's commit %s is missing", lost)
	}
	if got := valuesOf(ask(t, "git:commits", dir, "HEAD.."+lost[:6], 0)); !cmp.Equal(got, []string{"HEAD.." + lost}) {
		t.Errorf("range: %q", got)
	}
}

func TestRefsAgainstGoGit(t *testing.T) {
	dir := t.TempDir()
	oracle, err := git.PlainInit(dir, false)
	if err != nil {
		t.Fatal(err)
	}
	id := plumbing.NewHash("1234567890123456789012345678901234567890")
	for i := range 300 {
		name := plumbing.ReferenceName(fmt.Sprintf("refs/heads/%c/b-%d", 'a'+i%26, i))
		if err := oracle.Storer.SetReference(plumbing.NewHashReference(name, id)); err != nil {
			t.Fatal(err)
		}
		if i == 200 {
			if err := oracle.Storer.PackRefs(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := oracle.Storer.RemoveReference("refs/heads/a/b-0"); err != nil {
		t.Fatal(err)
	}
	iter, err := oracle.Branches()
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	_ = iter.ForEach(func(r *plumbing.Reference) error {
		want = append(want, strings.TrimPrefix(r.Name().String(), "refs/heads/"))
		return nil
	})
	slices.Sort(want)
	if diff := cmp.Diff(want, sortedValues(ask(t, "git:branches", dir, "", 0))); diff != "" {
		t.Error(diff)
	}
}
