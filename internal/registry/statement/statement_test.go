package statement_test

import (
	"crypto/rand"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/note"

	"github.com/tool-mapping-protocol/tmp/internal/registry/statement"
)

// What is signed has to be readable again, whatever a person gave as the reason.
func TestAReasonOfAnyBytesIsSignedReadable(t *testing.T) {
	private, public, err := note.GenerateKey(rand.Reader, "acme")
	if err != nil {
		t.Fatal(err)
	}
	signer, err := note.NewSigner(private)
	if err != nil {
		t.Fatal(err)
	}
	verifier, err := note.NewVerifier(public)
	if err != nil {
		t.Fatal(err)
	}
	for reason, want := range map[string]string{
		"rates purge too low":      "rates purge too low",
		"bad\x1b[31m\x07 red":      "bad [31m red",
		"two\nlines\tand\x00a NUL": "two lines and a NUL",
		"latin \xe9":               "latin",
	} {
		said := statement.Yank{Name: "acme/frob", Version: "1.0.0", Reason: reason, Date: time.Unix(0, 0)}
		signed, err := statement.Sign(said.Text(), signer)
		if err != nil {
			t.Errorf("%q is not signed: %v", reason, err)
			continue
		}
		opened, err := note.Open(signed, note.VerifierList(verifier))
		if err != nil {
			t.Errorf("%q cannot be opened again: %v", reason, err)
			continue
		}
		got, err := statement.ParseYank(opened.Text)
		if err != nil || got.Reason != want {
			t.Errorf("%q is read as %+v, %v; want %q", reason, got, err, want)
		}
	}
	if _, err := statement.Sign("yank acme/frob 1.0.0\x1b\n", signer); err == nil {
		t.Error("a text that nobody can open is signed")
	}
}
