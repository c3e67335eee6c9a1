package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/sys"
)

// Host is what a guest may call.
type Host interface {
	// Call answers an operation of the guest; text is what it passed. An error
	// ends the guest.
	Call(op, text string) (string, error)
	// Stopped reports whether the guest is to end.
	Stopped() bool
}

// Isolate is one guest. It is of one goroutine.
type Isolate struct {
	mod    api.Module
	memory *memory
	host   Host
	calls  map[string]caller
	boot   uint32 // what the prelude returned
	unit   uint32
	ended  error             // why the host ended it
	loose  map[uint32]string // rejections that nobody handled, by promise
	order  []uint32
}

type caller = api.Function

// Errors of a run.
var (
	// ErrMemory: the guest asked for more memory than it may have.
	ErrMemory = errors.New("out of memory")
	// ErrStopped: its time was over.
	ErrStopped = errors.New("stopped")
)

// Exit is the end of a guest that it asked for.
type Exit struct{ Status int }

func (e *Exit) Error() string { return fmt.Sprintf("exit %d", e.Status) }

// Thrown is an error of the guest.
type Thrown struct {
	Name    string `json:"name"`
	Message string `json:"message"`
	Stack   string `json:"stack"`
	Code    string `json:"code"`
}

func (e *Thrown) Error() string { return e.Name + ": " + e.Message }

// Close frees the guest.
func (i *Isolate) Close(ctx context.Context) {
	_ = i.mod.Close(context.WithoutCancel(ctx))
	i.memory.Free()
}

// Bind gives the guest its host.
func (i *Isolate) Bind(h Host) { i.host = h }

// call calls an exported function.
func (i *Isolate) call(ctx context.Context, name string, args ...uint32) (uint32, error) {
	f := i.calls[name]
	if f == nil {
		if f = i.mod.ExportedFunction(name); f == nil {
			return 0, errors.New("the engine has no " + name)
		}
		i.calls[name] = f
	}
	var stack [6]uint64
	for n, a := range args {
		stack[n] = uint64(a)
	}
	own := context.WithValue(ctx, isolateKey{}, i)
	if !slices.Contains(runs, name) {
		own = context.WithoutCancel(own)
	}
	err := f.CallWithStack(own, stack[:])
	switch {
	case i.ended != nil:
		return 0, i.ended
	case i.memory.full:
		return 0, ErrMemory
	case err == nil:
		return uint32(stack[0]), nil
	}
	var exit *sys.ExitError
	if ctx.Err() != nil || errors.As(err, &exit) || i.host != nil && i.host.Stopped() {
		return 0, ErrStopped
	}
	return 0, fmt.Errorf("the engine failed: %w", err)
}

type isolateKey struct{}

// runs are the functions in which code of the guest may run: only those are watched for
// the end of the context, since each watch costs a goroutine.
var runs = []string{"qjs_eval", "qjs_call", "qjs_execute_pending_job", "qjs_run_gc", "qjs_init"}

// put copies a text into the guest; the caller frees it.
func (i *Isolate) put(ctx context.Context, text string) (uint32, error) {
	p, err := i.call(ctx, "wasm_malloc", uint32(len(text)+1))
	if err != nil {
		return 0, err
	}
	if p == 0 || !i.mod.Memory().WriteString(p, text) || !i.mod.Memory().WriteByte(p+uint32(len(text)), 0) {
		return 0, ErrMemory
	}
	return p, nil
}

// text reads a value of the guest that is a string; no code of the guest runs.
func (i *Isolate) text(ctx context.Context, v uint32) (string, error) {
	if is, err := i.call(ctx, "qjs_is_string", v); err != nil || is == 0 {
		return "", errors.Join(errors.New("not a string"), err)
	}
	n, err := i.call(ctx, "wasm_malloc", 4)
	if err != nil || n == 0 {
		return "", errors.Join(ErrMemory, err)
	}
	p, err := i.call(ctx, "qjs_get_string_len", v, n)
	if err != nil {
		return "", err
	}
	if p == 0 {
		return "", ErrMemory
	}
	size, _ := i.mod.Memory().ReadUint32Le(n)
	data, ok := i.mod.Memory().Read(p, size)
	if !ok {
		return "", errors.New("a string lies outside of the memory")
	}
	out := string(data)
	_, err = i.call(ctx, "qjs_free_cstring", p)
	_, err2 := i.call(ctx, "wasm_free", n)
	return out, errors.Join(err, err2)
}

// newText makes a string of the guest.
func (i *Isolate) newText(ctx context.Context, s string) (uint32, error) {
	p, err := i.put(ctx, s)
	if err != nil {
		return 0, err
	}
	v, err := i.call(ctx, "qjs_new_string", p, uint32(len(s)))
	if err != nil {
		return 0, err
	}
	_, err = i.call(ctx, "wasm_free", p)
	return v, err
}

func (i *Isolate) free(ctx context.Context, v uint32) {
	if v != 0 {
		_, _ = i.call(ctx, "qjs_free_value", v)
	}
}

// checked returns a value, or the error that the guest threw.
func (i *Isolate) checked(ctx context.Context, v uint32, err error) (uint32, error) {
	if err != nil {
		return 0, err
	}
	is, err := i.call(ctx, "qjs_is_exception", v)
	if err != nil {
		return 0, err
	}
	if is == 0 {
		return v, nil
	}
	e, err := i.call(ctx, "qjs_get_exception")
	if err != nil {
		return 0, err
	}
	return 0, i.thrown(ctx, e)
}

// thrown describes an error of the guest.
func (i *Isolate) thrown(ctx context.Context, v uint32) error {
	if i.host != nil && i.host.Stopped() {
		return ErrStopped
	}
	if i.boot == 0 {
		return &Thrown{Name: "Error", Message: "the prelude failed"}
	}
	s, err := i.bootCall(ctx, "describe", v)
	if err != nil {
		var t *Thrown
		if errors.As(err, &t) {
			return &Thrown{Name: "Error", Message: "an error that cannot be shown"}
		}
		return err
	}
	text, err := i.text(ctx, s)
	if err != nil {
		return err
	}
	return parseThrown(text)
}

// bootCall calls a function of the prelude.
func (i *Isolate) bootCall(ctx context.Context, name string, args ...uint32) (uint32, error) {
	key, err := i.put(ctx, name)
	if err != nil {
		return 0, err
	}
	f, err := i.call(ctx, "qjs_get_prop_string", i.boot, key)
	if err != nil {
		return 0, err
	}
	argv := uint32(0)
	if len(args) > 0 {
		if argv, err = i.call(ctx, "wasm_malloc", uint32(len(args)*4)); err != nil || argv == 0 {
			return 0, errors.Join(ErrMemory, err)
		}
		for n, a := range args {
			i.mod.Memory().WriteUint32Le(argv+uint32(n*4), a)
		}
	}
	v, err := i.call(ctx, "qjs_call", f, i.boot, uint32(len(args)), argv)
	if err != nil {
		return 0, err
	}
	i.free(ctx, f)
	if is, err := i.call(ctx, "qjs_is_exception", v); err != nil || is != 0 {
		if err != nil {
			return 0, err
		}
		e, err := i.call(ctx, "qjs_get_exception")
		if err != nil {
			return 0, err
		}
		if name == "describe" {
			return 0, &Thrown{}
		}
		return 0, i.thrown(ctx, e)
	}
	return v, nil
}

// eval evaluates code.
func (i *Isolate) eval(ctx context.Context, code, name string, flags uint32) (uint32, error) {
	c, err := i.put(ctx, code)
	if err != nil {
		return 0, err
	}
	n, err := i.put(ctx, name)
	if err != nil {
		return 0, err
	}
	v, err := i.call(ctx, "qjs_eval", c, uint32(len(code)), n, flags)
	if err != nil {
		return 0, err
	}
	_, _ = i.call(ctx, "wasm_free", c)
	_, _ = i.call(ctx, "wasm_free", n)
	return i.checked(ctx, v, nil)
}

// fresh makes a guest without a heap: it runs the prelude.
func (e *Engine) fresh(ctx context.Context, limit int) (*Isolate, error) {
	i, err := e.instantiate(ctx, limit)
	if err != nil {
		return nil, err
	}
	if err := i.prepare(ctx); err != nil {
		i.Close(ctx)
		return nil, err
	}
	return i, nil
}

func (i *Isolate) prepare(ctx context.Context) error {
	if _, err := i.call(ctx, "_initialize"); err != nil {
		return err
	}
	if v, err := i.call(ctx, "qjs_init"); err != nil || v != 0 {
		return errors.Join(errors.New("the engine does not start"), err)
	}
	for _, set := range []struct {
		name string
		v    uint32
	}{{"qjs_set_max_stack_size", 256 << 10}, {"qjs_set_interrupt_handler", 1}, {"qjs_set_promise_rejection_handler", 1}, {"qjs_set_module_loader", 1}} {
		if _, err := i.call(ctx, set.name, set.v); err != nil {
			return err
		}
	}
	name, err := i.put(ctx, "__host")
	if err != nil {
		return err
	}
	f, err := i.call(ctx, "qjs_new_host_function", name, 6, 2)
	if err != nil {
		return err
	}
	global, err := i.call(ctx, "qjs_get_global")
	if err != nil {
		return err
	}
	if _, err := i.call(ctx, "qjs_set_prop_string", global, name, f); err != nil {
		return err
	}
	i.boot, err = i.eval(ctx, prelude, "tgp:prelude", 0)
	return err
}
