// Package resolvertest helps to test resolvers: trees of files to ask in, tools
// that are not there, and answers to compare.
package resolvertest

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tool-mapping-protocol/tmp/resolvers"
)

// Tree makes files under a new directory: path to content; a path that ends in
// "/" is a directory, a content that begins with "-> " a symbolic link.
func Tree(t testing.TB, files map[string]string) string {
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

// Expect resolves with a generous deadline and fails the test unless the state is as wanted.
func Expect(t testing.TB, want resolvers.State, r resolvers.Request) resolvers.Answer {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	a := Resolve(ctx, r)
	if a.State != want {
		t.Fatalf("%s in %s: state %q, message %q; want %q", r.Name, r.Dir, a.State, a.Message, want)
	}
	return a
}

// Texts are the values of an answer.
func Texts(a resolvers.Answer) []string {
	list := []string{}
	for _, v := range a.Values {
		list = append(list, v.Value)
	}
	return list
}

// Sorted are the values of an answer, sorted.
func Sorted(a resolvers.Answer) []string {
	list := Texts(a)
	slices.Sort(list)
	return list
}

// Described are the descriptions of an answer by their values.
func Described(a resolvers.Answer) map[string]string {
	m := map[string]string{}
	for _, v := range a.Values {
		m[v.Value] = v.Description
	}
	return m
}

// Words splits a text at blanks.
func Words(s string) []string { return strings.Fields(s) }

// Equal fails the test unless two lists are the same.
func Equal(t testing.TB, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s:\n got %q\nwant %q", what, got, want)
	}
}

// Env is an environment of these variables alone.
func Env(pairs ...string) func(string) string {
	return func(name string) string {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1]
			}
		}
		return ""
	}
}

// Await waits until something is so.
func Await(t testing.TB, ready func() bool) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); !ready(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("it does not come")
		}
	}
}

// FakeTool puts a shell script that plays a tool into a directory for PATH.
func FakeTool(t *testing.T, name, script string) (bin, home string) {
	t.Helper()
	root := Tree(t, map[string]string{"bin/" + name: "#!/bin/sh\n# a fake " + name + " of the tests, not the real one\n" + script, "home/": ""})
	if err := os.Chmod(filepath.Join(root, "bin", name), 0o755); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(root, "bin"), filepath.Join(root, "home")
}

// Table is the table that tests resolve by; TestMain sets it.
var Table resolvers.Table

// Resolve asks the resolver that r names.
func Resolve(ctx context.Context, r resolvers.Request) resolvers.Answer { return Table.Resolve(ctx, r) }

// AgeTree sets the times of all files back, as they are a while after an edit.
func AgeTree(t testing.TB, root string) {
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

// CacheFile is the only file in a directory.
func CacheFile(t *testing.T, dir string) string {
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("cache files %q, %v", files, err)
	}
	return files[0]
}

// Hostile gives a reader texts that want quadratic work from it, and fails the
// test where one takes too long.
func Hostile(t *testing.T, read func(text string)) {
	t.Helper()
	const n = 1 << 20
	for name, text := range map[string]string{
		"raw":        strings.Repeat("r#", n),
		"open raw":   strings.Repeat("r###\"", n/4),
		"comments":   strings.Repeat("/*", n),
		"braces":     strings.Repeat("mod a {", n/8),
		"attributes": strings.Repeat("#[", n),
		"quotes":     strings.Repeat("'\\", n),
		"tests":      strings.Repeat("mod a { #[test] fn b() {} ", 2000),
		"backquotes": strings.Repeat("`", n) + strings.Repeat("/*", n),
	} {
		start := time.Now()
		read(text)
		if took := time.Since(start); took > 3*time.Second {
			t.Errorf("%s took %v", name, took)
		}
	}
}
