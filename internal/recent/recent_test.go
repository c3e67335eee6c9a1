package recent

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/shline"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

var noon = time.Date(2030, 1, 2, 12, 0, 0, 0, time.UTC)

func note(t *testing.T, file string, when time.Time, marks ...Mark) {
	t.Helper()
	if err := Note(file, marks, when); err != nil {
		t.Fatal(err)
	}
}

// More uses, and later ones, rank higher; what was never used ranks 0.
func TestScores(t *testing.T) {
	file := filepath.Join(t.TempDir(), "state", "recent")
	for range 3 {
		note(t, file, noon.Add(-48*time.Hour), Mark{"/a", "git", "often"})
	}
	note(t, file, noon.Add(-48*time.Hour), Mark{"/a", "git", "old"})
	note(t, file, noon, Mark{"/a", "git", "now"}, Mark{"/a", "git", "src/"}, Mark{"/a", "git", "--x="})
	tab := Open(file, "/a", "git", noon.Add(time.Minute))
	var scores []int
	for _, w := range []string{"now", "often", "old", "never"} {
		scores = append(scores, tab.Score(w))
	}
	if !slices.Equal(scores, []int{16, 6, 2, 0}) {
		t.Errorf("scores %v", scores)
	}
	if tab.Score("src") == 0 || tab.Score("--x") == 0 {
		t.Error("a slash or = at the end makes another word")
	}
	for _, other := range []*Table{Open(file, "/b", "git", noon), Open(file, "/a", "git x", noon)} {
		if other.Score("now") != 0 {
			t.Error("known in another place")
		}
	}
}

// Nothing that was typed is in the file, others cannot read it, and it never
// grows beyond its bound; what is used again and again stays.
func TestFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "recent")
	for i := range 30_000 {
		note(t, file, noon.Add(time.Duration(i)*time.Minute), Mark{fmt.Sprint("/secret-directory/", i%500), "git checkout", fmt.Sprint("secret-branch-", i)})
		if i%50 == 0 {
			note(t, file, noon.Add(time.Duration(i)*time.Minute), Mark{"/secret-directory", "git", "status"})
		}
	}
	data, err := os.ReadFile(file)
	if err != nil || len(data) > pages*pageSize {
		t.Fatal(len(data), err)
	}
	if bytes.Contains(data, []byte("secret")) || bytes.Contains(data, []byte("git")) {
		t.Error("the file holds what was typed")
	}
	if st, _ := os.Stat(file); st.Mode().Perm() != 0o600 {
		t.Error(st.Mode())
	}
	end := noon.Add(30_000 * time.Minute)
	if Open(file, "/secret-directory", "git", end).Score("status") == 0 {
		t.Error("what is used often was forgotten")
	}
	if Open(file, fmt.Sprint("/secret-directory/", 29_999%500), "git checkout", end).Score("secret-branch-29999") == 0 {
		t.Error("the last use was forgotten")
	}
}

// Without the file, or with one that is none, nothing is known; a note makes it anew.
func TestUnusable(t *testing.T) {
	dir := t.TempDir()
	target := filepath.Join(dir, "target")
	if err := os.WriteFile(target, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink(target, link); err != nil {
		t.Fatal(err)
	}
	for name, file := range map[string]string{"none": filepath.Join(dir, "none"), "nowhere": "", "short": target, "link": link, "directory": dir} {
		var tab *Table
		if tab = Open(file, "/", "git", noon); tab.Score("x") != 0 {
			t.Errorf("%s: %v", name, tab)
		}
	}
	if Note(link, []Mark{{"/", "git", "x"}}, noon) == nil {
		t.Error("written through a link")
	}
	if data, _ := os.ReadFile(target); string(data) != "precious" {
		t.Errorf("%q", data)
	}
	file := filepath.Join(dir, "damaged")
	if err := os.WriteFile(file, bytes.Repeat([]byte{0x5a}, pages*pageSize), 0o600); err != nil {
		t.Fatal(err)
	}
	note(t, file, noon, Mark{"/", "git", "x"})
	if Open(file, "/", "git", noon).Score("x") == 0 {
		t.Error("a damaged page is not made anew")
	}
	for range 2 { // what is not there is forgotten too
		if err := Forget(file); err != nil || Open(file, "/", "git", noon) != nil {
			t.Error("not forgotten", err)
		}
	}
}

// A flipped bit never gives a word a score that it did not have.
func TestFlippedBits(t *testing.T) {
	file := filepath.Join(t.TempDir(), "recent")
	note(t, file, noon, Mark{"/", "git", "x"})
	tab := Open(file, "/", "git", noon)
	for i := headerSize * 8; i < pageSize*8; i++ {
		tab.page[i/8] ^= 1 << (i % 8)
		if s := tab.Score("x"); s != 0 && s != 16 || tab.Score("y") != 0 {
			t.Fatalf("bit %d: %d", i, s)
		}
		tab.page[i/8] ^= 1 << (i % 8)
	}
}

func FuzzTable(f *testing.F) {
	f.Add([]byte("x"), "word")
	f.Fuzz(func(t *testing.T, page []byte, word string) {
		tab := Table{page: new([pageSize]byte), now: 1}
		copy(tab.page[:], page)
		if tab.Score(word) < 0 {
			t.Error("a score below 0")
		}
	})
}

func TestMarks(t *testing.T) {
	v := tcpdb.NewView(tcpdb.Core())
	l := Line{Dialect: shline.Bash, Dir: "/d", Aliases: map[string]string{"g": "git"}, Alias: func(tool, name string) (string, bool) {
		return "checkout -q", tool == "git" && name == "co"
	}}
	for _, c := range []struct{ line, want string }{
		{"git checkout main", "git: checkout; git checkout: main"},
		{" git checkout main", ""},
		{"git commit -m 'my secret' --amend", "git: commit; git commit: --message; git commit: --amend"},
		{"git --no-pager log", "git: log; git: --no-pager"},
		{"g co dev && sudo git push origin dev", "git: co; git: checkout; git checkout: --quiet; git checkout: dev; git: push; git push: origin; git push: dev"},
		{"git -C sub switch topic", "/sub git: switch; /sub git: -C; /sub git -C: sub; /sub git switch: topic"},
		{"curl -u me:password https://x.example", "curl: --user"},
		{"git clone https://me:token@x.example/y", "git: clone"},
		{"cargo run --bin server", "cargo: run; cargo run: --bin; cargo run -bin: server"},
		{"cat src/a/b.go", "cat: src/; cat: src/a/; cat: src/a/b.go"},
		{"unknown-tool word", ""},
		{"echo 'free text'", ""},
	} {
		l.Text = c.line
		var got []string
		for _, m := range l.Marks(v) {
			text := m.Command + ": " + m.Word
			if m.Dir != "/d" {
				text = strings.TrimPrefix(m.Dir, "/d") + " " + text
			}
			if m.Command != "sudo" {
				got = append(got, text)
			}
		}
		if strings.Join(got, "; ") != c.want {
			t.Errorf("%s: %q, want %q", c.line, strings.Join(got, "; "), c.want)
		}
	}
}
