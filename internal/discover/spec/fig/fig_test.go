package fig

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
	"github.com/tool-mapping-protocol/tmp/internal/sandbox"
)

func TestMain(m *testing.M) {
	sandbox.Child()
	Child()
	os.Exit(m.Run())
}

// TestFaults: what cannot be read is told with its line, in bounded time.
func TestFaults(t *testing.T) {
	for _, test := range []struct {
		name, text, want string
		line             int
	}{
		{"syntax", "const a = 1;\nexport default {name: };", "not JavaScript", 2},
		{"thrown", "\n\nthrow new Error('no');\nexport default {name: 'x'}", "fails: Error: no", 3},
		{"nothing exported", "const a = 1", "exports no spec", 0},
		{"a text", "export default 'x'", "exports no spec", 0},
		{"another file's", "export { default } from './gh'", "./gh", 0},
		{"imported", "import x from './gh';\nexport default x", "./gh", 0},
		{"a string that does not end", "export default {\nname: 'x\n}", "does not end", 2},
		{"endless", "while (true) {}", "takes too long", 0},
		{"calls without end", "const f = () => f();\nf();", "fails", 0},
		{"nested without end", "let o = {};for (let i = 0; i < 1000; i++) o = {a: o};export default o", "nested", 0},
		{"endless list", "export default {name: 'x', options: {get length() { return 1e9 }}, subcommands: new Array(1e9)}", "too many values", 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := Read(t.Context(), []byte(test.text))
			var fault *draft.Fault
			if !errors.As(err, &fault) {
				t.Fatalf("error %v", err)
			}
			if !strings.Contains(fault.Reason, test.want) || fault.Line != test.line {
				t.Errorf("line %d: %s; want %q in line %d", fault.Line, fault.Reason, test.want, test.line)
			}
		})
	}
}

// TestBounds: a script that wants all memory, or sits in what cannot be
// interrupted, costs this process nothing and ends.
func TestBounds(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for name, text := range map[string]string{
		"memory":            "const a = [];for (;;) a.push('x'.repeat(1 << 20) + a.length)",
		"one great string":  "let s = 'x';for (;;) s += s",
		"backtracking":      "/^(a+)+$/.test('a'.repeat(40) + 'b');export default {name: 'x'}",
		"one great sort":    "const a = new Array(3e7).fill(0).map((x, i) => -i);a.sort();export default {name: 'x'}",
		"promises for ever": "const f = () => Promise.resolve().then(f);f();export default {name: 'x'}",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			begin := time.Now()
			_, err := Read(t.Context(), []byte(text))
			var fault *draft.Fault
			if err != nil && !errors.As(err, &fault) {
				t.Errorf("error %v", err)
			}
			if took := time.Since(begin); took > 30*time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
}

// TestNoHost: a script sees nothing of this machine.
func TestNoHost(t *testing.T) {
	const text = `
		const names = ["process", "fetch", "console", "setTimeout", "WebAssembly", "Deno", "Bun", "os", "fs", "window", "XMLHttpRequest", "performance"];
		export default {name: "x", description: [
			names.filter((n) => typeof globalThis[n] !== "undefined").join(","), Date.now(), Math.random(), typeof require("fs").readFileSync("/etc/passwd"),
		].join(" ")}`
	n, err := Read(t.Context(), []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if n.Description != " 0 0 function" {
		t.Errorf("sees %q", n.Description)
	}
}

// TestLimited: where no jail can be made the answer is the same.
func TestLimited(t *testing.T) {
	r, err := limited(context.Background(), `export default {name: "x"}`)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.TrimSpace(string(r.Stdout)); got != `{"value":{"name":"x"}}` {
		t.Errorf("%s %s", got, r.Stderr)
	}
}

// TestTypes: what is left of TypeScript is the JavaScript that is meant.
func TestTypes(t *testing.T) {
	for _, test := range [][2]string{
		{"const a: Fig.Spec<string>[] = b", "const a  = b"},
		{"let {a, b}: {a: string; b: number} = c", "let {a, b}  = c"},
		{"const f = (a: string, b?: number, ...c: any[]): a is string => a", "const f = (a , b  , ...c )  => a"},
		{"const f = async <T,>(a: T) => a", "const f = async  (a ) => a"},
		{"function f<T extends string = 'a', U>(a: T) {}", "function f (a ) {}"},
		{"function f<T>(this_: T, {a}: X = {}): Promise<T[]> {}", "function f (this_ , {a}  = {})  {}"},
		{"x = {m(a: string): void {}, async *g(b: number) {}}", "x = {m(a )  {}, async *g(b ) {}}"},
		{"a ? (b) : c => d", "a ? (b) : c => d"},
		{"a ? f(b) : {c: d}", "a ? f(b) : {c: d}"},
		{"x = a as unknown as Fig.Arg; y = b!.c[0]!", "x = a  ; y = b .c[0]!"},
		{"x = {a: b as const, as: 1, type: 2, is: 3}", "x = {a: b , as: 1, type: 2, is: 3}"},
		{"if (a < b && c > (d)) {}", "if (a < b && c > (d)) {}"},
		{"new Map<string, number>()", "new Map ()"},
		{"type A<T> = T extends string ? 'x' : {y: T}; b", "  b"},
		{"interface A extends B<C> {\n a: {b: string};\n}\nc", " \n\n\nc"},
		{"try {} catch (e: any) {}", "try {} catch (e ) {}"},
		{"const a = b / c, d = /[/]:/.test(e)", "const a = b / c, d = /[/]:/.test(e)"},
		{"const s = `a ${b as any}` as string", "const s = `a ${b as any}` "},
		{"enum A { X = 'x', Y }", "const A ={ X : 'x', Y:1 }"},
		{"for (const x of y as string[]) {}", "for (const x of y ) {}"},
	} {
		tokens, err := lex(test[0])
		if err != nil {
			t.Errorf("%s: %v", test[0], err)
			continue
		}
		r := &rewriter{src: test[0], tokens: tokens}
		r.types()
		got, want := strings.Join(strings.Fields(r.apply()), " "), strings.Join(strings.Fields(test[1]), " ")
		if got != want {
			t.Errorf("%s\n got %q\nwant %q", test[0], got, want)
		}
	}
}

// FuzzScript: any text is rewritten or is a fault with a line of it; lines stay
// where they are.
func FuzzScript(f *testing.F) {
	for _, seed := range []string{
		"export default {name: 'x'}", "import a, {b as c} from 'd';export {c as default}", "const a: B<C> = (d: E): f is G => `${`${1}`}`", "a<a<a<a<a", "enum A {B, C = 1}",
		"interface A { (b): c }", "export * from 'x'", "type A = ((((", "/[/]/", "import(", "export {", "a ? (b): c", "<T>(", "declare global {",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, src string) {
		out, err := script(src)
		var fault *draft.Fault
		switch {
		case err == nil:
			if got, want := strings.Count(out, "\n"), strings.Count(src, "\n")+2; got != want {
				t.Errorf("%d lines became %d", want, got)
			}
		case !errors.As(err, &fault) || fault.Line < 1 || fault.Line > 1+strings.Count(src, "\n"):
			t.Errorf("error %v", err)
		}
	})
}
