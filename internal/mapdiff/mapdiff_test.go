package mapdiff

import (
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/internal/workflow"
)

func TestMaps(t *testing.T) {
	flag := func(names ...string) *opmap.Flag { return &opmap.Flag{Names: names, Value: "none"} }
	old := &opmap.Source{Tool: "frob", Node: &opmap.Node{
		Name: "frob", Flags: []*opmap.Flag{flag("-a", "--all"), flag("--gone"), flag("-x")}, Args: []*opmap.Arg{{Name: "file"}, {Name: "more"}},
		Subcommands: []*opmap.Node{{Name: "add"}, {Name: "drop"}},
	}, Operations: []*opmap.Operation{{ID: "frob.add", Risk: "low"}, {ID: "frob.old"}}}
	next := &opmap.Source{Tool: "frob", Version: "2", Node: &opmap.Node{
		Name: "frob", Flags: []*opmap.Flag{flag("--all", "-A"), {Names: []string{"-x"}, Value: "required", Role: "shell-line"}, flag("--new")}, Args: []*opmap.Arg{{Name: "path"}},
		Subcommands: []*opmap.Node{{Name: "add", Description: "Add"}, {Name: "list"}},
	}, Operations: []*opmap.Operation{{ID: "frob.add", Risk: "high"}, {ID: "frob.new"}}}
	want := []Change{
		{Changed, "map", "frob", "version", "", "2"},
		{Changed, "option", "frob --all", "names", "-a, --all", "--all, -A"},
		{Removed, "option", "frob --gone", "", "", ""},
		{Changed, "option", "frob -x", "role", "", "shell-line"},
		{Changed, "option", "frob -x", "value", "none", "required"},
		{Added, "option", "frob --new", "", "", ""},
		{Changed, "argument", "frob <path>", "name", "file", "path"},
		{Removed, "argument", "frob <more>", "", "", ""},
		{Changed, "command", "frob add", "description", "", "Add"},
		{Removed, "command", "frob drop", "", "", ""},
		{Added, "command", "frob list", "", "", ""},
		{Changed, "operation", "frob.add", "risk", "low", "high"},
		{Removed, "operation", "frob.old", "", "", ""},
		{Added, "operation", "frob.new", "", "", ""},
	}
	if d := cmp.Diff(want, Maps(old, next)); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
	if d := Maps(old, old); len(d) > 0 {
		t.Errorf("a map differs from itself: %v", d)
	}
}

// Whatever a map can say of a command, an option, an argument or an operation is
// compared: a field that is new in the source must not be passed over.
func TestEveryFieldIsCompared(t *testing.T) {
	// texts that tell where a map comes from, and what is compared one by one
	passed := []string{"Extra", "From", "Evidence", "Examples", "Verify", "Flags", "Args", "Subcommands", "RoleWith", "EnvGiven"}
	filled := map[reflect.Type]any{
		reflect.TypeFor[*opmap.Spec]():         &opmap.Spec{File: true},
		reflect.TypeFor[[]*opmap.Spec]():       []*opmap.Spec{{File: true}},
		reflect.TypeFor[*opmap.Then]():         &opmap.Then{Separator: ":", Spec: &opmap.Spec{File: true}},
		reflect.TypeFor[*opmap.Wrapper]():      &opmap.Wrapper{Mode: "words"},
		reflect.TypeFor[*opmap.When]():         &opmap.When{Managers: []string{"npm"}},
		reflect.TypeFor[*opmap.OutputPolicy](): &opmap.OutputPolicy{Mode: "raw"},
		reflect.TypeFor[[]*opmap.Parameter]():  []*opmap.Parameter{{Name: "p"}},
		reflect.TypeFor[[]opmap.EnumValue]():   []opmap.EnumValue{{Value: "a"}},
		reflect.TypeFor[[]workflow.Step]():     []workflow.Step{{ID: "a"}},
		reflect.TypeFor[[]workflow.Source]():   []workflow.Source{{File: "a"}},
		reflect.TypeFor[[]string]():            []string{"a"},
	}
	source := func(n *opmap.Node, f *opmap.Flag, a *opmap.Arg, o *opmap.Operation) *opmap.Source {
		n.Flags, n.Args = []*opmap.Flag{f}, []*opmap.Arg{a}
		return &opmap.Source{Tool: "t", Node: n, Operations: []*opmap.Operation{o}}
	}
	fresh := func() []any {
		return []any{&opmap.Node{Name: "t"}, &opmap.Flag{Names: []string{"--f"}, Spec: &opmap.Spec{}}, &opmap.Arg{Name: "a", Spec: &opmap.Spec{}}, &opmap.Operation{ID: "o"}}
	}
	whole := func(p []any) *opmap.Source {
		return source(p[0].(*opmap.Node), p[1].(*opmap.Flag), p[2].(*opmap.Arg), p[3].(*opmap.Operation))
	}
	set := func(v reflect.Value, name string) {
		switch v.Kind() {
		case reflect.Bool:
			v.SetBool(true)
		case reflect.String:
			v.SetString(v.String() + "changed")
		default:
			x, ok := filled[v.Type()]
			if !ok {
				t.Fatalf("%s has a type that this test cannot fill: %s", name, v.Type())
			}
			v.Set(reflect.ValueOf(x))
		}
	}
	for i := range fresh() {
		kind := reflect.TypeOf(fresh()[i]).Elem()
		for f := range kind.NumField() {
			name := kind.Field(f).Name
			if !kind.Field(f).IsExported() || slices.Contains(passed, name) || i == 0 && name == "Name" || i == 3 && name == "ID" {
				continue
			}
			parts := fresh()
			v := reflect.ValueOf(parts[i]).Elem().Field(f)
			if i == 1 && name == "Names" {
				v.Set(reflect.ValueOf([]string{"--f", "-f"}))
			} else {
				set(v, name)
			}
			if len(Maps(whole(fresh()), whole(parts))) == 0 {
				t.Errorf("%s.%s is not compared", kind.Name(), name)
			}
		}
	}
	kind := reflect.TypeFor[opmap.Spec]()
	for f := range kind.NumField() {
		name := kind.Field(f).Name
		if slices.Contains(passed, name) || name == "Otherwise" {
			continue
		}
		parts := fresh()
		set(reflect.ValueOf(parts[1].(*opmap.Flag).Spec).Elem().Field(f), name)
		if len(Maps(whole(fresh()), whole(parts))) == 0 {
			t.Errorf("Spec.%s is not compared", name)
		}
	}
}
