// Package wanted says of which programs a Tab wants a draft, and has it made: in
// the background, of what is written about the program, without running it. It is
// apart from what drafts, since tmp-tab, which starts on every key, links it.
//
// A draft is wanted of a program of PATH that nobody has mapped, once: what is
// found, or that there is nothing, holds until the program's file changes. None is
// wanted of a program that a project brings, or that others can change.
package wanted

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/mapset"
	"github.com/tool-mapping-protocol/tmp/internal/place"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Flag is the option of tmp generate by which a Tab asks for a draft.
const Flag = "--for-tab"

// claimed is how long nobody else drafts what somebody has begun to.
const claimed = 2 * time.Minute

// maxSettings bounds the settings file that is read, in bytes.
const maxSettings = 1 << 20

// Tab is where a Tab was pressed.
type Tab struct {
	Paths  place.Paths
	Dir    string // the working directory, absolute
	Getenv func(string) string
}

// Wants reports whether a program is to be drafted now. drafted says that there is
// a draft of it, which is wanted again once the program's file has changed.
func (t Tab) Wants(tool string, drafted bool) bool {
	if t.Paths.Home == "" || t.Paths.Drafts() == "" || !plain(tool) {
		return false
	}
	base, known := stat(Note(t.Paths, tool))
	if !known && drafted {
		return false // an administrator's
	}
	file := t.program(tool)
	if file == "" {
		return false
	}
	if st, ok := stat(file); !ok || known && changed(st) <= modified(base) {
		return false
	}
	if st, ok := stat(claim(t.Paths, tool)); ok && time.Since(time.Unix(0, modified(st))) < claimed {
		return false
	}
	return Allowed(t.Paths)
}

// program is the file of a program that PATH leads to and that is neither a
// project's nor for others to change, "" if there is none.
func (t Tab) program(tool string) string {
	path := t.Getenv("PATH")
	p := tcpdb.FindProgram(tool, path, mapset.WorkTree(t.Paths, t.Dir))
	if p.Path == "" || !p.Trusted {
		return ""
	}
	dir := filepath.Dir(p.Path)
	if !slices.ContainsFunc(filepath.SplitList(path), func(d string) bool { return d != "" && filepath.Clean(d) == dir }) {
		return "" // where sudo looks
	}
	if end, err := filepath.EvalSymlinks(p.Path); err != nil || t.local(dir) || t.local(filepath.Dir(end)) {
		return ""
	}
	return p.Path
}

// local reports whether a directory of programs belongs to a project: that of the
// working directory or another one.
func (t Tab) local(dir string) bool {
	if slices.Contains(strings.Split(dir, "/"), "node_modules") {
		return true
	}
	// What is kept in a checkout right below the home directory, with a dot before its
	// name (~/.pyenv), brings programs for all that the user does.
	if root := mapset.WorkTree(t.Paths, dir); root != "" && (filepath.Dir(root) != t.Paths.Home || filepath.Base(root)[0] != '.') {
		return true
	}
	here := filepath.Clean(t.Dir)
	return here != t.Paths.Home && here != "/" && !machines(here) && (dir == here || strings.HasPrefix(dir, here+"/"))
}

// machines reports whether a directory is the machine's own, whoever stands in it.
func machines(dir string) bool {
	for _, top := range [...]string{"/usr", "/bin", "/sbin", "/opt", "/nix", "/snap"} {
		if dir == top || strings.HasPrefix(dir, top+"/") {
			return true
		}
	}
	return false
}

// plain reports whether a word can be the name of a program that is drafted.
func plain(tool string) bool {
	return tool != "" && len(tool) <= 128 && tool[0] != '-' && tool[0] != '.' && !strings.ContainsAny(tool, "/\x00") &&
		!strings.ContainsFunc(tool, func(r rune) bool { return r <= ' ' || r == 0x7f })
}

// Allowed reports whether a Tab may have programs drafted: unless the user's
// settings speak of drafts and do not plainly say "drafts = true". No TOML is
// decoded for it.
func Allowed(p place.Paths) bool {
	st, err := os.Stat(p.Settings())
	if err != nil {
		return os.IsNotExist(err)
	}
	if !st.Mode().IsRegular() || st.Size() > maxSettings {
		return false
	}
	text, err := os.ReadFile(p.Settings())
	if err != nil {
		return false
	}
	allowed, tab := true, false
	for line := range strings.Lines(string(text)) {
		line, _, _ = strings.Cut(line, "#")
		line = strings.Join(strings.Fields(line), "")
		if strings.HasPrefix(line, "[") {
			tab = line == "[tab]"
			continue
		}
		key, value, _ := strings.Cut(line, "=")
		if key = strings.NewReplacer(`"`, "", "'", "").Replace(key); tab && key == "drafts" || key == "tab.drafts" {
			allowed = value == "true"
		}
	}
	return allowed
}

// Start has a program drafted: by tmp, which lies beside the program that runs, in a
// session of its own, with nothing to read from or write to. It returns at once.
func (t Tab) Start(tool string, environ []string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	tmp := filepath.Join(filepath.Dir(self), "tmp")
	if _, ok := stat(tmp); !ok {
		return &os.PathError{Op: "start", Path: tmp, Err: syscall.ENOENT}
	}
	if !Claim(t.Paths, tool) {
		return nil
	}
	if err := Detach([]string{tmp, "generate", Flag, "--", tool}, environ, ""); err != nil {
		Release(t.Paths, tool)
		return err
	}
	return nil
}

// Detach starts a program that goes on by itself: in a session of its own, in the
// directory /, without a terminal. What it prints is added to the file log, to
// nothing if that is "".
func Detach(argv, environ []string, log string) error {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer null.Close()
	out := null
	if log != "" {
		out, err = os.OpenFile(log, os.O_WRONLY|os.O_CREATE|os.O_TRUNC|syscall.O_NOFOLLOW, 0o600)
		if err != nil {
			return err
		}
		defer out.Close()
	}
	child, err := os.StartProcess(argv[0], argv, &os.ProcAttr{
		Dir: "/", Env: environ, Files: []*os.File{null, out, out}, Sys: &syscall.SysProcAttr{Setsid: true},
	})
	if err != nil {
		return err
	}
	return child.Release()
}

// Note is the file that is written when a program was drafted, or nothing was found
// to draft it from.
func Note(p place.Paths, tool string) string {
	return filepath.Join(p.Drafts(), ".base", tool+".json")
}

func claim(p place.Paths, tool string) string {
	return filepath.Join(p.Drafts(), ".base", "."+tool+".wanted")
}

// Claim takes the right to draft a program for a Tab; false if somebody has it.
func Claim(p place.Paths, tool string) bool {
	file := claim(p, tool)
	if st, ok := stat(file); ok && time.Since(time.Unix(0, modified(st))) >= claimed {
		_ = os.Remove(file) // whoever had it was killed
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if os.IsNotExist(err) && os.MkdirAll(filepath.Dir(file), 0o755) == nil {
		f, err = os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	}
	if err != nil {
		return false
	}
	return f.Close() == nil
}

// Release gives that right back.
func Release(p place.Paths, tool string) { _ = os.Remove(claim(p, tool)) }

func stat(file string) (st syscall.Stat_t, ok bool) {
	return st, syscall.Stat(file, &st) == nil
}
