package resolvers

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

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
			return failed(errors.New("no working directory"))
		}
		path = r.Dir + "/" + typed
	}
	dir, err := os.OpenFile(path, os.O_RDONLY|syscall.O_DIRECTORY, 0) // a FIFO would hang
	if err != nil {
		return failed(err)
	}
	defer dir.Close()
	l := fileLister{c: c, dir: path, typed: typed, want: want, pattern: pattern, onlyDirs: onlyDirs}
	for !c.late() {
		entries, err := dir.ReadDir(1024)
		for _, e := range entries {
			l.entry(e.Name(), e.Type())
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return failed(err)
		}
	}
	// The shells offer these two when they are asked for only.
	if base == "." || base == ".." {
		l.entry("..", fs.ModeDir)
		if base == "." {
			l.entry(".", fs.ModeDir)
		}
	}
	return c.answer()
}

type fileLister struct {
	c          *collector
	dir, typed string
	want       Filter
	pattern    string
	onlyDirs   bool
}

// entry takes one name of the directory. A name that cannot be among the best
// costs no system call, and only a symbolic link costs one at all.
func (l *fileLister) entry(name string, mode fs.FileMode) {
	if name[0] == '.' && (l.want.Text == "" || l.want.Text[0] != '.') || !l.want.Keep(name) {
		return
	}
	isdir := mode.IsDir()
	if mode&fs.ModeSymlink != 0 && (l.onlyDirs || l.pattern != "" || l.c.wanted(Value{Value: l.typed + name})) {
		isdir = isDir(l.dir + "/" + name)
	}
	if !isdir && (l.onlyDirs || l.pattern != "" && !matchGlob(l.pattern, name)) {
		return
	}
	v := Value{Value: l.typed + name, Kind: "file"}
	if isdir {
		v.Value += "/"
		v.Kind, v.Partial = "directory", true
	}
	if l.c.room(v) {
		l.c.keep(v)
	}
}
