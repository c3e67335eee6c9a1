package all

import (
	"context"
	"slices"
	"sync"
	"testing"

	"github.com/tool-mapping-protocol/tmp/resolvers"
)

// The table is sorted, as its search wants it, and has each name once.
func TestNames(t *testing.T) {
	names := Table().Names()
	if sorted := slices.Compact(slices.Sorted(slices.Values(names))); !slices.Equal(names, sorted) {
		t.Errorf("not sorted, or a name twice:\n got %q\nwant %q", names, sorted)
	}
	for _, name := range append(names, "files:*.go") {
		if !Table().Known(name) {
			t.Errorf("%s has no resolver", name)
		}
	}
	for _, name := range []string{"", "no:such", "git", "git:", "files:", "fil", "zzz"} {
		if a := Table().Resolve(context.Background(), resolvers.Request{Name: name}); a.State != resolvers.Failed || a.Message != "no resolver named "+name {
			t.Errorf("%q: %+v", name, a)
		}
	}
	var none resolvers.Table
	if none.Known("files") || none.Resolve(context.Background(), resolvers.Request{Name: "files"}).State != resolvers.Failed {
		t.Error("a table of nothing knows of files")
	}
}

// Whatever the place and the tools of the machine, an answer comes though the
// context has no end, with a message where it failed and none of the values empty.
func TestEverywhere(t *testing.T) {
	var all sync.WaitGroup
	for _, dir := range []string{"", "/", "/no/such/dir", "relative", t.TempDir()} {
		for _, path := range []string{"/bin", "/no/bin"} {
			all.Go(func() {
				env := map[string]string{"HOME": "/no/home", "PATH": path}
				for _, name := range Table().Names() {
					everywhere(t, resolvers.Request{
						Name: name, Dir: dir, Getenv: func(name string) string { return env[name] },
						Limit: 3, Filter: resolvers.Filter{Text: "a", Mode: resolvers.Subsequence},
					})
				}
			})
		}
	}
	all.Wait()
}

func everywhere(t *testing.T, r resolvers.Request) {
	a := Table().Resolve(context.Background(), r)
	if a.State != resolvers.Fresh && a.Message == "" || a.State == resolvers.Failed && len(a.Values) > 0 || len(a.Values) > 3 {
		t.Errorf("%s in %q: %+v", r.Name, r.Dir, a)
	}
	for _, v := range a.Values {
		if v.Value == "" || v.Kind == "" {
			t.Errorf("%s in %q: %+v", r.Name, r.Dir, v)
		}
	}
}
