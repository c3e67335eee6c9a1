package screen

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestAnnotate(t *testing.T) {
	plain := Style{Columns: 40, EOL: "\n"}
	for _, tc := range []struct {
		name, text string
		notes      []Note
		st         Style
		want       string
	}{
		{"one", "sudo rm x", []Note{{Start: 5, End: 7, Lines: []string{"deletes"}}}, plain, "" +
			"  sudo rm x\n" +
			"       ^^\n" +
			"       deletes\n"},
		{"two in one place", "rm x", []Note{{Start: 0, End: 2, Lines: []string{"a", "b"}}, {Start: 0, End: 2, Lines: []string{"a", "c"}}}, plain, "" +
			"  rm x\n  ^^\n  a\n  b\n  c\n"},
		{"two places, in their order", "a; b", []Note{{Start: 3, End: 4, Lines: []string{"2"}}, {Start: 0, End: 1, Lines: []string{"1"}}}, plain, "" +
			"  a; b\n  ^\n  1\n     ^\n     2\n"},
		{"wide and marked", "rm 日本 e\u0301x y", []Note{{Start: 3, End: 9}, {Start: 10, End: 14}}, plain, "" +
			"  rm 日本 e\u0301x y\n     ^^^^\n          ^^\n"},
		{"tab", "a\tb", []Note{{Start: 2, End: 3}}, plain, "  a       b\n          ^\n"},
		{"hostile", "rm \x1b[2J\xff\u202e", []Note{{Start: 3, End: 4}}, plain, "" +
			"  rm \\x1b[2J\\xff\\u202e\n     ^^^^\n"},
		{"several lines", "a\nrm x\nb", []Note{{Start: 2, End: 8, Lines: []string{"two lines"}}}, plain, "" +
			"  a\n  rm x\n  ^^^^\n  b\n  ^\n  two lines\n"},
		{"wrapped", "rm aaaaaaaaaaaaaaaaaaaaaa", []Note{{Start: 3, End: 25, Lines: []string{"files"}}}, Style{Columns: 20, EOL: "\n"}, "" +
			"  rm aaaaaaaaaaaaaa\n     ^^^^^^^^^^^^^^\n  aaaaaaaa\n  ^^^^^^^^\n  files\n"},
		{"at the end", "a", []Note{{Start: 1, End: 1, Lines: []string{"x"}}}, plain, "  a\n   ^\n   x\n"},
		{"rows left out", "a\nb\nrm\nc", []Note{{Start: 4, End: 6}}, Style{Columns: 40, EOL: "\n", Rows: 1}, "…\n  rm\n  ^^\n…\n"},
		{"the end of a part left out", "a\nb\nc", []Note{{Start: 0, End: 5, Lines: []string{"all"}}}, Style{Columns: 40, EOL: "\n", Rows: 2}, "  a\n  ^\n  b\n  ^\n  all\n…\n"},
		{"colour", "x rm", []Note{{Start: 2, End: 4, Colour: "31"}}, Style{Columns: 40, EOL: "\r\n", Colour: true}, "" +
			"  x \x1b[31mrm\x1b[0m\r\n    \x1b[31m^^\x1b[0m\r\n"},
		{"empty", "", nil, plain, "  \n"},
	} {
		if got := Annotate(tc.text, tc.notes, tc.st); got != tc.want {
			t.Errorf("%s:\n got %q\nwant %q", tc.name, got, tc.want)
		}
	}
}

// Whatever the text and the notes: no row is wider than the screen, nothing
// unprintable comes out, and every note is said.
func TestAnnotateFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := string(rapid.SliceOfN(rapid.Byte(), 0, 200).Draw(t, "text"))
		if rapid.Bool().Draw(t, "runes") {
			text = rapid.StringN(0, 100, -1).Draw(t, "string")
		}
		columns := rapid.IntRange(20, 60).Draw(t, "columns")
		var notes []Note
		for range rapid.IntRange(0, 4).Draw(t, "n") {
			a := rapid.IntRange(-1, len(text)+1).Draw(t, "a")
			notes = append(notes, Note{Start: a, End: a + rapid.IntRange(0, 30).Draw(t, "len"), Lines: []string{"said"}})
		}
		out := Annotate(text, notes, Style{Columns: columns, EOL: "\n"})
		if len(notes) > 0 && !strings.Contains(out, "said") {
			t.Fatalf("not said: %q", out)
		}
		for _, l := range strings.Split(out, "\n") {
			if Width(l) > columns {
				t.Fatalf("%d columns: %q", Width(l), l)
			}
			if !utf8.ValidString(l) || strings.ContainsFunc(l, func(r rune) bool { return !unicode.IsPrint(r) }) {
				t.Fatalf("not printable: %q", l)
			}
		}
	})
}

func TestWrap(t *testing.T) {
	for _, tc := range []struct {
		text    string
		columns int
		want    string
	}{
		{"", 10, ""},
		{"deletes files for good", 10, "deletes|files for|good"},
		{"abcdefghij", 4, "abcd|efgh|ij"},
		{"日本語", 4, "日本|語"},
	} {
		if got := strings.Join(Wrap(tc.text, tc.columns), "|"); got != tc.want {
			t.Errorf("%q: %q, want %q", tc.text, got, tc.want)
		}
	}
}

func TestRows(t *testing.T) {
	if got := Rows("rm a\ncd b; rm\x1b c\n", 8); !slices.Equal(got, []string{"rm a", "cd b;", `rm\x1b c`}) {
		t.Errorf("%q", got)
	}
}

func TestJSON(t *testing.T) {
	for in, want := range map[string]string{
		"{\n \"a\": \"ü 世界\"\n}": "{\n \"a\": \"ü 世界\"\n}",
		"\"a\u202eb\"":           `"a\u202eb"`,
		"\"\u009b2J\x7f\"":       `"\u009b2J\u007f"`,
		"\"\U000e0041\u200b\"":   `"\udb40\udc41\u200b"`,
	} {
		got := string(JSON([]byte(in)))
		if got != want {
			t.Errorf("%q: %q", in, got)
		}
		var a, b any
		if json.Unmarshal([]byte(in), &a) != nil || json.Unmarshal([]byte(got), &b) != nil || !reflect.DeepEqual(a, b) {
			t.Errorf("%q: another value: %v, %v", in, a, b)
		}
	}
}
