package tcpdb

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// sampleTool is a tree that uses every field of the node types.
func sampleTool() *Node {
	return &Node{
		Name: "git", Aliases: []string{"g"}, Description: "version control",
		Bits: Interspersed | NumericFlags | Bundle, Exec: "cobra", Class: []string{VersionControlClass, "interpreter:sh"}, Output: "git-work",
		Flags: []Flag{
			{ID: "C", Names: []string{"-C"}, Value: RequiredValue, Spec: ValueSpec{Kind: DirSpec}, Repeatable: true, Description: "run there", Role: ChdirRole},
			{
				ID: "color", Names: []string{"--color", "--colour"}, Value: OptionalValue, Negatable: true, Group: "look",
				Spec: ValueSpec{Kind: EnumSpec, List: ",", Enum: []EnumValue{{Value: "always", Description: "yes"}, {Value: "never", Description: ""}}},
			},
			{ID: "old", Names: []string{"--old"}, Hidden: true, Deprecated: true, Role: "output:json", RoleWith: []string{"C", "color"}},
			{ID: "owner", Names: []string{"--owner"}, Value: RequiredValue, Spec: ValueSpec{
				Kind: ResolverSpec, Name: "users", Then: &Continuation{Separator: ":", Required: true, Spec: ValueSpec{Kind: ResolverSpec, Name: "groups"}},
			}},
		},
		Args: []Arg{{
			Name: "what", Spec: ValueSpec{Kind: ResolverSpec, Name: "git:branches"},
			Alt: []ValueSpec{{Kind: FileSpec, Otherwise: true}}, Required: true, Repeatable: true, AfterDash: true, Description: "d", Role: OutputFileRole,
		}, {
			Name: "operand", With: []string{"old", "C"}, Role: "code:sql", RoleWith: []string{"old"}, Spec: ValueSpec{Kind: EnumSpec, Enum: []EnumValue{
				{Value: "on"}, {Value: "if=", Next: &ValueSpec{Kind: EnumSpec, List: ",", Enum: []EnumValue{{Value: "x=", Next: &ValueSpec{Kind: FileSpec}}}}},
			}},
		}},
		Wrapper: Wrapper{
			Mode: WrapTrailer, Skip: 2, ShellFlag: "c", Assignments: true, Markers: []string{"-exec"},
			Terminators: []string{";", "+"}, Elsewhere: true, Adds: RequiresRoot, Dialect: "posix",
		},
		Subs: []*Node{
			{Name: "reset", Description: "move HEAD", Output: "lines", Flags: []Flag{{ID: "hard", Names: []string{"--hard"}}}},
			{Name: "remote", Aliases: []string{"rem"}, Bits: HiddenNode, Subs: []*Node{{Name: "add", Description: "add one"}}},
		},
	}
}

func build(t testing.TB, fill func(b *Builder)) []byte {
	t.Helper()
	b := NewBuilder()
	fill(b)
	data, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func parsed(t testing.TB, fill func(b *Builder)) *Image {
	t.Helper()
	im, err := Parse(build(t, fill))
	if err != nil {
		t.Fatal(err)
	}
	return im
}

func noProblems(t testing.TB, v *View) {
	t.Helper()
	if p := v.Problems(); len(p) > 0 {
		t.Fatalf("problems: %v", p)
	}
}

// whole opens a tree to the bottom.
func whole(v *View, n *Node) *Node {
	w := *v.Open(n)
	for _, s := range w.AllSubs() {
		w.Subs = append(w.Subs, whole(v, s))
	}
	w.subs = nil
	return &w
}

func withPaths(n *Node, path string) *Node {
	n.Path = path
	for _, s := range n.Subs {
		withPaths(s, path+" "+s.Name)
	}
	return n
}

var ignoreRefs = cmpopts.IgnoreUnexported(Node{})

func TestTreeRoundTrip(t *testing.T) {
	v := NewView(parsed(t, func(b *Builder) { b.Tool(sampleTool()) }))
	want := withPaths(sampleTool(), "git")
	for _, name := range []string{"git", "g"} {
		if diff := cmp.Diff(want, whole(v, v.Root(name)), ignoreRefs); diff != "" {
			t.Error(diff)
		}
	}
	if v.Root("gi") != nil || v.Root("") != nil {
		t.Error("a name that is not there has a root")
	}
	if diff := cmp.Diff([]string{"git"}, v.Tools()); diff != "" {
		t.Error(diff)
	}
	noProblems(t, v)
}

func TestShallowSubs(t *testing.T) {
	v := NewView(parsed(t, func(b *Builder) { b.Tool(sampleTool()) }))
	s := v.Root("git").Sub("rem")
	if s == nil || s.Path != "git remote" || s.Name != "remote" || s.Bits != HiddenNode || s.HasSubs() {
		t.Fatalf("shallow sub-command: %+v", s)
	}
	if n := v.Open(s); len(n.AllSubs()) != 1 || n.AllSubs()[0].Path != "git remote add" {
		t.Errorf("opened: %+v", n)
	}
}

func TestEntriesAndOperations(t *testing.T) {
	entry := Entry{
		Key: "git reset", Descriptor: NewDescriptor("git reset", Medium, FileModification, 100, 10, 1),
		Rule: "git.reset", Reason: "moves the branch", Safer: "git stash", Scope: History, Provenance: "curated",
	}
	hard := Variant{Entry: entry, All: []string{"hard"}, Any: []string{"x", "y"}, None: []string{"n"}, ArgClass: "some", Effect: RaiseEffect}
	hard.Descriptor = NewDescriptor("git reset", Critical, Destructive, 0, 0, 0)
	op := Operation{
		ID: "cargo.test", Surface: "cli", Tool: "cargo", Description: "run tests", Template: []string{"cargo", "test", "<p>"},
		Intents: []string{"run <p> tests", "run tests"}, Effect: "build-test", Risk: Low, Approval: "required",
		When: []string{"Cargo.toml"}, Managers: []string{"cargo"}, Values: []string{"cargo:bins=x"}, OutputMode: "summary", Retention: "7d", Standing: Shipped, Evidence: []string{"dry_run"},
		Params: []Param{{Name: "p", Type: "string", Required: true, Resolver: "cargo:tests", Filter: true, Default: "x", Description: "d"}},
	}
	src := Source{Path: "/a/b.json", Dev: 1, Ino: 1 << 60, Size: 12, MTime: -5, CTime: 1 << 62}
	im := parsed(t, func(b *Builder) { b.Entry(entry); b.Variant(hard); b.Operation(op); b.Source(src) })
	v := NewView(im)
	if diff := cmp.Diff([]Entry{entry}, v.Entries("git reset")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]Variant{hard}, v.Variants("git reset")); diff != "" {
		t.Error(diff)
	}
	if d, ok := v.Lookup("git reset"); !ok || d != entry.Descriptor {
		t.Errorf("Lookup: %+v, %v", d, ok)
	}
	if _, ok := v.Lookup("git rese"); ok {
		t.Error("Lookup found a key that is not there")
	}
	if diff := cmp.Diff([]Operation{op}, v.Operations()); diff != "" {
		t.Error(diff)
	}
	if o, ok := v.Operation("cargo.test"); !ok || !cmp.Equal(o, op) {
		t.Errorf("Operation: %+v", o)
	}
	if diff := cmp.Diff([]string{"cargo.test"}, v.Intent("run tests")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]Source{src}, im.Sources()); diff != "" {
		t.Error(diff)
	}
	noProblems(t, v)
}

func TestMapFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.tcpdb")
	data := build(t, func(b *Builder) { b.Tool(sampleTool()) })
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	im, err := Map(path)
	if err != nil {
		t.Fatal(err)
	}
	v := NewView(im)
	root := v.Root("git")
	if err := im.Close(); err != nil {
		t.Fatal(err)
	}
	if root.Description != "version control" {
		t.Error("what was read does not outlive Close")
	}
	if _, err := Map(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing file: %v", err)
	}
	if _, err := Map(dir); !errors.Is(err, ErrNotMap) {
		t.Errorf("directory: %v", err)
	}
}
