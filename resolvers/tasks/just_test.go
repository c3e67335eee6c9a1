package tasks

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/resolvers"
	"github.com/tool-mapping-protocol/tmp/resolvers/resolvertest"
)

func TestJustRecipes(t *testing.T) {
	root := resolvertest.Tree(t, map[string]string{
		"Justfile":  "set shell := [\"bash\", \"-c\"]\nversion := \"1: 2\"\nexport X := 'y'\nimport 'more.just'\nimport? 'none.just'\nmod sub\nalias b := build\n\n# Build it\nbuild target='all:x' *flags: dep\n    echo no: recipe\n\n@quiet:\n    true\n_private:\n    true\n[private]\nhidden:\n    true\n[doc('Shown')]\n[linux]\ndoc:\n",
		"more.just": "# From afar\nfar:\n", "deep/er/x": "",
	})
	for _, dir := range []string{"", "deep/er"} {
		a := resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: "just:recipes", Dir: filepath.Join(root, dir)})
		resolvertest.Equal(t, "just", resolvertest.Texts(a), resolvertest.Words("b build doc far quiet"))
		if d := resolvertest.Described(a); d["build"] != "Build it" || d["b"] != "alias of build" || d["doc"] != "Shown" || d["far"] != "From afar" {
			t.Errorf("descriptions %q", d)
		}
	}
	resolvertest.Equal(t, "just -f", resolvertest.Texts(resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: "just:recipes", Dir: root, Words: resolvertest.Words("just -f more.just")})), resolvertest.Words("far"))
	resolvertest.Expect(t, resolvers.Failed, resolvers.Request{Name: "just:recipes", Dir: t.TempDir()})
}

// The recipes of modules are called by the module's path.
func TestJustModules(t *testing.T) {
	root := resolvertest.Tree(t, map[string]string{
		"justfile":           "mod foo\nmod? bar 'tools/bar.just'\nmod? gone\n# Of its own\nmod deep\n[private]\nmod hidden\nbuild:\n  x\nmod:\n  x\n",
		"foo.just":           "# Bar it\nbar:\n  x\nbaz:\n  x\n_private:\n  x\n",
		"tools/bar.just":     "run:\n  x\n",
		"deep/Justfile":      "mod more\nimport 'also.just'\n",
		"deep/more/mod.just": "down:\n  x\n",
		"deep/also.just":     "also:\n  x\n",
		"hidden.just":        "no:\n  x\n",
		"loop.just":          "mod loop 'loop.just'\nstep:\n  x\n",
	})
	a := resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: "just:recipes", Dir: root, Words: resolvertest.Words("just")})
	resolvertest.Equal(t, "just", resolvertest.Texts(a), resolvertest.Words("bar::run build deep::also deep::more::down foo::bar foo::baz mod"))
	if d := resolvertest.Described(a); d["foo::bar"] != "Bar it" {
		t.Errorf("descriptions %q", d)
	}
	a = resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: "just:recipes", Dir: root, Words: resolvertest.Words("just"), Filter: resolvers.Filter{Text: "foo::"}})
	resolvertest.Equal(t, "just foo::", resolvertest.Texts(a), resolvertest.Words("foo::bar foo::baz"))
	if a = resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: "just:recipes", Dir: root, Words: resolvertest.Words("just -f loop.just"), Limit: 5}); len(a.Values) != 5 {
		t.Errorf("a module of itself: %q", resolvertest.Texts(a))
	}
}

func FuzzJust(f *testing.F) {
	f.Add("# c\nbuild x='a:b': y\nalias a := b\n[private]\nx:\nimport 'z'")
	f.Fuzz(func(t *testing.T, text string) {
		scanJust(text, func(r justRecipe) {
			if v := r.value(); r.offered() && (v.Value == "" || strings.ContainsAny(v.Value, " \n:")) {
				t.Fatalf("%q: %+v", text, v)
			}
		}, nil, func(string) {}, func(string, string) {})
	})
}

// Justfiles that want quadratic work from a reader.
func TestScanHostile(t *testing.T) {
	resolvertest.Hostile(t, func(text string) {
		scanJust(text, func(justRecipe) {}, nil, func(string) {}, func(string, string) {})
	})
}
