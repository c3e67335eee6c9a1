package shline

import (
	"testing"

	"pgregory.net/rapid"
)

// What is read without a scanner is read as the scanner reads it.
func TestLiteralWords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raw := rapid.StringOfN(rapid.SampledFrom([]rune("ab9/.-_,@=:+%'\"\\$ !#~*\n")), 1, 8, -1).Draw(t, "raw")
		if rapid.Bool().Draw(t, "quoted") {
			quote := rapid.SampledFrom([]string{"'", `"`}).Draw(t, "quote")
			raw = quote + raw + quote
		}
		text, ok := literalWord(raw)
		if !ok {
			return
		}
		for d := Bash; d <= Fish; d++ {
			if w := scanWord(d, raw, 3); w != (Word{Start: 3, End: 3 + len(raw), Raw: raw, Text: text}) {
				t.Fatalf("dialect %d: %q is %+v, not %q", d, raw, w, text)
			}
		}
	})
}
