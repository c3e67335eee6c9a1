package tcpdb

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// layered builds a view with one layer per tree, core, system, user and project;
// nil leaves a layer out. The packs have tests of their own.
func layered(t testing.TB, roots ...*Node) *View {
	t.Helper()
	v := NewView(nil)
	for l, root := range roots {
		if root != nil {
			v.Add([]Layer{CoreLayer, SystemLayer, UserLayer, ProjectLayer}[l], parsed(t, func(b *Builder) { b.Tool(root) }))
		}
	}
	return v
}

func names(flags []Flag) (names [][]string) {
	for _, f := range flags {
		names = append(names, f.Names)
	}
	return names
}

// What is there for judging alone is hidden; a layer that has the command as a
// whole says what is offered, whichever comes first.
func TestMergeShowsWhatJudgingHides(t *testing.T) {
	const made = DraftNode | Partial
	judged := &Node{Name: "tool", Bits: made, Subs: []*Node{
		{Name: "drop", Bits: made | HiddenNode, Flags: []Flag{{ID: "all", Names: []string{"--all"}, Hidden: true}}},
		{Name: "gone", Bits: made | HiddenNode},
	}}
	draft := &Node{Name: "tool", Bits: DraftNode, Subs: []*Node{
		{Name: "drop", Bits: DraftNode | Gap, Flags: []Flag{{ID: "all", Names: []string{"--all"}}}},
		{Name: "old", Bits: DraftNode | HiddenNode},
	}}
	for _, layers := range [][]*Node{{judged, draft}, {draft, judged}} {
		v := layered(t, layers...)
		root := v.Root("tool")
		for name, want := range map[string]NodeBits{"drop": DraftNode | Gap, "gone": made | HiddenNode, "old": DraftNode | HiddenNode} {
			if got := root.Sub(name).Bits; got != want {
				t.Errorf("%s: bits %b, want %b", name, got, want)
			}
		}
		if f := v.Open(root.Sub("drop")).Flag("--all"); f == nil || f.Hidden {
			t.Errorf("--all: %+v", f)
		}
		noProblems(t, v)
	}
}

func TestMergeNodes(t *testing.T) {
	core := &Node{
		Name: "tool", Description: "core", Bits: Interspersed, Aliases: []string{"t"},
		Flags: []Flag{
			{ID: "force", Names: []string{"-f", "--force"}, Description: "core"},
			{ID: "mode", Names: []string{"--mode"}, Value: RequiredValue, Spec: ValueSpec{Kind: EnumSpec, Enum: []EnumValue{{Value: "a", Description: "A"}}}},
		},
		Args: []Arg{{Name: "core"}},
		Subs: []*Node{{Name: "one", Description: "core one", Flags: []Flag{{ID: "x", Names: []string{"-x"}}}}},
	}
	draft := &Node{
		Name: "tool", Description: "draft", Bits: DraftNode, Exec: "cobra",
		Flags: []Flag{
			{ID: "force", Names: []string{"--force"}, Value: RequiredValue, Description: "draft", Group: "g"},
			{ID: "new", Names: []string{"--new"}},
		},
		Args: []Arg{{Name: "draft"}},
		Subs: []*Node{{Name: "two", Bits: DraftNode}, {Name: "one", Bits: DraftNode, Flags: []Flag{{ID: "y", Names: []string{"-y"}}}}},
	}
	user := &Node{
		Name: "tool", Description: "user", Aliases: []string{"u"},
		Flags: []Flag{{ID: "other", Names: []string{"--mode", "-m"}, Value: OptionalValue, Spec: ValueSpec{Kind: EnumSpec, Enum: []EnumValue{{Value: "b", Description: "B"}}}}},
		Subs:  []*Node{{Name: "two", Bits: HiddenNode, Description: "user two"}},
	}
	v := layered(t, core, draft, user)
	n := v.Root("tool")
	if n.Description != "user" || n.Exec != "cobra" || n.Args[0].Name != "core" {
		t.Errorf("scalars: %q %q %v", n.Description, n.Exec, n.Args)
	}
	if n.Bits != Interspersed {
		t.Errorf("bits %b: reviewed layers make it no draft, and the core's reading stays", n.Bits)
	}
	if diff := cmp.Diff([]string{"t", "u"}, n.Aliases); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([][]string{{"-f", "--force"}, {"--mode", "-m"}, {"--new"}}, names(n.Flags)); diff != "" {
		t.Error(diff)
	}
	force, mode := n.Flag("-f"), n.Flag("-m")
	if force.Value != NoValue || force.Description != "core" || force.Group != "g" {
		t.Errorf("a draft fills gaps and changes nothing: %+v", force)
	}
	if mode.ID != "mode" || mode.Value != OptionalValue {
		t.Errorf("the user states another arity, the ID stays: %+v", mode)
	}
	if diff := cmp.Diff([]EnumValue{{Value: "b", Description: "B"}, {Value: "a", Description: "A"}}, mode.Spec.Enum); diff != "" {
		t.Error(diff)
	}
	if len(n.AllSubs()) != 2 || n.Sub("two").Bits != HiddenNode || n.Sub("two").Description != "user two" {
		t.Errorf("sub-commands: %+v", n.AllSubs())
	}
	if one := v.Open(n.Sub("one")); one.Description != "core one" || one.Flag("-x") == nil || one.Flag("-y") == nil {
		t.Errorf("one: %+v", one)
	}
	noProblems(t, v)
}

// A trusted project adds; it does not change how words are read.
func TestProjectCannotChangeReading(t *testing.T) {
	core := &Node{
		Name: "rm", Flags: []Flag{{ID: "force", Names: []string{"-f"}}, {ID: "recursive", Names: []string{"-r"}}},
		Subs: nil,
	}
	sudo := func(n *Node) *Node { n.Wrapper = Wrapper{Mode: WrapWords}; return n }
	project := sudo(&Node{
		Name: "rm", Bits: Replaces | Interspersed | SingleDashLong, Exec: "cobra",
		Flags: []Flag{
			{ID: "f", Names: []string{"-f", "-r"}, Value: RequiredValue},
			{ID: "r", Names: []string{"-r"}, Value: RequiredValue, Description: "again"},
			{ID: "z", Names: []string{"-z"}},
		},
		Subs: []*Node{{Name: "x"}},
	})
	n := layered(t, core, nil, nil, project).Root("rm")
	if n.Bits != 0 || n.Wrapper.Mode != NoWrap || n.Exec != "" || n.HasSubs() {
		t.Errorf("changed: %+v", n)
	}
	for _, name := range []string{"-f", "-r"} {
		if f := n.Flag(name); f.Value != NoValue {
			t.Errorf("%s takes a value now", name)
		}
	}
	if n.Flag("-r").ID != "recursive" || n.Flag("-f").ID != "force" || n.Flag("-z") == nil {
		t.Errorf("flags: %v", names(n.Flags))
	}
	// Beside existing sub-commands it may add some.
	core = &Node{Name: "cargo", Subs: []*Node{{Name: "build"}}}
	project = &Node{Name: "cargo", Subs: []*Node{{Name: "xtask"}}}
	if n := layered(t, core, nil, nil, project).Root("cargo"); n.Sub("xtask") == nil {
		t.Error("xtask was not added")
	}
}

func TestReplaces(t *testing.T) {
	for layer, replaced := range map[int]bool{1: true, 2: true, 3: false} {
		roots := make([]*Node, 4)
		roots[CoreLayer] = &Node{Name: "t", Flags: []Flag{{ID: "a", Names: []string{"-a"}}}, Subs: []*Node{
			{Name: "old"}, {Name: "both", Flags: []Flag{{ID: "c", Names: []string{"-c"}}}},
		}}
		roots[layer] = &Node{Name: "t", Bits: Replaces, Flags: []Flag{{ID: "b", Names: []string{"-b"}}}, Subs: []*Node{
			{Name: "both", Flags: []Flag{{ID: "d", Names: []string{"-d"}}}},
		}}
		v := layered(t, roots...)
		n := v.Root("t")
		both := v.Open(n.Sub("both"))
		if (n.Flag("-a") == nil) != replaced || (n.Sub("old") == nil) != replaced || (both.Flag("-c") == nil) != replaced || n.Flag("-b") == nil {
			t.Errorf("layer %d: replaced %v, want %v: %v", layer, n.Flag("-a") == nil, replaced, names(n.Flags))
		}
	}
	// A sub-command alone.
	v := layered(
		t,
		&Node{Name: "t", Subs: []*Node{{Name: "s", Flags: []Flag{{ID: "a", Names: []string{"-a"}}}}}},
		nil,
		&Node{Name: "t", Subs: []*Node{{Name: "s", Bits: Replaces}}},
	)
	if s := v.Open(v.Root("t").Sub("s")); len(s.Flags) != 0 {
		t.Errorf("sub-command was not replaced: %v", names(s.Flags))
	}
}

func TestAliasOfOneToolIsNameOfAnother(t *testing.T) {
	v := layered(
		t,
		&Node{Name: "python3", Aliases: []string{"python"}, Description: "three"},
		&Node{Name: "python", Description: "own"},
		&Node{Name: "python3", Flags: []Flag{{ID: "u", Names: []string{"-u"}}}},
	)
	if n := v.Root("python"); n.Name != "python" || n.Description != "own" {
		t.Errorf("%+v", n)
	}
	v = layered(
		t,
		&Node{Name: "python3", Aliases: []string{"python"}, Description: "three"},
		nil,
		&Node{Name: "python3", Flags: []Flag{{ID: "u", Names: []string{"-u"}}}},
	)
	if n := v.Root("python"); n.Name != "python3" || n.Flag("-u") == nil {
		t.Errorf("an alias is joined over the layers as well: %+v", n)
	}
}

func TestLayersOfVariants(t *testing.T) {
	v := NewView(nil)
	for l := range Layer(layerCount) {
		v.Add(l, parsed(t, func(b *Builder) {
			for e := SetEffect; e <= HarmlessEffect; e++ {
				b.Variant(Variant{Entry: Entry{Key: "k", Descriptor: NewDescriptor("k", Low, 0, 0, 0, 0)}, Effect: e})
			}
		}))
	}
	var got []string
	for _, x := range v.Variants("k") {
		got = append(got, fmt.Sprintf("%d %d", x.Layer, x.Effect))
	}
	want := []string{"0 0", "0 1", "0 2", "1 0", "1 1", "1 2", "2 0", "2 1", "2 2", "3 0", "3 1", "4 0", "4 1", "5 0", "5 1"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if _, ok := v.Lookup("k"); ok {
		t.Error("variants alone are no base entry")
	}
}

func TestLayersOfOperations(t *testing.T) {
	core := Operation{ID: "a.b", Template: []string{"a"}, Risk: High, Approval: "required", Standing: Shipped, Evidence: []string{"dry_run"}}
	project := Operation{ID: "a.b", Template: []string{"b"}, Risk: Low, Standing: Claimed}
	v := NewView(parsed(t, func(b *Builder) { b.Operation(core); b.Operation(Operation{ID: "a.c"}) }))
	v.Add(ProjectLayer, parsed(t, func(b *Builder) { b.Operation(project); b.Operation(Operation{ID: "a.a"}) }))
	want := project
	want.Risk, want.Approval, want.Layer = High, "required", ProjectLayer
	if o, ok := v.Operation("a.b"); !ok || !cmp.Equal(o, want) {
		t.Errorf("%+v", o)
	}
	ops := v.Operations()
	if len(ops) != 3 || ops[0].ID != "a.a" || !cmp.Equal(ops[1], want) || ops[2].ID != "a.c" || ops[2].Layer != CoreLayer {
		t.Errorf("%+v", ops)
	}
}

// No set of layers answers less than any of them alone.
func TestNoLayerLowers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := NewView(nil)
		var level Level
		var caps Flags
		n := 0
		for l := range Layer(layerCount) {
			if !rapid.Bool().Draw(t, "has") {
				continue
			}
			d := Descriptor{Flags: Flags(rapid.Uint32().Draw(t, "flags"))}
			level = max(level, d.Level())
			caps |= d.Flags &^ levelMask
			n++
			b := NewBuilder()
			b.Entry(Entry{Key: "k", Descriptor: d})
			data, err := b.Build()
			if err != nil {
				t.Fatal(err)
			}
			im, err := Parse(data)
			if err != nil {
				t.Fatal(err)
			}
			v.Add(l, im)
		}
		d, ok := v.Lookup("k")
		if ok != (n > 0) || d.Level() != level || d.Flags&^levelMask != caps {
			t.Fatalf("level %v flags %b, want %v %b", d.Level(), d.Flags, level, caps)
		}
		if e := v.Entries("k"); len(e) != n {
			t.Fatalf("%d entries, want %d", len(e), n)
		}
	})
}

func TestViewDigest(t *testing.T) {
	a := parsed(t, func(b *Builder) { b.Tool(&Node{Name: "a"}) })
	b := parsed(t, func(b *Builder) { b.Tool(&Node{Name: "b"}) })
	digests := map[string]bool{}
	for _, add := range []func(v *View){
		func(v *View) {}, func(v *View) { v.Add(UserLayer, b) }, func(v *View) { v.Add(ProjectLayer, b) },
		func(v *View) { v.Add(UserLayer, a) }, func(v *View) { v.Add(CoreLayer, b) },
	} {
		v := NewView(a)
		add(v)
		d := v.Digest()
		if len(d) != 64 || digests[d] || d != v.Digest() {
			t.Errorf("digest %q", d)
		}
		digests[d] = true
	}
}

func TestCore(t *testing.T) {
	if errs := Verify(Core()); len(errs) > 0 {
		t.Fatal(errs)
	}
	noProblems(t, NewView(Core()))
	v := NewView(&Image{err: ErrCorrupt})
	if p := v.Problems(); len(p) != 1 || p[0].Layer != CoreLayer {
		t.Errorf("a damaged core: %v", p)
	}
	if v.Root("git") != nil {
		t.Error("a damaged core answers")
	}
}

// A sub-command that is looked up alone is the one that the whole list has.
func TestSubAloneIsSubOfAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := []string{"a", "b", "c", "d"}
		v := NewView(nil)
		for l := range Layer(layerCount) {
			root := &Node{Name: "t", Bits: NodeBits(rapid.SampledFrom([]int{0, int(DraftNode), int(Replaces)}).Draw(t, "bits"))}
			for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom(names), 0, 4, rapid.ID[string]).Draw(t, "subs") {
				root.Subs = append(root.Subs, &Node{
					Name:        name,
					Aliases:     rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "x", "y"}), 0, 2, rapid.ID[string]).Draw(t, "aliases"),
					Description: rapid.SampledFrom([]string{"", "one", "two"}).Draw(t, "description"),
					Bits:        NodeBits(rapid.SampledFrom([]int{0, int(DraftNode), int(HiddenNode), int(Replaces)}).Draw(t, "sub bits")),
				})
			}
			b := NewBuilder()
			b.Tool(root)
			data, err := b.Build()
			if err != nil {
				t.Skip(err) // an alias that is another's name
			}
			im, err := Parse(data)
			if err != nil {
				t.Fatal(err)
			}
			v.Add(l, im)
		}
		all := v.root("t").AllSubs()
		for _, name := range []string{"a", "b", "c", "d", "x", "y", "none", ""} {
			want, got := named(all, name), v.root("t").Sub(name)
			if diff := cmp.Diff(want, got, cmp.AllowUnexported(Node{})); diff != "" {
				t.Fatalf("%q: %s", name, diff)
			}
		}
	})
}

// What running an operation needs is that of the layer whose record counts.
func TestDetails(t *testing.T) {
	v := NewView(parsed(t, func(b *Builder) {
		b.Operation(Operation{ID: "a.a"})
		b.Operation(Operation{ID: "a.b"})
		b.Detail("a.a", "core a")
		b.Detail("a.b", "core b")
	}))
	v.Add(ProjectLayer, parsed(t, func(b *Builder) { b.Operation(Operation{ID: "a.a"}) }))
	for id, want := range map[string]string{"a.a": "", "a.b": "core b", "a.c": ""} {
		if got := v.Detail(id); got != want {
			t.Errorf("%s: %q, want %q", id, got, want)
		}
	}
	if p := v.Problems(); len(p) != 0 {
		t.Error(p)
	}
}
