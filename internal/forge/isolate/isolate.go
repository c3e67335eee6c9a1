// Package isolate starts the worker that holds a tool, and watches it from
// outside: its time, its memory, its words. The worker may do nothing but ask; who
// answers is handed in.
package isolate

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/forge/jail"
	"github.com/tool-mapping-protocol/tmp/internal/forge/worker"
	"golang.org/x/sys/unix"
)

// Bridge answers what a tool asks.
type Bridge interface {
	// Call answers an operation. The answer is JSON, {"value":…} or {"error":…}. A
	// *Fatal ends the tool.
	Call(ctx context.Context, op string, args []byte) ([]byte, error)
}

// Fatal ends a tool that did what it must not: it cannot catch that.
type Fatal struct{ Code, Message string }

func (f *Fatal) Error() string { return f.Code + ": " + f.Message }

// Worker is a running worker. It is of one goroutine.
type Worker struct {
	cmd    *exec.Cmd
	socket int
	memory int
	State  jail.State
	dead   chan struct{}
	said   *bytes.Buffer
}

// Options of a worker.
type Options struct {
	Cache  string // where the engine is kept
	Memory int    // bytes of a guest at most
}

// startTime is how long a worker may take to start: the first one compiles the engine.
const startTime = 60 * time.Second

// Start starts a worker and waits until its jail stands.
func Start(ctx context.Context, o Options) (*Worker, error) {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	if err != nil {
		return nil, fmt.Errorf("socketpair: %w", err)
	}
	unix.CloseOnExec(pair[0])
	unix.CloseOnExec(pair[1])
	theirs := os.NewFile(uintptr(pair[1]), "worker")
	w := &Worker{socket: pair[0], memory: o.Memory, dead: make(chan struct{}), said: &bytes.Buffer{}}
	w.cmd = exec.Command("/proc/self/exe")
	if _, err := os.Stat("/proc/self/exe"); err != nil {
		self, err := os.Executable()
		if err != nil {
			return nil, err
		}
		w.cmd = exec.Command(self)
	}
	w.cmd.Args = []string{worker.Name}
	w.cmd.Env = []string{worker.CacheVar + "=" + o.Cache, worker.MemoryVar + "=" + strconv.Itoa(o.Memory), "GOTRACEBACK=all"}
	w.cmd.Dir = "/"
	w.cmd.ExtraFiles = []*os.File{theirs}
	w.cmd.SysProcAttr = attributes()
	w.cmd.Stderr = w.said
	w.cmd.WaitDelay = time.Second
	err = w.cmd.Start()
	_ = theirs.Close() // else its end would never be seen
	if err != nil {
		unix.Close(pair[0])
		return nil, fmt.Errorf("the worker does not start: %w", err)
	}
	go func() {
		_ = w.cmd.Wait()
		close(w.dead)
	}()
	stop := w.killAfter(ctx, startTime)
	kind, data, _, err := worker.Receive(w.socket)
	stop()
	if err == nil && kind == worker.Done {
		var out worker.Outcome
		_ = json.Unmarshal(data, &out)
		err = errors.New(out.Message)
	} else if err == nil && (kind != worker.Ready || json.Unmarshal(data, &w.State) != nil) {
		err = worker.ErrFrame
	}
	if err != nil {
		w.Close()
		said := w.said.String()
		return nil, fmt.Errorf("the worker does not start: %w (%s) %.2000s", err, w.cmd.ProcessState, said)
	}
	return w, nil
}

// killAfter ends the worker when the time is over or the context is done, unless
// stop is called before.
func (w *Worker) killAfter(ctx context.Context, limit time.Duration) (stop func()) {
	done := make(chan struct{})
	go func() {
		t := time.NewTimer(limit)
		defer t.Stop()
		select {
		case <-done:
		case <-w.dead:
		case <-t.C:
			w.kill()
		case <-ctx.Done():
			w.kill()
		}
	}()
	return func() { close(done) }
}

func (w *Worker) kill() { _ = w.cmd.Process.Signal(syscall.SIGKILL) }

// Close ends the worker.
func (w *Worker) Close() {
	w.kill()
	<-w.dead
	if w.socket >= 0 {
		_ = unix.Close(w.socket)
		w.socket = -1
	}
}

// Alive reports whether the worker can run something.
func (w *Worker) Alive() bool {
	select {
	case <-w.dead:
		return false
	default:
		return w.socket >= 0
	}
}

// grace is how long a worker has to end a guest by itself.
const grace = 300 * time.Millisecond

// over is how much memory a worker may use beside that of its guest, in bytes.
const over = 120 << 20

// Run runs a job. The heap is a file that the guest begins with, nil for none.
// Output is handed over as it comes. After a job that ended badly the worker may be
// dead.
func (w *Worker) Run(ctx context.Context, job *worker.Job, heap *os.File, b Bridge, output func(err bool, text []byte)) worker.Outcome {
	_, out := w.run(ctx, job, heap, b, output)
	return out
}

// Dump makes a heap of libraries.
func (w *Worker) Dump(ctx context.Context, libs string, memory int) ([]byte, error) {
	heap, out := w.run(ctx, &worker.Job{Libs: libs, Dump: true, WallMS: 10_000, Memory: memory, Output: 1 << 20}, nil, nil, func(bool, []byte) {})
	if out.Kind != worker.Returned || heap == nil {
		return nil, fmt.Errorf("the libraries cannot be prepared: %s %s", out.Kind, out.Message)
	}
	return heap, nil
}

func (w *Worker) run(ctx context.Context, job *worker.Job, heap *os.File, b Bridge, output func(err bool, text []byte)) (dump []byte, out worker.Outcome) {
	limit := time.Duration(job.WallMS) * time.Millisecond
	end := time.Now().Add(limit)
	ctx, cancel := context.WithDeadline(ctx, end)
	defer cancel()
	stop := w.killAfter(context.WithoutCancel(ctx), limit+grace)
	defer stop()
	full := w.watchMemory(job.Memory)
	defer full(true)
	data, err := json.Marshal(job)
	if err != nil {
		return nil, worker.Outcome{Kind: worker.Broken, Message: err.Error()}
	}
	fd := -1
	if heap != nil {
		fd = int(heap.Fd())
	}
	if err := worker.Send(w.socket, worker.RunIt, data, fd); err != nil {
		return nil, w.lost(full(false), end)
	}
	printed := 0
	for {
		kind, data, fd, err := worker.Receive(w.socket)
		if fd >= 0 {
			_ = unix.Close(fd)
		}
		if err != nil {
			return nil, w.lost(full(false), end)
		}
		switch kind {
		case worker.Out, worker.Err:
			if printed += len(data); printed > job.Output {
				w.kill()
				return nil, worker.Outcome{Kind: worker.Quota, Code: "QUOTA_EXCEEDED", Message: "the output is larger than limits.outputMB"}
			}
			output(kind == worker.Err, data)
		case worker.Heap:
			dump = data
		case worker.Ask:
			if err := worker.Send(w.socket, worker.Answer, answer(ctx, b, data), -1); err != nil {
				return nil, w.lost(full(false), end)
			}
		case worker.Done:
			if json.Unmarshal(data, &out) != nil {
				w.kill()
				return nil, worker.Outcome{Kind: worker.Broken, Message: "the worker speaks nonsense"}
			}
			return dump, out
		default:
			w.kill()
			return nil, worker.Outcome{Kind: worker.Broken, Message: "the worker speaks nonsense"}
		}
	}
}

// lost is the outcome of a run whose worker is gone.
func (w *Worker) lost(full bool, end time.Time) worker.Outcome {
	w.kill()
	<-w.dead
	switch {
	case full:
		return worker.Outcome{Kind: worker.Memory}
	case !time.Now().Before(end):
		return worker.Outcome{Kind: worker.Stopped}
	}
	ws, _ := w.cmd.ProcessState.Sys().(syscall.WaitStatus)
	if ws.Exited() && ws.ExitStatus() == 2 { // the Go runtime had no memory
		return worker.Outcome{Kind: worker.Memory}
	}
	return worker.Outcome{Kind: worker.Broken, Message: "the worker ended: " + w.cmd.ProcessState.String()}
}

// answer asks the bridge.
func answer(ctx context.Context, b Bridge, data []byte) []byte {
	op, args, ok := bytes.Cut(data, []byte{0})
	if !ok || b == nil {
		return []byte("\x00SECURITY_VIOLATION\x00the tool asked for nothing that there is")
	}
	reply, err := b.Call(ctx, string(op), args)
	var f *Fatal
	switch {
	case errors.As(err, &f):
		return []byte("\x00" + f.Code + "\x00" + f.Message)
	case err != nil:
		return []byte("\x00INTERNAL\x00" + err.Error())
	}
	return reply
}

// watchMemory kills a worker that takes more memory than its guest may have. The
// function that it returns reports whether it did, and ends the watch if it is to.
func (w *Worker) watchMemory(memory int) func(end bool) bool {
	done, full := make(chan struct{}), make(chan bool, 1)
	go func() {
		t := time.NewTicker(50 * time.Millisecond)
		defer t.Stop()
		for {
			select {
			case <-done:
				full <- false
				return
			case <-w.dead:
				full <- false
				return
			case <-t.C:
				if rss(w.cmd.Process.Pid) > memory+over {
					w.kill()
					full <- true
					return
				}
			}
		}
	}()
	var known, was bool
	return func(end bool) bool {
		if end {
			close(done)
			return false
		}
		if !known {
			<-w.dead
			known, was = true, <-full
		}
		return was
	}
}

// rss is how much memory a process has, in bytes; 0 if that is not known.
func rss(pid int) int {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/statm")
	if err != nil {
		return 0
	}
	f := strings.Fields(string(data))
	if len(f) < 2 {
		return 0
	}
	pages, _ := strconv.Atoi(f[1])
	return pages * os.Getpagesize()
}
