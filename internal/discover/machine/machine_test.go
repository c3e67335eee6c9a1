package machine

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/internal/sandbox"
)

func TestMain(m *testing.M) {
	sandbox.Child()
	draftUnderStrace()
	os.Exit(m.Run())
}

// somewhere is a directory with a home, programs and manuals of its own.
type somewhere struct {
	t    *testing.T
	root string
	m    *Machine
}

func newPlace(t *testing.T) *somewhere {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := &somewhere{t: t, root: root}
	p.write("home/kept", "kept", 0o644)
	p.write("bin/.keep", "", 0o644)
	p.m = New(Options{Dpkg: filepath.Join(root, "dpkg"), Getenv: func(name string) string {
		return map[string]string{
			"HOME": filepath.Join(root, "home"), "PATH": filepath.Join(root, "bin"),
			"MANPATH": filepath.Join(root, "man"), "XDG_DATA_DIRS": filepath.Join(root, "share"),
		}[name]
	}})
	return p
}

func (p *somewhere) write(name, text string, mode fs.FileMode) {
	p.t.Helper()
	file := filepath.Join(p.root, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), mode); err != nil {
		p.t.Fatal(err)
	}
}

// tool makes a program of a shell script.
func (p *somewhere) tool(name, script string) Program {
	p.t.Helper()
	p.write("bin/"+name, "#!/bin/sh\n"+script, 0o755)
	return p.find(name)
}

func (p *somewhere) find(name string) Program {
	p.t.Helper()
	found, err := Find(filepath.Join(p.root, "bin"), name)
	if err != nil {
		p.t.Fatal(err)
	}
	return found
}

func (p *somewhere) draft(prog Program) *Draft {
	p.t.Helper()
	if err := p.m.Confined(); err != nil {
		p.t.Skipf("no jail on this machine: %v", err)
	}
	d, err := p.m.Draft(p.t.Context(), prog)
	if err != nil {
		p.t.Fatal(err)
	}
	return d
}

// files are the contents of everything below the place.
func (p *somewhere) files() map[string]string {
	p.t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(p.root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			out[path] = "dir"
			return err
		}
		data, err := os.ReadFile(path)
		out[path] = string(data)
		return err
	})
	if err != nil {
		p.t.Fatal(err)
	}
	return out
}

func flagNames(n *opmap.Node) []string {
	var out []string
	for _, f := range n.Flags {
		out = append(out, f.Names...)
	}
	slices.Sort(out)
	return out
}

func gapsOf(d *Draft) string {
	var out []string
	for _, g := range d.Source.Gaps {
		out = append(out, g.Node+": "+g.Text)
	}
	return strings.Join(out, "\n")
}

const frobHelp = `cat <<'E'
Usage: frob [OPTION]... FILE

  -o, --output=FILE  write to FILE
  -q, --quiet        say less
E
`

var frobFlags = []string{"--output", "--quiet", "-o", "-q"}

// TestTools: whatever a program does when it is asked for help, the draft is
// right or has a gap, it takes seconds, and nothing outside the jail changes.
func TestTools(t *testing.T) {
	for _, test := range []struct {
		name, script string
		want         []string // flags
		gap          string
	}{
		{"plain", frobHelp, frobFlags, ""},
		{"on standard error with status 2", "{\n" + frobHelp + "} >&2; exit 2", frobFlags, ""},
		{"only with -h", `[ "$1" = -h ] || { echo "unknown option $1" >&2; exit 1; }` + "\n" + frobHelp, frobFlags, ""},
		{"endless", "while :; do echo 'frob --quiet --quiet --quiet'; done", nil, "does not end"},
		{"silent and slow", "sleep 60", nil, "did not answer"},
		{"empty", "exit 0", nil, "not help"},
		{"reads standard input", "read x; echo \"got $x\" >&2\n" + frobHelp, frobFlags, ""},
		{"waits for an answer", "printf 'Go on? [y/N] '; read x </dev/tty; echo $x", nil, "not help"},
		{"leaves processes behind", "sleep 1000 & sleep 1000 &\n" + frobHelp, frobFlags, ""},
		{"writes at home", "echo x > $HOME/new; echo x > ROOT/home/kept; rm -rf ROOT/home ROOT/bin; touch ROOT/marked\n" + frobHelp, frobFlags, ""},
		{"acts instead", "rm -rf ROOT/home; touch ROOT/home/done; kill -9 -1; echo all files are gone", nil, "not help"},
		{"a line of half a megabyte", "head -c 500000 /dev/zero | tr '\\0' x; echo\n" + frobHelp, frobFlags, ""},
		{"in colour", "printf '\\033[1mUsage:\\033[0m frob [OPTION]... FILE\\n\\n  \\033[32m-o\\033[0m, \\033[32m--output=FILE\\033[0m  write to FILE\\n  -q, --quiet        say less\\n'", frobFlags, ""},
		{"kills its parent", "kill -9 $PPID; kill -9 1; exit 1", nil, "not help"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			prog := p.tool("frob", strings.ReplaceAll(test.script, "ROOT", p.root))
			before := p.files()
			begin := time.Now()
			d := p.draft(prog)
			if took := time.Since(begin); took > 60*time.Second {
				t.Errorf("took %v", took)
			}
			if diff := cmp.Diff(test.want, flagNames(d.Source.Node)); diff != "" {
				t.Errorf("flags (-want +got):\n%s\ngaps: %s", diff, gapsOf(d))
			}
			if test.gap != "" && !strings.Contains(gapsOf(d), test.gap) {
				t.Errorf("gaps: %q, want one with %q", gapsOf(d), test.gap)
			}
			if d.Source.Verified {
				t.Error("the draft says that it is verified")
			}
			if diff := cmp.Diff(before, p.files()); diff != "" {
				t.Errorf("files changed (-before +after):\n%s", diff)
			}
		})
	}
}

// TestOnlyNamedWordsAreRun: a program is run with options for help and with
// sub-commands that a text lists, and with nothing else.
func TestOnlyNamedWordsAreRun(t *testing.T) {
	p := newPlace(t)
	prog := p.tool("frob", "exit 0")
	texts := map[string]string{
		"--help":     "Usage: frob COMMAND\n\nCommands:\n  add     Add a thing\n  remove  Remove a thing\n  help    Show this help\n\nOptions:\n  -v, --verbose  say more\n",
		"add --help": "Usage: frob add [OPTIONS] THING\n\nOptions:\n  -f, --force  even if it is there\n",
	}
	var mu sync.Mutex
	var ran []string
	p.m.jail = func() error { return nil }
	p.m.confined = func(_ context.Context, s sandbox.Spec) (sandbox.Result, error) {
		mu.Lock()
		defer mu.Unlock()
		words := strings.Join(s.Argv[1:], " ")
		ran = append(ran, words)
		return sandbox.Result{Stdout: []byte(texts[words])}, nil
	}
	d, err := p.m.Draft(t.Context(), prog)
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(ran)
	if diff := cmp.Diff([]string{"--help", "add --help", "help remove", "remove --help", "remove -h"}, ran); diff != "" {
		t.Errorf("ran (-want +got):\n%s", diff)
	}
	n := d.Source.Node
	if len(n.Subcommands) < 2 || n.Subcommands[0].Name != "add" || len(n.Subcommands[0].Flags) != 1 {
		t.Errorf("sub-commands: %+v", n.Subcommands)
	}
	if !strings.Contains(gapsOf(d), "frob remove: what it prints for --help and -h is not help") {
		t.Errorf("gaps: %s", gapsOf(d))
	}
}

// TestDraftOf: of the commands that do not matter no help is asked for.
func TestDraftOf(t *testing.T) {
	p := newPlace(t)
	prog := p.tool("frob", "exit 0")
	texts := map[string]string{
		"--help":            "Usage: frob COMMAND\n\nCommands:\n  remote, rem  Remotes\n  remove       Remove a thing\n  list         List\n",
		"remote --help":     "Usage: frob remote COMMAND\n\nCommands:\n  add   Add one\n  show  Show one\n",
		"remote add --help": "Usage: frob remote add\n\nOptions:\n  -t, --track  follow\n",
	}
	var mu sync.Mutex
	var ran []string
	p.m.jail = func() error { return nil }
	p.m.confined = func(_ context.Context, s sandbox.Spec) (sandbox.Result, error) {
		mu.Lock()
		defer mu.Unlock()
		words := strings.Join(s.Argv[1:], " ")
		ran = append(ran, words)
		return sandbox.Result{Stdout: []byte(texts[words])}, nil
	}
	d, err := p.m.DraftOf(t.Context(), prog, [][]string{strings.Fields("-C <dir> rem add --track <name>")})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(ran)
	if diff := cmp.Diff([]string{"--help", "remote --help", "remote add --help"}, ran); diff != "" {
		t.Errorf("ran (-want +got):\n%s", diff)
	}
	if n := d.Source.Node.Subcommands; len(n) != 3 || len(n[0].Subcommands) != 2 || len(n[0].Subcommands[0].Flags) != 1 {
		t.Errorf("commands: %+v", n)
	}
}

// TestFormsOfHelp: help is asked for in the forms that the program's own text
// names, and only where an option does not get it.
func TestFormsOfHelp(t *testing.T) {
	for _, x := range []struct {
		name  string
		texts map[string]string // by arguments
		ran   []string
		flags []string // of the command add
	}{
		{"behind a verb", map[string]string{
			"--help":   "Usage: frob COMMAND\n\nCommands:\n  add   Add a thing\n  help  Show help of a command\n",
			"help add": "Usage: frob add [OPTIONS]\n\nOptions:\n  -f, --force  even so\n",
		}, []string{"--help", "add --help", "add -h", "help add"}, []string{"--force", "-f"}},
		{"before a verb", map[string]string{
			"--help":   "Usage: frob COMMAND { THING | help }\n\nCommands:\n  add   Add a thing\n",
			"add help": "Usage: frob add [OPTIONS]\n\nOptions:\n  -f, --force  even so\n",
		}, []string{"--help", "add --help", "add -h", "add help"}, []string{"--force", "-f"}},
		{"a short answer that refers to it", map[string]string{
			"--help":     "Usage: frob COMMAND\n\nCommands:\n  add   Add a thing\n\nUse \"frob help <command>\" for more.\n",
			"add --help": "usage: frob add [-n] THING\nRun 'frob help add' for details.\n",
			"help add":   "usage: frob add [-n] THING\n\nThe flags are:\n\n  -n\n    print only\n  -p num\n    how many at once\n",
		}, []string{"--help", "add --help", "help add"}, []string{"-n", "-p"}},
		{"a list of all", map[string]string{
			"--help":     "Usage: frob COMMAND\n\n'frob help -a' lists available commands.\n",
			"help -a":    "Commands:\n  add   Add a thing\n",
			"add --help": "Usage: frob add\n\nOptions:\n  -f, --force  even so\n",
		}, []string{"--help", "add --help", "help -a"}, []string{"--force", "-f"}},
	} {
		t.Run(x.name, func(t *testing.T) {
			p := newPlace(t)
			prog := p.tool("frob", "exit 0")
			var mu sync.Mutex
			var ran []string
			p.m.jail = func() error { return nil }
			p.m.confined = func(_ context.Context, s sandbox.Spec) (sandbox.Result, error) {
				mu.Lock()
				defer mu.Unlock()
				words := strings.Join(s.Argv[1:], " ")
				ran = append(ran, words)
				return sandbox.Result{Stdout: []byte(x.texts[words])}, nil
			}
			d, err := p.m.Draft(t.Context(), prog)
			if err != nil {
				t.Fatal(err)
			}
			slices.Sort(ran)
			if diff := cmp.Diff(x.ran, ran); diff != "" {
				t.Errorf("ran (-want +got):\n%s", diff)
			}
			n := d.Source.Node
			if len(n.Subcommands) == 0 || n.Subcommands[0].Name != "add" {
				t.Fatalf("sub-commands: %+v", n.Subcommands)
			}
			if diff := cmp.Diff(x.flags, flagNames(n.Subcommands[0])); diff != "" {
				t.Errorf("flags of add (-want +got):\n%s", diff)
			}
		})
	}
}

// TestNotRun: what must not be run is not, jail or no jail.
func TestNotRun(t *testing.T) {
	p := newPlace(t)
	p.m.jail = func() error { return nil }
	p.m.confined = func(_ context.Context, s sandbox.Spec) (sandbox.Result, error) {
		t.Errorf("ran %q", s.Argv)
		return sandbox.Result{}, nil
	}
	for _, name := range []string{"reboot", "shutdown", "init", "bash", "su", "killall5", "mkfs.ext4", "sshd"} {
		d := p.draft(p.tool(name, frobHelp))
		if !strings.Contains(gapsOf(d), errNotRun.Error()) {
			t.Errorf("%s: gaps %q", name, gapsOf(d))
		}
	}
	p.tool("setuid", frobHelp)
	if err := os.Chmod(filepath.Join(p.root, "bin/setuid"), 0o755|fs.ModeSetuid); err != nil {
		t.Fatal(err)
	}
	p.draft(p.find("setuid"))
	p.write("bin/data", "no interpreter: --help", 0o755)
	p.draft(p.find("data"))
	if err := os.Symlink(filepath.Join(p.root, "bin/reboot"), filepath.Join(p.root, "bin/restart")); err != nil {
		t.Fatal(err)
	}
	p.draft(p.find("restart"))
	p.m.opts.NoRun = true
	p.draft(p.tool("frob", frobHelp))
	p.m.opts.NoRun = false
	p.m.jail = func() error { return errors.New("no namespaces") }
	d, err := p.m.Draft(t.Context(), p.find("frob"))
	if err != nil || !strings.Contains(gapsOf(d), "no namespaces") {
		t.Errorf("without a jail: %v, gaps %q", err, gapsOf(d))
	}
}
