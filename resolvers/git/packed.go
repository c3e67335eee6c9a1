package git

import (
	"bytes"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"syscall"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
)

const (
	packedWindow = 2 << 10  // bytes that one probe of the binary search reads
	packedChunk  = 16 << 10 // bytes that reading on takes at a time
	// maxRefLine bounds a line of packed-refs, in bytes. A longer one is
	// passed over.
	maxRefLine = 64 << 10
	maxFences  = 1 << 10
)

// packedRefs reads a packed-refs file: a header, then "<object> <name>" lines
// that git keeps sorted by name, each perhaps followed by "^<peeled object>".
// Windows of it are read rather than the file mapped: the pages of a mapping
// cost a fault each, a read into a warm buffer does not.
type packedRefs struct {
	fd     int
	size   int64
	start  int64 // offset of the first line after the header
	hexLen int
	sorted bool

	buf   []byte // the window: bytes [bufAt, bufAt+len(buf)) of the file
	bufAt int64

	fences []fence // what earlier searches met, by offset and so by name
}

// fence remembers a probe, so that later searches begin in a narrow range.
type fence struct {
	at   int64  // offset of the probe
	name string // name of the first ref whose line begins there or later
}

// openPacked opens packed-refs; nil without an error when there is none.
func openPacked(path string, hexLen int) (*packedRefs, error) {
	fd, err := disk.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var st syscall.Stat_t
	if err := syscall.Fstat(fd, &st); err != nil || st.Mode&syscall.S_IFMT != syscall.S_IFREG {
		disk.Close(fd)
		return nil, &fs.PathError{Op: "read", Path: path, Err: fs.ErrInvalid}
	}
	p := &packedRefs{fd: fd, size: st.Size, hexLen: hexLen}
	if err := p.header(); err != nil {
		disk.Close(fd)
		return nil, &fs.PathError{Op: "read", Path: path, Err: err}
	}
	return p, nil
}

func (p *packedRefs) close() {
	if p == nil {
		return
	}
	disk.Close(p.fd)
}

// header reads the traits of "# pack-refs with: peeled fully-peeled sorted".
func (p *packedRefs) header() error {
	line, next, err := p.line(0, packedWindow)
	if err != nil || !bytes.HasPrefix(line, []byte("#")) {
		return err
	}
	p.start = next
	if traits, ok := bytes.CutPrefix(line, []byte("# pack-refs with:")); ok {
		for _, trait := range bytes.Fields(traits) {
			p.sorted = p.sorted || string(trait) == "sorted"
		}
	}
	return nil
}

// load makes the window begin at offset, or hold the whole file where that is
// small.
func (p *packedRefs) load(offset, n int64) error {
	if p.size <= packedChunk {
		offset, n = 0, p.size
	}
	n = min(n, p.size-offset)
	if int64(cap(p.buf)) < n {
		p.buf = make([]byte, max(n, min(p.size, packedChunk)))
	}
	m, err := disk.ReadAt(p.fd, p.buf[:n], offset)
	p.buf, p.bufAt = p.buf[:m], offset
	return err
}

// line gives the line that begins at offset, without its end, and where the
// next begins. want is how many bytes to read when the window has not the
// whole line. The line is good until the next call.
func (p *packedRefs) line(offset, want int64) (line []byte, next int64, err error) {
	for offset < p.size {
		if end := p.bufAt + int64(len(p.buf)); offset >= p.bufAt && offset < end {
			b := p.buf[offset-p.bufAt:]
			if i := bytes.IndexByte(b, '\n'); i >= 0 {
				return b[:i], offset + int64(i) + 1, nil
			}
			if end >= p.size {
				return nil, p.size, nil // an unfinished line is no line
			}
			if int64(len(b)) >= want {
				if want *= 4; want > maxRefLine {
					// Too long for a ref: go on after what was read.
					offset = end
				}
			}
		}
		before := p.bufAt
		if err := p.load(offset, want); err != nil {
			return nil, p.size, err
		}
		if len(p.buf) == 0 || p.bufAt == before && p.bufAt+int64(len(p.buf)) <= offset {
			return nil, p.size, nil // the file became shorter
		}
	}
	return nil, p.size, nil
}

// refAt gives the first ref whose line begins at offset or later. name is nil
// at the end of the file. Lines that are no refs are passed over: peeled
// objects, and what git would refuse.
func (p *packedRefs) refAt(offset, want int64) (name []byte, next int64, err error) {
	for offset < p.size {
		line, next, err := p.line(offset, want)
		if err != nil {
			return nil, p.size, err
		}
		if len(line) > p.hexLen+1 && line[p.hexLen] == ' ' {
			return line[p.hexLen+1:], next, nil
		}
		offset = next
	}
	return nil, p.size, nil
}

// lineStart gives the first offset from at on where a line begins.
func (p *packedRefs) lineStart(at int64) (int64, error) {
	if at <= p.start {
		return p.start, nil
	}
	_, next, err := p.line(at-1, packedWindow)
	return next, err
}

// search gives the offset of the first line whose name is not less than
// target, or the size of the file. The file must be sorted.
func (p *packedRefs) search(target string) (int64, error) {
	low, high := p.start, p.size
	i, _ := slices.BinarySearchFunc(p.fences, target, func(f fence, t string) int { return strings.Compare(f.name, t) })
	if i > 0 {
		low = p.fences[i-1].at
	}
	if i < len(p.fences) {
		high = p.fences[i].at
	}
	// The first ref from low on is less than target (or low is the start), the
	// first from high on is not.
	for high-low > packedWindow {
		mid := low + (high-low)/2
		begin, err := p.lineStart(mid)
		if err != nil {
			return p.size, err
		}
		name, _, err := p.refAt(begin, packedWindow)
		if err != nil {
			return p.size, err
		}
		if name == nil {
			high = mid
			continue
		}
		less := disk.View(name) < target
		if len(p.fences) < maxFences {
			p.fences = slices.Insert(p.fences, i, fence{at: mid, name: string(name)})
		}
		if less {
			low = mid
			i++
		} else {
			high = mid
		}
	}
	offset, err := p.lineStart(low)
	for err == nil && offset < p.size {
		var name []byte
		var next int64
		name, next, err = p.refAt(offset, 2*packedWindow)
		if name == nil {
			return p.size, err
		}
		if disk.View(name) >= target {
			return offset, nil
		}
		offset = next
	}
	return p.size, err
}

// has reports whether the file names the ref. The file must be sorted.
func (p *packedRefs) has(ref string) bool {
	offset, err := p.search(ref)
	if err != nil {
		return false
	}
	name, _, err := p.refAt(offset, packedWindow)
	return err == nil && string(name) == ref
}

// span gives the offsets between which the names begin with prefix.
func (p *packedRefs) span(prefix string) (from, to int64, err error) {
	if from, err = p.search(prefix); err != nil {
		return 0, 0, err
	}
	to, err = p.search(successor(prefix))
	return from, max(from, to), err
}

// successor gives the least text that is greater than all that begin with
// prefix. Prefixes here begin with "refs/", so there is one.
func successor(prefix string) string {
	b := []byte(prefix)
	for len(b) > 0 {
		if b[len(b)-1] < 0xff {
			b[len(b)-1]++
			return string(b)
		}
		b = b[:len(b)-1]
	}
	return "\xff"
}

// chunkFor gives how much of a span to read at a time. A system call costs as
// much as copying some ten kilobytes, a page of fresh memory more: for a span
// of megabytes 32 KiB is the balance, measured against more and against mapping
// the file, which is twice as slow to run through for the first time.
func chunkFor(span int64) int64 {
	return min(max(span/16, packedChunk), 32<<10)
}

// count counts the refs whose lines begin in [from, to), which are line
// starts: line ends without those of peeled objects. "^" stands in no ref
// name, so no line is parsed.
func (p *packedRefs) count(from, to int64) (int, error) {
	n := 0
	chunk := chunkFor(to - from)
	for from < to {
		if !(from >= p.bufAt && from < p.bufAt+int64(len(p.buf))) {
			if err := p.load(from, chunk); err != nil {
				return n, err
			}
			if len(p.buf) == 0 {
				break
			}
		}
		b := p.buf[from-p.bufAt:]
		// In blocks that stay in the cache between the two passes.
		b = b[:min(int64(len(b)), to-from, 16<<10)]
		n += bytes.Count(b, []byte{'\n'}) - bytes.Count(b, []byte{'^'})
		from += int64(len(b))
	}
	return max(n, 0), nil
}
