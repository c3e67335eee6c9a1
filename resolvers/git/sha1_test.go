package git

import (
	"crypto/sha1"
	"testing"

	"pgregory.net/rapid"
)

// The standard library is the oracle, over all lengths around the block size.
func TestSHA1(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		head := rapid.StringN(0, 20, 40).Draw(t, "head")
		data := rapid.SliceOfN(rapid.Byte(), 0, 300).Draw(t, "data")
		if got, want := sha1Sum(head, data), sha1.Sum(append([]byte(head), data...)); got != want {
			t.Fatalf("%x, want %x", got, want)
		}
	})
}
