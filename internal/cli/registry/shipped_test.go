package registry

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const clouds = "../../opmap/packs/clouds"

// TestPacksThatComeAlong: what comes with the programs is found, shown and installed
// without any registry and any key. It has neither operations nor ratings, so there is
// no level that a search could tell wrong.
func TestPacksThatComeAlong(t *testing.T) {
	w := newWorld(t)
	out := w.ok("registry", "search", "aws")
	if !strings.Contains(out, "tmp/clouds") || !strings.Contains(out, "shipped") || !strings.Contains(out, "UNKNOWN") {
		t.Error(out)
	}
	if out := w.ok("registry", "show", "tmp/clouds"); !strings.Contains(out, "UNKNOWN") || strings.Contains(out, "\n  ") {
		t.Errorf("it has operations or ratings:\n%s", out)
	}
	w.ok("registry", "install", "tmp/clouds", "--yes")
	if s := decode[listed](t, w.ok("registry", "list", "--json")).Packs[0]; s.State != "shipped" || s.Name != "tmp/clouds" {
		t.Errorf("%+v", s)
	}
	w.ok("registry", "verify")
	// It stays when others come and go.
	w.key("acme")
	reg := w.registry()
	w.ok("registry", "publish", w.pack("acme/frob", "1.0.0"), "--to", reg)
	w.ok("registry", "install", "acme/frob", "--from", reg, "--yes")
	w.ok("registry", "remove", "acme/frob")
	if n := len(decode[listed](t, w.ok("registry", "list", "--json")).Packs); n != 1 {
		t.Errorf("%d packs", n)
	}
	w.refused(1, "not_found", "registry", "show", "tmp/nothing")
}

// TestCloudsCanBePublished: the pack of this repository goes through a registry as any
// other does.
func TestCloudsCanBePublished(t *testing.T) {
	dir, err := filepath.Abs(clouds)
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t)
	key := w.key("tmp")
	reg := w.registry()
	if r := w.run("registry", "publish", dir, "--to", reg); r.status != 0 || r.err != "" {
		t.Fatalf("%d %s", r.status, r.err)
	}
	bob := w.other()
	bob.trust(key)
	if out := bob.ok("registry", "install", "tmp/clouds", "--from", reg, "--yes"); !strings.Contains(out, "verified") {
		t.Error(out)
	}
	image, err := os.Stat(filepath.Join(bob.home, ".local/share/tmp/packs.tcpdb"))
	if err != nil || image.Size() < 1<<20 {
		t.Errorf("%v %v", image, err)
	}
}
