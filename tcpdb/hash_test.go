package tcpdb

import (
	"crypto/md5"
	"crypto/sha256"
	"hash/crc32"
	"testing"

	"pgregory.net/rapid"
)

func TestHashes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := rapid.SliceOfN(rapid.Byte(), 0, 300).Draw(t, "b")
		if got, want := md5Sum(string(b)), md5.Sum(b); got != want {
			t.Fatalf("MD5 of %x: %x, want %x", b, got, want)
		}
		if got, want := crc16(b), uint16(crc32.ChecksumIEEE(b)); got != want {
			t.Fatalf("CRC of %x: %x, want %x", b, got, want)
		}
		var h sha256Hash
		for rest := b; len(rest) > 0; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "piece")
			h.write(rest[:n])
			rest = rest[n:]
		}
		if got, want := h.sum(), sha256.Sum256(b); got != want {
			t.Fatalf("SHA-256 of %x: %x, want %x", b, got, want)
		}
	})
}
