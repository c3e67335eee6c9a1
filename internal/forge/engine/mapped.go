package engine

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"unsafe"

	"github.com/tetratelabs/wazero"
)

// The code that was compiled lies in a file of ours, so that it is mapped where
// wazero's own cache copies it: a page of it costs nothing until it is run, and all
// workers share it. The file is what wazero keeps, in another order:
//
//	code, zeros to the next page | what stands before it | what stands after it | code, before, after: their sizes
//
// wazero asks for it through its cache of files, which it does not let anybody replace;
// where it has another form than this version's, mapped reports so, and its own cache
// of the same code is used.

const mappedTail = 3 * 8

// layout splits what wazero keeps of a module: its magic, version, the number of its
// functions and where each begins; the size of the code and the code; what follows.
func layout(kept []byte) (before, code, after []byte, err error) {
	bad := errors.New("wazero keeps its code in another form")
	if len(kept) < 7 || string(kept[:6]) != "WAZEVO" {
		return nil, nil, nil, bad
	}
	at := 7 + int(kept[6])
	if len(kept) < at+4 {
		return nil, nil, nil, bad
	}
	at += 4 + 8*int(binary.LittleEndian.Uint32(kept[at:]))
	if len(kept) < at+8 {
		return nil, nil, nil, bad
	}
	size := binary.LittleEndian.Uint64(kept[at:])
	at += 8
	if size > uint64(len(kept)-at) {
		return nil, nil, nil, bad
	}
	end := at + int(size)
	return kept[:at], kept[at:end], kept[end:], nil
}

// writeMapped writes the file.
func writeMapped(name string, kept []byte) error {
	before, code, after, err := layout(kept)
	if err != nil {
		return err
	}
	out := make([]byte, 0, len(kept)+2*page)
	out = append(out, code...)
	out = append(out, make([]byte, padding(len(code)))...)
	out = append(append(out, before...), after...)
	for _, part := range [][]byte{code, before, after} {
		out = binary.LittleEndian.AppendUint64(out, uint64(len(part)))
	}
	return os.WriteFile(name, out, 0o600)
}

// padding fills a size up to whole pages of every system that there is.
func padding(size int) int { return (page - size%page) % page }

// code is such a file, read as wazero wants it.
type code struct {
	file *os.File
	size int // of the code
	rest []byte
	head int // of rest, before the code
	at   int // what of all was read
}

func openCode(name string) (*code, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	c, err := readCode(f)
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return c, nil
}

func readCode(f *os.File) (*code, error) {
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	var tail [mappedTail]byte
	if _, err := f.ReadAt(tail[:], st.Size()-mappedTail); err != nil {
		return nil, err
	}
	size, head, after := binary.LittleEndian.Uint64(tail[:]), binary.LittleEndian.Uint64(tail[8:]), binary.LittleEndian.Uint64(tail[16:])
	whole := uint64(st.Size())
	if size > whole || head > whole || after > whole || size+uint64(padding(int(size)))+head+after+mappedTail != whole {
		return nil, errors.New("the code of the engine is not as expected")
	}
	c := &code{file: f, size: int(size), rest: make([]byte, head+after), head: int(head)}
	_, err = f.ReadAt(c.rest, int64(c.size+padding(c.size)))
	return c, err
}

// Read gives what stands before, the code, and what stands after. Where all of the
// code is asked for at once it is mapped.
func (c *code) Read(p []byte) (int, error) {
	switch at := c.at - c.head; {
	case at < 0:
		n := copy(p, c.rest[c.at:c.head])
		c.at += n
		return n, nil
	case at == 0 && len(p) == c.size && mapCode(p, c.file) == nil:
		c.at += c.size
		return c.size, nil
	case at < c.size:
		n, err := c.file.ReadAt(p[:min(len(p), c.size-at)], int64(at))
		c.at += n
		return n, err
	default:
		n := copy(p, c.rest[c.at-c.size:])
		c.at += n
		if n == 0 && len(p) > 0 {
			return 0, io.EOF
		}
		return n, nil
	}
}

// Close closes the file; what is mapped stays.
func (c *code) Close() error { return c.file.Close() }

// files is wazero's cache of files with the entries of dir. Their keys say of which
// version of wazero, features of the processor and module the code is.
type files struct{ dir string }

func mappedName(dir, key string) string { return filepath.Join(dir, key+".code") }

// Get opens an entry.
func (f files) Get(key [32]byte) (io.ReadCloser, bool, error) {
	c, err := openCode(mappedName(f.dir, hex.EncodeToString(key[:])))
	if errors.Is(err, os.ErrNotExist) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	return c, true, nil
}

// Add keeps nothing: compile does.
func (files) Add([32]byte, io.Reader) error { return nil }

// Delete takes an entry away.
func (f files) Delete(key [32]byte) error {
	return os.Remove(mappedName(f.dir, hex.EncodeToString(key[:])))
}

// mapped is wazero's cache that reads the code in dir; false if wazero's is made in
// another way than it was.
func mapped(dir string) (wazero.CompilationCache, bool) {
	cache := wazero.NewCompilationCache()
	v := reflect.ValueOf(cache)
	if v.Kind() != reflect.Pointer || v.Elem().Kind() != reflect.Struct {
		return nil, false
	}
	field := v.Elem().FieldByName("fileCache")
	entry := reflect.ValueOf(files{dir})
	if !field.IsValid() || field.Kind() != reflect.Interface || !entry.Type().Implements(field.Type()) {
		return nil, false
	}
	reflect.NewAt(field.Type(), unsafe.Pointer(field.UnsafeAddr())).Elem().Set(entry)
	return cache, true
}
