package resolvers

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"syscall"
)

var errNoDir = errors.New("no working directory")

// nowhere says that a project's file is not to be found from dir upwards.
func nowhere(what, dir string) error {
	if dir == "" {
		return errNoDir
	}
	return errors.New(what + " in " + dir + " or above it")
}

// listFiles answers files, and files:GLOB (directories, and files whose base
// name matches). The filter's text is a path as typed, with a leading "~" or a
// variable already expanded; values are whole paths as typed, directories end
// in "/" and are Partial. The directory part is taken literally, the filter's
// mode applies to the base name. Hidden names show when the base begins with a dot.
func listFiles(ctx context.Context, r Request) Answer {
	pattern := ""
	if i := strings.IndexByte(r.Name, ':'); i >= 0 {
		pattern = r.Name[i+1:]
	}
	return listDir(ctx, r, pattern, false)
}

// listDirs answers dirs: like files, directories only.
func listDirs(ctx context.Context, r Request) Answer {
	return listDir(ctx, r, "", true)
}

// splitPath cuts a path after its last "/".
func splitPath(path string) (dir, base string) {
	i := strings.LastIndexByte(path, '/') + 1
	return path[:i], path[i:]
}

func listDir(ctx context.Context, r Request, pattern string, onlyDirs bool) Answer {
	typed, base := splitPath(r.Filter.Text)
	c := newCollector(ctx, r)
	// The collector sees whole values; what is filtered is the base name.
	c.filter = Filter{}
	want := Filter{Text: base, Mode: r.Filter.Mode}
	// Not cleaned: "link/../" is the parent of where link leads, as the kernel sees it.
	path := typed
	if !filepath.IsAbs(typed) {
		if !filepath.IsAbs(r.Dir) {
			return failed(errNoDir)
		}
		path = r.Dir + "/" + typed
	}
	l := fileLister{c: c, dir: path, typed: typed, want: want, pattern: pattern, onlyDirs: onlyDirs}
	err := readDir(path, func(name []byte, typ entryType) bool {
		l.entry(view(name), typ)
		return !c.late()
	})
	if typed != "" && leadsNowhere(err) {
		return c.answer() // such a path holds nothing, and shells say nothing
	}
	if err != nil {
		return failed(&fs.PathError{Op: "read", Path: path, Err: cause(err)})
	}
	// The shells offer these two when they are asked for only.
	if base == "." || base == ".." {
		l.entry("..", entryDir)
		if base == "." {
			l.entry(".", entryDir)
		}
	}
	return c.answer()
}

// leadsNowhere reports whether a directory could not be read because there is none.
func leadsNowhere(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) ||
		errors.Is(err, syscall.ENAMETOOLONG) || errors.Is(err, syscall.ELOOP)
}

type fileLister struct {
	c          *collector
	dir, typed string
	want       Filter
	pattern    string
	onlyDirs   bool
}

// cause is the bare reason of an error that names a path.
func cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// entry takes one name of the directory; it keeps no reference to it. A name
// that cannot be among the best costs no allocation, and only a symbolic link
// costs a system call.
func (l *fileLister) entry(name string, typ entryType) {
	if name[0] == '.' && (l.want.Text == "" || l.want.Text[0] != '.') || !l.want.Keep(name) {
		return
	}
	beyond := l.c.full && name > l.c.worst.Value[len(l.typed):]
	isdir := typ == entryDir
	if typ == entryLink && (l.onlyDirs || l.pattern != "" || !beyond) {
		isdir = isDir(l.dir + "/" + name)
	}
	if !isdir && (l.onlyDirs || l.pattern != "" && !matchGlob(l.pattern, name)) {
		return
	}
	if beyond {
		l.c.omitted++
		return
	}
	v := Value{Value: l.typed + name, Kind: "file"}
	if l.typed == "" {
		v.Value = strings.Clone(name)
	}
	if isdir {
		v.Value += "/"
		v.Kind, v.Partial = "directory", true
	}
	if l.c.room(v) {
		l.c.keep(v)
	}
}
