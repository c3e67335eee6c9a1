package git

import (
	"encoding/binary"
	"errors"
	"io/fs"
	"syscall"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
)

// wholeIndex is up to which size an index is read as a whole, in bytes; of a
// larger one only a window is in memory, whose pages are paid for once.
const wholeIndex, indexWindow = 512 << 10, 256 << 10

// errWholeIndex says that the entries alone do not tell what is tracked: the
// index is split, and has to be read as a whole.
var errWholeIndex = errors.New("the index is split")

// indexCursor gives the entries of an index one after the other.
type indexCursor struct {
	list []indexEntry // of an index that is read as a whole

	fd      int
	buf     []byte
	at      int   // where the next entry begins in buf
	offset  int64 // of what follows buf in the file
	end     int64 // of entries and extensions
	version uint32
	left    int
	idLen   int
	entry   indexEntry
	path    []byte
}

// openCursor opens the index of the work tree and says when it was written. No
// file is an empty index. whole asks for one that is read as a whole.
func openCursor(repo *gitRepo, whole bool) (c *indexCursor, head *gitIndex, err error) {
	path := indexPath(repo)
	st, there := disk.Stat(path)
	if whole || !there || st.Size <= wholeIndex {
		ix, err := openIndex(repo)
		if err != nil {
			return nil, nil, err
		}
		return &indexCursor{fd: -1, list: ix.entries}, ix, nil
	}
	fd, err := disk.Open(path)
	if err != nil {
		return nil, nil, err
	}
	c = &indexCursor{fd: fd, idLen: repo.hexLen / 2, buf: make([]byte, 0, indexWindow)}
	if err = c.begin(path); err != nil {
		c.close()
		return nil, nil, err
	}
	head = &gitIndex{idLen: c.idLen}
	head.written, _ = disk.Times(&st)
	return c, head, nil
}

func (c *indexCursor) begin(path string) error {
	var st syscall.Stat_t
	if err := syscall.Fstat(c.fd, &st); err != nil || st.Mode&syscall.S_IFMT != syscall.S_IFREG || st.Size > maxIndex {
		return &indexError{path, fs.ErrInvalid.Error()}
	}
	c.end = st.Size - int64(c.idLen)
	var err error
	if _, err = c.fill(); err == nil {
		c.version, c.left, err = parseIndexHead(c.buf, int(c.end), c.idLen)
	}
	if err != nil {
		return &indexError{path, err.Error()}
	}
	c.at = 12
	return nil
}

func (c *indexCursor) close() {
	if c.fd >= 0 {
		disk.Close(c.fd)
	}
}

// fill moves the window on; more is false at the end of the index.
func (c *indexCursor) fill() (more bool, err error) {
	n := copy(c.buf[:cap(c.buf)], c.buf[c.at:])
	if n == cap(c.buf) {
		if n >= 1<<20 {
			return false, errShortIndex // no path is so long
		}
		c.buf = append(make([]byte, 0, 2*n), c.buf[:n]...)
	}
	c.at = 0
	room := min(int64(cap(c.buf)-n), c.end-c.offset)
	if room <= 0 {
		c.buf = c.buf[:n]
		return false, nil
	}
	m, err := disk.ReadAt(c.fd, c.buf[n:n+int(room)], c.offset)
	c.buf, c.offset = c.buf[:n+m], c.offset+int64(m)
	return m > 0, err
}

// next returns the next entry, nil behind the last. The entry with its path and
// all else is valid until the next call.
func (c *indexCursor) next() (*indexEntry, error) {
	if c.fd < 0 {
		if len(c.list) == 0 {
			return nil, nil
		}
		e := &c.list[0]
		c.list = c.list[1:]
		return e, nil
	}
	if c.left == 0 {
		return nil, c.extensions()
	}
	for {
		kept, name, next, err := c.entry.read(c.buf, c.at, c.version, len(c.path), c.idLen)
		if err == nil {
			c.at = next
			c.left--
			c.path = append(c.path[:kept], name...)
			c.entry.path = disk.View(c.path)
			return &c.entry, nil
		}
		if err != errShortIndex {
			return nil, err
		}
		more, err := c.fill()
		if err == nil && !more {
			err = errShortIndex
		}
		if err != nil {
			return nil, err
		}
	}
}

// extensions looks at the names of what follows the entries, as parseExtensions
// of an index that is read as a whole.
func (c *indexCursor) extensions() error {
	at := c.offset - int64(len(c.buf)-c.at)
	for at+8 <= c.end {
		var head [8]byte
		if n, err := disk.ReadAt(c.fd, head[:], at); err != nil || n < len(head) {
			return errShortIndex
		}
		switch name := string(head[:4]); {
		case name == "link":
			return errWholeIndex
		case name != "sdir" && (name[0] < 'A' || name[0] > 'Z'):
			return errors.New("unknown extension " + name)
		}
		at += 8 + int64(binary.BigEndian.Uint32(head[4:]))
	}
	return nil
}
