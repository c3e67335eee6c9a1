package runlog

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

var noon = time.Date(2026, 6, 3, 10, 30, 0, 0, time.UTC)

func write(t *testing.T, run *Run, text string) {
	t.Helper()
	if _, err := run.Raw.WriteString(text); err != nil {
		t.Fatal(err)
	}
}

func TestRun(t *testing.T) {
	project := t.TempDir()
	run, err := New(ProjectPlace(project), noon)
	if err != nil {
		t.Fatal(err)
	}
	if run.ID != "2026-06-03T10-30-00Z-0000" || run.Location() != ".tmp/runs/2026-06-03T10-30-00Z-0000/raw.log" {
		t.Errorf("run %s at %s", run.ID, run.Location())
	}
	write(t, run, "out")
	k, err := Last(ProjectPlace(project))
	if err != nil || k.ID != run.ID || !k.InProgress || k.Summary != nil {
		t.Errorf("while it runs: %+v, %v", k, err)
	}
	if err := run.Finish([]byte("{}\n"), DefaultRetention()); err != nil {
		t.Fatal(err)
	}
	k, err = Find(run.ID, StatePlace(filepath.Join(project, "none")), ProjectPlace(project))
	if err != nil || k.InProgress || string(k.Summary) != "{}\n" {
		t.Errorf("afterwards: %+v, %v", k, err)
	}
	raw, err := k.OpenRaw()
	if err != nil {
		t.Fatal(err)
	}
	if data, _ := io.ReadAll(raw); string(data) != "out" {
		t.Errorf("raw output %q", data)
	}
	for path, mode := range map[string]fs.FileMode{
		".tmp": 0o700 | fs.ModeDir, ".tmp/runs/" + run.ID: 0o700 | fs.ModeDir,
		".tmp/runs/" + run.ID + "/raw.log": 0o600, ".tmp/runs/" + run.ID + "/summary.json": 0o600,
	} {
		if st, err := os.Lstat(filepath.Join(project, path)); err != nil || st.Mode() != mode {
			t.Errorf("%s: %v, %v; want %v", path, st.Mode(), err, mode)
		}
	}
}

// TestManyRunsAtOnce: they never share a directory, and sort by time.
func TestManyRunsAtOnce(t *testing.T) {
	place := StatePlace(t.TempDir())
	var wg sync.WaitGroup
	for i := range 40 {
		wg.Go(func() {
			run, err := New(place, noon)
			if err != nil {
				t.Error(err)
				return
			}
			write(t, run, fmt.Sprint(i))
			if err := run.Finish([]byte("{}"), DefaultRetention()); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	seen := map[string]bool{}
	dirs, _ := filepath.Glob(filepath.Join(place.Dir, "runs/*/raw.log"))
	for _, d := range dirs {
		data, _ := os.ReadFile(d)
		seen[string(data)] = true
	}
	if len(seen) != 40 {
		t.Errorf("%d of 40 outputs are whole", len(seen))
	}
	later, err := New(place, noon.Add(time.Second))
	if err != nil {
		t.Fatal(err)
	}
	if k, err := Last(place); err != nil || k.ID != later.ID {
		t.Errorf("the last is %s, %v; want %s", k.ID, err, later.ID)
	}
}

func TestOldRunsGo(t *testing.T) {
	place := StatePlace(t.TempDir())
	going, err := New(place, noon) // the oldest, and still running
	if err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(place.Dir, "runs", "not-a-run")
	if err := os.Mkdir(other, 0o700); err != nil {
		t.Fatal(err)
	}
	for i := range DefaultRetention().Keep + 10 {
		run, err := New(place, noon.Add(time.Duration(i+1)*time.Second))
		if err != nil {
			t.Fatal(err)
		}
		if err := run.Finish([]byte("{}"), DefaultRetention()); err != nil {
			t.Fatal(err)
		}
	}
	left, _ := filepath.Glob(filepath.Join(place.Dir, "runs/2026*"))
	if len(left) != DefaultRetention().Keep+1 {
		t.Errorf("%d runs are kept, want %d and the one in progress", len(left), DefaultRetention().Keep)
	}
	if _, err := Find(going.ID, place); err != nil {
		t.Errorf("the run in progress is gone: %v", err)
	}
	if _, err := os.Stat(other); err != nil {
		t.Errorf("what is no run was touched: %v", err)
	}
}

func TestDiscard(t *testing.T) {
	place := StatePlace(t.TempDir())
	run, err := New(place, noon)
	if err != nil {
		t.Fatal(err)
	}
	run.Discard()
	if _, err := Last(place); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("something is left: %v", err)
	}
}

// TestLinksAreNotFollowed: a project can carry links in the place of our
// directories; nothing is written or read through them.
func TestLinksAreNotFollowed(t *testing.T) {
	for _, link := range []string{".tmp", ".tmp/runs"} {
		project, outside := t.TempDir(), t.TempDir()
		if err := os.MkdirAll(filepath.Join(project, filepath.Dir(link)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(outside, filepath.Join(project, link)); err != nil {
			t.Fatal(err)
		}
		if _, err := New(ProjectPlace(project), noon); !errors.Is(err, ErrLink) || !strings.Contains(err.Error(), link) {
			t.Errorf("%s: %v, want an error that it is a link", link, err)
		}
		if err := SaveShown(project, []byte("x")); link == ".tmp" && !errors.Is(err, ErrLink) {
			t.Errorf("last-resolve through %s: %v", link, err)
		}
		if names, _ := os.ReadDir(outside); len(names) != 0 {
			t.Errorf("%s: wrote %v outside", link, names)
		}
	}
}

func TestLinkedRunsAreNotRead(t *testing.T) {
	project, secret := t.TempDir(), filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(project, ".tmp/runs/2026-06-03T10-30-00Z-0000")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{rawName, summaryName} {
		if err := os.Symlink(secret, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	k, err := Find("2026-06-03T10-30-00Z-0000", ProjectPlace(project))
	if !errors.Is(err, ErrLink) || k.Summary != nil {
		t.Errorf("summary: %q, %v", k.Summary, err)
	}
	if _, err := k.OpenRaw(); !errors.Is(err, ErrLink) {
		t.Errorf("raw output: %v", err)
	}
	for _, id := range []string{"../../..", "..", "", "2026-06-03T10-30-00Z-00/0", "2026-06-03T10-30-00Z-000g"} {
		if _, err := Find(id, ProjectPlace(project)); err == nil {
			t.Errorf("%q passes for a run", id)
		}
	}
}

func TestLastResolveIsReplacedNotFollowed(t *testing.T) {
	project, outside := t.TempDir(), filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(outside, []byte("before"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(project, ".tmp"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(project, ".tmp/last-resolve.json")); err != nil {
		t.Fatal(err)
	}
	if err := SaveShown(project, []byte("after")); err != nil {
		t.Fatal(err)
	}
	if data, _ := os.ReadFile(outside); string(data) != "before" {
		t.Errorf("the file outside is %q", data)
	}
	if data, _ := os.ReadFile(filepath.Join(project, ".tmp/last-resolve.json")); string(data) != "after" {
		t.Errorf("the file inside is %q", data)
	}
}

func TestForgetResolved(t *testing.T) {
	state := filepath.Join(t.TempDir(), "state")
	if err := ForgetResolved(state, "", "/p"); err != nil {
		t.Errorf("where nothing is kept: %v", err)
	}
	if _, err := os.Stat(state); !errors.Is(err, fs.ErrNotExist) {
		t.Error("forgetting makes the state directory")
	}
	for _, agent := range []string{"", "robot"} {
		if err := SaveResolved(state, agent, Resolved{OperationID: "a.b", Dir: "/p", Time: noon}); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		if err := ForgetResolved(state, "", "/p"); err != nil {
			t.Error(err)
		}
	}
	if _, err := LoadResolved(state, "", "/p"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it is still there: %v", err)
	}
	if _, err := LoadResolved(state, "robot", "/p"); err != nil {
		t.Errorf("another's is gone: %v", err)
	}
}

func TestResolved(t *testing.T) {
	state := filepath.Join(t.TempDir(), "state")
	r := Resolved{OperationID: "a.b", Parameters: map[string]string{"p": "x"}, Dir: "/p", MapDigest: "d", Time: noon}
	if err := SaveResolved(state, "", r); err != nil {
		t.Fatal(err)
	}
	got, err := LoadResolved(state, "", "/p")
	if err != nil || got.OperationID != "a.b" || got.Parameters["p"] != "x" || got.V != 1 {
		t.Errorf("%+v, %v", got, err)
	}
	for _, other := range [][2]string{{"", "/q"}, {"agent", "/p"}} {
		if _, err := LoadResolved(state, other[0], other[1]); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%q in %s: %v", other[0], other[1], err)
		}
	}
	if st, _ := os.Stat(state); st.Mode().Perm() != 0o700 {
		t.Errorf("the state directory has mode %v", st.Mode())
	}
	files, _ := filepath.Glob(filepath.Join(state, "resolved/*"))
	if len(files) != 1 {
		t.Fatalf("files %v", files)
	}
	for _, bad := range []string{"", "{", `{"v":2,"cwd":"/p"}`, "null"} {
		if err := os.WriteFile(files[0], []byte(bad), 0o600); err != nil {
			t.Fatal(err)
		}
		if r, err := LoadResolved(state, "", "/p"); err == nil {
			t.Errorf("%q reads as %+v", bad, r)
		}
	}
	if _, err := LoadResolved("", "", "/p"); err == nil {
		t.Error("without a state directory there is an answer")
	}
}
