package te

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/envelope"
	"github.com/tool-mapping-protocol/tmp/resolvers/git"
)

// classifier tells the class of the files of a call.
type classifier struct {
	c     *call
	k     *envelope.Call
	trees map[string]*git.Ignored // by directory; nil where there is no repository
	real  map[string]string       // directories without links
}

func (c *call) newClassifier(k *envelope.Call) *classifier {
	return &classifier{c: c, k: k, trees: map[string]*git.Ignored{}, real: map[string]string{}}
}

func (cl *classifier) class(path string) envelope.Class {
	if cl.k.NoName && cl.k.Stdin || cl.k.Mode == envelope.Plain {
		return envelope.Source
	}
	root := cl.root(path)
	known := envelope.ClassOf(path, root, true)
	if known == envelope.Ignored {
		return known
	}
	ignored, inTree := false, false
	if cl.c.settings.gitignore {
		ignored, inTree = cl.ignored(path)
	}
	switch {
	case ignored:
		return envelope.Ignored
	case !inTree:
		return envelope.ClassOf(path, root, false)
	}
	return known
}

// root is the operand below which a path lies, if it says where and not what: an
// absolute path, or one that leads upwards.
func (cl *classifier) root(path string) string {
	if len(path) > 0 && path[0] != '/' && !strings.HasPrefix(path, "..") {
		return ""
	}
	best := ""
	for i, o := range cl.k.Operands {
		if i >= 64 {
			break
		}
		o = strings.TrimRight(o, "/")
		if o != "" && (path == o || strings.HasPrefix(path, o+"/")) && len(o) > len(best) {
			best = o
		}
	}
	if best == path { // a file by its whole name
		return filepath.Dir(path)
	}
	return best
}

// ignored reports whether git ignores a path, and whether it is in a work tree at all.
func (cl *classifier) ignored(path string) (ignored, inTree bool) {
	dir, base := filepath.Split(path)
	real, ok := cl.real[dir]
	if !ok {
		abs := dir
		if !filepath.IsAbs(abs) {
			abs = filepath.Join(cl.c.Dir, abs)
		}
		if real, _ = filepath.EvalSymlinks(abs); len(cl.real) > 50_000 {
			clear(cl.real)
		}
		cl.real[dir] = real
	}
	if real == "" || base == "" || base == "." || base == ".." {
		return false, false
	}
	tree := cl.tree(real)
	if tree == nil {
		return false, false
	}
	rel := strings.TrimPrefix(strings.TrimPrefix(real, tree.Root()), "/")
	if rel != "" {
		rel += "/"
	}
	full := rel + base
	if !tree.Path(full, false) {
		// A pattern for directories alone: only what find lists may be one.
		return cl.k.Cmd == "find" && tree.Path(full, true) && isDir(filepath.Join(real, base)), true
	}
	return true, true
}

// tree is the work tree that a directory is in.
func (cl *classifier) tree(dir string) *git.Ignored {
	if t, ok := cl.trees[dir]; ok {
		return t
	}
	var t *git.Ignored
	if _, err := os.Lstat(dir + "/.git"); err == nil {
		t, _ = git.OpenIgnored(dir, cl.c.Getenv)
		if t != nil && t.Root() != dir {
			t = nil
		}
	} else if up := filepath.Dir(dir); up != dir {
		t = cl.tree(up)
	}
	cl.trees[dir] = t
	return t
}
