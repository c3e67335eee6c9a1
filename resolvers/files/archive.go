package files

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/internal/inflate"
	"github.com/tool-mapping-protocol/tmp/resolvers"
)

// Bounds of what is read of an archive: compressed bytes, bytes that they
// expand to, and the directory of a zip file.
const (
	maxPacked    = 8 << 20
	maxUnpacked  = 16 << 20
	maxDirectory = 16 << 20
)

var errArchive = errors.New("not an archive that can be looked into")

// Archives answers archives: files, those first whose name is an archive's.
func Archives(ctx context.Context, r resolvers.Request) resolvers.Answer {
	a := ListDir(ctx, r, "", false)
	all := len(a.Values) + a.Omitted
	if a.Omitted > 0 { // some may be among what was left out
		for _, ext := range archiveNames {
			if more := ListDir(ctx, r, "*"+ext, false); more.State == resolvers.Fresh {
				a.Values = append(a.Values, more.Values...)
			}
		}
	}
	for i := range a.Values {
		v := &a.Values[i]
		if v.Kind == "file" && slices.ContainsFunc(archiveNames[:], func(ext string) bool { return strings.HasSuffix(v.Value, ext) }) {
			v.Weight = 1
		}
	}
	slices.SortStableFunc(a.Values, resolvers.ByOrder)
	a.Values = slices.CompactFunc(a.Values, func(x, y resolvers.Value) bool { return x.Value == y.Value })
	if r.Limit > 0 && len(a.Values) > r.Limit {
		a.Values = a.Values[:r.Limit]
	}
	a.Omitted = all - len(a.Values)
	return a
}

// archiveNames are ends of names of archives.
var archiveNames = [...]string{
	".tar.gz", ".tgz", ".tar", ".tar.xz", ".tar.bz2", ".tar.zst", ".txz", ".tbz2", ".tzst", ".zip", ".jar", ".7z", ".cpio",
}

// TarMembers answers tar:members: what is in the archive that the words name,
// as far as it is plain or gzip. Of a large compressed one only the beginning is read.
func TarMembers(ctx context.Context, r resolvers.Request) resolvers.Answer {
	name := tarFile(r.Words)
	if name == "" || name == "-" {
		return resolvers.Answer{State: resolvers.Fresh}
	}
	c := resolvers.NewCollector(ctx, r)
	f, size, err := openRegular(disk.Within(r.Dir, name))
	if err != nil {
		return resolvers.Failure(err)
	}
	defer f.Close()
	var data io.ReaderAt = f
	var magic [10]byte
	if _, err := f.ReadAt(magic[:], 0); err == nil && magic[0] == 0x1f && magic[1] == 0x8b {
		packed := make([]byte, min(size, maxPacked))
		if _, err := io.ReadFull(f, packed); err != nil {
			return resolvers.Failure(err)
		}
		body, ok := gzipBody(packed)
		if !ok {
			return resolvers.Failure(errArchive)
		}
		plain, whole := inflate.Deflate(body, 4*len(packed), maxUnpacked)
		data, size, c.Cut = bytes.NewReader(plain), int64(len(plain)), !whole
	}
	if !tarNames(data, size, func(name string) bool {
		c.Add(resolvers.Value{Value: name, Kind: "member"})
		return !c.Late()
	}) {
		return resolvers.Answer{State: resolvers.Fresh} // another compression: nothing to say
	}
	return c.Answer()
}

// tarFile is the archive in the words of a tar command: behind -f, --file, a
// bundle that ends in f, or in the order of the letters of a first word without a dash.
func tarFile(words []string) string {
	const takeValue = "bfCFgHIKLNTVX"
	for i := 1; i < len(words); i++ {
		w := words[i]
		switch {
		case w == "--":
			return ""
		case w == "--file" && i+1 < len(words):
			return words[i+1]
		case strings.HasPrefix(w, "--file="):
			return w[len("--file="):]
		case strings.HasPrefix(w, "--"):
		case strings.HasPrefix(w, "-"):
			k := strings.IndexAny(w, takeValue)
			if k < 0 || w[k] != 'f' {
				if k == len(w)-1 {
					i++ // the value of another option
				}
				continue
			}
			if k+1 < len(w) {
				return w[k+1:]
			}
			if i+1 < len(words) {
				return words[i+1]
			}
		case i == 1:
			at := i
			for k := range len(w) {
				if strings.IndexByte(takeValue, w[k]) < 0 {
					continue
				}
				if at++; w[k] == 'f' && at < len(words) {
					return words[at]
				}
			}
		}
	}
	return ""
}

// openRegular opens a regular file without waiting for the other end of a pipe.
func openRegular(path string) (*os.File, int64, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, 0, err
	}
	st, err := f.Stat()
	if err == nil && !st.Mode().IsRegular() {
		err = &os.PathError{Op: "read", Path: path, Err: errArchive}
	}
	if err != nil {
		f.Close()
		return nil, 0, err
	}
	return f, st.Size(), nil
}

// gzipBody passes over the header of a gzip file (RFC 1952).
func gzipBody(b []byte) ([]byte, bool) {
	if len(b) < 10 || b[2] != 8 {
		return nil, false
	}
	flags, at := b[3], 10
	if flags&4 != 0 && at+2 <= len(b) {
		at += 2 + int(binary.LittleEndian.Uint16(b[at:]))
	}
	for _, bit := range [...]byte{8, 16} { // file name, comment
		if flags&bit != 0 && at < len(b) {
			n := bytes.IndexByte(b[at:], 0)
			if n < 0 {
				return nil, false
			}
			at += n + 1
		}
	}
	if flags&2 != 0 {
		at += 2
	}
	if at > len(b) {
		return nil, false
	}
	return b[at:], true
}

// tarNames visits the members of a tar file of a size (POSIX ustar and pax,
// GNU long names) and reports whether it is one.
func tarNames(r io.ReaderAt, size int64, visit func(string) bool) bool {
	const block = 512
	var h [block]byte
	long := ""
	for at := int64(0); at+block <= size; {
		if _, err := r.ReadAt(h[:], at); err != nil {
			return at > 0
		}
		if h[0] == 0 {
			return at > 0 || size%block == 0
		}
		if !tarChecksum(&h) {
			return at > 0
		}
		at += block
		n := octal(h[124:136])
		if n < 0 {
			return true
		}
		switch h[156] {
		case 'L', 'x': // the name of the next member
			text := make([]byte, min(n, 64<<10))
			if _, err := r.ReadAt(text, at); err != nil {
				return true
			}
			if h[156] == 'L' {
				long = cString(text)
			} else if name := paxPath(string(text)); name != "" {
				long = name
			}
		case 'K', 'g', 'V':
		default:
			name := cString(h[:100])
			if prefix := cString(h[345:500]); prefix != "" && string(h[257:263]) == "ustar\x00" {
				name = prefix + "/" + name
			}
			if long != "" {
				name, long = long, ""
			}
			if name != "" && !visit(name) {
				return true
			}
		}
		at += (n + block - 1) &^ (block - 1)
	}
	return true
}

func tarChecksum(h *[512]byte) bool {
	sum := int64(0)
	for i, c := range h {
		if i >= 148 && i < 156 {
			c = ' '
		}
		sum += int64(c)
	}
	return sum == octal(h[148:156])
}

// octal reads a number of a tar header, -1 for none. A first byte above 0x7f
// means that the rest is binary.
func octal(b []byte) int64 {
	n := int64(0)
	if b[0]&0x80 != 0 {
		for _, c := range b[len(b)-7:] {
			n = n<<8 | int64(c)
		}
		return n
	}
	for _, c := range b {
		switch {
		case c >= '0' && c <= '7':
			n = n<<3 | int64(c-'0')
		case c != 0 && c != ' ':
			return -1
		}
	}
	return n
}

func cString(b []byte) string {
	if i := bytes.IndexByte(b, 0); i >= 0 {
		b = b[:i]
	}
	return string(b)
}

// paxPath returns the path of a pax header: records "LENGTH KEY=VALUE\n".
func paxPath(text string) string {
	for line := range strings.SplitSeq(text, "\n") {
		if _, record, ok := strings.Cut(line, " "); ok {
			if name, ok := strings.CutPrefix(record, "path="); ok {
				return name
			}
		}
	}
	return ""
}

// ZipMembers answers zip:members: what is in the archive that is the first
// argument, read from its central directory.
func ZipMembers(ctx context.Context, r resolvers.Request) resolvers.Answer {
	name := ""
	for _, w := range r.Words[min(1, len(r.Words)):] {
		if !strings.HasPrefix(w, "-") {
			name = w
			break
		}
	}
	if name == "" {
		return resolvers.Answer{State: resolvers.Fresh}
	}
	c := resolvers.NewCollector(ctx, r)
	path := disk.Within(r.Dir, name)
	f, size, err := openRegular(path)
	if errors.Is(err, os.ErrNotExist) && filepath.Ext(path) == "" {
		f, size, err = openRegular(path + ".zip") // as unzip does
	}
	if err != nil {
		return resolvers.Failure(err)
	}
	defer f.Close()
	directory, ok := zipDirectory(f, size)
	if !ok {
		return resolvers.Failure(errArchive)
	}
	for len(directory) >= 46 && binary.LittleEndian.Uint32(directory) == 0x02014b50 {
		n := int(binary.LittleEndian.Uint16(directory[28:]))
		next := 46 + n + int(binary.LittleEndian.Uint16(directory[30:])) + int(binary.LittleEndian.Uint16(directory[32:]))
		if next > len(directory) || c.Late() {
			break
		}
		c.Add(resolvers.Value{Value: string(directory[46 : 46+n]), Kind: "member"})
		directory = directory[next:]
	}
	return c.Answer()
}

// zipDirectory reads the central directory of a zip file of a size.
func zipDirectory(f io.ReaderAt, size int64) ([]byte, bool) {
	const tail = 22 // the end record, without the comment behind it
	end := make([]byte, min(size, tail+1<<16))
	if _, err := f.ReadAt(end, size-int64(len(end))); err != nil {
		return nil, false
	}
	for i := len(end) - tail; i >= 0; i-- {
		if binary.LittleEndian.Uint32(end[i:]) != 0x06054b50 {
			continue
		}
		length := int64(binary.LittleEndian.Uint32(end[i+12:]))
		start := int64(binary.LittleEndian.Uint32(end[i+16:]))
		if length > maxDirectory || start+length > size {
			return nil, false
		}
		directory := make([]byte, length)
		_, err := f.ReadAt(directory, start)
		return directory, err == nil
	}
	return nil, false
}
