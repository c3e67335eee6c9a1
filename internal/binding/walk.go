package binding

import (
	"cmp"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
)

// folder is a directory of the project.
type folder struct {
	path    string // from the root, with a slash at its end; "" of the root
	entries []Entry
	subs    []*folder // of the entries that are directories, in their order
	whole   *whole    // the untracked folder that it is in, or nil
	depth   int       // below that
	changed int64     // when an entry came, went or was renamed, by its ctime
}

// whole is an untracked folder. One of too many files is bound by its top.
type whole struct {
	path  string
	files atomic.Int64
}

func (w *whole) tooMany() bool { return w != nil && w.files.Load() > maxFolder }

// topLevels is how deep a folder of too many files is bound.
const topLevels = 2

// walker reads the folders of a project, several at once: those with tracked
// files and code first.
type walker struct {
	root    string
	skip    func(path string, dir bool) bool
	tracked map[string]bool // folders with tracked files; nil: nobody knows
	large   []string        // folders that are known to be large; not nil: no others are

	mu           sync.Mutex
	wake         sync.Cond
	first, later []*folder
	busy         int
	files        atomic.Int64
	began        time.Time
	work         time.Duration // of the processor, at the beginning
	cut          string
	wholes       []*whole
	gits         []string // of every .git, from the root
}

// walk reads the project's files.
func (t *taking) walk() {
	w := &walker{root: t.state.Root, skip: t.skipped, tracked: t.known.folders, began: time.Now(), work: spent()}
	if t.Base != nil {
		w.tracked, w.large = nil, append([]string{}, t.Base.Large...)
	}
	w.wake.L = &w.mu
	top := &folder{}
	w.first = append(w.first, top)
	var all sync.WaitGroup
	for range max(2, min(4, runtime.GOMAXPROCS(0))) {
		all.Go(w.run)
	}
	all.Wait()
	t.state.Cut = w.cut
	for _, one := range w.wholes {
		if one.tooMany() {
			t.state.Large = append(t.state.Large, one.path)
			t.unbound(strings.TrimSuffix(one.path, "/"), "a folder of more than %d files: only its first %d levels are bound", maxFolder, topLevels)
		}
	}
	slices.Sort(t.state.Large)
	t.state.Project = list(make([]*Entry, 0, w.files.Load()), top)
	t.stirs(top, t.state.Root)
	slices.Sort(w.gits)
	for _, name := range w.gits {
		t.known.gits = append(t.known.gits, filepath.Join(t.state.Root, name))
	}
}

// list puts the entries of a folder and those below in the order of their paths.
func list(out []*Entry, f *folder) []*Entry {
	sub := 0
	for i := range f.entries {
		e := &f.entries[i]
		switch {
		case e.Kind == Directory:
			if f.subs[sub] != nil {
				out = list(out, f.subs[sub])
			}
			sub++
		case f.whole.tooMany() && f.depth >= topLevels:
		default:
			out = append(out, e)
		}
	}
	return out
}

// skipped reports whether a path from the root is left out.
func (t *taking) skipped(path string, dir bool) bool {
	return t.ignore.match(path, dir) || ours(path) || dir && slices.Contains(t.Skip, t.state.Root+"/"+path)
}

// ours reports whether a path is what tmp itself keeps beside the maps of a project.
func ours(path string) bool {
	at := strings.LastIndexByte(path, '/')
	if parent := path[:max(at, 0)]; parent == ".tmp" || strings.HasSuffix(parent, "/.tmp") {
		name := path[at+1:]
		return name == "runs" || strings.HasPrefix(name, "last-resolve") || strings.HasPrefix(name, "context.") || strings.HasSuffix(name, ".lock")
	}
	return false
}

func (w *walker) run() {
	var r reader
	for {
		w.mu.Lock()
		for len(w.first)+len(w.later) == 0 && w.busy > 0 {
			w.wake.Wait()
		}
		var f *folder
		switch {
		case len(w.first) > 0:
			f, w.first = w.first[len(w.first)-1], w.first[:len(w.first)-1]
		case len(w.later) > 0:
			f, w.later = w.later[len(w.later)-1], w.later[:len(w.later)-1]
		default:
			w.wake.Broadcast()
			w.mu.Unlock()
			return
		}
		w.busy++
		stop := w.cut != ""
		w.mu.Unlock()
		if !stop && !(f.whole.tooMany() && f.depth >= topLevels) {
			w.read(f, &r)
		}
		w.mu.Lock()
		w.busy--
		for _, sub := range f.subs {
			switch {
			case sub == nil:
			case w.tracked == nil || w.tracked[sub.path] || sub.whole != nil && isCode(sub.whole.path):
				w.first = append(w.first, sub)
			default:
				w.later = append(w.later, sub)
			}
		}
		if w.cut == "" {
			w.cut = w.over()
		}
		w.wake.Broadcast()
		w.mu.Unlock()
	}
}

// over says why the walk ends here, or "".
func (w *walker) over() string {
	switch {
	case w.files.Load() > maxFiles:
		return fmt.Sprintf("more than %d files", maxFiles)
	case time.Since(w.began) > maxWork && spent()-w.work > maxWork:
		return "reading it takes more than " + maxWork.String()
	}
	return ""
}

// spent is how long the processors have worked for us.
func spent() time.Duration {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// reader is the room that reading folders needs, kept from one to the next.
type reader struct {
	room, names []byte
	list        []found
}

// found is a name among the names that were read.
type found struct {
	from, to int
	dir      bool
}

// read lists a folder and looks at each of its entries.
func (w *walker) read(f *folder, r *reader) {
	names, list := r.names[:0], r.list[:0]
	defer func() { r.names, r.list = names, list }()
	path := w.root + "/" + f.path
	d, err := disk.OpenDir(nil, path, path, true)
	if err != nil {
		return
	}
	defer d.Close()
	err = d.List(&r.room, func(name []byte, typ disk.Type) bool {
		from := len(names)
		names = append(names, name...)
		if typ == disk.Directory {
			names = append(names, '/')
		}
		list = append(list, found{from, len(names), typ == disk.Directory})
		names = append(names, 0)
		return w.files.Load() <= maxFiles
	})
	if err != nil {
		return
	}
	slices.SortFunc(list, func(a, b found) int {
		return cmp.Compare(disk.View(names[a.from:a.to]), disk.View(names[b.from:b.to]))
	})
	f.entries = make([]Entry, 0, len(list))
	paths := f.paths(names, len(list))
	var files int64
	var own syscall.Stat_t
	if d.LstatHeld([]byte(".\x00"), &own) == nil {
		_, ctime := disk.Times(&own)
		f.changed = ctime[0]*1e9 + ctime[1]
	}
	for _, n := range list {
		e := Entry{Path: paths.next(names[n.from:n.to])}
		var st syscall.Stat_t
		if n.dir {
			e.Path = e.Path[:len(e.Path)-1]
			e.Kind = Directory
		} else if d.LstatHeld(names[n.from:n.to+1], &st) != nil {
			continue
		} else {
			e.set(&st)
		}
		if w.git(f, &e) || w.skip(e.Path, e.Kind == Directory) {
			continue
		}
		if e.Kind == Directory {
			f.subs = append(f.subs, w.sub(f, e.Path))
		} else {
			files++
		}
		f.entries = append(f.entries, e)
	}
	w.files.Add(files)
	if f.whole != nil {
		f.whole.files.Add(files)
	}
}

// pathText makes the paths of a folder's entries in one piece of memory.
type pathText struct {
	folder string
	text   strings.Builder
}

// paths has room for the paths of so many names.
func (f *folder) paths(names []byte, count int) *pathText {
	p := &pathText{folder: f.path}
	p.text.Grow(len(names) + count*len(f.path))
	return p
}

func (p *pathText) next(name []byte) string {
	from := p.text.Len()
	p.text.WriteString(p.folder)
	p.text.Write(name)
	return p.text.String()[from:]
}

// git notes what belongs to git; a directory of it is read by itself.
func (w *walker) git(f *folder, e *Entry) bool {
	if e.Path[len(f.path):] != ".git" {
		return false
	}
	w.mu.Lock()
	w.gits = append(w.gits, e.Path)
	w.mu.Unlock()
	return e.Kind == Directory
}

func (w *walker) sub(f *folder, path string) *folder {
	s := &folder{path: path + "/", whole: f.whole, depth: f.depth + 1}
	if s.whole != nil {
		return s
	}
	s.depth = 0
	known := slices.Contains(w.large, s.path)
	if known || w.large == nil && (w.tracked != nil && !w.tracked[s.path] || w.tracked == nil && isCode(s.path)) {
		s.whole = &whole{path: s.path}
		if known {
			s.whole.files.Store(maxFolder + 1)
		}
		w.mu.Lock()
		w.wholes = append(w.wholes, s.whole)
		w.mu.Unlock()
	}
	return s
}

// isCode reports whether a folder is one that holds code of others.
func isCode(path string) bool {
	return habit("code", filepath.Base(path))
}

// again looks at the files of a walk that was cut, and at no others.
func (t *taking) again() {
	base := t.Base
	t.state.Cut, t.state.Large = base.Cut, base.Large
	t.state.Project = make([]*Entry, 0, len(base.Project))
	for i := range base.Project {
		path := base.Project[i].Path
		if t.skipped(path, false) {
			continue
		}
		e := lstat(t.state.Root + "/" + path)
		e.Path = path
		if e.Kind != Absent {
			t.state.Project = append(t.state.Project, &e)
		}
	}
	for _, u := range base.Unbound {
		if strings.Contains(u.Why, "levels are bound") {
			t.state.Unbound = append(t.state.Unbound, u)
		}
	}
	t.known.gits = append(t.known.gits, filepath.Join(t.state.Root, ".git"))
}

// lstat is what a name stands for now.
func lstat(path string) Entry {
	e := Entry{Path: path, Kind: Absent}
	if st, err := disk.Lstat(path); err == nil {
		e.set(&st)
	}
	return e
}

// stat is what a name stands for now, through links.
func stat(path string) Entry {
	e := Entry{Path: path, Kind: Absent}
	if st, ok := disk.Stat(path); ok {
		e.set(&st)
	}
	return e
}
