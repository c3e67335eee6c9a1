package shell

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/cli/command"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/cli/tmp/policy"
	"github.com/tool-mapping-protocol/tmp/internal/mapset"
	"github.com/tool-mapping-protocol/tmp/internal/session"
	"github.com/tool-mapping-protocol/tmp/internal/version"
	"github.com/tool-mapping-protocol/tmp/shells"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// probeTime is how long a new shell may take to say what it registers.
const probeTime = 5 * time.Second

type doctorOptions struct{ json, report bool }

// NewDoctor is tmp doctor.
func NewDoctor(env *term.Env, f *command.Flags) command.Run {
	var o doctorOptions
	f.Bool("json", &o.json)
	f.Bool("report", &o.report)
	return func(command.Input) error {
		if o.json && o.report {
			return term.Usagef("--report is a text: it takes no --json")
		}
		return o.run(env)
	}
}

// doctorReport is the JSON of tmp doctor.
type doctorReport struct {
	V        int               `json:"v"`
	Version  string            `json:"version"`
	Shell    string            `json:"shell"`
	Tools    int               `json:"tools"`
	Findings []shells.Finding  `json:"findings"`
	Bypasses []shells.Bypass   `json:"bypasses"`
	Programs map[string]string `json:"programs"`
}

// run exits with 1 if something that should be active is not.
func (o *doctorOptions) run(env *term.Env) error {
	w, err := env.Session()
	if err != nil {
		return err
	}
	f := gatherFacts(env, w)
	r := doctorReport{
		V: 1, Version: version.Text(), Shell: f.Shell,
		Findings: shells.Diagnose(f), Bypasses: shells.Bypasses(f.Shell), Programs: map[string]string{},
	}
	for _, tool := range w.View.Tools() {
		if f.Mapped(tool) {
			r.Tools++
		}
	}
	for _, p := range w.View.Problems() {
		text := fmt.Sprintf("the %s map is left out: %v", p.Layer, p.Err)
		if s := (*mapset.StaleError)(nil); errors.As(p.Err, &s) && !s.Never {
			text = "the user map is old: " + s.Error()
		}
		r.Findings = append(r.Findings, shells.Finding{Standing: shells.Problem, Text: text})
	}
	if w.Paths.State == "" {
		r.Findings = append(r.Findings, shells.Finding{
			Standing: shells.Problem, Text: "there is no home directory: nothing is kept of what was asked and allowed, and maps of your own are not read",
			Advice: "set HOME, or TMP_CONFIG_DIR, TMP_DATA_DIR, TMP_STATE_DIR and TMP_CACHE_DIR",
		})
	}
	for _, p := range policy.Faults(w.Paths, env.Dir) {
		r.Findings = append(r.Findings, shells.Finding{Standing: shells.Problem, Text: "a setting does not count: " + p.Error()})
	}
	if te := term.BesideOrPath(env, "te"); te != "" {
		r.Findings = append(r.Findings, envelopeFinding(env, te))
	}
	for _, name := range []string{"tmp-tab", "tmp-enter", "te", "git"} {
		if path := term.LookPath(env, name); path != "" {
			r.Programs[name] = path
		}
	}
	switch {
	case o.report:
		r.report(env, w)
		return nil // the report is what was asked for, whatever it says
	case o.json:
		if err := env.PrintJSON(r); err != nil {
			return err
		}
	default:
		r.print(env)
	}
	for _, f := range r.Findings {
		if f.Standing == shells.Problem {
			return term.ExitStatus(1)
		}
	}
	return nil
}

// envelopeFinding says whether te works, and which tools it has.
func envelopeFinding(env *term.Env, te string) shells.Finding {
	out, err := runQuietly(env, "", te, "--version")
	if err != nil || !strings.HasPrefix(out, "te ") {
		return shells.Finding{Standing: shells.Problem, Text: te + " does not start", Advice: "build it again: scripts/install.sh"}
	}
	var have []string
	for _, tool := range []string{"grep", "cat", "find", "rg"} {
		if term.LookPath(env, tool) != "" {
			have = append(have, tool)
		}
	}
	return shells.Finding{Standing: shells.Fine, Text: "te answers for " + strings.Join(have, ", ")}
}

func (r *doctorReport) print(env *term.Env) {
	shell := r.Shell
	if shell == "" {
		shell = "no shell known"
	}
	fmt.Fprintf(env.Stdout, "tmp %s, %s, %d commands have a map to complete from\n", r.Version, shell, r.Tools)
	for _, f := range r.Findings {
		fmt.Fprintf(env.Stdout, "%-8s %s\n", f.Standing, f.Text)
		if f.Advice != "" {
			fmt.Fprintf(env.Stdout, "%-8s   %s\n", "", f.Advice)
		}
	}
	for _, b := range r.Bypasses {
		fmt.Fprintf(env.Stdout, "%-8s %s: %s\n", "around", b.Way, b.Why)
	}
}

// gatherFacts looks at the shell that the person uses, its hook and tmp-tab.
func gatherFacts(env *term.Env, w *session.Session) shells.Facts {
	f := shells.Facts{Hook: env.Getenv("TMP_HOOK"), EnterHook: env.Getenv("TMP_ENTER_HOOK"), Parent: os.Getppid()}
	if shell := env.Getenv("SHELL"); shell != "" {
		f.Shell = filepath.Base(shell)
	}
	// SHELL tells of the login, and the variable of a hook of any shell around
	// this one; what started this program is what the person types into.
	hook := strings.Fields(f.EnterHook)
	if len(hook) < 3 {
		hook = strings.Fields(f.Hook)
	}
	if len(hook) > 0 {
		f.Shell = hook[0]
	}
	if len(hook) < 3 || hook[2] != strconv.Itoa(f.Parent) {
		if shell := parentShell(env, f.Parent); shell != "" {
			f.Shell = shell
		}
	}
	tools := shells.FishTools(w.View)
	f.FishTools = len(tools)
	for _, tool := range tools {
		if w.Paths.Data != "" {
			if _, err := os.Stat(filepath.Join(w.Paths.Data, "fish", tool+".fish")); err == nil {
				f.FishFiles++
			}
		}
	}
	f.Mapped = func(command string) bool {
		root := w.View.Root(command)
		return root != nil && root.Bits&tcpdb.Partial == 0
	}
	f.Tab = env.Getenv("TMP_TAB_BIN")
	if f.Tab == "" {
		f.Tab = term.BesideOrPath(env, "tmp-tab")
	}
	if f.Tab != "" {
		f.TabProblem = askTab(env, f.Tab)
	}
	f.HookFile = hookFile(f.Shell)
	if self, err := os.Executable(); err == nil && filepath.Base(self) == "tmp" && term.LookPath(env, "tmp") == "" {
		f.Bin = filepath.Dir(self)
	}
	if f.Enter = term.BesideOrPath(env, "tmp-enter"); f.Enter != "" {
		f.EnterProblem = askEnter(env, f.Enter)
	}
	askShells(env, &f)
	return f
}

// hookFile is the file of a shell's hook that was installed with this program, or "".
func hookFile(shell string) string {
	self, err := os.Executable()
	if err != nil {
		return ""
	}
	file := filepath.Join(filepath.Dir(filepath.Dir(self)), "share/tmp/hook."+shell)
	if _, err := os.Stat(file); err != nil {
		return ""
	}
	return file
}

// parentShell is the name of the process if it is a shell that has a hook, else "".
func parentShell(env *term.Env, pid int) string {
	name, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/comm")
	if err != nil {
		ps := term.LookPath(env, "ps")
		if ps == "" {
			return ""
		}
		out, err := runQuietly(env, "", ps, "-o", "comm=", "-p", strconv.Itoa(pid))
		if err != nil {
			return ""
		}
		name = []byte(out)
	}
	shell := strings.TrimPrefix(filepath.Base(strings.TrimSpace(string(name))), "-") // of a login
	if shells.Probe(shell) == "" {
		return ""
	}
	return shell
}

// askTab asks a tmp-tab something every map answers and returns what is wrong.
func askTab(env *term.Env, file string) string {
	out, err := runQuietly(env, "git checkou\x00", file, "--shell", "bash", "--cwd", "/")
	if err != nil {
		return err.Error()
	}
	if !strings.HasPrefix(out, "ok") {
		return fmt.Sprintf("it says %q where the map has an answer", strings.TrimSpace(out))
	}
	return ""
}

// enterAsks is the status of tmp-enter --silent where there is something to say.
const enterAsks = 13

// askEnter lets a tmp-enter judge a line that every policy asks about, and
// returns what is wrong.
func askEnter(env *term.Env, file string) string {
	_, err := runQuietly(env, "rm -rf / --no-preserve-root\x00", file, "--shell", "bash", "--silent")
	var exit *exec.ExitError
	switch {
	case err == nil:
		return "it lets everything pass"
	case !errors.As(err, &exit):
		return err.Error()
	case exit.ExitCode() != enterAsks:
		return err.Error()
	}
	return ""
}

// askShells asks a new interactive shell of the person's what it registers, and
// at the same time the others that are installed whether they judge Enter.
func askShells(env *term.Env, f *shells.Facts) {
	var wg sync.WaitGroup
	for _, shell := range []string{"bash", "zsh", "fish"} {
		if shell != f.Shell && term.LookPath(env, shell) != "" {
			f.Others = append(f.Others, shells.Other{Shell: shell, HookFile: hookFile(shell)})
		}
	}
	for i := range f.Others {
		o := &f.Others[i]
		wg.Go(func() { o.Answer, o.Asked = probe(env, o.Shell, shells.Probe(o.Shell)) })
	}
	f.Answer, f.Asked = probe(env, f.Shell, shells.Probe(f.Shell))
	wg.Wait()
}

// probe runs a script in a new interactive shell and returns its lines.
func probe(env *term.Env, shell, script string) (lines []string, ok bool) {
	program := term.LookPath(env, shell)
	if script == "" || program == "" {
		return nil, false
	}
	out, err := runQuietly(env, "", program, "-i", "-c", script)
	if err != nil && out == "" {
		return nil, false
	}
	return strings.Split(strings.TrimSpace(out), "\n"), true
}

// runQuietly runs a program in a session of its own and returns its output.
func runQuietly(env *term.Env, stdin string, program string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(env.Context, probeTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env, cmd.Dir = env.Environ, env.Dir
	cmd.Stdin = strings.NewReader(stdin)
	// A shell that takes the terminal would stop this program.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	var out bytes.Buffer
	cmd.Stdout = &out
	err := cmd.Run()
	return out.String(), err
}
