package golang

import (
	"slices"
	"testing"

	"github.com/tool-mapping-protocol/tmp/resolvers"
	"github.com/tool-mapping-protocol/tmp/resolvers/resolvertest"
)

func TestGoTags(t *testing.T) {
	root := resolvertest.Tree(t, map[string]string{
		"go.mod":          "module x\n",
		"a.go":            "//go:build integration && !windows\n\npackage x\n",
		"sub/b.go":        "// text\n//go:build (e2e || integration) && go1.21\npackage x\n",
		"sub/c_test.go":   "package x\n\n//go:build late\n",
		"vendor/v/v.go":   "//go:build vendored\npackage v\n",
		"other/go.mod":    "module y\n",
		"other/o.go":      "//go:build others\npackage y\n",
		"sub/old.txt":     "//go:build text\n",
		"sub/ignored.go":  "//go:build ignore\npackage main\n",
		"sub/deep/pkg.go": "package deep\n",
	})
	a := resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: "go:tags", Dir: root + "/sub", CacheDir: t.TempDir()})
	got := resolvertest.Texts(a)
	if len(got) < 2 || got[0] != "integration" || resolvertest.Described(a)["integration"] != "2 files" {
		t.Errorf("%q %+v", got, resolvertest.Described(a))
	}
	slices.Sort(got)
	resolvertest.Equal(t, "tags", got, resolvertest.Words("e2e integration"))
}
