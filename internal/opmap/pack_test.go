package opmap

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// TestPacksAreSound holds the packs of this repository to the measure of the core.
func TestPacksAreSound(t *testing.T) {
	dirs, _ := filepath.Glob("packs/*")
	if len(dirs) == 0 {
		t.Fatal("there are no packs")
	}
	for _, dir := range dirs {
		p, problems := ReadPack(os.DirFS(dir), ".", KnownResolvers())
		for _, problem := range problems {
			t.Errorf("%s: %v", dir, problem)
		}
		if p == nil {
			continue
		}
		if publisher, name, _ := strings.Cut(p.Name, "/"); publisher != "tmp" || name != filepath.Base(dir) {
			t.Errorf("%s: is named %q", dir, p.Name)
		}
		for _, problem := range packLayering([]*Pack{p}).Lint() {
			t.Errorf("%s: %v", dir, problem)
		}
		if license, err := os.ReadFile(filepath.Join(dir, "LICENSE")); err != nil || !strings.HasPrefix(string(license), p.License) {
			t.Errorf("%s: LICENSE is not %s: %v", dir, p.License, err)
		}
	}
}

// pack is a pack in memory that maps one tool.
func pack(tool string, more ...string) fstest.MapFS {
	fsys := fstest.MapFS{
		"pack.json":     {Data: []byte(`{"v":1,"name":"acme/x","version":"1.0.0","review":"reviewed","tools":[{"tool":"` + tool + `","version_range":">=1"}]}`)},
		"maps/one.json": {Data: []byte(`{"schema":1,"tool":"` + tool + `","provenance":"curated","verified":true,"node":{"name":"` + tool + `","class":["cloud"],"replace":true,"flags":[{"names":["-f","--force"]}]}}`)},
	}
	for i := 0; i+1 < len(more); i += 2 {
		fsys[more[i]] = &fstest.MapFile{Data: []byte(more[i+1])}
	}
	return fsys
}

func TestReadPackFaults(t *testing.T) {
	for name, x := range map[string]struct {
		pack fstest.MapFS
		want string
	}{
		"no pack.json":  {fstest.MapFS{}, "pack.json"},
		"unknown field": {pack("x", "pack.json", `{"v":1,"nmae":"a/b"}`), "nmae"},
		"name":          {pack("x", "pack.json", `{"v":1,"name":"Acme/x-","review":"draft"}`), "publisher/name"},
		"version":       {pack("x", "pack.json", `{"v":2,"name":"acme/x","review":"draft"}`), "want 1"},
		"not listed":    {pack("x", "maps/two.json", `{"schema":1,"tool":"y","node":{"name":"y"}}`), "not among them"},
		"not mapped":    {pack("x", "pack.json", `{"v":1,"name":"acme/x","review":"draft","tools":[{"tool":"x"},{"tool":"z"}]}`), `no map of "z"`},
		"risk":          {pack("x", "risk.toml", "[[command]]\nkey = \"x\"\nlevel = \"fine\""), "risk.toml"},
	} {
		_, problems := ReadPack(x.pack, ".", ParseOptions{})
		if err := problems.Err(); err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: %v, want %s", name, err, x.want)
		}
	}
}

// TestBuildPacks: a pack rates what it maps, by its own names of options, and
// takes the place of nothing.
func TestBuildPacks(t *testing.T) {
	p, problems := ReadPack(pack("acmectl", "risk.toml", "[[command]]\nkey = \"acmectl\"\nlevel = \"low\"\nreason = \"reads\"\n[[command.variant]]\nany = [\"f\"]\nlevel = \"high\"\nreason = \"forces\""), ".", ParseOptions{})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	image, err := BuildPacks([]*Pack{p})
	if err != nil {
		t.Fatal(err)
	}
	im, err := tcpdb.Parse(image)
	if err != nil {
		t.Fatal(err)
	}
	v := tcpdb.NewView(tcpdb.Core())
	v.Add(tcpdb.PackLayer, im)
	if n := v.Root("acmectl"); n == nil || n.Bits&tcpdb.Replaces != 0 || len(n.Class) != 1 {
		t.Fatalf("%+v", n)
	}
	if x := v.Variants("acmectl"); len(x) != 1 || x[0].Any[0] != "force" || x[0].Layer != tcpdb.PackLayer {
		t.Errorf("%+v", x)
	}
	if _, err := BuildPacks([]*Pack{p, p}); err == nil {
		t.Error("one tool of two packs")
	}
	git, _ := ReadPack(pack("git"), ".", ParseOptions{})
	if _, err := BuildPacks([]*Pack{git}); err == nil || !strings.Contains(err.Error(), "mapped by the core") {
		t.Errorf("git of a pack: %v", err)
	}
}
