package machine

import (
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"context"
	_ "embed" // the lists of names
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// maxPage is how much of a manual page is read, in bytes, decompressed.
const maxPage = 4 << 20

// manuals is where the manual pages of commands are, by name.
type manuals struct {
	roots []string
	pages map[string]page
}

type page struct {
	file    string
	section string // "1", "8", "6"
}

// manSections are those that describe commands, the first one wins.
var manSections = [...]string{"1", "8", "6"}

// findManuals lists the pages below the directories of MANPATH, or where it is
// not set, those that belong to PATH and the usual ones. Pages in other
// languages are left out: what one language says of the options the other does.
func findManuals(manpath, path string) *manuals {
	m := &manuals{pages: map[string]page{}}
	add := func(dir string) {
		if filepath.IsAbs(dir) && !slices.Contains(m.roots, dir) {
			m.roots = append(m.roots, dir)
		}
	}
	usual := func() {
		for _, bin := range absolute(path) {
			add(filepath.Join(filepath.Dir(bin), "share", "man"))
			add(filepath.Join(filepath.Dir(bin), "man"))
		}
		for _, dir := range []string{"/usr/local/man", "/usr/local/share/man", "/usr/share/man"} {
			add(dir)
		}
	}
	if manpath == "" {
		usual()
	}
	for _, dir := range filepath.SplitList(manpath) {
		if dir == "" { // an empty entry stands for the usual ones
			usual()
			continue
		}
		add(dir)
	}
	for _, section := range manSections {
		for _, root := range m.roots {
			m.list(filepath.Join(root, "man"+section), section)
		}
	}
	return m
}

func (m *manuals) list(dir, section string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		name := strings.TrimSuffix(e.Name(), compression(e.Name()))
		dot := strings.LastIndexByte(name, '.')
		if dot <= 0 || !strings.HasPrefix(name[dot+1:], section) {
			continue
		}
		if name = name[:dot]; m.pages[name].file == "" {
			m.pages[name] = page{filepath.Join(dir, e.Name()), section}
		}
	}
}

// pageOf is the page that describes a program: that of its name, else that of
// the program that it is a link to, one that lies beside the program (as for
// /usr/lib/llvm-14/bin/clang), or that of its name without a version and a
// platform. Zero if there is none.
func (m *Machine) pageOf(p Program) page {
	names := namesOf(p)
	known := m.manuals().pages
	if found := known[names[0]]; found.file != "" {
		return found
	}
	beside := m.besides.of(filepath.Join(filepath.Dir(filepath.Dir(p.Real)), "share", "man"))
	for _, name := range names {
		for _, pages := range []map[string]page{beside, known} {
			if found := pages[name]; found.file != "" {
				return found
			}
		}
	}
	return page{}
}

// besides keeps what each directory of manuals holds: most programs of one
// directory share the one beside it.
type besides struct {
	mu    sync.Mutex
	pages map[string]map[string]page // by the directory of the manuals
}

func (b *besides) of(dir string) map[string]page {
	b.mu.Lock()
	defer b.mu.Unlock()
	if pages, ok := b.pages[dir]; ok {
		return pages
	}
	m := &manuals{pages: map[string]page{}}
	for _, section := range manSections {
		m.list(filepath.Join(dir, "man"+section), section)
	}
	if b.pages == nil {
		b.pages = map[string]map[string]page{}
	}
	b.pages[dir] = m.pages
	return m.pages
}

// namesOf are the names under which texts of a program may be found: its own,
// that of the program that it is a link to, and its own without a version and a
// platform.
func namesOf(p Program) []string {
	names := []string{p.Name}
	if real := filepath.Base(p.Real); real != p.Name && !multiCall(real) {
		names = append(names, real)
	}
	if plain := plainName(p.Name); !slices.Contains(names, plain) {
		names = append(names, plain)
	}
	return names
}

// multiCalls are names of programs to which others are links, and of interpreters
// whose scripts are.
//
//go:embed multicall.txt
var multiCalls string

// multiCall reports whether a program is many under many names.
func multiCall(name string) bool {
	return slices.Contains(strings.Fields(multiCalls), name)
}

// plainName is a program's name without the platform that it is built for and
// without its version: gcc for x86_64-linux-gnu-gcc-12, pip for pip3.11.
func plainName(name string) string {
	for _, system := range [...]string{"-linux-gnu-", "-linux-musl-", "-linux-gnueabihf-", "-w64-mingw32-"} {
		if _, rest, ok := strings.Cut(name, system); ok && rest != "" {
			name = rest
			break
		}
	}
	plain := strings.TrimRight(name, "0123456789.")
	switch {
	case len(plain) == len(name) || strings.HasSuffix(name, "."):
		return name
	case strings.HasSuffix(plain, "-") && len(plain) > 2:
		return plain[:len(plain)-1]
	case len(plain) < 3:
		return name
	}
	return plain
}

// compression is the ending of a compressed file's name, "" if it is not.
func compression(file string) string {
	switch ext := filepath.Ext(file); ext {
	case ".gz", ".bz2", ".xz", ".zst", ".lzma", ".Z", ".z":
		return ext
	}
	return ""
}

// include returns the page that a ".so" line names, nil if there is none.
func (m *manuals) include(name string, read func(file string) ([]byte, error)) []byte {
	if !filepath.IsLocal(name) {
		return nil
	}
	for _, root := range m.roots {
		for _, ext := range []string{"", ".gz", ".bz2", ".xz", ".zst"} {
			if data, _ := read(filepath.Join(root, name+ext)); len(data) > 0 {
				return data
			}
		}
	}
	return nil
}

// packedError is a page in a compression that is not read here: the program of
// that name does.
type packedError struct{ program string }

func (e *packedError) Error() string {
	return "is compressed by " + e.program + ", which is not read here"
}

// readAnyPage is readPage, and for a compression that is not read here asks the
// installed program that does, in the jail.
func (m *Machine) readAnyPage(ctx context.Context, file string) ([]byte, error) {
	data, err := readPage(file)
	var packed *packedError
	if !errors.As(err, &packed) {
		return data, err
	}
	st, why := os.Stat(file)
	if why != nil || st.Size() > maxPage {
		return nil, err
	}
	raw, why := os.ReadFile(file)
	if why != nil {
		return nil, why
	}
	return m.Unpack(ctx, packed.program, raw)
}

// Unpack decompresses a page with an installed program, xz or zstd, in the jail.
// With an error it returns what could be read all the same.
func (m *Machine) Unpack(ctx context.Context, program string, page []byte) ([]byte, error) {
	p, err := Find(m.opts.Getenv("PATH"), program)
	if err != nil {
		return nil, fmt.Errorf("is compressed by %s, which is not installed", program)
	}
	r, err := m.Try(ctx, p, Trial{Args: []string{"-dc"}, Stdin: page})
	switch {
	case errors.Is(err, errNotRun): // programs are not to be run
		return nil, &packedError{program}
	case err != nil:
		return nil, fmt.Errorf("%w: %w", &packedError{program}, err)
	case r.Status != 0 || r.TimedOut:
		return r.Stdout, fmt.Errorf("cannot be decompressed by %s", program)
	}
	return r.Stdout, nil
}

// readPage reads a page and decompresses it. With an error it returns what could
// be read all the same.
func readPage(file string) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if st, err := f.Stat(); err != nil || !st.Mode().IsRegular() {
		return nil, errors.New("is not a regular file")
	}
	head := make([]byte, 4)
	n, _ := io.ReadFull(f, head)
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	var r io.Reader = f
	switch head = head[:n]; {
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		z, err := gzip.NewReader(f)
		if err != nil {
			return nil, err
		}
		r = z
	case bytes.HasPrefix(head, []byte("BZh")):
		r = bzip2.NewReader(f)
	case bytes.HasPrefix(head, []byte{0xfd, '7', 'z'}):
		return nil, &packedError{"xz"}
	case bytes.HasPrefix(head, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		return nil, &packedError{"zstd"}
	case bytes.HasPrefix(head, []byte{0x1f, 0x9d}):
		return nil, errors.New("is compressed by compress, which is not read")
	}
	data, err := io.ReadAll(io.LimitReader(r, maxPage))
	if err != nil { // a torn page says what it says
		return data, fmt.Errorf("cannot be decompressed: %w", err)
	}
	return data, nil
}
