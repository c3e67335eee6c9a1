package help

import (
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
)

// addForms adds what usage lines tell: flags that no row has, values that rows
// left out, groups, arguments, sub-commands. Root says that the command is the
// program itself.
func addForms(n *draft.Node, forms []Form, root bool, from draft.Source) {
	negations(n)
	own := ownForms(n, forms, root)
	doubtSubs(n, own, forms, from)
	for fi, f := range own {
		for i, it := range f.Items {
			if it.Flag == "" || i > 0 && spelling(n, f.Items[i-1], it) {
				continue
			}
			if len(it.Flag) > 4 && len(n.Flags) > 2 && !draft.Long(it.Flag) && it.Flag == strings.ToUpper(it.Flag) && knownLetters(n, it) == nil && n.Flag(it.Flag) == nil {
				n.NumericFlags = true // "[-BREITE]"
				continue
			}
			for _, name := range letters(n, it) {
				addItem(n, f, it, name, fi, from)
			}
		}
	}
	if len(n.Args) == 0 && len(own) > 0 {
		n.Args = argsOf(own[0], from)
	}
}

// negations adds "--no-x" that the text of "--x" names, or the other way round,
// where no row has it.
func negations(n *draft.Node) {
	for _, f := range slices.Clone(n.Flags) {
		for _, name := range f.Names {
			if !draft.Long(name) {
				continue
			}
			other := "--no-" + name[2:]
			if positive, ok := strings.CutPrefix(name, "--no-"); ok {
				other = "--" + positive
			}
			if in := inverse(f.Text); in != "" && n.Flag(in) == nil {
				other = in
			} else if n.Flag(other) != nil || n.Flag(other+"s") != nil || !mentions(f.Text, other) {
				continue
			}
			if f.Arity == draft.None {
				f.Names, f.Negated = append(f.Names, other), true
				continue
			}
			n.Flags = append(n.Flags, &draft.Flag{Names: []string{other}, Arity: draft.None, ArityAt: f.ArityAt, At: f.At, Description: "Undo " + name})
		}
	}
}

// inverse is the option that a text calls the inverse, "(inverse: --x)".
func inverse(text string) string {
	_, after, ok := strings.Cut(text, "inverse: ")
	if !ok {
		return ""
	}
	_, name, n := scanName(after)
	if n == 0 || !draft.Long(name) {
		return ""
	}
	return name
}

// mentions reports whether a text names an option: the name, not the start of a
// longer one.
func mentions(text, name string) bool {
	for {
		i := strings.Index(text, name)
		if i < 0 {
			return false
		}
		text = text[i+len(name):]
		if nameLen("a"+text) == 1 {
			return true
		}
	}
}

// letters are the flags that an item of a form stands for.
func letters(n *draft.Node, it Item) []string {
	if known := knownLetters(n, it); known != nil {
		return known
	}
	if !it.Bundle || n.Flag(it.Flag) != nil || n.SingleDashLong {
		return []string{it.Flag}
	}
	var out []string
	for _, c := range it.Flag[1:] {
		out = append(out, "-"+string(c))
	}
	return out
}

// knownLetters are the flags of one letter each that a word such as "-ifv" is
// made of, nil if most of them have no row of their own.
func knownLetters(n *draft.Node, it Item) []string {
	if draft.Long(it.Flag) || len(it.Flag) < 3 || n.Flag(it.Flag) != nil || it.Arity == draft.Required && len(it.Flag) > 4 {
		return nil
	}
	var out []string
	known := 0
	for _, c := range it.Flag[1:] {
		name := "-" + string(c)
		if n.Flag(name) != nil {
			known++
		}
		out = append(out, name)
	}
	if known < len(out)*4/5 || known < len(out) && it.Arity == draft.Required {
		return nil
	}
	return out
}

// spelling takes the second of "[-n|--dry-run]" for another name of the first,
// of which only this line tells, and reports whether it is one. "[-q|--no-x]"
// are two flags.
func spelling(n *draft.Node, first, it Item) bool {
	if it.Group == 0 || first.Group != it.Group || !draft.Short(first.Flag) || len(first.Flag) != 2 || !draft.Long(it.Flag) || n.Flag(it.Flag) != nil {
		return false
	}
	f := n.Flag(first.Flag)
	if f == nil || len(f.Names) != 1 || f.ArityAt.Source != draft.Usage || strings.HasPrefix(it.Flag, "--no-") && first.Flag != "-n" {
		return false
	}
	if it.Arity != draft.None {
		f.Arity, f.Metavar = it.Arity, it.Metavar // "[-o|--out FILE]"
		f.Kind = kindOf(f)
	} else if f.Arity != draft.None {
		return false
	}
	f.Names = append(f.Names, it.Flag)
	return true
}

func addItem(n *draft.Node, f Form, it Item, name string, form int, from draft.Source) {
	at := draft.Place{Source: draft.Usage, Line: f.Line}
	flag := n.Flag(name)
	if flag == nil {
		if !it.Optional && len(n.Flags) > 2 && !n.SingleDashLong && !draft.Short(name) && !draft.Long(name) {
			return // an example of what follows a flag, "-Zscript"
		}
		flag = &draft.Flag{Names: []string{name}, Arity: it.Arity, ArityAt: at, Metavar: it.Metavar, Repeatable: it.Repeatable, Values: choices(it.Metavar), ValuesAt: at, At: []draft.Place{at}}
		flag.Kind = kindOf(flag)
		n.Flags = append(n.Flags, flag)
		return
	}
	if flag.Arity == draft.None && it.Arity == draft.Required && flag.ArityAt.Source != draft.Answer && !it.Bundle && (it.Optional || it.Metavar == strings.TrimLeft(flag.Names[len(flag.Names)-1], "-") && !it.Repeatable) {
		flag = takenOut(n, flag, name)
		flag.Arity, flag.ArityAt, flag.Metavar = it.Arity, at, it.Metavar
		flag.Kind = kindOf(flag)
	}
	if len(flag.Values) == 0 && it.Arity != draft.None {
		flag.Values, flag.ValuesAt = choices(it.Metavar), at
	}
	flag.Repeatable = flag.Repeatable || it.Repeatable
	if it.Group > 0 && flag.Group == "" && form == 0 {
		flag.Group = "usage-" + string(rune('a'+(it.Group-1)%26))
	}
}

// takenOut takes a name out of a row that lists many options with one text for all
// of them, so that what a form shows of one is not said of the others.
func takenOut(n *draft.Node, flag *draft.Flag, name string) *draft.Flag {
	if len(flag.Names) < 4 {
		return flag
	}
	own := *flag
	own.Names, own.At = []string{name}, slices.Clone(flag.At)
	flag.Names = slices.DeleteFunc(slices.Clone(flag.Names), func(s string) bool { return s == name })
	n.Flags = append(n.Flags, &own)
	return &own
}

// ownForms parts the forms of the command itself from those of its
// sub-commands, which are added as nodes. Words that all share the options that
// the text lists are not commands of their own but, below the program itself, the values
// of an argument.
func ownForms(n *draft.Node, forms []Form, root bool) []Form {
	var own []Form
	words := map[string]bool{}
	foreign := false
	for _, f := range forms {
		if len(f.Subs) == 0 {
			own = append(own, f)
			continue
		}
		words[f.Subs[0]] = true
		for _, w := range f.Others {
			words[w] = true
		}
		for _, it := range f.Items {
			if it.Flag != "" && n.Flag(it.Flag) == nil {
				foreign = true
			}
		}
	}
	shared := len(n.Flags) > 0 && !foreign
	for _, f := range forms {
		if len(f.Subs) == 0 {
			continue
		}
		name := f.Subs[0]
		at := draft.Place{Source: draft.Usage, Line: f.Line}
		switch {
		case n.Sub(name) != nil:
		case len(words) < 2 && len(own) == 0 && (!foreign || len(n.Flags) > 0 || namesKind(name)):
			own = append(own, f)
			continue
		case shared && (!root || len(words) < 2):
			addWord(n, name, at)
			own = append(own, f)
			continue
		}
		for _, w := range f.Others {
			n.AddSub(w, at)
		}
		sub := n.AddSub(name, at)
		for _, it := range f.Items {
			if it.Flag != "" {
				for _, l := range letters(sub, it) {
					addItem(sub, f, it, l, 1, draft.Usage)
				}
			}
		}
	}
	return own
}

// namesKind reports whether a word is a placeholder for a value by what it says:
// "file1", "packagename", "sourcedb".
func namesKind(word string) bool {
	word = strings.TrimRight(word, "0123456789")
	if kindWord(word) || WordKind(word) != "" {
		return true
	}
	for _, end := range []string{"name", "file", "dir", "path", "db", "list", "spec", "pattern", "string"} {
		if strings.HasSuffix(word, end) {
			return true
		}
	}
	return false
}

// doubtSubs drops sub-commands that only a manual's section of commands tells of,
// where the synopsis has no place for one: they are keys or a language.
func doubtSubs(n *draft.Node, own, forms []Form, from draft.Source) {
	if from != draft.Man || len(n.Subs) == 0 {
		return
	}
	for _, f := range own {
		for _, it := range f.Items {
			switch strings.ToLower(it.Metavar) {
			case "command", "cmd", "subcommand", "sub-command", "sub_command", "verb", "action", "object", "operation":
				return
			}
		}
	}
	n.Subs = slices.DeleteFunc(n.Subs, func(s *draft.Node) bool {
		if slices.ContainsFunc(forms, func(f Form) bool {
			return len(f.Subs) > 0 && (f.Subs[0] == s.Name || slices.Contains(f.Others, s.Name))
		}) {
			return false
		}
		// Those of a section of their own, which begin at line 1, keep its options.
		return s.At.Source == draft.Man && (len(s.Flags) == 0 || s.At.Line > 1)
	})
}

// addWord makes a word a value of the command's first argument.
func addWord(n *draft.Node, word string, at draft.Place) {
	if len(n.Args) == 0 || n.Args[0].Name != "action" {
		n.Args = append([]*draft.Arg{{Name: "action", Required: true, At: at}}, n.Args...)
	}
	a := n.Args[0]
	for _, v := range a.Values {
		if v.Text == word {
			return
		}
	}
	a.Values = append(a.Values, draft.Value{Text: word})
}

// argsOf are the positional arguments of a form.
func argsOf(f Form, from draft.Source) []*draft.Arg {
	var out []*draft.Arg
	for _, it := range f.Items {
		if it.Flag != "" || len(out) == 12 {
			continue
		}
		if n := len(out); n > 0 && out[n-1].Name == strings.ToLower(it.Metavar) {
			out[n-1].Repeatable = true
			continue
		}
		out = append(out, &draft.Arg{
			Name: strings.ToLower(it.Metavar), Kind: WordKind(it.Metavar), Values: choices(it.Metavar), Required: !it.Optional,
			Repeatable: it.Repeatable, AfterDash: it.Dash, At: draft.Place{Source: draft.Usage, Line: f.Line},
		})
	}
	return out
}
