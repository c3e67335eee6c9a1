package worker

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"os"
	"runtime/debug"
	"strconv"
	"time"

	"golang.org/x/sys/unix"

	"github.com/tool-mapping-protocol/tmp/internal/forge/engine"
	"github.com/tool-mapping-protocol/tmp/internal/forge/jail"
)

// Variables that tell a worker where the cache is and how much memory it has.
const (
	CacheVar  = "TGP_WORKER_CACHE"
	MemoryVar = "TGP_WORKER_MEMORY"
)

// socket is the way out of the process.
var socket = Blocking(FD)

// beside is what a worker needs beside the memory of its guest, in bytes.
const beside = 384 << 20

// Child turns a process that isolate.Start started into the worker and does not
// return then. In every other process it does nothing.
func Child() {
	if len(os.Args) == 0 || os.Args[0] != Name {
		return
	}
	os.Exit(work())
}

func work() int {
	// The memory of the guest is none of Go's: what Go has is little, and most of it stays.
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(48 << 20)
	unix.CloseOnExec(FD)
	ctx := context.Background()
	memory, err := strconv.ParseUint(os.Getenv(MemoryVar), 10, 64)
	if err != nil {
		return 2
	}
	e, err := engine.Open(ctx, os.Getenv(CacheVar))
	if err != nil {
		return broken(err)
	}
	os.Clearenv()
	state, err := jail.Close(jail.Limits{Data: memory + beside})
	if err != nil {
		return broken(err)
	}
	data, _ := json.Marshal(state)
	if socket.Send(Ready, data, -1) != nil {
		return 1
	}
	for {
		kind, data, fd, err := socket.Receive()
		if err != nil {
			return 0
		}
		var job Job
		if kind != RunIt || json.Unmarshal(data, &job) != nil {
			return 2
		}
		out := one(ctx, e, &job, fd)
		if fd >= 0 {
			_ = unix.Close(fd)
		}
		data, _ = json.Marshal(out)
		if socket.Send(Done, data, -1) != nil {
			return 1
		}
		if out.Kind == Broken {
			return 1
		}
	}
}

func broken(err error) int {
	data, _ := json.Marshal(Outcome{Kind: Broken, Message: err.Error()})
	_ = socket.Send(Done, data, -1)
	return 1
}

// one runs a job in a guest of its own.
func one(ctx context.Context, e *engine.Engine, job *Job, fd int) Outcome {
	ctx, cancel := context.WithTimeout(ctx, time.Duration(job.WallMS)*time.Millisecond)
	defer cancel()
	var heap *engine.Heap
	if fd >= 0 {
		h, err := engine.OpenHeap(os.NewFile(uintptr(fd), "heap"))
		if err != nil {
			return Outcome{Kind: Broken, Message: err.Error()}
		}
		heap = h
	}
	i, err := e.From(ctx, heap, job.Memory)
	if err != nil {
		return ended(err)
	}
	defer i.Close(ctx)
	w := &world{ctx: ctx, left: job.Output}
	i.Bind(w)
	if job.Dump {
		data, err := i.Prepare(ctx, job.Libs)
		if err == nil {
			err = socket.Send(Heap, data, -1)
		}
		if err != nil {
			return ended(err)
		}
		return Outcome{Kind: Returned}
	}
	result, err := i.Run(ctx, job.Code, job.Name, engine.Start{Args: job.Args, Env: job.Env, Dirs: job.Dirs, Argv: job.Argv})
	if err == nil && len(result) > w.left {
		err = errQuota
	}
	if err != nil {
		return ended(err)
	}
	return Outcome{Kind: Returned, Result: result}
}

// fatal is why the world outside ended a guest.
type fatal struct{ code, message string }

func (f *fatal) Error() string { return f.message }

var errQuota = &fatal{"QUOTA_EXCEEDED", "the output is larger than limits.outputMB"}

func ended(err error) Outcome {
	var thrown *engine.Thrown
	var exit *engine.Exit
	var f *fatal
	switch {
	case errors.As(err, &f) && f == errQuota:
		return Outcome{Kind: Quota, Code: f.code, Message: f.message}
	case errors.As(err, &f):
		return Outcome{Kind: Refused, Code: f.code, Message: f.message}
	case errors.As(err, &exit):
		return Outcome{Kind: Exited, Status: exit.Status}
	case errors.Is(err, engine.ErrMemory):
		return Outcome{Kind: Memory}
	case errors.Is(err, engine.ErrStopped):
		return Outcome{Kind: Stopped}
	case errors.As(err, &thrown):
		return Outcome{Kind: Threw, Name: thrown.Name, Message: thrown.Message, Stack: thrown.Stack, Code: thrown.Code}
	}
	return Outcome{Kind: Broken, Message: err.Error()}
}

// world answers the guest: what it prints and asks goes outside.
type world struct {
	ctx  context.Context
	left int // bytes that may still be printed
}

// Stopped reports whether the time is over.
func (w *world) Stopped() bool { return w.ctx.Err() != nil }

// Call answers an operation.
func (w *world) Call(op, text string) (string, error) {
	if f := within[op]; f != nil {
		return f(w, text)
	}
	data := make([]byte, 0, len(op)+1+len(text))
	data = append(append(append(data, op...), 0), text...)
	if err := socket.Send(Ask, data, -1); err != nil {
		return "", err
	}
	kind, answer, fd, err := socket.Receive()
	if err != nil || kind != Answer || fd >= 0 {
		return "", errors.Join(ErrFrame, err)
	}
	if len(answer) > 0 && answer[0] == 0 {
		code, message, _ := bytes.Cut(answer[1:], []byte{0})
		return "", &fatal{string(code), string(message)}
	}
	return string(answer), nil
}

// within are the operations that need nobody outside.
var within = map[string]func(w *world, text string) (string, error){
	"out":    func(w *world, text string) (string, error) { return "", w.print(Out, text) },
	"err":    func(w *world, text string) (string, error) { return "", w.print(Err, text) },
	"exit":   exited,
	"random": random,
}

func (w *world) print(kind byte, text string) error {
	if w.left -= len(text); w.left < 0 {
		return errQuota
	}
	return socket.Send(kind, []byte(text), -1)
}

func exited(_ *world, text string) (string, error) {
	n, _ := strconv.Atoi(text)
	return "", &engine.Exit{Status: n}
}

func random(_ *world, text string) (string, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > 65536 {
		return "", nil
	}
	b := make([]byte, n)
	_, _ = rand.Read(b)
	return base64.StdEncoding.EncodeToString(b), nil
}
