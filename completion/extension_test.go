package completion

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// What another package adds to git is offered where its program is, and only
// there; its options are known in any case.
func TestExtensionsAreOfferedWhereInstalled(t *testing.T) {
	bin := t.TempDir()
	if err := os.WriteFile(filepath.Join(bin, "git-standup"), []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	values := func(path, line string) []string {
		getenv := func(name string) string {
			if name == "PATH" {
				return path
			}
			return ""
		}
		a := coreEngine().Complete(context.Background(), Request{Line: line, Point: len(line), Dir: dir, Getenv: getenv, Limit: -1})
		var out []string
		for _, c := range a.Candidates {
			out = append(out, c.Value)
		}
		return out
	}
	for _, c := range []struct {
		path, line, value string
		want              bool
	}{
		{bin, "git stan", "standup", true},
		{bin, "git s", "standup", true},
		{bin, "git s", "summary", false},
		{bin, "git ", "standup", false},
		{t.TempDir(), "git s", "standup", false},
		{t.TempDir(), "git standup -", "-a", true},
		{t.TempDir(), "git br", "browse", false},
	} {
		if got := slices.Contains(values(c.path, c.line), c.value); got != c.want {
			t.Errorf("%q offers %q: %v, want %v", c.line, c.value, got, c.want)
		}
	}
}
