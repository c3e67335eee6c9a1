package drafts

import (
	"fmt"
	"slices"

	"github.com/tool-mapping-protocol/tmp/internal/opmap"
)

// Join makes one map of what was generated from the installed tool and what a
// person imported. Commands, options and arguments of both are in it. A text or
// a kind of value is the import's where it states one. Whether an option takes a
// value follows the one that says so: texts forget values, they do not make them
// up; how the value is given is the installed version's.
func Join(generated, imported *opmap.Source) *opmap.Source {
	out := *imported
	out.Version = first(generated.Version, imported.Version)
	out.Provenance = first(generated.Provenance, imported.Provenance)
	out.Gaps = slices.Concat(imported.Gaps, generated.Gaps)
	switch {
	case generated.Node == nil:
	case imported.Node == nil:
		out.Node = generated.Node
	default:
		out.Node = joinNode(generated.Node, imported.Node)
	}
	return &out
}

func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func joinNode(g, i *opmap.Node) *opmap.Node {
	out := *g
	out.Description = first(i.Description, g.Description)
	out.Hidden, out.Deprecated = g.Hidden || i.Hidden, g.Deprecated || i.Deprecated
	out.SingleDashLong = g.SingleDashLong || i.SingleDashLong
	out.Interspersed = g.Interspersed && i.Interspersed
	out.NumericFlags, out.NoAbbreviation, out.Plus = g.NumericFlags || i.NumericFlags, g.NoAbbreviation || i.NoAbbreviation, g.Plus || i.Plus
	out.Keywords = g.Keywords || i.Keywords
	if len(i.Args) > 0 {
		out.Args = i.Args
	}
	if len(i.Examples) > 0 {
		out.Examples = i.Examples
	}
	out.Flags = joinFlags(g.Flags, i.Flags)
	out.Subcommands, out.Aliases = nil, slices.Clone(g.Aliases)
	for _, a := range i.Aliases {
		if a != g.Name && !slices.Contains(out.Aliases, a) {
			out.Aliases = append(out.Aliases, a)
		}
	}
	out.Subcommands = joinSubs(g.Subcommands, i.Subcommands)
	return &out
}

// joinSubs joins lists of commands by name; an alias that names another command
// of the list is left out.
func joinSubs(g, i []*opmap.Node) []*opmap.Node {
	out := slices.Clone(g)
	for _, sub := range i {
		at := slices.IndexFunc(out, func(n *opmap.Node) bool { return n.Name == sub.Name || slices.Contains(n.Aliases, sub.Name) })
		if at < 0 {
			out = append(out, sub)
			continue
		}
		out[at] = joinNode(out[at], sub)
	}
	taken := map[string]bool{}
	for _, n := range out {
		taken[n.Name] = true
	}
	for k, n := range out {
		var aliases []string
		for _, a := range n.Aliases {
			if !taken[a] {
				taken[a] = true
				aliases = append(aliases, a)
			}
		}
		plain := *n
		plain.Aliases = aliases
		out[k] = &plain
	}
	return out
}

func joinFlags(g, i []*opmap.Flag) []*opmap.Flag {
	out := slices.Clone(g)
	owner, ids := map[string]int{}, map[string]bool{}
	for k, f := range g {
		ids[idOf(f)] = true
		for _, name := range f.Names {
			owner[name] = k
		}
	}
	joined := map[int]bool{}
	for _, f := range i {
		at := -1
		var names []string
		for _, name := range f.Names {
			if k, ok := owner[name]; !ok {
				names = append(names, name)
			} else if at < 0 {
				at = k
			}
		}
		switch {
		case at < 0:
			next := *f
			next.ID = freeID(f, ids)
			out = append(out, &next)
			at = len(out) - 1
		case joined[at] || at >= len(g):
			continue // two of the import's are one of the tool's
		default:
			out[at] = joinFlag(out[at], f, names, ids)
			joined[at] = true
		}
		for _, name := range names {
			owner[name] = at
		}
	}
	return out
}

// joinFlag joins an imported option to a generated one, with the names of it
// that no other option has. The ID stays.
func joinFlag(g, i *opmap.Flag, names []string, ids map[string]bool) *opmap.Flag {
	out := *g
	id := idOf(g)
	out.Names = append(slices.Clone(g.Names), names...)
	if opmap.FlagID(out.Names) != id {
		out.ID = id
	}
	if none(g.Value) {
		out.Value = i.Value
	}
	if i.Spec != nil {
		out.Spec = i.Spec
	}
	if none(out.Value) {
		out.Spec = nil
	}
	out.Repeatable, out.Hidden, out.Deprecated = g.Repeatable || i.Repeatable, g.Hidden || i.Hidden, g.Deprecated || i.Deprecated
	out.Group = first(i.Group, g.Group)
	out.Description = first(i.Description, g.Description)
	out.Default = first(i.Default, g.Default)
	out.Negatable = g.Negatable || i.Negatable
	out.From = slices.Concat(g.From, i.From)
	return &out
}

func none(value string) bool { return value == "" || value == "none" }

func idOf(f *opmap.Flag) string {
	if f.ID != "" {
		return f.ID
	}
	return opmap.FlagID(f.Names)
}

// freeID is the ID that a flag needs so that no other one has it, "" for the one
// that it has by itself.
func freeID(f *opmap.Flag, ids map[string]bool) string {
	id := idOf(f)
	if !ids[id] {
		ids[id] = true
		return f.ID
	}
	for n := 2; ; n++ {
		if other := fmt.Sprintf("%s-%d", id, n); !ids[other] {
			ids[other] = true
			return other
		}
	}
}
