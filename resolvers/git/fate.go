package git

import (
	"bytes"
	"context"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/resolvers"
)

// maxFate bounds the directory entries that one look at what a deletion would
// lose reads.
const maxFate = 20_000

// Fate is what git could do about files that are deleted or overwritten.
type Fate struct {
	Tracked int // files that git has as they are: in HEAD, the index and the work tree alike
	Rebuilt int // files and directories that git ignores and a build makes again
	// Lost is the first path, relative to the work tree, whose content would be
	// gone; "" if there is none. Why says what it is: "changed", "staged", "not
	// in git", "ignored by git" …
	Lost, Why string
}

// Work answers for the files of one work tree. It reads the repository's
// files and runs nothing.
type Work struct {
	walk  untrackedWalk
	diff  comparer
	trees map[string]map[string]treeEntry // of HEAD, by directory ("" or "a/b/")
	store *objectStore
	head  string // tree of HEAD, "" if there is none that can be read
	whole bool   // every entry of the index is as in HEAD
	read  int
}

// OpenWork finds the work tree that a directory is in. getenv nil means the
// process's environment.
func OpenWork(ctx context.Context, dir string, getenv func(string) string) (*Work, error) {
	repo, err := openGit(resolvers.Request{Dir: dir, Getenv: getenv})
	if err != nil {
		return nil, err
	}
	if repo.workTree == "" {
		return nil, errNoRepo
	}
	index, err := openIndex(repo)
	if err != nil {
		return nil, err
	}
	w := &Work{
		walk:  untrackedWalk{l: &pathListing{ctx: ctx, repo: repo, index: index}, ignores: openIgnores(repo)},
		diff:  comparer{repo: repo, index: index, budget: 16 << 20, strict: true},
		trees: map[string]map[string]treeEntry{},
		store: openObjects(repo),
	}
	w.diff.readSettings()
	refs, err := openRefs(ctx, repo)
	if err == nil {
		if commit, err := w.store.commit(refs.resolve("HEAD")); err == nil {
			w.head = commit.Tree
		}
		refs.close()
	}
	cached := index.cachedID("")
	w.whole = cached != nil && w.head != "" && hexOf(cached) == w.head
	return w, nil
}

// Close gives the object files back.
func (w *Work) Close() { w.store.close() }

// Root is the absolute path of the work tree, without symbolic links.
func (w *Work) Root() string { return w.walk.l.repo.workTree }

// Fate tells what would become of a file, or of a directory with all that is in
// it. path is relative to the work tree, with no symbolic link among its
// directories. rebuilt says of a name that is ignored whether a build makes it
// again. Where the answer cannot be told in time, content counts as lost.
func (w *Work) Fate(path string, rebuilt func(name string, dir bool) bool) Fate {
	var f Fate
	if path == "" || path == "." {
		f.lose(".", "the repository itself")
		return f
	}
	depth := len(w.walk.ignores.tree)
	defer func() { w.walk.ignores.tree = w.walk.ignores.tree[:depth] }()
	// An ignored directory above decides for all that is in it.
	for at := 0; ; {
		w.walk.ignores.enter(w.Root(), path[:at])
		slash := strings.IndexByte(path[at:], '/')
		if slash < 0 {
			break
		}
		dir := path[:at+slash]
		at += slash + 1
		if name := dir[strings.LastIndexByte(dir, '/')+1:]; name == ".git" || w.walk.nested(dir+"/") {
			f.lose(path, "in another repository")
			return f
		}
		if w.walk.ignores.ignored(dir, true) && !w.has(dir+"/") {
			f.ignored(dir, rebuilt(dir[strings.LastIndexByte(dir, '/')+1:], true))
			return f
		}
	}
	st, err := disk.Lstat(w.Root() + "/" + path)
	if err != nil {
		f.lose(path, "not there")
		return f
	}
	w.entry(&f, path, disk.TypeOf(uint32(st.Mode)), rebuilt, 0)
	return f
}

// lose notes what would be gone, the first of it.
func (f *Fate) lose(path, why string) {
	if f.Lost == "" {
		f.Lost, f.Why = path, why
	}
}

func (f *Fate) ignored(path string, rebuilt bool) {
	if rebuilt {
		f.Rebuilt++
	} else {
		f.lose(path, "ignored by git")
	}
}

// has reports whether something in a directory ("a/b/") is tracked.
func (w *Work) has(dir string) bool {
	from, to := w.walk.l.index.under(dir)
	return from < to
}

// entry looks at one file or directory.
func (w *Work) entry(f *Fate, path string, typ disk.Type, rebuilt func(string, bool) bool, depth int) {
	name := path[strings.LastIndexByte(path, '/')+1:]
	switch {
	case name == ".git":
		f.lose(path, "the repository itself")
	case typ != disk.Directory && w.walk.l.index.tracked(path):
		if why := w.changed(path); why != "" {
			f.lose(path, why)
		} else {
			f.Tracked++
		}
	case typ != disk.Directory:
		switch {
		case w.walk.ignores.ignored(path, false):
			f.ignored(path, rebuilt(name, false))
		case typ == disk.File || typ == disk.Link:
			f.lose(path, "not in git")
		default:
			f.lose(path, "no file")
		}
	case w.walk.l.index.tracked(path):
		f.lose(path, "a submodule")
	case w.walk.nested(path + "/"):
		f.lose(path, "another repository")
	case w.walk.ignores.ignored(path, true) && !w.has(path+"/"):
		f.ignored(path, rebuilt(name, true))
	default:
		w.directory(f, path+"/", rebuilt, depth+1)
	}
}

// fateEntry is what a directory holds.
type fateEntry struct {
	name string
	typ  disk.Type
}

// entries reads a directory ("a/b/"). Where that fails or is too much, it is
// counted as lost.
func (w *Work) entries(f *Fate, dir string, depth int) []fateEntry {
	var all []fateEntry
	err := disk.ReadDir(w.Root()+"/"+dir, func(name []byte, typ disk.Type) bool {
		w.read++
		all = append(all, fateEntry{string(name), typ})
		return w.read <= maxFate
	})
	switch {
	case err != nil:
		f.lose(dir, "cannot be read")
		return nil
	case w.read > maxFate || depth > 200 || w.walk.l.ctx.Err() != nil:
		f.lose(dir, "too much to look at")
		return nil
	}
	return all
}

// directory looks at all that is in a directory ("a/b/"), until something of it
// would be lost.
func (w *Work) directory(f *Fate, dir string, rebuilt func(string, bool) bool, depth int) {
	w.walk.ignores.enter(w.Root(), dir)
	defer w.walk.ignores.leave()
	for _, e := range w.entries(f, dir, depth) {
		if w.entry(f, dir+e.name, e.typ, rebuilt, depth); f.Lost != "" {
			return
		}
	}
}

// changed tells why git could not give a tracked file back as it is, or "".
func (w *Work) changed(path string) string {
	from, to := w.walk.l.index.under(path)
	for i := from; i < to; i++ {
		e := &w.walk.l.index.entries[i]
		if e.path != path {
			continue
		}
		switch {
		case e.stage() != 0:
			return "unmerged"
		case e.mode == modeGitlink:
			return "a submodule"
		case e.flags&flagAssume != 0 || e.extra&(extraSkip|extraIntent) != 0:
			return "not watched by git"
		case w.diff.compare(e) != "":
			return "changed"
		case !w.whole && !w.inHead(e):
			return "staged"
		}
		return ""
	}
	return "not in git"
}

// inHead reports whether HEAD has what the index has of a file.
func (w *Work) inHead(e *indexEntry) bool {
	if w.head == "" {
		return false
	}
	id, dir, rest := w.head, "", e.path
	for {
		tree, ok := w.trees[dir]
		if !ok {
			entries, err := w.store.tree(id)
			if err != nil {
				return false
			}
			tree = make(map[string]treeEntry, len(entries))
			for _, t := range entries {
				tree[t.Name] = t
			}
			w.trees[dir] = tree
		}
		name, below, deeper := strings.Cut(rest, "/")
		t, ok := tree[name]
		switch {
		case !ok || t.isTree() != deeper:
			return false
		case !deeper:
			return bytes.Equal(t.ID, e.id()) && canonicalMode(t.Mode) == e.mode
		}
		id, dir, rest = hexOf(t.ID), dir+name+"/", below
	}
}

// Clean reports whether the tracked files at and below a path ("" for all) are
// as in HEAD, and there are some.
func (w *Work) Clean(path string) bool {
	prefix := path
	if prefix != "" {
		prefix += "/"
	}
	index := w.walk.l.index
	from, to := index.under(prefix)
	if from == to && path != "" && index.tracked(path) {
		return w.changed(path) == ""
	}
	for i := from; i < to; i++ {
		if w.read++; w.read > maxFate || w.walk.l.ctx.Err() != nil || w.changed(index.entries[i].path) != "" {
			return false
		}
	}
	return from < to && (w.whole || !w.removed())
}

// removed reports whether HEAD has a file that the index does not: a deletion
// that is staged, after which another file may stand in its place.
func (w *Work) removed() bool {
	if w.head == "" {
		return true
	}
	d := stagedDiff{l: &pathListing{ctx: w.walk.l.ctx, repo: w.walk.l.repo, index: w.walk.l.index}, objects: w.store}
	if err := d.tree(w.head, "", 0, len(w.walk.l.index.entries), 0); err != nil {
		return true
	}
	for _, v := range d.l.answer.Values {
		if v.Description == "deleted" {
			return true
		}
	}
	return false
}
