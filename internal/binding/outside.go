package binding

import (
	"crypto/sha256"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
)

// seen reports whether something was done before, and notes that it is.
func (t *taking) seen(what string) bool {
	if t.done[what] {
		return true
	}
	t.done[what] = true
	return false
}

// add puts an entry beside the project, once.
func (t *taking) add(e Entry) *Entry {
	if old := t.other[e.Path]; old != nil {
		old.Identity = old.Identity || e.Identity
		return old
	}
	if t.except.matchAbs(e.Path) || t.ignore.matchAbs(e.Path) {
		return &Entry{}
	}
	n := &e
	t.other[e.Path] = n
	return n
}

// entry binds what is at a path itself, without following it; that nothing is
// there is bound too.
func (t *taking) entry(path string) *Entry { return t.add(lstat(path)) }

// within is the path from the root of what lies in the project.
func (t *taking) within(path string) (string, bool) {
	if path == t.state.Root {
		return ".", true
	}
	return strings.CutPrefix(path, strings.TrimSuffix(t.state.Root, "/")+"/")
}

// resolve is where a path leads, as the kernel follows it, and binds that it does.
func (t *taking) resolve(path string) (string, bool) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return path, false
	}
	if filepath.Clean(path) != real {
		t.value(leads+path, real)
	}
	return real, true
}

// leads begins the names of where links lead.
const leads = "where a link leads: "

// value binds a text that is no file.
func (t *taking) value(name, text string) {
	t.add(Entry{Path: name, Kind: Value, Sum: sha256.Sum256([]byte(text))})
}

// file binds a file that is read, or that there is none.
func (t *taking) file(path string) {
	real, ok := t.resolve(path)
	if !ok {
		if _, in := t.within(path); !in {
			t.entry(path)
		}
		return
	}
	e := stat(real)
	switch e.Kind {
	case Special:
		t.special(path, &e)
	case Directory:
		t.directory(real)
	default:
		t.name(real)
	}
}

// fileIfThere binds a file that is named where it need not be one.
func (t *taking) fileIfThere(path string) {
	if e := stat(path); e.Kind == File {
		t.file(path)
	}
}

// name binds the content of a file, by its real path.
func (t *taking) name(real string) {
	if !slices.Contains(t.state.first, real) {
		t.state.first = append(t.state.first, real)
	}
	rel, in := t.within(real)
	if in && (!t.skipped(rel, false) || t.except.match(rel, false) || len(t.Commands) > 1) && !strings.Contains("/"+rel, "/.git/") {
		return // the walk has it, or a person left it out, or a step makes it
	}
	t.entry(real)
}

// directory binds all that is in a directory elsewhere.
func (t *taking) directory(path string) {
	real, ok := t.resolve(path)
	if !ok {
		t.entry(path)
		return
	}
	e := stat(real)
	if e.Kind != Directory {
		t.file(real)
		return
	}
	if rel, in := t.within(real); in && !t.skipped(rel, true) {
		return
	}
	if t.seen("tree\x00" + real) {
		return
	}
	t.tree(real)
}

// above reports whether a directory is one that the project lies in.
func (t *taking) above(dir string) bool {
	return dir == "/" || strings.HasPrefix(t.state.Root+"/", strings.TrimSuffix(dir, "/")+"/") || t.home() == dir
}

// tree binds the files below a directory elsewhere.
func (t *taking) tree(root string) {
	all := &whole{path: root}
	w := &walker{root: root, skip: t.elsewhere(root), began: time.Now(), work: spent()}
	w.wake.L = &w.mu
	top := &folder{whole: all}
	w.first = append(w.first, top)
	var done sync.WaitGroup
	for range 2 {
		done.Go(w.run)
	}
	done.Wait()
	t.add(lstat(root))
	if all.tooMany() {
		t.unbound(root, "a folder of more than %d files: only its first %d levels are bound", maxFolder, topLevels)
	}
	t.stirs(top, strings.TrimSuffix(root, "/"))
	for _, found := range list(nil, top) {
		e := *found
		e.Path = strings.TrimSuffix(root, "/") + "/" + e.Path
		t.add(e)
	}
	for _, dot := range w.gits {
		t.known.gits = append(t.known.gits, filepath.Join(root, dot))
	}
}

// elsewhere says what is left out of a tree: the project, which has a walk of its
// own, and our own records.
func (t *taking) elsewhere(root string) func(path string, dir bool) bool {
	root = strings.TrimSuffix(root, "/") + "/"
	return func(path string, dir bool) bool {
		return ours(path) || dir && (root+path == t.state.Root || slices.Contains(t.Skip, root+path))
	}
}

// special binds a name that is no file: what would be read from it as code or
// input is refused, unless it is one of the devices that hold nothing.
func (t *taking) special(path string, e *Entry) {
	st, ok := disk.Stat(path)
	if !ok {
		return
	}
	switch uint32(st.Mode) & unix.S_IFMT { //nolint:unconvert // not the same type on every system
	case unix.S_IFIFO:
		if t.refused == nil {
			t.refused = &NotAFileError{path, "a FIFO"}
		}
	case unix.S_IFSOCK:
		t.unbound(path, "a socket: what answers there is not known")
	default:
		t.unbound(path, "a device: what is read from it is not known")
		t.add(Entry{Path: path, Kind: Special, Dev: e.Dev})
	}
}

// standard reports whether a path is one of the process's own streams.
func standard(path string) bool {
	for _, prefix := range [...]string{"/dev/fd/", "/dev/std", "/proc/self/fd/"} {
		if strings.HasPrefix(path, prefix) {
			return true
		}
	}
	return false
}

// named binds the working directory, the programs, and what the words name.
func (t *taking) named() {
	dir := lstat(t.Dir)
	dir.Identity = true
	t.add(dir)
	for _, file := range t.Files {
		t.file(file)
	}
	for i, words := range t.Commands {
		if i < len(t.Programs) && t.Programs[i] != "" {
			t.program(t.Programs[i], 0)
		}
		if len(words) == 0 {
			continue
		}
		code := habit("takes", filepath.Base(words[0])) // its first operand is what it runs
		for _, word := range words[1:] {
			for _, path := range t.paths(word) {
				t.word(path, code)
				t.carried(path)
			}
			code = code && strings.HasPrefix(word, "-")
		}
	}
	t.searchPath()
	if data, err := os.ReadFile("/proc/self/status"); err == nil {
		if _, rest, ok := strings.Cut(string(data), "\nUmask:"); ok {
			mask, _, _ := strings.Cut(rest, "\n")
			t.value("the umask", mask)
		}
	}
}

// program binds a program: the file itself, and what it is interpreted by.
func (t *taking) program(path string, depth int) {
	real, ok := t.resolve(path)
	if !ok || depth > 4 {
		return
	}
	e := stat(real)
	if e.Kind == Special {
		t.special(path, &e)
		return
	}
	if _, in := t.within(real); in {
		t.name(real)
	} else {
		e.Identity, e.byStat = true, true
		t.add(e)
	}
	head := make([]byte, 256)
	n, _ := disk.ReadStart(real, head)
	if line, ok := strings.CutPrefix(string(head[:n]), "#!"); ok {
		line, _, _ = strings.Cut(line, "\n")
		words := strings.Fields(line)
		if shell := len(words) > 0 && habit("shells", filepath.Base(words[len(words)-1])); shell && e.Size <= maxText && !systems(real) {
			t.scripts = append(t.scripts, real) // a wrapper
		}
		if len(words) > 0 {
			t.program(words[0], depth+1)
		}
		if len(words) > 1 && filepath.Base(words[0]) == "env" {
			if found := t.look(words[len(words)-1]); found != "" {
				t.program(found, depth+1)
			}
		}
	}
}

// look finds a program in the PATH of the environment.
func (t *taking) look(name string) string {
	for _, dir := range filepath.SplitList(getenv(t.Env, "PATH")) {
		if path := dir + "/" + name; filepath.IsAbs(dir) && unix.Access(path, unix.X_OK) == nil && stat(path).Kind == File {
			return path
		}
	}
	return ""
}

// paths are the names that a word may hold: the word, the value of an option, the
// parts of a list, the words of a line.
func (t *taking) paths(word string) []string {
	if word == "" || len(word) > 1<<16 || strings.IndexByte(word, 0) >= 0 {
		return nil
	}
	out := []string{word}
	if strings.ContainsAny(word, " \t\n;|&<>()'\"`") {
		for _, part := range strings.FieldsFunc(word, func(r rune) bool { return strings.ContainsRune(" \t\n;|&<>()'\"`", r) }) {
			if part != word {
				out = append(out, t.paths(part)...)
			}
		}
		return out
	}
	if _, value, ok := strings.Cut(word, "="); ok && value != "" {
		out = append(out, t.paths(value)...)
	}
	if rest := strings.TrimLeft(word, "@"); rest != word && rest != "" {
		out = append(out, rest)
	}
	if len(word) > 2 && word[0] == '-' && word[1] != '-' {
		out = append(out, word[2:])
	}
	if strings.Contains(word, ":") {
		out = append(out, strings.Split(word, ":")...)
	}
	if rest, ok := strings.CutPrefix(word, "file://"); ok {
		out = append(out, rest)
	}
	return out
}

// carried binds the program that a word names by itself: env make, sh -c helper.
func (t *taking) carried(word string) {
	if word == "" || word[0] == '-' || strings.ContainsAny(word, "/=:@") || t.seen("carried\x00"+word) {
		return
	}
	if path := t.look(word); path != "" {
		t.program(path, 0)
	}
}

// word binds what a word names, if it names something; code: it is what a program
// would run.
func (t *taking) word(word string, code bool) {
	if word == "" || word == "." || strings.HasPrefix(word, "//") {
		return
	}
	path := t.expand(word, t.Dir)
	if standard(path) {
		t.unbound(path, "a stream of the caller")
		return
	}
	if path == "/" || !isThere(path) {
		// A path to elsewhere that is not there yet may come to be.
		if strings.Contains(word, "/") && filepath.IsAbs(word) && isThere(filepath.Dir(path)) {
			if _, in := t.within(path); !in {
				t.entry(path)
			}
		}
		return
	}
	if slices.Contains(t.Written, word) {
		if e := stat(path); e.Kind == Special {
			t.unbound(path, "what is written to is not a file")
			t.add(Entry{Path: path, Kind: Special, Dev: e.Dev})
		}
		return
	}
	if e := stat(path); e.Kind == Special && code && t.refused == nil {
		t.refused = &NotAFileError{path, "no file"}
	}
	t.file(path)
}

// searchPath binds the programs that the user could change: those of the
// directories of PATH that we may write to, and that a directory is missing.
func (t *taking) searchPath() {
	for _, dir := range filepath.SplitList(getenv(t.Env, "PATH")) {
		if !filepath.IsAbs(dir) {
			continue
		}
		real, ok := t.resolve(dir)
		if !ok {
			t.entry(dir)
			continue
		}
		if rel, in := t.within(real); in && !t.skipped(rel, true) || t.seen("path\x00"+real) || unix.Access(real, unix.W_OK) != nil {
			continue
		}
		d, err := disk.OpenDir(nil, real, real+"/", true)
		if err != nil {
			continue
		}
		var room []byte
		n := int64(0)
		_ = d.List(&room, func(name []byte, _ disk.Type) bool {
			e := lstat(real + "/" + string(name))
			if e.Kind == File && e.Mode&0o111 != 0 || e.Kind == Link {
				e.byStat = true
				t.add(e)
				n++
			}
			return n < maxFolder
		})
		d.Close()
	}
}

// Naming is what of an environment names files and folders: the places that every
// program looks at, and of other variables the parts that are paths of something.
// The rest holds secrets, perhaps, and is bound by the plan.
func Naming(env []string) []string {
	var out []string
	for _, pair := range env {
		name, value, _ := strings.Cut(pair, "=")
		switch {
		case name == "PWD", name == "OLDPWD", name == "_":
		case slices.Contains([]string{"PATH", "HOME", "XDG_CONFIG_HOME", "GIT_DIR", "GIT_COMMON_DIR", "GIT_WORK_TREE"}, name), habit("folders", name), habit("files", name):
			out = append(out, pair)
		case strings.Contains(value, "/") && len(value) < 1<<12:
			var parts []string
			for _, part := range pathsIn(value) {
				if e := stat(part); filepath.IsAbs(part) && e.Kind == File {
					parts = append(parts, part)
				}
			}
			if parts != nil {
				out = append(out, name+"="+strings.Join(parts, ":"))
			}
		}
	}
	return out
}

// pathsIn are the parts of a variable's value that may be paths.
func pathsIn(value string) []string {
	return strings.FieldsFunc(value, func(r rune) bool { return strings.ContainsRune(":,= \t\n", r) })
}

// environment binds the files that variables name, and the folders of code.
func (t *taking) environment() {
	for _, pair := range t.Env {
		name, value, _ := strings.Cut(pair, "=")
		if name == "PATH" || name == "HOME" || !strings.Contains(value, "/") && !habit("files", name) && !habit("folders", name) {
			continue
		}
		code := habit("folders", name)
		for _, part := range pathsIn(value) {
			path := t.expand(part, t.Dir)
			switch e := stat(path); {
			case standard(path):
			case e.Kind == File, code && e.Kind != Absent, code && filepath.IsAbs(part), e.Kind == Special && habit("files", name):
				t.file(path)
			}
		}
	}
}

// links binds what the links of the project that lead out of it lead to, and says
// which of its files hold nothing that could be bound.
func (t *taking) links() {
	n := 0
	for i := range t.state.Project {
		e := t.state.Project[i]
		if e.Kind != Link && e.Kind != Special {
			continue
		}
		path := t.state.Root + "/" + e.Path
		if e.Kind == Special {
			if st, err := disk.Lstat(path); err == nil && uint32(st.Mode)&unix.S_IFMT == unix.S_IFIFO { //nolint:unconvert // not the same type on every system
				t.unbound(e.Path, "a FIFO: what is read from it is not known")
			}
		}
		if e.Kind != Link {
			continue
		}
		target, err := os.Readlink(path)
		if err != nil || !filepath.IsAbs(target) && !strings.Contains(target, "..") {
			continue
		}
		real, err := filepath.EvalSymlinks(path)
		if err != nil {
			continue
		}
		if _, in := t.within(real); in {
			continue
		}
		if n++; n > maxOutside {
			t.unbound(e.Path, "more than %d links lead out of the project", maxOutside)
			return
		}
		to := stat(real)
		switch to.Kind {
		case File:
			t.resolve(path)
			to.byStat = to.Mode&0o111 != 0 && to.Size > maxText
			t.add(to)
		case Directory:
			t.directory(path)
		case Special:
			t.unbound(e.Path, "a link to what is no file")
		}
	}
}

// maxOutside bounds how many links out of a project are followed.
const maxOutside = 2000
