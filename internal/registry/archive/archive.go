// Package archive holds the files of a pack in memory, within fixed bounds: read from
// a directory or from an archive, hashed, and written as either. Nothing is written
// before all of it was checked.
package archive

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/mod/sumdb/dirhash"

	"github.com/tool-mapping-protocol/tmp/internal/registry/fault"
)

// The bounds of a pack.
const (
	MaxFiles  = 512
	MaxFile   = 4 << 20
	MaxTotal  = 16 << 20
	MaxPacked = 16 << 20 // of the archive itself
	maxDepth  = 64       // of JSON
	maxName   = 200      // bytes of a path
)

// Files are the files of a pack by their paths, with slashes.
type Files map[string][]byte

// Names are the paths, sorted.
func (f Files) Names() []string {
	names := make([]string, 0, len(f))
	for n := range f {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

// Digest is the pack's identity: "h1:" and the hash of the sorted files, as
// golang.org/x/mod/sumdb/dirhash has it.
func (f Files) Digest() string {
	h, _ := dirhash.Hash1(f.Names(), func(name string) (io.ReadCloser, error) { // the names have no newline, and reading never fails
		return io.NopCloser(bytes.NewReader(f[name])), nil
	})
	return h
}

// Archive is the pack as a tar.gz; the same files give the same bytes.
func (f Files) Archive() []byte {
	var out bytes.Buffer
	z, _ := gzip.NewWriterLevel(&out, gzip.BestCompression) // the level is one
	t := tar.NewWriter(z)
	for _, name := range f.Names() {
		// Writing into memory does not fail, and the names are fit for a header.
		_ = t.WriteHeader(&tar.Header{
			Typeflag: tar.TypeReg, Name: name, Size: int64(len(f[name])), Mode: 0o644,
			ModTime: time.Unix(0, 0), Format: tar.FormatPAX,
		})
		_, _ = t.Write(f[name])
	}
	_, _ = t.Close(), z.Close()
	return out.Bytes()
}

// Open reads an archive. What is no pack is refused before anything is kept.
func Open(packed []byte) (Files, error) {
	if len(packed) > MaxPacked {
		return nil, fault.New(fault.BadArchive, "it has more than %d bytes", MaxPacked)
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, fault.New(fault.BadArchive, "it is no gzip").Because(err)
	}
	// Headers count too: a million empty entries are not read to their end.
	t := tar.NewReader(&bounded{r: z, left: MaxTotal + MaxFiles*4096})
	c := collector{files: Files{}}
	for {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, broken(err)
		}
		if h.Typeflag == tar.TypeXGlobalHeader {
			return nil, fault.New(fault.BadArchive, "it has a global header")
		}
		if h.Typeflag != tar.TypeReg {
			return nil, fault.In(fault.BadArchive, shown(h.Name), "is %s: a pack has plain files alone", kind(h.Typeflag))
		}
		if err := c.room(h.Name, h.Size); err != nil {
			return nil, err
		}
		data, err := io.ReadAll(io.LimitReader(t, MaxFile+1))
		if err != nil {
			return nil, broken(err)
		}
		if err := c.add(h.Name, data); err != nil {
			return nil, err
		}
	}
	return c.done()
}

func broken(err error) error {
	var f *fault.Fault
	if errors.As(err, &f) {
		return f
	}
	return fault.New(fault.BadArchive, "it cannot be read").Because(err)
}

func kind(t byte) string {
	switch t {
	case tar.TypeLink:
		return "a hard link"
	case tar.TypeSymlink:
		return "a symbolic link"
	case tar.TypeChar, tar.TypeBlock:
		return "a device"
	case tar.TypeFifo:
		return "a FIFO"
	case tar.TypeDir:
		return "a directory"
	}
	return "no plain file"
}

// bounded is a reader that refuses to go on after so many bytes.
type bounded struct {
	r    io.Reader
	left int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, fault.New(fault.BadArchive, "it unpacks to more than %d bytes", MaxTotal)
	}
	if int64(len(p)) > b.left {
		p = p[:b.left]
	}
	n, err := b.r.Read(p)
	b.left -= int64(n)
	return n, err
}

// ReadDir reads the directory of a pack. The names of .git and its like do not
// matter there: what is no file of a pack is refused.
func ReadDir(dir string) (Files, error) {
	c := collector{files: Files{}}
	err := filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, file)
		if err != nil {
			return err
		}
		name := filepath.ToSlash(rel)
		switch {
		case d.IsDir() && (name == "." || name == "maps" || name == "samples"):
			return nil
		case d.IsDir():
			return fault.In(fault.BadPack, name, "no directory of a pack: it has maps and samples")
		case !d.Type().IsRegular():
			return fault.In(fault.BadPack, name, "is no plain file")
		}
		st, err := d.Info()
		if err != nil {
			return err
		}
		if err := c.room(name, st.Size()); err != nil {
			return err
		}
		data, err := readPlain(file)
		if err != nil {
			return err
		}
		return c.add(name, data)
	})
	if err != nil {
		return nil, err
	}
	return c.done()
}

// readPlain reads a file that is one when it is opened too.
func readPlain(file string) ([]byte, error) {
	f, err := os.OpenFile(file, os.O_RDONLY|noFollow, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if st, err := f.Stat(); err != nil || !st.Mode().IsRegular() {
		return nil, fault.In(fault.BadPack, file, "is no plain file")
	}
	return io.ReadAll(io.LimitReader(f, MaxFile+1))
}

// collector takes files within the bounds.
type collector struct {
	files Files
	total int64
	lower map[string]string
}

// room refuses a file by its name and size, before it is read.
func (c *collector) room(name string, size int64) error {
	if reason := badName(name); reason != "" {
		return fault.In(fault.BadArchive, shown(name), "%s", reason)
	}
	if len(c.files) >= MaxFiles {
		return fault.New(fault.BadArchive, "it has more than %d files", MaxFiles)
	}
	if size > MaxFile {
		return fault.In(fault.BadArchive, name, "has more than %d bytes", MaxFile)
	}
	if c.total+size > MaxTotal {
		return fault.New(fault.BadArchive, "it unpacks to more than %d bytes", MaxTotal)
	}
	if c.lower == nil {
		c.lower = map[string]string{}
	}
	low := strings.ToLower(name)
	if other, twice := c.lower[low]; twice {
		if other == name {
			return fault.In(fault.BadArchive, name, "is there twice")
		}
		return fault.In(fault.BadArchive, name, "differs from %s in case only", other)
	}
	c.lower[low] = name
	return nil
}

func (c *collector) add(name string, data []byte) error {
	if len(data) > MaxFile {
		return fault.In(fault.BadArchive, name, "has more than %d bytes", MaxFile)
	}
	if c.total += int64(len(data)); c.total > MaxTotal {
		return fault.New(fault.BadArchive, "it unpacks to more than %d bytes", MaxTotal)
	}
	if !utf8.Valid(data) {
		return fault.In(fault.BadArchive, name, "is not UTF-8")
	}
	if strings.HasSuffix(name, ".json") {
		if line := tooDeep(data); line > 0 {
			return &fault.Fault{Code: fault.BadArchive, File: name, Line: line, Reason: "is nested too deeply"}
		}
	}
	c.files[name] = data
	return nil
}

func (c *collector) done() (Files, error) {
	if _, ok := c.files["pack.json"]; !ok {
		return nil, fault.In(fault.BadPack, "pack.json", "is missing")
	}
	return c.files, nil
}

// badName is why a path is none of a pack, "" if it is one.
func badName(name string) string {
	switch {
	case name == "":
		return "is an empty name"
	case !utf8.ValidString(name):
		return "is no UTF-8"
	case strings.ContainsFunc(name, unprintable):
		return "has a control or hidden character"
	case len(name) > maxName:
		return "is too long a name"
	case path.IsAbs(name) || strings.Contains(name, `\`):
		return "is no relative path"
	case path.Clean(name) != name || name == ".." || strings.HasPrefix(name, "../"):
		return "leads out of the pack or is no plain path"
	}
	dir, base := path.Split(name)
	ext := path.Ext(base)
	switch {
	case name == "pack.json", name == "risk.toml", name == "LICENSE", name == "README.md":
		return ""
	case base == "" || base[0] == '.':
	case dir == "maps/" && ext == ".json", dir == "samples/" && (ext == ".toml" || ext == ".txt"):
		return ""
	}
	return "is no file of a pack: it has pack.json, maps/*.json, risk.toml, samples/*.toml with the outputs that they name (*.txt), LICENSE and README.md"
}

func unprintable(r rune) bool { return !unicode.IsPrint(r) }

// shown is a name that is fit to be shown.
func shown(name string) string {
	if len(name) > maxName {
		name = name[:maxName] + "…"
	}
	return strings.Map(func(r rune) rune {
		if unprintable(r) || r == utf8.RuneError {
			return '?'
		}
		return r
	}, name)
}

// tooDeep returns the line on which JSON is nested more than maxDepth deep, 0 if it
// nowhere is. It looks at brackets outside of strings and judges nothing else.
func tooDeep(data []byte) int {
	depth, line, text := 0, 1, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case c == '\n':
			line++
		case text && c == '\\':
			i++
		case c == '"':
			text = !text
		case text:
		case c == '{', c == '[':
			if depth++; depth > maxDepth {
				return line
			}
		case c == '}', c == ']':
			depth--
		}
	}
	return 0
}

// Write puts the files below a directory that is not there yet, each made lasting.
func (f Files) Write(dir string) error {
	for _, name := range f.Names() {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := writeFile(file, f[name]); err != nil {
			return err
		}
	}
	return nil
}

func writeFile(file string, data []byte) error {
	out, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = out.Write(data)
	return errors.Join(err, out.Close())
}
