package api

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestMaskWhateverTheChunks writes an answer that repeats the secret, cut anywhere.
func TestMaskWhateverTheChunks(t *testing.T) {
	const secret = "s3cr3t/+&x"
	m := newMasker(&Credential{Type: "bearer", From: "env:TOKEN"}, secret)
	quoted, _ := json.Marshal(secret)
	text := "a " + secret + secret + " b " + escape(secret) + " c " + base64.StdEncoding.EncodeToString([]byte(secret)) + " d " + string(quoted) + " s3cr3t/+& e"
	rapid.Check(t, func(t *rapid.T) {
		var out bytes.Buffer
		w := m.writer(&out)
		for rest := text; rest != ""; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "n")
			if _, err := w.Write([]byte(rest[:n])); err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if got, want := out.String(), "a $TOKEN$TOKEN b $TOKEN c $TOKEN d \"$TOKEN\" s3cr3t/+& e"; got != want {
			t.Fatalf("%q\nwant %q", got, want)
		}
	})
}

func TestMaskOfBasic(t *testing.T) {
	m := newMasker(&Credential{Type: "basic", From: "file:/x"}, "ann:opensesame")
	for _, s := range []string{"ann:opensesame", "opensesame", base64.StdEncoding.EncodeToString([]byte("ann:opensesame"))} {
		if got := m.text("x" + s + "y"); got != "x$SECRETy" {
			t.Errorf("%s: %s", s, got)
		}
	}
	if got := m.text("ann"); got != "ann" {
		t.Error(got)
	}
	if strings.Contains(m.text("nothing"), "$") {
		t.Error("masks what is no secret")
	}
}
