package isolate

import (
	"fmt"
	"os"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/tool-mapping-protocol/tmp/internal/forge/worker"
)

// process is the process of a worker, started and waited for without a goroutine: each
// would be a thread, and threads are a third of what a short run costs.
type process struct {
	pid    int
	stderr int // what it says at its end; a pipe holds enough of that

	lock   sync.Mutex // who kills it must know that it was not waited for
	gone   bool
	status syscall.WaitStatus
	usage  syscall.Rusage
}

// begin starts this program as a worker, with a socket and the variables of env.
func begin(socket int, env []string) (*process, error) {
	program := "/proc/self/exe"
	if _, err := os.Stat(program); err != nil {
		if program, err = os.Executable(); err != nil {
			return nil, err
		}
	}
	null, err := unix.Open(os.DevNull, unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	defer unix.Close(null)
	var pipe [2]int
	if err := unix.Pipe(pipe[:]); err != nil {
		return nil, err
	}
	unix.CloseOnExec(pipe[0])
	unix.CloseOnExec(pipe[1])
	defer unix.Close(pipe[1])
	pid, err := syscall.ForkExec(program, []string{worker.Name}, &syscall.ProcAttr{
		Dir: "/", Env: env, Sys: attributes(),
		Files: []uintptr{uintptr(null), uintptr(null), uintptr(pipe[1]), uintptr(socket)}, // the last is worker.FD
	})
	if err != nil {
		unix.Close(pipe[0])
		return nil, err
	}
	_ = unix.SetNonblock(pipe[0], true)
	return &process{pid: pid, stderr: pipe[0]}, nil
}

// kill ends it, whoever calls.
func (p *process) kill() {
	p.lock.Lock()
	defer p.lock.Unlock()
	if !p.gone {
		_ = syscall.Kill(p.pid, syscall.SIGKILL)
	}
}

// alive reports whether it still runs.
func (p *process) alive() bool { return !p.wait(syscall.WNOHANG) }

// end kills it and waits for it. How it ended is its own word where it was first.
func (p *process) end() syscall.WaitStatus {
	if !p.wait(syscall.WNOHANG) {
		p.kill()
		p.wait(0)
	}
	return p.status
}

// wait reports whether it has ended, and frees what the system keeps of it.
func (p *process) wait(how int) bool {
	p.lock.Lock()
	defer p.lock.Unlock()
	for !p.gone {
		pid, err := syscall.Wait4(p.pid, &p.status, how, &p.usage)
		switch {
		case err == syscall.EINTR: //nolint:errorlint // an Errno as it is
		case err == nil && pid == 0:
			return false
		default:
			p.gone = true
		}
	}
	return true
}

// said is what it said at its end.
func (p *process) said() string {
	buf := make([]byte, 64<<10)
	n, _ := unix.Read(p.stderr, buf)
	return string(buf[:max(n, 0)])
}

// release closes what it spoke into.
func (p *process) release() {
	if p.stderr >= 0 {
		_ = unix.Close(p.stderr)
		p.stderr = -1
	}
}

func describe(s syscall.WaitStatus) string {
	if s.Signaled() {
		return "signal: " + s.Signal().String()
	}
	return fmt.Sprintf("exit status %d", s.ExitStatus())
}
