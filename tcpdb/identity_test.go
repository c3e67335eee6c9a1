package tcpdb

import (
	"os"
	"path/filepath"
	"testing"
)

func TestFindProgram(t *testing.T) {
	// The temporary directory of a test may itself lie below one that others
	// may write, which is sticky then; everything below is our own.
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	put := func(path string, mode os.FileMode) {
		t.Helper()
		path = filepath.Join(base, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
	put("bin/good", 0o755)
	put("bin/data", 0o644)
	put("bin/shared", 0o777)
	put("open/prog", 0o755)
	put("tree/bin/good", 0o755)
	put("bin/both", 0o755)
	put("tree/bin/both", 0o755)
	if err := os.Chmod(filepath.Join(base, "open"), 0o777); err != nil {
		t.Fatal(err)
	}
	for link, target := range map[string]string{
		"bin/tolocal": filepath.Join(base, "tree/bin/good"),
		"bin/toopen":  "../open/prog",
		"bin/togood":  "good",
		"bin/loop":    "loop",
		"bin/dead":    "none",
	} {
		if err := os.Symlink(target, filepath.Join(base, link)); err != nil {
			t.Fatal(err)
		}
	}
	bin, tree, open := filepath.Join(base, "bin"), filepath.Join(base, "tree"), filepath.Join(base, "open")
	tests := []struct {
		word, path, tree string
		trusted          bool
		at               string
	}{
		{"good", bin, tree, true, bin + "/good"},
		{"togood", bin, tree, true, bin + "/togood"},
		{"good", tree + "/bin:" + bin, tree, false, tree + "/bin/good"},
		{"good", bin + ":" + tree + "/bin", tree, true, bin + "/good"},
		{"data", bin, tree, true, ""}, // no program of that name anywhere
		{"dead", bin, tree, true, ""},
		{"loop", bin, tree, true, ""},
		{"shared", bin, tree, false, bin + "/shared"},
		{"prog", open, tree, false, open + "/prog"},
		{"toopen", bin, tree, false, bin + "/toopen"},
		{"tolocal", bin, tree, false, bin + "/tolocal"},
		{"tolocal", bin, "", true, bin + "/tolocal"},
		{"./good", bin, tree, false, "./good"},
		{"bin/good", bin, tree, false, "bin/good"},
		{bin + "/good", bin, tree, true, bin + "/good"},
		{bin + "/../bin//good", bin + "/", tree, true, bin + "/good"},
		{open + "/prog", bin, tree, false, open + "/prog"},
		{tree + "/bin/good", tree + "/bin", tree, false, tree + "/bin/good"},
		{"good", bin, base, false, bin + "/good"},
		{"good", bin, bin + "x", true, bin + "/good"},
		{"sh", "/usr/bin:/bin", "/", true, ""},
		{"/bin/sh", "", "/bin", true, "/bin/sh"},
		{"no-such-program", bin, tree, true, ""},
		{"", bin, tree, false, ""},
		{"a\x00b", bin, tree, false, ""},
	}
	for _, tt := range tests {
		p := FindProgram(tt.word, tt.path, tt.tree)
		if p.Trusted != tt.trusted || p.Trusted == (p.Reason != "") || tt.at != "" && p.Path != tt.at {
			t.Errorf("FindProgram(%q, %q, %q) = %+v, want trusted %v at %q", tt.word, tt.path, tt.tree, p, tt.trusted, tt.at)
		}
	}
	t.Chdir(tree + "/bin")
	for _, path := range []string{":" + bin, ".:" + bin, "../bin"} {
		if p := FindProgram("both", path, tree); p.Trusted || p.Reason == "" {
			t.Errorf("PATH %q: %+v", path, p)
		}
	}
	if p := FindProgram("togood", ":"+bin, tree); !p.Trusted {
		t.Errorf("an empty PATH entry without the program: %+v", p)
	}
}

func TestOtherUsersProgram(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root to give a file away")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "prog")
	if err := os.WriteFile(path, nil, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(path, 12345, 12345); err != nil {
		t.Skip(err)
	}
	if p := FindProgram("prog", dir, ""); p.Trusted {
		t.Errorf("a program of another user: %+v", p)
	}
	if err := os.Chown(path, 0, 12345); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o775); err != nil {
		t.Fatal(err)
	}
	if p := FindProgram("prog", dir, ""); p.Trusted {
		t.Errorf("a program of a foreign group: %+v", p)
	}
}

func BenchmarkFindProgram(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		FindProgram("sh", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "/home/x/project")
	}
}
