// Package files has the values that are files: paths as they are typed, kinds of
// files, members of archives.
package files

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/resolvers"
)

// Files answers files, and files:GLOB (directories, and files whose base
// name matches). The filter's text is a path as typed, with a leading "~" or a
// variable already expanded; values are whole paths as typed, directories end
// in "/" and are Partial. The directory part is taken literally, the filter's
// mode applies to the base name. Hidden names show when the base begins with a dot.
func Files(ctx context.Context, r resolvers.Request) resolvers.Answer {
	pattern := ""
	if i := strings.IndexByte(r.Name, ':'); i >= 0 {
		pattern = r.Name[i+1:]
	}
	return ListDir(ctx, r, pattern, false)
}

// Dirs answers dirs: like files, directories only.
func Dirs(ctx context.Context, r resolvers.Request) resolvers.Answer {
	return ListDir(ctx, r, "", true)
}

// ListDir answers with the names in the directory that is typed: directories, and
// files whose base name matches pattern, "" for all.
func ListDir(ctx context.Context, r resolvers.Request, pattern string, onlyDirs bool) resolvers.Answer {
	typed, base := disk.Split(r.Filter.Text)
	c := resolvers.NewCollector(ctx, r)
	// The collector sees whole values; what is filtered is the base name.
	c.Filter = resolvers.Filter{}
	want := resolvers.Filter{Text: base, Mode: r.Filter.Mode}
	// Not cleaned: "link/../" is the parent of where link leads, as the kernel sees it.
	path := typed
	if !filepath.IsAbs(typed) {
		if !filepath.IsAbs(r.Dir) {
			return resolvers.Failure(resolvers.ErrNoDir)
		}
		path = r.Dir + "/" + typed
	}
	l := fileLister{c: c, dir: path, typed: typed, want: want, pattern: pattern, onlyDirs: onlyDirs}
	err := disk.ReadDir(path, func(name []byte, typ disk.Type) bool {
		l.entry(disk.View(name), typ)
		return !c.Late()
	})
	if typed != "" && leadsNowhere(err) {
		return c.Answer() // such a path holds nothing, and shells say nothing
	}
	if err != nil {
		return resolvers.Failure(&fs.PathError{Op: "read", Path: path, Err: cause(err)})
	}
	// The shells offer these two when they are asked for only.
	if base == "." || base == ".." {
		l.entry("..", disk.Directory)
		if base == "." {
			l.entry(".", disk.Directory)
		}
	}
	return c.Answer()
}

// leadsNowhere reports whether a directory could not be read because there is none.
func leadsNowhere(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) ||
		errors.Is(err, syscall.ENAMETOOLONG) || errors.Is(err, syscall.ELOOP)
}

type fileLister struct {
	c          *resolvers.Collector
	dir, typed string
	want       resolvers.Filter
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
func (l *fileLister) entry(name string, typ disk.Type) {
	if name[0] == '.' && (l.want.Text == "" || l.want.Text[0] != '.') || !l.want.Keep(name) {
		return
	}
	beyond := l.c.Full && name > l.c.Worst.Value[len(l.typed):]
	isdir := typ == disk.Directory
	if typ == disk.Link && (l.onlyDirs || l.pattern != "" || !beyond) {
		isdir = disk.IsDir(l.dir + "/" + name)
	}
	if !isdir && (l.onlyDirs || l.pattern != "" && !disk.Match(l.pattern, name)) {
		return
	}
	if beyond {
		l.c.Omitted++
		return
	}
	v := resolvers.Value{Value: l.typed + name, Kind: "file"}
	if l.typed == "" {
		v.Value = strings.Clone(name)
	}
	if isdir {
		v.Value += "/"
		v.Kind, v.Partial = "directory", true
	}
	if l.c.Room(v) {
		l.c.Keep(v)
	}
}
