package usage

import (
	"fmt"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
	"github.com/tool-mapping-protocol/tmp/internal/discover/spec/kdl"
)

// maxFlags bounds how many flags there are with those that sets repeat.
const maxFlags = 20_000

// flag reads a flag, "-u --user <user>", and reports whether it is global. A
// name that the command has already is dropped.
func (r *reader) flag(n *draft.Node, k *kdl.Node) (global bool) {
	if r.flags++; r.flags > maxFlags {
		r.failf(k.Line, "there are more than %d flags", maxFlags)
		return false
	}
	a := attributesOf(k)
	f := &draft.Flag{
		Arity: draft.None, ArityAt: at(k.Line), At: []draft.Place{at(k.Line)}, Description: a.text("help", "long_help"), Default: a.text("default"),
		Hidden: a.yes("hide"), Deprecated: a.said("deprecated"), Repeatable: a.yes("var") || a.yes("count"), List: a.text("delimiter"),
	}
	if f.Description == "" && len(k.Args) > 1 {
		f.Description = k.Args[1].Text
	}
	holders := r.names(n, f, k)
	if len(f.Names) == 0 {
		r.failf(k.Line, "the flag %q has no name", first(k))
		return false
	}
	if len(holders) > 0 {
		holder(n, f, k, a, holders)
	}
	r.choices(n, f.Names[len(f.Names)-1], k, &f.Values)
	r.negate(n, f, k, a.text("negate"))
	untold(n, f.Names[0], k)
	r.add(n, f)
	return a.yes("global")
}

// names reads the names of a flag and returns the words that stand for its values.
func (r *reader) names(n *draft.Node, f *draft.Flag, k *kdl.Node) (holders []string) {
	for word := range strings.FieldsSeq(first(k)) {
		switch {
		case strings.HasPrefix(word, "-"):
			name := strings.TrimSuffix(strings.TrimSuffix(word, "..."), "…")
			f.Repeatable = f.Repeatable || name != word
			f.Names = append(f.Names, name)
		case strings.HasPrefix(word, "<"), strings.HasPrefix(word, "["):
			holders = append(holders, word)
		case strings.HasSuffix(word, ":"): // the name by which scripts know it
		default:
			gap(n, k.Line, fmt.Sprintf("%q in the flag %q", word, first(k)))
		}
	}
	for _, c := range k.Children {
		switch c.Name {
		case "alias":
			if attributesOf(c).yes("hide") {
				continue
			}
			for _, alias := range c.Args {
				f.Names = append(f.Names, alias.Text)
			}
		case "arg":
			holders = append(holders, first(c))
			r.choices(n, first(c), c, &f.Values)
		}
	}
	return holders
}

// holder settles that a flag takes a value, and of what kind.
func holder(n *draft.Node, f *draft.Flag, k *kdl.Node, a attributes, holders []string) {
	f.Arity = draft.Required
	if strings.HasPrefix(holders[0], "[") || a.yes("value_optional") || a.said("default_missing") || a.yes("require_equals") {
		f.Arity = draft.Optional
	}
	f.Metavar = bare(holders[0])
	f.Kind = kindOf(f.Metavar)
	if len(holders) > 1 {
		gap(n, k.Line, fmt.Sprintf("%s takes %d words: only the first one is known to be its", f.Names[len(f.Names)-1], len(holders)))
	}
	if strings.HasSuffix(holders[0], "...") || strings.HasSuffix(holders[0], "…") {
		gap(n, k.Line, f.Names[len(f.Names)-1]+" takes several words at once: only the first one is known to be its")
	}
}

// negate adds the name that turns a flag off.
func (r *reader) negate(n *draft.Node, f *draft.Flag, k *kdl.Node, no string) {
	if no == "" {
		return
	}
	for _, name := range f.Names {
		if draft.Long(name) && no == "--no-"+name[2:] {
			f.Names, f.Negated = append(f.Names, no), true
			return
		}
	}
	r.add(n, &draft.Flag{
		Names: []string{no}, Arity: draft.None, ArityAt: at(k.Line), At: []draft.Place{at(k.Line)}, Hidden: f.Hidden, Description: "Not " + f.Names[len(f.Names)-1],
	})
}

// add puts a flag into a command, with the names that are free.
func (r *reader) add(n *draft.Node, f *draft.Flag) {
	var names []string
	for _, name := range f.Names {
		if n.Flag(name) == nil {
			names = append(names, name)
		}
	}
	if f.Names = names; len(names) > 0 {
		n.Flags = append(n.Flags, f)
	}
}

// bare is the name of a value without what says whether and how often it is
// given: "<file>…" is "file".
func bare(holder string) string {
	holder = strings.TrimSuffix(strings.TrimSuffix(holder, "..."), "…")
	return strings.ToLower(strings.TrimSpace(strings.TrimPrefix(strings.Trim(holder, "<>[]"), "-- ")))
}

// kindOf is the kind of value that a name stands for: usage completes those
// named file, path and dir so.
func kindOf(name string) string {
	switch name {
	case "file", "path", "filename":
		return "file"
	case "dir", "directory":
		return "dir"
	}
	return ""
}

// arg reads arguments, "<file>", "[file]…" or "<from> <to>".
func (r *reader) arg(n *draft.Node, k *kdl.Node) {
	a := attributesOf(k)
	text := strings.ReplaceAll(strings.ReplaceAll(first(k), "<-- ", "<--"), "[-- ", "[--")
	for holder := range strings.FieldsSeq(text) {
		arg := &draft.Arg{
			Required: !strings.HasPrefix(holder, "[") && a.text("default") == "", Description: a.text("help", "long_help"),
			Repeatable: a.yes("var") || strings.HasSuffix(holder, "...") || strings.HasSuffix(holder, "…"), List: a.text("delimiter"), At: at(k.Line),
		}
		if v, ok := a["required"]; ok && v.Kind == kdl.Bool {
			arg.Required = v.Bool
		}
		if arg.Description == "" && len(k.Args) > 1 {
			arg.Description = k.Args[1].Text
		}
		arg.Name = strings.TrimPrefix(bare(holder), "--")
		arg.AfterDash = arg.Name != bare(holder) || a.text("double_dash") == "required"
		arg.Kind = kindOf(arg.Name)
		r.choices(n, arg.Name, k, &arg.Values)
		switch a.text("double_dash") {
		case "automatic", "preserve":
			n.OptionsFirst = true
		}
		if arg.Name == "" {
			r.failf(k.Line, "the argument %q has no name", first(k))
			return
		}
		if a.yes("hide") {
			gap(n, k.Line, fmt.Sprintf("the argument %q is hidden", arg.Name))
			continue
		}
		n.Args = append(n.Args, arg)
	}
	untold(n, first(k), k)
}

// choices reads the words that a value is one of.
func (r *reader) choices(n *draft.Node, of string, k *kdl.Node, into *[]draft.Value) {
	for _, c := range k.Children {
		if c.Name != "choices" {
			continue
		}
		for _, v := range c.Args {
			*into = append(*into, draft.Value{Text: v.Text})
		}
		for _, one := range c.Children {
			a := attributesOf(one)
			if one.Name == "choice" && len(one.Args) > 0 && !a.yes("hide") {
				*into = append(*into, draft.Value{Text: first(one), Description: a.text("help")})
			}
		}
		if env := attributesOf(c).text("env"); env != "" {
			gap(n, c.Line, fmt.Sprintf("%s: words that stand in the variable %s", of, env))
		}
	}
}

// untold notes what is said of a flag or argument that a map has no place for.
func untold(n *draft.Node, of string, k *kdl.Node) {
	said := map[string]bool{}
	for _, p := range k.Props {
		said[p.Name] = true
	}
	for _, c := range k.Children {
		said[c.Name] = true
	}
	for _, name := range [...]string{"conflicts", "overrides", "requires", "requires_if", "required_if", "required_if_eq", "required_unless", "exclusive", "value_terminator", "effect"} {
		if said[name] {
			gap(n, k.Line, fmt.Sprintf("%s: %q has no place in a map", of, name))
		}
	}
}
