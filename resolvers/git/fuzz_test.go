package git

import (
	"bytes"
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/resolvers"
)

func FuzzPackedRefs(f *testing.F) {
	id := strings.Repeat("a1", 20)
	f.Add([]byte("# pack-refs with: peeled fully-peeled sorted \n"+id+" refs/heads/a\n"+id+" refs/heads/b\n"+id+" refs/tags/t\n^"+id+"\n"), "a")
	f.Add([]byte(id+" refs/heads/z\n"+id+" refs/heads/b"), "")
	f.Add([]byte("# pack-refs with: sorted\n\n\n^\n"+strings.Repeat("x", 5000)+"\n"+id+" refs/heads/q\n"), "q")
	dir := f.TempDir()
	_ = os.MkdirAll(dir+"/refs/heads", 0o755)
	f.Fuzz(func(t *testing.T, data []byte, text string) {
		if err := os.WriteFile(dir+"/packed-refs", data, 0o644); err != nil {
			t.Fatal(err)
		}
		refs, err := openRefs(context.Background(), &gitRepo{gitDir: dir, commonDir: dir, hexLen: 40})
		if err != nil {
			return
		}
		defer refs.close()
		c := refs.cursor("refs/heads/", resolvers.Filter{Text: text})
		previous := ""
		for n := 0; ; n++ {
			name, _, ok := c.next()
			if !ok {
				break
			}
			if !strings.HasPrefix(string(name), text) || !validRefName("refs/heads/"+string(name)) {
				t.Fatalf("%q for %q", name, text)
			}
			if !bytes.Contains(data, name) || n > len(data) {
				t.Fatalf("%q is not in the file", name)
			}
			if refs.packed == nil || !refs.packed.sorted {
				if n > 0 && previous >= string(name) {
					t.Fatalf("%q after %q", name, previous)
				}
			}
			previous = string(name)
		}
	})
}

func FuzzIndex(f *testing.F) {
	dir := newRepo(f)
	for _, n := range []string{"a", "dir/b", "dir/sub/c"} {
		writeFile(f, dir+"/"+n, n)
	}
	for _, version := range []string{"2", "3", "4"} {
		gitRun(f, dir, "add", "-A")
		gitRun(f, dir, "write-tree")
		gitRun(f, dir, "update-index", "--index-version", version)
		data, err := os.ReadFile(dir + "/.git/index")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	gitRun(f, dir, "update-index", "--split-index")
	data, _ := os.ReadFile(dir + "/.git/index")
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		ix, err := parseIndex(data, 20)
		if err != nil {
			return
		}
		for i := range ix.entries {
			e := &ix.entries[i]
			_, _, _ = e.stage(), e.field(statSize), e.id()
		}
		if ix.link != nil {
			_ = ix.join(&gitIndex{entries: slices.Clone(ix.entries)})
		}
		ix.under("dir/")
	})
}

func FuzzConfig(f *testing.F) {
	f.Add("[core]\n\tbare = false\n[remote \"o\\\"x\"]\nurl = \"a b\" # c\n\tfetch = a\\\n b\n[alias.Sub]\nkey")
	f.Add("\xef\xbb\xbf[a]\r\nb = c\r\n")
	f.Fuzz(func(t *testing.T, text string) {
		_ = parseConfig(text, func(e configEntry) {
			if e.Section == "" || e.Key == "" || e.Section != strings.ToLower(e.Section) || e.Key != strings.ToLower(e.Key) || !e.Set && e.Value != "" {
				t.Fatalf("%+v", e)
			}
		})
	})
}

func FuzzIgnore(f *testing.F) {
	f.Add("*.o\n!a/**/b\n/x[a-z]\\ \n", "a/b/c.o")
	f.Add("**\n[[:alpha:]-]\n[]a]\n\\", "q")
	f.Fuzz(func(t *testing.T, text, path string) {
		file := parseIgnore(text, "")
		file.match(path, false)
		file.match(path, true)
	})
}

func FuzzRefName(f *testing.F) {
	f.Add("refs/heads/a")
	f.Add("refs/heads/a.lock/b")
	f.Fuzz(func(t *testing.T, name string) {
		if !validRefName(name) {
			return
		}
		if strings.Contains(name, "..") || strings.ContainsAny(name, " ~^:?*[\\\x7f\n\t") || strings.HasPrefix(name, "/") || strings.HasSuffix(name, ".lock") {
			t.Fatalf("%q", name)
		}
		for i := range name {
			if !refPrefixPossible(name[:i]) {
				t.Fatalf("%q is a ref, but %q begins none", name, name[:i])
			}
		}
	})
}
