package carapace

import (
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
)

// command reads one command with those below it.
func (r *reader) command(y *yaml.Node, depth int) *draft.Node {
	n := &draft.Node{At: at(y.Line)}
	r.named(y.Line)
	if depth > maxDepth {
		r.failf(y.Line, "commands are nested more than %d deep", maxDepth)
		return n
	}
	var completion, exclusive, commands *yaml.Node
	local := 0
	r.each(y, func(key string, line int, v *yaml.Node) {
		switch strings.ToLower(key) {
		case "name":
			n.Name, _, _ = strings.Cut(r.text(v), " ")
		case "aliases":
			n.Aliases = r.texts(v)
		case "description":
			n.Description = r.text(v)
		case "hidden":
			n.Hidden = r.text(v) == "true"
		case "group":
			// only where a command stands in a list of them
		case "parsing":
			r.parsing(n, line, r.text(v))
		case "flags":
			local = r.flags(n, v)
		case "persistentflags":
			r.flags(n, v)
		case "exclusiveflags":
			exclusive = v
		case "completion":
			completion = v
		case "commands":
			commands = v
		case "examples":
			r.each(v, func(key string, _ int, v *yaml.Node) {
				n.Examples = append(n.Examples, draft.Example{Line: key, Text: r.text(v)})
			})
		case "documentation":
			r.documentation(n, v)
		case "run":
			gap(n, line, "it stands for a command line that is run, which is not taken over")
		default:
			gap(n, line, fmt.Sprintf("%q is not known", key))
		}
	})
	if completion != nil {
		r.completion(n, completion)
	}
	if exclusive != nil {
		r.exclusive(n, exclusive)
	}
	if commands != nil {
		r.commands(n, commands, depth)
		if local > 0 && len(n.Subs) > 0 {
			gap(n, y.Line, "its flags that are not persistent hold below it too: a map does not tell them apart")
		}
	}
	return n
}

// named counts commands and flags.
func (r *reader) named(line int) {
	if r.names++; r.names > maxNames {
		r.failf(line, "there are more than %d commands and flags", maxNames)
	}
}

func (r *reader) commands(n *draft.Node, y *yaml.Node, depth int) {
	for _, item := range r.list(y) {
		if r.fault != nil {
			return
		}
		sub := r.command(item, depth+1)
		switch {
		case sub.Name == "":
			gap(n, item.Line, "a command without a name")
		case slices.ContainsFunc(n.Subs, func(s *draft.Node) bool { return s.Name == sub.Name }):
			gap(n, item.Line, fmt.Sprintf("the command %q a second time", sub.Name))
		default:
			n.Subs = append(n.Subs, sub)
		}
	}
}

func (r *reader) parsing(n *draft.Node, line int, how string) {
	switch how {
	case "", "interspersed":
	case "non-interspersed":
		n.OptionsFirst = true
	case "disabled":
		gap(n, line, "it reads no options: every word after it is an argument, which a map does not tell")
		n.OptionsFirst = true
	default:
		gap(n, line, fmt.Sprintf("parsing %q is not known", how))
	}
}

// documentation takes what is written of a command and of its flags where no
// description is given.
func (r *reader) documentation(n *draft.Node, y *yaml.Node) {
	r.each(y, func(key string, line int, v *yaml.Node) {
		switch strings.ToLower(key) {
		case "command":
			if n.Description == "" {
				n.Description = r.text(v)
			}
		case "flag":
			r.each(v, func(name string, _ int, v *yaml.Node) {
				if f := flagOf(n, name); f != nil && f.Description == "" {
					f.Description = r.text(v)
				}
			})
		default:
			gap(n, line, fmt.Sprintf("the documentation of %q", key))
		}
	})
}

// flags reads an object whose keys are flags, "-s, --long=*", and returns how
// many there are.
func (r *reader) flags(n *draft.Node, y *yaml.Node) (count int) {
	r.each(y, func(key string, line int, v *yaml.Node) {
		f, reason := parseFlag(key)
		if reason != "" {
			r.failf(line, "%q is no flag: %s", key, reason)
			return
		}
		count++
		r.named(line)
		f.At = []draft.Place{at(line)}
		f.ArityAt = at(line)
		if v.Kind == yaml.MappingNode {
			r.extended(n, f, v)
		} else {
			f.Description = r.text(v)
		}
		for _, name := range f.Names {
			if !draft.Long(name) && !draft.Short(name) {
				n.SingleDashLong = true
			}
		}
		n.AddFlag(f)
	})
	return count
}

func (r *reader) extended(n *draft.Node, f *draft.Flag, y *yaml.Node) {
	r.each(y, func(key string, line int, v *yaml.Node) {
		switch key {
		case "description":
			f.Description = r.text(v)
		case "nargs":
			if words := r.text(v); words != "1" && words != "0" {
				gap(n, line, fmt.Sprintf("%s takes several words (nargs %s): only the first one is known to be its", f.Names[0], words))
			}
		default:
			gap(n, line, fmt.Sprintf("%q of %s is not known", key, f.Names[0]))
		}
	})
}

// parseFlag reads the key of a flag: one or two names, then signs that say how
// it is given. The reason says why it is none.
func parseFlag(key string) (f *draft.Flag, reason string) {
	names := strings.TrimRight(key, "=*?&!")
	signs := key[len(names):]
	f = &draft.Flag{Arity: draft.None}
	for _, name := range strings.Split(names, ", ") {
		switch {
		case len(name) < 2 || name[0] != '-' || name == "--":
			return nil, "a name begins with a dash"
		case strings.ContainsAny(name, " =*?&!\t"):
			return nil, "a name holds no blank and no sign"
		}
		f.Names = append(f.Names, name)
	}
	if len(f.Names) > 2 {
		return nil, "it has more than two names"
	}
	for _, sign := range signs {
		switch sign {
		case '=':
			if f.Arity == draft.None {
				f.Arity = draft.Required
			}
		case '?':
			f.Arity = draft.Optional
		case '*':
			f.Repeatable = true
		case '&':
			f.Hidden = true
		}
	}
	return f, ""
}

// flagOf finds a flag by what carapace calls it: its long name, else its short
// one, without dashes.
func flagOf(n *draft.Node, name string) *draft.Flag {
	for _, f := range n.Flags {
		if strings.TrimLeft(f.Names[len(f.Names)-1], "-") == name {
			return f
		}
	}
	for _, dashes := range [...]string{"--", "-"} {
		if f := n.Flag(dashes + name); f != nil {
			return f
		}
	}
	return nil
}

// exclusive reads lists of flags that exclude each other. A flag of a map is in
// one such group at most.
func (r *reader) exclusive(n *draft.Node, y *yaml.Node) {
	for i, list := range r.list(y) {
		group := fmt.Sprintf("exclusive-%d", i+1)
		for _, name := range r.texts(list) {
			switch f := flagOf(n, strings.TrimLeft(name, "-")); {
			case f == nil:
				gap(n, list.Line, fmt.Sprintf("%q excludes others and is no flag here", name))
			case f.Group != "" && f.Group != group:
				gap(n, list.Line, fmt.Sprintf("%s excludes two groups of flags: one is kept", f.Names[0]))
			default:
				f.Group = group
			}
		}
	}
}
