package files

import (
	"slices"
	"testing"

	"github.com/tool-mapping-protocol/tmp/resolvers"
	"github.com/tool-mapping-protocol/tmp/resolvers/resolvertest"
)

func TestFileKinds(t *testing.T) {
	root := resolvertest.Tree(t, map[string]string{
		"a.go": "", "b.go": "", "sub/c.go": "", "sub/x.tar.gz": "", "Makefile": "", ".hidden": "", "v1.2": "", "README.md": "",
		"node_modules/d.js": "", ".git/e.pack": "", "1/2/3/deep.c": "", "1/2/3/4/deeper.h": "", "link.py": "-> a.go", "od d.b-c": "",
	})
	a := resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: "extensions", Dir: root})
	if got := resolvertest.Texts(a); got[0] != "go" || resolvertest.Described(a)["go"] != "3 files" {
		t.Errorf("the most frequent is not first: %q, %+v", got, resolvertest.Described(a))
	}
	got := resolvertest.Texts(a)
	slices.Sort(got)
	resolvertest.Equal(t, "extensions", got, resolvertest.Words("c go gz md"))
	a = resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: "globs", Dir: root, Filter: resolvers.Filter{Text: "*.m"}})
	resolvertest.Equal(t, "globs", resolvertest.Texts(a), resolvertest.Words("*.md"))
	a = resolvertest.Expect(t, resolvers.Fresh, resolvers.Request{Name: "globs", Dir: root, Words: resolvertest.Words("find sub -name")})
	resolvertest.Equal(t, "below find's directory", resolvertest.Texts(a), resolvertest.Words("*.go *.gz"))
	resolvertest.Expect(t, resolvers.Failed, resolvers.Request{Name: "globs", Dir: root + "/none"})
}
