package te

import (
	"path/filepath"
	"strings"
	"syscall"

	"github.com/tool-mapping-protocol/tmp/internal/envelope"
	"github.com/tool-mapping-protocol/tmp/resolvers/git"
)

// classifier tells the class of the files of a call.
type classifier struct {
	c     *call
	k     *envelope.Call
	names map[string]*directory // by their names in the output
	last  string                // of the directory that was asked for last
	dir   *directory
	trees map[string]*git.Ignored // by root
}

// directory is what is known of one: "" or "a/b/" in the output.
type directory struct {
	real  string // without links; "" if it cannot be told
	tree  *git.Ignored
	rel   string // below the root of the tree: "" or "a/b/"
	class envelope.Class
}

// maxDirectories bounds what is known of directories at one time.
const maxDirectories = 10_000

func (c *call) newClassifier(k *envelope.Call) *classifier {
	return &classifier{c: c, k: k, names: map[string]*directory{}, trees: map[string]*git.Ignored{}}
}

func (cl *classifier) class(path string) envelope.Class {
	if cl.k.NoName && cl.k.Stdin || cl.k.Mode == envelope.Plain {
		return envelope.Source
	}
	slash := strings.LastIndexByte(path, '/') + 1
	if cl.dir == nil || path[:slash] != cl.last {
		cl.last = strings.Clone(path[:slash])
		cl.dir = cl.directory(cl.last)
	}
	d, base := cl.dir, path[slash:]
	class := max(d.class, envelope.ClassOfName(base))
	if class == envelope.Ignored || d.tree == nil || base == "" || base == "." || base == ".." {
		return class
	}
	if cl.k.Cmd != "find" {
		if d.tree.Path(d.rel+base, false) {
			return envelope.Ignored
		}
		return class
	}
	// What find lists may be a directory: the rules for those are the more.
	if d.tree.Path(d.rel+base, true) && (d.tree.Path(d.rel+base, false) || isDir(d.real+"/"+base)) {
		return envelope.Ignored
	}
	return class
}

// directory finds out about a directory, from what is known of the one above it.
func (cl *classifier) directory(dir string) *directory {
	if d := cl.names[dir]; d != nil {
		return d
	}
	if len(cl.names) > maxDirectories {
		clear(cl.names)
	}
	d := &directory{}
	plain := strings.TrimRight(dir, "/")
	slash := strings.LastIndexByte(plain, '/') + 1
	name := plain[slash:]
	if dir == "" || cl.start(plain) || name == ".." || name == "." || name == "" {
		cl.find(d, plain)
	} else if up := cl.directory(plain[:slash]); up.real == "" {
		cl.find(d, plain)
	} else {
		d.real = strings.TrimRight(up.real, "/") + "/" + name
		var st syscall.Stat_t
		if syscall.Lstat(d.real, &st) != nil || st.Mode&syscall.S_IFMT != syscall.S_IFDIR {
			cl.find(d, plain)
		} else if d.tree = cl.own(d.real); d.tree == nil {
			d.tree = up.tree
		}
	}
	cl.place(d, dir)
	cl.names[dir] = d
	return d
}

// find looks for a directory without knowing the one above it.
func (cl *classifier) find(d *directory, dir string) {
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(cl.c.Dir, dir)
	}
	d.real, _ = filepath.EvalSymlinks(dir)
	for up := d.real; up != "" && d.tree == nil; up = filepath.Dir(up) {
		d.tree = cl.own(up)
		if up == "/" {
			break
		}
	}
}

// start reports whether a directory is one where the tool began.
func (cl *classifier) start(dir string) bool {
	for i, o := range cl.k.Operands {
		if i >= 64 {
			return false
		}
		if strings.TrimRight(o, "/") == dir {
			return true
		}
	}
	return false
}

// place finds the class of a directory, and where it is in its work tree.
func (cl *classifier) place(d *directory, dir string) {
	if d.tree == nil {
		d.class = envelope.ClassOfDir(cl.below(dir), false)
		return
	}
	d.rel = strings.TrimPrefix(strings.TrimPrefix(d.real, d.tree.Root()), "/")
	if d.rel != "" {
		d.rel += "/"
	}
	d.class = envelope.ClassOfDir(d.rel, true)
}

// below is a directory as seen from where the tool began, if that only says where: an
// absolute path, or one that leads upwards.
func (cl *classifier) below(dir string) string {
	if dir == "" || dir[0] != '/' && !strings.HasPrefix(dir, "..") {
		return dir
	}
	best := ""
	for i, o := range cl.k.Operands {
		o = strings.TrimRight(o, "/") + "/"
		if i < 64 && strings.HasPrefix(dir, o) && len(o) > len(best) {
			best = o
		}
	}
	if best == "" { // of a file that was named itself
		return ""
	}
	return dir[len(best):]
}

// own is the work tree whose root a directory is; nil if it is none.
func (cl *classifier) own(dir string) *git.Ignored {
	if !cl.c.settings.Gitignore {
		return nil
	}
	if t, ok := cl.trees[dir]; ok {
		return t
	}
	var st syscall.Stat_t
	if syscall.Lstat(dir+"/.git", &st) != nil {
		return nil
	}
	t, _ := git.OpenIgnored(dir, cl.c.Getenv)
	if t != nil && t.Root() != dir {
		t = nil
	}
	cl.trees[dir] = t
	return t
}
