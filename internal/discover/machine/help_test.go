package machine

import "testing"

// What is help and what is not.
func TestLooksLikeHelp(t *testing.T) {
	for text, want := range map[string]bool{
		"kelp: weed\n\nUSAGE\n  $ kelp [COMMAND]\n\nCOMMANDS\n  grow  Grow it\n": true,
		"Usage: kelp [FILE]\n":             true,
		"kelp 1.0\n":                       false,
		"kelp: the usage was not logged\n": false,
	} {
		if got := looksLikeHelp(text); got != want {
			t.Errorf("%q: %t, want %t", text, got, want)
		}
	}
}
