package operation

import "testing"

// TestEdits: one letter in, out, another or two swapped are one edit each.
func TestEdits(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "ab", 2}, {"cargo.tset", "cargo.test", 1}, {"push", "pus", 1}, {"push", "bush", 1}, {"kitten", "sitting", 3}} {
		if got := edits(c.a, c.b); got != c.want || edits(c.b, c.a) != c.want {
			t.Errorf("edits(%q, %q) = %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
