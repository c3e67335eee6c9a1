package tcpdb

import (
	"reflect"
	"slices"
	"testing"
)

func TestRoles(t *testing.T) {
	for role, want := range map[Role]bool{
		"shell-line": true, "code:sql": true, "code:c++": true, "input-program": true, "input-program:python": true, "output:json": true,
		"": false, "code": false, "code:": false, "shell-line:x": false, "chdir:": false, "unheard-of": false, "code:SQL": false, "place:a b": false,
	} {
		if got := role.Valid(); got != want {
			t.Errorf("%q is valid: %v, want %v", role, got, want)
		}
	}
	for _, c := range []struct {
		role, name Role
		is         bool
		operand    string
	}{
		{"code:sql", CodeRole, true, "sql"},
		{"code", CodeRole, true, ""},
		{"output-file", OutputRole, false, ""},
		{"output:json", OutputFileRole, false, "json"},
		{"secret-file", SecretRole, false, ""},
	} {
		if c.role.Is(c.name) != c.is || c.role.Operand() != c.operand {
			t.Errorf("%q is %q: %v, operand %q", c.role, c.name, c.role.Is(c.name), c.role.Operand())
		}
	}
}

func TestClasses(t *testing.T) {
	for class, want := range map[string]bool{"pager": true, "interpreter:python": true, "interpreter": false, "pager:x": false, "": false, "interpreter:": false} {
		if ValidClass(class) != want {
			t.Errorf("%q is valid: %v", class, !want)
		}
	}
	n := &Node{Class: []string{PagerClass, "interpreter:awk"}}
	if !n.HasClass(InterpreterClass) || !n.HasClass("interpreter:awk") || n.HasClass("interpreter:perl") || n.HasClass(EditorClass) || n.Language() != "awk" {
		t.Errorf("classes of %v are not found", n.Class)
	}
	if got := Outputs(); !slices.IsSorted(got) || ValidOutput("") || !ValidOutput("table") {
		t.Errorf("outputs: %v", got)
	}
}

// A role decides how a line is judged: no draft and no project takes one away or
// puts another in its place; a user may.
func TestRolesOfLayers(t *testing.T) {
	tool := func(role Role, class, output string, bits NodeBits) *Node {
		n := &Node{Name: "tool", Bits: bits, Output: output, Flags: []Flag{{ID: "x", Names: []string{"-x"}, Value: RequiredValue, Role: role}}}
		if class != "" {
			n.Class = []string{class}
		}
		return n
	}
	for _, c := range []struct {
		name   string
		layer  Layer
		bits   NodeBits
		role   Role
		class  []string
		output string
	}{
		{"user", UserLayer, 0, ChdirRole, []string{"interpreter:sh", PagerClass}, "table"},
		{"project", ProjectLayer, 0, ShellLineRole, []string{"interpreter:sh"}, "log"},
		{"draft", SystemLayer, DraftNode, ShellLineRole, []string{"interpreter:sh"}, "log"},
	} {
		core := parsed(t, func(b *Builder) { b.Tool(tool(ShellLineRole, "interpreter:sh", "log", 0)) })
		over := parsed(t, func(b *Builder) { b.Tool(tool(ChdirRole, PagerClass, "table", c.bits)) })
		v := NewView(core)
		v.Add(c.layer, over)
		n := v.Root("tool")
		if n.Flags[0].Role != c.role || !reflect.DeepEqual(n.Class, c.class) || n.Output != c.output {
			t.Errorf("%s: %q, %v, %q", c.name, n.Flags[0].Role, n.Class, n.Output)
		}
		open := NewView(parsed(t, func(b *Builder) { b.Tool(tool("", "", "", 0)) }))
		open.Add(c.layer, over)
		if n := open.Root("tool"); n.Flags[0].Role != ChdirRole || !n.HasClass(PagerClass) || n.Output != "table" {
			t.Errorf("%s fills nothing: %q, %v, %q", c.name, n.Flags[0].Role, n.Class, n.Output)
		}
	}
}
