package machine

import (
	"bytes"
	_ "embed" // the lists of names
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"unicode"

	"github.com/tool-mapping-protocol/tmp/internal/opmap"
)

// Program is an executable file that PATH leads to.
type Program struct {
	Name string // as it is typed
	Path string // where PATH has it, absolute
	Real string // where its links end
	mode fs.FileMode
	id   string
}

// ErrNotFound says that PATH leads to no program of a name.
var ErrNotFound = errors.New("is not a program in PATH")

// Find looks a program up in PATH. Directories that depend on where one stands
// do not count.
func Find(path, name string) (Program, error) {
	if badName(name) {
		return Program{}, fmt.Errorf("%q %w", name, ErrNotFound)
	}
	if sign := opmap.ShellSign(name); sign != "" {
		return Program{}, fmt.Errorf("%q holds %q, which a shell reads otherwise: it is no name of a tool", name, sign)
	}
	for _, dir := range absolute(path) {
		if p, ok := look(dir, name); ok {
			return p, nil
		}
	}
	return Program{}, fmt.Errorf("%q %w", name, ErrNotFound)
}

// Programs lists the programs of PATH by name, of each name the one that is run.
func Programs(path string) []Program {
	seen := map[string]bool{}
	dirs := map[string]bool{}
	var out []Program
	for _, dir := range absolute(path) {
		if real, err := filepath.EvalSymlinks(dir); err != nil || dirs[real] {
			continue
		} else {
			dirs[real] = true
		}
		entries, err := os.ReadDir(dir)
		if err != nil {
			continue
		}
		for _, e := range entries {
			if e.IsDir() || seen[e.Name()] || badName(e.Name()) || opmap.ShellSign(e.Name()) != "" {
				continue
			}
			if p, ok := look(dir, e.Name()); ok {
				seen[p.Name] = true
				out = append(out, p)
			}
		}
	}
	slices.SortFunc(out, func(a, b Program) int { return strings.Compare(a.Name, b.Name) })
	return out
}

func absolute(path string) []string {
	return slices.DeleteFunc(filepath.SplitList(path), func(d string) bool { return !filepath.IsAbs(d) })
}

// badName reports whether a name cannot be that of a command in a map.
func badName(s string) bool {
	return s == "" || s == "." || s == ".." || s[0] == '-' || len(s) > 128 || strings.ContainsFunc(s, func(r rune) bool {
		return r == '/' || unicode.IsSpace(r) || !unicode.IsPrint(r) || r == unicode.ReplacementChar
	})
}

func look(dir, name string) (Program, bool) {
	p := Program{Name: name, Path: filepath.Join(dir, name)}
	st, err := os.Stat(p.Path)
	if err != nil || !st.Mode().IsRegular() || st.Mode()&0o111 == 0 {
		return p, false
	}
	p.Real = p.Path
	if l, err := os.Lstat(p.Path); err == nil && l.Mode()&fs.ModeSymlink != 0 {
		if p.Real, err = filepath.EvalSymlinks(p.Path); err != nil {
			return p, false
		}
	}
	p.mode = st.Mode()
	p.id = fmt.Sprintf("%s %d %d", p.Real, st.Size(), st.ModTime().UnixNano())
	if sys, ok := st.Sys().(*syscall.Stat_t); ok {
		p.id = fmt.Sprintf("%s %d:%d", p.id, sys.Dev, sys.Ino)
	}
	return p, true
}

// head reads the beginning of the program's file.
func (p Program) head(n int64) []byte {
	f, err := os.Open(p.Real)
	if err != nil {
		return nil
	}
	defer f.Close()
	data, _ := io.ReadAll(io.LimitReader(f, n))
	return data
}

// refusal says why a program is not run even in a jail, "" if nothing speaks
// against it: those that change who one is, that start a session or a shell,
// that stop the machine or its processes, and what is no program at all.
func (p Program) refusal() string {
	switch {
	case p.mode&(fs.ModeSetuid|fs.ModeSetgid) != 0:
		return "it runs with the rights of its owner"
	case acts(p.Name), acts(filepath.Base(p.Real)):
		return "it does its work even with --help"
	}
	head := p.head(4)
	if !bytes.Equal(head, []byte("\x7fELF")) && !bytes.HasPrefix(head, []byte("#!")) && !machO(head) {
		return "it is neither a binary nor a script with an interpreter"
	}
	return ""
}

func machO(head []byte) bool {
	for _, magic := range []string{"\xcf\xfa\xed\xfe", "\xca\xfe\xba\xbe", "\xce\xfa\xed\xfe"} {
		if string(head) == magic {
			return true
		}
	}
	return false
}

// neverRun are the names of such programs.
//
//go:embed never.txt
var neverRun string

// acts reports whether a program is known to act when it is asked for help, or
// belongs to a kind of which that must be feared.
func acts(name string) bool {
	if slices.Contains(strings.Fields(neverRun), name) {
		return true
	}
	return strings.HasPrefix(name, "systemd-shutdown") || strings.HasPrefix(name, "mkfs") && name != "mkfs"
}
