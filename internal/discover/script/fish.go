package script

import (
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
)

// Fish reads the "complete" commands of a fish script for a tool.
func Fish(script, tool string) *draft.Node {
	root := &draft.Node{Name: tool, At: draft.Place{Source: draft.Script, Line: 1}}
	lists := map[string][]string{} // variables that hold words
	for _, c := range commands(script) {
		if name, words := listOf(c.words); name != "" && len(lists) < 1000 {
			lists[name] = words
		}
		if c.words[0] != "complete" {
			continue
		}
		for i, w := range c.words {
			c.words[i] = withLists(w, lists)
		}
		if o, ok := fishOptions(c.words[1:]); ok && slices.Contains(o.commands, tool) {
			o.add(root, draft.Place{Source: draft.Script, Line: c.line})
		}
	}
	return root
}

// listOf reads what gives words to a variable, "set -l NAME a b" and
// "for NAME in a b"; the name is "" for other commands.
func listOf(words []string) (name string, list []string) {
	switch {
	case words[0] == "for" && len(words) > 3 && words[2] == "in":
		name, list = words[1], words[3:]
	case words[0] == "set":
		for words = words[1:]; len(words) > 0 && strings.HasPrefix(words[0], "-"); words = words[1:] {
			if strings.ContainsAny(words[0], "qe") {
				return "", nil
			}
		}
		if len(words) > 1 {
			name, list = words[0], words[1:]
		}
	}
	if slices.ContainsFunc(list, func(w string) bool { return !plain(w) }) || len(list) > 200 {
		return name, nil
	}
	return name, list
}

// withLists puts the words of variables in their place.
func withLists(text string, lists map[string][]string) string {
	if !strings.Contains(text, "$") || strings.Contains(text, "(") {
		return text
	}
	var b strings.Builder
	for {
		before, after, ok := strings.Cut(text, "$")
		b.WriteString(before)
		if !ok || b.Len() > 1<<16 {
			return b.String()
		}
		end := 0
		for end < len(after) && (after[end] == '_' || after[end]|0x20 >= 'a' && after[end]|0x20 <= 'z' || after[end] >= '0' && after[end] <= '9') {
			end++
		}
		if list := lists[after[:end]]; len(list) > 0 {
			b.WriteString(strings.Join(list, " "))
		} else {
			b.WriteString("$" + after[:end])
		}
		text = after[end:]
	}
}

// fishComplete holds the options of one "complete".
type fishComplete struct {
	commands         []string
	condition        string
	short, long, old []string
	args             []string
	description      string
	requires         bool // -r or -x
	exclusive        bool // -f or -x: no files
	force            bool // -F: files
}

// fishOptions reads the words behind "complete".
func fishOptions(words []string) (o fishComplete, ok bool) {
	for i := 0; i < len(words); i++ {
		w := words[i]
		if !strings.HasPrefix(w, "-") {
			if i == 0 {
				o.commands = append(o.commands, w)
			}
			continue
		}
		name, value, attached := strings.Cut(w, "=")
		short := ""
		if !strings.HasPrefix(w, "--") && len(w) > 2 {
			// Letters without a value may stand before one with: "-xs".
			for j := 1; j < len(w); j++ {
				if strings.IndexByte("cnsloadwpC", w[j]) >= 0 {
					name, value, attached = "-"+w[j:j+1], w[j+1:], j+1 < len(w)
					break
				}
				short += w[j : j+1]
			}
			if short == w[1:] {
				name = ""
			}
		}
		for _, c := range short {
			o.letter(string(c))
		}
		switch name {
		case "":
		case "-c", "--command", "-n", "--condition", "-s", "--short-option", "-l", "--long-option", "-o", "--old-option", "-a", "--arguments", "-d", "--description", "-w", "--wraps", "-p", "--path", "-C", "--do-complete":
			if !attached {
				if i++; i >= len(words) {
					return o, len(o.commands) > 0
				}
				value = words[i]
			}
			o.value(name, value)
		default:
			o.letter(strings.TrimLeft(name, "-"))
		}
	}
	return o, len(o.commands) > 0
}

func (o *fishComplete) letter(name string) {
	switch name {
	case "r", "require-parameter":
		o.requires = true
	case "x", "exclusive":
		o.requires, o.exclusive = true, true
	case "f", "no-files":
		o.exclusive = true
	case "F", "force-files":
		o.force = true
	}
}

func (o *fishComplete) value(name, value string) {
	switch name {
	case "-c", "--command", "-p", "--path":
		o.commands = append(o.commands, value)
	case "-n", "--condition":
		if o.condition != "" {
			o.condition += "; and "
		}
		o.condition += value
	case "-s", "--short-option":
		o.short = append(o.short, value)
	case "-l", "--long-option":
		o.long = append(o.long, value)
	case "-o", "--old-option":
		o.old = append(o.old, value)
	case "-a", "--arguments":
		o.args = append(o.args, value)
	case "-d", "--description":
		o.description = value
	}
}

// add puts what one "complete" offers into the tree.
func (o *fishComplete) add(root *draft.Node, at draft.Place) {
	paths, first := condition(o.condition)
	var names []string
	for _, s := range o.short {
		names = append(names, "-"+s)
	}
	for _, s := range o.long {
		names = append(names, "--"+s)
	}
	for _, s := range o.old {
		names = append(names, "-"+s)
	}
	names = slices.DeleteFunc(names, func(n string) bool { return !plain(n) || len(strings.Trim(n, "-")) == 0 })
	words := candidates(o.args)
	for _, path := range paths {
		n := root
		for _, word := range path {
			n = n.AddSub(word, at)
		}
		switch {
		case len(names) > 0:
			n.AddFlag(o.flag(names, words, at))
		case first:
			for _, w := range words {
				sub := n.AddSub(w.Text, at)
				if sub.Description == "" {
					sub.Description = w.Description
				}
				if len(words) == 1 && sub.Description == "" {
					sub.Description = o.description
				}
			}
		}
	}
}

func (o *fishComplete) flag(names []string, words []draft.Value, at draft.Place) *draft.Flag {
	f := &draft.Flag{Names: slices.Clone(names), Description: o.description, At: []draft.Place{at}, ArityAt: at, ValuesAt: at, Arity: draft.None}
	switch {
	case o.requires:
		f.Arity, f.Values = draft.Required, words
		if o.force || !o.exclusive && len(o.args) == 0 {
			f.Kind = "file"
		}
	case len(o.args) > 0:
		f.Arity, f.Values = draft.Optional, words
	}
	return f
}

// candidates are the literal words of "-a": blanks between, or lines of word,
// tab and description.
func candidates(args []string) []draft.Value {
	var out []draft.Value
	for _, a := range args {
		if strings.ContainsAny(a, "($") {
			continue
		}
		if strings.Contains(a, `\t`) || strings.Contains(a, "\t") {
			for l := range strings.SplitSeq(strings.ReplaceAll(strings.ReplaceAll(a, `\t`, "\t"), `\n`, "\n"), "\n") {
				w, d, _ := strings.Cut(l, "\t")
				if w = strings.TrimSpace(w); plain(w) {
					out = append(out, draft.Value{Text: w, Description: strings.Trim(d, "'\" ")})
				}
			}
			continue
		}
		for w := range strings.FieldsSeq(a) {
			if plain(w) {
				out = append(out, draft.Value{Text: w})
			}
		}
	}
	return out
}

// condition tells which commands a condition stands for, and whether it holds
// where the next sub-command is typed. A condition that is not understood stands
// for the tool itself.
func condition(c string) (paths [][]string, first bool) {
	paths = [][]string{{}}
	first = c == ""
	if c == "" {
		return paths, false
	}
	for clause := range strings.SplitSeq(strings.NewReplacer("; and ", "\n", ";and ", "\n", " && ", "\n", "; ", "\n", " and ", "\n").Replace(c), "\n") {
		fields := strings.Fields(strings.Trim(clause, " ;"))
		if len(fields) == 0 {
			continue
		}
		negated := false
		if fields[0] == "not" || fields[0] == "!" {
			negated, fields = true, fields[1:]
		}
		if len(fields) == 0 {
			continue
		}
		f := fields[0]
		switch {
		case strings.Contains(f, "needs_command") || strings.Contains(f, "needs_subcommand") || strings.HasPrefix(f, "__fish_use_subcommand") || strings.HasPrefix(f, "__fish_is_first_"):
			first = !negated
		case strings.Contains(f, "seen_subcommand") || strings.Contains(f, "using_command") || strings.Contains(f, "using_subcommand") || strings.Contains(f, "seen_command"):
			if negated {
				first = true
				continue
			}
			var next [][]string
			for _, p := range paths {
				for _, w := range fields[1:] {
					if plain(w) && w[0] != '-' && len(next) < 64 {
						next = append(next, append(slices.Clone(p), w))
					}
				}
			}
			paths = next // none if its words are not in the script
		}
	}
	return paths, first && len(paths) > 0
}
