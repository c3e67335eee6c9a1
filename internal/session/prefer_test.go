package session

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/tool-mapping-protocol/tmp/internal/gate"
	"github.com/tool-mapping-protocol/tmp/internal/mapset"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// TestShippedPreferences: what a project settles of itself counts as soon as it is
// trusted as it stands, and what the person settled comes first.
func TestShippedPreferences(t *testing.T) {
	s := opened(t).of(t, gate.Person)
	for name, text := range map[string]string{
		"package.json": `{"scripts": {"lint": "eslint ."}}`, "yarn.lock": "", "pnpm-lock.yaml": "", ".git/HEAD": "",
		".tmp/config.json": `{"v": 1, "prefer": {"manager.javascript": "pnpm"}}`, ".tmp/schemas/keep": "",
	} {
		writeFile(t, filepath.Join(s.Dir, name), text)
	}
	manager := func() string {
		t.Helper()
		a := s.of(t, gate.Person).Profile().Ask("lint")
		if a.Play == nil {
			return a.Reason
		}
		return a.Play.Argv[0]
	}
	if got := manager(); got != "conflict" {
		t.Errorf("untrusted: %s, want conflict", got)
	}
	b := tcpdb.NewBuilder()
	b.Tool(&tcpdb.Node{Name: "x"})
	b.Source(mapset.Owner(s.Dir))
	b.Source(mapset.Stamp(s.Dir, ".tmp/config.json"))
	image, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, s.Paths.ProjectMap(s.Dir), string(image))
	if got := manager(); got != "pnpm" {
		t.Errorf("trusted: %s, want pnpm", got)
	}
	if err := s.of(t, gate.Person).Prefer("manager.javascript", "yarn"); err != nil {
		t.Fatal(err)
	}
	if got := manager(); got != "yarn" {
		t.Errorf("settled by the person: %s, want yarn", got)
	}
	writeFile(t, filepath.Join(s.Dir, ".tmp/config.json"), `{"v": 1, "prefer": {"manager.javascript": "npm"}}`)
	if err := s.of(t, gate.Person).Prefer("manager.javascript", ""); err != nil {
		t.Fatal(err)
	}
	if got := manager(); got != "conflict" {
		t.Errorf("changed after it was trusted: %s, want conflict", got)
	}
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
