package evaluator

import (
	"errors"
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
)

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
