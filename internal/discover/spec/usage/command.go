package usage

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
	"github.com/tool-mapping-protocol/tmp/internal/discover/spec/kdl"
	"github.com/tool-mapping-protocol/tmp/internal/discover/spec/known"
)

// completer is what a spec says of the values of arguments of one name.
type completer struct {
	choice draft.Choice
	gap    string // why there is none
	line   int
}

// command reads what stands in a command, or at the top of a spec.
func (r *reader) command(n *draft.Node, nodes []*kdl.Node, depth int) {
	if depth > maxDepth {
		r.failf(n.At.Line, "commands are nested more than %d deep", maxDepth)
		return
	}
	own := map[string]completer{}
	local := 0
	for _, k := range nodes {
		if r.fault != nil {
			return
		}
		switch k.Name {
		case "flag":
			if !r.flag(n, k) {
				local++
			}
		case "use":
			for _, set := range k.Args {
				r.use(n, set.Text, k.Line, 0)
			}
		case "arg":
			r.arg(n, k)
		case "complete":
			own[first(k)] = completerOf(k)
		case "cmd":
			r.sub(n, k, depth)
		case "alias":
			for _, a := range k.Args {
				n.Aliases = append(n.Aliases, a.Text)
			}
		case "example":
			n.Examples = append(n.Examples, exampleOf(k))
		case "group", "conflicts":
			gap(n, k.Line, "which of its options exclude or need each other")
		case "mount":
			gap(n, k.Line, "a command is run that tells more commands: "+attributesOf(k).text("run"))
		case "include":
			gap(n, k.Line, fmt.Sprintf("the file %q belongs to it and is not read", attributesOf(k).text("file")))
		case "config", "config_file":
			gap(n, k.Line, "settings that stand for options")
		case "default_subcommand":
			gap(n, k.Line, fmt.Sprintf("without a command it is %q", first(k)))
		case "external_subcommand":
			gap(n, k.Line, "commands that are programs of their own")
		case "restart_token", "multicall", "view", "unknown_flags":
			gap(n, k.Line, k.Name+" changes how words are read, which a map does not tell")
		case "args_override_self", "arg_required_else_help", "disable_help", "disable_help_flag", "disable_help_subcommand",
			"disable_version_flag", "subcommand_negates_reqs", "args_conflicts_with_subcommands", "subcommand_precedence_over_arg",
			"allow_missing_positional", "dont_delimit_trailing_values", "next_line_help", "flatten_help", "term_width", "max_term_width",
			"effect", "help", "long_help", "help_md", "before_help", "after_help", "before_long_help", "after_long_help", "before_help_md",
			"after_help_md", "hide", "deprecated", "subcommand_required", "subcommand_help_heading", "subcommand_value_name", "help_heading",
			"display_order", "deprecated_warn_at", "deprecated_remove_at":
			// said of the command itself, or of how it looks
		default:
			gap(n, k.Line, fmt.Sprintf("%q is not known", k.Name))
		}
	}
	complete(n, own)
	if local > 0 && len(n.Subs) > 0 {
		gap(n, n.At.Line, "its flags that are not global hold below it too: a map does not tell them apart")
	}
}

func exampleOf(k *kdl.Node) draft.Example {
	a := attributesOf(k)
	line, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(first(k)), "$ "), "\n")
	return draft.Example{Line: line, Text: a.text("header", "help")}
}

func (r *reader) sub(n *draft.Node, k *kdl.Node, depth int) {
	a := attributesOf(k)
	sub := &draft.Node{
		Name: first(k), Description: a.text("help", "long_help"), Hidden: a.yes("hide"), Deprecated: a.said("deprecated"), At: at(k.Line),
	}
	if sub.Name == "" {
		r.failf(k.Line, "a cmd without a name")
		return
	}
	if r.subs++; r.subs > maxFlags {
		r.failf(k.Line, "there are more than %d commands", maxFlags)
		return
	}
	if slices.ContainsFunc(n.Subs, func(s *draft.Node) bool { return s.Name == sub.Name }) {
		gap(n, k.Line, fmt.Sprintf("the command %q a second time", sub.Name))
		return
	}
	switch e := a.text("effect"); e {
	case "", "read":
	default:
		gap(sub, k.Line, fmt.Sprintf("its effect is said to be %q: an import states no risk", e))
	}
	if a.text("unknown_flags") == "value" {
		gap(sub, k.Line, "options that it does not know are arguments")
	}
	if a.said("restart_token") {
		gap(sub, k.Line, fmt.Sprintf("it begins anew after %q", a.text("restart_token")))
	}
	r.command(sub, k.Children, depth+1)
	n.Subs = append(n.Subs, sub)
}

// use takes over a named set of flags; those that a command declares itself go
// before.
func (r *reader) use(n *draft.Node, name string, line, depth int) {
	set := r.sets[name]
	switch {
	case set == nil:
		gap(n, line, fmt.Sprintf("there is no flagset %q", name))
		return
	case depth > maxDepth:
		r.failf(line, "the flagset %q uses itself", name)
		return
	}
	for _, k := range set.Children {
		switch k.Name {
		case "flag":
			r.flag(n, k)
		case "use":
			for _, other := range k.Args {
				r.use(n, other.Text, k.Line, depth+1)
			}
		}
		if r.fault != nil {
			return
		}
	}
}

func completerOf(k *kdl.Node) completer {
	a := attributesOf(k)
	c := completer{line: k.Line}
	switch kind := a.text("type"); kind {
	case "file", "path":
		c.choice.Kind = "file"
	case "dir":
		c.choice.Kind = "dir"
	case "command", "executable", "command_args":
		c.choice.Kind = "command"
	case "":
		run := a.text("run")
		if c.choice.Resolver = known.Command(run); c.choice.Resolver == "" {
			c.gap = "a command is run for its values: " + run
		}
	default:
		c.gap = fmt.Sprintf("values of the type %q", kind)
	}
	return c
}

// complete applies what is said of values by the names of arguments.
func complete(n *draft.Node, own map[string]completer) {
	if len(own) == 0 {
		return
	}
	for _, a := range n.Args {
		if c, ok := own[a.Name]; ok && len(a.Values) == 0 {
			a.Kind, a.Resolver = c.choice.Kind, c.choice.Resolver
			c.tell(n, a.Name)
		}
	}
	for _, f := range n.Flags {
		name := strings.ToLower(f.Metavar)
		if c, ok := own[name]; ok && len(f.Values) == 0 && f.Arity != draft.None {
			f.Kind, f.Resolver = c.choice.Kind, c.choice.Resolver
			c.tell(n, f.Names[len(f.Names)-1])
		}
	}
	for _, s := range n.Subs {
		complete(s, own)
	}
}

func (c completer) tell(n *draft.Node, of string) {
	if c.gap != "" {
		gap(n, c.line, of+": "+c.gap)
	}
}
