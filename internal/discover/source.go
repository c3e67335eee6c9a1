package discover

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
	"github.com/tool-mapping-protocol/tmp/internal/opmap"
)

// Source makes the source map of a draft. It is never verified.
func Source(root *draft.Node, gaps []draft.Gap) *opmap.Source {
	s := &opmap.Source{Schema: opmap.SchemaVersion, Tool: root.Name, Provenance: "help", Node: node(root)}
	for _, g := range gaps {
		s.Gaps = append(s.Gaps, opmap.Gap{Node: clean(g.Node), Text: clean(g.Text)})
	}
	return s
}

func node(n *draft.Node) *opmap.Node {
	out := &opmap.Node{
		Name: n.Name, Description: clean(n.Description), Hidden: n.Hidden, Deprecated: n.Deprecated,
		Interspersed: !n.OptionsFirst, SingleDashLong: n.SingleDashLong, NumericFlags: n.NumericFlags,
	}
	out.Aliases = slices.DeleteFunc(slices.Clone(n.Aliases), func(a string) bool { return !word(a) })
	names, ids := map[string]bool{}, map[string]bool{}
	for _, f := range n.Flags {
		if flag := flagSource(f, names); flag != nil {
			out.Plus = out.Plus || slices.ContainsFunc(flag.Names, func(name string) bool { return name[0] == '+' })
			flag.ID = freeID(flag.Names, ids)
			out.Flags = append(out.Flags, flag)
		}
	}
	taken := map[string]bool{}
	for _, a := range n.Args {
		name := clean(a.Name)
		if name == "" || taken[name] {
			continue
		}
		taken[name] = true
		arg := &opmap.Arg{
			Name: name, Spec: spec(draft.Choice{Kind: a.Kind, Values: a.Values, Resolver: a.Resolver, List: a.List}), Required: a.Required,
			Repeatable: a.Repeatable, AfterDash: a.AfterDash, Description: clean(a.Description),
		}
		for _, c := range a.Also {
			if s := spec(c); s != nil {
				arg.Alt = append(arg.Alt, s)
			}
		}
		out.Args = append(out.Args, arg)
	}
	for _, e := range n.Examples {
		out.Examples = append(out.Examples, opmap.Example{Line: clean(e.Line), Text: clean(e.Text)})
	}
	subs := map[string]bool{}
	for _, s := range n.Subs {
		if !word(s.Name) || subs[s.Name] {
			continue
		}
		sub := node(s)
		sub.Aliases = slices.DeleteFunc(sub.Aliases, func(a string) bool { return subs[a] || a == sub.Name })
		for _, name := range append([]string{sub.Name}, sub.Aliases...) {
			subs[name] = true
		}
		out.Subcommands = append(out.Subcommands, sub)
	}
	return out
}

// flagSource makes a flag with the names that are not taken yet, nil if none is
// left.
func flagSource(f *draft.Flag, taken map[string]bool) *opmap.Flag {
	out := &opmap.Flag{
		Value: f.Arity.String(), Repeatable: f.Repeatable, Group: clean(f.Group), Hidden: f.Hidden,
		Deprecated: f.Deprecated, Description: clean(f.Description), Default: clean(f.Default),
	}
	for _, name := range f.Names {
		if taken[name] || !strings.HasPrefix(name, "-") && !strings.HasPrefix(name, "+") || name == "+" || strings.Contains(name, "=") || name == "-" || name == "--" || !printable(name) {
			continue
		}
		taken[name] = true
		out.Names = append(out.Names, name)
	}
	if len(out.Names) == 0 {
		return nil
	}
	if f.Negated {
		foldNegations(out)
	}
	if out.Value != "none" && out.Value != "" {
		out.Spec = spec(draft.Choice{Kind: f.Kind, Values: f.Values, Resolver: f.Resolver, List: f.List})
	}
	for _, at := range f.At {
		out.From = append(out.From, fmt.Sprintf("%s:%d", at.Source, at.Line))
	}
	return out
}

// foldNegations replaces "--no-x" beside "--x" by the mark that it exists.
func foldNegations(f *opmap.Flag) {
	var names []string
	for _, name := range f.Names {
		positive, ok := strings.CutPrefix(name, "--no-")
		if ok && slices.Contains(f.Names, "--"+positive) {
			f.Negatable = true
			continue
		}
		names = append(names, name)
	}
	f.Names = names
}

// freeID is the ID of a flag where the one it would have is taken, "" elsewhere.
func freeID(names []string, ids map[string]bool) string {
	id := opmap.FlagID(names)
	if !ids[id] {
		ids[id] = true
		return ""
	}
	for i := 2; ; i++ {
		if other := fmt.Sprintf("%s-%d", id, i); !ids[other] {
			ids[other] = true
			return other
		}
	}
}

// spec is where values come from, nil if nothing is known.
func spec(c draft.Choice) *opmap.Spec {
	s := &opmap.Spec{Resolver: c.Resolver, List: c.List}
	for _, v := range c.Values {
		if printable(v.Text) && v.Text != "" {
			s.Enum = append(s.Enum, opmap.EnumValue{Value: v.Text, Description: clean(v.Description)})
		}
	}
	if len(s.Enum) > 0 || s.Resolver != "" {
		return s
	}
	switch c.Kind {
	case draft.FileKind:
		s.File = true
	case draft.DirKind:
		s.Dir = true
	case draft.CommandKind:
		s.Command = true
	case draft.NumberKind:
		s.Type = "int"
	case "":
		if c.List == "" {
			return nil
		}
		s.Type = "text"
	default:
		s.Type = clean(c.Kind)
	}
	return s
}

// clean makes a text one printable line of at most 500 bytes.
func clean(s string) string { return draft.OneLine(s, 500) }

func printable(s string) bool {
	return len(s) <= 256 && !strings.ContainsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) || r == unicode.ReplacementChar })
}

func word(s string) bool {
	return s != "" && s[0] != '-' && !strings.Contains(s, "/") && printable(s)
}
