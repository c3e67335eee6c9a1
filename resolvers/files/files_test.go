package files

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tool-mapping-protocol/tmp/resolvers"
	"github.com/tool-mapping-protocol/tmp/resolvers/resolvertest"
)

func TestFiles(t *testing.T) {
	root := resolvertest.Tree(t, map[string]string{
		"a.json": "", "b.txt": "", "src/main.rs": "", "src/mod/": "", ".env": "", ".git/HEAD": "", "link": "-> src", "dangling": "-> nowhere",
		"~": "", "--": "", "a b": "", "[x]": "", "new\nline": "", "\xff\xfe": "", "Upper.JSON": "", "src/.hid": "", "self": "-> self",
	})
	for _, test := range []struct {
		name, text string
		mode       resolvers.Match
		want       []string
	}{
		{"files", "", resolvers.Prefix, []string{"--", "Upper.JSON", "[x]", "a b", "a.json", "b.txt", "dangling", "link/", "new\nline", "self", "src/", "~", "\xff\xfe"}},
		{"files", "a", resolvers.Prefix, []string{"a b", "a.json"}},
		{"files", ".", resolvers.Prefix, []string{"../", "./", ".env", ".git/"}},
		{"files", "..", resolvers.Prefix, []string{"../"}},
		{"files", ".e", resolvers.Prefix, []string{".env"}},
		{"files", "src/", resolvers.Prefix, []string{"src/main.rs", "src/mod/"}},
		{"files", "src/.h", resolvers.Prefix, []string{"src/.hid"}},
		{"files", "./src/m", resolvers.Prefix, []string{"./src/main.rs", "./src/mod/"}},
		{"files", "src/../a", resolvers.Prefix, []string{"src/../a b", "src/../a.json"}},
		{"files", root + "/sr", resolvers.Prefix, []string{root + "/src/"}},
		{"files", "link/ma", resolvers.Prefix, []string{"link/main.rs"}},
		{"files", "u", resolvers.Prefix, []string{}},
		{"files", "u", resolvers.SmartCase, []string{"Upper.JSON"}},
		{"files", "src/AIN", resolvers.Substring, []string{}},
		{"files", "src/ain", resolvers.Substring, []string{"src/main.rs"}},
		{"files", "jsn", resolvers.Subsequence, []string{"Upper.JSON", "a.json"}},
		{"files:*.json", "", resolvers.Prefix, []string{"a.json", "link/", "src/"}},
		{"files:*.rs", "src/", resolvers.Prefix, []string{"src/main.rs", "src/mod/"}},
		{"dirs", "", resolvers.Prefix, []string{"link/", "src/"}},
		{"dirs", "src/m", resolvers.Prefix, []string{"src/mod/"}},
	} {
		a := resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: test.name, Dir: root, Filter: resolvers.Filter{Text: test.text, Mode: test.mode}})
		resolvertest.Equal(t, fmt.Sprintf("%s %q %d", test.name, test.text, test.mode), resolvertest.Texts(a), test.want)
		for _, v := range a.Values {
			if dir := v.Value[len(v.Value)-1] == '/'; v.Partial != dir || (v.Kind == "directory") != dir {
				t.Errorf("%+v", v)
			}
		}
	}
}

func TestFilesFailures(t *testing.T) {
	root := resolvertest.Tree(t, map[string]string{"file": "", "gone/": "", "loop": "-> loop"})
	if err := os.Remove(filepath.Join(root, "gone")); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(root, "fifo"), 0o600); err != nil {
		t.Fatal(err)
	}
	resolvertest.Expect(t, resolvers.Failed, resolvers.Request{Name: "files", Dir: filepath.Join(root, "gone")})
	// Paths that lead nowhere are no failures: there is nothing.
	for _, text := range []string{"file/", "fifo/", "nowhere/x", "loop/", strings.Repeat("n", 300) + "/", strings.Repeat("d/", 3000)} {
		a := resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: "files", Dir: root, Filter: resolvers.Filter{Text: text}})
		if len(a.Values) > 0 || a.Message != "" {
			t.Errorf("%.20s: %q, message %q", text, resolvertest.Texts(a), a.Message)
		}
	}
	resolvertest.Expect(t, resolvers.Failed, resolvers.Request{Name: "files"})
	resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: "files", Filter: resolvers.Filter{Text: root + "/"}})
	ctx, cancel := context.WithTimeout(context.Background(), time.Nanosecond)
	defer cancel()
	time.Sleep(time.Millisecond)
	if a := resolvertest.Resolve(ctx, resolvers.Request{Name: "files", Dir: root}); a.State != resolvers.Timeout || a.Message == "" {
		t.Errorf("past the deadline: %+v", a)
	}
}

// manyFiles is a directory with n files.
func manyFiles(t testing.TB, n int) string {
	root := t.TempDir()
	for i := range n {
		f, err := os.Create(fmt.Sprintf("%s/file%06d", root, i*7919%n))
		if err != nil {
			t.Fatal(err)
		}
		f.Close()
	}
	return root
}

func TestFilesLimit(t *testing.T) {
	root := manyFiles(t, 3000)
	a := resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: "files", Dir: root, Limit: 5})
	resolvertest.Equal(t, "limited", resolvertest.Texts(a), resolvertest.Words("file000000 file000001 file000002 file000003 file000004"))
	if a.Omitted != 2995 {
		t.Errorf("omitted %d, want 2995", a.Omitted)
	}
	a = resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: "files", Dir: root})
	if len(a.Values) != 3000 || a.Omitted != 0 {
		t.Errorf("%d values, %d omitted", len(a.Values), a.Omitted)
	}
}

func BenchmarkFiles100k(b *testing.B) {
	root := manyFiles(b, 100_000)
	for _, text := range []string{"", "file0999", "zzz"} {
		b.Run("text="+text, func(b *testing.B) {
			for b.Loop() {
				resolvertest.Expect(b, resolvers.Fresh, resolvers.Request{Name: "files", Dir: root, Limit: 200, Filter: resolvers.Filter{Text: text}})
			}
		})
	}
}
