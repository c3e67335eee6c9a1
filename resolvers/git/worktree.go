package git

import (
	"context"
	"errors"
	"slices"
	"strings"
	"syscall"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/resolvers"
)

// maxWalk bounds the entries of untracked directories that one look reads.
const maxWalk = 100_000

var errWalk = errors.New("too many files")

// workWalk goes through a work tree beside its index, directory by directory, in
// the order of the index. Of what is tracked one lstat is asked from the directory
// that it lies in; a directory is read only where untracked files are looked for,
// and what is in it looked through only if it holds more than what is tracked.
type workWalk struct {
	changed   bool // look for tracked files that differ from the index
	untracked bool // look for files that are neither tracked nor ignored
	folders   bool // give the directories, too, in which the next part of a path leads to such

	l       *pathListing
	diff    comparer
	cursor  *indexCursor
	entry   *indexEntry // the next one; nil behind the last
	ignores *ignores
	within  string // untracked files are looked for in this directory, "" or "a/b/"
	read    int
	levels  []*workLevel // by depth
	room    []byte       // for reading directories
	seen    map[string]bool
}

// workLevel is what is noted of a directory on the way. It is used again for the
// next one at the same depth.
type workLevel struct {
	tracked nameList // files and, with a slash at the end, directories: in order
	there   int      // how many of them were found
	listed  nameList // what the directory holds, in any order
}

// nameList holds names in one piece of memory, each with a zero byte behind it.
type nameList struct {
	text []byte
	ends []int // behind each zero byte
}

func (n *nameList) reset()   { n.text, n.ends = n.text[:0], n.ends[:0] }
func (n *nameList) len() int { return len(n.ends) }

func (n *nameList) add(name string) {
	n.text = append(append(n.text, name...), 0)
	n.ends = append(n.ends, len(n.text))
}

// at is a name, valid until the list changes; its bytes are followed by a zero.
func (n *nameList) at(i int) []byte {
	from := 0
	if i > 0 {
		from = n.ends[i-1]
	}
	return n.text[from : n.ends[i]-1]
}

// has finds a name in a list that is in order.
func (n *nameList) has(name []byte) bool {
	from, to := 0, len(n.ends)
	for from < to {
		mid := int(uint(from+to) >> 1)
		if string(n.at(mid)) < string(name) {
			from = mid + 1
		} else {
			to = mid
		}
	}
	return from < len(n.ends) && string(n.at(from)) == string(name)
}

// walkWorkTree answers with what a walk finds.
func walkWorkTree(ctx context.Context, r resolvers.Request, w workWalk) resolvers.Answer {
	repo, err := openGit(r)
	if err != nil {
		return gitFailure(err)
	}
	if repo.workTree == "" {
		return resolvers.Answer{State: resolvers.Fresh, Message: "bare repository: no work tree"}
	}
	w.seen = map[string]bool{}
	kept := openKept(r, repo, &w)
	look := ctx
	if kept != nil && kept.there && r.Again != nil { // a moment for a new answer
		var cancel context.CancelFunc
		look, cancel = context.WithTimeout(ctx, resolvers.ToolGrace)
		defer cancel()
	}
	untracked := w.untracked
	a, err := w.run(look, r, repo, false)
	if errors.Is(err, errWholeIndex) {
		w.untracked = untracked
		a, err = w.run(look, r, repo, true)
	}
	late := err == context.DeadlineExceeded
	switch {
	case kept == nil:
	case err == nil && a.Omitted == 0 && r.Filter.Text == "":
		kept.keep(a)
	case r.Again != nil && (late || err == nil && a.Omitted > 0):
		kept.again(r)
		if late && kept.there {
			return w.stale(r, repo, kept)
		}
	}
	switch {
	case errors.Is(err, errWalk):
		a.State, a.Message = resolvers.Timeout, "git: too many files to look at"
	case late, err == context.Canceled:
		a.State, a.Message = resolvers.Timeout, "git: out of time"
	case err != nil:
		return gitFailure(err)
	}
	return a
}

func (w *workWalk) run(ctx context.Context, r resolvers.Request, repo *gitRepo, whole bool) (resolvers.Answer, error) {
	cursor, index, err := openCursor(repo, whole)
	if err != nil {
		return resolvers.Answer{}, err
	}
	defer cursor.close()
	w.cursor = cursor
	w.begin(ctx, r, repo)
	w.l.index = index
	w.diff = comparer{repo: repo, index: index, budget: 16 << 20}
	if w.changed {
		w.diff.readSettings()
	}
	if w.untracked {
		if w.within, w.untracked = w.startOf(); w.untracked {
			w.ignores = openIgnores(repo)
		}
	}
	if err = w.next(); err == nil {
		_, err = w.dir(nil, repo.workTree, "", 0, false)
	}
	w.addFolders()
	return w.l.answer, err
}

// begin makes room for an answer.
func (w *workWalk) begin(ctx context.Context, r resolvers.Request, repo *gitRepo) {
	clear(w.seen)
	w.l = &pathListing{listing: listing{r: r, answer: resolvers.Answer{State: resolvers.Fresh}}, ctx: ctx, repo: repo}
	if rest, ok := strings.CutPrefix(r.Filter.Text, "./"); ok {
		w.l.lead, w.l.r.Filter.Text = "./", rest
	}
}

func (w *workWalk) next() (err error) {
	w.entry, err = w.cursor.next()
	return err
}

// startOf gives the directory ("" or "a/b/") below which the text leads; ok is
// false where it leads nowhere in the work tree.
func (w *workWalk) startOf() (dir string, ok bool) {
	dir = w.l.repo.prefix
	if w.l.r.Filter.Mode != resolvers.Prefix {
		return dir, true
	}
	text := w.l.r.Filter.Text
	for {
		part, rest, more := strings.Cut(text, "/")
		if !more {
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

// dir goes through a directory ("" or "a/b/") that is called name in parent, and
// reports whether there is one. ignored says that what is untracked in it is.
func (w *workWalk) dir(parent *disk.Dir, name, dir string, depth int, ignored bool) (there bool, err error) {
	if err := w.l.tick(); err != nil {
		return false, err
	}
	inside := w.untracked && !ignored && strings.HasPrefix(dir, w.within)
	above := w.untracked && !ignored && !inside && strings.HasPrefix(w.within, dir)
	if depth > 1000 || w.outside(dir) || !w.changed && !inside && !above {
		return true, w.pass(dir)
	}
	d, err := disk.OpenDir(parent, name, w.l.repo.workTree+"/"+dir, inside)
	if err != nil {
		return false, w.gone(dir, err)
	}
	defer d.Close()
	if depth == len(w.levels) {
		w.levels = append(w.levels, &workLevel{})
	}
	level := w.levels[depth]
	level.tracked.reset()
	level.listed.reset()
	level.there = 0
	switch {
	case inside:
		rules, err := w.list(&d, level, dir)
		if err != nil {
			return true, err
		}
		if !rules {
			w.ignores.tree = append(w.ignores.tree, ignoreFile{base: dir})
			break
		}
		w.ignores.enter(w.l.repo.workTree, dir)
	case above:
		w.ignores.enter(w.l.repo.workTree, dir)
	}
	if inside || above {
		defer w.ignores.leave()
	}
	if err := w.entries(&d, level, dir, depth, inside || above, ignored); err != nil {
		return true, err
	}
	switch {
	case inside && level.there != level.listed.len():
		return true, w.others(&d, level, dir, depth)
	case above:
		return true, w.lead(&d, level, dir, depth)
	}
	return true, nil
}

// list reads the directory; rules says that it has a .gitignore.
func (w *workWalk) list(d *disk.Dir, level *workLevel, dir string) (rules bool, err error) {
	full := false
	counts := w.entry == nil || !strings.HasPrefix(w.entry.path, dir)
	_ = d.List(&w.room, func(name []byte, typ disk.Type) bool {
		switch {
		case typ == disk.Other || string(name) == ".git":
			return true
		case typ == disk.Directory:
			level.listed.text = append(level.listed.text, name...)
			level.listed.add("/")
		default:
			level.listed.add(disk.View(name))
			rules = rules || typ == disk.File && string(name) == ".gitignore"
		}
		if counts {
			w.read++
		}
		full = w.read > maxWalk
		return !full
	})
	if full {
		return rules, errWalk
	}
	return rules, nil
}

// entries goes through what is tracked in a directory.
func (w *workWalk) entries(d *disk.Dir, level *workLevel, dir string, depth int, ruled, ignored bool) error {
	for w.entry != nil && strings.HasPrefix(w.entry.path, dir) {
		if err := w.l.tick(); err != nil {
			return err
		}
		rest := w.entry.path[len(dir):]
		if slash := strings.IndexByte(rest, '/'); slash >= 0 && slash < len(rest)-1 {
			sub := strings.Clone(w.entry.path[:len(dir)+slash+1])
			name := sub[len(dir) : len(sub)-1]
			level.tracked.add(sub[len(dir):])
			hidden := ignored || ruled && w.ignores.ignored(sub[:len(sub)-1], true)
			there, err := w.dir(d, name, sub, depth+1, hidden)
			if err != nil {
				return err
			}
			if there {
				level.there++
			}
			continue
		}
		if n := level.tracked.len(); n == 0 || string(level.tracked.at(n-1)) != rest {
			level.tracked.add(rest) // unmerged files have several entries
			w.file(d, level)
		}
		if err := w.next(); err != nil {
			return err
		}
	}
	return nil
}

// file looks at the file of the next entry, whose name was noted last.
func (w *workWalk) file(d *disk.Dir, level *workLevel) {
	e := w.entry
	rel, ok := w.l.wanted(e.path)
	if !ok || !w.changed || e.unlooked() {
		return
	}
	if e.stage() != 0 {
		w.found(rel, "unmerged")
		return
	}
	name := level.tracked.at(level.tracked.len() - 1)
	var st syscall.Stat_t
	err := d.Lstat(name[:len(name)+1], &st)
	if err == nil && (e.mode == modeGitlink) == (disk.TypeOf(uint32(st.Mode)) == disk.Directory) {
		level.there++
	}
	if state := w.diff.judge(e, &st, err); state != "" {
		w.found(rel, state)
	}
}

// pass leaves out what is tracked in a directory.
func (w *workWalk) pass(dir string) error {
	for w.entry != nil && strings.HasPrefix(w.entry.path, dir) {
		if err := w.next(); err != nil {
			return err
		}
	}
	return nil
}

// gone notes what is tracked in a directory that cannot be opened.
func (w *workWalk) gone(dir string, err error) error {
	if err == syscall.ELOOP { // a symbolic link in its place
		err = syscall.ENOTDIR
	}
	last := ""
	for w.entry != nil && strings.HasPrefix(w.entry.path, dir) {
		e := w.entry
		if rel, ok := w.l.wanted(e.path); ok && w.changed && !e.unlooked() && e.path != last {
			state := w.diff.judge(e, nil, err)
			if e.stage() != 0 {
				state, last = "unmerged", strings.Clone(e.path)
			}
			w.found(rel, state)
		}
		if err := w.next(); err != nil {
			return err
		}
	}
	return nil
}

// others looks for what is untracked in a directory that was listed.
func (w *workWalk) others(d *disk.Dir, level *workLevel, dir string, depth int) error {
	var names []string
	for i := range level.listed.len() {
		name := level.listed.at(i)
		plain := strings.TrimSuffix(disk.View(name), "/")
		if level.tracked.has(name) || len(plain) < len(name) && level.tracked.has([]byte(plain)) ||
			w.ignores.ignored(dir+plain, len(plain) < len(name)) {
			continue
		}
		names = append(names, string(name))
	}
	slices.Sort(names)
	for _, name := range names {
		if err := w.l.tick(); err != nil {
			return err
		}
		path := dir + name
		switch {
		case !strings.HasSuffix(name, "/"):
			if rel, ok := w.l.wanted(path); ok {
				w.found(rel, "")
			}
		case w.outside(path):
		case w.nested(path):
			if rel, ok := w.l.wanted(path); ok {
				w.found(rel, "repository")
			}
		default:
			if _, err := w.dir(d, name[:len(name)-1], path, depth+1, false); err != nil {
				return err
			}
		}
	}
	return nil
}

// lead goes on to the directory that untracked files are looked for in, where
// nothing tracked has led there.
func (w *workWalk) lead(d *disk.Dir, level *workLevel, dir string, depth int) error {
	name, _, _ := strings.Cut(w.within[len(dir):], "/")
	path := dir + name + "/"
	if level.tracked.has([]byte(name+"/")) || level.tracked.has([]byte(name)) || name == ".git" ||
		w.ignores.ignored(dir+name, true) || w.nested(path) {
		return nil
	}
	_, err := w.dir(d, name, path, depth+1, false)
	return err
}

// outside reports that nothing under a directory can pass a prefix filter.
func (w *workWalk) outside(dir string) bool {
	if w.l.r.Filter.Mode != resolvers.Prefix || dir == "" {
		return false
	}
	rel, text := w.l.repo.relative(dir), w.l.r.Filter.Text
	return !strings.HasPrefix(rel, text) && !strings.HasPrefix(text, rel)
}

func (w *workWalk) nested(dir string) bool { return nestedRepo(w.l.repo, dir) }

// found takes a path as seen from the request's directory, and what it is.
func (w *workWalk) found(rel, state string) {
	rel = strings.Clone(rel)
	w.l.addPath(rel, state)
	if text := w.l.r.Filter.Text; w.folders && w.l.r.Filter.Mode == resolvers.Prefix {
		// Up to the first slash behind the text and any "../".
		after := max(len(text), 3*strings.Count(rel, "../"))
		up := strings.HasPrefix(rel, "../") && !strings.HasPrefix(text, "..")
		if slash := strings.IndexByte(rel[min(after, len(rel)):], '/'); slash >= 0 && !up && after+slash+1 < len(rel) {
			w.seen[rel[:after+slash+1]] = true
		}
	}
}

// addFolders adds the directories in which something was found, behind that.
func (w *workWalk) addFolders() {
	dirs := make([]string, 0, len(w.seen))
	for dir := range w.seen {
		dirs = append(dirs, dir)
	}
	slices.Sort(dirs)
	for _, dir := range dirs {
		w.l.add(resolvers.Value{Value: w.l.lead + dir, Kind: "directory", Partial: true, Weight: -1})
	}
}
