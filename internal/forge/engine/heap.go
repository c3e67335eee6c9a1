package engine

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/cespare/xxhash/v2"
	"golang.org/x/sys/cpu"
)

// Heap is the memory of a guest that was made before, in a file of its own: the
// memory, then where its runtime, its context and its world are.
type Heap struct {
	file *os.File
	size int // of the memory
	tail [tailWords]uint32
}

// The words behind the memory.
const (
	atRuntime = iota
	atContext
	atStack
	atBoot
	atUnit // a module that was compiled and not run, 0 if there is none
	tailWords
)

const tailSize = tailWords*4 + 8

var magic = [8]byte{'t', 'g', 'p', 'h', 'e', 'a', 'p', 1}

// OpenHeap opens a heap.
func OpenHeap(f *os.File) (*Heap, error) {
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	size := st.Size() - tailSize
	if size <= 0 || size%page != 0 {
		return nil, errors.New("not a heap")
	}
	var tail [tailSize]byte
	if _, err := f.ReadAt(tail[:], size); err != nil {
		return nil, err
	}
	if [8]byte(tail[tailWords*4:]) != magic {
		return nil, errors.New("not a heap")
	}
	h := &Heap{file: f, size: int(size)}
	for i := range h.tail {
		h.tail[i] = binary.LittleEndian.Uint32(tail[i*4:])
	}
	return h, nil
}

// Dump is the guest's memory as a heap file holds it. Nothing of it may run.
func (i *Isolate) Dump(ctx context.Context) ([]byte, error) {
	data, ok := i.mod.Memory().Read(0, i.mod.Memory().Size())
	if !ok {
		return nil, errors.New("the memory cannot be read")
	}
	out := append(make([]byte, 0, len(data)+tailSize), data...)
	for _, name := range []string{"qjs_get_runtime_ptr", "qjs_get_context_ptr"} {
		v, err := i.call(ctx, name)
		if err != nil {
			return nil, err
		}
		out = binary.LittleEndian.AppendUint32(out, v)
	}
	stack := i.mod.ExportedGlobal("__stack_pointer").Get()
	for _, v := range []uint32{uint32(stack), i.boot, i.unit} {
		out = binary.LittleEndian.AppendUint32(out, v)
	}
	return append(out, magic[:]...), nil
}

// baseHeap opens the heap that holds the prelude and no tool, making it first
// where there is none.
func (e *Engine) baseHeap(ctx context.Context) (*Heap, error) {
	name := filepath.Join(e.cache, "base.heap")
	if f, err := os.Open(name); err == nil {
		if h, err := OpenHeap(f); err == nil {
			return h, e.probe(ctx, h)
		}
		_ = f.Close()
	}
	// The stub has no data, so the whole module makes the first heap.
	whole, err := Open(ctx, "")
	if err != nil {
		return nil, err
	}
	defer whole.Close(ctx)
	i, err := whole.fresh(ctx, 64<<20)
	if err != nil {
		return nil, err
	}
	defer i.Close(ctx)
	data, err := i.Dump(ctx)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(e.cache, 0o700); err != nil {
		return nil, err
	}
	tmp, err := os.CreateTemp(e.cache, "heap-")
	if err != nil {
		return nil, err
	}
	defer os.Remove(tmp.Name())
	_, err = tmp.Write(data)
	if err = errors.Join(err, tmp.Close(), os.Rename(tmp.Name(), name)); err != nil {
		return nil, err
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	h, err := OpenHeap(f)
	if err != nil {
		return nil, err
	}
	return h, e.probe(ctx, h)
}

// probe makes a guest of a heap, which fails where the code is not that of the
// module.
//
// What was found is noted, by the features of the processor: with other ones there is
// other code.
func (e *Engine) probe(ctx context.Context, h *Heap) error {
	note := filepath.Join(e.cache, fmt.Sprintf("works-%016x", xxhash.Sum64String(fmt.Sprint(cpu.X86, cpu.ARM64))))
	if _, err := os.Stat(note); err == nil {
		return nil
	}
	i, err := e.From(ctx, h, 16<<20)
	if err != nil {
		return err
	}
	defer i.Close(ctx)
	if _, err = i.call(ctx, "qjs_is_job_pending"); err == nil {
		_ = os.WriteFile(note, nil, 0o600)
	}
	return err
}

// From makes a guest of a heap, nil for that of the prelude, with at most limit
// bytes.
func (e *Engine) From(ctx context.Context, h *Heap, limit int) (*Isolate, error) {
	if h == nil {
		h = e.base
	}
	if h == nil {
		return e.fresh(ctx, limit)
	}
	i, err := e.instantiate(ctx, limit)
	if err != nil {
		return nil, err
	}
	fail := func(err error) (*Isolate, error) {
		i.Close(ctx)
		return nil, err
	}
	mem := i.mod.Memory()
	if now := int(mem.Size()); now < h.size {
		if _, ok := mem.Grow(uint32((h.size - now) / page)); !ok {
			return fail(errors.New("the heap of the tool is larger than its memory may be"))
		}
	}
	if err := i.memory.overlay(h.file, h.size); err != nil {
		return fail(fmt.Errorf("mapping a heap: %w", err))
	}
	if _, err := i.call(ctx, "qjs_set_runtime_and_context", h.tail[atRuntime], h.tail[atContext]); err != nil {
		return fail(err)
	}
	i.boot, i.unit = h.tail[atBoot], h.tail[atUnit]
	return i, nil
}
