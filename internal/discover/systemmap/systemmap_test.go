package systemmap

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/internal/discover/drafts"
	"github.com/tool-mapping-protocol/tmp/internal/discover/machine"
	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/internal/place"
	"github.com/tool-mapping-protocol/tmp/internal/risk"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

func coreNode() *tcpdb.Node {
	return &tcpdb.Node{Path: "x", Name: "x", Flags: []tcpdb.Flag{
		{ID: "all", Names: []string{"-a", "--all"}},
		{ID: "kind", Names: []string{"--kind"}, Value: tcpdb.RequiredValue},
		{ID: "old", Names: []string{"--old"}},
		{ID: "more", Names: []string{"--more"}},
		{ID: "last", Names: []string{"--last"}},
	}}
}

// TestFitNode: the core says how known options are read; what the installed
// version does not have is hidden.
func TestFitNode(t *testing.T) {
	draft := &tcpdb.Node{Path: "x", Name: "x", Flags: []tcpdb.Flag{
		{ID: "all", Names: []string{"--all"}, Value: tcpdb.RequiredValue}, {ID: "kind", Names: []string{"--kind"}}, {ID: "new", Names: []string{"--new"}, Value: tcpdb.RequiredValue},
	}}
	fitNode(nil, coreNode(), draft, []string{"--all", "--kind", "--last", "--more", "--new"})
	for _, want := range []struct {
		name   string
		value  tcpdb.ValueMode
		hidden bool
	}{
		{"--all", tcpdb.NoValue, false}, {"--kind", tcpdb.RequiredValue, false}, {"--new", tcpdb.RequiredValue, false}, {"--old", tcpdb.NoValue, true},
	} {
		f := draft.Flag(want.name)
		if f == nil || f.Value != want.value || f.Hidden != want.hidden {
			t.Errorf("%s: %+v", want.name, f)
		}
	}
	if draft.Flag("--more") != nil {
		t.Error("--more, which a text names, is touched")
	}
	// What one of the texts has is not hidden, whatever a text marks it as and by
	// whichever name it is there.
	script := &tcpdb.Node{Path: "x", Name: "x", Flags: []tcpdb.Flag{
		{ID: "all", Names: []string{"-a"}, Hidden: true}, {ID: "old", Names: []string{"--old"}},
	}}
	fitNode(nil, coreNode(), script, []string{"--kind", "--last", "--more", "-a"})
	for _, name := range []string{"-a", "--old"} {
		if f := script.Flag(name); f == nil || f.Hidden {
			t.Errorf("%s, which the installed version has: %+v", name, f)
		}
	}
	if script.Flag("--all") != nil {
		t.Error("--all is hidden though the texts have it as -a")
	}
	// Texts that lack most of what the core knows are not whole.
	few := &tcpdb.Node{Path: "x", Name: "x", Flags: []tcpdb.Flag{{ID: "all", Names: []string{"--all"}}}}
	fitNode(nil, coreNode(), few, []string{"--all"})
	if len(few.Flags) != 1 {
		t.Errorf("hidden by a text that is not whole: %+v", few.Flags)
	}
	// What carries another command is read as the core says.
	wrapper := coreNode()
	wrapper.Wrapper.Mode = tcpdb.WrapWords
	carrying := &tcpdb.Node{Path: "x", Name: "x", Flags: []tcpdb.Flag{{ID: "new", Names: []string{"--new"}, Value: tcpdb.RequiredValue}}}
	fitNode(nil, wrapper, carrying, nil)
	if len(carrying.Flags) != 0 {
		t.Errorf("a draft adds to a wrapper: %+v", carrying.Flags)
	}
}

// world is a home with a PATH of its own.
type world struct {
	t     *testing.T
	root  string
	paths place.Paths
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, root: t.TempDir()}
	w.paths = place.Find(func(name string) string {
		return map[string]string{"HOME": filepath.Join(w.root, "home")}[name]
	})
	return w
}

func (w *world) write(name, text string, mode os.FileMode) {
	w.t.Helper()
	file := filepath.Join(w.root, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), mode); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) draft(s *opmap.Source) {
	w.t.Helper()
	d := drafts.Dir(w.paths.Drafts())
	lock, err := d.Lock()
	if err != nil {
		w.t.Fatal(err)
	}
	defer lock.Unlock()
	if _, err := d.Put(drafts.Base{Tool: s.Tool, Identity: "1", From: map[string]int{"help": 1}}, s); err != nil {
		w.t.Fatal(err)
	}
}

// view builds the map and returns it over the core.
func (w *world) view() (*tcpdb.View, *Report) {
	w.t.Helper()
	getenv := func(name string) string {
		return map[string]string{"PATH": filepath.Join(w.root, "bin"), "MANPATH": filepath.Join(w.root, "man"), "XDG_DATA_DIRS": filepath.Join(w.root, "share")}[name]
	}
	b := tcpdb.NewBuilder()
	r, err := Add(w.t.Context(), b, Options{
		Paths: w.paths, Programs: machine.Programs(getenv("PATH")),
		Machine: machine.New(machine.Options{Getenv: getenv, NoRun: true, Dpkg: filepath.Join(w.root, "dpkg")}),
	})
	if err != nil {
		w.t.Fatal(err)
	}
	data, err := b.Build()
	if err != nil {
		w.t.Fatal(err)
	}
	im, err := tcpdb.Parse(data)
	if err != nil {
		w.t.Fatal(err)
	}
	v := tcpdb.NewView(tcpdb.Core())
	v.Add(tcpdb.SystemLayer, im)
	return v, r
}

const (
	showsPage = ".TH %s 1\n.SH NAME\nfrobls \\- list gizmos\n.SH OPTIONS\n.TP\n\\fB\\-\\-all\\fR\nAll.\n"
	wipePage  = ".TH %s 8\n.SH NAME\nfrobwipe \\- wipe a disk\n"
)

// TestAdd: every program of PATH has a descriptor: that of the core, or one with
// the text that it rests on.
func TestAdd(t *testing.T) {
	w := newWorld(t)
	for _, name := range []string{"rm", "ls", "frobls", "frobwipe", "frobnone", "frobmap"} {
		w.write("bin/"+name, "#!/bin/sh\n", 0o755)
	}
	w.write("man/man1/frobls.1", showsPage, 0o644)
	w.write("man/man8/frobwipe.8", wipePage, 0o644)
	w.draft(&opmap.Source{Schema: 1, Tool: "frobmap", Provenance: "help", Node: &opmap.Node{
		Name: "frobmap", Description: "Manage gizmos", Interspersed: true,
		Flags: []*opmap.Flag{{Names: []string{"--purge"}, Value: "none"}, {Names: []string{"--kind"}, Value: "required"}},
		Subcommands: []*opmap.Node{
			{Name: "list", Interspersed: true},
			{Name: "remove", Aliases: []string{"rm"}, Interspersed: true},
			{Name: "disk", Interspersed: true, Subcommands: []*opmap.Node{
				{Name: "delete-all", Interspersed: true},
				{Name: "tidy", Description: "Purge files that nobody needs", Interspersed: true},
				{Name: "reset", Interspersed: true},
				{Name: "show", Description: "Show what rm would do", Interspersed: true},
			}},
		},
	}})
	for round := range 2 { // the second time from what is remembered
		v, r := w.view()
		if r.Programs != 6 || r.Core != 2 || r.Drafts != 1 || len(r.Problems) != 0 {
			t.Errorf("round %d: %+v", round, r)
		}
		for _, want := range []struct {
			key, provenance string
			level           tcpdb.Level
		}{
			{"frobls", "manual", tcpdb.Low}, {"frobwipe", "manual", tcpdb.High}, {"frobnone", "name", tcpdb.Medium}, {"frobmap", "help", tcpdb.Medium},
		} {
			es := v.Entries(want.key)
			if len(es) != 1 || es[0].Provenance != want.provenance || es[0].Descriptor.Level() != want.level || es[0].Layer != tcpdb.SystemLayer {
				t.Errorf("round %d: %s: %+v", round, want.key, es)
			}
		}
		for _, key := range []string{"rm", "ls"} {
			if es := v.Entries(key); slices.ContainsFunc(es, func(e tcpdb.Entry) bool { return e.Layer != tcpdb.CoreLayer }) {
				t.Errorf("%s is rated beside the core: %+v", key, es)
			}
		}
		root := v.Root("frobmap")
		if root == nil || root.Bits&tcpdb.DraftNode == 0 || root.Flag("--kind") == nil || root.Sub("list") == nil || root.Sub("list").Bits&tcpdb.DraftNode == 0 {
			t.Errorf("frobmap: %+v", root)
		}
		for line, want := range map[string]struct {
			level       tcpdb.Level
			destructive bool
		}{
			"frobmap list": {tcpdb.Medium, false}, "frobmap remove x": {tcpdb.High, true}, "frobmap rm x": {tcpdb.High, true},
			"frobmap disk delete-all": {tcpdb.High, true}, "frobmap disk tidy": {tcpdb.High, true}, "frobmap disk reset": {tcpdb.Medium, true},
			"frobmap disk show": {tcpdb.Medium, false}, "frobmap disk --purge": {tcpdb.High, true},
		} {
			if j := risk.Judge(v, strings.Fields(line), risk.Facts{}); j.Level != want.level || j.Flags&tcpdb.Destructive != 0 != want.destructive {
				t.Errorf("%s is %s %v", line, j.Level, j.Flags.Names())
			}
		}
		if j := risk.Judge(v, []string{"frobmap", "--purge"}, risk.Facts{}); j.Level != tcpdb.High {
			t.Errorf("frobmap --purge is %s", j.Level)
		}
	}
}

// TestInvariantDraftsLowerNothing: whatever a draft says of a tool of the core,
// no line is rated lower than without it.
func TestInvariantDraftsLowerNothing(t *testing.T) {
	w := newWorld(t)
	hostile := func(tool string) *opmap.Source {
		return &opmap.Source{Schema: 1, Tool: tool, Provenance: "help", Node: &opmap.Node{
			Name: tool, Interspersed: true, SingleDashLong: true,
			Flags: []*opmap.Flag{
				{Names: []string{"-r", "--recursive"}, Value: "required"},
				{Names: []string{"-f", "--force"}, Value: "required"},
				{Names: []string{"--hard"}, Value: "required"},
				{Names: []string{"-rf"}, Value: "required"},
			},
			Subcommands: []*opmap.Node{{Name: "/dev/sda1x", Interspersed: true}, {Name: "reset", Interspersed: true}, {Name: "zzz", Interspersed: true}},
		}}
	}
	lines := [][]string{
		{"rm", "-rf", "/"},
		{"rm", "-r", "/"},
		{"shred", "/dev/sda"},
		{"dd", "if=/dev/zero", "of=/dev/sda"},
		{"mkfs.ext4", "/dev/sda"},
		{"wipefs", "-a", "/dev/sda"},
		{"sudo", "-r", "x", "rm", "-rf", "/"},
		{"env", "-f", "rm", "-rf", "/"},
		{"reboot"},
		{"chmod", "-R", "777", "/"},
		{"kubectl", "delete", "ns", "x"},
		{"docker", "system", "prune", "-af"},
		{"userdel", "-r", "me"},
		{"apt", "purge", "x"},
		{"terraform", "destroy"},
		{"xargs", "-r", "rm", "-rf", "/"},
	}
	seen := map[string]bool{}
	for _, l := range lines {
		if !seen[l[0]] {
			seen[l[0]] = true
			s := hostile(l[0])
			s.Node.Subcommands[0].Name = "sda1x"
			w.draft(s)
		}
	}
	v, _ := w.view()
	core := tcpdb.NewView(tcpdb.Core())
	for _, l := range lines {
		before, after := risk.Judge(core, l, risk.Facts{}), risk.Judge(v, l, risk.Facts{})
		if after.Level < before.Level || before.Flags&^after.Flags != 0 {
			t.Errorf("%q: %s %v became %s %v", l, before.Level, before.Flags.Names(), after.Level, after.Flags.Names())
		}
	}
}
