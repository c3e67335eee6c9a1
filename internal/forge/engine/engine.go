// Package engine runs the code of a tool: QuickJS-ng, compiled to WebAssembly
// (npm quickjs-wasi 3.7.0, its licence is in quickjs.LICENSE), under wazero. The
// memory of the guest is one that this package hands out, so that its bound is
// the one that holds, and that a heap made before can be mapped in its place.
//
//   - engine.go: the module, compiled once into a cache
//   - stub.go: the module without its code, for loading what was compiled
//   - mapped.go: what was compiled, mapped
//   - memory.go: the memory of a guest
//   - isolate.go: one guest; host.go: what it may call
package engine

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"

	"github.com/cespare/xxhash/v2"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/experimental"
)

//go:embed quickjs.wasm
var wasm []byte

//go:embed prelude.js
var prelude string

// Engine holds the compiled module. It is of one goroutine.
type Engine struct {
	runtime wazero.Runtime
	module  wazero.CompiledModule
	cache   string
	base    *Heap
}

// wasmSum is a hash of quickjs.wasm, so that no start reads all of it.
const wasmSum = "d5968ceb9b5894a7"

// Version names everything that a heap depends on: two engines of one version
// understand each other's heaps. The hash is an index, not a proof: the cache is the
// user's own.
func Version() string {
	h := xxhash.New()
	_, _ = h.WriteString(wasmSum + layoutVersion + prelude + runtime.GOARCH + built())
	return fmt.Sprintf("%016x", h.Sum64())
}

// layoutVersion is raised when what is kept of the engine changes its form.
const layoutVersion = "2"

// built is the version of wazero in this program.
func built() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, d := range info.Deps {
			if d.Path == "github.com/tetratelabs/wazero" {
				return d.Version
			}
		}
	}
	return "unknown"
}

// Open loads the engine; what it compiles is kept below cache, which may be "".
func Open(ctx context.Context, cache string) (*Engine, error) {
	e := &Engine{cache: cache}
	if cache == "" {
		return e, e.load(ctx, wazero.NewCompilationCache(), wasm)
	}
	e.cache = filepath.Join(cache, "engine-"+Version())
	dir := filepath.Join(e.cache, "mapped")
	if _, err := os.Stat(dir); err != nil {
		if err := compile(ctx, dir); err != nil {
			return nil, err
		}
	}
	if err := e.open(ctx, dir); err != nil {
		// Of another processor, or damaged: made again, once.
		_ = os.RemoveAll(e.cache)
		if err := compile(ctx, dir); err != nil {
			return nil, err
		}
		if err := e.open(ctx, dir); err != nil {
			return nil, err
		}
	}
	return e, nil
}

func (e *Engine) open(ctx context.Context, dir string) error {
	cache, ok := mapped(dir)
	if !ok {
		var err error
		if cache, err = wazero.NewCompilationCacheWithDir(dir); err != nil {
			return err
		}
	}
	if err := e.load(ctx, cache, stub()); err != nil {
		return err
	}
	base, err := e.baseHeap(ctx)
	e.base = base
	return err
}

func configuration(cache wazero.CompilationCache) wazero.RuntimeConfig {
	return wazero.NewRuntimeConfigCompiler().WithCompilationCache(cache).WithCloseOnContextDone(true).WithDebugInfoEnabled(false)
}

func (e *Engine) load(ctx context.Context, cache wazero.CompilationCache, binary []byte) error {
	e.runtime = wazero.NewRuntimeWithConfig(ctx, configuration(cache))
	m, err := e.runtime.CompileModule(ctx, binary)
	if err != nil {
		return fmt.Errorf("the engine: %w", err)
	}
	e.module = m
	return e.hostModules(ctx)
}

// compile fills the cache with the code of the module under the name of its stub.
func compile(ctx context.Context, dir string) error {
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return err
	}
	work, err := os.MkdirTemp(filepath.Dir(dir), "compile-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	var file [2]string
	for i, binary := range [][]byte{wasm, stub()} {
		part := filepath.Join(work, fmt.Sprint(i))
		cache, err := wazero.NewCompilationCacheWithDir(part)
		if err != nil {
			return err
		}
		r := wazero.NewRuntimeWithConfig(ctx, configuration(cache))
		if _, err := r.CompileModule(ctx, binary); err != nil {
			return err
		}
		_ = r.Close(ctx)
		found, _ := filepath.Glob(filepath.Join(part, "*", "*"))
		if len(found) != 1 {
			return errors.New("the cache of the engine is not as expected")
		}
		file[i] = found[0]
	}
	if err := os.Rename(file[0], file[1]); err != nil {
		return err
	}
	kept, err := os.ReadFile(file[1])
	if err != nil {
		return err
	}
	if err := writeMapped(mappedName(filepath.Join(work, "1"), filepath.Base(file[1])), kept); err != nil {
		return err
	}
	if err := os.Rename(filepath.Join(work, "1"), dir); err != nil && !errors.Is(err, os.ErrExist) {
		if _, there := os.Stat(dir); there != nil { // another process was first
			return err
		}
	}
	return nil
}

// Close frees everything.
func (e *Engine) Close(ctx context.Context) error { return e.runtime.Close(ctx) }

// instantiate makes a guest with memory of at most limit bytes.
func (e *Engine) instantiate(ctx context.Context, limit int) (*Isolate, error) {
	m, err := newMemory(limit)
	if err != nil {
		return nil, err
	}
	ctx = experimental.WithMemoryAllocator(ctx, m)
	mod, err := e.runtime.InstantiateModule(ctx, e.module, wazero.NewModuleConfig().WithName("").WithStartFunctions())
	if err != nil {
		m.Free()
		return nil, err
	}
	return &Isolate{mod: mod, memory: m, calls: map[string]caller{}}, nil
}
