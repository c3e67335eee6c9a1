package man

import (
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
	"github.com/tool-mapping-protocol/tmp/internal/discover/help"
)

// values settles whether options take a value by what the page says of them
// apart from their tags.
func values(n *draft.Node, lines []help.Line) {
	given := givenValues(lines)
	settleValues(n, given)
	listedValues(n, lines)
}

func settleValues(n *draft.Node, given []string) {
	for _, f := range n.Flags {
		switch {
		case f.ArityAt.Source != draft.Man:
		case f.Arity == draft.Required && (f.Metavar == "bool" || f.Metavar == "bool-value" || trueOrFalse(f.Values) && (f.Metavar == "" || strings.ContainsAny(f.Metavar, "|/"))):
			// Programs in Go take "--x" and "--x=false", never "--x false".
			f.Arity, f.Metavar, f.Kind, f.Values = draft.None, "", "", nil
		case f.Arity == draft.Required && trueOrFalse(f.Values):
			f.Values = nil // what it prints, or an example
		case f.Arity == draft.None && slices.ContainsFunc(f.Names, func(name string) bool {
			_, found := slices.BinarySearch(given, name)
			return found
		}) || f.Arity == draft.None && namesValue(f.Text):
			f.Arity = draft.Required
		}
	}
	for _, s := range n.Subs {
		settleValues(s, given)
	}
}

// trueOrFalse reports whether the values of an option are those of a switch.
func trueOrFalse(vs []draft.Value) bool {
	return len(vs) == 2 && (vs[0].Text == "true" && vs[1].Text == "false" || vs[0].Text == "false" && vs[1].Text == "true")
}

// namesValue reports whether an option's text says what is given rather than
// what is done: "Number of attempts", "The password for the registry".
func namesValue(text string) bool {
	low := strings.ToLower(text[:min(len(text), 40)])
	low = strings.TrimPrefix(low, "the ")
	for _, s := range []string{"number of ", "path to ", "path of ", "username ", "user name ", "password ", "name of "} {
		if strings.HasPrefix(low, s) {
			return true
		}
	}
	return false
}

// givenValues are the long names that the page gives a value to, as in
// "frob --keep=7", sorted. One that is yes or no says nothing: switches take
// those too.
func givenValues(lines []help.Line) []string {
	var names []string
	for _, l := range lines {
		for text := l.Text; len(names) < 5000; {
			_, after, ok := strings.Cut(text, "--")
			if !ok {
				break
			}
			end := strings.IndexFunc(after, func(r rune) bool {
				return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' && r != '_'
			})
			if end < 1 {
				text = strings.TrimLeft(after, "-")
				continue
			}
			name, rest := after[:end], after[end:]
			text = rest
			if value, ok := strings.CutPrefix(rest, "="); ok && !yesOrNo(value) && !strings.HasPrefix(name, "no-") {
				names = append(names, "--"+name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// yesOrNo reports whether a text begins with nothing, or with the value of a
// switch.
func yesOrNo(text string) bool {
	text = strings.TrimLeft(text, "\x01\x02\x03\x04\"'[<{(")
	end := strings.IndexFunc(text, func(r rune) bool { return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') })
	if end < 0 {
		end = len(text)
	}
	switch strings.ToLower(text[:end]) {
	case "", "true", "false", "yes", "no", "on", "off", "0", "1", "bool", "boolean":
		return true
	}
	return false
}
