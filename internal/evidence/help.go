package evidence

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/opmap"
)

// Tree checks parsed_help of a map's tree: each option and each command, by all
// of its names, is in the tool's own texts. Hidden ones are not asked for: they
// are hidden because no text has them.
func Tree(s *opmap.Source, x *Texts) Result {
	r := Result{Check: KindHelp, Status: Passed, Hash: x.Hash}
	if x.Empty() {
		return skipped(KindHelp, "no text of "+s.Tool+" could be had")
	}
	c := &treeCheck{texts: x, tool: s.Tool}
	c.node(s.Node, nil, "node")
	if r.Missing = c.missing; len(r.Missing) > 0 {
		r.Status = Failed
		r.Why = fmt.Sprintf("no text of %s names %s", s.Tool, plural(len(r.Missing), "name of the map", "names of the map"))
		return r
	}
	r.Why = fmt.Sprintf("%s and %s are in its texts", plural(c.options, "option", "options"), plural(c.commands, "command", "commands"))
	return r
}

type treeCheck struct {
	texts             *Texts
	tool              string
	missing           []Missing
	options, commands int
}

func (c *treeCheck) node(n *opmap.Node, path []string, field string) {
	where := strings.Join(append([]string{c.tool}, path...), " ")
	for i, f := range n.Flags {
		if f.Hidden {
			continue
		}
		c.options++
		for _, name := range f.Names {
			if !c.texts.NamesOption(path, name) {
				c.missing = append(c.missing, Missing{"option", where, name, fmt.Sprintf("%s.flags[%d]", field, i)})
			}
		}
	}
	for i, sub := range n.Subcommands {
		if sub.Hidden {
			continue
		}
		c.commands++
		at := fmt.Sprintf("%s.subcommands[%d]", field, i)
		below := append(slices.Clone(path), sub.Name)
		for _, name := range append([]string{sub.Name}, sub.Aliases...) {
			if !c.texts.NamesCommand(append(slices.Clone(path), name)) {
				c.missing = append(c.missing, Missing{"command", where, name, at})
			} else if own := c.texts.node(append(slices.Clone(path), name)); own != nil {
				below[len(path)] = own.Name // the name under which the texts have it
			}
		}
		c.node(sub, below, at)
	}
}

// Operation checks parsed_help of an operation: the command of its template and
// the options in it are in the tool's own texts.
func Operation(op *opmap.Operation, field string, x *Texts) Result {
	if x.Empty() {
		return skipped(KindHelp, "no text of "+x.Tool+" could be had")
	}
	r := Result{Check: KindHelp, Status: Passed, Hash: x.Hash}
	path, rest := x.command(strings.Fields(op.Template)[1:])
	where := strings.Join(append([]string{x.Tool}, path...), " ")
	if len(rest) > 0 && x.wantsCommand(path) && !strings.HasPrefix(rest[0], "-") && !strings.Contains(rest[0], "<") &&
		!x.NamesCommand(append(slices.Clone(path), rest[0])) {
		r.Missing = append(r.Missing, Missing{"command", where, rest[0], field})
	}
	for _, word := range rest {
		if word == "--" {
			break
		}
		for _, name := range optionsOf(word, func(name string) bool { return x.NamesOption(path, name) }) {
			if !x.namesAbove(path, name) {
				r.Missing = append(r.Missing, Missing{"option", where, name, field})
			}
		}
	}
	if len(r.Missing) > 0 {
		r.Status, r.Why = Failed, fmt.Sprintf("no text of %s names %s", x.Tool, r.Missing[0].Name)
		return r
	}
	r.Why = fmt.Sprintf("%q and its options are in its texts", where)
	return r
}

// command splits the words of a template behind the program into the command
// that the texts know and the rest.
func (x *Texts) command(words []string) (path, rest []string) {
	for len(words) > 0 && x.node(append(slices.Clone(path), words[0])) != nil && len(path) < 8 {
		path, words = append(path, words[0]), words[1:]
	}
	return path, words
}

// wantsCommand reports whether a command is followed by one of its own.
func (x *Texts) wantsCommand(path []string) bool {
	n := x.node(path)
	if n == nil || len(n.Subs) == 0 {
		return false
	}
	return len(n.Args) == 0 || strings.Contains(strings.ToLower(n.Args[0].Name), "command")
}

// namesAbove reports whether a text names an option for a command or for one
// above it: options of those may be given to it.
func (x *Texts) namesAbove(path []string, name string) bool {
	for end := len(path); end >= 0; end-- {
		if x.NamesOption(path[:end], name) {
			return true
		}
	}
	return false
}

// optionsOf are the options in a word of a template: one, or the letters of a
// bundle. known decides which of the two "-fd" is.
func optionsOf(word string, known func(string) bool) []string {
	if len(word) < 2 || word[0] != '-' {
		return nil
	}
	name, _, _ := strings.Cut(word, "=")
	if i := strings.IndexByte(name, '<'); i >= 0 {
		name = name[:i]
	}
	if strings.HasPrefix(name, "--") || len(name) == 2 || known(name) {
		return []string{name}
	}
	var out []string
	for i := 1; i < len(name) && isAlnum(name[i]); i++ {
		if letter := "-" + name[i:i+1]; i == 1 || known(letter) {
			out = append(out, letter)
			continue
		}
		if known(out[0]) { // the first takes the rest as its value: "-n5"
			return out[:1]
		}
		return []string{name}
	}
	return out
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
