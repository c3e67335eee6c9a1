package drafts

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tool-mapping-protocol/tmp/internal/opmap"
)

func imported(flags ...*opmap.Flag) *opmap.Source {
	return &opmap.Source{
		Schema: 1, Tool: "x", Provenance: "import", Origin: &opmap.Origin{Format: "carapace", From: "x.yaml"},
		Node: &opmap.Node{Name: "x", Interspersed: true, Flags: flags},
	}
}

func bring(t *testing.T, d Dir, s *opmap.Source) {
	t.Helper()
	lock, err := d.Lock()
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Unlock()
	if _, err := d.Import(s); err != nil {
		t.Fatal(err)
	}
}

func flagsOf(t *testing.T, d Dir) string {
	t.Helper()
	s, err := d.Read("x")
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, f := range s.Node.Flags {
		out = append(out, strings.Join(f.Names, " ")+"="+f.Value+":"+f.Description)
	}
	return strings.Join(out, ", ")
}

// TestImport: generated, imported and edited facts are joined in any order; what
// a newer import no longer says goes, an edit stays.
func TestImport(t *testing.T) {
	d := Dir(t.TempDir())
	bring(t, d, imported(&opmap.Flag{Names: []string{"-a", "--all"}, Value: "none", Description: "mine"}, &opmap.Flag{Names: []string{"--own"}, Value: "required", Description: "own"}))
	if got := flagsOf(t, d); got != "-a --all=none:mine, --own=required:own" {
		t.Errorf("imported: %s", got)
	}
	generated := imported(&opmap.Flag{Names: []string{"--all"}, Value: "optional", Description: "theirs"}, &opmap.Flag{Names: []string{"--new"}, Value: "none", Description: "new"})
	generated.Origin, generated.Provenance = nil, "help"
	put(t, d, "1", generated)
	if got := flagsOf(t, d); got != "--all -a=optional:mine, --new=none:new, --own=required:own" {
		t.Errorf("generated after it: %s", got)
	}
	edit(t, d, `"own"`, `"edited"`)
	bring(t, d, imported(&opmap.Flag{Names: []string{"--later"}, Value: "none", Description: "later"}))
	got := flagsOf(t, d)
	if !strings.Contains(got, "--own=required:edited") || !strings.Contains(got, "--later=none:later") || !strings.Contains(got, "--all=optional:theirs") {
		t.Errorf("a newer import: %s", got)
	}
	s, err := d.Read("x")
	if err != nil || s.Origin == nil || s.Verified {
		t.Errorf("%v %+v", err, s)
	}
	// Nothing is written about the tool any more: what was imported stays.
	lock, err := d.Lock()
	if err != nil {
		t.Fatal(err)
	}
	if err := d.PutNone(Base{Tool: "x", Identity: "2"}); err != nil {
		t.Error(err)
	}
	if got := flagsOf(t, d); !strings.Contains(got, "--later") || strings.Contains(got, "--new") {
		t.Errorf("nothing generated: %s", got)
	}
	if err := d.Remove("x"); err != nil || d.Base("x") != nil {
		t.Errorf("not removed: %v", err)
	}
	lock.Unlock()
}

func someFlags(t *rapid.T, label string) []*opmap.Flag {
	var out []*opmap.Flag
	used, ids := map[string]bool{}, map[string]bool{}
	for range rapid.IntRange(0, 5).Draw(t, label) {
		f := &opmap.Flag{Value: rapid.SampledFrom([]string{"", "none", "required", "optional"}).Draw(t, "value"), Description: label}
		for _, name := range rapid.SliceOfN(rapid.SampledFrom([]string{"-a", "--a", "-b", "--b", "--c", "-c", "--d"}), 1, 3).Draw(t, "names") {
			if !used[name] {
				used[name] = true
				f.Names = append(f.Names, name)
			}
		}
		if len(f.Names) > 0 && !ids[opmap.FlagID(f.Names)] {
			ids[opmap.FlagID(f.Names)] = true
			out = append(out, f)
		}
	}
	return out
}

func someMap(t *rapid.T, label string) *opmap.Source {
	s := imported(someFlags(t, label)...)
	used := map[string]bool{}
	for range rapid.IntRange(0, 3).Draw(t, "subs") {
		sub := &opmap.Node{Interspersed: true, Flags: someFlags(t, label)}
		for _, name := range rapid.SliceOfN(rapid.SampledFrom([]string{"p", "q", "r", "s"}), 1, 2).Draw(t, "sub") {
			switch {
			case used[name]:
			case sub.Name == "":
				sub.Name = name
			default:
				sub.Aliases = append(sub.Aliases, name)
			}
			used[name] = true
		}
		if sub.Name != "" {
			s.Node.Subcommands = append(s.Node.Subcommands, sub)
		}
	}
	return s
}

// TestJoinIsWhole: a join is a valid map that has every option of the installed
// tool by all its names.
func TestJoinIsWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, i := someMap(t, "generated"), someMap(t, "imported")
		joined := Join(g, i)
		if _, problems := opmap.Parse("x", joined.Encode(), opmap.ParseOptions{}); problems.Err() != nil {
			t.Fatalf("%v\n%s", problems.Err(), joined.Encode())
		}
		have := map[string]bool{}
		for _, f := range joined.Node.Flags {
			for _, name := range f.Names {
				have[name] = true
			}
		}
		for _, f := range g.Node.Flags {
			for _, name := range f.Names {
				if !have[name] {
					t.Fatalf("%s of the installed tool is lost", name)
				}
			}
		}
	})
}
