package resolvers

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestFiles(t *testing.T) {
	root := tree(t, map[string]string{
		"a.json": "", "b.txt": "", "src/main.rs": "", "src/mod/": "", ".env": "", ".git/HEAD": "", "link": "-> src", "dangling": "-> nowhere",
		"~": "", "--": "", "a b": "", "[x]": "", "new\nline": "", "\xff\xfe": "", "Upper.JSON": "", "src/.hid": "", "self": "-> self",
	})
	for _, test := range []struct {
		name, text string
		mode       Match
		want       []string
	}{
		{"files", "", Prefix, []string{"--", "Upper.JSON", "[x]", "a b", "a.json", "b.txt", "dangling", "link/", "new\nline", "self", "src/", "~", "\xff\xfe"}},
		{"files", "a", Prefix, []string{"a b", "a.json"}},
		{"files", ".", Prefix, []string{"../", "./", ".env", ".git/"}},
		{"files", "..", Prefix, []string{"../"}},
		{"files", ".e", Prefix, []string{".env"}},
		{"files", "src/", Prefix, []string{"src/main.rs", "src/mod/"}},
		{"files", "src/.h", Prefix, []string{"src/.hid"}},
		{"files", "./src/m", Prefix, []string{"./src/main.rs", "./src/mod/"}},
		{"files", "src/../a", Prefix, []string{"src/../a b", "src/../a.json"}},
		{"files", root + "/sr", Prefix, []string{root + "/src/"}},
		{"files", "link/ma", Prefix, []string{"link/main.rs"}},
		{"files", "u", Prefix, []string{}},
		{"files", "u", SmartCase, []string{"Upper.JSON"}},
		{"files", "src/AIN", Substring, []string{}},
		{"files", "src/ain", Substring, []string{"src/main.rs"}},
		{"files", "jsn", Subsequence, []string{"Upper.JSON", "a.json"}},
		{"files:*.json", "", Prefix, []string{"a.json", "link/", "src/"}},
		{"files:*.rs", "src/", Prefix, []string{"src/main.rs", "src/mod/"}},
		{"dirs", "", Prefix, []string{"link/", "src/"}},
		{"dirs", "src/m", Prefix, []string{"src/mod/"}},
	} {
		a := expect(t, Fresh, Request{Name: test.name, Dir: root, Filter: Filter{Text: test.text, Mode: test.mode}})
		equal(t, fmt.Sprintf("%s %q %d", test.name, test.text, test.mode), texts(a), test.want)
		for _, v := range a.Values {
			if dir := v.Value[len(v.Value)-1] == '/'; v.Partial != dir || (v.Kind == "directory") != dir {
				t.Errorf("%+v", v)
			}
		}
	}
}

func TestFilesFailures(t *testing.T) {
	root := tree(t, map[string]string{"file": "", "gone/": "", "loop": "-> loop"})
	if err := os.Remove(filepath.Join(root, "gone")); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(root, "fifo"), 0o600); err != nil {
		t.Fatal(err)
	}
	expect(t, Failed, Request{Name: "files", Dir: filepath.Join(root, "gone")})
	// Paths that lead nowhere are no failures: there is nothing.
	for _, text := range []string{"file/", "fifo/", "nowhere/x", "loop/", strings.Repeat("n", 300) + "/", strings.Repeat("d/", 3000)} {
		a := expect(t, Fresh, Request{Name: "files", Dir: root, Filter: Filter{Text: text}})
		if len(a.Values) > 0 || a.Message != "" {
			t.Errorf("%.20s: %q, message %q", text, texts(a), a.Message)
		}
	}
	expect(t, Failed, Request{Name: "files"})
	expect(t, Fresh, Request{Name: "files", Filter: Filter{Text: root + "/"}})
	ctx, cancel := context.WithTimeout(context.Background(), time.Nanosecond)
	defer cancel()
	time.Sleep(time.Millisecond)
	if a := Resolve(ctx, Request{Name: "files", Dir: root}); a.State != Timeout || a.Message == "" {
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
	a := expect(t, Fresh, Request{Name: "files", Dir: root, Limit: 5})
	equal(t, "limited", texts(a), words("file000000 file000001 file000002 file000003 file000004"))
	if a.Omitted != 2995 {
		t.Errorf("omitted %d, want 2995", a.Omitted)
	}
	a = expect(t, Fresh, Request{Name: "files", Dir: root})
	if len(a.Values) != 3000 || a.Omitted != 0 {
		t.Errorf("%d values, %d omitted", len(a.Values), a.Omitted)
	}
}

func BenchmarkFiles100k(b *testing.B) {
	root := manyFiles(b, 100_000)
	for _, text := range []string{"", "file0999", "zzz"} {
		b.Run("text="+text, func(b *testing.B) {
			for b.Loop() {
				expect(b, Fresh, Request{Name: "files", Dir: root, Limit: 200, Filter: Filter{Text: text}})
			}
		})
	}
}
