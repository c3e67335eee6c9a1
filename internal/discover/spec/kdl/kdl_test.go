package kdl

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
)

// show writes nodes in one plain form.
func show(nodes []*Node) string {
	var b strings.Builder
	for _, n := range nodes {
		fmt.Fprintf(&b, "%s", n.Name)
		for _, a := range n.Args {
			b.WriteString(" " + a.show())
		}
		for _, p := range n.Props {
			b.WriteString(" " + p.Name + "=" + p.Value.show())
		}
		if len(n.Children) > 0 {
			b.WriteString("{" + show(n.Children) + "}")
		}
		b.WriteString(";")
	}
	return b.String()
}

func (v Value) show() string {
	switch v.Kind {
	case String:
		return fmt.Sprintf("%q", v.Text)
	case Bool:
		return fmt.Sprint(v.Bool)
	case Null:
		return "null"
	}
	return v.Text
}

func TestParse(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"empty", " \n\t// nothing\n/* at /* all */ */", ""},
		{"arguments", `a "b" 1 -2.5e3 0x1F_f true #false null #null bare`, `a "b" 1 -2.5e3 0x1F_f true false null null "bare";`},
		{"properties", `a x=1 "y z"="b" x=2`, `a y z="b" x=2;`},
		{"property without quotes in its name", `a y="b"`, `a y="b";`},
		{"children", "a {\n b; c { d }\n}\ne", "a{b;c{d;};};e;"},
		{"slashdash", "/- a 1 { b }\nc /-1 2 /-x=3 /-{ d } { e }", `c 2{e;};`},
		{"slashdash before a line", "/-\na\nb", "b;"},
		{"continued", "a 1 \\ // why\n  2", "a 1 2;"},
		{"types", `(t)a (u8)1 x=(s)"v"`, `a 1 x="v";`},
		{"escapes", `a "\n\t\"\\\/\u{41}\s|"`, `a "\n\t\"\\/A |";`},
		{"blank escape", "a \"x \\\n   y\"", `a "x y";`},
		{"raw 1", `a r"\n" r#"say "x""#`, `a "\\n" "say \"x\"";`},
		{"raw 2", `a #"\n "x" "#`, `a "\\n \"x\" ";`},
		{"several lines", "a \"\"\"\n    one\n      two\n\n    \"\"\"", `a "one\n  two\n";`},
		{"several raw lines", "a #\"\"\"\n  \\x\n  \"\"\"#", `a "\\x";`},
		{"a string over lines as version 1 has it", "a \"x\ny\"", `a "x\ny";`},
		{"an empty string", `a ""`, `a "";`},
		{"words with dashes", "a-b --c -x <d> e.f", `a-b "--c" "-x" "<d>" "e.f";`},
		{"semicolons", "a;;b 1;", "a;b 1;"},
		{"line ends", "a\r\nb\rc\u2028d", "a;b;c;d;"},
	} {
		nodes, err := Parse([]byte(test.text))
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if got := show(nodes); got != test.want {
			t.Errorf("%s: got %s, want %s", test.name, got, test.want)
		}
	}
}

func TestFaults(t *testing.T) {
	for _, test := range []struct {
		text string
		line int
	}{
		{"a\nb {\nc", 2},
		{"a\n}", 2},
		{"a \"x", 1},
		{"a\n\nb \"\\q\"", 3},
		{"a \"\\u{110000}\"", 1},
		{"a #maybe", 1},
		{"a 1x", 1},
		{"\n1 a", 2},
		{"a /* b", 1},
		{"a\nb r#\"x\"", 2},
		{"a \\ b", 1},
		{"a\nb \"\"\"\n x\n  \"\"\"", 3},
		{"a=1", 1},
		{"a (t", 1},
		{"a]", 1},
		{"a\r\nb \"x\r\ny\r\nz\"\r\n}", 5},       // CR LF in a string
		{"/* x\r\n y\r\n*/ a\r\n}", 4},           // and in a comment
		{"a \"x\ry\"\n}", 3},                     // CR alone
		{"a \"x\u2028y\u0085z\"\n}", 4},          // line ends of several bytes
		{"/* \u2028 */ a\n}", 3},                 // and in a comment
		{"a \"x\ny\n \\q\"", 3},                  // the line of the escape, not of the string
		{"a \"x \\\n\n  y \\q\"", 3},             // behind an escaped line end
		{"a\nb \"\"\"\n  x\n  \\q\n  \"\"\"", 4}, // in a string over several lines
		{"a\nb \"\"\"\n  x\n  y \"\"\"", 4},      // quotes that do not stand alone
		{"a \\\r\n b\r\n}", 3},                   // a line that goes on
		{"a x=\n", 1},
		{strings.Repeat("a {", maxDepth+2), 1},
	} {
		_, err := Parse([]byte(test.text))
		var fault *draft.Fault
		if !errors.As(err, &fault) {
			t.Errorf("%q: %v", test.text, err)
			continue
		}
		if fault.Line != test.line {
			t.Errorf("%q: line %d, want %d (%s)", test.text, fault.Line, test.line, fault.Reason)
		}
	}
}

func TestLines(t *testing.T) {
	nodes, err := Parse([]byte("a\n// c\nb \"x\ny\" {\n  c\n}\nd"))
	if err != nil {
		t.Fatal(err)
	}
	got := []int{nodes[0].Line, nodes[1].Line, nodes[1].Children[0].Line, nodes[2].Line}
	if diff := cmp.Diff([]int{1, 3, 5, 7}, got); diff != "" {
		t.Error(diff)
	}
}

// write is a writer of its own: what it writes is what must be read.
func write(b *strings.Builder, nodes []*Node, indent string) {
	for _, n := range nodes {
		b.WriteString(indent + quote(n.Name))
		for _, a := range n.Args {
			b.WriteString(" " + a.write())
		}
		for _, p := range n.Props {
			b.WriteString(" " + quote(p.Name) + "=" + p.Value.write())
		}
		if len(n.Children) > 0 {
			b.WriteString(" {\n")
			write(b, n.Children, indent+"\t")
			b.WriteString(indent + "}")
		}
		b.WriteString("\n")
	}
}

func (v Value) write() string {
	switch v.Kind {
	case String:
		return quote(v.Text)
	case Bool:
		return fmt.Sprintf("#%t", v.Bool)
	case Null:
		return "#null"
	}
	return v.Text
}

func quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`, "\t", `\t`, "\f", `\f`, "\b", `\b`).Replace(s) + `"`
}

func someNodes(depth int) *rapid.Generator[[]*Node] {
	return rapid.Custom(func(t *rapid.T) []*Node {
		var out []*Node
		for range rapid.IntRange(0, 3).Draw(t, "nodes") {
			n := &Node{Name: rapid.String().Draw(t, "name")}
			for range rapid.IntRange(0, 3).Draw(t, "args") {
				n.Args = append(n.Args, someValue(t))
			}
			for range rapid.IntRange(0, 3).Draw(t, "props") {
				n.set(rapid.String().Draw(t, "key"), someValue(t))
			}
			if depth > 0 {
				n.Children = someNodes(depth-1).Draw(t, "children")
			}
			out = append(out, n)
		}
		return out
	})
}

func someValue(t *rapid.T) Value {
	switch rapid.IntRange(0, 3).Draw(t, "kind") {
	case 0:
		return Value{Kind: Number, Text: fmt.Sprint(rapid.Int().Draw(t, "number"))}
	case 1:
		return Value{Kind: Bool, Bool: rapid.Bool().Draw(t, "bool")}
	case 2:
		return Value{Kind: Null}
	}
	return Value{Text: rapid.String().Draw(t, "text")}
}

func TestWrittenIsRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := someNodes(2).Draw(t, "document")
		var b strings.Builder
		write(&b, want, "")
		got, err := Parse([]byte(b.String()))
		if err != nil {
			t.Fatalf("%v in\n%s", err, b.String())
		}
		if show(got) != show(want) {
			t.Fatalf("got %s, want %s from\n%s", show(got), show(want), b.String())
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"a \"b\" 1 x=#true { c }", "/- a\nb \\\n c", "a #\"\"\"\n x\n \"\"\"#", "a r##\"x\"##", "(t)a (u)1", "a /* /* */ */ 1;b", "\ufeffa \"\\u{41}\"", "a {", "a \"\"\"\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		nodes, err := Parse(data)
		if err != nil {
			var fault *draft.Fault
			if !errors.As(err, &fault) || fault.Line < 1 || fault.Line > 1+strings.Count(string(data), "\n")*2+len(data) {
				t.Fatalf("fault %#v", err)
			}
			return
		}
		var b strings.Builder
		write(&b, nodes, "")
		again, err := Parse([]byte(b.String()))
		if err != nil || show(again) != show(nodes) {
			t.Fatalf("%v: %q is read as %s, then as %s", err, data, show(nodes), show(again))
		}
	})
}
