// Package machine gathers what is written on this machine about its programs,
// and drafts their maps from it: manual pages, completion scripts, what package
// managers and the programs' own files say, and the help that a program prints
// when it is run in a jail. Files are read first. A program is run with options
// that ask for help and with sub-commands that a text names, never with a
// guessed verb (package question makes that impossible), and never outside of a
// jail unless the user says so.
package machine

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/sandbox"
)

// Options say what may be read and run.
type Options struct {
	Getenv func(string) string
	// NoRun: programs are not run at all.
	NoRun bool
	// Unconfined: where no jail can be made, programs are run without one. Only a
	// person who was told what that means sets it.
	Unconfined bool
	// Dpkg is the database of dpkg, /var/lib/dpkg by default.
	Dpkg string
}

// Machine knows where the texts about programs are. It may be used by several
// goroutines.
type Machine struct {
	opts     Options
	manuals  func() *manuals
	besides  *besides
	scripts  func() *scripts
	packages func() *packages
	jail     func() error
	running  chan struct{} // bounds how many programs run at once
	confined func(context.Context, sandbox.Spec) (sandbox.Result, error)
}

// New returns the machine of an environment.
func New(opts Options) *Machine {
	if opts.Dpkg == "" {
		opts.Dpkg = "/var/lib/dpkg"
	}
	m := &Machine{opts: opts, besides: &besides{}, running: make(chan struct{}, max(2, runtime.NumCPU())), confined: sandbox.Run}
	m.manuals = sync.OnceValue(func() *manuals { return findManuals(opts.Getenv("MANPATH"), opts.Getenv("PATH")) })
	m.scripts = sync.OnceValue(func() *scripts { return findScripts(m.dataDirs()) })
	m.packages = sync.OnceValue(func() *packages { return findPackages(opts.Dpkg) })
	m.jail = sync.OnceValue(func() error { return sandbox.Available(context.Background()) })
	return m
}

// dataDirs are the directories of data that programs install.
func (m *Machine) dataDirs() []string {
	dirs := filepath.SplitList(m.opts.Getenv("XDG_DATA_DIRS"))
	if len(dirs) == 0 {
		dirs = []string{"/usr/local/share", "/usr/share"}
	}
	return absolute(strings.Join(dirs, string(filepath.ListSeparator)))
}

// Confined reports why programs are not run in a jail here, nil if they are.
func (m *Machine) Confined() error { return m.jail() }

// form is raised when drafts of the same texts come out differently.
const form = 6

// Identity names a program and the texts about it that are files: while it is
// the same, a draft is still the draft of what is installed.
func (m *Machine) Identity(p Program) string {
	p = m.behind(p)
	var b strings.Builder
	b.WriteByte('0' + form)
	b.WriteByte(' ')
	b.WriteString(p.id)
	s := m.scripts()
	for _, file := range []string{m.pageOf(p).file, scriptOf(s.fish, p), scriptOf(s.zsh, p), scriptOf(s.bash, p)} {
		if st, err := os.Stat(file); file != "" && err == nil {
			b.WriteString(" " + filepath.Base(file) + " " + st.ModTime().UTC().Format(time.RFC3339Nano))
		}
	}
	if v := m.packages().of(p).Version; v != "" {
		b.WriteString(" " + v)
	}
	return b.String()
}

// Package is what the package manager says of a program; zero if it knows nothing.
func (m *Machine) Package(p Program) Package { return m.packages().of(p) }
