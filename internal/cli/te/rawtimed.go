package te

import (
	"os"
	"syscall"

	"github.com/tool-mapping-protocol/tmp/internal/envelope"
)

// rawTimed starts the tool with our descriptors and ends it when its time is over.
func (c *call) rawTimed(command string, args []string) int {
	path, err := c.lookup(command)
	if err != nil {
		return c.missing(command)
	}
	defer c.listen()()
	group := !c.isTerminal(c.Stdin)
	p, err := os.StartProcess(path, append([]string{command}, args...), &os.ProcAttr{
		Env: c.environ(command, path), Files: []*os.File{c.Stdin, c.Stdout, c.Stderr}, Sys: &syscall.SysProcAttr{Setpgid: group},
	})
	if err != nil {
		return c.fail(command, envelope.Internal, "cannot start "+command+": "+err.Error(), statusFailed)
	}
	w := &watcher{process: p, group: group, done: make(chan struct{})}
	go w.watch(c.signals, c.options.timeout)
	state, err := p.Wait()
	close(w.done)
	if err != nil {
		return statusFailed
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	switch ws, _ := state.Sys().(syscall.WaitStatus); {
	case w.timedOut:
		c.event.err = envelope.Timeout
		return statusTimeout
	case w.stopped != 0:
		return 128 + int(w.stopped)
	case ws.Signaled():
		return 128 + int(ws.Signal())
	}
	return state.ExitCode()
}
