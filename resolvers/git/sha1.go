package git

import (
	"encoding/binary"
	"math/bits"
)

// sha1Sum is SHA-1 (RFC 3174) of head followed by data. It is written out
// because crypto/sha1 brings the start-up of a dozen packages to every press
// of Tab, and names of blobs are needed only for the rare file whose times
// leave doubt.
func sha1Sum(head string, data []byte) (sum [20]byte) {
	h := [5]uint32{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0}
	var block [64]byte
	n := copy(block[:], head)
	rest := data
	for n+len(rest) >= len(block) {
		k := copy(block[n:], rest)
		sha1Block(&h, &block)
		n, rest = 0, rest[k:]
	}
	n += copy(block[n:], rest)
	block[n] = 0x80
	clear(block[n+1:])
	if n >= 56 {
		sha1Block(&h, &block)
		clear(block[:])
	}
	binary.BigEndian.PutUint64(block[56:], uint64(len(head)+len(data))*8)
	sha1Block(&h, &block)
	for i, v := range h {
		binary.BigEndian.PutUint32(sum[4*i:], v)
	}
	return sum
}

func sha1Block(h *[5]uint32, p *[64]byte) {
	var w [80]uint32
	for i := range 16 {
		w[i] = binary.BigEndian.Uint32(p[4*i:])
	}
	for i := 16; i < 80; i++ {
		w[i] = bits.RotateLeft32(w[i-3]^w[i-8]^w[i-14]^w[i-16], 1)
	}
	a, b, c, d, e := h[0], h[1], h[2], h[3], h[4]
	for i := range 80 {
		var f, k uint32
		switch {
		case i < 20:
			f, k = b&c|^b&d, 0x5a827999
		case i < 40:
			f, k = b^c^d, 0x6ed9eba1
		case i < 60:
			f, k = b&c|b&d|c&d, 0x8f1bbcdc
		default:
			f, k = b^c^d, 0xca62c1d6
		}
		a, b, c, d, e = bits.RotateLeft32(a, 5)+f+e+k+w[i], a, bits.RotateLeft32(b, 30), c, d
	}
	h[0], h[1], h[2], h[3], h[4] = h[0]+a, h[1]+b, h[2]+c, h[3]+d, h[4]+e
}
