package drafts

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/tool-mapping-protocol/tmp/internal/opmap"
)

// Drafts of removed programs go, unless a person had a part in them.
func TestSweep(t *testing.T) {
	d := Dir(t.TempDir())
	lock, err := d.Lock()
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Unlock()
	there := filepath.Join(t.TempDir(), "there")
	if err := os.WriteFile(there, nil, 0o755); err != nil {
		t.Fatal(err)
	}
	for tool, program := range map[string]string{"gone": "/nowhere/gone", "edited": "/nowhere/edited", "there": there, "found": "/nowhere/found", "old": ""} {
		s := &opmap.Source{Schema: 1, Tool: tool, Provenance: "help", Node: &opmap.Node{Name: tool}}
		if _, err := d.Put(Base{Tool: tool, Program: program}, s); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(d.File("edited"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(d.File("edited"), append([]byte(`{"tool": "edited", "node": {"name": "edited", "description": "mine"}, "provenance": "help", "schema": 1}`), text[:0]...), 0o644); err != nil {
		t.Fatal(err)
	}
	gone, err := d.Sweep(func(tool string) bool { return tool == "found" })
	if err != nil || !slices.Equal(gone, []string{"gone"}) {
		t.Errorf("gone: %q %v", gone, err)
	}
	if want := []string{"edited", "found", "old", "there"}; !slices.Equal(d.Tools(), want) {
		t.Errorf("left: %q, want %q", d.Tools(), want)
	}
}
