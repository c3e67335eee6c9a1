package core_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/internal/mapcases"
	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/internal/risk"
	"github.com/tool-mapping-protocol/tmp/internal/risk/line"
	"github.com/tool-mapping-protocol/tmp/internal/shline"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// TestCases holds the map that ships to the cases of each tool. Those of a tool
// that a pack maps are run beside the pack too; without it lines are judged
// alike, and Tab is the shell's own.
func TestCases(t *testing.T) {
	files, err := filepath.Glob("tools/*/" + mapcases.FileName)
	if err != nil || len(files) < 300 {
		t.Fatalf("%d tables of cases: %v", len(files), err)
	}
	core := tcpdb.NewView(tcpdb.Core())
	with, packed := withPacks(t)
	dir := t.TempDir()
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		cases, err := mapcases.Parse(data)
		if err != nil {
			t.Errorf("%s: %v", file, err)
		}
		tool := filepath.Base(filepath.Dir(file))
		for _, c := range cases {
			if c.Door != "tab" || !packed[tool] {
				if wrong := c.Wrong(core, dir); wrong != "" {
					t.Errorf("%s:%d: %s: %s %s", file, c.Row, c.Shell, c.Line, wrong)
				}
			}
			if packed[tool] {
				if wrong := c.Wrong(with, dir); wrong != "" {
					t.Errorf("%s:%d: with packs: %s: %s %s", file, c.Row, c.Shell, c.Line, wrong)
				}
			}
		}
	}
}

// TestJudgedWithoutPacks: no command of a packed tool is judged lower where the
// pack is not installed, whatever options stand before its name.
func TestJudgedWithoutPacks(t *testing.T) {
	core := tcpdb.NewView(tcpdb.Core())
	with, packed := withPacks(t)
	judge := func(v *tcpdb.View, text string) line.Verdict {
		return line.Judge(v, text, shline.Bash, risk.Facts{}, line.Options{})
	}
	for tool := range packed {
		root := with.Root(tool)
		before := []string{""}
		for _, f := range root.Flags {
			if f.Value == tcpdb.RequiredValue {
				before = append(before, f.Names[0]+" delete ")
			}
		}
		lines := 0
		for _, n := range commandsOf(with, root) {
			_, rest, _ := strings.Cut(n.Path, " ")
			first := before
			if strings.Contains(rest, " wait ") { // waits for a creation: the verb is no order
				continue
			}
			if lines++; lines%64 > 1 { // options stand before the tool itself and one in 64
				first = before[:1]
			}
			for _, options := range first {
				text := tool + " " + options + rest
				a, b := judge(core, text), judge(with, text)
				if a.Level < b.Level {
					t.Errorf("%s: %v without the pack, %v with it", text, a.Level, b.Level)
				}
			}
		}
	}
}

// TestRolesWithoutPacks: what kind of program a packed tool is, and what its
// options do, is known without the pack.
func TestRolesWithoutPacks(t *testing.T) {
	core := tcpdb.NewView(tcpdb.Core())
	with, packed := withPacks(t)
	for tool := range packed {
		for _, n := range commandsOf(with, with.Root(tool)) {
			words := strings.Fields(n.Path)
			bare := core.Root(words[0])
			for _, w := range words[1:] {
				if bare = core.Open(bare.Sub(w)); bare == nil {
					break
				}
			}
			for _, class := range n.Class {
				if bare == nil || !bare.HasClass(class) {
					t.Errorf("%s: class %s is known of the pack alone", n.Path, class)
				}
			}
			for _, f := range n.Flags {
				if f.Role == "" {
					continue
				}
				if bare == nil || bare.Flag(f.Names[0]) == nil || bare.Flag(f.Names[0]).Role != f.Role {
					t.Errorf("%s %s: role %s is known of the pack alone", n.Path, f.Names[0], f.Role)
				}
			}
		}
	}
}

// commandsOf are a node and all below it.
func commandsOf(v *tcpdb.View, n *tcpdb.Node) []*tcpdb.Node {
	n = v.Open(n)
	all := []*tcpdb.Node{n}
	for _, s := range n.AllSubs() {
		all = append(all, commandsOf(v, s)...)
	}
	return all
}

// withPacks is the core with the packs of this repository, and the tools that
// they map.
func withPacks(t *testing.T) (v *tcpdb.View, packed map[string]bool) {
	t.Helper()
	dirs, _ := filepath.Glob("../packs/*/pack.json")
	packed = map[string]bool{}
	var packs []*opmap.Pack
	for _, file := range dirs {
		dir := filepath.Dir(file)
		p, problems := opmap.ReadPack(os.DirFS(dir), ".", opmap.KnownResolvers())
		for _, problem := range problems {
			t.Errorf("%s: %v", dir, problem)
		}
		if p == nil {
			continue
		}
		p.Trusted = true
		packs = append(packs, p)
		for _, tool := range p.Tools {
			packed[tool.Tool] = true
		}
	}
	image, err := opmap.BuildPacks(packs)
	if err != nil || len(packed) == 0 {
		t.Fatalf("%d tools in packs: %v", len(packed), err)
	}
	im, err := tcpdb.Parse(image)
	if err != nil {
		t.Fatal(err)
	}
	v = tcpdb.NewView(tcpdb.Core())
	v.Add(tcpdb.PackLayer, im)
	return v, packed
}

// TestHomes: a directory of a tool holds what the package says and nothing else.
func TestHomes(t *testing.T) {
	files, err := filepath.Glob("tools/*/*")
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	for _, file := range files {
		switch filepath.Base(file) {
		case "map.json", "risk.toml", mapcases.FileName:
		default:
			t.Errorf("%s: want map.json, risk.toml and %s only", file, mapcases.FileName)
		}
	}
}
