package opmap

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// On a full disk no half of a file is left: the next time it would be taken for
// one that is there.
func TestInitOnFullDisk(t *testing.T) {
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=64k"); err != nil {
		t.Skip("cannot mount a small disk here")
	}
	defer func() { _ = unix.Unmount(dir, unix.MNT_DETACH) }()
	f, err := os.Create(filepath.Join(dir, "fill"))
	for err == nil {
		_, err = f.Write(make([]byte, 4096))
	}
	f.Close()
	if done, err := InitProject(dir); err == nil {
		t.Fatalf("%v", done)
	}
	if err := os.Remove(filepath.Join(dir, "fill")); err != nil {
		t.Fatal(err)
	}
	if _, err := InitProject(dir); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(filepath.Join(dir, ".tmp/config.json")); err != nil || string(got) != initialConfig {
		t.Errorf("%v, %q", err, got)
	}
}
