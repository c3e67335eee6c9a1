package te

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// lines are n lines that hold a word.
func lines(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format+"\n", i)
	}
	return b.String()
}

// stored makes a result that is kept, and gives its handle.
func (b *bench) stored() (string, map[string]any) {
	b.t.Helper()
	b.write("src/a.py", "def foo(x):\n"+lines(300, "    foo(%d)"), "tests/test_a.py", lines(50, "foo %d"))
	m, _ := b.te("--max-chars", "2000", "grep", "-rn", "foo", ".").meta(b.t)
	id, _ := m["handle"].(string)
	if id == "" {
		b.t.Fatalf("no handle: %v", m)
	}
	return id, m
}

func (r result) wants(t *testing.T, code string, status int) {
	t.Helper()
	m, body := r.meta(t)
	if m["error"] != code || r.status != status || !strings.Contains(body, "[TE] ") {
		t.Errorf("%v, status %d, %q: want %s, %d", m, r.status, body, code, status)
	}
}

func TestHandles(t *testing.T) {
	b := newBench(t)
	id, m := b.stored()
	if !regexp.MustCompile(`^res_[0-7][0-9A-HJKMNP-TV-Z]{25}$`).MatchString(id) {
		t.Errorf("%s is no ULID", id)
	}
	all, total := []string{}, number(m, "matches")
	for k := 1; k <= number(m, "chunks"); k++ {
		r := b.te("--handle", id, "--chunk", strconv.Itoa(k))
		cm, body := r.meta(t)
		if cm["cmd"] != "handle" || cm["of"] != "grep" || number(cm, "chunk") != k || number(cm, "matches") != total || len([]rune(r.out)) > 2000 {
			t.Errorf("chunk %d: %v, %d characters", k, cm, len([]rune(r.out)))
		}
		if number(cm, "to")+omitted(body) != total || number(cm, "from") != len(all)+1 {
			t.Errorf("chunk %d: %v and %d left out of %d", k, cm, omitted(body), total)
		}
		all = append(all, content(body)...)
	}
	raw := b.te("-i", "--handle", id)
	if raw.out != strings.Join(all, "\n")+"\n" || raw.status != 0 {
		t.Errorf("all of it is not the chunks together")
	}
	want := strings.Split(strings.TrimSpace(b.run("grep", "-rn", "foo", ".").out), "\n")
	slices.Sort(want)
	slices.Sort(all)
	if !slices.Equal(all, want) {
		t.Errorf("the chunks are not what grep finds")
	}
	b.te("--handle", id, "--chunk", "0").wants(t, "no_such_chunk", 2)
	b.te("--handle", id, "--chunk", "99").wants(t, "no_such_chunk", 2)
	b.te("--handle", id, "--chunk", "99999999999999999999").wants(t, "no_such_chunk", 2)
	b.te("--handle", id, "--chunk", "-1").wants(t, "usage", 2)
	b.te("--handle", id, "--chunk", "x").wants(t, "usage", 2)
	b.te("--handle").wants(t, "usage", 2)
	for _, bad := range []string{"", "x", "res_", "../../etc/passwd", "res_../../../../etc/passwd", strings.ToLower(id), id + "A", id[:29], "res_8" + id[5:], "res_" + id[4:20] + "/../aaaaa", id + "\n"} {
		b.te("--handle", bad).wants(t, "invalid_handle", 2)
		b.te("-i", "--handle", bad).wants(t, "invalid_handle", 2)
	}
	b.te("--handle", "res_01HYYYYYYYYYYYYYYYYYYYYYYY").wants(t, "no_such_handle", 2)
	other := *b
	other.env = append(slices.Clone(b.env), "TE_SESSION_ID=another")
	other.te("--handle", id).wants(t, "no_such_handle", 2)
	if list := b.te("handles", "list"); !strings.Contains(list.out, id) {
		t.Errorf("list: %q", list.out)
	}
	if r := b.te("handles", "purge"); r.status != 0 {
		t.Errorf("purge: %+v", r)
	}
	b.te("--handle", id).wants(t, "no_such_handle", 2)
	b.te("handles", "burn").wants(t, "usage", 2)
}

// TestModes: what is kept is for the owner alone, whatever the umask.
func TestModes(t *testing.T) {
	for _, mask := range []string{"000", "022", "077", "027"} {
		b := newBench(t)
		b.write("a", lines(2000, "foo %d"))
		b.run("sh", "-c", "umask "+mask+"; exec "+program+" --max-chars 900 grep foo a")
		n := 0
		err := filepath.WalkDir(filepath.Join(b.home, ".local/state/tmp/te"), func(path string, d os.DirEntry, err error) error {
			if err != nil {
				return err
			}
			info, _ := d.Info()
			want := os.FileMode(0o600)
			if d.IsDir() {
				want = 0o700
			}
			if info.Mode().Perm() != want {
				t.Errorf("umask %s: %s is %o", mask, path, info.Mode().Perm())
			}
			n++
			return nil
		})
		if err != nil || n < 6 {
			t.Errorf("%d files: %v", n, err)
		}
	}
}

func TestStaleFile(t *testing.T) {
	b := newBench(t).write("a.txt", lines(9000, "line %d"))
	m, _ := b.te("cat", "a.txt").meta(t)
	id := m["handle"].(string)
	if cm, body := b.te("--handle", id, "--chunk", "2").meta(t); number(cm, "from") < 2 || !strings.HasPrefix(body, fmt.Sprintf("line %d\n", number(cm, "from")-1)) {
		t.Errorf("%v %.40q", cm, body)
	}
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(filepath.Join(b.dir, "a.txt"), old, old); err != nil {
		t.Fatal(err)
	}
	b.te("--handle", id).wants(t, "stale_handle", 2)
	os.Remove(filepath.Join(b.dir, "a.txt"))
	b.te("-i", "--handle", id).wants(t, "stale_handle", 2)
}

// TestLinks: a link in the place of the sessions is not followed, and the answer is
// the same but for the handle.
func TestLinks(t *testing.T) {
	b := newBench(t).write("a", lines(2000, "foo %d"))
	elsewhere := t.TempDir()
	if err := os.MkdirAll(filepath.Join(b.home, ".local/state/tmp/te"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(elsewhere, filepath.Join(b.home, ".local/state/tmp/te/sessions")); err != nil {
		t.Fatal(err)
	}
	m, body := b.te("--max-chars", "900", "grep", "foo", "a").meta(t)
	if m["stored"] != false || m["handle"] != nil || m["chunks"] != nil {
		t.Errorf("%v", m)
	}
	if list, _ := os.ReadDir(elsewhere); len(list) > 0 {
		t.Errorf("%d files where the link leads", len(list))
	}
	if n := len(content(body)) + omitted(body); n != 2000 {
		t.Errorf("%d", n)
	}
}

// TestNoRoom: a disk that takes nothing changes nothing but the handle.
func TestNoRoom(t *testing.T) {
	b := newBench(t).write("a", lines(200_000, "foo %d and more of the line"))
	_, want := b.te("grep", "foo", "a").meta(t)
	for _, c := range []string{"ulimit -f 0; ", "ulimit -f 1000; ", "export HOME=/nonexistent XDG_STATE_HOME=/proc/nothing; ", "export HOME=relative XDG_STATE_HOME=; ", "unset HOME; "} {
		r := b.run("bash", "-c", c+"exec "+program+" grep foo a")
		m, body := r.meta(t)
		if m["stored"] != false || m["handle"] != nil || body != want || r.status != 0 || r.err != "" {
			t.Errorf("%s: %v, %q, status %d, same %v", c, m, r.err, r.status, body == want)
		}
	}
}

// TestKilledWhileStoring: whenever te is killed, no handle is there that is damaged.
func TestKilledWhileStoring(t *testing.T) {
	b := newBench(t).write("a", lines(150_000, "foo %d and more of the line"))
	b.te("--max-chars", "900", "grep", "foo", "a")
	rounds := runs(t, 24)
	for i := range min(rounds, 200) {
		cmd := exec.Command(program, "--max-chars", "900", "grep", "foo", "a")
		cmd.Dir, cmd.Env = b.dir, b.env
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(rand.IntN(60*(i%4+1))) * time.Millisecond)
		_ = cmd.Process.Signal(syscall.SIGKILL)
		_ = cmd.Wait()
	}
	dirs, _ := filepath.Glob(filepath.Join(b.home, ".local/state/tmp/te/sessions/*/res_*"))
	if len(dirs) == 0 {
		t.Fatal("no handle at all")
	}
	for _, d := range dirs {
		if m, _ := b.te("--handle", filepath.Base(d)).meta(t); m["error"] != nil {
			t.Errorf("%s: %v", d, m)
		}
	}
}

// TestTwentyAtOnce: calls of one session do not disturb each other.
func TestTwentyAtOnce(t *testing.T) {
	b := newBench(t)
	b.stored()
	var wg sync.WaitGroup
	ids := make([]string, 20)
	for i := range ids {
		wg.Go(func() {
			out := b.te("--max-chars", "2000", "grep", "-rn", "foo", ".")
			m, _ := out.meta(t)
			ids[i], _ = m["handle"].(string)
		})
	}
	wg.Wait()
	for _, id := range ids {
		if m, _ := b.te("--handle", id).meta(t); m["error"] != nil || number(m, "matches") != 351 {
			t.Errorf("%s: %v", id, m)
		}
	}
	text, err := os.ReadFile(filepath.Join(b.home, ".local/state/tmp/te/telemetry.jsonl"))
	if err != nil || strings.Count(string(text), "\n") != 41 {
		t.Errorf("%d lines of telemetry: %v", strings.Count(string(text), "\n"), err)
	}
}

// TestCaps: the oldest handles go.
func TestCaps(t *testing.T) {
	b := newBench(t).write("a", lines(500, "foo %d"))
	b.write("../"+filepath.Base(b.home)+"/.config/tmp/config.toml", "")
	config := filepath.Join(b.home, ".config/tmp/config.toml")
	if err := os.MkdirAll(filepath.Dir(config), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(config, []byte("[tool_envelope.handles]\nkeep = 3\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var ids []string
	for range 5 {
		m, _ := b.te("--max-chars", "900", "grep", "foo", "a").meta(t)
		ids = append(ids, m["handle"].(string))
		time.Sleep(2 * time.Millisecond)
	}
	for i, id := range ids {
		m, _ := b.te("--handle", id).meta(t)
		if gone := m["error"] == "no_such_handle"; gone != (i < 2) {
			t.Errorf("handle %d of 5: %v", i+1, m)
		}
	}
}

// TestDamaged: what is kept and was changed says so, or is none.
func TestDamaged(t *testing.T) {
	b := newBench(t)
	sessions := filepath.Join(b.home, ".local/state/tmp/te/sessions/*")
	change := func(pattern string, f func(path string) error) {
		t.Helper()
		list, _ := filepath.Glob(filepath.Join(sessions, pattern))
		if len(list) == 0 {
			t.Fatalf("nothing is %s", pattern)
		}
		for _, path := range list {
			if err := f(path); err != nil {
				t.Fatal(err)
			}
		}
	}
	id, _ := b.stored()
	change("*/raw.log", func(p string) error { return os.Truncate(p, 10) })
	b.te("--handle", id).wants(t, "damaged_handle", 2)
	change("*/raw.log", os.Remove)
	b.te("--handle", id).wants(t, "no_such_handle", 2)
	id, _ = b.stored()
	change("res_*", func(p string) error { return os.WriteFile(p, []byte("{"), 0o600) })
	b.te("--handle", id).wants(t, "damaged_handle", 2)
	b.te("-i", "--handle", id).wants(t, "damaged_handle", 2)
	change("res_*", func(p string) error {
		if err := os.Remove(p); err != nil {
			return err
		}
		return os.Symlink("/etc/passwd", p)
	})
	b.te("--handle", id).wants(t, "no_such_handle", 2)
}
