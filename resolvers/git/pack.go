package git

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"syscall"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/internal/inflate"
)

// gitPack is a pack and its index of version 2 (gitformat-pack(5)). Both are
// read in small pieces.
type gitPack struct {
	path      string // without ".pack" and ".idx"
	idLen     int
	fd, index int // descriptors, -1 before the first use and where opening failed
	tried     bool
	size      int64
	count     int64 // objects in the index
}

const (
	packHeader   = 12
	indexHeader  = 8
	fanoutSize   = 256 * 4
	maxDeltas    = 4096 // length of a chain; git makes chains of up to 4095
	maxDeltaRead = 256 << 20
)

func (p *gitPack) close() {
	if p.fd >= 0 {
		disk.Close(p.fd)
	}
	if p.index >= 0 {
		disk.Close(p.index)
	}
}

func (p *gitPack) open() bool {
	if p.tried {
		return p.fd >= 0
	}
	p.tried = true
	index, err := disk.Open(p.path + ".idx")
	if err != nil {
		return false
	}
	p.index = index
	var head [indexHeader]byte
	var last [4]byte
	if n, err := disk.ReadAt(index, head[:], 0); err != nil || n != len(head) || string(head[:]) != "\xfftOc\x00\x00\x00\x02" {
		return false
	}
	if n, err := disk.ReadAt(index, last[:], indexHeader+fanoutSize-4); err != nil || n != 4 {
		return false
	}
	p.count = int64(binary.BigEndian.Uint32(last[:]))
	fd, err := disk.Open(p.path + ".pack")
	if err != nil {
		return false
	}
	var st syscall.Stat_t
	if syscall.Fstat(fd, &st) != nil || st.Mode&syscall.S_IFMT != syscall.S_IFREG {
		disk.Close(fd)
		return false
	}
	p.fd, p.size = fd, st.Size
	return true
}

// find gives the offset of an object in the pack.
func (p *gitPack) find(id []byte) (int64, bool) {
	if !p.open() {
		return 0, false
	}
	var fan [8]byte
	low, high := int64(0), int64(0)
	if id[0] == 0 {
		if n, err := disk.ReadAt(p.index, fan[4:], indexHeader); err != nil || n != 4 {
			return 0, false
		}
	} else if n, err := disk.ReadAt(p.index, fan[:], indexHeader+int64(id[0]-1)*4); err != nil || n != 8 {
		return 0, false
	}
	low, high = int64(binary.BigEndian.Uint32(fan[:4])), int64(binary.BigEndian.Uint32(fan[4:]))
	if low > high || high > p.count {
		return 0, false
	}
	const names = indexHeader + fanoutSize
	buf := make([]byte, 64*p.idLen)
	for low < high {
		from := low
		if high-low > 64 {
			from = low + (high-low)/2 - 32
		}
		n := min(64, high-from)
		window := buf[:n*int64(p.idLen)]
		if m, err := disk.ReadAt(p.index, window, names+from*int64(p.idLen)); err != nil || m != len(window) {
			return 0, false
		}
		first, final := window[:p.idLen], window[len(window)-p.idLen:]
		switch {
		case bytes.Compare(id, first) < 0:
			high = from
		case bytes.Compare(id, final) > 0:
			low = from + n
		default:
			for i := range n {
				if bytes.Equal(window[i*int64(p.idLen):][:p.idLen], id) {
					return p.offset(from + i)
				}
			}
			return 0, false
		}
	}
	return 0, false
}

// offset reads the place of the object with a number in the index: 31 bits, or
// a number into the table of 64-bit offsets.
func (p *gitPack) offset(number int64) (int64, bool) {
	table := int64(indexHeader+fanoutSize) + p.count*int64(p.idLen+4)
	var b [8]byte
	if n, err := disk.ReadAt(p.index, b[:4], table+number*4); err != nil || n != 4 {
		return 0, false
	}
	v := binary.BigEndian.Uint32(b[:4])
	if v&(1<<31) == 0 {
		return int64(v), true
	}
	if n, err := disk.ReadAt(p.index, b[:], table+p.count*4+int64(v&^(1<<31))*8); err != nil || n != 8 {
		return 0, false
	}
	long := binary.BigEndian.Uint64(b[:])
	return int64(long & (1<<63 - 1)), long < 1<<62
}

// packEntry is the head of an object in a pack.
type packEntry struct {
	kind int // 1–4 as objectKind, 6 offset delta, 7 reference delta
	size int
	data int64  // where the compressed bytes begin
	base int64  // of an offset delta
	ref  []byte // of a reference delta
}

const (
	offsetDelta    = 6
	referenceDelta = 7
)

func (p *gitPack) entry(offset int64) (packEntry, error) {
	buf := make([]byte, 64)
	n, err := disk.ReadAt(p.fd, buf, offset)
	if err != nil || n == 0 || offset < packHeader {
		return packEntry{}, errBadObject
	}
	buf = buf[:n]
	e := packEntry{kind: int(buf[0]>>4) & 7, size: int(buf[0] & 15)}
	i := 1
	for shift := uint(4); buf[i-1]&0x80 != 0; shift += 7 {
		if i >= len(buf) || shift > 32 {
			return e, errBadObject
		}
		e.size |= int(buf[i]&0x7f) << shift
		i++
	}
	switch e.kind {
	case offsetDelta:
		back, ok := int64(0), false
		for ; i < len(buf) && !ok && back < 1<<55; i++ {
			back = back<<7 | int64(buf[i]&0x7f)
			if ok = buf[i]&0x80 == 0; !ok {
				back++
			}
		}
		if e.base = offset - back; !ok || back <= 0 || e.base < packHeader {
			return e, errBadObject
		}
	case referenceDelta:
		if i+p.idLen > len(buf) {
			return e, errBadObject
		}
		e.ref = buf[i : i+p.idLen]
		i += p.idLen
	case 1, 2, 3, 4:
	default:
		return e, errBadObject
	}
	if e.data = offset + int64(i); e.size > maxObject {
		return e, disk.ErrTooLarge
	}
	return e, nil
}

// inflate.Deflate decodes the bytes of an entry.
func (p *gitPack) inflate(e packEntry) ([]byte, error) {
	// A deflate stream is at most a little longer than what it holds.
	bound := int64(e.size) + int64(e.size)/1000 + 128
	buf := make([]byte, min(bound, max(0, p.size-e.data)))
	n, err := disk.ReadAt(p.fd, buf, e.data)
	if err != nil {
		return nil, err
	}
	out, err := inflate.Zlib(buf[:n], e.size, e.size)
	if err == nil && len(out) != e.size {
		err = errBadObject
	}
	return out, err
}

// object reads an object: it follows the deltas down to a whole one and
// applies them on the way back.
func (p *gitPack) object(s *objectStore, offset int64) (objectKind, []byte, error) {
	var deltas [][]byte
	total := 0
	for {
		e, err := p.entry(offset)
		if err != nil {
			return 0, nil, err
		}
		data, err := p.inflate(e)
		if err != nil {
			return 0, nil, err
		}
		kind := objectKind(e.kind)
		switch e.kind {
		case offsetDelta, referenceDelta:
			deltas = append(deltas, data)
			if total += len(data); len(deltas) > maxDeltas || total > maxDeltaRead {
				return 0, nil, disk.ErrTooLarge
			}
			if e.kind == offsetDelta {
				offset = e.base
				continue
			}
			// In a complete pack the base is in the same pack.
			if at, ok := p.find(e.ref); ok {
				offset = at
				continue
			}
			if kind, data, err = s.looseBase(hex.EncodeToString(e.ref)); err != nil {
				return 0, nil, err
			}
		}
		for i := len(deltas) - 1; i >= 0; i-- {
			if data, err = applyDelta(data, deltas[i]); err != nil {
				return 0, nil, err
			}
		}
		return kind, data, nil
	}
}

// looseBase reads the base of a delta that is in no pack of its own.
func (s *objectStore) looseBase(id string) (objectKind, []byte, error) {
	for _, dir := range s.dirs {
		if data, err := disk.ReadRegular(dir+"/"+id[:2]+"/"+id[2:], maxObject); err == nil {
			return parseLoose(data)
		}
	}
	return 0, nil, errNoObject
}

// applyDelta makes an object from its base (gitformat-pack(5), "Deltified
// representation").
func applyDelta(base, delta []byte) ([]byte, error) {
	from, delta, ok1 := deltaSize(delta)
	to, delta, ok2 := deltaSize(delta)
	if !ok1 || !ok2 || from != len(base) || to > maxObject {
		return nil, errBadObject
	}
	out := make([]byte, 0, to)
	for len(delta) > 0 {
		op := delta[0]
		delta = delta[1:]
		switch {
		case op == 0:
			return nil, errBadObject
		case op&0x80 == 0:
			if int(op) > len(delta) || len(out)+int(op) > to {
				return nil, errBadObject
			}
			out = append(out, delta[:op]...)
			delta = delta[op:]
		default:
			var args [7]int // four bytes of offset, three of size
			for i := range args {
				if op&(1<<i) == 0 {
					continue
				}
				if len(delta) == 0 {
					return nil, errBadObject
				}
				args[i] = int(delta[0])
				delta = delta[1:]
			}
			offset := args[0] | args[1]<<8 | args[2]<<16 | args[3]<<24
			size := args[4] | args[5]<<8 | args[6]<<16
			if size == 0 {
				size = 0x10000
			}
			if offset+size > len(base) || len(out)+size > to {
				return nil, errBadObject
			}
			out = append(out, base[offset:offset+size]...)
		}
	}
	if len(out) != to {
		return nil, errBadObject
	}
	return out, nil
}

func deltaSize(b []byte) (size int, rest []byte, ok bool) {
	for i, shift := 0, uint(0); i < len(b) && shift < 35; i, shift = i+1, shift+7 {
		size |= int(b[i]&0x7f) << shift
		if b[i]&0x80 == 0 {
			return size, b[i+1:], true
		}
	}
	return 0, nil, false
}
