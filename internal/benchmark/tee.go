package benchmark

import (
	"os/exec"
	"sync"
	"syscall"
)

// tee writes into a capture that two streams share, and into one of its own.
type tee struct {
	both *shared
	own  *capture
}

// shared is a capture for several writers.
type shared struct {
	mu sync.Mutex
	capture
}

func (t *tee) Write(p []byte) (int, error) {
	t.both.mu.Lock()
	defer t.both.mu.Unlock()
	if t.own != nil {
		_, _ = t.own.Write(p)
	}
	return t.both.Write(p)
}

// ownGroup makes a command the head of a process group that ends with it.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
