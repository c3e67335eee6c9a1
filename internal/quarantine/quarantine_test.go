package quarantine

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
	"pgregory.net/rapid"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.Local)

// store is a trash in a home of its own, on the file system of the test.
func store(t *testing.T) (s *Store, home string) {
	t.Helper()
	home = real(t.TempDir())
	return Find(func(name string) string {
		if name == "HOME" {
			return home
		}
		return ""
	}), home
}

func write(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func text(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// The layout is that of the specification, word for word.
func TestPutWritesTheSpecifiedLayout(t *testing.T) {
	s, home := store(t)
	f := write(t, filepath.Join(home, "a dir", "100% ü.txt"), "kept")
	if _, err := s.Put(f, noon); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(home, ".local/share/Trash")
	if got := text(t, filepath.Join(dir, "files", "100% ü.txt")); got != "kept" {
		t.Errorf("the file holds %q", got)
	}
	want := "[Trash Info]\nPath=" + home + "/a%20dir/100%25%20%C3%BC.txt\nDeletionDate=2026-03-01T12:00:00\n"
	if got := text(t, filepath.Join(dir, "info", "100% ü.txt.trashinfo")); got != want {
		t.Errorf("the record is\n%s\nwant\n%s", got, want)
	}
	if _, err := os.Lstat(f); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the file is still there: %v", err)
	}
	for _, part := range []string{"", "files", "info"} {
		st, err := os.Stat(filepath.Join(dir, part))
		if err != nil || st.Mode().Perm() != 0o700 {
			t.Errorf("%s: %v %v, want 0700", part, st.Mode(), err)
		}
	}
}

func TestPutAndRestore(t *testing.T) {
	s, home := store(t)
	f := write(t, filepath.Join(home, "p/x"), "first")
	put := func(at time.Time) Item {
		it, err := s.Put(f, at)
		if err != nil {
			t.Fatal(err)
		}
		return it
	}
	put(noon)
	write(t, f, "second")
	put(noon.Add(time.Hour))
	items, problems := s.List()
	if len(items) != 2 || len(problems) != 0 {
		t.Fatalf("%d items, problems %v", len(items), problems)
	}
	if items[0].ID == items[1].ID || items[0].Path != f || !items[0].Deleted.Equal(noon.Add(time.Hour)) {
		t.Errorf("items are %+v", items)
	}
	write(t, f, "third")
	if _, err := s.Restore(items[0], ""); !errors.Is(err, fs.ErrExist) {
		t.Errorf("over a file: %v, want that it exists", err)
	}
	if text(t, f) != "third" {
		t.Error("a file was replaced")
	}
	if err := os.RemoveAll(filepath.Dir(f)); err != nil {
		t.Fatal(err)
	}
	at, err := s.Restore(items[0], "")
	if err != nil || at != f || text(t, f) != "second" {
		t.Errorf("restored to %q: %v", at, err)
	}
	if items, _ = s.List(); len(items) != 1 || !items[0].Deleted.Equal(noon) {
		t.Errorf("left are %+v", items)
	}
}

func TestPutRefuses(t *testing.T) {
	s, home := store(t)
	file := write(t, filepath.Join(home, "f"), "")
	if _, err := s.Put(file, noon); err != nil { // so that the trash exists
		t.Fatal(err)
	}
	link := filepath.Join(home, "up")
	if err := os.Symlink("..", link); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{
		"", "/", ".", "..", home + "/.", home + "/d/..", home, home + "/", filepath.Dir(home), "a\x00b",
		filepath.Join(home, ".local"), filepath.Join(home, ".local/share/Trash"), filepath.Join(home, ".local/share/Trash/files/f"),
		link + "/" + filepath.Base(home), "/proc",
	} {
		if err := s.CanHold(path); !errors.Is(err, ErrCannotHold) {
			t.Errorf("CanHold(%q) = %v, want a refusal", path, err)
		}
		if _, err := s.Put(path, noon); !errors.Is(err, ErrCannotHold) {
			t.Errorf("Put(%q) = %v, want a refusal", path, err)
		}
	}
	if _, err := s.Put(filepath.Join(home, "absent"), noon); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an absent file: %v", err)
	}
	if _, err := s.Put(write(t, filepath.Join(home, "g"), "")+"/", noon); err == nil {
		t.Error("a file was taken for a directory")
	}
}

// A symbolic link is put away itself.
func TestPutOfALink(t *testing.T) {
	s, home := store(t)
	target := write(t, filepath.Join(home, "target/f"), "kept")
	link := filepath.Join(home, "link")
	if err := os.Symlink(filepath.Dir(target), link); err != nil {
		t.Fatal(err)
	}
	it, err := s.Put(link+"/", noon)
	if err == nil {
		t.Fatalf("the link was taken for its directory: %+v", it)
	}
	if it, err = s.Put(link, noon); err != nil || it.Mode&fs.ModeSymlink == 0 {
		t.Fatalf("%+v: %v", it, err)
	}
	if text(t, target) != "kept" {
		t.Error("what the link points to was moved")
	}
}

// Another file system has a trash of its own, with paths relative to its top.
func TestOtherFileSystem(t *testing.T) {
	s, _ := store(t)
	shm := "/dev/shm"
	dev, err := device(shm)
	if homeDev, e := device(s.user); err != nil || e != nil || dev == homeDev || unix.Access(shm, unix.W_OK) != nil {
		t.Skip("no second file system that can be written")
	}
	dir, err := os.MkdirTemp(shm, "quarantine")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	f := write(t, filepath.Join(dir, "f"), "kept")
	it, err := s.Put(f, noon)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Purge(it) }()
	if !strings.HasPrefix(it.Dir, shm+"/.Trash") {
		t.Errorf("it is in %s", it.Dir)
	}
	if !strings.Contains(text(t, it.info()), "\nPath="+filepath.Base(dir)+"/f\n") {
		t.Errorf("the record is %s", text(t, it.info()))
	}
	items, _ := s.List()
	match := Match(items, dir, "f")
	if len(match) != 1 || match[0].Path != f {
		t.Fatalf("listed are %+v", items)
	}
	if _, err := s.Restore(match[0], ""); err != nil || text(t, f) != "kept" {
		t.Error(err)
	}
}

// A directory in the place of the trash that another made is not used.
func TestForeignTrash(t *testing.T) {
	top := real(t.TempDir())
	for name, make := range map[string]func(string) error{
		"link": func(p string) error { return os.Symlink(t.TempDir(), p) },
		"file": func(p string) error { return os.WriteFile(p, nil, 0o600) },
	} {
		p := filepath.Join(top, name)
		if err := make(p); err != nil {
			t.Fatal(err)
		}
		if err := (trash{dir: p, top: top, uid: os.Getuid()}).create(); err == nil {
			t.Errorf("a %s served as trash", name)
		}
	}
	own := filepath.Join(top, "own")
	if err := os.Mkdir(own, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := (trash{dir: own, top: top, uid: os.Getuid() + 1}).create(); err == nil {
		t.Error("the trash of another user was used")
	}
	shared := filepath.Join(top, ".Trash")
	if err := os.Mkdir(shared, 0o777); err != nil {
		t.Fatal(err)
	}
	if n := len(topTrashes(top, 7)); n != 1 {
		t.Errorf("without the sticky bit: %d places, want only .Trash-7", n)
	}
	if err := os.Chmod(shared, 0o777|fs.ModeSticky); err != nil {
		t.Fatal(err)
	}
	if ts := topTrashes(top, 7); len(ts) != 2 || ts[0].dir != shared+"/7" {
		t.Errorf("with the sticky bit: %+v", ts)
	}
}

// The place of a user in a shared .Trash is made when it is first needed, and
// comes before .Trash-UID (Trash specification 1.0, "Trash directories").
func TestSharedTrash(t *testing.T) {
	uid := os.Getuid()
	top := real(t.TempDir())
	own, shared := filepath.Join(top, fmt.Sprintf(".Trash-%d", uid)), filepath.Join(top, ".Trash")
	expect := func(want string) {
		t.Helper()
		if got, err := topTrash(top, uid); err != nil || got.dir != want || got.create() != nil {
			t.Errorf("the trash is %q (%v), want %q", got.dir, err, want)
		}
	}
	expect(own)
	if err := os.Mkdir(shared, 0o700); err != nil {
		t.Fatal(err)
	}
	expect(own) // no sticky bit
	if err := os.Chmod(shared, 0o777|fs.ModeSticky); err != nil {
		t.Fatal(err)
	}
	mine := filepath.Join(shared, fmt.Sprint(uid))
	expect(mine)
	if err := os.RemoveAll(mine); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(t.TempDir(), mine); err != nil {
		t.Fatal(err)
	}
	expect(own) // a link is no place of ours
	if err := os.RemoveAll(own); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(t.TempDir(), own); err != nil {
		t.Fatal(err)
	}
	if got, err := topTrash(top, uid); err == nil {
		t.Errorf("a link serves as trash: %q", got.dir)
	}
}

// Records that anybody may have written are read, or named as damaged.
func TestDamagedRecords(t *testing.T) {
	s, home := store(t)
	if _, err := s.Put(write(t, filepath.Join(home, "good"), ""), noon); err != nil {
		t.Fatal(err)
	}
	info := filepath.Join(s.home, "info")
	for name, record := range map[string]string{
		"empty": "", "noise": "\x00\xff", "nopath": "[Trash Info]\nDeletionDate=2026-03-01T12:00:00\n",
		"relative": "[Trash Info]\nPath=x\n", "two": "[Trash Info]\nPath=/x\n[More]\n", "gone": "[Trash Info]\nPath=/x\n",
	} {
		write(t, filepath.Join(info, name+infoSuffix), record)
		if name != "gone" {
			write(t, filepath.Join(s.home, "files", name), "")
		}
	}
	write(t, filepath.Join(info, infoSuffix), "")
	if err := unix.Mkfifo(filepath.Join(info, "fifo"+infoSuffix), 0o600); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(info, "nodate"+infoSuffix), "[Trash Info]\r\nPath=/x%zz%2\r\nDeletionDate=soon\r\n")
	write(t, filepath.Join(s.home, "files/nodate"), "")
	items, problems := s.List()
	if len(problems) != 7 {
		t.Errorf("%d problems: %v", len(problems), problems)
	}
	if len(items) != 2 || items[1].Path != "/x%zz%2" || !items[1].Deleted.IsZero() {
		t.Errorf("items are %+v", items)
	}
}

func TestRecordCannotLeaveItsFileSystem(t *testing.T) {
	tr := trash{dir: "/mnt/usb/.Trash-1", top: "/mnt/usb", uid: 1}
	for path, want := range map[string]string{
		"a/b": "/mnt/usb/a/b", "/mnt/usb/c": "/mnt/usb/c", "../../etc/cron.d/x": "", "/etc/passwd": "", "a/../../..": "", "/mnt/usb/../x": "",
	} {
		it := Item{Path: path}
		err := tr.place(&it)
		if want == "" && err == nil || want != "" && it.Path != want {
			t.Errorf("place(%q) = %q, %v; want %q", path, it.Path, err, want)
		}
	}
}

func TestPurge(t *testing.T) {
	s, home := store(t)
	locked := filepath.Join(home, "locked")
	write(t, filepath.Join(locked, "in/f"), "x")
	outside := write(t, filepath.Join(home, "outside/f"), "kept")
	if err := os.Symlink(filepath.Dir(outside), filepath.Join(locked, "link")); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(locked, "in"), 0o500); err != nil {
		t.Fatal(err)
	}
	it, err := s.Put(locked, noon)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Purge(it); err != nil {
		t.Fatal(err)
	}
	if items, problems := s.List(); len(items)+len(problems) != 0 {
		t.Errorf("left are %v %v", items, problems)
	}
	if text(t, outside) != "kept" {
		t.Error("what a link points to was deleted")
	}
}

func TestOlder(t *testing.T) {
	items := []Item{{ID: "new", Deleted: noon}, {ID: "old", Deleted: noon.Add(-48 * time.Hour)}, {ID: "undated"}}
	if old := Older(items, noon.Add(-time.Hour)); len(old) != 1 || old[0].ID != "old" {
		t.Errorf("older are %+v", old)
	}
}

func TestEscapeRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		path := string(rapid.SliceOf(rapid.Byte()).Draw(t, "path"))
		e := escape(path)
		for _, c := range []byte(e) {
			if c <= ' ' || c >= 0x7f {
				t.Fatalf("escape(%q) = %q", path, e)
			}
		}
		if got := unescape(e); got != path {
			t.Fatalf("%q came back as %q", path, got)
		}
	})
}

// Whatever the name: it fits, names differ, and the file comes back.
func TestAnyName(t *testing.T) {
	s, home := store(t)
	rapid.Check(t, func(rt *rapid.T) {
		name := rapid.StringMatching(`[^/\x00]{1,60}`).Draw(rt, "name") + strings.Repeat("é", rapid.IntRange(0, 40).Draw(rt, "tail"))
		if len(name) > 255 || name == "." || name == ".." {
			rt.Skip()
		}
		f := filepath.Join(home, "d", name)
		var kept []Item
		for range 2 {
			write(t, f, name)
			it, err := s.Put(f, noon)
			if err != nil {
				rt.Fatal(err)
			}
			kept = append(kept, it)
		}
		items, problems := s.List()
		if len(items) != 2 || len(problems) != 0 || kept[0].ID == kept[1].ID {
			rt.Fatalf("%q: %+v %v", name, items, problems)
		}
		if at, err := s.Restore(kept[1], ""); err != nil || at != f {
			rt.Fatalf("%q: %q %v", name, at, err)
		}
		if err := errors.Join(s.Purge(kept[0]), os.Remove(f)); err != nil {
			rt.Fatal(err)
		}
	})
}

func FuzzRecord(f *testing.F) {
	f.Add("[Trash Info]\nPath=/x\nDeletionDate=2026-03-01T12:00:00\n")
	f.Add("[Trash Info]\nPath=../..\n")
	f.Fuzz(func(t *testing.T, record string) {
		dir := t.TempDir()
		tr := trash{dir: dir, top: "/mnt", uid: os.Getuid()}
		write(t, filepath.Join(dir, "info/x"+infoSuffix), record)
		write(t, filepath.Join(dir, "files/x"), "")
		if it, err := tr.read("x"); err == nil && !within(it.Path, "/mnt") {
			t.Errorf("%q leads to %q", record, it.Path)
		}
	})
}
