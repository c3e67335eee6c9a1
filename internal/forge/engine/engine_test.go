package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cespare/xxhash/v2"
)

var cache string

// world is a host that answers nothing.
type world struct {
	out     strings.Builder
	stopped bool
}

func (w *world) Call(op, text string) (string, error) {
	switch op {
	case "out", "err":
		w.out.WriteString(text)
	case "exit":
		return "", &Exit{int(text[0] - '0')}
	case "fs.read":
		return `{"error":{"code":"EPERM","message":"no"}}`, nil
	}
	return "{}", nil
}
func (w *world) Stopped() bool { return w.stopped }

func engine(t testing.TB) *Engine {
	t.Helper()
	if cache == "" {
		cache = t.TempDir()
	}
	e, err := Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close(context.Background()) })
	return e
}

func run(t testing.TB, e *Engine, code string, limit int, wall time.Duration) (string, string, error) {
	t.Helper()
	i, err := e.From(t.Context(), nil, limit)
	if err != nil {
		t.Fatal(err)
	}
	defer i.Close(t.Context())
	w := &world{}
	i.Bind(w)
	ctx, cancel := context.WithTimeout(t.Context(), wall)
	defer cancel()
	v, err := i.Run(ctx, code, "tool.js", Start{Args: map[string]any{"a": 1}, Argv: []string{"tgp", "x"}})
	return v, w.out.String(), err
}

func TestRun(t *testing.T) {
	e := engine(t)
	for _, tt := range []struct{ code, result, out, err string }{
		{`export default tgp.args.a + 1`, "2", "", ""},
		{`export default async (args) => ({ x: args.a })`, `{"x":1}`, "", ""},
		{`console.log(JSON.stringify({ a: [1] }))`, "", "{\"a\":[1]}\n", ""},
		{`await new Promise((r) => setTimeout(r, 20)); export default "late"`, `"late"`, "", ""},
		{`await new Promise(() => {})`, "", "", "Error: the tool waits for a promise that nothing can settle"},
		{`throw new RangeError("x")`, "", "", "RangeError: x"},
		{`Promise.reject(new Error("loose"))`, "", "", "Error: loose"},
		{`Promise.reject(new Error("loose")).catch(() => {}); export default 1`, "1", "", ""},
		{`process.exit(3)`, "", "", "exit 3"},
		{`try { process.exit(3) } catch {} export default 1`, "", "", "exit 3"},
		{`let e; try { await tgp.fs.read("x") } catch (x) { e = x.code } export default e`, `"EPERM"`, "", ""},
		{`let e; try { await tgp.fs.read({ toString() { return "x" } }) } catch (x) { e = x.name } export default e`, `"TypeError"`, "", ""},
		{`export default [typeof eval, typeof WebAssembly, typeof SharedArrayBuffer, typeof require, typeof __host, typeof Atomics]`, `["undefined","undefined","undefined","undefined","undefined","undefined"]`, "", ""},
		{`let e; try { globalThis.Function("return 1")() } catch (x) { e = x.code } export default e`, `"EPERM"`, "", ""},
		{`let e; try { (() => {}).constructor("return 1")() } catch (x) { e = x.code } export default e`, `"EPERM"`, "", ""},
		{`let e; try { (async () => {}).constructor("return 1")() } catch (x) { e = x.code } export default e`, `"EPERM"`, "", ""},
		{`let e; try { await import("x") } catch (x) { e = "no" } export default e`, `"no"`, "", ""},
		{`const u = new URL("https://a.example:443/b/../c?x=1#h"); export default [u.href, u.host, u.searchParams.get("x")]`, `["https://a.example/c?x=1#h","a.example","1"]`, "", ""},
		{`export default [new TextDecoder().decode(new TextEncoder().encode("aé€😀")), structuredClone({ a: new Date(0) }).a.getTime(), crypto.randomUUID.name !== undefined]`, `["aé€😀",0,true]`, "", ""},
		{`Object.prototype.toJSON = () => "bad"; Array.prototype.push = () => {}; JSON.stringify = () => "bad"; export default 1`, "1", "", ""},
		{`try { tgp.fs.read = 1 } catch {} globalThis.tgp === undefined; export default typeof tgp.fs.read`, `"function"`, "", ""},
		{`export default 10n`, "", "", "TypeError: the result is no JSON: "},
		{`function f() { f() } let n; try { f() } catch (e) { n = e.name } export default n`, `"RangeError"`, "", ""},
	} {
		result, out, err := run(t, e, tt.code, 64<<20, 5*time.Second)
		text := ""
		if err != nil {
			text = err.Error()
		}
		if result != tt.result || out != tt.out || !strings.HasPrefix(text, tt.err) || (tt.err == "") != (err == nil) {
			t.Errorf("%s\n got %q %q %q\nwant %q %q %q", tt.code, result, out, text, tt.result, tt.out, tt.err)
		}
	}
}

func TestBounds(t *testing.T) {
	e := engine(t)
	for _, tt := range []struct {
		code string
		want error
	}{
		{`for (;;) {}`, ErrStopped},
		{`for (;;) { try { for (;;) {} } catch {} }`, ErrStopped},
		{`/(a+)+$/.test("a".repeat(40) + "b")`, ErrStopped},
		{`"x".repeat(1e4).split("").sort(() => { for (;;) {} })`, ErrStopped},
		{`const f = () => Promise.resolve().then(f); f(); await new Promise(() => {})`, ErrStopped},
		{`await new Promise((r) => setTimeout(r, 1e8))`, ErrStopped},
		{`const a = []; for (;;) a.push(new Uint8Array(1e6).fill(1))`, ErrMemory},
		{`let s = "x"; for (;;) s += s`, nil},
		{`const a = []; for (;;) { try { a.push("x".repeat(1e6) + a.length) } catch {} }`, nil},
		{`new Array(1e8).fill(0).map((x) => [x])`, nil},
		{`BigInt(2) ** BigInt(1e9)`, nil},
	} {
		begin := time.Now()
		_, _, err := run(t, e, tt.code, 32<<20, 500*time.Millisecond)
		if err == nil || tt.want != nil && !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.code, err, tt.want)
		}
		if d := time.Since(begin); d > 1500*time.Millisecond {
			t.Errorf("%s: it took %v", tt.code, d)
		}
	}
}

func BenchmarkRun(b *testing.B) {
	e := engine(b)
	for b.Loop() {
		if v, _, err := run(b, e, `export default 1`, 64<<20, time.Second); v != "1" || err != nil {
			b.Fatal(v, err)
		}
	}
}

// TestModule holds what is known of the module beforehand to the module.
func TestModule(t *testing.T) {
	if got := fmt.Sprintf("%016x", xxhash.Sum64(wasm)); got != wasmSum {
		t.Errorf("wasmSum is %s, want %s", wasmSum, got)
	}
	e, err := Open(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close(context.Background())
	imports := e.module.ImportedFunctions()
	if len(imports) != len(functions) {
		t.Errorf("%d imports, want %d", len(functions), len(imports))
	}
	for _, d := range imports {
		from, name, _ := d.Import()
		f := functions[name]
		if f.from != from || !slices.Equal(types(f.params), d.ParamTypes()) || !slices.Equal(types(f.results), d.ResultTypes()) {
			t.Errorf("%s.%s is %v %v", from, name, d.ParamTypes(), d.ResultTypes())
		}
	}
	for _, name := range strings.Fields(calledNames) {
		if e.module.ExportedFunctions()[name] == nil {
			t.Errorf("the module has no %s", name)
		}
	}
}

// TestMapped: the compiled code is mapped, not copied by wazero's cache. It fails where
// wazero makes its cache in another way, which costs 3 ms at each start and nothing else.
func TestMapped(t *testing.T) {
	if _, ok := mapped(t.TempDir()); !ok {
		t.Error("wazero's cache has another form")
	}
}
