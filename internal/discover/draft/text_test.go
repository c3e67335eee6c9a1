package draft

import (
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestOneLine(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"plain text", "plain text"},
		{"  two\n\tlines  ", "two lines"},
		{"\x1b[31mred\x1b[0m", "red"},
		{"a\x1b[1;38;5;208mb\x1b[mc", "abc"},
		{"\x1b]8;;https://example.com\x1b\\link\x1b]8;;\x07", "link"},
		{"\x1b]0;title\x07text", "text"},
		{"\x1b(Btext\x1b=", "text"},
		{"\u009b31mred\u009b0m", "red"},
		{"\u009d0;title\u009ctext", "text"},
		{"\x1bPq#0\x1b\\after", "after"},
		{"broken \x1b[31", "broken"},
		{"broken \x1b[3\x1b[1mbold", "broken bold"},
		{"end \x1b", "end"},
		{"a\x00b", "a b"},
		{"--one\x00--two\x7f--three", "--one --two --three"},
		{"a\bb", "a b"},
		{"zero\u200bwidth", "zerowidth"},
		{"turned \u202eround", "turned round"},
		{"\xff\xfebytes", "bytes"},
		{"ümläut ✓", "ümläut ✓"},
	} {
		if got := OneLine(c.text, 500); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
	if got := OneLine("abcü", 4); got != "abc" {
		t.Errorf("cut: %q", got)
	}
}

func FuzzOneLine(f *testing.F) {
	f.Add("\x1b[31mred\x00\u009b")
	f.Fuzz(func(t *testing.T, text string) {
		got := OneLine(text, 100)
		if len(got) > 100 || !utf8.ValidString(got) {
			t.Fatalf("%q", got)
		}
		for _, r := range got {
			if !unicode.IsPrint(r) {
				t.Fatalf("%q of %q", got, text)
			}
		}
		if again := OneLine(got, 100); again != got {
			t.Fatalf("%q becomes %q", got, again)
		}
	})
}
