package machine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/discover/help"
	"github.com/tool-mapping-protocol/tmp/internal/discover/question"
	"github.com/tool-mapping-protocol/tmp/internal/sandbox"
)

// helpTime is how long a program may take to print its help.
const helpTime = 5 * time.Second

// maxHelp bounds a help text in bytes.
const maxHelp = 1 << 20

// errNotRun is wrapped by the reasons why a program is not run.
var errNotRun = errors.New("its help was not asked for")

// run asks a program a question, in a jail.
func (m *Machine) run(ctx context.Context, p Program, q question.Question) (sandbox.Result, error) {
	return m.runWith(ctx, p, nil, q)
}

// runWith is run with more variables. Without a jail there is none of that.
func (m *Machine) runWith(ctx context.Context, p Program, env []string, q question.Question) (sandbox.Result, error) {
	args, ok := q.Args()
	if !ok {
		return sandbox.Result{}, fmt.Errorf("%w: no text names what it would be asked with", errNotRun)
	}
	if err := m.mayRun(p); err != nil {
		return sandbox.Result{}, err
	}
	select {
	case m.running <- struct{}{}:
		defer func() { <-m.running }()
	case <-ctx.Done():
		return sandbox.Result{}, ctx.Err()
	}
	argv := append([]string{p.Path}, args...)
	if err := m.jail(); err != nil {
		if len(env) > 0 {
			return sandbox.Result{}, fmt.Errorf("%w: %w", errNotRun, err)
		}
		return unconfined(ctx, argv)
	}
	return m.confined(ctx, sandbox.Spec{
		Argv: argv, Env: append(m.toolchains(), env...), Timeout: helpTime, Output: maxHelp, Memory: 8 << 30,
		Show: shown(p),
	})
}

// shown are the directories of a program and of what its links lead to, should
// they be in a place that a jail hides.
func shown(p Program) []string {
	if p.Real == p.Path {
		return nil
	}
	return []string{filepath.Dir(p.Path), filepath.Dir(p.Real)}
}

func (m *Machine) mayRun(p Program) error {
	if m.opts.NoRun {
		return fmt.Errorf("%w: programs are not to be run", errNotRun)
	}
	if why := p.refusal(); why != "" {
		return fmt.Errorf("%w: %s", errNotRun, why)
	}
	if err := m.jail(); err != nil && !m.opts.Unconfined {
		return fmt.Errorf("%w: %w", errNotRun, err)
	}
	return nil
}

// toolchains are the variables without which a program in a scratch home does
// not find its own installation.
func (m *Machine) toolchains() []string {
	var env []string
	home := m.opts.Getenv("HOME")
	for _, v := range [...][2]string{{"RUSTUP_HOME", ".rustup"}, {"CARGO_HOME", ".cargo"}, {"PYENV_ROOT", ".pyenv"}, {"GOROOT", ""}, {"NVM_DIR", ".nvm"}} {
		dir := m.opts.Getenv(v[0])
		if dir == "" && v[1] != "" && filepath.IsAbs(home) {
			dir = filepath.Join(home, v[1])
		}
		if st, err := os.Stat(dir); dir != "" && err == nil && st.IsDir() {
			env = append(env, v[0]+"="+dir)
		}
	}
	return env
}

// unconfined runs a program without a jail, in an empty home, without a
// terminal, and ends its process group.
func unconfined(ctx context.Context, argv []string) (sandbox.Result, error) {
	home, err := os.MkdirTemp("", "tmp-help-")
	if err != nil {
		return sandbox.Result{}, err
	}
	defer os.RemoveAll(home)
	ctx, cancel := context.WithTimeout(ctx, helpTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir = home
	cmd.Env = []string{"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME=" + home, "TMPDIR=" + home, "LC_ALL=C.UTF-8", "TERM=dumb", "NO_COLOR=1", "PAGER=cat", "MANPAGER=cat"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	out, errs := &bounded{stop: cancel}, &bounded{stop: cancel}
	cmd.Stdout, cmd.Stderr = out, errs
	err = cmd.Run()
	if cmd.Process == nil {
		return sandbox.Result{}, err
	}
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // what it left behind
	r := sandbox.Result{Stdout: out.Bytes(), Stderr: errs.Bytes(), Cut: out.cut || errs.cut, Status: cmd.ProcessState.ExitCode()}
	r.TimedOut = !r.Cut && errors.Is(ctx.Err(), context.DeadlineExceeded)
	return r, nil
}

// bounded keeps the first bytes of an output and stops the program that writes more.
type bounded struct {
	bytes.Buffer
	cut  bool
	stop func()
}

func (b *bounded) Write(data []byte) (int, error) {
	keep := min(len(data), maxHelp-b.Len())
	b.Buffer.Write(data[:keep])
	if keep < len(data) && !b.cut {
		b.cut = true
		b.stop()
	}
	return len(data), nil
}

// help asks a command for its help. The error says why there is none.
func (m *Machine) help(ctx context.Context, p Program, command []question.Verb) (string, error) {
	options := []question.Option{question.Long, question.Short}
	if filepath.Base(p.Real) == "git" && len(command) > 0 {
		options = options[1:] // --help opens the manual, which is read itself
	}
	var why error
	for _, option := range options {
		r, err := m.run(ctx, p, question.Help(command, option))
		if err != nil {
			return "", err
		}
		switch text := textOf(r); {
		case r.Cut:
			return "", fmt.Errorf("what it prints for %s does not end", option)
		case looksLikeHelp(text):
			return text, nil
		case r.TimedOut:
			return "", fmt.Errorf("it did not answer %s within %v", option, helpTime)
		default:
			why = fmt.Errorf("what it prints for %s is not help", strings.Trim(strings.ReplaceAll(fmt.Sprint(options), " ", " and "), "[]"))
		}
	}
	return "", why
}

// textOf joins what a program printed.
func textOf(r sandbox.Result) string {
	switch {
	case len(bytes.TrimSpace(r.Stdout)) == 0:
		return string(r.Stderr)
	case len(bytes.TrimSpace(r.Stderr)) == 0 || r.Status == 0 && looksLikeHelp(string(r.Stdout)):
		return string(r.Stdout)
	}
	return string(r.Stdout) + "\n" + string(r.Stderr)
}

// looksLikeHelp tells help from an error or from the work of a program that did
// not care what it was asked: it has a line that begins with an option, or
// shows how the command is used.
func looksLikeHelp(text string) bool {
	options := 0
	for _, l := range help.Lines(text) {
		line := l.Text
		if len(line) > 2 && line[0] == '-' && (letter(line[1]) || line[1] == '-' && letter(line[2])) {
			options++
		}
		if options >= 2 {
			return true
		}
		lower := strings.ToLower(line[:min(len(line), 200)])
		if lower == "usage" || strings.HasPrefix(lower, "usage") && len(strings.Fields(lower)) > 1 || strings.HasPrefix(lower, "usage:") ||
			strings.HasPrefix(lower, "synopsis") || strings.Contains(lower, " usage: ") || strings.HasPrefix(lower, "options:") {
			return true
		}
	}
	return false
}

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '?' }
