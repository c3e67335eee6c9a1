package spec

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
	"github.com/tool-mapping-protocol/tmp/internal/opmap"
)

// lost names what a tree has and its map does not: names that can be no option
// or command here, and values that are not one word.
func lost(d *draft.Node, n *opmap.Node, path string) []opmap.Gap {
	var out []opmap.Gap
	gapf := func(format string, args ...any) { out = append(out, gapAt(path, fmt.Sprintf(format, args...))) }
	have := map[string]*opmap.Flag{}
	for _, f := range n.Flags {
		for _, name := range f.Names {
			have[name] = f
		}
	}
	for _, f := range d.Flags {
		var kept *opmap.Flag
		for _, name := range f.Names {
			if kept == nil {
				kept = have[name]
			}
		}
		for _, name := range f.Names {
			if have[name] == nil && (kept == nil || !kept.Negatable) {
				gapf("%q can be no name of an option", name)
			}
		}
		if kept != nil && kept.Spec != nil {
			lostValues(gapf, f.Names[0], f.Values, kept.Spec.Enum)
		}
	}
	for _, a := range d.Args {
		i := slices.IndexFunc(n.Args, func(x *opmap.Arg) bool { return x.Name == oneLine(a.Name) })
		switch {
		case i < 0:
			gapf("the argument %q", a.Name)
		case n.Args[i].Spec != nil:
			lostValues(gapf, a.Name, a.Values, n.Args[i].Spec.Enum)
		}
	}
	for _, a := range d.Aliases {
		if !slices.Contains(n.Aliases, a) {
			gapf("%q can be no other name of it", a)
		}
	}
	for _, s := range d.Subs {
		i := slices.IndexFunc(n.Subcommands, func(x *opmap.Node) bool { return x.Name == s.Name })
		if i < 0 {
			gapf("%q can be no command, or is one already", s.Name)
			continue
		}
		out = append(out, lost(s, n.Subcommands[i], strings.TrimSpace(path+" "+s.Name))...)
	}
	return out
}

func lostValues(gapf func(string, ...any), of string, values []draft.Value, kept []opmap.EnumValue) {
	words := make(map[string]bool, len(kept))
	for _, v := range kept {
		words[v.Value] = true
	}
	for _, v := range values {
		if !words[v.Text] {
			gapf("%s: the value %q is not one word", of, v.Text)
		}
	}
}
