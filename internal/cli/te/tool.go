package te

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
)

// throughName is a variable that tells a te that a tool of ours started, since that
// tool was a script of that name, which one it was: NAME=PATH, one a line.
const throughName = "TE_THROUGH"

// errMissing: no program of that name is on PATH.
var errMissing = errors.New("not on PATH")

// lookup finds the program of a command on PATH. What is te itself is passed over, and
// so is what a te above this one started: a script that calls te.
func (c *call) lookup(command string) (string, error) {
	self, _ := os.Stat("/proc/self/exe")
	if self == nil {
		if exe, err := os.Executable(); err == nil {
			self, _ = os.Stat(exe)
		}
	}
	through := c.through(command)
	for _, dir := range filepath.SplitList(c.Getenv("PATH")) {
		if !filepath.IsAbs(dir) {
			continue // the working directory does not choose programs
		}
		path := filepath.Join(dir, command)
		st, err := os.Stat(path)
		if err != nil || !st.Mode().IsRegular() || st.Mode()&0o111 == 0 {
			continue
		}
		if self != nil && os.SameFile(st, self) || through[path] {
			continue
		}
		return path, nil
	}
	return "", errMissing
}

// through lists the programs of a name that stand between this te and one above.
func (c *call) through(command string) map[string]bool {
	var paths map[string]bool
	for line := range strings.SplitSeq(c.Getenv(throughName), "\n") {
		if name, path, ok := strings.Cut(line, "="); ok && name == command {
			if paths == nil {
				paths = map[string]bool{}
			}
			paths[path] = true
		}
	}
	return paths
}

// environ is the environment of a tool: ours, and which one it is.
func (c *call) environ(command, path string) []string {
	env := make([]string, 0, len(c.Environ)+1)
	for _, e := range c.Environ {
		if !strings.HasPrefix(e, throughName+"=") {
			env = append(env, e)
		}
	}
	value := command + "=" + path
	if old := c.Getenv(throughName); old != "" && len(old) < 4096 {
		value = old + "\n" + value
	}
	return append(env, throughName+"="+value)
}

// exec puts the tool in our place, with our descriptors.
func (c *call) exec(command string, args []string) error {
	path, err := c.lookup(command)
	if err != nil {
		return err
	}
	return syscall.Exec(path, append([]string{command}, args...), c.environ(command, path))
}

// ended is how a tool ended.
type ended struct {
	status   int
	signal   syscall.Signal // that killed the tool, 0 if none did
	timedOut bool
	stopped  syscall.Signal // that was sent to te, 0 if none was
	stderr   []byte
}

// maxStderr bounds what is kept of a tool's complaints.
const maxStderr = 1 << 20

// grace is how long a tool has to end when it is told to.
const grace = 500 * time.Millisecond

// run starts a tool in a process group of its own and gives what it prints to out.
func (c *call) run(path, command string, args []string, stdin *os.File, timeout time.Duration, out io.Writer) (e ended, err error) {
	outR, outW, err := os.Pipe()
	if err != nil {
		return e, err
	}
	defer outR.Close()
	errR, errW, err := os.Pipe()
	if err != nil {
		outW.Close()
		return e, err
	}
	defer errR.Close()
	defer c.listen()()
	own := !c.isTerminal(stdin) // one in the background may not read the terminal
	p, err := os.StartProcess(path, append([]string{command}, args...), &os.ProcAttr{
		Env: c.environ(command, path), Files: []*os.File{stdin, outW, errW}, Sys: &syscall.SysProcAttr{Setpgid: own},
	})
	outW.Close()
	errW.Close()
	if err != nil {
		return e, err
	}
	w := &watcher{process: p, group: own, readers: []*os.File{outR, errR}, done: make(chan struct{})}
	go w.watch(c.signals, timeout)
	var complaints bytes.Buffer
	var drained sync.WaitGroup
	drained.Go(func() {
		_, _ = io.Copy(&limited{w: &complaints, left: maxStderr}, errR)
	})
	buf := make([]byte, 128<<10)
	for {
		n, err := outR.Read(buf)
		if n > 0 {
			_, _ = out.Write(buf[:n])
		}
		if err != nil {
			break
		}
	}
	drained.Wait()
	state, err := p.Wait()
	close(w.done)
	if err != nil {
		return e, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	e = ended{status: state.ExitCode(), timedOut: w.timedOut, stopped: w.stopped, stderr: complaints.Bytes()}
	if ws, ok := state.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		e.signal = ws.Signal()
		e.status = 128 + int(e.signal)
	}
	return e, nil
}

// limited takes the first bytes and lets the others go.
type limited struct {
	w    io.Writer
	left int
}

func (l *limited) Write(p []byte) (int, error) {
	n := min(len(p), l.left)
	l.left -= n
	_, err := l.w.Write(p[:n])
	return len(p), err
}

// watcher ends a tool when its time is over, or when te is told to end.
type watcher struct {
	process *os.Process
	group   bool
	readers []*os.File
	done    chan struct{}

	mu       sync.Mutex
	timedOut bool
	stopped  syscall.Signal
}

func (w *watcher) watch(signals chan os.Signal, timeout time.Duration) {
	var over <-chan time.Time
	if timeout > 0 {
		t := time.NewTimer(timeout)
		defer t.Stop()
		over = t.C
	}
	select {
	case <-w.done:
		return
	case <-over:
		w.mu.Lock()
		w.timedOut = true
		w.mu.Unlock()
		w.kill(syscall.SIGTERM)
	case s := <-signals:
		sig, _ := s.(syscall.Signal)
		w.mu.Lock()
		w.stopped = sig
		w.mu.Unlock()
		w.kill(sig)
	}
	select {
	case <-w.done:
		return
	case <-time.After(grace):
		w.kill(syscall.SIGKILL)
	}
	select {
	case <-w.done:
	case <-time.After(grace):
		// Something that left the group holds the pipe.
		for _, r := range w.readers {
			_ = r.SetReadDeadline(time.Now())
		}
	}
}

func (w *watcher) kill(s syscall.Signal) {
	if w.group {
		_ = syscall.Kill(-w.process.Pid, s)
		return
	}
	_ = w.process.Signal(s)
}

// listen takes the signals that end te, for the tool first, until the tool has ended.
func (c *call) listen() (stop func()) {
	c.signals = make(chan os.Signal, 4)
	ends := []os.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP}
	for _, s := range ends { // nohup goes on ignoring it
		if !signal.Ignored(s) {
			signal.Notify(c.signals, s)
		}
	}
	return func() { signal.Reset(ends...) }
}

// survive makes a limit on the size of files an error of the write, and no end of the
// program.
func survive() { signal.Notify(make(chan os.Signal, 1), syscall.SIGXFSZ) }
