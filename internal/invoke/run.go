package invoke

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Exit statuses of our own beside the program's (seed 000, "Invoke"; the last
// three as shells have them).
const (
	StatusTimeout       = 124
	StatusRefused       = 125 // refused, or failed before the start
	StatusNotExecutable = 126
	StatusNotFound      = 127
)

// Options say how a plan is run.
type Options struct {
	Stdin io.Reader // an *os.File is handed to the program itself
	// Log receives all output, in the order in which it came. The program
	// writes to it directly unless Stream is set.
	Log *os.File
	// Stream also receives the output while it comes; nil for none.
	Stream io.Writer
	// Stderr receives a line "START LENGTH" for each part of Log, in bytes, that
	// came from standard error. The two streams are then pipes of their own:
	// each stays in order, but between them the order is the one in which they
	// were read. nil keeps them as one stream in exact order.
	Stderr io.Writer
	// Terminal and TerminalErr, if set, are what the program writes to itself:
	// nothing is logged.
	Terminal, TerminalErr *os.File
	// Timeout stops the program after that time; 0 for never.
	Timeout time.Duration
	Job     Job
	// Before is called last of all before the start; an error keeps it from starting.
	// What it returns, if not nil, is started in place of the plan's program.
	Before func() (*Start, error)
}

// Start is a program with its words, Args[0] among them, a file that it gets as
// descriptor 3, which is closed at the end, and one as descriptor 4, which is not.
type Start struct {
	Path   string
	Args   []string
	File   *os.File
	Report *os.File // nil: none
}

// Job is the place of the program among the jobs of a terminal.
type Job uint8

const (
	// OwnGroup: a process group of its own, without a terminal.
	OwnGroup Job = iota
	// Foreground: a group of its own to which the terminal on Stdin is handed
	// over, so that it can read keys and be stopped and interrupted by them.
	Foreground
	// OurGroup: it stays in our group, for `tmp run | less` typed at a
	// terminal: all members of a pipe must stay one job.
	OurGroup
)

// Outcome is how a run ended.
type Outcome struct {
	Started  bool
	Status   int    // the program's exit status, 128+n for signal n, or one of ours
	Signal   string // the signal that ended it, or ""
	TimedOut bool
	Err      error // why it did not start
	Lost     error // why the log does not hold all output
	Elapsed  time.Duration
}

// grace is how long a program has between SIGTERM and SIGKILL.
const grace = 5 * time.Second

// drain is how long output is still awaited after the program has ended, if
// something it left behind holds the pipe open.
const drain = 300 * time.Millisecond

// Run starts the plan's program and waits for it. Signals that come meanwhile
// are passed on to its group; a context that ends stops it.
func Run(ctx context.Context, p *Plan, o Options) Outcome {
	if st, err := os.Stat(p.Dir); err != nil || !st.IsDir() {
		return Outcome{Status: StatusRefused, Err: fmt.Errorf("the directory %s is not there", p.Dir)}
	}
	path, status, err := p.Look()
	if err != nil {
		return Outcome{Status: status, Err: err}
	}
	cmd := &exec.Cmd{Path: path, Args: p.Argv, Dir: p.Dir, Env: p.Env}
	child := process{group: o.Job != OurGroup, tty: -1}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: child.group}
	closeInput, err := connectInput(cmd, o.Stdin)
	if err != nil {
		return Outcome{Status: StatusRefused, Err: err}
	}
	out, err := connectOutput(cmd, o)
	if err != nil {
		closeInput()
		return Outcome{Status: StatusRefused, Err: err}
	}
	if f, ok := o.Stdin.(*os.File); ok && o.Job == Foreground && inForeground(int(f.Fd())) {
		child.tty = int(f.Fd())
		cmd.SysProcAttr.Foreground, cmd.SysProcAttr.Ctty = true, child.tty
	}

	// Before the start, so that no signal falls into the gap.
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, unix.SIGINT, unix.SIGTERM, unix.SIGHUP, unix.SIGQUIT, unix.SIGUSR1, unix.SIGUSR2)
	defer signal.Stop(signals)

	began := time.Now()
	if o.Before != nil {
		start, err := o.Before()
		if err != nil {
			out.started()
			closeInput()
			out.wait()
			return Outcome{Status: StatusRefused, Err: err}
		}
		if start != nil {
			defer start.File.Close()
			cmd.Path, cmd.Args, cmd.ExtraFiles = start.Path, start.Args, []*os.File{start.File}
			if start.Report != nil {
				cmd.ExtraFiles = append(cmd.ExtraFiles, start.Report)
			}
		}
	}
	err = cmd.Start()
	out.started()
	if err != nil {
		closeInput()
		out.wait()
		return Outcome{Status: startStatus(err), Err: fmt.Errorf("cannot run %s: %w", p.Argv[0], reason(err))}
	}
	child.pid = cmd.Process.Pid
	res := child.supervise(ctx, o.Timeout, signals)
	closeInput()
	out.wait()
	_ = cmd.Process.Release()
	res.Started, res.Elapsed, res.Lost = true, time.Since(began), out.lost
	return res
}

// startStatus is the status of a program that the kernel would not start.
func startStatus(err error) int {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return StatusNotFound
	case errors.Is(err, fs.ErrPermission), errors.Is(err, unix.ENOEXEC), errors.Is(err, unix.EISDIR):
		return StatusNotExecutable
	}
	return StatusRefused
}

// reason is the error without the path and verb that package os puts before it.
func reason(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// Look finds the program of a command word as a shell does, in the PATH of env,
// but never through an entry that is not absolute: such an entry would let the
// working directory choose the program. The status is 126 or 127 with an error.
func Look(word, dir string, env []string) (path string, status int, err error) {
	if strings.Contains(word, "/") {
		path = word
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		if err := executable(path); err != nil {
			return "", startStatus(err), fmt.Errorf("cannot run %s: %w", word, reason(err))
		}
		return path, 0, nil
	}
	status, why := StatusNotFound, errors.New("not found on PATH")
	for _, d := range filepath.SplitList(Getenv(env, "PATH")) {
		if !filepath.IsAbs(d) {
			continue
		}
		path := filepath.Join(d, word)
		err := executable(path)
		if err == nil {
			return path, 0, nil
		}
		if errors.Is(err, fs.ErrPermission) {
			status, why = StatusNotExecutable, fmt.Errorf("%s: %w", path, reason(err))
		}
	}
	return "", status, fmt.Errorf("cannot run %s: %w", word, why)
}

// Look finds the program that a plan starts, as the function Look does.
func (p *Plan) Look() (path string, status int, err error) {
	word := p.Program
	if word == "" {
		word = p.Argv[0]
	}
	return Look(word, p.Dir, p.Env)
}

func executable(path string) error {
	st, err := os.Stat(path)
	switch {
	case err != nil:
		return err
	case st.IsDir():
		return &fs.PathError{Op: "run", Path: path, Err: unix.EISDIR}
	case st.Mode()&0o111 == 0:
		return &fs.PathError{Op: "run", Path: path, Err: fs.ErrPermission}
	}
	return unix.Access(path, unix.X_OK)
}

// Getenv returns the value of the last NAME=value in env.
func Getenv(env []string, name string) string {
	for i := len(env) - 1; i >= 0; i-- {
		if n, v, _ := strings.Cut(env[i], "="); n == name {
			return v
		}
	}
	return ""
}

// connectInput gives the program its standard input: a file as it is, another
// reader through a pipe, nil as an empty one. The function is called at the end.
func connectInput(cmd *exec.Cmd, in io.Reader) (func(), error) {
	if f, ok := in.(*os.File); ok {
		cmd.Stdin = f
		return func() {}, nil
	}
	if in == nil {
		return func() {}, nil
	}
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	cmd.Stdin = r
	go func() {
		_, _ = io.Copy(w, in)
		_ = w.Close()
	}()
	return func() { _ = r.Close() }, nil
}
