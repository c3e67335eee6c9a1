package cargo

import (
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/resolvers"
	"github.com/tool-mapping-protocol/tmp/resolvers/resolvertest"
)

// testCrate has tests in most of the places where they can be, and texts that
// only look like tests.
func testCrate(t testing.TB) string {
	return resolvertest.Tree(t, map[string]string{
		"Cargo.toml": "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
		"src/lib.rs": `
//! #[test] fn in_doc() {}
pub mod parser;
pub mod lexer { pub mod tokens; #[cfg(test)] mod tests { #[test] fn inline() {} } }
#[path = "odd/place.rs"] mod placed;
#[cfg(test)]
mod tests;
/* #[test] fn in_comment() {} /* nested */ #[test] fn still() {} */
#[allow(dead_code)]
const RAW: &str = r##"
#[test] fn in_raw() {} "# "##;
#[allow(dead_code)]
const TEXT: &str = "\" #[test] fn in_text() {} \
  {{{ ";
#[allow(dead_code)]
const C: [char; 3] = ['"', '\'', '{'];
#[allow(dead_code)]
fn lifetimes<'a>(x: &'a str, _b: [u8; 4]) -> &'a str { x }
#[allow(unused_macros)]
macro_rules! make { ($n:ident) => { #[test] fn $n() {} #[test] fn fixed() {} } }
#[test]
fn at_root() {}
#[test]
#[should_panic(expected = "a ] b")]
fn panics() { panic!("a ] b") }
#[test] #[ignore = "slow"]
pub fn slow() {
    #[allow(dead_code)]
    fn helper() {}
}
#[test]
fn with_type() { let _f: fn(i32) -> i32 = |x| x; }
macro_rules! twice { ($($i:item)*) => { $($i)* } }
twice! { #[test] fn in_macro() {} }
`,
		"src/parser.rs":         "mod deep;\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn rejects_invalid_escape() {}\n    mod more { #[test] fn again() {} }\n}\n",
		"src/parser/deep.rs":    "#[test] fn deep_one() {}",
		"src/lexer/tokens.rs":   "#[test] fn token() {}",
		"src/odd/place.rs":      "mod near; #[test] fn placed_one() {}",
		"src/odd/near.rs":       "#[test] fn near_one() {}",
		"src/tests/mod.rs":      "mod unit; #[test] fn top() {}",
		"src/tests/unit.rs":     "#[test] fn unit_one() {}",
		"src/orphan.rs":         "#[test] fn never() {}",
		"src/main.rs":           "fn main() {}\n#[test] fn main_test() {}",
		"tests/api.rs":          "mod common;\n#[test] fn api_works() {}",
		"tests/common/mod.rs":   "#[test] fn shared() {}",
		"examples/x.rs":         "fn main() {} #[test] fn in_example() {}",
		"tests/second/main.rs":  "mod part; #[test] fn second_works() {}",
		"tests/second/part.rs":  "#[test] fn part_one() {}",
		"benches/b.rs":          "fn main() {}",
		"tests/fixtures/bad.rs": "#[test] fn fixture() {}",
	})
}

var testCrateTests = resolvertest.Words(`
api_works at_root common::shared in_macro lexer::tests::inline lexer::tokens::token main_test panics
parser::deep::deep_one parser::tests::more::again parser::tests::rejects_invalid_escape
part::part_one placed::near::near_one placed::placed_one second_works slow tests::top tests::unit::unit_one with_type`)

func TestCargoTests(t *testing.T) {
	root := testCrate(t)
	a := resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: "cargo:tests", Dir: root, Words: resolvertest.Words("cargo test")})
	resolvertest.Equal(t, "cargo test", resolvertest.Texts(a), testCrateTests)
	d := resolvertest.Described(a)
	if d["slow"] != "src/lib.rs:27, ignored" || d["parser::tests::rejects_invalid_escape"] != "src/parser.rs:5" {
		t.Errorf("descriptions %q", d)
	}
	for line, want := range map[string]string{
		"cargo test --test api":       "api_works common::shared",
		"cargo test --bin demo":       "main_test",
		"cargo test --bins --test=s*": "main_test part::part_one second_works",
	} {
		resolvertest.Equal(t, line, resolvertest.Texts(resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: "cargo:tests", Dir: root, Words: resolvertest.Words(line)})), resolvertest.Words(want))
	}
	a = resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: "cargo:tests", Dir: root, Limit: 2, Filter: resolvers.Filter{Text: "parser::"}})
	resolvertest.Equal(t, "filter", resolvertest.Texts(a), resolvertest.Words("parser::deep::deep_one parser::tests::more::again"))
	if a.Omitted != 1 {
		t.Errorf("omitted %d", a.Omitted)
	}
}

func TestCargoTestsAgainstCargo(t *testing.T) {
	cargo, err := exec.LookPath("cargo")
	if err != nil || testing.Short() {
		t.Skip("no cargo, or short")
	}
	list := func(dir string) (string, error) {
		cmd := exec.Command(cargo, "test", "--offline", "--", "--list")
		cmd.Dir = dir
		var stderr strings.Builder
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			err = fmt.Errorf("%w: %s", err, stderr.String())
		}
		return string(out), err
	}
	// A cargo without its toolchain or a linker builds nothing at all.
	empty := resolvertest.Tree(t, map[string]string{"Cargo.toml": "[package]\nname = \"empty\"\nversion = \"0.1.0\"\n", "src/lib.rs": ""})
	if _, err := list(empty); err != nil {
		t.Skipf("cargo does not work here, not even on an empty crate: %v", err)
	}
	out, err := list(testCrate(t))
	if err != nil {
		t.Fatalf("cargo test: %v", err)
	}
	var names []string
	for _, m := range regexp.MustCompile(`(?m)^(\S+): test$`).FindAllStringSubmatch(out, -1) {
		names = append(names, m[1])
	}
	slices.Sort(names)
	resolvertest.Equal(t, "cargo test -- --list", slices.Compact(names), testCrateTests)
}

func TestScanRust(t *testing.T) {
	for src, want := range map[string]string{
		"#[tokio::test]\nasync fn a() {}":                                "a@2",
		"#[tokio::test(flavor = \"multi_thread\")]\nasync fn a() {}":     "a@2",
		"#[rstest]\n#[case(1, \"]\")]\nfn a(#[case] x: u8) {}":           "a@3",
		"#[test_case(b']', 'x'; \"name\")]\nfn a(x: u8, y: char) {}":     "a@2",
		"#[cfg(test)]\nfn a() {}":                                        "",
		"#[cfg_attr(miri, ignore)]\n#[test]\nfn a() {}":                  "a@3",
		"#[test]\nstruct X; fn a() {}":                                   "",
		"#![test]\nfn a() {}":                                            "",
		"# [test]":                                                       "",
		"#[test] pub(crate) unsafe extern \"C\" fn a() {}":               "a@1",
		"#[test] fn r#try() {}":                                          "try@1",
		"mod a { mod b { #[test] fn c() {} } #[test] fn d() {} } mod e;": "a::b::c@1 a::d@1 mod:e@1",
		"fn x() { mod y; #[test] fn z() {} } #[test] fn w() {}":          "w@1",
		"trait T { fn x(); } #[test] fn w() {}":                          "w@1",
		"mod a { #[path = \"x.rs\"] mod b; }":                            "mod:a::b=x.rs@1",
		"#[path = r\"x.rs\"] mod b;":                                     "mod:b@1",
		"'a: loop {} #[test] fn w() {}":                                  "w@1",
		"'\\u{1F}' #[test] fn w() {}":                                    "w@1",
		"b'\"' #[test] fn w() {}":                                        "w@1",
		"br##\"\"#[test] fn no() {}\"## #[test] fn w() {}":               "w@1",
		"} } #[test] fn w() {}":                                          "w@1",
		"#[test] /* x */ fn /* y */ w /* z */ () {}":                     "w@1",
		"\"unclosed #[test] fn w() {}":                                   "",
		"#[test":                                                         "",
		"#[test] fn":                                                     "",
	} {
		var got []string
		scanRust(src, func(item rustItem) { got = append(got, rustText(item)) })
		resolvertest.Equal(t, src, got, slices.Clip(resolvertest.Words(want)))
	}
}

func rustText(item rustItem) string {
	s := joinMod(item.mod, item.name)
	if !item.test {
		s = "mod:" + s
	}
	if item.path != "" {
		s += "=" + item.path
	}
	return fmt.Sprintf("%s@%d", s, item.line)
}

func TestCargoTestsCycle(t *testing.T) {
	root := resolvertest.Tree(t, map[string]string{
		"Cargo.toml": "[package]\nname = \"x\"\n",
		"src/lib.rs": "#[path = \"lib.rs\"] mod me; mod gone; #[test] fn a() {}",
	})
	resolvertest.Equal(t, "cycle", resolvertest.Texts(resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: "cargo:tests", Dir: root})), resolvertest.Words("a"))
}

// Sources that want quadratic work from a reader.
func TestScanHostile(t *testing.T) {
	resolvertest.Hostile(t, func(text string) { scanRust(text, func(rustItem) {}) })
}

func FuzzScanRust(f *testing.F) {
	f.Add("mod a { #[test] fn c() {} } mod b; r#\"x\"# '\\'' 'a /* /* */ */ #[path = \"x\"]")
	f.Fuzz(func(t *testing.T, src string) {
		lines := strings.Count(src, "\n") + 1
		scanRust(src, func(item rustItem) {
			if item.name == "" || item.line < 1 || item.line > lines {
				t.Fatalf("%q: %+v", src, item)
			}
		})
	})
}

func BenchmarkCargoTests(b *testing.B) {
	files := map[string]string{"Cargo.toml": "[package]\nname = \"demo\"\nedition = \"2021\"\n"}
	var lib strings.Builder
	for i := range 100 {
		fmt.Fprintf(&lib, "mod m%d;\n", i)
		files[fmt.Sprintf("src/m%d.rs", i)] = strings.Repeat("/// Doc \"text\".\npub fn f<'a>(x: &'a str) -> char { let s = \"abc\"; if s == x { '{' } else { '}' } }\n", 200) +
			"#[cfg(test)] mod tests {" + strings.Repeat("#[test] fn works() { assert!(true); }\n", 20) + "}"
	}
	files["src/lib.rs"] = lib.String()
	root := resolvertest.Tree(b, files)
	resolvertest.AgeTree(b, root)
	b.Run("scan", func(b *testing.B) {
		for b.Loop() {
			resolvertest.Expect(b, resolvers.Fresh, resolvers.Request{Name: "cargo:tests", Dir: root, Limit: 200})
		}
	})
	b.Run("cached", func(b *testing.B) {
		dir := b.TempDir()
		for b.Loop() {
			resolvertest.Expect(b, resolvers.Fresh, resolvers.Request{Name: "cargo:tests", Dir: root, Limit: 200, CacheDir: dir})
		}
	})
}
