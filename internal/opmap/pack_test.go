package opmap

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// TestPacksAreSound holds the packs of this repository to the measure of the core.
func TestPacksAreSound(t *testing.T) {
	dirs, _ := filepath.Glob("packs/*/pack.json")
	if len(dirs) == 0 {
		t.Fatal("there are no packs")
	}
	for _, file := range dirs {
		dir := filepath.Dir(file)
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
	p.Trusted = true
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
	git.Trusted = true
	if im := built(t, git); len(im.Tools()) != 0 {
		t.Errorf("the core maps git, and a pack does too: %q", im.Tools())
	}
}

// built is the image of packs.
func built(t *testing.T, packs ...*Pack) *tcpdb.View {
	t.Helper()
	data, err := BuildPacks(packs)
	if err != nil {
		t.Fatal(err)
	}
	im, err := tcpdb.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	v := tcpdb.NewView(nil)
	v.Add(tcpdb.PackLayer, im)
	return v
}

// TestUntrustedPacksOnlyWarn: of a pack that nobody trusts its words complete, and its
// ratings warn. What kind of program it is, what its options do and that something is
// harmless is not taken from it, and nothing of it runs.
func TestUntrustedPacksOnlyWarn(t *testing.T) {
	files := pack("acmectl",
		"maps/one.json", `{"schema":1,"tool":"acmectl","provenance":"curated","verified":true,
			"node":{"name":"acmectl","class":["pager"],"wrapper":{"mode":"words"},"flags":[{"names":["-f","--force"]},{"names":["--msg"],"value":"required","role":"message"}]},
			"operations":[{"id":"acmectl.x","surface":"cli","intent":["x the acme"],"template":"acmectl x","effect":"read-only","risk":"safe","verified":true}]}`,
		"risk.toml", `[[command]]
key = "acmectl"
level = "high"
reason = "wipes"
enter = "silent"
[[command.variant]]
any = ["force"]
level = "safe"
effect = "set"
reason = "is nothing"
[[command]]
key = "acmectl list"
level = "safe"
reason = "reads"
[[program]]
key = "acmectl"
class = ["pager"]
`)
	for _, trusted := range []bool{false, true} {
		p, problems := ReadPack(files, ".", ParseOptions{})
		if err := problems.Err(); err != nil {
			t.Fatal(err)
		}
		p.Trusted, p.Installed = trusted, &InstalledPack{Name: p.Name, State: "unknown"}
		v := built(t, p)
		n, op, list := v.Root("acmectl"), v.Operations()[0], v.Entries("acmectl list")
		if (len(n.Class) > 0) != trusted || (n.Wrapper.Mode != 0) != trusted || (n.Flag("--msg").Role != "") != trusted {
			t.Errorf("trusted %t: class %q wrapper %v role %q", trusted, n.Class, n.Wrapper.Mode, n.Flag("--msg").Role)
		}
		if n.Flag("--force") == nil || op.Standing.Verified() != trusted || (len(list) > 0) != trusted {
			t.Errorf("trusted %t: %v %v", trusted, op.Standing, list)
		}
		if e := v.Entries("acmectl"); len(e) != 1 || e[0].Descriptor.Flags.Level() != tcpdb.High || (len(v.Variants("acmectl")) > 0) != trusted {
			t.Errorf("trusted %t: %v", trusted, e)
		}
	}
}

// TestNoPackCallsHarmless what the core rates, however trusted its key is.
func TestNoPackCallsHarmless(t *testing.T) {
	const rule = "[[command]]\nkey = %q\nlevel = \"high\"\nreason = \"x\"\n[[command.variant]]\nany = [\"help\"]\neffect = \"harmless\"\nlevel = \"safe\"\nreason = \"shows\"\n"
	for key, want := range map[string]int{"shutdown": 0, "acmectl": 1} {
		p, problems := ReadPack(pack(key, "risk.toml", fmt.Sprintf(rule, key)), ".", ParseOptions{})
		if err := problems.Err(); err != nil {
			t.Fatal(err)
		}
		p.Trusted, p.Installed = true, &InstalledPack{Name: p.Name, State: TrustedState}
		if n := len(built(t, p).Variants(key)); n != want {
			t.Errorf("%s: %d variants, want %d", key, n, want)
		}
	}
}
