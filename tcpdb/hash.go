package tcpdb

import (
	"encoding/binary"
	"math/bits"
)

// The three checksums of the formats, written out: the packages crypto/md5 and
// crypto/sha256 bring a dozen others with them whose start-up every press of a
// key would pay, and nothing here is a secret. Tests hold them against the
// standard library.

// crc16 is the checksum of the seed's records: the lower half of the CRC-32 of
// IEEE 802.3. It is taken of 22 bytes at most, so it needs no table.
func crc16(b []byte) uint16 {
	crc := ^uint32(0)
	for _, c := range b {
		crc ^= uint32(c)
		for range 8 {
			crc = crc>>1 ^ 0xedb88320&-(crc&1)
		}
	}
	return uint16(^crc)
}

// padded returns the rest of a message behind its last full block, with the
// padding that MD5 and SHA-256 share; only the byte order of the length differs.
func padded(rest []byte, length int, order binary.ByteOrder) []byte {
	b := append(make([]byte, 0, 128), rest...)
	b = append(b, 0x80)
	for len(b)%64 != 56 {
		b = append(b, 0)
	}
	b = b[:len(b)+8]
	order.PutUint64(b[len(b)-8:], uint64(length)<<3)
	return b
}

// md5Sum is MD5 (RFC 1321), the index hash of the seed.
func md5Sum(s string) (sum [16]byte) {
	h := [4]uint32{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476}
	b := []byte(s)
	n := len(b) &^ 63
	md5Blocks(&h, b[:n])
	md5Blocks(&h, padded(b[n:], len(b), binary.LittleEndian))
	for i, v := range h {
		binary.LittleEndian.PutUint32(sum[4*i:], v)
	}
	return sum
}

func md5Blocks(h *[4]uint32, p []byte) {
	for ; len(p) >= 64; p = p[64:] {
		a, b, c, d := h[0], h[1], h[2], h[3]
		for i := range 64 {
			var f uint32
			var word int
			switch i / 16 {
			case 0:
				f, word = b&c|^b&d, i
			case 1:
				f, word = d&b|^d&c, 5*i+1
			case 2:
				f, word = b^c^d, 3*i+5
			default:
				f, word = c^(b|^d), 7*i
			}
			f += a + md5Sines[i] + binary.LittleEndian.Uint32(p[word%16*4:])
			a, d, c = d, c, b
			b += bits.RotateLeft32(f, int(md5Turns[i/16][i%4]))
		}
		h[0], h[1], h[2], h[3] = h[0]+a, h[1]+b, h[2]+c, h[3]+d
	}
}

// sha256Sum is SHA-256 (FIPS 180-4), the content digest of an image.
func sha256Sum(b []byte) [32]byte {
	var h sha256Hash
	h.write(b)
	return h.sum()
}

// sha256Hash hashes a message that comes in pieces. The zero value is ready.
type sha256Hash struct {
	h      [8]uint32
	rest   [64]byte
	length int
}

func (s *sha256Hash) write(b []byte) {
	if s.length == 0 {
		s.h = [8]uint32{
			0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
		}
	}
	held := s.length % 64
	s.length += len(b)
	if held > 0 {
		n := copy(s.rest[held:], b)
		b = b[n:]
		if held+n < 64 {
			return
		}
		sha256Blocks(&s.h, s.rest[:])
	}
	n := len(b) &^ 63
	sha256Blocks(&s.h, b[:n])
	copy(s.rest[:], b[n:])
}

func (s *sha256Hash) sum() (sum [32]byte) {
	if s.length == 0 {
		s.write(nil)
	}
	h := s.h
	sha256Blocks(&h, padded(s.rest[:s.length%64], s.length, binary.BigEndian))
	for i, v := range h {
		binary.BigEndian.PutUint32(sum[4*i:], v)
	}
	return sum
}

func sha256Blocks(h *[8]uint32, p []byte) {
	var w [64]uint32
	for ; len(p) >= 64; p = p[64:] {
		for i := range 16 {
			w[i] = binary.BigEndian.Uint32(p[4*i:])
		}
		for i := 16; i < 64; i++ {
			x, y := w[i-15], w[i-2]
			s0 := bits.RotateLeft32(x, -7) ^ bits.RotateLeft32(x, -18) ^ x>>3
			s1 := bits.RotateLeft32(y, -17) ^ bits.RotateLeft32(y, -19) ^ y>>10
			w[i] = w[i-16] + s0 + w[i-7] + s1
		}
		a, b, c, d, e, f, g, k := h[0], h[1], h[2], h[3], h[4], h[5], h[6], h[7]
		for i := range 64 {
			s1 := bits.RotateLeft32(e, -6) ^ bits.RotateLeft32(e, -11) ^ bits.RotateLeft32(e, -25)
			t1 := k + s1 + (e&f ^ ^e&g) + sha256Roots[i] + w[i]
			s0 := bits.RotateLeft32(a, -2) ^ bits.RotateLeft32(a, -13) ^ bits.RotateLeft32(a, -22)
			t2 := s0 + (a&b ^ a&c ^ b&c)
			k, g, f, e, d, c, b, a = g, f, e, d+t1, c, b, a, t1+t2
		}
		h[0], h[1], h[2], h[3] = h[0]+a, h[1]+b, h[2]+c, h[3]+d
		h[4], h[5], h[6], h[7] = h[4]+e, h[5]+f, h[6]+g, h[7]+k
	}
}

// md5Turns are the rotations of the four rounds.
var md5Turns = [4][4]uint8{{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}}

// md5Sines are floor(2³²·|sin(i+1)|).
var md5Sines = [64]uint32{
	0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
	0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
	0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
	0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
	0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
	0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
	0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
	0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
}

// sha256Roots are the first 32 bits behind the point of the cube roots of the
// first 64 primes.
var sha256Roots = [64]uint32{
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
	0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
	0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
	0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
	0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
}
