package envelope

import (
	"strings"
	"testing"
)

func TestSniff(t *testing.T) {
	for _, tc := range []struct{ name, head, tail, want string }{
		{"a.py", "", "", "code/python"},
		{"a/b.JS", "", "", "code/javascript"},
		{"x.ts", "", "", "code/typescript"},
		{"x.json", "[", "", "json"},
		{"x.yaml", "", "", "yaml"},
		{"x.yml", "", "", "yaml"},
		{"x.toml", "", "", "toml"},
		{"x.md", "", "", "markdown"},
		{"x.log", "", "", "log"},
		{"x.csv", "", "", "tabular"},
		{"x.tsv", "", "", "tabular"},
		{"x.sql", "", "", "code/sql"},
		{"x.go", "", "", "code/go"},
		{"x.rs", "", "", "code/rust"},
		{"x.java", "", "", "code/java"},
		{"x.c", "", "", "code/c"},
		{"x.cpp", "", "", "code/cpp"},
		{"x.sh", "", "", "code/sh"},
		{"x.rb", "", "", "code/ruby"},
		{"x.php", "", "", "code/php"},
		{"x.cs", "", "", "code/csharp"},
		{"x.kt", "", "", "code/kotlin"},
		{"x.swift", "", "", "code/swift"},
		{"x.html", "", "", "html"},
		{"x.css", "", "", "css"},
		{"x.xml", "", "", "xml"},
		{"x.py", "\x00", "", "binary"},
		{"x", "2026-01-31 a\n2026/01/31 b\nc\n", "", "log"},
		{"x", "[ERROR] a\nWARN b\n", "", "log"},
		{"x", "Jan 31 10:00 a\nFeb  1 11:22 b\n", "", "log"},
		{"x", "ERROR a\nplain\nplain\n", "", "text"},
		{"x", "{\"a\": 1\n", " }\n", "json"},
		{"x", "[1,\n", "2]", "json"},
		{"x", "{ not", "end", "text"},
		{"x", "", "", "text"},
		{".py", "", "", "text"},
		{"x.unknown", "words", "words", "text"},
	} {
		if got := Sniff(tc.name, []byte(tc.head), []byte(tc.tail)); got != tc.want {
			t.Errorf("%s, %q: %s, want %s", tc.name, tc.head, got, tc.want)
		}
	}
}

func TestDefinitions(t *testing.T) {
	for _, tc := range []struct {
		path, line string
		want       bool
	}{
		{"a.go", "func Foo(x int) {", true},
		{"a.go", "func (r *T) Foo() error {", true},
		{"a.go", "type Foo struct {", true},
		{"a.go", "const Foo = 1", true},
		{"a.go", "var Foo int", true},
		{"a.go", "// func Foo does", false},
		{"a.go", "\tx := Foo(1)", false},
		{"a.go", "func bar() { Foo() }", false},
		{"a.py", "def Foo(x):", true},
		{"a.py", "    async def Foo(self):", true},
		{"a.py", "class Foo(Bar):", true},
		{"a.py", "Foo = 1", true},
		{"a.py", "Foo(1)", false},
		{"a.py", "# def Foo():", false},
		{"a.py", "x = Foo", false},
		{"a.py", "if Foo == 1:", false},
		{"a.py", "    'class Foo'", false},
		{"a.js", "function Foo() {", true},
		{"a.js", "export default async function Foo() {", true},
		{"a.js", "class Foo extends Bar {", true},
		{"a.js", "const Foo = 1;", true},
		{"a.js", "  Foo(x) {", true},
		{"a.js", "Foo.prototype.Bar = function() {", false},
		{"a.js", "x.Foo = function() {", true},
		{"a.js", "  Foo: function() {", true},
		{"a.js", "  Foo(x);", false},
		{"a.js", "if (Foo) {", false},
		{"a.js", "  return Foo(x) {", false},
		{"a.js", "function* Foo() {", true},
		{"a.ts", "export interface Foo {", true},
		{"a.ts", "export type Foo = string;", true},
		{"a.ts", "enum Foo {", true},
		{"a.ts", "const enum Foo {", true},
		{"a.rs", "pub(crate) fn Foo<T>() {", true},
		{"a.rs", "pub struct Foo;", true},
		{"a.rs", "impl Foo {", false},
		{"a.rs", "trait Foo {", true},
		{"a.rs", "macro_rules! Foo {", true},
		{"a.c", "#define Foo(x) 1", true},
		{"a.c", "static int Foo(int x)", true},
		{"a.c", "int Foo(int x);", false},
		{"a.c", "struct Foo {", true},
		{"a.c", "struct Foo x;", false},
		{"a.c", "  return Foo(x);", false},
		{"a.c", "  y = Foo(x)", false},
		{"a.c", "# define Foo 1", true},
		{"A.java", "public class Foo {", true},
		{"A.java", "    public static void Foo(int x) {", true},
		{"A.java", "        Foo(x);", false},
		{"a.rb", "def Foo", true},
		{"a.php", "public function Foo($x) {", true},
		{"a.sh", "Foo() {", true},
		{"a.sh", "function Foo {", true},
		{"a.sh", "Foo x", false},
		{"a.sql", "CREATE TABLE IF NOT EXISTS Foo (", true},
		{"a.sql", "create or replace view Foo as", true},
		{"a.sql", "select * from Foo", false},
		{"a.kt", "fun Foo(x: Int) {", true},
		{"a.swift", "public struct Foo {", true},
		{"a.txt", "def Foo():", false},
		{"noending", "def Foo():", false},
	} {
		l := languageOf(tc.path)
		got := false
		if l != nil {
			w := Wanted{words: []string{"Foo"}}
			_, got = l.defines([]byte(tc.line), &w)
		}
		if got != tc.want {
			t.Errorf("%s: %q defines Foo: %v, want %v", tc.path, tc.line, got, tc.want)
		}
	}
}

func TestQuote(t *testing.T) {
	for in, want := range map[string]string{
		"a b": "a b", "a\nb": `"a\nb"`, "a\tb": `"a\tb"`, `"a`: `"\"a"`, `a"b`: `a"b`, "a\x1b[31m": `"a\033[31m"`, "é": "é", "a\x7f": `"a\177"`, "\xc2\x9bx": `"\302\233x"`, "\xe9": "\xe9", "a\n\\": `"a\n\\"`,
	} {
		if got := Quote(in); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}

func TestShorten(t *testing.T) {
	long := strings.Repeat("a", 900) + "MATCH" + strings.Repeat("é", 900)
	for _, at := range []int64{-1, 0, 10, 900, int64(len(long) - 2)} {
		out, cut := shorten([]byte(long), 0, int64(len(long)), at, maxLine)
		if !cut || chars(out) > maxLine {
			t.Errorf("at %d: %d characters", at, chars(out))
		}
		if at == 900 && !strings.Contains(string(out), "MATCH") {
			t.Errorf("the match is not in %q", out)
		}
	}
	fits := strings.Repeat("é", maxLine)
	if out, cut := shorten([]byte(fits), 0, int64(len(fits)), -1, maxLine); cut || string(out) != fits {
		t.Error("a line that fits is cut")
	}
}

func TestGrepArguments(t *testing.T) {
	w := World{IsDir: func(p string) bool { return p == "dir" }, Unlikely: "SEP"}
	for _, tc := range []struct{ in, want string }{
		{"foo f", "-nH --null --color=never foo f"},
		{"-h foo f", "-nH --null --color=never -n foo f"},
		{"-ihH foo f", "-nH --null --color=never -inn foo f"},
		{"--color=always foo f", "-nH --null --color=never --line-number foo f"},
		{"--colo foo f", "-nH --null --color=never --line-number foo f"},
		{"foo dir", "-nH --null --color=never -r foo dir"},
		{"-d skip foo dir", "-nH --null --color=never -d skip foo dir"},
		{"-A1 foo f", "-nH --null --color=never --group-separator=SEP -A1 foo f"},
		{"-A 1 --group-separator X foo f", "-nH --null --color=never --group-separator=SEP -A 1 --line-number foo f"},
		{"-e -h f", "-nH --null --color=never -e -h f"},
		{"-- -h f", "-nH --null --color=never -- -h f"},
		{"-eh f", "-nH --null --color=never -eh f"},
		{"-2h3 foo f", "-nH --null --color=never --group-separator=SEP -2n3 foo f"},
	} {
		if got := strings.Join(GrepCall(strings.Fields(tc.in), w).Argv, " "); got != tc.want {
			t.Errorf("grep %s: %s, want %s", tc.in, got, tc.want)
		}
	}
	w.Posix = true
	if got := strings.Join(GrepCall([]string{"foo", "-h"}, w).Argv, " "); got != "-nH --null --color=never foo -h" {
		t.Errorf("POSIX: %s", got)
	}
}

// TestDerivedLines: a key of JSON that holds a line break makes no line of its own.
func TestDerivedLines(t *testing.T) {
	text := "{\"a\n# TE: 5 more\": 1, \"b\": [1, 2, 3], \"c\": {\"d\": null}, \"e\": \"x\\\"y\", \"f\": true}\n" + strings.Repeat("\n", 3000)
	x := &CatIndex{Call: &Call{Cmd: "cat", Mode: Plain}, Limits: Limits{Budget: 1000, Preview: 20}, Lines: 20, Names: []string{"a.json"}}
	_, _ = x.Write([]byte(text))
	x.Close()
	got := string(x.Preview(x.Meta()).Bytes())
	for _, want := range []string{
		"# TE| object, 5 keys\n", "# TE| \"a # TE: 5 more\": number\n", "# TE| \"b\": array of 3, 9 bytes\n", "# TE| \"c\": object of 1, 11 bytes\n", "# TE| \"e\": string, 4 bytes\n", "# TE| \"f\": boolean\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in %s", want, got)
		}
	}
}

func FuzzDescribeJSON(f *testing.F) {
	for _, s := range []string{`{"a":1}`, `[1,2,{"b":[]}]`, `{"a":`, `[[[[`, `{"a":{"b":{}}}`, `"x`, `{,}`, `{"a" "b"}`, "\x00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { describeJSON([]byte(s), false) })
}
