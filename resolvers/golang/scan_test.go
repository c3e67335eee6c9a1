package golang

import (
	"context"
	"testing"

	"github.com/tool-mapping-protocol/tmp/resolvers"
	"github.com/tool-mapping-protocol/tmp/resolvers/resolvertest"
)

// What the deadline cut short goes on the next time.
func TestScanCacheGoesOn(t *testing.T) {
	root := modTree(t)
	resolvertest.AgeTree(t, root)
	r := resolvers.Request{Name: "go:tests", Dir: root, Words: resolvertest.Words("go test ./... -run"), CacheDir: t.TempDir()}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if a := resolvertest.Resolve(ctx, r); a.State != resolvers.Timeout || a.Message == "" {
		t.Errorf("%+v", a)
	}
	want := resolvertest.Texts(resolvertest.Expect(t, resolvers.Fresh, r))
	resolvertest.Equal(t, "again", resolvertest.Texts(resolvertest.Expect(t, resolvers.Fresh, r)), want)
	if len(want) != 7 {
		t.Errorf("%q", want)
	}
}
