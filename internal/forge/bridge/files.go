package bridge

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"golang.org/x/sys/unix"
)

// largest is how large a file that is read may be, in bytes.
const largest = 64 << 20

// entries is how many names a list has at most.
const entries = 10_000

// place is a path of a tool: a directory that is open, and the way below it.
type place struct {
	base string
	fd   int
	rel  string // "." for the directory itself
	own  bool   // a directory that may be written
}

// locate finds the directory that a path belongs to. A path that leaves all of them
// ends the tool.
func (b *Bridge) locate(p string, writing bool) (place, error) {
	if strings.ContainsRune(p, 0) {
		return place{}, violation("NUL in a path")
	}
	if p == "" {
		return place{}, fail("ENOENT", "an empty path")
	}
	abs := p
	if !filepath.IsAbs(p) {
		abs = filepath.Join(b.Project, p)
	}
	abs = filepath.Clean(abs)
	best := ""
	for _, dir := range b.Dirs {
		if within(abs, dir) && len(dir) > len(best) {
			best = dir
		}
	}
	own := best != ""
	if best == "" && within(abs, b.Project) {
		best = b.Project
	}
	if best == "" {
		return place{}, violation("a path out of the jail")
	}
	if writing && !own {
		return place{}, fail("EPERM", "nothing may be written there: fs.allowedDirs")
	}
	fd, err := b.open(best, writing)
	if err != nil {
		return place{}, err
	}
	rel, err := filepath.Rel(best, abs)
	return place{best, fd, rel, own}, err
}

func within(p, dir string) bool {
	return p == dir || strings.HasPrefix(p, strings.TrimSuffix(dir, "/")+"/")
}

// open opens a directory that the configuration names, once. One that may be written
// is made if it is missing.
func (b *Bridge) open(dir string, making bool) (int, error) {
	if fd, ok := b.dirs[dir]; ok {
		return fd, nil
	}
	if making {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return -1, err
		}
	}
	fd, err := unix.Open(dir, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return -1, err
	}
	b.dirs[dir] = fd
	return fd, nil
}

// denied reports whether a name on the way below the project may not be read.
func (b *Bridge) denied(rel string) bool {
	for part := range strings.SplitSeq(rel, "/") {
		for _, pattern := range b.DenyRead {
			if ok, _ := path.Match(strings.ToLower(pattern), strings.ToLower(part)); ok {
				return true
			}
		}
	}
	return false
}

var errDenied = fail("EPERM", "this file may not be read: fs.denyRead")

// openRead opens what is to be read, a regular file or, if dir, a directory.
func (b *Bridge) openRead(p string, dir bool) (*os.File, error) {
	at, err := b.locate(p, false)
	if err != nil {
		return nil, err
	}
	if b.denied(at.rel) {
		return nil, errDenied
	}
	// Nothing blocks: a pipe in the place of a file is told before it is read.
	fd, err := beneath(at.fd, at.rel, unix.O_RDONLY|unix.O_NONBLOCK|unix.O_NOCTTY, 0, false)
	if err != nil {
		return nil, err
	}
	f := os.NewFile(uintptr(fd), "file")
	// Where a link led: the name there counts too.
	if real, err := os.Readlink("/proc/self/fd/" + itoa(fd)); err == nil {
		base, err := filepath.EvalSymlinks(at.base)
		if err == nil && within(real, base) {
			if rel, err := filepath.Rel(base, real); err == nil && b.denied(rel) {
				f.Close()
				return nil, errDenied
			}
		}
	}
	st, err := f.Stat()
	switch {
	case err != nil:
	case dir && !st.IsDir():
		err = fail("ENOTDIR", "it is not a directory")
	case !dir && st.IsDir():
		err = fail("EISDIR", "it is a directory")
	case !dir && !st.Mode().IsRegular():
		err = fail("EPERM", "it is no regular file")
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

func (b *Bridge) read(p, encoding string) (any, error) {
	f, err := b.openRead(p, false)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	limit := int64(largest)
	if b.MaxAnswer > 0 {
		limit = min(limit, int64(b.MaxAnswer))
	}
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(data)) > limit {
		return nil, fail("ETOOBIG", "the file is too large")
	}
	switch encoding {
	case "base64":
		return base64.StdEncoding.EncodeToString(data), nil
	case "utf8", "utf-8":
		if !utf8.Valid(data) {
			return strings.ToValidUTF8(string(data), "\ufffd"), nil
		}
		return string(data), nil
	}
	return nil, fail("EINVAL", "the encoding is utf8 or base64")
}

func (b *Bridge) list(p string) (any, error) {
	f, err := b.openRead(p, true)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	type entry struct {
		Name string `json:"name"`
		Type string `json:"type"`
	}
	out := []entry{}
	found, err := f.ReadDir(entries + 1)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if len(found) > entries {
		return nil, fail("ETOOBIG", "the directory has too many entries")
	}
	for _, e := range found {
		out = append(out, entry{strings.ToValidUTF8(e.Name(), "\ufffd"), kind(e.Type())})
	}
	return out, nil
}

func kind(m os.FileMode) string {
	switch {
	case m.IsRegular():
		return "file"
	case m.IsDir():
		return "dir"
	case m&os.ModeSymlink != 0:
		return "link"
	}
	return "other"
}

func (b *Bridge) stat(p string) (any, error) {
	at, err := b.locate(p, false)
	if err != nil {
		return nil, err
	}
	if b.denied(at.rel) {
		return nil, errDenied
	}
	fd, err := beneath(at.fd, at.rel, pathOnly, 0, false)
	if err != nil {
		return nil, err
	}
	f := os.NewFile(uintptr(fd), "file")
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	return map[string]any{"size": st.Size(), "type": kind(st.Mode()), "mtime": st.ModTime().UnixMilli()}, nil
}

func (b *Bridge) write(p, text, encoding string, appending bool) error {
	if !b.Write {
		return fail("EPERM", "the tool does not declare @effect local-write")
	}
	data := []byte(text)
	switch encoding {
	case "utf8", "utf-8":
	case "base64":
		var err error
		if data, err = base64.StdEncoding.DecodeString(text); err != nil {
			return fail("EINVAL", "the data is not base64")
		}
	default:
		return fail("EINVAL", "the encoding is utf8 or base64")
	}
	at, err := b.locate(p, true)
	if err != nil {
		return err
	}
	if at.rel == "." {
		return fail("EISDIR", "it is a directory")
	}
	if b.files++; b.files > b.MaxFiles {
		return quota("more files are written than fs.maxFiles")
	}
	if b.written += int64(len(data)); b.written > b.MaxWrite {
		return quota("more is written than fs.maxWriteSizeMB")
	}
	dir, err := b.parents(at)
	if err != nil {
		return err
	}
	defer unix.Close(dir)
	name := path.Base(at.rel)
	old, err := existing(dir, name)
	if err != nil {
		return err
	}
	if appending && old != nil {
		if old.Size()+int64(len(data)) > b.MaxWrite {
			return quota("the file grows beyond fs.maxWriteSizeMB")
		}
		fd, err := beneath(dir, name, unix.O_WRONLY|unix.O_APPEND|unix.O_NONBLOCK, 0, true)
		if err != nil {
			return err
		}
		f := os.NewFile(uintptr(fd), "file")
		_, err = f.Write(data)
		return errors.Join(err, f.Close())
	}
	return replace(dir, name, data)
}

// existing is the regular file of that name, nil if there is none. Anything else is
// left alone.
func existing(dir int, name string) (os.FileInfo, error) {
	fd, err := beneath(dir, name, pathOnly|unix.O_NOFOLLOW, 0, false)
	if errors.Is(err, unix.ENOENT) {
		return nil, nil //nolint:nilnil // there is none
	}
	if err != nil {
		return nil, err
	}
	f := os.NewFile(uintptr(fd), "file")
	defer f.Close()
	st, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case st.Mode()&os.ModeSymlink != 0:
		return nil, violation("a link where something is to be written")
	case st.IsDir():
		return nil, fail("EISDIR", "it is a directory")
	case !st.Mode().IsRegular():
		return nil, fail("EPERM", "it is no regular file")
	}
	return st, nil
}

// parents opens the directory of a file, making those that are missing.
func (b *Bridge) parents(at place) (int, error) {
	dir, err := unix.Dup(at.fd)
	if err != nil {
		return -1, err
	}
	unix.CloseOnExec(dir)
	for part := range strings.SplitSeq(path.Dir(at.rel), "/") {
		if part == "." {
			continue
		}
		next, err := beneath(dir, part, unix.O_RDONLY|unix.O_DIRECTORY, 0, true)
		if errors.Is(err, unix.ENOENT) {
			if b.files++; b.files > b.MaxFiles {
				unix.Close(dir)
				return -1, quota("more files are written than fs.maxFiles")
			}
			if err = unix.Mkdirat(dir, part, 0o755); err == nil || errors.Is(err, unix.EEXIST) {
				next, err = beneath(dir, part, unix.O_RDONLY|unix.O_DIRECTORY, 0, true)
			}
		}
		unix.Close(dir)
		if err != nil {
			return -1, err
		}
		dir = next
	}
	return dir, nil
}

// replace puts a file in place whole.
func replace(dir int, name string, data []byte) error {
	var random [8]byte
	_, _ = rand.Read(random[:])
	tmp := ".tgp-" + hex.EncodeToString(random[:])
	fd, err := beneath(dir, tmp, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL, 0o644, true)
	if err != nil {
		return err
	}
	f := os.NewFile(uintptr(fd), "file")
	_, err = f.Write(data)
	err = errors.Join(err, f.Close())
	if err == nil {
		err = unix.Renameat(dir, tmp, dir, name)
	}
	if err != nil {
		_ = unix.Unlinkat(dir, tmp, 0)
	}
	return err
}

func itoa(n int) string {
	if n == 0 {
		return "0"
	}
	var b [20]byte
	i := len(b)
	for ; n > 0; n /= 10 {
		i--
		b[i] = byte('0' + n%10)
	}
	return string(b[i:])
}
