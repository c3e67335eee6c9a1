package resolvers

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// tree makes files under a new directory: path to content; a path that ends in
// "/" is a directory, a content that begins with "-> " a symbolic link.
func tree(t testing.TB, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for path, content := range files {
		full := filepath.Join(root, path)
		dir := filepath.Dir(full)
		if strings.HasSuffix(path, "/") {
			dir = full
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		switch to, link := strings.CutPrefix(content, "-> "); {
		case dir == full:
		case link:
			if err := os.Symlink(to, full); err != nil {
				t.Fatal(err)
			}
		default:
			if err := os.WriteFile(full, []byte(content), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	return root
}

// expect resolves with a generous deadline and fails the test unless the state is as wanted.
func expect(t testing.TB, want State, r Request) Answer {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	a := Resolve(ctx, r)
	if a.State != want {
		t.Fatalf("%s in %s: state %q, message %q; want %q", r.Name, r.Dir, a.State, a.Message, want)
	}
	return a
}

func texts(a Answer) []string {
	list := []string{}
	for _, v := range a.Values {
		list = append(list, v.Value)
	}
	return list
}

func sorted(a Answer) []string {
	list := texts(a)
	slices.Sort(list)
	return list
}

func described(a Answer) map[string]string {
	m := map[string]string{}
	for _, v := range a.Values {
		m[v.Value] = v.Description
	}
	return m
}

func words(s string) []string { return strings.Fields(s) }

func equal(t testing.TB, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s:\n got %q\nwant %q", what, got, want)
	}
}
