package registry

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// small mounts a disk of so many kilobytes.
func small(t *testing.T, dir string, kilobytes int) {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("a small disk is mounted by root alone")
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprintf("size=%dk", kilobytes)); err != nil {
		t.Skipf("a small disk cannot be mounted here: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
}

// fill leaves so many kilobytes of a disk.
func fill(t *testing.T, dir string, leave int) (free func()) {
	t.Helper()
	var st syscall.Statfs_t
	if err := syscall.Statfs(dir, &st); err != nil {
		t.Fatal(err)
	}
	size := int64(st.Bavail)*st.Bsize - int64(leave)<<10
	file := filepath.Join(dir, "filler")
	if err := os.WriteFile(file, make([]byte, max(size, 0)), 0o600); err != nil {
		t.Fatal(err)
	}
	return func() { os.Remove(file) }
}

// noise is text that no archive makes small.
func noise(t *testing.T, kilobytes int) string {
	t.Helper()
	data := make([]byte, kilobytes<<9)
	if _, err := rand.Read(data); err != nil {
		t.Fatal(err)
	}
	return hex.EncodeToString(data)
}

// TestFullDisk: a publication or an installation for which there is no room fails with
// the reason, and leaves what was there; with room the next try goes on.
func TestFullDisk(t *testing.T) {
	ann := newWorld(t)
	key := ann.key("acme")
	reg := ann.registry()
	small(t, ann.dirOf(reg), 4096)
	ann.ok("registry", "publish", ann.pack("acme/frob", "1.0.0"), "--to", reg)
	next := ann.pack("acme/frob", "1.1.0", "README.md", noise(t, 300))
	bob := ann.other()
	bob.trust(key)
	for _, leave := range []int{0, 4, 8, 40, 100} {
		free := fill(t, ann.dirOf(reg), leave)
		if r := ann.run("registry", "publish", next, "--to", reg); r.status != 1 || !strings.Contains(r.err, "no space left") {
			t.Errorf("with %d kB: %d %s", leave, r.status, r.err)
		}
		free()
		if out := bob.ok("registry", "install", "acme/frob", "--yes", "--from", reg); !strings.Contains(out, "1.0.0") {
			t.Errorf("with %d kB: %s", leave, out)
		}
	}
	ann.ok("registry", "publish", next, "--to", reg)

	carl := ann.other()
	carl.trust(key)
	small(t, filepath.Join(carl.home, ".local/share/tmp"), 4096)
	carl.ok("registry", "install", "acme/frob@1.0.0", "--yes", "--from", reg)
	for _, leave := range []int{0, 4, 40, 200, 300} {
		free := fill(t, filepath.Join(carl.home, ".local/share/tmp"), leave)
		if r := carl.run("registry", "install", "acme/frob", "--yes", "--from", reg); r.status != 1 || !strings.Contains(r.err, "no space left") {
			t.Errorf("with %d kB: %d %s", leave, r.status, r.err)
		}
		free()
		if list := decode[listed](t, carl.ok("registry", "list", "--json")).Packs; len(list) != 1 || list[0].Version != "1.0.0" {
			t.Errorf("with %d kB: %+v", leave, list)
		}
		carl.ok("registry", "verify", "--from", reg)
	}
	if out := carl.ok("registry", "install", "acme/frob", "--yes", "--from", reg); !strings.Contains(out, "1.1.0") {
		t.Error(out)
	}
}
