package risk

import (
	"encoding/base64"
	"math/rand/v2"
	"testing"
)

// unbase64 takes what encoding/base64 takes, and reads the same.
func TestUnbase64(t *testing.T) {
	texts := []string{"", "QQ==", "QUI=", "QUJD", "QU\r\nJD\n", "Q", "QQ=", "QQ===", "====", "Q=Q=", "QUI=QUJD", "Q-_/", "QUJD=", "QUJD ", "+/8="}
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		b := make([]byte, r.IntN(12))
		for i := range b {
			b[i] = "ABCDxyz019+/=\n\r-"[r.IntN(16)]
		}
		texts = append(texts, string(b))
	}
	for _, s := range texts {
		want, err := base64.StdEncoding.DecodeString(s)
		got, ok := unbase64(s)
		if ok != (err == nil) || ok && string(got) != string(want) {
			t.Errorf("%q: %q %v, want %q %v", s, got, ok, want, err)
		}
	}
}
