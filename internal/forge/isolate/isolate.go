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
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"github.com/tool-mapping-protocol/tmp/internal/forge/jail"
	"github.com/tool-mapping-protocol/tmp/internal/forge/worker"
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
	process *process
	wire    *worker.Wire
	memory  int
	State   jail.State
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
	w := &Worker{memory: o.Memory}
	w.process, err = begin(pair[1], []string{
		worker.CacheVar + "=" + o.Cache, worker.MemoryVar + "=" + strconv.Itoa(o.Memory),
		// One thread for the guest, one that sees that its time is over.
		"GOMAXPROCS=2", "GOTRACEBACK=single",
	})
	_ = unix.Close(pair[1]) // else its end would never be seen
	if err == nil {
		w.wire, err = worker.Polled(pair[0])
	}
	if err != nil {
		if w.process != nil {
			w.process.end()
			w.process.release()
		}
		unix.Close(pair[0])
		return nil, fmt.Errorf("the worker does not start: %w", err)
	}
	stop := w.killAfter(ctx, startTime)
	kind, data, _, err := w.wire.Receive()
	stop()
	if err == nil && kind == worker.Done {
		var out worker.Outcome
		_ = json.Unmarshal(data, &out)
		err = errors.New(out.Message)
	} else if err == nil && (kind != worker.Ready || json.Unmarshal(data, &w.State) != nil) {
		err = worker.ErrFrame
	}
	if err != nil {
		status, said := w.process.end(), w.process.said()
		w.Close()
		return nil, fmt.Errorf("the worker does not start: %w (%s) %.2000s", err, describe(status), said)
	}
	return w, nil
}

// killAfter ends the worker when the time is over or the context is done, unless
// stop is called before.
func (w *Worker) killAfter(ctx context.Context, limit time.Duration) (stop func()) {
	t := time.AfterFunc(limit, w.kill)
	done := context.AfterFunc(ctx, w.kill)
	return func() {
		t.Stop()
		done()
	}
}

func (w *Worker) kill() { w.process.kill() }

// Close ends the worker.
func (w *Worker) Close() {
	w.process.end()
	w.process.release()
	if w.wire != nil {
		w.wire.Close()
		w.wire = nil
	}
}

// Alive reports whether the worker can run something.
func (w *Worker) Alive() bool { return w.wire != nil && w.process.alive() }

// grace is how long a worker has to end a guest by itself.
const grace = 300 * time.Millisecond

// beyond is how much memory a worker may use beside that of its guest, in bytes.
const beyond = 120 << 20

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
	full, unwatch := w.watchMemory(job.Memory)
	defer unwatch()
	data, err := json.Marshal(job)
	if err != nil {
		return nil, worker.Outcome{Kind: worker.Broken, Message: err.Error()}
	}
	fd := -1
	if heap != nil {
		fd = int(heap.Fd())
	}
	if err := w.wire.Send(worker.RunIt, data, fd); err != nil {
		return nil, w.lost(full(), end)
	}
	printed := 0
	for {
		kind, data, fd, err := w.wire.Receive()
		if fd >= 0 {
			_ = unix.Close(fd)
		}
		if err != nil {
			return nil, w.lost(full(), end)
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
			if err := w.wire.Send(worker.Answer, answer(ctx, b, data), -1); err != nil {
				return nil, w.lost(full(), end)
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
	status := w.process.end()
	switch {
	case full:
		return worker.Outcome{Kind: worker.Memory}
	case !time.Now().Before(end):
		return worker.Outcome{Kind: worker.Stopped}
	}
	if status.Exited() && status.ExitStatus() == 2 { // the Go runtime had no memory
		return worker.Outcome{Kind: worker.Memory}
	}
	return worker.Outcome{Kind: worker.Broken, Message: "the worker ended: " + describe(status)}
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

// watchMemory kills a worker that takes more memory than its guest may have. full
// reports whether it did; stop ends the watch.
func (w *Worker) watchMemory(memory int) (full func() bool, stop func()) {
	const every = 50 * time.Millisecond
	var over atomic.Bool
	var t *time.Timer
	var lock sync.Mutex // of t, which its own function sets again
	ended := false
	look := func() {
		if rss(w.process.pid) > memory+beyond {
			over.Store(true)
			w.kill()
			return
		}
		lock.Lock()
		defer lock.Unlock()
		if !ended {
			t.Reset(every)
		}
	}
	lock.Lock()
	t = time.AfterFunc(every, look)
	lock.Unlock()
	return over.Load, func() {
		lock.Lock()
		defer lock.Unlock()
		ended = true
		t.Stop()
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
