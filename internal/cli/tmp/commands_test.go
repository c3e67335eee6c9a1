package tmp

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/cli/command"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
)

// awaited are nodes of the map whose command is still to be written.
var awaited = []string{}

// testEnv is an environment without a terminal, in dir, with only the given variables.
func testEnv(t *testing.T, dir string, vars ...string) (env term.Env, stdout, stderr *bytes.Buffer) {
	t.Helper()
	stdout, stderr = new(bytes.Buffer), new(bytes.Buffer)
	return term.Env{
		Stdin:  strings.NewReader(""),
		Stdout: stdout,
		Stderr: stderr,
		Getenv: func(name string) string {
			for _, v := range vars {
				if n, val, _ := strings.Cut(v, "="); n == name {
					return val
				}
			}
			return ""
		},
		Environ: vars,
		Account: func() string {
			for _, v := range vars {
				if home, ok := strings.CutPrefix(v, "HOME="); ok {
					return home
				}
			}
			return ""
		},
		Dir:        dir,
		Now:        func() time.Time { return time.Date(2026, 6, 3, 10, 30, 0, 0, time.UTC) },
		IsTerminal: func(int) bool { return false },
		OpenTTY:    func() (io.ReadWriteCloser, error) { return nil, errors.New("no terminal") },
	}, stdout, stderr
}

// tmpRun runs one command line and returns its status and streams.
func tmpRun(t *testing.T, env term.Env, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	env.Args, env.Stdout, env.Stderr = args, &out, &errs
	return Main(env), out.String(), errs.String()
}

func TestTableAndMapAgree(t *testing.T) {
	root, err := command.Load()
	if err != nil {
		t.Fatal(err)
	}
	var leaves []string
	command.Walk(root, "", func(n *command.Node, path string) {
		if len(n.Subs) == 0 {
			leaves = append(leaves, path)
		}
		if n.Description == "" || strings.HasSuffix(n.Description, ".") {
			t.Errorf("tmp %s: the description is to be one line without a full stop: %q", path, n.Description)
		}
		for i := range n.Flags {
			if n.Flags[i].Long() == "" {
				t.Errorf("tmp %s: flag %v has no long name", path, n.Flags[i].Names)
			}
		}
	})
	var rows []string
	for _, c := range table() {
		rows = append(rows, c.path)
		if root.Find(c.path) == nil {
			t.Errorf("the command %q has no node in the map", c.path)
		}
		if slices.Contains(awaited, c.path) {
			t.Errorf("%q has landed: strike it from awaited", c.path)
		}
	}
	for _, path := range leaves {
		if !slices.Contains(rows, path) && !slices.Contains(awaited, path) {
			t.Errorf("the node %q of the map has no command", path)
		}
	}
}

func TestEveryFlagIsBound(t *testing.T) {
	root, err := command.Load()
	if err != nil {
		t.Fatal(err)
	}
	env, _, _ := testEnv(t, t.TempDir())
	p := &program{env: &env, root: root, rows: table()}
	p.build(root, "")
	for _, f := range p.made {
		for _, fault := range f.Faults() {
			t.Error(fault)
		}
	}
}

func TestHelpNamesEveryFlagAndArgument(t *testing.T) {
	root, err := command.Load()
	if err != nil {
		t.Fatal(err)
	}
	env, _, _ := testEnv(t, t.TempDir())
	for _, c := range table() {
		n := root.Find(c.path)
		if n == nil {
			continue
		}
		status, viaFlag, errs := tmpRun(t, env, append(strings.Fields(c.path), "--help")...)
		if status != 0 || errs != "" {
			t.Errorf("tmp %s --help: status %d, %q", c.path, status, errs)
		}
		_, viaHelp, _ := tmpRun(t, env, append([]string{"help"}, strings.Fields(c.path)...)...)
		if viaHelp != viaFlag {
			t.Errorf("tmp help %s differs from tmp %s --help", c.path, c.path)
		}
		_, page, _ := tmpRun(t, env, append([]string{"man"}, strings.Fields(c.path)...)...)
		for i := range n.Flags {
			if n.Flags[i].Hidden { // of programs of ours
				continue
			}
			if !strings.Contains(viaFlag, "--"+n.Flags[i].Long()) {
				t.Errorf("tmp %s --help lacks --%s", c.path, n.Flags[i].Long())
			}
			if !strings.Contains(page, roff("--"+n.Flags[i].Long())) {
				t.Errorf("the page of tmp %s lacks --%s", c.path, n.Flags[i].Long())
			}
		}
	}
}

func TestUsageErrors(t *testing.T) {
	env, _, _ := testEnv(t, t.TempDir())
	for _, tt := range []struct {
		args string
		want string // on standard error
	}{
		{"verison", "tmp: unknown command \"verison\"\n  did you mean tmp version?\n"},
		{"xyzzy", "tmp: unknown command \"xyzzy\"\n  tmp --help lists the commands\n"},
		{"version extra", "tmp: unexpected argument \"extra\"\n  tmp version [flags]\n"},
		{"version --nope", "tmp: unknown flag: --nope\n  tmp version --help shows the flags\n"},
		{"help nope", "tmp: unknown command \"nope\"\n  tmp help lists the commands\n"},
		{"no\x1b[31m", "tmp: unknown command \"no\\x1b[31m\"\n  tmp --help lists the commands\n"},
	} {
		status, out, errs := tmpRun(t, env, strings.Fields(tt.args)...)
		if status != 2 || out != "" || errs != tt.want {
			t.Errorf("tmp %s: status %d, stdout %q, stderr %q; want 2 and %q", tt.args, status, out, errs, tt.want)
		}
	}
}

func TestPanicBecomesOneLine(t *testing.T) {
	env, _, stderr := testEnv(t, "")
	env.Args = []string{"version"}
	env.Stdout = panicWriter{}
	if status := Main(env); status != 1 {
		t.Errorf("status %d, want 1", status)
	}
	if want := "tmp: internal error: the writer broke\n"; !strings.HasPrefix(stderr.String(), want) {
		t.Errorf("stderr %q, want it to begin with %q", stderr, want)
	}
}

type panicWriter struct{}

func (panicWriter) Write([]byte) (int, error) { panic("the writer broke") }

func TestColourOnlyOnATerminal(t *testing.T) {
	for _, tt := range []struct {
		terminal bool
		vars     []string
		want     bool
	}{
		{true, []string{"TERM=xterm"}, true},
		{false, []string{"TERM=xterm"}, false},
		{true, []string{"TERM=dumb"}, false},
		{true, nil, false},
		{true, []string{"TERM=xterm", "NO_COLOR=1"}, false},
		{true, []string{"TERM=xterm", "NO_COLOR="}, true},
	} {
		env, _, _ := testEnv(t, "", tt.vars...)
		env.IsTerminal = func(int) bool { return tt.terminal }
		_, out, _ := tmpRun(t, env, "help")
		if got := strings.Contains(out, "\x1b["); got != tt.want {
			t.Errorf("terminal %v, %v: colour %v, want %v", tt.terminal, tt.vars, got, tt.want)
		}
	}
}
