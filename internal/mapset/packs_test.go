package mapset

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// TestPacks: packs are looked for where something is asked that they may answer,
// and found in the user's directory before an administrator's.
func TestPacks(t *testing.T) {
	w := newWorld(t)
	shared := filepath.Join(w.paths.Shared[0], "packs.tcpdb")
	w.image(shared, "shared-tool")
	if os.Geteuid() == 0 {
		if v := OpenView(w.paths, ""); v.Root("shared-tool") == nil || PackMap(w.paths) != shared {
			t.Errorf("shared packs do not answer: %v", v.Problems())
		}
	}
	w.image(w.paths.PackMap(), "pack-tool")
	v := OpenView(w.paths, "")
	if v.Root("pack-tool") == nil || v.Root("shared-tool") != nil || PackMap(w.paths) != w.paths.PackMap() {
		t.Errorf("the user's packs do not answer: %v", v.Problems())
	}
	if _, file := v.Image(tcpdb.PackLayer); file != w.paths.PackMap() {
		t.Errorf("file %q", file)
	}
}

// TestPacksAreNotOpened: damaged packs are nobody's business until they are needed.
func TestPacksAreNotOpened(t *testing.T) {
	w := newWorld(t)
	w.write(w.paths.PackMap(), "not a map")
	v := OpenView(w.paths, "")
	if v.Root("git") == nil || v.Risk("git push") == nil || len(v.Problems()) > 0 {
		t.Errorf("git asks the packs: %v", v.Problems())
	}
	if v.Root("aws") == nil { // to be judged
		t.Error("aws is gone")
	}
	ps := v.Problems()
	if len(ps) != 1 || ps[0].Layer != tcpdb.PackLayer || ps[0].File != w.paths.PackMap() || !errors.Is(ps[0].Err, tcpdb.ErrNotMap) {
		t.Errorf("problems %v", ps)
	}
}

func TestForeignPacks(t *testing.T) {
	w := newWorld(t)
	w.image(w.paths.PackMap(), "pack-tool")
	if err := os.Chmod(w.paths.PackMap(), 0o666); err != nil {
		t.Fatal(err)
	}
	v := OpenView(w.paths, "")
	if v.Root("pack-tool") != nil {
		t.Error("packs that everybody may write answer")
	}
	if ps := v.Problems(); len(ps) != 1 || !errors.Is(ps[0].Err, ErrForeign) {
		t.Errorf("problems %v", ps)
	}
}
