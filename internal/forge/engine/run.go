package engine

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/tetratelabs/wazero/api"
)

// Start is what a tool begins with.
type Start struct {
	Args map[string]any    `json:"args"`
	Env  map[string]string `json:"env"`
	Dirs []string          `json:"dirs"`
	Argv []string          `json:"argv"`
}

// evaluation flags of QuickJS.
const (
	evalModule      = 1
	evalCompileOnly = 1 << 5
)

// ErrUnsettled: the tool waits for a promise that nothing can settle any more.
var ErrUnsettled = &Thrown{Name: "Error", Message: "the tool waits for a promise that nothing can settle", Code: "NEVER_SETTLES"}

// Run runs a module and returns its result as JSON, "" if it has none.
func (i *Isolate) Run(ctx context.Context, code, name string, s Start) (string, error) {
	if s.Args == nil {
		s.Args = map[string]any{}
	}
	if s.Env == nil {
		s.Env = map[string]string{}
	}
	if s.Dirs == nil {
		s.Dirs = []string{}
	}
	if s.Argv == nil {
		s.Argv = []string{}
	}
	data, err := json.Marshal(s)
	if err != nil {
		return "", err
	}
	v, err := i.newText(ctx, string(data))
	if err != nil {
		return "", err
	}
	if _, err := i.bootCall(ctx, "start", v); err != nil {
		return "", err
	}
	module, err := i.eval(ctx, code, name, evalModule)
	if err != nil {
		return "", err
	}
	namespace, err := i.settle(ctx, module, false)
	if err != nil {
		return "", err
	}
	result, err := i.bootCall(ctx, "finish", namespace)
	if err != nil {
		return "", err
	}
	end, err := i.settle(ctx, result, true)
	if err != nil {
		return "", err
	}
	for _, key := range i.order {
		if text, loose := i.loose[key]; loose {
			return "", parseThrown(text)
		}
	}
	return i.text(ctx, end)
}

// settle runs jobs and timers until a promise is settled; all: until nothing is left.
func (i *Isolate) settle(ctx context.Context, promise uint32, all bool) (uint32, error) {
	if is, err := i.call(ctx, "qjs_is_promise", promise); err != nil || is == 0 {
		return promise, err
	}
	if _, err := i.call(ctx, "qjs_promise_mark_as_handled", promise); err != nil {
		return 0, err
	}
	for {
		state, err := i.call(ctx, "qjs_promise_state", promise)
		if err != nil {
			return 0, err
		}
		if state == 2 {
			break
		}
		if state == 1 && !all {
			break
		}
		more, err := i.turn(ctx)
		if err != nil {
			return 0, err
		}
		if !more {
			if state == 1 {
				break
			}
			return 0, ErrUnsettled
		}
	}
	state, err := i.call(ctx, "qjs_promise_state", promise)
	if err != nil {
		return 0, err
	}
	v, err := i.call(ctx, "qjs_promise_result", promise)
	if err != nil {
		return 0, err
	}
	if state == 2 {
		return 0, i.thrown(ctx, v)
	}
	return v, nil
}

// turn runs the jobs that wait, or the next timer; false: there is neither.
func (i *Isolate) turn(ctx context.Context) (bool, error) {
	pending, err := i.call(ctx, "qjs_is_job_pending")
	if err != nil {
		return false, err
	}
	if pending != 0 {
		n, err := i.call(ctx, "qjs_execute_pending_job")
		if err != nil {
			return false, err
		}
		if int32(n) < 0 {
			e, err := i.call(ctx, "qjs_get_exception")
			if err != nil {
				return false, err
			}
			return false, i.thrown(ctx, e)
		}
		return true, nil
	}
	v, err := i.bootCall(ctx, "tick")
	if err != nil {
		return false, err
	}
	wait, err := i.number(ctx, v)
	if err != nil || wait < 0 {
		return false, err
	}
	if wait > 0 {
		select {
		case <-ctx.Done():
			return false, ErrStopped
		case <-time.After(time.Duration(wait * float64(time.Millisecond))):
		}
	}
	return true, nil
}

// number reads a number of the guest.
func (i *Isolate) number(ctx context.Context, v uint32) (float64, error) {
	f := i.mod.ExportedFunction("qjs_get_float64")
	out, err := f.Call(context.WithoutCancel(ctx), uint64(v))
	if err != nil {
		return 0, errors.Join(ErrStopped, err)
	}
	return api.DecodeF64(out[0]), nil
}

// Used is how much memory the guest has taken, in bytes.
func (i *Isolate) Used() int { return i.memory.size }

// Prepare runs the libraries of a tool, a script, and dumps the heap that they
// leave.
func (i *Isolate) Prepare(ctx context.Context, libs string) ([]byte, error) {
	v, err := i.eval(ctx, libs, "libraries", 0)
	if err != nil {
		return nil, err
	}
	i.free(ctx, v)
	for {
		more, err := i.turn(ctx)
		if err != nil {
			return nil, err
		}
		if !more {
			break
		}
	}
	if _, err := i.call(ctx, "qjs_run_gc"); err != nil {
		return nil, err
	}
	return i.Dump(ctx)
}
