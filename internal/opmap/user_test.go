package opmap

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/tool-mapping-protocol/tmp/internal/audit"
	"github.com/tool-mapping-protocol/tmp/internal/place"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// TestUserDirectory: a directory of a tool in the user's schemas says all that one
// of the core does; what is a secret there is masked.
func TestUserDirectory(t *testing.T) {
	p := place.Paths{Config: t.TempDir()}
	for name, text := range map[string]string{
		"frobctl/map.json": `{"schema": 1, "tool": "frobctl", "node": {"name": "frobctl", "flags": [
			{"names": ["--token"], "value": "required", "role": "secret"},
			{"names": ["-o"], "value": "required", "role": "output-file"}],
			"subcommands": [{"name": "run"}]}}`,
		"frobctl/risk.toml": "[[command]]\nkey = \"frobctl run\"\nlevel = \"high\"\nreason = \"runs\"\n" +
			"[[program]]\nkey = \"frobview\"\nclass = [\"pager\"]\noptions = [\"--pass WORD @secret\"]",
		"frobctl/cases.tsv": "not read here",
		"empty/README":      "nothing of ours",
		"flat.json":         `{"schema": 1, "tool": "flatctl", "node": {"name": "flatctl"}}`,
	} {
		file := filepath.Join(p.Schemas(), name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	u, problems, err := ReadUser(p, KnownResolvers())
	if err != nil || len(problems) > 0 || len(u.Sources) != 2 || len(u.Risks) != 1 {
		t.Fatalf("%d sources, %d risk files, %v, %v", len(u.Sources), len(u.Risks), problems, err)
	}
	image, err := u.Build(nil)
	if err != nil {
		t.Fatal(err)
	}
	im, err := tcpdb.Parse(image)
	if err != nil {
		t.Fatal(err)
	}
	v := tcpdb.NewView(tcpdb.Core())
	v.Add(tcpdb.UserLayer, im)
	if d, ok := v.Lookup("frobctl run"); !ok || d.Level() != tcpdb.High {
		t.Errorf("frobctl run: %v", d.Level())
	}
	if n := v.Root("frobctl"); n == nil || n.Flag("-o").Role != tcpdb.OutputFileRole {
		t.Errorf("%+v", n)
	}
	if n := v.Root("frobview"); n == nil || !n.HasClass("pager") {
		t.Errorf("%+v", n)
	}
	for line, want := range map[string]string{
		"frobctl --token s3cret run": "frobctl --token *** run",
		"frobview --pass=s3cret x":   "frobview --pass=*** x",
	} {
		if got := audit.Mask(line, v); got != want {
			t.Errorf("%s: %s, want %s", line, got, want)
		}
	}
}
