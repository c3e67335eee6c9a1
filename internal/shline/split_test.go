package shline

import (
	"fmt"
	"strings"
	"testing"
)

// summary writes a command as words{redirections}, its parent before it, the
// function it is defined in, and its separator after it.
func summary(x Script) string {
	var b strings.Builder
	for i, c := range x.Commands {
		if i > 0 {
			b.WriteString(" / ")
		}
		if c.Parent >= 0 {
			fmt.Fprintf(&b, "%d:", c.Parent)
		}
		if c.Function != "" {
			fmt.Fprintf(&b, "%s():", c.Function)
		}
		if c.Piped {
			b.WriteString("|")
		}
		for _, a := range c.Assigns {
			b.WriteString(a.Text + " ")
		}
		b.WriteString(strings.Join(Texts(c.Words), " "))
		for _, r := range c.Redirects {
			fmt.Fprintf(&b, " {%s%s}", r.Op, r.Target.Text)
		}
		if c.Sep != "" {
			fmt.Fprintf(&b, " %q", c.Sep)
		}
	}
	if !x.Complete {
		b.WriteString(" …")
	}
	if x.Err != "" {
		b.WriteString(" !" + x.Err)
	}
	return b.String()
}

func TestSplit(t *testing.T) {
	for _, tc := range []struct {
		d          Dialect
		line, want string
	}{
		{Fish, "a b; c | d &", `a b ";" / c "|" / |d "&"`},
		{Fish, "a (b c) d", `a (b c) d / 0:b c`},
		{Fish, "a \"x$(b (c))\"", `a x$(b (c)) / 0:b (c) / 1:c`},
		{Fish, "if a; b; else if c; d; else; e; end", `a ";" / b ";" / c ";" / d ";" / e ";"`},
		{Fish, "if a; b", `a ";" / b …`},
		{Fish, "for x in (ls); rm $x; end", `for x in (ls) ";" / 0:ls / rm $x ";"`},
		{Fish, "function f --on-event x; rm -rf a; end; f", `function f --on-event x ";" / f():rm -rf a ";" / f`},
		{Fish, "while true; begin; a; end; end | b", `true ";" / a ";" / |b`},
		{Fish, "switch $x; case a b; rm c; end", `switch $x ";" / case a b ";" / rm c ";"`},
		{Fish, "not a; and b; or c", `a ";" / b ";" / c`},
		{Fish, "A=1 b > x 2>&1 &>> y", `A=1 b {>x} {>&1} {&>>y}`},
		{Fish, "a 'b", "a b …"},
		{Fish, "a |", `a "|" …`},
		{Fish, "a && # x\nb", `a "&&" / b`},
		{Fish, "a; end", `a ";" !end outside of a block`},
		{Fish, "a (begin; b)", `a (begin; b) / 0:b !a block without its end`},
		{Fish, "a (", "a ( …"},
		{Fish, "a )b", `a ")" / b`},
		{Fish, "echo 'rm; x' # rm; y", "echo rm; x"},
		{Bash, "a; (b | c) && d", `a ";" / b "|" / |c / d`},
		{Bash, "x=$(a) b <(c)", "x=$(a) b <(c) / 0:a / 0:c"},
		{Bash, "cat <<E\nx $(y)\nE", `cat {<<E} "\n"`},
		{Bash, "cat <<E\nx", `cat {<<E} "\n" …`},
		{Bash, "case x in a) b;; c|d) e; esac", `case x in "in" / b ";;" / e ";"`},
		{Bash, "f() { rm x; }", `f "()" / rm x ";"`},
	} {
		if got := summary(Split(tc.d, tc.line)); got != tc.want {
			t.Errorf("%q\n got %s\nwant %s", tc.line, got, tc.want)
		}
	}
}

func TestSplitDeep(t *testing.T) {
	for d := Bash; d <= Fish; d++ {
		x := Split(d, strings.Repeat("\"$(a ", 50_000))
		if !x.Deep || x.Complete || len(x.Commands) > splitDepth {
			t.Errorf("dialect %d: deep %v, complete %v, %d commands", d, x.Deep, x.Complete, len(x.Commands))
		}
	}
}

func FuzzSplit(f *testing.F) {
	for _, tc := range atCases {
		f.Add(uint8(tc.dialect), tc.line)
	}
	f.Fuzz(func(t *testing.T, d uint8, line string) {
		for i, c := range Split(Dialect(d%3), line).Commands {
			if c.Parent >= i || c.Start > c.End || c.End > len(line) {
				t.Fatalf("command %d of %q: %+v", i, line, c)
			}
			for _, w := range c.Words {
				if line[w.Start:w.End] != w.Raw {
					t.Fatalf("word %+v", w)
				}
			}
		}
	})
}
