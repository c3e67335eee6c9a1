package resolvers

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// ageTree sets the times of all files back, as they are a while after an edit.
func ageTree(t testing.TB, root string) {
	past := time.Now().Add(-time.Hour)
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			err = os.Chtimes(path, past, past)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func cacheFile(t *testing.T, dir string) string {
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("cache files %q, %v", files, err)
	}
	return files[0]
}

func TestScanCache(t *testing.T) {
	root := testCrate(t)
	ageTree(t, root)
	r := Request{Name: "cargo:tests", Dir: root, Words: words("cargo test"), CacheDir: filepath.Join(t.TempDir(), "new", "dir")}
	first := expect(t, Fresh, r)
	equal(t, "first", texts(first), testCrateTests)
	file := cacheFile(t, r.CacheDir)
	st, err := os.Stat(file)
	if err != nil || st.Mode() != 0o600 {
		t.Fatalf("mode %v, %v", st.Mode(), err)
	}
	second := expect(t, Fresh, r)
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
	got := texts(expect(t, Fresh, r))
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
		equal(t, "damaged", texts(expect(t, Fresh, r)), got)
	}
	r.CacheDir = filepath.Join(root, "Cargo.toml", "no") // cannot be made
	equal(t, "no directory", texts(expect(t, Fresh, r)), got)
}

// What the deadline cut short goes on the next time.
func TestScanCacheGoesOn(t *testing.T) {
	root := goModTree(t)
	ageTree(t, root)
	r := Request{Name: "go:tests", Dir: root, Words: words("go test ./... -run"), CacheDir: t.TempDir()}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if a := Resolve(ctx, r); a.State != Timeout || a.Message == "" {
		t.Errorf("%+v", a)
	}
	want := texts(expect(t, Fresh, r))
	equal(t, "again", texts(expect(t, Fresh, r)), want)
	if len(want) != 7 {
		t.Errorf("%q", want)
	}
}
