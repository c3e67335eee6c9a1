package tmp

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/internal/sandbox"
)

// TestVerifiedDraft: a draft that was held against its tool and reviewed is not
// called a draft any more, until the program changes.
func TestVerifiedDraft(t *testing.T) {
	if err := sandbox.Available(t.Context()); err != nil {
		t.Skip(err)
	}
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(home, "bin")
	frob := func(text string) {
		t.Helper()
		if err := os.MkdirAll(bin, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(bin, "frobdraft"), []byte("#!/bin/sh\ncat <<'E'\n"+text+"E\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	frob("Usage: frobdraft [OPTION]... FILE\n\n  -o, --output=FILE  write to FILE\n  -q, --quiet        say less\n")
	env, _, _ := testEnv(t, home, "HOME="+home, "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	run := func(args ...string) string {
		t.Helper()
		status, out, errs := tmpRun(t, env, args...)
		if status != 0 {
			t.Fatalf("tmp %v: %d, %s", args, status, errs)
		}
		return out
	}
	draft := func() bool {
		t.Helper()
		out := run("complete", "--json", "--", "frobdraft", "--")
		return strings.Contains(out, `"draft": true`)
	}
	run("generate", "frobdraft")
	run("compile", "--system")
	if !draft() {
		t.Error("a new draft is not called one")
	}
	env.IsTerminal = func(stream int) bool { return stream != 1 }
	env.OpenTTY = func() (io.ReadWriteCloser, error) { return &terminal{Reader: strings.NewReader("y\ny\n")}, nil }
	run("verify", "--reviewed-by", "ann", "frobdraft")
	if draft() {
		t.Error("a verified draft is called a draft")
	}
	if out := run("schema", "list", "frobdraft"); !strings.Contains(out, " yes ") {
		t.Errorf("the list: %s", out)
	}
	frob("Usage: frobdraft [OPTION]... FILE\n\n  -x  something else\n")
	if !draft() {
		t.Error("the draft of another program is not called a draft")
	}
}
