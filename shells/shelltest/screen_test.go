package shelltest

import "testing"

func TestScreen(t *testing.T) {
	for _, c := range []struct {
		name, in, want string
		row, col       int
	}{
		{"text", "ab\r\ncd", "ab\ncd\n", 1, 2},
		{"wrap", "abcdefghijk", "abcdefghij\nk\n", 1, 1},
		{"no wrap before the next character", "abcdefghij", "abcdefghij\n", 0, 9},
		{"scroll", "1\r\n2\r\n3\r\n4", "2\n3\n4\n", 2, 1},
		{"back and erase", "abc\b\b\x1b[K", "a\n", 0, 1},
		{"insert and delete", "abcd\x1b[4D\x1b[@x\x1b[C\x1b[P", "xacd\n", 0, 2},
		{"erase below", "a\r\nb\r\nc\x1b[A\x1b[J", "a\nb\n", 1, 1},
		{"move", "\x1b[2;3Hx\x1b[Gy\x1b[A\x1b[5Cz", "      z\ny x\n", 0, 7},
		{"colours, titles and modes show nothing", "\x1b[1;31ma\x1b[0m\x1b]0;title\a\x1b[?2004hb\x1b(B", "ab\n", 0, 2},
		{"wide", "日b", "日b\n", 0, 3},
		{"combining", "e\u0301x", "ex\n", 0, 2},
		{"reverse index at the top", "a\x1bM", "\na\n", 0, 1},
		{"unfinished", "a\x1b[3", "a\n", 0, 1},
	} {
		s := NewScreen(3, 10)
		for _, b := range []byte(c.in) { // in any pieces
			_, _ = s.Write([]byte{b})
		}
		row, col := s.Cursor()
		if s.String() != c.want || row != c.row || col != c.col {
			t.Errorf("%s: %q at %d,%d; want %q at %d,%d", c.name, s.String(), row, col, c.want, c.row, c.col)
		}
	}
}

func TestStyle(t *testing.T) {
	plain := Style{}
	for _, c := range []struct {
		in   string
		want Style // of the last character
	}{
		{"a", plain},
		{"\x1b[1;31ma", Style{Bold: true, Fore: 2}},
		{"\x1b[1;31mb\x1b[ma", plain},
		{"\x1b[1;31mb\x1b[0ma", plain},
		{"\x1b[2;4;7mb\x1b[22;27ma", Style{Underline: true}},
		{"\x1b[93;44mb\x1b[49ma", Style{Fore: 12}},
		{"\x1b[38;5;208;1ma", Style{Fore: 209, Bold: true}},
		{"\x1b[48;2;1;2;3;3ma", Style{Back: Direct | 1<<16 | 2<<8 | 3, Italic: true}},
		{"\x1b[38;5ma", Style{Fore: 1}},
		{"\x1b[38ma", plain},
	} {
		s := NewScreen(3, 10)
		_, _ = s.Write([]byte(c.in))
		_, col := s.Cursor()
		if got := s.Cells(0)[col-1]; got != (Cell{'a', c.want}) {
			t.Errorf("%q: %+v, want %+v", c.in, got, c.want)
		}
	}
}

// Any bytes leave a screen of the same size with the cursor on it.
func FuzzScreen(f *testing.F) {
	f.Add([]byte("a\x1b[99;99H\x1b[5L\x1b[2J\x1b[3;2r\x1bM日\x1b[9P"))
	f.Fuzz(func(t *testing.T, in []byte) {
		s := NewScreen(4, 8)
		_, _ = s.Write(in)
		row, col := s.Cursor()
		if row < 0 || row >= 4 || col < 0 || col >= 8 {
			t.Fatalf("cursor %d,%d", row, col)
		}
	})
}
