// Package facts reads what the policy of package ask must know of the world:
// what git has, what is temporary, what the user allowed and configured, where
// the shell runs. Nothing is read before it is asked for, and nothing is run.
package facts

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/ask"
	"github.com/tool-mapping-protocol/tmp/internal/place"
	"github.com/tool-mapping-protocol/tmp/internal/risk/line"
	"github.com/tool-mapping-protocol/tmp/internal/risk/syspath"
	"github.com/tool-mapping-protocol/tmp/resolvers/container"
	"github.com/tool-mapping-protocol/tmp/resolvers/git"
)

// patience bounds all reading for one line.
const patience = 300 * time.Millisecond

// haste is patience for a line below HIGH.
const haste = 3 * time.Millisecond

// World is where a line would run.
type World struct {
	Dir    string // absolute, "" if it cannot be read
	Getenv func(string) string
	Paths  place.Paths
	// UID is the user's number.
	UID int
	// Sections reads the user's settings.
	Sections Sections
	// Temps are the directories for temporary files; nil means /tmp, /var/tmp
	// and TMPDIR.
	Temps []string

	ctx      context.Context
	cancel   context.CancelFunc
	repos    map[string]*git.Work // by directory; nil where there is none
	allowed  []Allowance
	read     bool
	dropped  bool // the file holds allowances of an earlier form
	settings ask.Settings
	problems []Problem
	mounts   []string
}

// Open returns the world of this process in a directory.
func Open(dir string, getenv func(string) string, paths place.Paths, sections Sections) *World {
	w := &World{Dir: dir, Getenv: getenv, Paths: paths, UID: os.Geteuid(), Sections: sections, repos: map[string]*git.Work{}}
	w.ctx, w.cancel = context.WithTimeout(context.Background(), patience)
	return w
}

// Hurry bounds all reading from now on to what a line below HIGH may wait for; what
// is not read by then is not known.
func (w *World) Hurry() {
	w.cancel()
	w.ctx, w.cancel = context.WithTimeout(context.Background(), haste)
}

// Close gives back what is open.
func (w *World) Close() {
	w.cancel()
	for _, r := range w.repos {
		if r != nil {
			r.Close()
		}
	}
}

// Problems returns what was found wrong in the files that were read so far.
func (w *World) Problems() []Problem { return w.problems }

// Facts returns the facts for one decision.
func (w *World) Facts(who ask.Who) ask.Facts {
	w.settings, w.problems = Settings(w.Paths, w.Dir, w.Sections)
	f := ask.Facts{
		Who: who, Settings: w.settings, Loss: w.loss, Clean: w.clean, Touches: w.touches, Cleaned: w.cleaned, Found: w.found, Allowed: w.isAllowed,
		Overwritten: w.overwritten, Branch: w.branch, HasRemote: w.hasRemote, OwnProcess: w.ownProcess, Rights: w.rights,
		Inside: w.inside, Around: w.around, Env: w.env, Root: w.UID == 0, Cluster: w.cluster,
	}
	if w.Getenv("SSH_CONNECTION") != "" || w.Getenv("SSH_TTY") != "" {
		f.Host = hostName()
	}
	return f
}

func hostName() string {
	name, err := os.Hostname()
	if err != nil || name == "" {
		return "remote"
	}
	name, _, _ = strings.Cut(name, ".")
	return name
}

// loss tells what becomes of one target.
func (w *World) loss(t line.Target) ask.Loss {
	p := w.absolute(t)
	switch {
	case p == "" || !t.Known:
		return ask.Loss{}
	case t.Glob:
		return w.pattern(p, t.Temp || strings.HasPrefix(t.Path, "/"))
	}
	return w.path(p, t.Temp || strings.HasPrefix(t.Path, "/"))
}

// absolute returns the path of a target as the kernel would walk it: ".." is
// not taken away, since it may follow a symbolic link.
func (w *World) absolute(t line.Target) string {
	switch {
	case t.Temp:
		return strings.TrimSuffix(w.Getenv("TMPDIR"), "/") + "/" + t.Path
	case t.Home && w.Paths.Home != "":
		return w.Paths.Home + "/" + t.Path
	case t.Home || t.Path == "":
		return ""
	case strings.HasPrefix(t.Path, "/"):
		return t.Path
	case w.Dir == "":
		return ""
	}
	return w.Dir + "/" + t.Path
}

// physical returns a path whose directories are no symbolic links; its last
// part may be one. "" means that there is nothing of that name.
func physical(p string) string {
	trimmed := strings.TrimRight(p, "/")
	dir, base := filepath.Split(trimmed)
	if base == "" || base == "." || base == ".." {
		real, err := filepath.EvalSymlinks(p)
		if err != nil {
			return ""
		}
		return real
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return ""
	}
	whole := filepath.Join(real, base)
	st, err := os.Lstat(whole)
	if err != nil || st.Mode()&os.ModeSymlink != 0 && trimmed != p {
		return "" // nothing, or what a link leads to
	}
	return whole
}

// path tells what becomes of a file or directory; named says that its path was
// written from the root on.
func (w *World) path(p string, named bool) ask.Loss {
	real := physical(p)
	if real == "" && vacant(p) {
		return ask.Loss{Fate: ask.Nothing}
	}
	if real == "" || real == "/" || w.encloses(real, w.Dir) || w.encloses(real, w.Paths.Home) || w.mounted(real) {
		return ask.Loss{}
	}
	if w.cached(real) {
		return ask.Loss{Fate: ask.Rebuilt}
	}
	if repo := w.repo(filepath.Dir(real)); repo != nil {
		return w.inGit(repo, real)
	}
	if named && w.temporary(real) {
		return ask.Loss{Fate: ask.Temporary}
	}
	return ask.Loss{}
}

// cached reports whether a path lies below the user's directory for caches: what
// programs put there they can do without (XDG Base Directory Specification).
func (w *World) cached(real string) bool {
	dir := w.Getenv("XDG_CACHE_HOME")
	if !filepath.IsAbs(dir) || filepath.Clean(dir) == "/" || w.encloses(dir, w.Paths.Home) {
		dir = w.physicalHome() + "/.cache"
	}
	d, err := filepath.EvalSymlinks(dir)
	return err == nil && strings.HasPrefix(real, d+"/") && !syspath.IsSecret(real)
}

// vacant reports whether there is nothing of a name, so that nothing is lost by
// taking it away.
func vacant(p string) bool {
	_, err := os.Lstat(strings.TrimRight(p, "/"))
	return errors.Is(err, fs.ErrNotExist) && strings.Trim(p, "/") != ""
}

// encloses reports whether a directory is at or below real.
func (w *World) encloses(real, dir string) bool {
	if dir == "" {
		return false
	}
	if d, err := filepath.EvalSymlinks(dir); err == nil {
		dir = d
	}
	return dir == real || strings.HasPrefix(dir, real+"/")
}

// inGit asks the repository.
func (w *World) inGit(repo *git.Work, real string) ask.Loss {
	rel, ok := strings.CutPrefix(real, repo.Root()+"/")
	if !ok {
		return ask.Loss{}
	}
	f := repo.Fate(rel, w.settings.BuildMakes)
	switch {
	case f.Why == "not there":
		return ask.Loss{}
	case f.Lost != "":
		return ask.Loss{Path: w.relative(repo.Root() + "/" + f.Lost), Why: f.Why}
	case f.Tracked == 0 && f.Rebuilt > 0:
		if unsent(real) {
			return ask.Loss{Path: w.relative(real), Why: "not sent to where it could be had again"}
		}
		return ask.Loss{Fate: ask.Rebuilt}
	}
	return ask.Loss{Fate: ask.InGit}
}

// unsent reports whether a directory is, or has right in it, the record of a run
// that says by its name that it was kept here for want of a network.
func unsent(p string) bool {
	if strings.HasPrefix(filepath.Base(p), "offline-run-") {
		return true
	}
	some, _ := filepath.Glob(filepath.Join(p, "offline-run-*"))
	return len(some) > 0 && filepath.Base(p) == "wandb"
}

// relative shows a path as seen from here.
func (w *World) relative(p string) string {
	if rel, err := filepath.Rel(w.Dir, p); err == nil && !strings.HasPrefix(rel, "../../..") {
		return rel
	}
	return p
}

// repo returns the work tree that a directory is in, or nil.
func (w *World) repo(dir string) *git.Work {
	r, ok := w.repos[dir]
	if !ok {
		r, _ = git.OpenWork(w.ctx, dir, w.Getenv)
		w.repos[dir] = r
	}
	return r
}

// clean reports whether git has the tracked files at the targets as they are.
func (w *World) clean(targets []line.Target) bool {
	if w.Dir == "" {
		return false
	}
	if len(targets) == 0 {
		repo := w.repo(w.Dir)
		return repo != nil && repo.Clean("")
	}
	for _, t := range targets {
		p := w.absolute(t)
		if p == "" || t.Glob || strings.HasPrefix(t.Path, ":") {
			return false // a pattern, of the shell or of git
		}
		real := physical(p)
		repo := w.repo(w.Dir)
		if real == "" || repo == nil {
			return false
		}
		rel, ok := strings.CutPrefix(real+"/", repo.Root()+"/")
		if !ok || !repo.Clean(strings.TrimSuffix(rel, "/")) {
			return false
		}
	}
	return true
}

// pattern tells what becomes of all that a pattern of the shell may match.
// Where the shells' patterns differ, or their options count, more is taken to
// match than would.
func (w *World) pattern(p string, named bool) ask.Loss {
	const meta = "*?[](){}^~#<|!@+"
	cut := strings.LastIndexByte(p[:strings.IndexAny(p+"*", "*?[]")], '/')
	dir, pattern := p[:cut+1], p[cut+1:]
	if strings.Contains(strings.TrimRight(pattern, "/"), "/") || strings.Contains(pattern, "**") {
		return w.path(strings.TrimRight(dir, "/"), named)
	}
	entries, err := os.ReadDir(dir)
	if vacant(dir) {
		return ask.Loss{Fate: ask.Nothing}
	}
	if err != nil || len(entries) > 4096 {
		return ask.Loss{}
	}
	plain := !strings.ContainsAny(strings.Trim(strings.ReplaceAll(pattern, "*", ""), "?"), meta[2:])
	worst := ask.Loss{Fate: ask.Nothing}
	pattern = strings.ToLower(strings.TrimRight(pattern, "/"))
	for _, e := range entries {
		if ok, err := filepath.Match(pattern, strings.ToLower(e.Name())); plain && err == nil && !ok {
			continue
		}
		loss := w.path(dir+e.Name(), named)
		if loss.Fate == ask.Lost {
			return loss
		}
		worst = loss
	}
	return worst
}

// temporary reports whether a path is ours and lies below a directory for
// temporary files, outside the home directory, and is no repository.
func (w *World) temporary(real string) bool {
	st, err := os.Lstat(real)
	if err != nil || !w.owns(st) || w.encloses(w.physicalHome(), real) {
		return false
	}
	if _, err := os.Lstat(real + "/.git"); err == nil {
		return false
	}
	temps := w.Temps
	if temps == nil {
		temps = []string{"/tmp", "/var/tmp"}
		// One that holds the home directory is none.
		if own := w.Getenv("TMPDIR"); own != "" && !w.encloses(own, w.Paths.Home) {
			temps = append(temps, own)
		}
	}
	for _, dir := range temps {
		if w.encloses(real, dir) {
			return false
		}
	}
	for _, dir := range temps {
		if !filepath.IsAbs(dir) {
			continue
		}
		root, err := filepath.EvalSymlinks(dir)
		if err != nil || root == "/" || !strings.HasPrefix(real, root+"/") {
			continue
		}
		st, err := os.Stat(root)
		if err == nil && (w.owns(st) || st.Mode()&os.ModeSticky != 0) {
			return true
		}
	}
	return false
}

func (w *World) physicalHome() string {
	if real, err := filepath.EvalSymlinks(w.Paths.Home); err == nil && w.Paths.Home != "" {
		return real
	}
	return w.Paths.Home + "\x00" // encloses nothing
}

func (w *World) owns(st os.FileInfo) bool {
	sys, ok := st.Sys().(*syscall.Stat_t)
	return ok && int(sys.Uid) == w.UID
}

// mounted reports whether a file system is mounted at or below a path: what is
// deleted through it is not where it seems to be.
func (w *World) mounted(real string) bool {
	if w.mounts == nil {
		w.mounts = mountPoints()
	}
	return slices.ContainsFunc(w.mounts, func(m string) bool { return m == real || strings.HasPrefix(m, real+"/") })
}

// mountPoints reads /proc/self/mountinfo (proc(5)); elsewhere there are none.
func mountPoints() []string {
	data, err := os.ReadFile("/proc/self/mountinfo")
	points := []string{"/"}
	if err != nil {
		return points
	}
	unescape := strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`)
	for l := range strings.Lines(string(data)) {
		if fields := strings.Fields(l); len(fields) > 4 {
			points = append(points, unescape.Replace(fields[4]))
		}
	}
	return points
}

// cluster returns the current context of kubectl's configuration.
func (w *World) cluster() string {
	context, _, _ := container.KubeContext(w.Dir, w.Getenv)
	return context
}
