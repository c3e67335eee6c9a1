package shline

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// The rows give the typed word (the cursor at its end), the value and what
// replaces the word.
var quoteCases = []struct {
	d                  Dialect
	typed, value, want string
}{
	{Bash, "", "a b", `a\ b`},
	{Bash, "", "", "''"},
	{Bash, "", "a>b", `a\>b`},
	{Bash, "", "~", `\~`},
	{Bash, "", "a~", "a~"},
	{Bash, "", "-rf", "-rf"},
	{Bash, "", "a\nb", `a$'\n'b`},
	{Bash, "", "$(touch x)", `\$\(touch\ x\)`},
	{Bash, "", "a'b", `a\'b`},
	{Bash, "", "#x#", `\#x#`},
	{Bash, "", "stash@{0}", "stash@{0}"},
	{Bash, "", "{a,b}", `\{a,b\}`},
	{Bash, "", "a{1..3}", `a\{1..3\}`},
	{Bash, "", "hi!", `hi\!`},
	{Bash, "", "HEAD^", "HEAD^"},
	{Bash, "", "\xffa", "\xffa"},
	{Bash, "~/Download/some", "~/Download/some file with spaces.txt", `~/Download/some\ file\ with\ spaces.txt`},
	{Bash, `~"/Downloads/with space`, "~/Downloads/with spaces", `~"/Downloads/with spaces"`},
	{Bash, `"foo`, "foo$", `"foo\$"`},
	{Bash, `"f`, "foo", `"foo"`},
	{Bash, `'f`, "f'o", `'f'\''o'`},
	{Bash, `"f`, "f!o", `"f"\!"o"`},
	{Bash, `$'f`, "f\n'", `$'f\n\''`},
	{Bash, `a\`, "a b", `a\ b`},
	{Bash, `a\ `, "a b", `a\ b`},
	{Bash, "$HOME/x", "$HOME/x y", `$HOME/x\ y`},
	{Bash, `"$HOME/x`, "$HOME/x y", `"$HOME/x y"`},
	{Bash, `$HOME/"x`, "$HOME/x y", `$HOME/"x y"`},
	{Bash, "~/", "~/x", "~/x"},
	{Bash, "[x", "[x]", `\[x\]`},
	{Bash, "FOO", "foo bar", `foo\ bar`},
	{Bash, `"FOO`, "foo bar", `"foo bar"`},
	{Bash, "", "a\u202eb", `a$'\xe2\x80\xae'b`},
	{Bash, "'", "a\u2066b", `'a'$'\xe2\x81\xa6''b'`},
	{Bash, "", "a\u200db", "a\u200db"},
	{Zsh, "", "a\u061cb", `a$'\xd8\x9c'b`},
	{Zsh, "", "=ls", `\=ls`},
	{Zsh, "", "HEAD^", `HEAD\^`},
	{Zsh, "~/", "~/x y", `~/x\ y`},
	{Zsh, "//", "//:agent:build:base", "//:agent:build:base"},
	{Fish, "", "~", `\~`},
	{Fish, "", "a\nb", `a\nb`},
	{Fish, "", "\xff", `\Xff`},
	{Fish, "", "a\x01", `a\x01`},
	{Fish, "", "a`b!", "a`b!"},
	{Fish, "~/fish_bug/[", "~/fish_bug/[Hello] World.txt", `~/fish_bug/\[Hello\]\ World.txt`},
	{Fish, `"foo`, "foo$", `"foo\$"`},
	{Fish, `'f`, `f'\`, `'f\'\\'`},
	{Fish, `'f`, "f\n", `'f'\n''`},
}

func TestQuote(t *testing.T) {
	for _, tc := range quoteCases {
		line := "cmd " + tc.typed
		w := At(tc.d, line, len(line)).Cursor
		if got := Quote(tc.d, tc.value, w, false); got != tc.want {
			t.Errorf("dialect %d, typed %q, value %q: got %s want %s", tc.d, tc.typed, tc.value, got, tc.want)
		}
	}
}

func TestQuoteOpen(t *testing.T) {
	w := At(Bash, `ls "src di`, 10).Cursor
	if got := Quote(Bash, "src dir/", w, true); got != `"src dir/` {
		t.Errorf("got %s", got)
	}
}

// genValue makes names as file systems and tools have them, and worse.
func genValue() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		parts := rapid.SliceOfN(rapid.OneOf(
			rapid.SampledFrom([]string{
				"a", "~", "!", "{", "}", ",", "..", "[", "]", "*", "?", "^", "#", "=", ":", "-", "$", "$(", "x)", "`", "'", "\"", "\\",
				" ", "\n", "\t", "\x01", "\x7f", "\x1b[0m", "é", "日", "\xff", "\xc3", "\u202e", "\u0085", "%", "&", "|", ";", "<", ">", "(", "@", "+", "HOME", "1", "/",
			}),
			rapid.StringN(0, 6, -1),
		), 0, 8).Draw(t, "parts")
		return strings.ReplaceAll(strings.Join(parts, ""), "\x00", "0")
	})
}

// What is written is read back as the value, whatever was typed before.
func TestQuoteReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := Dialect(rapid.IntRange(0, 2).Draw(t, "dialect"))
		value := genValue().Draw(t, "value")
		open := rapid.SampledFrom([]string{"", "'", "\"", "$'", "a", "\\"}).Draw(t, "typed")
		if d == Fish && open == "$'" {
			open = "'"
		}
		line := "cmd " + open
		w := At(d, line, len(line)).Cursor
		checkBack(t, d, value, w)
		// And after its own beginning, cut anywhere and quoted.
		half := value[:rapid.IntRange(0, len(value)).Draw(t, "cut")]
		line = "cmd " + Quote(d, half, w, true)
		checkBack(t, d, value, At(d, line, len(line)).Cursor)
	})
}

func checkBack(t interface{ Fatalf(string, ...any) }, d Dialect, value string, w Word) {
	line := "cmd " + Quote(d, value, w, false) + " end"
	c := At(d, line, len(line))
	if len(c.Words) != 2 || c.Words[1].Text != value || c.Words[1].Live || c.Words[1].Glob || c.Words[1].Open != Unquoted {
		t.Fatalf("dialect %d, typed %q, value %q: wrote %q, read %+v", d, w.Raw, value, line, c.Words)
	}
}

func FuzzQuote(f *testing.F) {
	for _, tc := range quoteCases {
		f.Add(uint8(tc.d), tc.typed, tc.value)
	}
	f.Fuzz(func(t *testing.T, d uint8, typed, value string) {
		if strings.ContainsRune(value, 0) {
			t.Skip()
		}
		line := "cmd " + typed
		c := At(Dialect(d%3), line, len(line))
		if c.Place != Argument || c.Cursor.Live {
			t.Skip()
		}
		if got, ok := Unquote(Dialect(d%3), Quote(Dialect(d%3), value, c.Cursor, false)); !ok || got != value {
			t.Fatalf("typed %q value %q: wrote %q, read %q", typed, value, Quote(Dialect(d%3), value, c.Cursor, false), got)
		}
	})
}

func TestExpandAlias(t *testing.T) {
	aliases := map[string]string{
		"g": "git", "gco": "g checkout", "ls": "ls --color", "sudo": "sudo ", "x": "cd /tmp && git", "a": "b", "b": "a c", "q": "'unfinished",
	}
	for _, tc := range []struct{ line, want string }{
		{"gco main ", "git checkout main"},
		{"ls x ", "ls --color x"},
		{"sudo gco main ", "sudo git checkout main"},
		{"x status ", "git status"},
		{"a d ", "a c d"},
		{"\\g status ", "g status"},
		{"nope x ", "nope x"},
		{"q z ", "unfinished z"},
	} {
		c := At(Bash, tc.line, len(tc.line))
		texts, shift := ExpandAlias(Bash, c.Words, aliases)
		if got := strings.Join(texts, " "); got != tc.want || shift != len(texts)-len(c.Words) {
			t.Errorf("%q: got %q (%d)", tc.line, got, shift)
		}
	}
}
