package cargo

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/tool-mapping-protocol/tmp/resolvers"
	"github.com/tool-mapping-protocol/tmp/resolvers/resolvertest"
)

func TestScanCache(t *testing.T) {
	root := testCrate(t)
	resolvertest.AgeTree(t, root)
	r := resolvers.Request{Name: "cargo:tests", Dir: root, Words: resolvertest.Words("cargo test"), CacheDir: filepath.Join(t.TempDir(), "new", "dir")}
	first := resolvertest.Expect(t, resolvers.Fresh, r)
	resolvertest.Equal(t, "first", resolvertest.Texts(first), testCrateTests)
	file := resolvertest.CacheFile(t, r.CacheDir)
	st, err := os.Stat(file)
	if err != nil || st.Mode() != 0o600 {
		t.Fatalf("mode %v, %v", st.Mode(), err)
	}
	second := resolvertest.Expect(t, resolvers.Fresh, r)
	if !slices.Equal(first.Values, second.Values) {
		t.Errorf("from the cache:\n got %v\nwant %v", second.Values, first.Values)
	}

	// A changed source is read anew, at once and whatever its times say of its age.
	path := filepath.Join(root, "tests/api.rs")
	if err := os.WriteFile(path, []byte("mod common;\n#[test] fn api_moved() {}"), 0o644); err != nil {
		t.Fatal(err)
	}
	past := time.Now().Add(-time.Hour)
	if err := os.Chtimes(path, past, past); err != nil {
		t.Fatal(err)
	}
	got := resolvertest.Texts(resolvertest.Expect(t, resolvers.Fresh, r))
	if slices.Contains(got, "api_works") || !slices.Contains(got, "api_moved") {
		t.Errorf("after a change: %q", got)
	}

	// A damaged cache is none.
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{0, 7, 15, 16, len(data) / 2, len(data) - 1} {
		bad := slices.Clone(data[:n])
		if n == len(data)/2 {
			bad = slices.Clone(data)
			bad[n] ^= 1
		}
		if err := os.WriteFile(file, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		resolvertest.Equal(t, "damaged", resolvertest.Texts(resolvertest.Expect(t, resolvers.Fresh, r)), got)
	}
	r.CacheDir = filepath.Join(root, "Cargo.toml", "no") // cannot be made
	resolvertest.Equal(t, "no directory", resolvertest.Texts(resolvertest.Expect(t, resolvers.Fresh, r)), got)
}
