package build

import (
	"strings"
	"testing"
	"testing/quick"

	"github.com/tool-mapping-protocol/tmp/resolvers"
	"github.com/tool-mapping-protocol/tmp/resolvers/resolvertest"
)

func TestMesonObjects(t *testing.T) {
	root := resolvertest.Tree(t, map[string]string{
		"build/meson-info/intro-targets.json":      `[{"name":"app","id":"app@exe","type":"executable","filename":["/x/app"]},{"name":"core","type":"static library"}]`,
		"build/meson-info/intro-tests.json":        `[{"cmd":["/x/t"],"suite":["unit","fast"],"name":"parse"},{"suite":["slow"],"name":"big"}]`,
		"build/meson-info/intro-buildoptions.json": `[{"name":"buildtype","type":"combo","choices":["plain","debug"],"value":"debug","description":"Build type"},{"name":"prefix","type":"string","value":"/usr"}]`,
		"broken/meson-info/intro-tests.json":       `[{"name":`,
		"src/meson.options": "# option('not')\noption('docs', type : 'feature', value : 'auto',\n  description : 'Build ' + 'it''s docs')\n" +
			"option('backend', type: 'combo', choices: ['gtk', 'qt'], value: 'gtk')\noption('tests', type: 'boolean')\nfoo('x')\noption('cut",
	})
	ask := func(name, dir, filter string, line ...string) resolvers.Answer {
		return resolvertest.Resolve(t.Context(), resolvers.Request{Name: name, Dir: root + "/" + dir, Words: line, Filter: resolvers.Filter{Text: filter}})
	}
	resolvertest.Equal(t, "targets", resolvertest.Texts(ask("meson:targets", "build", "")), resolvertest.Words("app core"))
	resolvertest.Equal(t, "tests with -C", resolvertest.Texts(ask("meson:tests", "", "", "meson", "test", "-C", "build")), resolvertest.Words("big parse"))
	resolvertest.Equal(t, "suites", resolvertest.Texts(ask("meson:suites", "build", "")), resolvertest.Words("fast slow unit"))
	resolvertest.Equal(t, "options", resolvertest.Texts(ask("meson:options", "build", "")), resolvertest.Words("buildtype= prefix="))
	resolvertest.Equal(t, "choices", resolvertest.Texts(ask("meson:options", "build", "buildtype=")), resolvertest.Words("buildtype=plain buildtype=debug"))
	resolvertest.Equal(t, "of the project", resolvertest.Texts(ask("meson:options", "src", "")), resolvertest.Words("backend= docs= tests="))
	resolvertest.Equal(t, "its choices", resolvertest.Texts(ask("meson:options", "src", "backend=")), resolvertest.Words("backend=gtk backend=qt"))
	resolvertest.Equal(t, "a feature", resolvertest.Texts(ask("meson:options", "src", "docs=")), resolvertest.Words("docs=enabled docs=disabled docs=auto"))
	for _, dir := range []string{"broken", "none"} {
		if a := ask("meson:tests", dir, ""); a.State != resolvers.Failed || a.Message == "" || len(a.Values) > 0 {
			t.Errorf("%s: %+v", dir, a)
		}
	}
}

// Whatever the text, its options are read without an end of patience.
func TestMesonOptionsOfAnyText(t *testing.T) {
	pieces := []string{"option(", "'", "'''", "a", ":", "[", "]", ")", "\\", "#", "\n", "type", "choices", ","}
	err := quick.Check(func(picks []uint8) bool {
		var b strings.Builder
		for _, p := range picks {
			b.WriteString(pieces[int(p)%len(pieces)])
		}
		parseMesonOptions(b.String())
		return true
	}, &quick.Config{MaxCount: 2000})
	if err != nil {
		t.Error(err)
	}
}
