package carapace

import (
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
	"github.com/tool-mapping-protocol/tmp/internal/discover/spec/known"
)

// completion reads what completes flags and arguments.
func (r *reader) completion(n *draft.Node, y *yaml.Node) {
	r.each(y, func(key string, line int, v *yaml.Node) {
		switch strings.ToLower(key) {
		case "flag":
			r.each(v, func(name string, line int, v *yaml.Node) {
				if f := flagOf(n, name); f != nil {
					r.flagValues(n, f, v)
					return
				}
				gap(n, line, fmt.Sprintf("values for %q, which is no flag here", name))
			})
		case "positional", "dash":
			for _, item := range r.list(v) {
				r.arg(n, item, strings.EqualFold(key, "dash"), false)
			}
		case "positionalany", "dashany":
			r.arg(n, v, strings.EqualFold(key, "dashany"), true)
		default:
			gap(n, line, fmt.Sprintf("completion of %q is not known", key))
		}
	})
}

func (r *reader) flagValues(n *draft.Node, f *draft.Flag, y *yaml.Node) {
	choices := r.action(n, f.Names[len(f.Names)-1], y)
	if f.Arity == draft.None {
		if len(choices) > 0 {
			gap(n, y.Line, fmt.Sprintf("values for %s, which takes none", f.Names[len(f.Names)-1]))
		}
		return
	}
	for _, c := range choices {
		switch {
		case len(c.Values) > 0 && f.Kind == "" && len(f.Values) == 0:
			f.Values, f.ValuesAt = c.Values, at(y.Line)
		case c.Resolver != "" && f.Resolver == "" && f.Kind == "":
			f.Resolver = c.Resolver
		case c.Kind != "" && f.Kind == "" && f.Resolver == "" && len(f.Values) == 0:
			f.Kind = c.Kind
		default:
			gap(n, y.Line, fmt.Sprintf("a second kind of value for %s", f.Names[len(f.Names)-1]))
			continue
		}
		f.List = c.List
	}
}

func (r *reader) arg(n *draft.Node, y *yaml.Node, afterDash, any bool) {
	a := &draft.Arg{Name: fmt.Sprintf("arg%d", len(n.Args)+1), AfterDash: afterDash, Repeatable: any, At: at(y.Line)}
	for i, c := range r.action(n, a.Name, y) {
		if i == 0 {
			a.Kind, a.Values, a.Resolver, a.List = c.Kind, c.Values, c.Resolver, c.List
		} else {
			a.Also = append(a.Also, c)
		}
	}
	n.Args = append(n.Args, a)
}

// action reads a list of values, macros and modifiers. Modifiers that stand
// alone change all that is there.
func (r *reader) action(n *draft.Node, of string, y *yaml.Node) []draft.Choice {
	a := &action{n: n, of: of, line: y.Line}
	for _, item := range r.list(y) {
		a.line = item.Line
		a.item(r.text(item))
	}
	return a.choices()
}

// action is the value of one flag or argument on its way.
type action struct {
	n     *draft.Node
	of    string
	line  int
	words draft.Choice
	more  []draft.Choice
	list  string
	dead  bool // a modifier that is not known makes the rest wrong
}

func (a *action) choices() []draft.Choice {
	if a.dead {
		return nil
	}
	var out []draft.Choice
	if len(a.words.Values) > 0 {
		out = append(out, a.words)
	}
	out = append(out, a.more...)
	for i := range out {
		if out[i].List == "" {
			out[i].List = a.list
		}
	}
	return out
}

func (a *action) gapf(format string, args ...any) {
	gap(a.n, a.line, a.of+": "+fmt.Sprintf(format, args...))
}

// item reads one entry: a word, or "$macro(argument) ||| $modifier(argument)".
func (a *action) item(text string) {
	parts := strings.Split(text, " ||| ")
	if !strings.HasPrefix(parts[0], "$") {
		value, rest, _ := strings.Cut(parts[0], "\t")
		description, _, _ := strings.Cut(rest, "\t")
		a.words.Values = append(a.words.Values, draft.Value{Text: value, Description: description})
		if len(parts) > 1 {
			a.gapf("modifiers of the word %q", value)
		}
		return
	}
	name, argument := macro(parts[0])
	if isModifier(name) {
		a.modify(name, argument, nil)
		return
	}
	c, ok := a.source(name, argument)
	if !ok {
		return
	}
	for _, m := range parts[1:] {
		name, argument := macro(m)
		if ok = a.modify(name, argument, &c); !ok {
			return
		}
	}
	a.more = append(a.more, c)
}

// macro cuts "$name(argument)"; "$(command)" has no name.
func macro(text string) (name, argument string) {
	name, rest, ok := strings.Cut(strings.TrimPrefix(strings.TrimSpace(text), "$"), "(")
	if ok {
		argument = strings.TrimSuffix(strings.TrimSpace(rest), ")")
	}
	return strings.TrimPrefix(strings.TrimPrefix(name, "_."), "_"), argument
}

// shells are the macros that run a command, named for what runs it.
var shells = []string{"", "bash", "cmd", "elvish", "fish", "nu", "osh", "pwsh", "sh", "xonsh", "zsh"}

// source is where a macro takes its values from.
func (a *action) source(name, argument string) (c draft.Choice, ok bool) {
	switch name {
	case "files":
		return a.files(argument), true
	case "directories":
		return draft.Choice{Kind: "dir"}, true
	case "executables":
		if argument != "" {
			a.gapf("only the executables of certain directories")
		}
		return draft.Choice{Kind: "command"}, true
	case "message":
		a.gapf("the message %q", argument)
		return c, false
	case "spec":
		a.gapf("another spec, %q, holds from here", argument)
		return c, false
	}
	if slices.Contains(shells, name) {
		if r := known.Command(argument); r != "" {
			return draft.Choice{Resolver: r}, true
		}
		a.gapf("a command is run for its values: %s", argument)
		return c, false
	}
	if r := known.Macro(name); r != "" {
		return draft.Choice{Resolver: r}, true
	}
	a.gapf("the macro $%s is not known here", name)
	return c, false
}

func (a *action) files(argument string) draft.Choice {
	suffixes := items(argument)
	if len(suffixes) == 1 && !strings.ContainsAny(suffixes[0], "/*?[\\ \t") {
		return draft.Choice{Resolver: "files:*" + suffixes[0]}
	}
	if len(suffixes) > 0 {
		a.gapf("only files that end in %s", strings.Join(suffixes, ", "))
	}
	return draft.Choice{Kind: "file"}
}

// items reads a list of texts as YAML writes it on one line.
func items(argument string) []string {
	if argument == "" {
		return nil
	}
	var list []string
	if yaml.Unmarshal([]byte(argument), &list) != nil {
		var one string
		if yaml.Unmarshal([]byte(argument), &one) != nil {
			return nil
		}
		return []string{one}
	}
	return list
}

func isModifier(name string) bool {
	switch name {
	case "chdir", "filter", "filterargs", "list", "multiparts", "nospace", "noprefix", "prefix", "retain", "shift", "split", "splitp",
		"suffix", "suppress", "style", "tag", "uniquelist", "usage", "cache", "timeout", "unless":
		return true
	}
	return false
}

// modify applies a modifier to one choice, or to all with nil. It reports
// whether what it was applied to can still be used.
func (a *action) modify(name, argument string, c *draft.Choice) bool {
	switch name {
	case "style", "tag", "usage", "nospace", "noprefix", "suppress", "cache", "timeout", "multiparts", "filterargs":
		return true // how it looks and is typed, not what it is
	case "list", "uniquelist":
		if c != nil {
			c.List = argument
		} else {
			a.list = argument
		}
		return true
	case "filter", "retain", "prefix", "suffix":
		if c == nil && len(a.more) == 0 {
			a.words.Values = changed(a.words.Values, name, argument)
			return true
		}
	}
	a.gapf("the modifier $%s(%s)", name, argument)
	if c == nil {
		a.dead = true
	}
	return false
}

func changed(values []draft.Value, how, argument string) []draft.Value {
	named := items(argument)
	var out []draft.Value
	for _, v := range values {
		in := false
		for _, n := range named {
			in = in || n == v.Text
		}
		switch {
		case how == "prefix":
			v.Text = argument + v.Text
		case how == "suffix":
			v.Text += argument
		case in != (how == "retain"):
			continue
		}
		out = append(out, v)
	}
	return out
}
