package discover

import (
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
)

// confirmed takes the options off what a completion script offers that the
// program does not know: scripts are written for other versions and systems too.
// Where the manual or the help of a command is there and lists its options, one
// that neither names is dropped. Help that names no more than half of what a script
// does is taken for a part, and then says nothing of the rest.
func confirmed(offered, known *draft.Node, t Texts) *draft.Node {
	global := named(t, nil)
	confirm(offered, known, t, nil, global)
	return offered
}

func confirm(offered, known *draft.Node, t Texts, path []string, global map[string]bool) {
	if known != nil && slices.ContainsFunc(known.Flags, written) {
		here := global
		if len(path) > 0 {
			here = named(t, path)
		}
		is := func(name string) bool { return here[name] || global[name] || known.Flag(name) != nil }
		if len(known.Subs) == 0 && !commandPlace(known) {
			offered.Subs = nil // one script is often that of several programs
		}
		if whole(offered, t, path, is) {
			offered.Flags = slices.DeleteFunc(offered.Flags, func(f *draft.Flag) bool { return !slices.ContainsFunc(f.Names, is) })
			for _, f := range offered.Flags {
				f.Names = slices.DeleteFunc(slices.Clone(f.Names), func(name string) bool { return !is(name) })
			}
		}
	}
	for _, s := range offered.Subs {
		var below *draft.Node
		if known != nil {
			below = known.Sub(s.Name)
		}
		confirm(s, below, t, append(slices.Clone(path), s.Name), global)
	}
}

// commandPlace reports whether a command's forms have a place for a sub-command.
func commandPlace(n *draft.Node) bool {
	if len(n.Args) == 0 {
		return true // no form tells
	}
	return slices.ContainsFunc(n.Args, func(a *draft.Arg) bool {
		name := strings.ToLower(a.Name)
		return strings.Contains(name, "command") || strings.Contains(name, "cmd") || name == "action" || name == "verb" || name == "operation" || name == "object" || name == "args" || name == "arguments"
	})
}

// written reports whether a text and not a script names a flag.
func written(f *draft.Flag) bool {
	return slices.ContainsFunc(f.At, func(at draft.Place) bool {
		return at.Source == draft.Help || at.Source == draft.Man || at.Source == draft.Usage
	})
}

// whole reports whether the texts of a command name all of its options: a manual
// does, help that names most of what is offered.
func whole(offered *draft.Node, t Texts, path []string, is func(string) bool) bool {
	if slices.ContainsFunc(t.Nodes, func(x Text) bool { return slices.Equal(x.Path, path) && len(x.Man) > 0 }) {
		return true
	}
	known := 0
	for _, f := range offered.Flags {
		if slices.ContainsFunc(f.Names, is) {
			known++
		}
	}
	return known*2 > len(offered.Flags)
}

// named are the options that the texts of a command name anywhere.
func named(t Texts, path []string) map[string]bool {
	out := map[string]bool{}
	for _, x := range t.Nodes {
		if !slices.Equal(x.Path, path) {
			continue
		}
		optionsIn(x.Help, out)
		if len(x.Man) > 0 {
			optionsIn(unescaper.Replace(string(x.Man)), out)
		}
	}
	return out
}

// unescaper takes off manuals what stands in the middle of names.
var unescaper = strings.NewReplacer(`\-`, "-", `\(hy`, "-", `\(mi`, "-", `\&`, "", `\,`, "", `\/`, "", `\fB`, "", `\fR`, "", `\fI`, "", `\fP`, "", `\f[B]`, "", `\f[R]`, "", `\f[]`, "")

// optionsIn adds what looks like an option anywhere in a text.
func optionsIn(text string, out map[string]bool) {
	for i := 0; i+1 < len(text); i++ {
		if text[i] != '-' || i > 0 && (nameByte(text[i-1]) || text[i-1] == '-') {
			continue
		}
		end := i + 1
		for end < len(text) && (nameByte(text[end]) || text[end] == '-' || text[end] == '.' && end+1 < len(text) && nameByte(text[end+1])) {
			end++
		}
		if end > i+1 && end-i < 64 {
			out[text[i:end]] = true
			if no, ok := strings.CutPrefix(text[i:end], "--no-"); ok {
				out["--"+no] = true
			}
		}
		if rest, ok := strings.CutPrefix(text[end:], "[no-]"); ok && text[i:end] == "--" {
			n := 0
			for n < len(rest) && (nameByte(rest[n]) || rest[n] == '-') {
				n++
			}
			out["--"+rest[:n]], out["--no-"+rest[:n]] = true, true
		}
		i = max(i, end-1)
	}
}

func nameByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_'
}

// inherit gives the options that a command's text only names, as those of every
// command, what the texts of the commands above say of them.
func inherit(n *draft.Node, above []*draft.Node) {
	for _, f := range n.Flags {
		if f.Arity != draft.Unsaid || f.Description != "" {
			continue
		}
		for _, a := range slices.Backward(above) {
			if from := a.Flag(f.Names[0]); from != nil && from.Arity != draft.Unsaid {
				f.Arity, f.ArityAt, f.Metavar, f.Kind = from.Arity, from.ArityAt, from.Metavar, from.Kind
				f.Values, f.ValuesAt, f.Default, f.Description = from.Values, from.ValuesAt, from.Default, from.Description
				break
			}
		}
	}
	above = append(slices.Clone(above), n)
	for _, s := range n.Subs {
		inherit(s, above)
	}
}
