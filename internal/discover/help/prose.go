package help

import (
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
)

// proseFlags adds the options that running text tells of:
//
//   - those of a list that holds for every command, "These flags are available to
//     all commands: --account, --quiet.", of which nothing else is said;
//   - where next to no option has a row, those of which sentences tell: "The
//     -require=path and -x flags …", "It also provides the -n flag".
func proseFlags(n *draft.Node, lines []Line, from draft.Source) {
	rows := len(n.Flags)
	for _, p := range paragraphs(lines) {
		for _, s := range sharedFlags(p.text) {
			addProse(n, s, draft.Place{Source: from, Line: p.line})
		}
		if rows > 2 || from != draft.Help {
			continue
		}
		for _, s := range toldFlags(p.text) {
			if s.Arity == draft.Unsaid {
				s.Arity = draft.None
			}
			addProse(n, s, draft.Place{Source: from, Line: p.line})
		}
	}
}

// addProse adds an option unless it is known.
func addProse(n *draft.Node, s Spec, at draft.Place) {
	if len(n.Flags) >= maxItems || slices.ContainsFunc(s.Names, func(name string) bool { return n.Flag(name) != nil }) {
		return
	}
	f := &draft.Flag{Names: s.Names, Arity: s.Arity, ArityAt: at, Metavar: s.Metavar, Values: s.Values, ValuesAt: at, At: []draft.Place{at}}
	f.Kind = kindOf(f)
	n.AddFlag(f)
}

// textBlock is a paragraph on one line.
type textBlock struct {
	text string
	line int
}

// paragraphs are the runs of lines between blank ones that mention an option
// and begin with a word.
func paragraphs(lines []Line) []textBlock {
	var out []textBlock
	open := -1 // indent of the line above in the paragraph
	for _, l := range lines {
		switch {
		case l.Text == "" || l.Head || l.Tag || rowStart(l.Text) && l.Indent != open:
			open = -1
		case open < 0:
			out = append(out, textBlock{l.Text, l.No})
			open = l.Indent
		default:
			if last := &out[len(out)-1]; len(last.text) < maxBody {
				last.text += " " + l.Text
			}
			open = l.Indent
		}
	}
	return slices.DeleteFunc(out, func(b textBlock) bool { return !strings.Contains(b.text, " -") })
}

// sharedFlags are the options that a text lists as those of every command.
func sharedFlags(text string) []Spec {
	lead, list, ok := strings.Cut(bare(text), ": ")
	if low := strings.ToLower(lead); !ok || !strings.Contains(low, "flags") && !strings.Contains(low, "options") ||
		!strings.Contains(low, "all commands") && !strings.Contains(low, "every command") && !strings.Contains(low, "all subcommands") && !strings.Contains(low, "all sub-commands") {
		return nil
	}
	list, _, _ = strings.Cut(list+" ", ". ")
	var out []Spec
	for w := range strings.FieldsFuncSeq(list, func(r rune) bool { return r == ' ' || r == ',' }) {
		if w == "and" {
			continue
		}
		s, ok := ParseSpec(strings.TrimRight(w, ".,;"), -1, true, true)
		if !ok || s.Rest != "" {
			return nil
		}
		out = append(out, s)
	}
	return out
}

// toldFlags are the options of which sentences of a paragraph tell.
func toldFlags(text string) []Spec {
	var out []Spec
	for from := 0; ; {
		i := strings.Index(text[from:], "he -")
		if i < 1 {
			return out
		}
		at := from + i - 1 // where "The" or "the" begins
		from += i + len("he ")
		if c := text[at]; c != 'T' && (c != 't' || !givesFlags(text[:at])) || at > 0 && text[at-1] != ' ' {
			continue
		}
		specs, rest := flagList(text[from:])
		for _, adjective := range []string{"build ", "general ", "following ", "usual "} {
			rest = strings.TrimPrefix(rest, adjective)
		}
		if strings.HasPrefix(rest, "flag") || strings.HasPrefix(rest, "option") {
			out = append(out, specs...)
		}
	}
}

// givesFlags reports whether a sentence up to here says that the command takes
// what follows.
func givesFlags(text string) bool {
	text = strings.TrimRight(text, " ")
	for _, verb := range []string{"provides", "accepts", "supports", "takes", "has"} {
		if strings.HasSuffix(text, verb) {
			return true
		}
	}
	return false
}

// flagList reads names with their values, with commas and "and" between, and
// gives what follows them.
func flagList(text string) (out []Spec, rest string) {
	for len(out) < 50 {
		end := strings.IndexByte(text+" ", ' ')
		word := strings.TrimRight(text[:end], ",")
		s, ok := ParseSpec(word, -1, true, true)
		if !ok || s.Rest != "" || len(s.Names) == 0 {
			return out, text
		}
		out = append(out, s)
		text = strings.TrimLeft(text[end:], " ")
		for _, w := range []string{"and ", "or "} {
			text = strings.TrimPrefix(text, w)
		}
	}
	return out, text
}

// titleRows makes rows of the lines that name an option behind the words of a
// title, "Syntax for templates: -t|--template <options>".
func titleRows(lines []Line) []Line {
	var out []Line
	for i, l := range lines {
		_, spec, ok := strings.Cut(l.Text, ": -")
		if ok && !l.Head && !l.Tag && upper(l.Text[0]) && !strings.Contains(l.Text[:len(l.Text)-len(spec)-3], "-") {
			spec = "-" + spec
			if s, ok := ParseSpec(spec, -1, true, true); ok && len(s.Names) == 2 && draft.Short(s.Names[0]) && draft.Long(s.Names[1]) && s.Rest == "" && s.Gap == 0 {
				if out == nil {
					out = append(make([]Line, 0, len(lines)), lines[:i]...)
				}
				l.Text = spec
			}
		}
		if out != nil {
			out = append(out, l)
		}
	}
	if out == nil {
		return lines
	}
	return out
}
