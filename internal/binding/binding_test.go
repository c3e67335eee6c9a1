package binding

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"golang.org/x/sys/unix"
)

// placed is a directory with files, name after name with its text, in a home.
func placed(t *testing.T, files ...string) Subject {
	t.Helper()
	home := t.TempDir()
	dir := filepath.Join(home, "project")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(files); i += 2 {
		write(t, filepath.Join(real, files[i]), files[i+1])
	}
	return Subject{Dir: real, Home: home, Env: []string{"HOME=" + home, "PATH=/usr/bin:/bin"}, Commands: [][]string{{"true"}}}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func take(t *testing.T, s Subject, o Options) *State {
	t.Helper()
	state, err := Take(s, o)
	if err != nil {
		t.Fatal(err)
	}
	return state
}

func commit(t *testing.T, dir string) {
	t.Helper()
	c := exec.Command("sh", "-ec", "git init -q . 2>/dev/null; git add -A; git -c user.name=a -c user.email=a@b.c commit -q -m x")
	c.Dir = dir
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// lower sets limits for a test.
func lower[T any](t *testing.T, limit *T, to T) {
	was := *limit
	*limit = to
	t.Cleanup(func() { *limit = was })
}

// TestSameStateSameDigest: what was read, what git knew, what the cache knew and what
// was known before give one digest; a copy has another one only where files count
// themselves.
func TestSameStateSameDigest(t *testing.T) {
	s := placed(t, "a.sh", "true\n", "lib/b.sh", "true\n", "c", strings.Repeat("x", 100))
	commit(t, s.Dir)
	time.Sleep(60 * time.Millisecond)
	cache := t.TempDir()
	first := take(t, s, Options{Cache: cache})
	for name, o := range map[string]Options{"again": {}, "with a cache": {Cache: cache}, "with a base": {Base: first}} {
		if now := take(t, s, o); now.Digest != first.Digest {
			t.Errorf("%s: another digest: %v", name, Changes(first, now))
		}
	}
	c := exec.Command("sh", "-ec", "touch a.sh; cp lib/b.sh x; mv x lib/b.sh; git update-index -q --refresh")
	c.Dir = s.Dir
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for name, o := range map[string]Options{"afresh": {}, "with a cache": {Cache: cache}, "with a base": {Base: first}} {
		if now := take(t, s, o); now.Digest != first.Digest {
			t.Errorf("touched and equal, %s: another digest: %v", name, Changes(first, now))
		}
	}
}

func TestEncode(t *testing.T) {
	s := placed(t, "a.sh", ". ./b.sh\n", "b.sh", "true\n", "d/e/f", "1", "bin", "\x00\x01")
	commit(t, s.Dir)
	s.Commands, s.Outputs, s.Written = [][]string{{"sh", "a.sh"}, {}}, []string{"dist/**"}, []string{"o"}
	if err := os.Symlink("a.sh", s.Dir+"/l"); err != nil {
		t.Fatal(err)
	}
	state := take(t, s, Options{})
	state.Unbound = append(state.Unbound, Unbound{"x", "y", true})
	again, err := Decode(state.Encode())
	if err != nil {
		t.Fatal(err)
	}
	same := []cmp.Option{cmp.AllowUnexported(State{}), cmpopts.IgnoreUnexported(Entry{}), cmpopts.EquateEmpty()}
	if diff := cmp.Diff(state, again, same...); diff != "" {
		t.Error(diff)
	}
	data := state.Encode()
	for n := 0; n < len(data); n += 1 + n/40 {
		if _, err := Decode(data[:n]); err == nil {
			t.Errorf("%d of %d bytes are a state", n, len(data))
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(stateHead))
	f.Add((&State{Root: "/p", texts: map[string]string{"a": "b"}, Project: []*Entry{{Path: "a", Kind: File, Alg: SHA256}, {Path: "ab", Kind: Link}}}).Encode())
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Decode(data)
		if err != nil {
			return
		}
		if again, err := Decode(s.Encode()); err != nil || again.digest() != s.digest() {
			t.Errorf("what was read is written as another: %v", err)
		}
	})
}

// TestLargeFolder: of an untracked folder of too many files the top is bound, and it
// is said.
func TestLargeFolder(t *testing.T) {
	lower(t, &maxFolder, 50)
	s := placed(t, "package.json", "{}", ".gitignore", "node_modules\n")
	for i := range 100 {
		write(t, fmt.Sprintf("%s/node_modules/p%d/lib/x.js", s.Dir, i), "1")
	}
	write(t, s.Dir+"/node_modules/.package-lock.json", "{}")
	write(t, s.Dir+"/node_modules/p1/package.json", "{}")
	commit(t, s.Dir)
	state := take(t, s, Options{})
	if len(state.Unbound) != 1 || state.Unbound[0].What != "node_modules" || !state.Unbound[0].Code || len(state.Large) != 1 {
		t.Fatalf("%+v", state.Unbound)
	}
	changed := func(file string) bool {
		t.Helper()
		write(t, s.Dir+"/"+file, "changed")
		now := take(t, s, Options{Base: state})
		return len(Changes(state, now)) > 0
	}
	if changed("node_modules/p1/lib/x.js") {
		t.Error("what is deep in it is bound, and was said not to be")
	}
	if !changed("node_modules/p1/package.json") || !changed("node_modules/.package-lock.json") {
		t.Error("its top is not bound")
	}
}

// TestTooManyFiles: a walk ends, says so, and is the same again.
func TestTooManyFiles(t *testing.T) {
	lower(t, &maxFiles, 100)
	s := placed(t, "src/a.sh", "true\n")
	commit(t, s.Dir)
	for i := range 300 {
		write(t, fmt.Sprintf("%s/data/%d/x", s.Dir, i), "1")
	}
	s.Commands = [][]string{{"sh", "src/a.sh"}}
	state := take(t, s, Options{})
	if !strings.Contains(state.Cut, "more than 100 files") {
		t.Fatalf("cut: %q", state.Cut)
	}
	if now := take(t, s, Options{Base: state}); len(Changes(state, now)) != 0 {
		t.Errorf("nothing has changed: %v", Changes(state, now))
	}
	write(t, s.Dir+"/src/a.sh", "evil\n")
	if now := take(t, s, Options{Base: state}); len(Changes(state, now)) == 0 {
		t.Error("a tracked file has changed")
	}
}

// TestUnknownContent: what was not read counts by its stat data, and is touched.
func TestUnknownContent(t *testing.T) {
	lower(t, &maxHashed, 10)
	s := placed(t, "big", strings.Repeat("x", 100))
	state := take(t, s, Options{})
	if now := take(t, s, Options{Base: state}); len(Changes(state, now)) != 0 {
		t.Errorf("%v", Changes(state, now))
	}
	later := time.Now().Add(time.Second)
	if err := os.Chtimes(s.Dir+"/big", later, later); err != nil {
		t.Fatal(err)
	}
	changes := Changes(state, take(t, s, Options{Base: state}))
	if len(changes) != 1 || changes[0].What != "touched" || changes[0].Path != "big" {
		t.Errorf("%v", changes)
	}
}

func TestPatterns(t *testing.T) {
	p := newPatterns("/p", "/p/sub", []string{"dist/**", "*.log", "**/__pycache__/**", "./out/", "/p/abs"})
	for path, want := range map[string]bool{
		"dist/x": true, "dist/a/b": true, "sub/dist/x": true, "other/dist/x": false, "x.log": true, "sub/x.log": true, "a/x.log": false,
		"a/b/__pycache__/c.pyc": true, "__pycache__/x": true, "out/x": true, "outer": false, "abs/x": true, "distant": false,
	} {
		if got := p.match(path, false); got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
}

// TestForgedIndex: what git's index says is believed only where a file is looked at
// for the first time; what has moved since is read.
func TestForgedIndex(t *testing.T) {
	s := placed(t, "a.sh", "true\n")
	commit(t, s.Dir)
	time.Sleep(60 * time.Millisecond)
	state := take(t, s, Options{})
	// The index is made to know the evil file under the name of the good one.
	c := exec.Command("sh", "-ec", `
old=$(git rev-parse :a.sh)
echo evil > a.sh; git add a.sh; new=$(git rev-parse :a.sh)
python3 - "$old" "$new" <<'END'
import sys, hashlib
old, new = (bytes.fromhex(x) for x in sys.argv[1:3])
data = open('.git/index', 'rb').read()[:-20].replace(new, old)
open('.git/index', 'wb').write(data + hashlib.sha1(data).digest())
END`)
	c.Dir = s.Dir
	if out, err := c.CombinedOutput(); err != nil {
		t.Skipf("%v\n%s", err, out)
	}
	changes := Changes(state, take(t, s, Options{Base: state}))
	if len(changes) == 0 || changes[0].Path != "a.sh" || changes[0].What != "content" {
		t.Errorf("%v", changes)
	}
}

// TestDiff shows what a text file held, also one that only git keeps.
func TestDiff(t *testing.T) {
	s := placed(t, "deep/er/a.sh", "true\n")
	commit(t, s.Dir)
	time.Sleep(60 * time.Millisecond)
	state := take(t, s, Options{})
	write(t, s.Dir+"/deep/er/a.sh", "true\nevil\n")
	got := state.Diff(Changes(state, take(t, s, Options{Base: state})))
	want := []string{"deep/er/a.sh:", "@@ -1 +1,2 @@", " true", "+evil"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestFIFO: one that nothing names is told of, one that a script takes in is refused.
func TestFIFO(t *testing.T) {
	s := placed(t, "a.sh", "true\n")
	if err := unix.Mkfifo(s.Dir+"/pipe", 0o600); err != nil {
		t.Fatal(err)
	}
	if u := take(t, s, Options{}).Unbound; len(u) != 1 || u[0].What != "pipe" {
		t.Errorf("%+v", u)
	}
	write(t, s.Dir+"/a.sh", ". ./pipe\n")
	s.Commands = [][]string{{"sh", "a.sh"}}
	var refused *NotAFileError
	if _, err := Take(s, Options{}); !errors.As(err, &refused) {
		t.Errorf("%v", err)
	}
}

func TestUmask(t *testing.T) {
	if _, err := os.Stat("/proc/self/status"); err != nil {
		t.Skip("nobody says what it is")
	}
	dir := t.TempDir()
	old := take(t, Subject{Dir: dir}, Options{})
	defer unix.Umask(unix.Umask(0o007))
	now := take(t, Subject{Dir: dir}, Options{})
	if c := Changes(old, now); len(c) != 1 || c[0].Path != "the umask" {
		t.Errorf("changes: %v", c)
	}
}

// TestStirred: what moved and holds the same is told, and what did not is not.
func TestStirred(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a")
	if err := os.WriteFile(file, []byte("1"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := Subject{Dir: dir, Commands: [][]string{{"sh", "a"}}}
	old := take(t, s, Options{})
	if st := Stirred(old, take(t, s, Options{Base: old})); st.At != 0 {
		t.Errorf("nothing moved: %v", st)
	}
	time.Sleep(20 * time.Millisecond) // the clock of files is coarse
	before := time.Now()
	if err := os.Rename(file, file+"2"); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(file+"2", file); err != nil {
		t.Fatal(err)
	}
	now := take(t, s, Options{Base: old})
	if c := Changes(old, now); len(c) != 0 {
		t.Errorf("it is the same: %v", c)
	}
	st := Stirred(old, now)
	if q := st.Quiet(before); st.At == 0 || q > 20*time.Millisecond || q < -5*time.Second {
		t.Errorf("%v, quiet for %v", st, q)
	}
}
