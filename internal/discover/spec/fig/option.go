package fig

import (
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
)

// options reads the options of a command.
func (r *reader) options(n *draft.Node, o object) {
	excludes := map[*draft.Flag][]string{}
	for _, item := range list(o["options"]) {
		x, ok := item.(object)
		if !ok || len(names(x["name"])) == 0 {
			gapf(n, "an option that another file or a program of the spec gives")
			continue
		}
		if r.names++; r.names > maxNames {
			r.fault = draft.Faultf(0, "there are more than %d commands and options", maxNames)
			return
		}
		f := r.option(n, x)
		for _, name := range f.Names {
			if n.Flag(name) != nil {
				gapf(n, "the option %s a second time", name)
			}
		}
		excludes[f] = names(x["exclusiveOn"])
		n.Flags = append(n.Flags, f)
	}
	group(n, excludes)
}

func (r *reader) option(n *draft.Node, o object) *draft.Flag {
	f := &draft.Flag{
		Names: names(o["name"]), Arity: draft.None, Description: text(o["description"]), Hidden: yes(o["hidden"]), Deprecated: yes(o["deprecated"]),
		Repeatable: yes(o["isRepeatable"]), At: []draft.Place{at()},
	}
	last := f.Names[len(f.Names)-1]
	for i, name := range f.Names {
		f.Names[i] = strings.TrimSuffix(name, "=")
	}
	args := list(o["args"])
	if len(args) > 0 {
		f.Arity = draft.Required
		r.value(n, f, args[0], last)
	}
	if len(args) > 1 {
		gapf(n, "%s takes %d words: only the first one is known to be its", last, len(args))
	}
	if f.Arity != draft.None && (yes(o["requiresEquals"]) || yes(o["requiresSeparator"])) {
		f.Arity = draft.Optional // which is read only where it is attached
	}
	if on := names(o["dependsOn"]); len(on) > 0 {
		gapf(n, "%s needs %s", last, strings.Join(on, ", "))
	}
	if yes(o["isDangerous"]) {
		gapf(n, "%s is said to be dangerous: an import states no risk", last)
	}
	return f
}

// value reads what an option takes.
func (r *reader) value(n *draft.Node, f *draft.Flag, v any, name string) {
	o, ok := v.(object)
	if !ok {
		return
	}
	if yes(o["isOptional"]) {
		f.Arity = draft.Optional
	}
	if yes(o["isVariadic"]) {
		gapf(n, "%s takes several words at once: only the first one is known to be its", name)
	}
	f.Metavar, f.Default = text(o["name"]), text(o["default"])
	for i, c := range r.choices(n, o, name) {
		switch {
		case i == 0:
			f.Kind, f.Values, f.Resolver, f.List = c.Kind, c.Values, c.Resolver, c.List
		case len(f.Values) > 0 && c.Resolver != "" && f.Resolver == "":
			f.Resolver = c.Resolver
		default:
			gapf(n, "%s: a second kind of value", name)
		}
	}
}

// group joins options that exclude each other. A map says so of whole groups
// only: of others it is a gap.
func group(n *draft.Node, excludes map[*draft.Flag][]string) {
	for _, f := range n.Flags {
		var members []*draft.Flag
		for _, name := range excludes[f] {
			if other := n.Flag(name); other != nil && other != f && !slices.Contains(members, other) {
				members = append(members, other)
			}
		}
		if len(members) == 0 || f.Group != "" {
			continue
		}
		members = append(members, f)
		if !clique(members, excludes) {
			gapf(n, "%s excludes %s", f.Names[0], strings.Join(excludes[f], ", "))
			continue
		}
		for _, m := range members {
			m.Group = "exclusive-" + strings.TrimLeft(f.Names[0], "-")
		}
	}
}

// clique reports whether each of some options excludes all others, as far as one
// of two says so, and none is in a group.
func clique(members []*draft.Flag, excludes map[*draft.Flag][]string) bool {
	says := func(a, b *draft.Flag) bool {
		return slices.ContainsFunc(b.Names, func(name string) bool { return slices.Contains(excludes[a], name) })
	}
	for i, a := range members {
		if a.Group != "" {
			return false
		}
		for _, b := range members[:i] {
			if !says(a, b) && !says(b, a) {
				return false
			}
		}
	}
	return true
}
