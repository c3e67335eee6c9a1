// Package forge is the tool forge: agents write tools in TypeScript, the laws are
// held against them, a person approves them, and they run in an isolate that can
// reach nothing but what the configuration gives (seed 003). This package puts the
// parts together; they lie below it:
//
//   - law: the source and the laws; the manifest; the janitor
//   - config: what a tool may see, write, import, reach
//   - bundle: TypeScript and packages become one module
//   - run: one run, from the configuration to the record
//   - engine, jail, worker, isolate: where that runs
//   - bridge: what it may do in the world
//   - repo: the repository of the tools
//
// Here: forge.go opens a forge; index.go knows the tools; check.go holds them against the
// laws and compiles them; keys.go and approve.go sign; write.go changes the tools.
package forge

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/tool-mapping-protocol/tmp/internal/forge/bridge"
	"github.com/tool-mapping-protocol/tmp/internal/forge/bridge/remote"
	"github.com/tool-mapping-protocol/tmp/internal/forge/bundle"
	"github.com/tool-mapping-protocol/tmp/internal/forge/repo"
	"github.com/tool-mapping-protocol/tmp/internal/forge/run"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// What runs a tool is a package of its own, so that a program can link that alone.
type (
	// Error is why something was refused or failed.
	Error = run.Error
	// Caller is on whose behalf the forge is opened.
	Caller = run.Caller
	// Order is a run that was asked for.
	Order = run.Order
	// Arguments are what stands on the command line after a tool.
	Arguments = run.Arguments
	// Report is how a run ended.
	Report = run.Report
	// Grant is what a note allows.
	Grant = run.Grant
	// Compiled is a tool that passed the laws.
	Compiled = run.Compiled
	// LintError is a draft that breaks laws.
	LintError = run.LintError
)

// Codes of errors.
const (
	Usage             = run.Usage
	NotFound          = run.NotFound
	LintFailed        = run.LintFailed
	NotApproved       = run.NotApproved
	ApprovalRequired  = run.ApprovalRequired
	AgentRefused      = run.AgentRefused
	Exists            = run.Exists
	ConfigInvalid     = run.ConfigInvalid
	ConfigUntrusted   = run.ConfigUntrusted
	UpstreamRewound   = run.UpstreamRewound
	SecurityViolation = run.SecurityViolation
	Busy              = run.Busy
	Network           = run.Network
	Failed            = run.Failed
	Internal          = run.Internal
	Conflict          = run.Conflict
)

// Fail is an error of a code.
func Fail(code, format string, args ...any) *Error { return run.Fail(code, format, args...) }

// Forge is an open forge. It is of one goroutine.
type Forge struct {
	*run.Runner
	repo  *repo.Repo
	index *Index
}

// Open finds the configuration and the root of the tools. That there are no tools yet
// is no error.
func Open(c Caller) (*Forge, error) {
	f := made(c)
	return f, f.Runner.Open()
}

// made is a forge that has read nothing yet.
func made(c Caller) *Forge {
	f := &Forge{Runner: run.New(c)}
	f.Workshop = workshop{f}
	return f
}

// workshop is the forge as a run needs it.
type workshop struct{ *Forge }

// ConfigModule makes a configuration in TypeScript one module.
func (w workshop) ConfigModule(text, file string) (string, error) {
	code, err := bundle.Config(text, file)
	var fault *bundle.Fault
	if errors.As(err, &fault) {
		return "", &Error{Code: ConfigInvalid, Message: fault.Error(), File: file, Line: fault.Line, Col: fault.Col}
	}
	if err != nil {
		return "", Fail(ConfigInvalid, "%s: %s", file, err)
	}
	return code, nil
}

// Named finds a tool that may be run by what is no path of it.
func (w workshop) Named(word string) (category, name string, err error) {
	t, err := w.Find(word)
	if err != nil {
		return "", "", err
	}
	if t.State == Pending {
		return "", "", Fail(NotApproved, "%s/%s waits for an approval on %s", t.Category, t.Name, t.Branch).Hint("tgp review %s, then tgp approve %s", t.Name, t.Name)
	}
	return t.Category, t.Name, nil
}

// Remote asks databases and hosts.
func (w workshop) Remote() bridge.Remote { return &remote.World{} }

// Recover finishes what a killed process began.
func (w workshop) Recover() error { return w.recover() }

// open opens the repository of the tools.
func (f *Forge) open() (*repo.Repo, error) {
	if f.repo != nil {
		return f.repo, nil
	}
	r, err := repo.Open(f.Root)
	if errors.Is(err, repo.ErrNone) {
		return nil, Fail(NotFound, "there are no tools in %s", f.Root).Hint("tgp init makes the place for them")
	}
	if err != nil {
		return nil, Fail(Failed, "%s", err)
	}
	f.repo = r
	return r, nil
}

// lock takes the right to change the tools. It waits five seconds.
func (f *Forge) lock() (unlock func(), err error) {
	r, err := f.open()
	if err != nil {
		return nil, err
	}
	l, err := tcpdb.Lock(filepath.Join(f.Root, ".git", "tgp"))
	var busy *tcpdb.BusyError
	if errors.As(err, &busy) {
		return nil, Fail(Busy, "%s", busy).Hint("another tgp is writing; try again")
	}
	if err != nil {
		return nil, Fail(Failed, "%s", err)
	}
	r.ClearLocks()
	f.clearTemporaries()
	return func() { _ = l.Unlock() }, nil
}

// clearTemporaries removes what a killed process was writing. The lock is held, and
// nobody else writes there.
func (f *Forge) clearTemporaries() {
	for _, pattern := range []string{"tools/*", "approvals/*"} {
		names, _ := filepath.Glob(filepath.Join(f.Root, pattern, run.Temporary+"*"))
		for _, n := range names {
			_ = os.Remove(n)
		}
	}
}

// Refresh forgets what was read of the tools, for a forge that stays open.
func (f *Forge) Refresh() error {
	f.index, f.repo = nil, nil
	return f.recover()
}
