// Package inflate decodes compressed streams of bounded length.
package inflate

import "errors"

// errCorrupt is a compressed stream that does not decode.
var errCorrupt = errors.New("corrupt compressed data")

// Zlib decodes a zlib stream (RFC 1950, 1951) to at most limit bytes;
// room is a guess at their number. git's trees and commits are a few
// kilobytes, so this is the short table-driven decoder and not the fast one:
// the one of the standard library builds tables when a program starts, which
// every Tab would pay. The checksum is not verified: git fsck does that.
func Zlib(src []byte, room, limit int) ([]byte, error) {
	if len(src) < 2 || src[0]&0x0f != 8 || (int(src[0])<<8|int(src[1]))%31 != 0 || src[1]&0x20 != 0 {
		return nil, errCorrupt
	}
	out, whole := Deflate(src[2:], room, limit)
	if !whole {
		return nil, errCorrupt
	}
	return out, nil
}

// Deflate decodes a bare deflate stream. whole is false where the stream is
// damaged, cut, or longer than limit: then out is what came before.
func Deflate(src []byte, room, limit int) (out []byte, whole bool) {
	d := inflater{src: src, out: make([]byte, 0, min(max(room, 0), limit)), limit: limit}
	for last := false; !last && d.ok(); {
		last = d.bits(1) == 1
		switch d.bits(2) {
		case 0:
			d.stored()
		case 1:
			d.fixed()
		case 2:
			d.dynamic()
		default:
			d.bad = true
		}
	}
	return d.out, !d.bad
}

type inflater struct {
	src   []byte
	at    int
	hold  uint32 // bits read but not used, lowest first
	held  uint
	out   []byte
	limit int
	bad   bool
}

func (d *inflater) ok() bool { return !d.bad }

func (d *inflater) bits(n uint) uint32 {
	for d.held < n {
		if d.at >= len(d.src) {
			d.bad = true
			return 0
		}
		d.hold |= uint32(d.src[d.at]) << d.held
		d.at++
		d.held += 8
	}
	v := d.hold & (1<<n - 1)
	d.hold >>= n
	d.held -= n
	return v
}

// stored copies a block that is not compressed.
func (d *inflater) stored() {
	d.hold, d.held = 0, 0
	if d.at+4 > len(d.src) {
		d.bad = true
		return
	}
	n := int(d.src[d.at]) | int(d.src[d.at+1])<<8
	if n^0xffff != int(d.src[d.at+2])|int(d.src[d.at+3])<<8 || d.at+4+n > len(d.src) || len(d.out)+n > d.limit {
		d.bad = true
		return
	}
	d.out = append(d.out, d.src[d.at+4:d.at+4+n]...)
	d.at += 4 + n
}

const (
	maxCodeBits = 15
	maxLengths  = 288
	maxDists    = 32
)

// codeTable is a canonical Huffman code: how many codes of each length there
// are, and the symbols in the order of their codes.
type codeTable struct {
	count  [maxCodeBits + 1]uint16
	symbol [maxLengths]uint16
}

// build makes the table from the code length of each symbol. It refuses more
// codes than fit; whole says that all must be used.
func (t *codeTable) build(lengths []byte, whole bool) bool {
	*t = codeTable{}
	for _, n := range lengths {
		t.count[n]++
	}
	t.count[0] = 0
	left := 1
	var offset [maxCodeBits + 2]uint16
	for n := 1; n <= maxCodeBits; n++ {
		left = left<<1 - int(t.count[n])
		if left < 0 {
			return false
		}
		offset[n+1] = offset[n] + t.count[n]
	}
	for symbol, n := range lengths {
		if n != 0 {
			t.symbol[offset[n]] = uint16(symbol)
			offset[n]++
		}
	}
	return left == 0 || !whole
}

// decode reads one symbol, a bit at a time.
func (d *inflater) decode(t *codeTable) int {
	code, first, index := 0, 0, 0
	for n := 1; n <= maxCodeBits; n++ {
		code |= int(d.bits(1))
		count := int(t.count[n])
		if code-count < first {
			return int(t.symbol[index+code-first])
		}
		index += count
		first = (first + count) << 1
		code <<= 1
		if d.bad {
			break
		}
	}
	d.bad = true
	return -1
}

func (d *inflater) fixed() {
	var lengths [maxLengths]byte
	for i := range lengths {
		switch {
		case i < 144:
			lengths[i] = 8
		case i < 256:
			lengths[i] = 9
		case i < 280:
			lengths[i] = 7
		default:
			lengths[i] = 8
		}
	}
	var dists [30]byte
	for i := range dists {
		dists[i] = 5
	}
	var lt, dt codeTable
	lt.build(lengths[:], true)
	dt.build(dists[:], false)
	d.codes(&lt, &dt)
}

// codeOrder is the order in which the lengths of the code for lengths stand.
const codeOrder = "\x10\x11\x12\x00\x08\x07\x09\x06\x0a\x05\x0b\x04\x0c\x03\x0d\x02\x0e\x01\x0f"

func (d *inflater) dynamic() {
	nl, nd, nc := int(d.bits(5))+257, int(d.bits(5))+1, int(d.bits(4))+4
	if d.bad || nl > 286 || nd > 30 {
		d.bad = true
		return
	}
	var lengths [maxLengths + maxDists]byte
	for i := range nc {
		lengths[codeOrder[i]] = byte(d.bits(3))
	}
	var lt, dt codeTable
	if !lt.build(lengths[:19], true) {
		d.bad = true
		return
	}
	lengths = [maxLengths + maxDists]byte{}
	for i := 0; i < nl+nd; {
		symbol := d.decode(&lt)
		if d.bad {
			return
		}
		if symbol < 16 {
			lengths[i] = byte(symbol)
			i++
			continue
		}
		var value byte
		var repeat int
		switch symbol {
		case 16:
			if i == 0 {
				d.bad = true
				return
			}
			value, repeat = lengths[i-1], 3+int(d.bits(2))
		case 17:
			repeat = 3 + int(d.bits(3))
		default:
			repeat = 11 + int(d.bits(7))
		}
		if i+repeat > nl+nd {
			d.bad = true
			return
		}
		for range repeat {
			lengths[i] = value
			i++
		}
	}
	// A single distance code may leave codes unused, as the RFC allows.
	if lengths[256] == 0 || !lt.build(lengths[:nl], nl-countZero(lengths[:nl]) > 1) || !dt.build(lengths[nl:nl+nd], nd-countZero(lengths[nl:nl+nd]) > 1) {
		d.bad = true
		return
	}
	d.codes(&lt, &dt)
}

func countZero(b []byte) int {
	n := 0
	for _, c := range b {
		if c == 0 {
			n++
		}
	}
	return n
}

// codes decodes literals and matches up to the end of the block.
func (d *inflater) codes(lt, dt *codeTable) {
	for {
		symbol := d.decode(lt)
		switch {
		case d.bad || symbol == 256:
			return
		case symbol < 256:
			if len(d.out) >= d.limit {
				d.bad = true
				return
			}
			d.out = append(d.out, byte(symbol))
			continue
		}
		length, ok := d.length(symbol - 257)
		if !ok {
			d.bad = true
			return
		}
		symbol = d.decode(dt)
		if d.bad || symbol >= 30 {
			d.bad = true
			return
		}
		distance := symbol + 1
		if symbol >= 4 {
			extra := uint(symbol/2 - 1)
			distance = 1 + (2+symbol&1)<<extra + int(d.bits(extra))
		}
		from := len(d.out) - distance
		if d.bad || from < 0 || len(d.out)+length > d.limit {
			d.bad = true
			return
		}
		for i := range length {
			d.out = append(d.out, d.out[from+i])
		}
	}
}

// length gives the match length of a length symbol, counted from 257.
func (d *inflater) length(symbol int) (int, bool) {
	switch {
	case symbol < 8:
		return symbol + 3, true
	case symbol < 28:
		extra := uint(symbol/4 - 1)
		return 3 + (4+symbol&3)<<extra + int(d.bits(extra)), true
	case symbol == 28:
		return 258, true
	}
	return 0, false
}
