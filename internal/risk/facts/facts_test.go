package facts

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestWhoStartsItLooks: a word that starts another program than a shell would
// find is judged by the one that is started.
func TestWhoStartsItLooks(t *testing.T) {
	dir := t.TempDir()
	tool := filepath.Join(dir, "frob")
	if err := os.WriteFile(tool, []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	p := Place{Dir: dir, Getenv: func(name string) string {
		if name == "PATH" {
			return "/usr/bin:/bin"
		}
		return ""
	}}
	for _, c := range []struct {
		what, word         string
		look               func(string) (string, error)
		trusted, installed bool
	}{
		{"a shell, a program of the system", "sh", nil, true, true},
		{"a shell, a name that is nowhere", "frob", nil, true, false},
		{"a shell, a program of the working directory", "./frob", nil, false, true},
		{"a name that starts a program of the working directory", "frob", func(string) (string, error) { return "./frob", nil }, false, true},
		{"a name that starts nothing", "frob", func(string) (string, error) { return "", errors.New("not found") }, true, false},
		{"a path that starts nothing", "./frob", func(string) (string, error) { return "", errors.New("not found") }, false, false},
	} {
		p.Look = c.look
		f := Of(p)
		if got := f.Trusted(c.word); got != c.trusted {
			t.Errorf("%s: trusted %v", c.what, got)
		}
		if got := f.Installed(c.word); got != c.installed {
			t.Errorf("%s: installed %v", c.what, got)
		}
	}
}
