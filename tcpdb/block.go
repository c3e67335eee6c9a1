package tcpdb

import (
	"encoding/binary"
	"unsafe"

	"github.com/cespare/xxhash/v2"
)

// A body section holds blocks: checksum u64 over all that follows, payload
// length u32, block kind u32, payload, padding to 8. A block of a mapped file is
// decoded from one copy on the heap whose checksum was verified, one of memory
// that does not change in place; its strings are slices of that.
const blockHeader = 16

type blockKind uint32

const (
	sourcesBlock blockKind = iota + 1
	nodeBlock
	riskBlock
	opBlock
	intentBlock
	familyBlock
	detailBlock
)

// block returns the verified payload of the block at ref, and a reason why not.
func (im *Image) block(t tableID, ref uint32, kind blockKind) (string, error) {
	x := im.section(t, bodyPart)
	if ref%8 != 0 || int64(ref)+blockHeader > int64(x.len) {
		return "", corrupt("no block at %d of table %d", ref, t)
	}
	at := x.off + int(ref)
	var header [blockHeader]byte
	if err := im.copyOut(header[:], at); err != nil {
		return "", err
	}
	length := binary.LittleEndian.Uint32(header[8:])
	if int64(length) > int64(x.len)-int64(ref)-blockHeader {
		return "", corrupt("the block at byte %d runs past its section", at)
	}
	buf, err := im.bytes(at, blockHeader+int(length))
	if err != nil {
		return "", err
	}
	if binary.LittleEndian.Uint32(buf[8:]) != length || xxhash.Sum64(buf[8:]) != binary.LittleEndian.Uint64(buf) {
		return "", corrupt("checksum of the block at byte %d", at)
	}
	if k := binary.LittleEndian.Uint32(buf[12:]); k != uint32(kind) {
		return "", corrupt("the block at byte %d is of kind %d, not %d", at, k, kind)
	}
	// buf is never written again.
	return unsafe.String(unsafe.SliceData(buf), len(buf))[blockHeader:], nil
}

// appendBlock adds a block to a body section and returns its ref.
func appendBlock(body []byte, kind blockKind, payload []byte) (_ []byte, ref uint32) {
	at := len(body)
	body = append(body, make([]byte, 8)...)
	body = binary.LittleEndian.AppendUint32(body, uint32(len(payload)))
	body = binary.LittleEndian.AppendUint32(body, uint32(kind))
	body = append(body, payload...)
	binary.LittleEndian.PutUint64(body[at:], xxhash.Sum64(body[at+8:]))
	return pad8(body), uint32(at)
}

// encoder writes the payload of a block. lists counts the strings of lists, so
// that the decoder can make room for all of them at once.
type encoder struct {
	b     []byte
	lists int
}

func (e *encoder) uint(v uint64)      { e.b = binary.AppendUvarint(e.b, v) }
func (e *encoder) int(v int64)        { e.b = binary.AppendVarint(e.b, v) }
func (e *encoder) raw(p []byte)       { e.b = append(e.b, p...) }
func (e *encoder) string(s string)    { e.uint(uint64(len(s))); e.b = append(e.b, s...) }
func (e *encoder) strings(l []string) { e.count(len(l)); e.each(l) }
func (e *encoder) count(n int)        { e.uint(uint64(n)); e.lists += n }

func (e *encoder) each(l []string) {
	for _, s := range l {
		e.string(s)
	}
}

// payload returns what was written behind the number of list strings in it.
func (e *encoder) payload() []byte {
	return append(binary.AppendUvarint(nil, uint64(e.lists)), e.b...)
}

// decoder reads a payload. After an error it answers zero values and stays bad;
// a checksum was verified before, so it is a defect of the writer then.
type decoder struct {
	s     string
	bad   bool
	arena []string
}

func newDecoder(payload string) *decoder {
	d := &decoder{s: payload}
	if n := d.count(); n > 0 {
		d.arena = make([]string, 0, n)
	}
	return d
}

func (d *decoder) uint() uint64 {
	var v uint64
	for i := 0; i < len(d.s) && i < binary.MaxVarintLen64; i++ {
		c := d.s[i]
		v |= uint64(c&0x7f) << (7 * i)
		if c < 0x80 {
			d.s = d.s[i+1:]
			return v
		}
	}
	d.fail()
	return 0
}

func (d *decoder) int() int64 {
	u := d.uint()
	return int64(u>>1) ^ -int64(u&1)
}

// count reads the number of items that follow; each takes at least one byte.
func (d *decoder) count() int {
	n := d.uint()
	if n > uint64(len(d.s)) {
		d.fail()
		return 0
	}
	return int(n)
}

func (d *decoder) raw(n int) string {
	if n > len(d.s) {
		d.fail()
		return ""
	}
	s := d.s[:n]
	d.s = d.s[n:]
	return s
}

func (d *decoder) string() string { return d.raw(d.count()) }

func (d *decoder) strings() []string {
	n := d.count()
	if n == 0 {
		return nil
	}
	if cap(d.arena)-len(d.arena) < n {
		d.arena = make([]string, 0, n)
	}
	at := len(d.arena)
	for range n {
		d.arena = append(d.arena, d.string())
	}
	return d.arena[at:len(d.arena):len(d.arena)]
}

func (d *decoder) fail() { d.s, d.bad = "", true }

// more reports whether something follows: fields of a later version.
func (d *decoder) more() bool { return !d.bad && d.s != "" }

// err reports whether the payload was read to its end and no further.
func (d *decoder) err(what string) error {
	if d.bad || d.s != "" {
		return corrupt("contents of %s", what)
	}
	return nil
}
