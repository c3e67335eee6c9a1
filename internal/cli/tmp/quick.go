package tmp

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// quick makes the one command that a line names word for word, out of the
// compiled map: `tmp run -- true` has no use for the other fifty commands, nor
// for the texts of their help, which only the map's JSON has. It returns nil for
// every line that may want more: an alias, a flag before the command, help.
func quick(env *Env) *cobra.Command {
	path, rest, ok := quickPath(env.Args)
	if !ok {
		return nil
	}
	view := tcpdb.NewView(tcpdb.Core())
	at := view.Root("tmp")
	for word := range strings.SplitSeq(path, " ") {
		if at == nil {
			return nil
		}
		at = view.Open(at.Sub(word))
	}
	if at == nil || at.Path != "tmp "+path {
		return nil
	}
	p := &program{env: env, rows: table()}
	n := nodeOf(at)
	cmd := p.command(n, path)
	p.bind(cmd, n, path, p.row(path))
	cmd.SetArgs(rest)
	return cmd
}

// quickPath splits a line into the path of a command of the table and the rest.
func quickPath(args []string) (path string, rest []string, ok bool) {
	for i, a := range args {
		if a == "--" {
			break
		}
		if a == "-h" || strings.HasPrefix(a, "--h") || i == 0 && strings.HasPrefix(a, "-") {
			return "", nil, false
		}
	}
	for n := min(2, len(args)); n > 0; n-- {
		path = strings.Join(args[:n], " ")
		if slices.ContainsFunc(table(), func(c command) bool { return c.path == path }) {
			return path, args[n:], true
		}
	}
	return "", nil, false
}

// nodeOf is a node of the compiled map as far as a command line is made of it.
func nodeOf(t *tcpdb.Node) *node {
	n := &node{Name: t.Name, Aliases: t.Aliases, Description: t.Description, Hidden: t.Bits&tcpdb.HiddenNode != 0}
	for i := range t.Flags {
		f := &t.Flags[i]
		n.Flags = append(n.Flags, mapFlag{
			ID: f.ID, Names: f.Names, Value: [...]string{"none", "required", "optional"}[f.Value], Spec: specOf(&f.Spec),
			Hidden: f.Hidden, Repeatable: f.Repeatable, Description: f.Description,
		})
	}
	for i := range t.Args {
		a := &t.Args[i]
		n.Args = append(n.Args, mapArg{a.Name, specOf(&a.Spec), a.Required, a.Repeatable, a.AfterDash, a.Description})
	}
	openValues(n, strings.TrimPrefix(t.Path, "tmp "))
	return n
}

func specOf(s *tcpdb.ValueSpec) mapSpec {
	out := mapSpec{Dir: s.Kind == tcpdb.DirSpec, File: s.Kind == tcpdb.FileSpec}
	switch s.Kind {
	case tcpdb.TypeSpec:
		out.Type = s.Name
	case tcpdb.ResolverSpec:
		out.Resolver = s.Name
	}
	for _, e := range s.Enum {
		out.Enum = append(out.Enum, enumWord{e.Value, e.Description})
	}
	return out
}
