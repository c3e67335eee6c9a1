package command

import (
	"strings"

	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Compiled is a node of the compiled map as far as a command line is made of it.
func Compiled(t *tcpdb.Node) *Node {
	n := &Node{Name: t.Name, Aliases: t.Aliases, Description: t.Description, Hidden: t.Bits&tcpdb.HiddenNode != 0}
	for i := range t.Flags {
		f := &t.Flags[i]
		n.Flags = append(n.Flags, Flag{
			ID: f.ID, Names: f.Names, Value: [...]string{"none", "required", "optional"}[f.Value], Spec: specOf(&f.Spec),
			Hidden: f.Hidden, Repeatable: f.Repeatable, Description: f.Description,
		})
	}
	for i := range t.Args {
		a := &t.Args[i]
		n.Args = append(n.Args, Arg{a.Name, specOf(&a.Spec), a.Required, a.Repeatable, a.AfterDash, a.Description})
	}
	openValues(n, strings.TrimPrefix(t.Path, "tmp "))
	return n
}

func specOf(s *tcpdb.ValueSpec) Spec {
	out := Spec{Dir: s.Kind == tcpdb.DirSpec, File: s.Kind == tcpdb.FileSpec}
	switch s.Kind {
	case tcpdb.TypeSpec:
		out.Type = s.Name
	case tcpdb.ResolverSpec:
		out.Resolver = s.Name
	}
	for _, e := range s.Enum {
		out.Enum = append(out.Enum, Word{e.Value, e.Description})
	}
	return out
}
