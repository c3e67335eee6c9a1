package when

import (
	"os"
	"path/filepath"
	"testing"
)

func TestUpwards(t *testing.T) {
	root := t.TempDir()
	deep := filepath.Join(root, "a", "b")
	if err := os.MkdirAll(deep, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, f := range []string{"Cargo.toml", "a/Cargo.toml"} {
		if err := os.WriteFile(filepath.Join(root, f), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct{ dir, name, want string }{
		{deep, "Cargo.toml", filepath.Join(root, "a/Cargo.toml")},
		{root, "Cargo.toml", filepath.Join(root, "Cargo.toml")},
		{deep, "no-such-file-anywhere", ""},
		{deep, "../Cargo.toml", ""},
		{deep, "/etc/passwd", ""},
		{deep, "", ""},
		{"relative", "Cargo.toml", ""},
	} {
		if got := Upwards(tt.dir, tt.name); got != tt.want {
			t.Errorf("Upwards(%q, %q) = %q, want %q", tt.dir, tt.name, got, tt.want)
		}
	}
}
