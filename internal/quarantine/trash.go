package quarantine

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// trash is one trash directory.
type trash struct {
	dir    string
	top    string // the top directory that paths are relative to; "" for the home trash
	uid    int
	shared bool // below .Trash, which an administrator made
}

// sound refuses a directory that another user could have put there.
func (t trash) sound() error {
	st, err := os.Lstat(t.dir)
	if err != nil {
		return err
	}
	if !st.IsDir() {
		return fmt.Errorf("%s is no directory", t.dir)
	}
	if t.top == "" {
		return nil
	}
	if sys, ok := st.Sys().(*syscall.Stat_t); ok && int(sys.Uid) != t.uid {
		return fmt.Errorf("%s belongs to another user", t.dir)
	}
	return nil
}

// create makes the directory with its two parts, for the owner alone.
func (t trash) create() error {
	if t.top == "" {
		if err := os.MkdirAll(t.dir, 0o700); err != nil {
			return err
		}
	} else if err := os.Mkdir(t.dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	if err := t.sound(); err != nil {
		return err
	}
	for _, part := range []string{"files", "info"} {
		if err := os.Mkdir(filepath.Join(t.dir, part), 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	return nil
}

// usable reports whether create would succeed.
func (t trash) usable() error {
	at := existing(t.dir)
	if at == t.dir {
		if err := t.sound(); err != nil {
			return cannot(t.dir, err)
		}
	}
	if err := unix.Access(at, unix.W_OK|unix.X_OK); err != nil {
		return cannot(t.dir, fmt.Errorf("%s cannot be written: %w", at, err))
	}
	return nil
}

// tries bounds the names tried for one item.
const tries = 10_000

// maxName is what a file system takes for a name, in bytes, less the suffix of
// the record.
const maxName = 255 - len(infoSuffix)

// put reserves a name by the record of the item and moves the item under it.
func (t trash) put(f spot, now time.Time) (Item, error) {
	record := "[Trash Info]\nPath=" + escape(t.recorded(f.path)) + "\nDeletionDate=" + now.Local().Format(stamp) + "\n"
	base := filepath.Base(f.path)
	for n := 1; n <= tries; n++ {
		it := Item{ID: numbered(base, n), Path: f.path, Deleted: now.Local().Truncate(time.Second), Dir: t.dir, Size: sizeOf(f.st), Mode: f.st.Mode()}
		err := reserve(it.info(), record)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return Item{}, cannot(f.path, err)
		}
		err = rename(f.path, it.Held())
		if err == nil {
			return it, nil
		}
		_ = os.Remove(it.info())
		if !errors.Is(err, fs.ErrExist) { // else a file without a record has the name
			return Item{}, cannot(f.path, err)
		}
	}
	return Item{}, cannot(f.path, fmt.Errorf("%s has no free name for it", t.dir))
}

// recorded is the path as the record has it.
func (t trash) recorded(path string) string {
	if t.top == "" {
		return path
	}
	rel, err := filepath.Rel(t.top, path)
	if err != nil {
		return path
	}
	return rel
}

// reserve writes a record that must not exist yet, whole and on disk.
func reserve(path, record string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL|unix.O_NOFOLLOW, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(record)
	if err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		_ = os.Remove(path)
	}
	return err
}

// numbered is the n-th name tried for an item: a.txt, a_2.txt, a_3.txt … The
// name is cut, at a rune, where the record's would be too long.
func numbered(base string, n int) string {
	mark := ""
	if n > 1 {
		mark = "_" + strconv.Itoa(n)
	}
	stem, ext := base, ""
	if i := strings.LastIndexByte(base, '.'); i > 0 && len(base)-i <= 16 {
		stem, ext = base[:i], base[i:]
	}
	for len(stem)+len(mark)+len(ext) > maxName {
		cut := len(stem) - 1
		for cut > 0 && stem[cut]&0xC0 == 0x80 {
			cut--
		}
		stem = stem[:cut]
	}
	return stem + mark + ext
}

func sizeOf(st fs.FileInfo) int64 {
	if st.IsDir() {
		return -1
	}
	return st.Size()
}

const stamp = "2006-01-02T15:04:05"

// escape writes a path as the records hold it: bytes beyond the unreserved ones
// of RFC 2396 as %XX, the slash as it is.
func escape(path string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(path) {
		switch c := path[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte("-_.!~*'()/", c) >= 0:
			b.WriteByte(c)
		default:
			b.WriteByte('%')
			b.WriteByte(hex[c>>4])
			b.WriteByte(hex[c&15])
		}
	}
	return b.String()
}

// unescape reads what escape wrote; a % without two digits stands for itself.
func unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if v, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
				b.WriteByte(byte(v))
				i += 2
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// maxInfo is more than any record needs, in bytes.
const maxInfo = 64 << 10

// read returns the item with an ID. A record that is damaged, or whose file is
// gone, is an error that names it.
func (t trash) read(id string) (Item, error) {
	it := Item{ID: id, Dir: t.dir}
	data, err := readSome(it.info())
	if err != nil {
		return Item{}, err
	}
	lines := strings.Split(strings.ReplaceAll(data, "\r\n", "\n"), "\n")
	if strings.TrimSpace(lines[0]) != "[Trash Info]" {
		return Item{}, fmt.Errorf("%s is no record of a trash", it.info())
	}
	for _, line := range lines[1:] {
		key, value, _ := strings.Cut(line, "=")
		switch {
		case strings.HasPrefix(line, "["):
			return Item{}, fmt.Errorf("%s holds a second section", it.info())
		case key == "Path" && it.Path == "":
			it.Path = unescape(value)
		case key == "DeletionDate" && it.Deleted.IsZero():
			it.Deleted, _ = time.ParseInLocation(stamp, value, time.Local)
		}
	}
	if err := t.place(&it); err != nil {
		return Item{}, err
	}
	st, err := os.Lstat(it.Held())
	if err != nil {
		return Item{}, fmt.Errorf("%s has a record and no file: %w", id, err)
	}
	it.Size, it.Mode = sizeOf(st), st.Mode()
	return it, nil
}

// place makes the recorded path absolute. One that would leave the file system
// it was recorded on is not believed: anybody may have written the record.
func (t trash) place(it *Item) error {
	switch {
	case it.Path == "":
		return fmt.Errorf("%s does not say where the file was", it.info())
	case filepath.IsAbs(it.Path) && t.top == "":
		it.Path = filepath.Clean(it.Path)
	case !filepath.IsAbs(it.Path) && t.top != "" && filepath.IsLocal(it.Path):
		it.Path = filepath.Join(t.top, it.Path)
	case filepath.IsAbs(it.Path) && t.top != "" && within(filepath.Clean(it.Path), t.top):
		it.Path = filepath.Clean(it.Path)
	default:
		return fmt.Errorf("%s names a place outside of its file system", it.info())
	}
	return nil
}

func readSome(path string) (string, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if err != nil {
		return "", err
	}
	defer f.Close()
	if st, err := f.Stat(); err != nil || !st.Mode().IsRegular() {
		return "", fmt.Errorf("%s is no regular file", path)
	}
	data := make([]byte, maxInfo)
	n, err := f.Read(data)
	if n == 0 && err != nil {
		return "", fmt.Errorf("%s is empty", path)
	}
	return string(data[:n]), nil
}
