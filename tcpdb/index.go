package tcpdb

import (
	"encoding/binary"
	"math/bits"
	"runtime/debug"

	"github.com/cespare/xxhash/v2"
)

// An index is an array of buckets, a power of two of them, each one cache line:
// its checksum and seven slots of (upper half of the key's hash, offset of the
// head; 0 is empty). The lower half of the hash chooses the bucket; where it is
// full the next one is tried (FORMAT.md).
const (
	bucketSize  = 64
	bucketSlots = 7
	slotsAt     = 8

	// A head is: checksum u64 over the rest, key length u16, extra length u16,
	// ref u32 (offset of the body), flags u32, extra, key; padded to 8.
	headFixed = 20
	headBuf   = 128 // longer heads are read through the heap
)

// head is what an index says of a key.
type head struct {
	ref   uint32
	flags uint32
	extra [descriptorSize]byte // descriptor, in riskTable
}

// Bits of head.flags.
const (
	aliasHead   = 1 << 0 // toolTable: another name of the tool
	partialHead = 1 << 1 // toolTable: the tool's node is Partial
	baseHead    = 1 << 0 // riskTable: there is a base entry and extra holds it
)

// find looks a key up in a table. The stored text is compared: the hash alone
// never decides. It does not allocate for keys of up to 80 bytes.
func (im *Image) find(t tableID, key string) (h head, ok bool, err error) {
	index, heads := im.section(t, indexPart), im.section(t, headsPart)
	if index.len == 0 {
		return head{}, false, nil
	}
	if im.mapped {
		defer im.caught(debug.SetPanicOnFault(true), &err)
	}
	if len(im.data) == 0 {
		return head{}, false, corrupt("the map is closed")
	}
	hash := xxhash.Sum64String(key)
	buckets := uint32(index.len / bucketSize)
	for i := uint32(0); i < buckets; i++ {
		at := index.off + int((uint32(hash)+i)&(buckets-1))*bucketSize
		end := false
		for s := at + slotsAt; s < at+bucketSize && !end; s += 8 {
			slot := binary.LittleEndian.Uint64(im.data[s:])
			off := uint32(slot >> 32)
			end = off == 0
			if end || uint32(slot) != uint32(hash>>32) {
				continue
			}
			if h, ok, err = im.readHead(heads, off, key); ok || err != nil {
				return h, ok, err
			}
		}
		// A head that was found proves itself; that there is none is only as
		// true as the bucket.
		var bucket [bucketSize]byte
		copy(bucket[:], im.data[at:])
		if err := checkBucket(&bucket, at); err != nil || end {
			return head{}, false, err
		}
	}
	return head{}, false, nil
}

// checkBucket verifies the checksum of a copy of the bucket at a byte of the file.
func checkBucket(bucket *[bucketSize]byte, at int) error {
	if xxhash.Sum64(bucket[slotsAt:]) != binary.LittleEndian.Uint64(bucket[:]) {
		return corrupt("checksum of an index bucket at byte %d", at)
	}
	return nil
}

// readHead reads the head at off and reports whether it is that of key. It must
// run under the guard of its caller.
func (im *Image) readHead(heads extent, off uint32, key string) (head, bool, error) {
	if int64(off)+headFixed > int64(heads.len) {
		return head{}, false, corrupt("an index points outside its table")
	}
	at := heads.off + int(off)
	var fixed [headBuf]byte
	n := copy(fixed[:], im.data[at:min(at+headBuf, heads.off+heads.len)])
	keyLen, extraLen := int(binary.LittleEndian.Uint16(fixed[8:])), int(binary.LittleEndian.Uint16(fixed[10:]))
	size := headFixed + extraLen + keyLen
	if size > heads.len-int(off) {
		return head{}, false, corrupt("a head runs past its table")
	}
	buf := fixed[:min(n, size)]
	if size > n {
		buf = append([]byte(nil), im.data[at:at+size]...)
		if string(buf[8:12]) != string(fixed[8:12]) {
			return head{}, false, corrupt("a head changed while it was read")
		}
	}
	if xxhash.Sum64(buf[8:]) != binary.LittleEndian.Uint64(buf) {
		return head{}, false, corrupt("checksum of a head at byte %d", at)
	}
	h := head{ref: binary.LittleEndian.Uint32(buf[12:]), flags: binary.LittleEndian.Uint32(buf[16:])}
	copy(h.extra[:], buf[headFixed:headFixed+extraLen])
	return h, string(buf[headFixed+extraLen:]) == key, nil
}

// keyed is a head to be written.
type keyed struct {
	key   string
	ref   uint32
	flags uint32
	extra []byte
}

// buildTable lays out index and heads of keys, which are sorted and distinct.
func buildTable(keys []keyed) (index, heads []byte) {
	if len(keys) == 0 {
		return nil, nil
	}
	buckets := uint32(1)
	if n := (len(keys)*2 + bucketSlots - 1) / bucketSlots; n > 1 {
		buckets = 1 << bits.Len32(uint32(n-1))
	}
	index = make([]byte, int(buckets)*bucketSize)
	heads = make([]byte, 8, 64*len(keys)) // offset 0 means empty
	var g grouped
	for _, k := range keys {
		heads = g.before(heads, k.key)
		off := uint32(len(heads))
		heads = appendHead(heads, k)
		hash := xxhash.Sum64String(k.key)
		insertSlot(index, buckets, hash, off)
	}
	for b := 0; b < len(index); b += bucketSize {
		binary.LittleEndian.PutUint64(index[b:], xxhash.Sum64(index[b+slotsAt:b+bucketSize]))
	}
	return index, heads
}

func insertSlot(index []byte, buckets uint32, hash uint64, off uint32) {
	for i := uint32(0); ; i++ {
		b := int((uint32(hash)+i)&(buckets-1)) * bucketSize
		for s := b + slotsAt; s < b+bucketSize; s += 8 {
			if binary.LittleEndian.Uint32(index[s+4:]) == 0 {
				binary.LittleEndian.PutUint32(index[s:], uint32(hash>>32))
				binary.LittleEndian.PutUint32(index[s+4:], off)
				return
			}
		}
	}
}

func appendHead(heads []byte, k keyed) []byte {
	at := len(heads)
	heads = append(heads, make([]byte, 8)...)
	heads = binary.LittleEndian.AppendUint16(heads, uint16(len(k.key)))
	heads = binary.LittleEndian.AppendUint16(heads, uint16(len(k.extra)))
	heads = binary.LittleEndian.AppendUint32(heads, k.ref)
	heads = binary.LittleEndian.AppendUint32(heads, k.flags)
	heads = append(heads, k.extra...)
	heads = append(heads, k.key...)
	binary.LittleEndian.PutUint64(heads[at:], xxhash.Sum64(heads[at+8:]))
	return pad8(heads)
}

func pad8(b []byte) []byte {
	for len(b)%8 != 0 {
		b = append(b, 0)
	}
	return b
}

// eachHead calls f for the heads of a table in the order of their keys, until f
// returns false. It copies the table once.
func (im *Image) eachHead(t tableID, f func(key string, h head) bool) error {
	x := im.section(t, headsPart)
	if x.len == 0 {
		return nil
	}
	buf := make([]byte, x.len)
	if err := im.copyOut(buf, x.off); err != nil {
		return err
	}
	for off := 8; off < len(buf); {
		b := buf[off:]
		if len(b) >= 8 && binary.LittleEndian.Uint64(b) == 0 { // room: a head has a checksum
			off += 8
			continue
		}
		if len(b) < headFixed {
			return corrupt("a head is cut short")
		}
		keyLen, extraLen := int(binary.LittleEndian.Uint16(b[8:])), int(binary.LittleEndian.Uint16(b[10:]))
		size := headFixed + extraLen + keyLen
		if size > len(b) || xxhash.Sum64(b[8:size]) != binary.LittleEndian.Uint64(b) {
			return corrupt("checksum of a head at byte %d", x.off+off)
		}
		h := head{ref: binary.LittleEndian.Uint32(b[12:]), flags: binary.LittleEndian.Uint32(b[16:])}
		copy(h.extra[:], b[headFixed:headFixed+extraLen])
		if !f(string(b[headFixed+extraLen:size]), h) {
			return nil
		}
		off += (size + 7) &^ 7
	}
	return nil
}
