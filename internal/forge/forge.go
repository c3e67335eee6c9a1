// Package forge is the tool forge: agents write tools in TypeScript, the laws are
// held against them, a person approves them, and they run in an isolate that can
// reach nothing but what the configuration gives (seed 003). This package puts the
// parts together; they lie below it:
//
//   - law: the source and the laws; the manifest; the janitor
//   - config: what a tool may see, write, import, reach
//   - bundle: TypeScript and packages become one module
//   - engine, jail, worker, isolate: where that runs
//   - bridge: what it may do in the world
//   - repo: the repository of the tools
//
// Here: forge.go opens a forge; settings.go finds its configuration; index.go knows
// the tools; compiled.go keeps what was compiled; approval.go signs and checks;
// write.go changes the tools; run.go runs one.
package forge

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/cespare/xxhash/v2"
	"github.com/tool-mapping-protocol/tmp/internal/forge/config"
	"github.com/tool-mapping-protocol/tmp/internal/forge/repo"
	"github.com/tool-mapping-protocol/tmp/internal/gate"
	"github.com/tool-mapping-protocol/tmp/internal/place"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Codes of errors.
const (
	Usage              = "USAGE"
	NotFound           = "NOT_FOUND"
	LintFailed         = "LINT_FAILED"
	NotApproved        = "NOT_APPROVED"
	ApprovalRequired   = "APPROVAL_REQUIRED"
	AgentRefused       = "AGENT_REFUSED"
	Exists             = "EXISTS"
	ConfigInvalid      = "CONFIG_INVALID"
	ConfigUntrusted    = "CONFIG_UNTRUSTED"
	UpstreamRewound    = "UPSTREAM_REWOUND"
	SecurityViolation  = "SECURITY_VIOLATION"
	TimeoutExceeded    = "TIMEOUT_EXCEEDED"
	OOM                = "OOM"
	EPerm              = "EPERM"
	QuotaExceeded      = "QUOTA_EXCEEDED"
	OutputInvalid      = "OUTPUT_INVALID"
	Busy               = "BUSY"
	Network            = "NETWORK"
	Failed             = "FAILED"
	Internal           = "INTERNAL"
	Conflict           = "CONFLICT"
	FindingsCode       = "FINDINGS"
	NothingFound       = "NO_HIT"
	SchemaUnknown      = "schema/unknown"
	defaultToolTimeout = 30 * time.Second
)

// Error is why something was refused or failed.
type Error struct {
	Code    string   `json:"code"`
	Message string   `json:"message"`
	File    string   `json:"file,omitempty"`
	Line    int      `json:"line,omitempty"`
	Col     int      `json:"col,omitempty"`
	Hints   []string `json:"-"`
	Running bool     `json:"-"` // it had started
	Status  int      `json:"-"` // of process.exit, 0 if the code says it
}

func (e *Error) Error() string {
	where := ""
	if e.File != "" && e.Line > 0 {
		where = fmt.Sprintf(" (%s:%d)", e.File, e.Line)
	}
	return e.Message + where
}

// Fail is an error of that code.
func Fail(code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// Hint adds what can be done.
func (e *Error) Hint(format string, args ...any) *Error {
	e.Hints = append(e.Hints, fmt.Sprintf(format, args...))
	return e
}

// ExitStatus is the status of a program that ends with the error.
func (e *Error) ExitStatus() int {
	switch e.Code {
	case Usage:
		return 2
	case Busy, Network:
		return 75
	case TimeoutExceeded:
		return 124
	case OOM:
		return 134
	case QuotaExceeded:
		return 126
	case SecurityViolation, EPerm:
		if e.Running {
			return 126
		}
		return 125
	case NotFound, LintFailed, NotApproved, ApprovalRequired, AgentRefused, Exists, ConfigInvalid, ConfigUntrusted, UpstreamRewound:
		return 125
	}
	if e.Status > 0 {
		return e.Status
	}
	return 1
}

// Caller is on whose behalf the forge is opened.
type Caller struct {
	Dir    string
	Getenv func(string) string
	Now    func() time.Time
	Who    gate.Who
	Agent  string
	// Account is the state directory of the account, wherever the environment says
	// that state is: approvals are there.
	Account string
	// Root and Config are what the command line says, "" if nothing.
	Root, Config string
	// Notice hears what an answer goes on without; nil: nobody does.
	Notice func(text string)
	// Ask asks the person at the terminal; word: a yes is not enough. nil: nobody is there.
	Ask func(question string, word bool) bool
	// Lenient goes on with the defaults where the configuration is not trusted.
	Lenient bool
	Context context.Context
}

// Forge is an open forge. It is of one goroutine.
type Forge struct {
	Caller
	Paths    place.Paths
	Settings Settings
	Config   *config.Config
	Root     string // of the tools
	Mode     string // "god", "gatekeeper"
	repo     *repo.Repo
	index    *Index
	pool     pool
}

// ctx is the context of the caller.
func (f *Forge) ctx() context.Context {
	if f.Context != nil {
		return f.Context
	}
	return context.Background()
}

func (f *Forge) notice(format string, args ...any) {
	if f.Notice != nil {
		f.Notice(fmt.Sprintf(format, args...))
	}
}

// Open finds the configuration and the root of the tools. That there are no tools yet
// is no error.
func Open(c Caller) (*Forge, error) {
	if c.Dir == "" {
		return nil, Fail(Failed, "the working directory cannot be read")
	}
	f := &Forge{Caller: c, Paths: place.Find(c.Getenv)}
	if err := f.settings(); err != nil {
		return nil, err
	}
	if err := f.findRoot(); err != nil {
		return nil, err
	}
	if err := f.Config.CheckDirs(f.Settings.shown(), f.Root, f.Paths.Home); err != nil {
		return nil, invalid(err)
	}
	return f, f.recover()
}

// findRoot finds the root of the tools: the command line's, the configuration's, the
// nearest .tgp upwards, else that of the home directory.
func (f *Forge) findRoot() error {
	switch {
	case f.Caller.Root != "":
		f.Root = f.Caller.Root
		if !filepath.IsAbs(f.Root) {
			f.Root = filepath.Join(f.Dir, f.Root)
		}
	case f.Config.RootDir != "":
		f.Root = f.Config.RootDir
	default:
		if f.Root = config.Up(f.Dir, f.Paths.Home, ".tgp"); f.Root == "" {
			if f.Paths.Home == "" {
				return Fail(NotFound, "HOME is not set, and there is no .tgp here or above").Hint("tgp init makes one in this directory")
			}
			f.Root = filepath.Join(f.Paths.Home, ".tgp")
		}
	}
	f.Root = filepath.Clean(f.Root)
	return nil
}

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

// name is a file name for a path: an index, not an identity.
func name(path string) string { return fmt.Sprintf("%016x", xxhash.Sum64String(path)) }

// state is the directory of what is known of this root, made if it is missing.
func (f *Forge) state() (string, error) {
	if f.Paths.State == "" {
		return "", Fail(Failed, "there is no state directory").Hint("set HOME or TMP_STATE_DIR")
	}
	dir := filepath.Join(f.Paths.State, "forge", name(f.Root))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", Fail(Failed, "%s", err)
	}
	return dir, nil
}

// Cache is where the engine and what was compiled are kept.
func (f *Forge) Cache() string {
	if f.Paths.Cache == "" {
		return ""
	}
	return filepath.Join(f.Paths.Cache, "forge")
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
	return func() { _ = l.Unlock() }, nil
}

// writeFile puts data in the place of a file whole.
func writeFile(file string, data []byte, mode os.FileMode) error {
	dir := filepath.Dir(file)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(dir, ".tgp-")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	_, err = tmp.Write(data)
	err = errors.Join(err, tmp.Chmod(mode), tmp.Sync(), tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), file)
	}
	if err != nil {
		return err
	}
	if d, err := os.Open(dir); err == nil {
		_ = d.Sync()
		_ = d.Close()
	}
	return nil
}

// plural is "1 tool" or "3 tools".
func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func placeOf(c Caller) place.Paths { return place.Find(c.Getenv) }

// Refresh forgets what was read of the tools, for a forge that stays open.
func (f *Forge) Refresh() error {
	f.index, f.repo = nil, nil
	return f.recover()
}
