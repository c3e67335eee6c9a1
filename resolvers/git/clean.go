package git

import (
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
)

// CleanOf says what git clean takes: untracked files, ignored ones (-x both, -X
// only the latter), and whole directories (-d).
type CleanOf struct{ Untracked, Ignored, Directories bool }

// Cleaned tells what git clean would take away at and below a directory of the
// work tree ("" is all of it). What is tracked stays, and counts for nothing.
// Repositories within, which git clean leaves alone unless forced twice, count
// as lost.
func (w *Work) Cleaned(dir string, c CleanOf, rebuilt func(name string, dir bool) bool) Fate {
	var f Fate
	depth := len(w.walk.ignores.tree)
	defer func() { w.walk.ignores.tree = w.walk.ignores.tree[:depth] }()
	for at := 0; dir != ""; {
		w.walk.ignores.enter(w.Root(), dir[:at])
		slash := strings.IndexByte(dir[at:], '/')
		above := dir
		if slash >= 0 {
			above = dir[:at+slash]
		}
		if name := above[strings.LastIndexByte(above, '/')+1:]; name == ".git" || w.walk.nested(above+"/") {
			f.lose(dir, "in another repository")
			return f
		}
		if w.walk.ignores.ignored(above, true) && !w.has(above+"/") {
			if c.Ignored {
				f.ignored(above, rebuilt(above[strings.LastIndexByte(above, '/')+1:], true))
			}
			return f
		}
		if slash < 0 {
			break
		}
		at += slash + 1
	}
	st, err := disk.Lstat(w.Root() + "/" + dir)
	switch {
	case err != nil:
		f.lose(dir, "not there")
	case disk.TypeOf(uint32(st.Mode)) != disk.Directory:
		w.cleanedEntry(&f, dir, disk.TypeOf(uint32(st.Mode)), c, rebuilt, 0)
	case dir == "":
		w.cleanedIn(&f, "", c, rebuilt, 0)
	default:
		w.cleanedIn(&f, dir+"/", c, rebuilt, 0)
	}
	return f
}

// cleanedIn looks at all that is in a directory ("a/b/"), until something of it
// would be lost.
func (w *Work) cleanedIn(f *Fate, dir string, c CleanOf, rebuilt func(string, bool) bool, depth int) {
	w.walk.ignores.enter(w.Root(), dir)
	defer w.walk.ignores.leave()
	for _, e := range w.entries(f, dir, depth) {
		if e.name == ".git" {
			continue
		}
		if w.cleanedEntry(f, dir+e.name, e.typ, c, rebuilt, depth); f.Lost != "" {
			return
		}
	}
}

func (w *Work) cleanedEntry(f *Fate, path string, typ disk.Type, c CleanOf, rebuilt func(string, bool) bool, depth int) {
	name := path[strings.LastIndexByte(path, '/')+1:]
	switch {
	case w.walk.l.index.tracked(path): // a submodule too
	case typ != disk.Directory && w.walk.ignores.ignored(path, false):
		if c.Ignored {
			f.ignored(path, rebuilt(name, false))
		}
	case typ != disk.Directory:
		if c.Untracked {
			f.lose(path, "not in git")
		}
	case w.walk.nested(path + "/"):
		f.lose(path, "another repository")
	case w.walk.ignores.ignored(path, true) && !w.has(path+"/"):
		if c.Ignored && c.Directories {
			f.ignored(path, rebuilt(name, true))
		}
	case c.Directories || w.has(path+"/"):
		w.cleanedIn(f, path+"/", c, rebuilt, depth+1)
	}
}
