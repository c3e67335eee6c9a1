package engine

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"time"

	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/sys"
)

// hostModules makes what the module imports. The module is not asked for that: to
// answer it would describe all of its functions, which costs more than to load them.
func (e *Engine) hostModules(ctx context.Context) error {
	for _, from := range []string{"env", "wasi_snapshot_preview1"} {
		b := e.runtime.NewHostModuleBuilder(from)
		for name, f := range functions {
			if f.from == from {
				b.NewFunctionBuilder().WithGoModuleFunction(f.call, types(f.params), types(f.results)).Export(name)
			}
		}
		if _, err := b.Instantiate(ctx); err != nil {
			return err
		}
	}
	return nil
}

// types reads a signature: i is an i32, I an i64.
func types(signature string) []api.ValueType {
	out := make([]api.ValueType, len(signature))
	for n, c := range signature {
		if out[n] = api.ValueTypeI32; c == 'I' {
			out[n] = api.ValueTypeI64
		}
	}
	return out
}

// Results of WASI calls.
const (
	wasiOK    = 0
	wasiBadF  = 8
	wasiNoSys = 52
)

// function is an import of the module.
type function struct {
	from            string
	params, results string
	call            api.GoModuleFunc
}

// functions are the imports of the module. A guest has no file: what WASI offers
// beside the clock and chance is refused.
var functions = map[string]function{
	"host_call":                {"env", "iiiii", "i", hostCall},
	"host_interrupt":           {"env", "", "i", hostInterrupt},
	"host_promise_rejection":   {"env", "iii", "", hostRejection},
	"host_module_normalize":    {"env", "ii", "i", refuseModule},
	"host_module_load":         {"env", "ii", "i", refuseModule},
	"host_get_timezone_offset": {"env", "ii", "i", answers(0)},
	"clock_time_get":           {"wasi_snapshot_preview1", "iIi", "i", clock},
	"random_get":               {"wasi_snapshot_preview1", "ii", "i", chance},
	"fd_close":                 {"wasi_snapshot_preview1", "i", "i", answers(wasiNoSys)},
	"fd_fdstat_get":            {"wasi_snapshot_preview1", "ii", "i", answers(wasiBadF)},
	"fd_seek":                  {"wasi_snapshot_preview1", "iIii", "i", answers(wasiNoSys)},
	"fd_write":                 {"wasi_snapshot_preview1", "iiii", "i", discard},
}

func answers(v uint64) api.GoModuleFunc {
	return func(_ context.Context, _ api.Module, s []uint64) { s[0] = v }
}

func clock(_ context.Context, m api.Module, s []uint64) {
	m.Memory().WriteUint64Le(uint32(s[2]), uint64(time.Now().UnixNano()))
	s[0] = wasiOK
}

func chance(_ context.Context, m api.Module, s []uint64) {
	if b, ok := m.Memory().Read(uint32(s[0]), uint32(s[1])); ok {
		_, _ = rand.Read(b)
	}
	s[0] = wasiOK
}

// discard takes what the engine itself would print.
func discard(_ context.Context, m api.Module, s []uint64) {
	total := uint32(0)
	for n := range uint32(s[2]) {
		size, _ := m.Memory().ReadUint32Le(uint32(s[1]) + n*8 + 4)
		total += size
	}
	m.Memory().WriteUint32Le(uint32(s[3]), total)
	s[0] = wasiOK
}

func isolateOf(ctx context.Context) *Isolate {
	i, _ := ctx.Value(isolateKey{}).(*Isolate)
	return i
}

func hostInterrupt(ctx context.Context, _ api.Module, s []uint64) {
	i := isolateOf(ctx)
	s[0] = 0
	if i != nil && (i.memory.full || i.host != nil && i.host.Stopped()) {
		s[0] = 1
	}
}

// refuseModule: every import was bundled before.
func refuseModule(ctx context.Context, _ api.Module, s []uint64) {
	s[0] = 0
	if i := isolateOf(ctx); i != nil {
		i.throw(ctx, "EvalError", "nothing is imported while a tool runs", "EPERM")
	}
}

// throw leaves an exception in the guest and returns its value.
func (i *Isolate) throw(ctx context.Context, name, message, code string) uint32 {
	_ = name
	_ = code
	p, err := i.put(ctx, message)
	if err != nil {
		i.end(err)
	}
	e, err := i.call(ctx, "qjs_new_error", p, uint32(len(message)))
	if err != nil {
		i.end(err)
	}
	v, err := i.call(ctx, "qjs_throw", e)
	if err != nil {
		i.end(err)
	}
	return v
}

// end ends the guest from inside of a call of its host: it cannot catch that.
func (i *Isolate) end(err error) {
	i.ended = err
	panic(sys.NewExitError(1))
}

// hostCall is __host(operation, text).
func hostCall(ctx context.Context, m api.Module, s []uint64) {
	i := isolateOf(ctx)
	argc, argv := uint32(s[3]), uint32(s[4])
	if i == nil || i.host == nil || argc != 2 {
		s[0] = uint64(i.throw(ctx, "TypeError", "not here", ""))
		return
	}
	var args [2]string
	for n := range args {
		p, _ := m.Memory().ReadUint32Le(argv + uint32(n*4))
		text, err := i.text(ctx, p)
		if err != nil {
			i.end(err)
		}
		args[n] = text
	}
	answer, err := i.host.Call(args[0], args[1])
	if err == nil && i.host.Stopped() { // the time is looked at after each call
		err = ErrStopped
	}
	if err != nil {
		i.end(err)
	}
	v, err := i.newText(ctx, answer)
	if err != nil {
		i.end(err)
	}
	s[0] = uint64(v)
}

// hostRejection notes promises that are rejected and that nobody handles.
func hostRejection(ctx context.Context, _ api.Module, s []uint64) {
	i := isolateOf(ctx)
	if i == nil {
		return
	}
	promise, reason, handled := uint32(s[0]), uint32(s[1]), uint32(s[2])
	key, err := i.call(ctx, "qjs_get_value_ptr", promise)
	if err != nil {
		i.end(err)
	}
	if i.loose == nil {
		i.loose = map[uint32]string{}
	}
	if handled != 0 {
		delete(i.loose, key)
	} else if len(i.loose) < 1000 {
		i.loose[key] = ""
		i.order = append(i.order, key)
		if len(i.order) == 1 {
			i.firstReason(ctx, key, reason)
		}
	}
	i.free(ctx, promise)
	i.free(ctx, reason)
}

// firstReason keeps what the first of them was rejected with.
func (i *Isolate) firstReason(ctx context.Context, key, reason uint32) {
	v, err := i.bootCall(ctx, "describe", reason)
	if err != nil {
		var t *Thrown
		if !errors.As(err, &t) {
			i.end(err)
		}
		return
	}
	text, err := i.text(ctx, v)
	if err == nil {
		i.loose[key] = text
	}
	i.free(ctx, v)
}

func parseThrown(text string) *Thrown {
	t := &Thrown{}
	if json.Unmarshal([]byte(text), t) != nil || t.Name == "" {
		return &Thrown{Name: "Error", Message: "an error that cannot be shown"}
	}
	return t
}
