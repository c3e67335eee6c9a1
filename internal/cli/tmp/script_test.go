package tmp

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/tool-mapping-protocol/tmp/internal/cli/surface"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/discover/spec/fig/evaluator"
	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/internal/sandbox"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

func TestMain(m *testing.M) {
	sandbox.Child()
	testscript.Main(m, map[string]func(){
		"tmp": func() {
			env := term.System()
			env.Account = func() string { return cmp.Or(os.Getenv("TEST_ACCOUNT_HOME"), os.Getenv("HOME")) }
			os.Exit(Main(env))
		},
		"tmp-surface": func() { os.Exit(surface.Main()) },
		"tmp-fig":     func() { os.Exit(evaluator.Main(os.Stdin, os.Stdout)) },
	})
}

// TestScript runs testdata/script: each file is played in a fresh home.
// Beside the usual commands a script has
//
//	usermap FILE    compile FILE as the user's layer; what says "verified" counts so
//	review          trust the project here and review its operations, as a person does
//	person ARG...   tmp ARG... as a person at a terminal
//	runids          set RUN1 to the ID of the newest run, RUN2 to the next …
//	status N CMD…   run a command that must exit with N
//
// and the conditions [jail], where a program can be confined, [exec:NAME] and [runs:NAME] for scripts that need a tool:
// a program of that name, or one that answers --version (rustup installs a
// cargo that may have no toolchain to run).
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			home := filepath.Join(env.WorkDir, "home")
			env.Setenv("HOME", home)
			env.Setenv("TERM", "dumb")
			env.Setenv("GIT_CONFIG_NOSYSTEM", "1")
			for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOFLAGS", "CARGO_HOME", "RUSTUP_HOME"} {
				env.Setenv(name, toolchain(name))
			}
			return os.MkdirAll(home, 0o700)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"usermap": userMap,
			"status":  wantStatus,
			"runids":  runIDs,
			"review":  reviewHere,
			"person":  asPerson,
		},
		Condition: func(cond string) (bool, error) {
			if cond == "jail" {
				return sandbox.Available(context.Background()) == nil, nil
			}
			name, ok := strings.CutPrefix(cond, "runs:")
			if !ok {
				return false, fmt.Errorf("unknown condition %q", cond)
			}
			return exec.Command(name, "--version").Run() == nil, nil
		},
	})
}

// toolchain returns where a tool keeps what a fresh home would lack.
func toolchain(name string) string {
	if v := os.Getenv(name); v != "" {
		return v
	}
	home, _ := os.UserHomeDir()
	switch name {
	case "CARGO_HOME":
		return filepath.Join(home, ".cargo")
	case "RUSTUP_HOME":
		return filepath.Join(home, ".rustup")
	case "GOFLAGS":
		return ""
	}
	out, err := exec.Command("go", "env", name).Output()
	if err != nil || len(out) == 0 {
		return ""
	}
	return string(out[:len(out)-1])
}

func userMap(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: usermap FILE")
	}
	writeUserMap(ts, filepath.Join(ts.Getenv("HOME"), ".local/share/tmp/user.tcpdb"), args[0], []byte(ts.ReadFile(args[0])))
}

func runIDs(ts *testscript.TestScript, neg bool, args []string) {
	var found []string
	for _, pattern := range []string{filepath.Join(ts.Getenv("HOME"), ".local/state/tmp/runs/*"), ts.MkAbs(".tmp/runs/*")} {
		dirs, _ := filepath.Glob(pattern)
		for _, d := range dirs {
			found = append(found, filepath.Base(d))
		}
	}
	slices.Sort(found)
	slices.Reverse(found)
	for i, id := range found {
		ts.Setenv("RUN"+itoa(i+1), id)
	}
}

// reviewHere is tmp trust --review with a yes, of the project in the working
// directory.
func reviewHere(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 0 {
		ts.Fatalf("usage: review")
	}
	asPerson(ts, false, []string{"trust", "--review"})
}

// asPerson runs tmp as a person at a terminal who says yes to everything; with
// "!" it is to fail.
func asPerson(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) == 0 {
		ts.Fatalf("usage: [!] person COMMAND ARG...")
	}
	status := Main(term.Env{
		Dir: ts.MkAbs("."), Stdin: strings.NewReader(""), Stdout: ts.Stdout(), Stderr: ts.Stderr(), Getenv: ts.Getenv, Now: time.Now, Args: args,
		IsTerminal: func(fd int) bool { return fd != 1 }, Account: func() string { return ts.Getenv("HOME") },
		OpenTTY: func() (io.ReadWriteCloser, error) { return yes{strings.NewReader("y\n")}, nil },
	})
	if (status != 0) != neg {
		ts.Fatalf("tmp %s: status %d", strings.Join(args, " "), status)
	}
}

// yes is a terminal at which somebody agrees.
type yes struct{ io.Reader }

func (yes) Write(p []byte) (int, error) { return len(p), nil }
func (yes) Close() error                { return nil }

type fatalf interface {
	Fatalf(format string, args ...any)
}

// writeUserMap compiles a source as a layer in which what says "verified" is so.
func writeUserMap(t fatalf, file, name string, source []byte) {
	s, problems := opmap.Parse(name, source, opmap.ParseOptions{})
	if err := problems.Err(); err != nil {
		t.Fatalf("%v", err)
	}
	l := &opmap.Layering{
		Layer:   tcpdb.UserLayer,
		Sources: []*opmap.Source{s},
		Standing: func(_ *opmap.Source, op *opmap.Operation) tcpdb.Standing {
			if op.Verified {
				return tcpdb.Evidence
			}
			return tcpdb.Draft
		},
	}
	b := tcpdb.NewBuilder()
	if err := l.Compile(b); err != nil {
		t.Fatalf("%v", err)
	}
	data, err := b.Build()
	if err == nil {
		err = os.MkdirAll(filepath.Dir(file), 0o700)
	}
	if err == nil {
		err = tcpdb.WriteFile(file, data)
	}
	if err != nil {
		t.Fatalf("%v", err)
	}
}

// wantStatus runs a command and compares its exit status.
func wantStatus(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N CMD ARG…")
	}
	err := ts.Exec(args[1], args[2:]...)
	got := "0"
	if err != nil {
		exit, ok := err.(*exec.ExitError)
		if !ok {
			ts.Fatalf("%v", err)
		}
		got = itoa(exit.ExitCode())
	}
	if got != args[0] {
		ts.Fatalf("%s exited with %s, want %s", args[1], got, args[0])
	}
}

func itoa(n int) string { return strconv.Itoa(n) }
