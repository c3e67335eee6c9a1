// Package run runs tools: it finds the configuration and the bytes of a tool, holds the
// approval against them, asks the gate, and has a worker run what was compiled of them
// before. It links neither a compiler nor git nor databases: what needs them is asked of
// a Workshop, which internal/forge is, so that the program that is started for every run
// starts fast.
//
//   - error.go: codes and exit statuses
//   - runner.go: a runner; settings.go finds its configuration
//   - source.go, compiled.go: the bytes of a tool, and what is kept of them
//   - approval.go: notes and keys
//   - args.go: what stands behind a tool; database.go: the queries of the configuration
//   - run.go: one run; record.go: what is kept of it
package run

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

	"github.com/tool-mapping-protocol/tmp/internal/forge/bridge"
	"github.com/tool-mapping-protocol/tmp/internal/forge/config"
	"github.com/tool-mapping-protocol/tmp/internal/gate"
	"github.com/tool-mapping-protocol/tmp/internal/place"
)

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

// Workshop makes what a run needs and was not made before. A program that only runs
// tools has none, and leaves what needs one to the program that has (ErrWorkshop).
type Workshop interface {
	// ConfigModule makes a configuration in TypeScript one module.
	ConfigModule(text, file string) (code string, err error)
	// Check holds a source against the laws and compiles it.
	Check(source []byte, file, shown string) (*Compiled, error)
	// Named finds a tool by what is no path of it.
	Named(word string) (category, name string, err error)
	// Remote asks databases and hosts.
	Remote() bridge.Remote
	// Recover finishes what a killed process began.
	Recover() error
}

// ErrWorkshop: the run needs a workshop. Nothing was done yet.
var ErrWorkshop = errors.New("the run needs what this program leaves to another one")

// Runner runs tools. It is of one goroutine.
type Runner struct {
	Caller
	Workshop Workshop // nil: ErrWorkshop in its place
	Paths    place.Paths
	Settings Settings
	Config   *config.Config
	Root     string // of the tools
	Mode     string // "god", "gatekeeper"
	pool     pool
}

// New is a runner that has read nothing yet.
func New(c Caller) *Runner { return &Runner{Caller: c, Paths: place.Find(c.Getenv)} }

// Open finds the configuration and the root of the tools, and has what was interrupted
// there finished. That there are no tools yet is no error.
func (f *Runner) Open() error {
	if f.Dir == "" {
		return Fail(Failed, "the working directory cannot be read")
	}
	if err := f.settings(); err != nil {
		return err
	}
	if err := f.findRoot(); err != nil {
		return err
	}
	if err := f.Config.CheckDirs(f.Settings.Shown(), f.Root, f.Paths.Home); err != nil {
		return invalid(err)
	}
	if f.Paths.State == "" {
		return nil
	}
	if _, err := os.Lstat(f.Journal()); err != nil {
		return nil //nolint:nilerr // nothing is under way
	}
	if f.Workshop == nil {
		return ErrWorkshop
	}
	return f.Workshop.Recover()
}

// Journal is the file that says what is under way; there is one only then. "" without a
// state directory.
func (f *Runner) Journal() string {
	if f.Paths.State == "" {
		return ""
	}
	return filepath.Join(f.Paths.State, "forge", Name(f.Root), "journal.json")
}

// Ctx is the context of the caller.
func (f *Runner) Ctx() context.Context {
	if f.Context != nil {
		return f.Context
	}
	return context.Background()
}

// Say tells the caller what an answer goes on without.
func (f *Runner) Say(format string, args ...any) {
	if f.Notice != nil {
		f.Notice(fmt.Sprintf(format, args...))
	}
}

// findRoot finds the root of the tools: the command line's, the configuration's, the
// nearest .tgp upwards, else that of the home directory.
func (f *Runner) findRoot() error {
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

// Name is a file name for a path: an index, not an identity.
func Name(path string) string { return fmt.Sprintf("%016x", xxhash.Sum64String(path)) }

// State is the directory of what is known of this root, made if it is missing.
func (f *Runner) State() (string, error) {
	if f.Paths.State == "" {
		return "", Fail(Failed, "there is no state directory").Hint("set HOME or TMP_STATE_DIR")
	}
	dir := filepath.Join(f.Paths.State, "forge", Name(f.Root))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", Fail(Failed, "%s", err)
	}
	return dir, nil
}

// Cache is where the engine and what was compiled are kept.
func (f *Runner) Cache() string {
	if f.Paths.Cache == "" {
		return ""
	}
	return filepath.Join(f.Paths.Cache, "forge")
}

// Temporary begins the names of files that are being written.
const Temporary = ".tgp-"

// WriteFile puts data in the place of a file whole.
func WriteFile(file string, data []byte, mode os.FileMode) error {
	dir := filepath.Dir(file)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(dir, Temporary)
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

// Plural is "1 tool" or "3 tools".
func Plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

func OneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
