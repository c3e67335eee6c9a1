package systemmap

import (
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// fit makes a draft's tree fit to what the core says of the tool, and reports
// whether anything of it is to go into the map.
//
// The installed version wins on which options there are: what it adds is added,
// what it lacks is hidden. How a line is read stays with the core wherever the
// core knows, so that no draft hides what a command does.
func fit(core *tcpdb.View, d *read) bool {
	root := core.Root(d.tree.Name)
	if root == nil {
		return true
	}
	if root.Path != d.tree.Name {
		return false // an alias of another tool
	}
	fitNode(core, root, d.tree, d.words)
	if core.Risk(root.Path) != nil && !root.HasSubs() && len(d.tree.Subs) > 0 && len(root.Args) == 0 && len(d.tree.Args) == 0 {
		// A word that is none of the sub-commands that a draft believes in is still
		// an argument of the command that the core rates.
		d.tree.Args = []tcpdb.Arg{{Name: "word", Repeatable: true}}
	}
	return len(d.tree.Flags) > 0 || len(d.tree.Subs) > 0 || len(d.tree.Args) > 0
}

func fitNode(core *tcpdb.View, have, draft *tcpdb.Node, words []string) {
	if have.Wrapper.Mode != tcpdb.NoWrap {
		// An option that is read wrongly would hide the command that follows it.
		draft.Flags, draft.Args, draft.Subs = nil, nil, nil
		return
	}
	for i := range draft.Flags {
		f := &draft.Flags[i]
		for _, name := range f.Names {
			if known := have.Flag(name); known != nil {
				f.Value, f.Negatable = known.Value, known.Negatable
				if have.Bits&tcpdb.Partial == 0 {
					// The installed version has it: no mark of a text takes it away. What
					// is there for judging alone is hidden for that.
					f.Hidden = known.Hidden
				}
				break
			}
		}
	}
	hideMissing(have, draft, words)
	for _, s := range draft.Subs {
		if sub := have.Sub(s.Name); sub != nil {
			fitNode(core, core.Open(sub), s, words)
		}
	}
}

// hideMissing hides the long options that the core knows and that no text of
// the installed version names anywhere, by any of their names. Texts that lack
// more than a quarter of them are not believed to be whole.
func hideMissing(have, draft *tcpdb.Node, words []string) {
	if len(words) == 0 || len(draft.Flags) == 0 || have.Bits&tcpdb.Partial != 0 {
		return
	}
	var missing []*tcpdb.Flag
	long := 0
	for i := range have.Flags {
		f := &have.Flags[i]
		if f.Hidden || f.ID == "help" || f.ID == "version" || !slices.ContainsFunc(f.Names, isLong) {
			continue
		}
		long++
		if !slices.ContainsFunc(f.Names, func(name string) bool { return namedIn(words, name) || draft.Flag(name) != nil }) {
			missing = append(missing, f)
		}
	}
	if 4*len(missing) > long {
		return
	}
	for _, f := range missing {
		draft.Flags = append(draft.Flags, tcpdb.Flag{ID: f.ID, Names: f.Names[:1], Value: f.Value, Negatable: f.Negatable, Hidden: true})
	}
}

func isLong(name string) bool { return strings.HasPrefix(name, "--") }

// namedIn reports whether a text names an option, in full or as "--[no-]x".
func namedIn(words []string, name string) bool {
	if _, ok := slices.BinarySearch(words, name); ok {
		return true
	}
	bare := strings.TrimPrefix(strings.TrimPrefix(name, "--"), "no-")
	return slices.ContainsFunc(words, func(w string) bool { return strings.HasSuffix(w, bare) || strings.HasPrefix(w, name) })
}
