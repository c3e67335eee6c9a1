package binding

import (
	"crypto/sha256"
	"encoding/binary"
	"syscall"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
)

// Kind is what a name stands for.
type Kind byte

// The kinds.
const (
	Absent    Kind = '-'
	File      Kind = 'f'
	Link      Kind = 'l'
	Directory Kind = 'd'
	Special   Kind = 's' // a FIFO, socket or device
	Value     Kind = 'v' // no file: something whose hash stands for it
)

// Entry is a name with what stands for it.
type Entry struct {
	Path string // of a project's entry from the root
	Kind Kind
	Mode uint32 // permission bits
	Dev  uint64
	Ino  uint64
	Size int64
	// Mtime and Ctime are nanoseconds since 1970.
	Mtime, Ctime int64
	// Identity says that the file itself counts and not only what it holds:
	// programs and the working directory.
	Identity bool
	Alg      Alg
	Sum      [32]byte

	byStat bool // what it holds is not asked for
	cached bool // what it holds was read, now or before, and belongs into the cache
}

// Alg says what Sum is.
type Alg byte

// The algorithms: none where nobody knows the content, git's name of a blob with
// SHA-1 or SHA-256, and SHA-256 of the bytes.
const (
	Unknown Alg = 0
	Git1    Alg = 'g'
	Git2    Alg = 'G'
	SHA256  Alg = 's'
)

// set takes over what lstat says.
func (e *Entry) set(st *syscall.Stat_t) {
	mtime, ctime := disk.Times(st)
	e.Mode, e.Dev, e.Ino, e.Size = uint32(st.Mode)&0o7777, uint64(st.Dev), uint64(st.Ino), st.Size //nolint:unconvert // not the same type on every system
	e.Mtime, e.Ctime = mtime[0]*1e9+mtime[1], ctime[0]*1e9+ctime[1]
	switch uint32(st.Mode) & syscall.S_IFMT { //nolint:unconvert // as above
	case syscall.S_IFREG:
		e.Kind = File
	case syscall.S_IFDIR:
		e.Kind, e.Size = Directory, 0
	case syscall.S_IFLNK:
		e.Kind, e.Mode = Link, 0
	default:
		e.Kind, e.Dev = Special, uint64(st.Rdev) //nolint:unconvert // as above
	}
}

// sameStat reports whether nothing that stat tells of a file has moved.
func (e *Entry) sameStat(o *Entry) bool {
	return e.Kind == o.Kind && e.Ino == o.Ino && e.Dev == o.Dev && e.Size == o.Size && e.Mtime == o.Mtime && e.Ctime == o.Ctime
}

// same reports whether two entries of a path count as the same.
func (e *Entry) same(o *Entry) bool {
	if e.Kind != o.Kind || e.Mode != o.Mode {
		return false
	}
	if (e.Identity || o.Identity) && (e.Ino != o.Ino || e.Dev != o.Dev) {
		return false
	}
	if e.Identity && e.Kind == File && e.Alg == Unknown && !e.sameStat(o) {
		return false
	}
	switch e.Kind {
	case File:
		if e.Alg != Unknown && e.Alg == o.Alg {
			return e.Sum == o.Sum && e.Size == o.Size
		}
		return e.Alg == o.Alg && e.sameStat(o)
	case Link, Value:
		return e.Sum == o.Sum
	case Special:
		return e.Ino == o.Ino && e.Dev == o.Dev
	}
	return true
}

// digest is SHA-256 over all that counts of the entries.
func (s *State) digest() (out [32]byte) {
	h := sha256.New()
	buf := make([]byte, 0, 64<<10)
	put := func(list []*Entry) {
		for i := range list {
			if buf = list[i].canonical(buf); len(buf) > 60<<10 {
				h.Write(buf)
				buf = buf[:0]
			}
		}
		buf = append(buf, 0xff)
	}
	buf = append(buf, "tmp state 1\x00"...)
	buf = append(append(buf, s.Root...), 0)
	put(s.Project)
	put(s.Other)
	for _, u := range s.Unbound {
		buf = append(append(append(append(buf, u.What...), 0), u.Why...), 0)
	}
	buf = append(buf, s.Cut...)
	h.Write(buf)
	h.Sum(out[:0])
	return out
}

// canonical appends what counts of an entry: content where it is known, else what
// stat tells.
func (e *Entry) canonical(b []byte) []byte {
	b = append(append(b, e.Path...), 0, byte(e.Kind), byte(e.Alg))
	b = binary.BigEndian.AppendUint32(b, e.Mode)
	switch {
	case e.Kind == File && e.Alg != Unknown, e.Kind == Link, e.Kind == Value:
		b = append(b, e.Sum[:]...)
	case e.Kind == File:
		b = e.stat(b)
	case e.Kind == Special:
		b = binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(b, e.Dev), e.Ino)
	}
	if e.Identity {
		b = binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(b, e.Dev), e.Ino)
	}
	return b
}

func (e *Entry) stat(b []byte) []byte {
	for _, n := range [...]uint64{e.Dev, e.Ino, uint64(e.Size), uint64(e.Mtime), uint64(e.Ctime)} {
		b = binary.BigEndian.AppendUint64(b, n)
	}
	return b
}
