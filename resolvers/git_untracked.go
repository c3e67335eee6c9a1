package resolvers

import (
	"context"
	"errors"
	"slices"
	"strings"
)

// maxWalk bounds the entries that one look for untracked files reads.
const maxWalk = 100_000

var errWalk = errors.New("too many files")

// gitUntracked answers git:untracked: files below the request's directory, or
// below the one that the text names, that are neither tracked nor ignored. A
// repository within is one entry, "dir/".
func gitUntracked(ctx context.Context, r Request) Answer {
	return withIndex(ctx, r, func(l *pathListing) error {
		w := untrackedWalk{l: l, ignores: openIgnores(l.repo)}
		start, ok := w.start()
		if !ok {
			return nil
		}
		ignored, err := w.descend(start)
		if err != nil || ignored {
			return err
		}
		err = w.walk(start, 0)
		if errors.Is(err, errWalk) {
			l.answer.State, l.answer.Message = Timeout, "git: too many files to look at"
			return nil
		}
		return err
	})
}

type untrackedWalk struct {
	l       *pathListing
	ignores *ignores
	read    int
}

// start gives the directory ("" or "a/b/") that the text leads to.
func (w *untrackedWalk) start() (string, bool) {
	dir := w.l.repo.prefix
	if w.l.r.Filter.Mode != Prefix {
		return dir, true
	}
	text := w.l.r.Filter.Text
	for {
		part, rest, ok := strings.Cut(text, "/")
		if !ok {
			return dir, part != ".." || dir != ""
		}
		switch part {
		case "":
			return dir, false // an absolute path
		case "..":
			if dir == "" {
				return dir, false
			}
			dir = dir[:strings.LastIndexByte(dir[:len(dir)-1], '/')+1]
		case ".", ".git":
			return dir, false
		default:
			dir += part + "/"
		}
		text = rest
	}
}

// descend reads the ignore files above the start and reports whether the
// start lies in an ignored directory.
func (w *untrackedWalk) descend(start string) (ignored bool, err error) {
	for at := 0; at < len(start); {
		dir := start[:at]
		w.ignores.enter(w.l.repo.workTree, dir)
		slash := strings.IndexByte(start[at:], '/')
		if w.ignores.ignored(start[:at+slash], true) {
			return true, nil
		}
		at += slash + 1
		if st, err := lstatFile(w.l.repo.workTree + "/" + start[:at-1]); err != nil || typeOfMode(uint32(st.Mode)) != entryDir {
			return true, nil
		}
		if w.nested(start[:at]) {
			return true, nil
		}
	}
	return false, w.l.ctx.Err()
}

// nested reports whether a directory is a repository of its own.
func (w *untrackedWalk) nested(dir string) bool {
	path := w.l.repo.workTree + "/" + dir + ".git"
	st, ok := statFile(path)
	if !ok {
		return false
	}
	sub := &gitRepo{dir: w.l.repo.workTree, gitDir: path, getenv: func(string) string { return "" }, hexLen: 40}
	if typeOfMode(uint32(st.Mode)) == entryFile {
		target, err := readGitFile(path)
		if err != nil {
			return false
		}
		sub.gitDir = target
	}
	return sub.isGitDir("")
}

// foundEntry is a directory entry; the names of directories end in a slash, so
// that they sort as the paths within do.
type foundEntry struct {
	name string
	dir  bool
}

func (w *untrackedWalk) walk(dir string, depth int) error {
	if depth > 1000 {
		return nil
	}
	w.ignores.enter(w.l.repo.workTree, dir)
	defer w.ignores.leave()
	found, err := w.entries(dir)
	if err != nil {
		return err
	}
	for _, e := range found {
		if err := w.l.tick(); err != nil {
			return err
		}
		path := dir + strings.TrimSuffix(e.name, "/")
		if w.l.index.tracked(path) || w.ignores.ignored(path, e.dir) {
			continue
		}
		if !e.dir {
			if rel, ok := w.l.wanted(path); ok {
				w.l.addPath(rel, "")
			}
			continue
		}
		path += "/"
		if w.outside(path) || w.l.index.tracked(path) {
			continue
		}
		if from, to := w.l.index.under(path); from == to && w.nested(path) {
			if rel, ok := w.l.wanted(path); ok {
				w.l.addPath(rel, "repository")
			}
			continue
		}
		if err := w.walk(path, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// outside reports that nothing under a directory can pass a prefix filter.
func (w *untrackedWalk) outside(dir string) bool {
	if w.l.r.Filter.Mode != Prefix {
		return false
	}
	rel, text := w.l.repo.relative(dir), w.l.r.Filter.Text
	return !strings.HasPrefix(rel, text) && !strings.HasPrefix(text, rel)
}

func (w *untrackedWalk) entries(dir string) ([]foundEntry, error) {
	var found []foundEntry
	full := false
	path := w.l.repo.workTree + "/" + dir
	err := readDir(path, func(name []byte, typ entryType) bool {
		if w.read++; w.read > maxWalk {
			full = true
			return false
		}
		switch typ {
		case entryDir:
			found = append(found, foundEntry{string(name) + "/", true})
		case entryFile, entryLink:
			found = append(found, foundEntry{string(name), false})
		}
		return true
	})
	if full {
		return nil, errWalk
	}
	if err != nil {
		return nil, nil // gone, or not ours to read
	}
	found = slices.DeleteFunc(found, func(e foundEntry) bool { return e.name == ".git/" || e.name == ".git" })
	slices.SortFunc(found, func(a, b foundEntry) int { return strings.Compare(a.name, b.name) })
	return found, nil
}
