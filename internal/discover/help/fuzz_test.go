package help

import (
	"strings"
	"testing"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
)

func FuzzParse(f *testing.F) {
	for _, x := range layouts {
		f.Add(x.text)
	}
	f.Add("-\x1b]0;x\x07-a [[[[<<<{{{(((\n\t-b=")
	f.Fuzz(func(t *testing.T, text string) { sound(t, Parse(text, []string{"frob", "sub"})) })
}

func FuzzSpec(f *testing.F) {
	for _, x := range layouts {
		for line := range strings.SplitSeq(x.text, "\n") {
			f.Add(strings.TrimSpace(line), 10, true)
		}
	}
	f.Fuzz(func(t *testing.T, row string, column int, beneath bool) {
		s, ok := ParseSpec(row, column, beneath, !beneath)
		if ok && len(s.Names) == 0 && !s.Numeric && !s.Pattern {
			t.Error("a row without a name")
		}
	})
}

// sound checks what holds of every draft: names begin with a dash, hold no
// blank, and stand once.
func sound(t *testing.T, n *draft.Node) {
	t.Helper()
	for _, f := range n.Flags {
		if len(f.Names) == 0 {
			t.Error("a flag without a name")
		}
		for _, name := range f.Names {
			if len(name) < 2 || name[0] != '-' && name[0] != '+' || strings.ContainsAny(name, " \t\n\x1b\x00=") {
				t.Errorf("a flag is named %q", name)
			}
		}
	}
	for _, s := range n.Subs {
		if s.Name == "" || strings.ContainsAny(s.Name, " \n\x1b") {
			t.Errorf("a sub-command is named %q", s.Name)
		}
		sound(t, s)
	}
}

// TestHostile reads texts that are large in some way: each within a second or
// two, whatever their size.
func TestHostile(t *testing.T) {
	for name, text := range map[string]string{
		"a line of a megabyte":  "Usage: frob " + strings.Repeat("[-a|--b <c>] ", 80_000),
		"brackets":              "Usage: frob " + strings.Repeat("[", 1<<20),
		"nested options":        "  --x " + strings.Repeat("[<", 1<<19),
		"many rows":             "Options:\n" + strings.Repeat("  --flag-a    text one of: a, b\n", 100_000),
		"many flags":            manyFlags(),
		"many commands":         "Commands:\n" + strings.ReplaceAll(strings.ReplaceAll(manyFlags(), "--", ""), "Options:\n", ""),
		"escapes":               strings.Repeat("\x1b[1m-\b-\x1b]8;;http://x\x07", 200_000),
		"titles":                strings.Repeat("Options:\n\n", 200_000),
		"deep":                  deep(),
		"one option, long text": "  -a  " + strings.Repeat("one of 'a', 'b' or (c|d|e) ", 50_000) + "\n" + strings.Repeat("      text (default: x)\n", 50_000),
		"prose":                 "Usage: frob [flags]\n\n" + strings.Repeat("The -a=b and -c flags do it. It provides the -d flag. ", 20_000),
		"prose in lines":        "Usage: frob [flags]\n\n" + strings.Repeat("The -a=b and -c flags do it.\n", 40_000),
		"shared options":        "These flags are available to all commands: " + strings.Repeat("--aa, --bb,\n", 80_000),
		"colons":                "Options:\n  --x V  " + strings.Repeat("a: b, c: ", 100_000) + "\n",
		"categories":            "Commands:\n" + strings.Repeat("  one:\n    two  text\n", 50_000),
		"whole words":           "Commands:\n" + strings.Repeat("  frob one two  text\n  frob one three  text\n", 25_000),
		"slashes":               "  -sA" + strings.Repeat("/sB", 300_000) + ": text\n",
		"marked choices":        "  -x  " + strings.Repeat("(a)|b|", 150_000) + "\n",
		"groups":                strings.Repeat("  -aa, -bb, -cc=V, --dd  these options\n", 25_000),
		"binary":                strings.Repeat("\x00\xff\xfe-a\x80", 300_000),
	} {
		start := time.Now()
		n := Parse(text, []string{"frob"})
		if d := time.Since(start); d > 5*time.Second {
			t.Errorf("%s: %s", name, d)
		}
		sound(t, n)
		if len(n.Flags) > maxItems+20_000 || len(n.Subs) > maxItems+1 {
			t.Errorf("%s: %d flags, %d sub-commands", name, len(n.Flags), len(n.Subs))
		}
	}
}

func manyFlags() string {
	var b strings.Builder
	b.WriteString("Options:\n")
	for i := range 50_000 {
		b.WriteString("  --f")
		for x := i; x > 0; x /= 26 {
			b.WriteByte(byte('a' + x%26))
		}
		b.WriteString("x    text\n")
	}
	return b.String()
}

func deep() string {
	var b strings.Builder
	for i := range 3000 {
		b.WriteString(strings.Repeat(" ", i) + "-a\n")
	}
	return b.String()
}
