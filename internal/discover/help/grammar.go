package help

import (
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
)

// rule is a definition of a grammar below the usage lines, as iproute2 prints
// them: "OBJECT := { link | address }".
type rule struct {
	name string // "OBJECT"
	line int
	text string // what stands behind ":="
}

// grammar takes the definitions out of a text. It gives the lines without them.
func grammar(lines []Line) ([]Line, []rule) {
	var rules []rule
	var rest []Line
	inside, column := false, 0
	for i, l := range lines {
		if name, text, at, ok := definition(l.Text); ok && !inRow(lines, i) {
			rules = append(rules, rule{name, l.No, text})
			if rest == nil {
				rest = append(make([]Line, 0, len(lines)), lines[:i]...)
			}
			inside, column = true, l.Indent+at
			continue
		}
		if inside && l.Text != "" && l.Indent > column {
			last := &rules[len(rules)-1]
			if len(last.text) < 1<<14 {
				last.text += " " + l.Text
			}
			continue
		}
		inside = false
		if rest != nil {
			rest = append(rest, l)
		}
	}
	if rest == nil {
		return lines, nil
	}
	return rest, rules
}

// definition reads the start of a rule: its name, what follows, and where in the
// line the name begins.
func definition(line string) (name, text string, at int, ok bool) {
	left, right, ok := strings.Cut(line, ":=")
	if !ok {
		return "", "", 0, false
	}
	left = strings.TrimRight(left, " ")
	body := strings.TrimLeft(strings.TrimPrefix(strings.TrimPrefix(left, "where "), "Where "), " ")
	at = len(left) - len(body)
	return body, strings.TrimSpace(right), at, capitals(body) && !strings.Contains(body, " ")
}

// inRow reports whether line i stands in the text of an option.
func inRow(lines []Line, i int) bool {
	for j := i - 1; j >= 0 && lines[j].Text != ""; j-- {
		if lines[j].Indent < lines[i].Indent && rowStart(lines[j].Text) {
			return true
		}
	}
	return false
}

// addRules adds what the grammar of a text tells: the words that stand for an
// object or a command, the options, and the words of values and arguments.
func addRules(n *draft.Node, rules []rule, from draft.Source) {
	for _, r := range rules {
		at := draft.Place{Source: from, Line: r.line}
		switch strings.TrimSuffix(r.name, "S") {
		case "OBJECT", "COMMAND", "CMD", "SUBCOMMAND":
			for _, w := range r.words() {
				if commandWord(w.Text) {
					n.AddSub(w.Text, at)
				}
			}
			continue
		case "OPTION", "FLAG", "OPT":
			if flags := ruleFlags(r.text, at); len(flags) > 0 {
				for _, f := range flags {
					n.AddFlag(f)
				}
				continue
			}
		}
		vs := r.words()
		for _, a := range n.Args {
			if strings.EqualFold(a.Name, r.name) && len(a.Values) == 0 {
				a.Values = vs
			}
		}
		for _, f := range n.Flags {
			if f.Metavar == r.name && len(f.Values) == 0 {
				f.Values, f.ValuesAt = vs, at
			}
		}
	}
}

// words are the words of a rule that is nothing but choices, "{ a | b }"; those in
// capitals are other rules.
func (r *rule) words() []draft.Value {
	if r.text == "" || balanced(r.text, 0) != len(r.text) {
		return nil
	}
	var out []draft.Value
	for w := range strings.SplitSeq(r.text[1:len(r.text)-1], "|") {
		switch w = strings.TrimSpace(w); {
		case literal(w) && !capitals(w):
			out = append(out, draft.Value{Text: w})
		case !capitals(w):
			return nil
		}
	}
	return out
}

// ruleFlags reads "{ -V[ersion] | -f[amily] { inet | link } | -n[etns] name }".
func ruleFlags(text string, at draft.Place) []*draft.Flag {
	if text == "" || balanced(text, 0) != len(text) {
		return nil
	}
	var out []*draft.Flag
	for _, part := range alternatives(text[1 : len(text)-1]) {
		if part == "" || part[0] != '-' {
			continue
		}
		word, value, _ := strings.Cut(part, " ")
		f := &draft.Flag{Names: abbreviated(word), Arity: draft.None, ArityAt: at, At: []draft.Place{at}}
		if len(f.Names) == 0 {
			continue
		}
		if value = strings.TrimSpace(value); value != "" {
			f.Arity, f.Metavar = draft.Required, bareMetavar(value)
			if f.Values = choices(strings.ReplaceAll(value, " ", "")); value[0] == '[' {
				f.Arity = draft.Optional
			}
			f.ValuesAt = at
			f.Kind = kindOf(f)
		}
		out = append(out, f)
	}
	return out
}

// alternatives splits at the bars that stand in no bracket.
func alternatives(s string) []string {
	var out []string
	depth, from := 0, 0
	for i := range len(s) {
		switch s[i] {
		case '[', '{', '(', '<':
			depth++
		case ']', '}', ')', '>':
			depth--
		case '|':
			if depth == 0 {
				out = append(out, strings.TrimSpace(s[from:i]))
				from = i + 1
			}
		}
	}
	return append(out, strings.TrimSpace(s[from:]))
}

// abbreviated are the names that "-s[tatistics]" stands for, the short one and
// the whole one.
func abbreviated(word string) []string {
	_, name, n := scanName(word)
	if n == 0 {
		return nil
	}
	if tail := word[n:]; len(tail) > 2 && tail[0] == '[' && tail[len(tail)-1] == ']' && nameLen(tail[1:]) == len(tail)-2 {
		return []string{name, name + tail[1:len(tail)-1]}
	}
	if n != len(word) {
		return nil
	}
	return []string{name}
}
