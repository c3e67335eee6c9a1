package shline

import "testing"

func TestWordLen(t *testing.T) {
	for _, tt := range []struct {
		text string
		want int
	}{
		{"", 0},
		{"rm -rf x", 2},
		{`'a b' c`, 5},
		{`"a 'b" c`, 6},
		{`a\ b c`, 4},
		{`'a\' b`, 4},
		{`"a\" b" c`, 7},
		{"'open  ", 7},
		{`end\`, 4},
		{"a\nb", 3},
	} {
		if got := WordLen(tt.text, " \t"); got != tt.want {
			t.Errorf("%q: %d, want %d", tt.text, got, tt.want)
		}
	}
	if got := WordLen("a\nb", " \t\n"); got != 1 {
		t.Errorf("a line break among the blanks: %d, want 1", got)
	}
}
