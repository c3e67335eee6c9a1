package project

import (
	"bytes"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/yaml"
)

// Seen is a name that was looked at, with what it was then: the zero Stamp where
// there was nothing. As long as each is what it was, so is what was found.
type Seen struct {
	Path  string
	Stamp Stamp
}

// Unread is a file that says something which was not read, and why.
type Unread struct {
	File string `json:"file"` // from the root
	Why  string `json:"why"`
}

// look reads the files of one project: each once, within its root, within bounds.
type look struct {
	files  Files
	root   string
	uid    uint32
	stats  map[string]stat
	lists  map[string]listed
	texts  map[string]text
	docs   map[string]*yaml.Node // of JSON
	room   int64                 // bytes that may still be read
	unread []Unread

	roles  *Roles
	prefer Settings
	walked int // directories that walks have been in
	// workspace gives the bodies that a command runs in other packages.
	workspace func(c *command) string
	trace     map[string]bool // names that were asked for, while somebody wants to know
}

type stat struct {
	Info
	ok bool
}

type listed struct {
	entries []Entry
	whole   bool
}

type text struct {
	data []byte
	err  error
}

// maxRead bounds the bytes that are read of one project, maxNames those of a
// name, and maxTasks the tasks of one file.
const (
	maxRead  = 64 << 20
	maxName  = 200
	maxTasks = 10_000
)

func newLook(files Files, root string, uid uint32) *look {
	return &look{
		files: files, root: root, uid: uid, room: maxRead,
		docs: map[string]*yaml.Node{}, stats: map[string]stat{}, lists: map[string]listed{}, texts: map[string]text{},
	}
}

// stat is what a name is. A symbolic link that leads out of the project is
// nothing, and is said.
func (l *look) stat(path string) (Info, bool) {
	if l.trace != nil {
		l.trace[path] = true
	}
	if s, ok := l.stats[path]; ok {
		return s.Info, s.ok
	}
	if in, ok := l.lists[filepath.Dir(path)]; ok && in.whole {
		base := filepath.Base(path)
		if _, there := slices.BinarySearchFunc(in.entries, base, func(e Entry, n string) int { return strings.Compare(e.Name, n) }); !there {
			return Info{}, false
		}
	}
	in, ok := l.files.Stat(path)
	if ok && in.Real != "" && !within(l.root, in.Real) {
		l.skip(path, "is a symbolic link that leads out of the project")
		ok = false
	}
	l.stats[path] = stat{in, ok}
	return in, ok
}

func within(root, path string) bool {
	return path == root || root == "/" || strings.HasPrefix(path, root+"/")
}

// isFile reports whether a name is a regular file.
func (l *look) isFile(path string) bool {
	in, ok := l.stat(path)
	return ok && in.Regular
}

func (l *look) isDir(path string) bool {
	in, ok := l.stat(path)
	return ok && in.Dir
}

// list is what a directory of the project holds, in order.
func (l *look) list(dir string) []Entry {
	if in, ok := l.lists[dir]; ok {
		return in.entries
	}
	in, ok := l.stat(dir)
	if !ok || !in.Dir {
		return nil
	}
	entries, err := l.files.List(dir, maxEntries)
	l.lists[dir] = listed{entries, err == nil && len(entries) < maxEntries}
	return entries
}

// open gives the text of a file. Why one that is there cannot be read is said once.
func (l *look) open(path string) ([]byte, bool) {
	if t, ok := l.texts[path]; ok {
		return t.data, t.err == nil
	}
	in, ok := l.stat(path)
	if !ok || in.Dir {
		return nil, false
	}
	var t text
	switch {
	case !in.Regular:
		t.err = ErrNotRegular
	case in.Size > maxManifest || in.Size > l.room:
		t.err = ErrTooLarge
	default:
		t.data, t.err = l.files.Open(path, maxManifest)
		l.room -= int64(len(t.data))
		t.data = bytes.TrimPrefix(t.data, []byte("\ufeff"))
	}
	l.texts[path] = t
	if t.err != nil {
		if errors.Is(t.err, fs.ErrNotExist) {
			return nil, false
		}
		l.skip(path, reason(t.err))
	}
	return t.data, t.err == nil
}

// reason is an error without the path, which stands beside it.
func reason(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return err.Error()
}

// skip says that a file was not read.
func (l *look) skip(path, why string) {
	u := Unread{l.rel(path), why}
	if len(l.unread) < 200 && !slices.Contains(l.unread, u) {
		l.unread = append(l.unread, u)
	}
}

// rel is a path as seen from the root.
func (l *look) rel(path string) string {
	if path == l.root {
		return "."
	}
	if rest, ok := strings.CutPrefix(path, l.root+"/"); ok {
		return rest
	}
	return path
}

// Seen is everything that was looked at.
func (l *look) Seen() []Seen { return l.seenOf(func(string) bool { return true }) }

// traced is what was looked at while the names were noted.
func (l *look) traced() []Seen { return l.seenOf(func(path string) bool { return l.trace[path] }) }

func (l *look) seenOf(keep func(path string) bool) []Seen {
	out := make([]Seen, 0, len(l.stats))
	for path, s := range l.stats {
		if !keep(path) {
			continue
		}
		e := Seen{Path: path}
		if s.ok || s.Real != "" {
			e.Stamp = s.Stamp
		}
		out = append(out, e)
	}
	slices.SortFunc(out, func(a, b Seen) int { return strings.Compare(a.Path, b.Path) })
	return out
}

// Unchanged reports whether all that was seen is as it was.
func Unchanged(files Files, seen []Seen) bool {
	for _, s := range seen {
		in, ok := files.Stat(s.Path)
		if !ok {
			in.Stamp = Stamp{}
		}
		if in.Stamp != s.Stamp {
			return false
		}
	}
	return true
}

// lineOf is the line, from 1, where a text first stands; 0 if it does not.
func lineOf(data []byte, what string) int {
	i := bytes.Index(data, []byte(what))
	if i < 0 || what == "" {
		return 0
	}
	return bytes.Count(data[:i], []byte("\n")) + 1
}
