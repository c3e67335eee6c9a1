package help

import (
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
)

// guessValues finds values in a text that shows next to none: there an option
// takes one if its default is no yes or no, or if its text says what is given.
// A text that marks what takes no value, "[boolean]", shows the others by their
// defaults.
func guessValues(n *draft.Node) {
	shown, marked := 0, 0
	for _, f := range n.Flags {
		if f.Arity == draft.Required || f.Arity == draft.Optional {
			shown++
		}
		if strings.Contains(f.Text, "[boolean]") {
			marked++
		}
	}
	silent := len(n.Flags) > 5 && shown*20 <= len(n.Flags)
	if !silent && marked < 3 {
		return
	}
	for _, f := range n.Flags {
		if f.Arity != draft.None || len(f.At) == 0 || f.At[0].Source != draft.Help && f.At[0].Source != draft.Man || strings.Contains(f.Text, "[boolean]") || strings.Contains(f.Text, "[count]") {
			continue
		}
		if wordDefault(f.Default) || silent && givesWhat(f.Text) {
			f.Arity = draft.Required
			f.Kind = kindOf(f)
		}
	}
}

// wordDefault reports whether a default is the value of something and not of a
// switch.
func wordDefault(d string) bool {
	if strings.HasPrefix(d, "-") { // another option
		return false
	}
	switch strings.ToLower(d) {
	case "", "true", "false", "yes", "no", "on", "off", "none", "enabled", "disabled", "null", "undefined", "unset":
		return false
	}
	return !strings.Contains(d, " ")
}

// givesWhat reports whether a text begins with the thing that is given: a path,
// a number, a list.
func givesWhat(text string) bool {
	low := strings.ToLower(text)
	for _, s := range table("beginnings that say what is given") {
		if strings.HasPrefix(low, s) && strings.IndexAny(low[len(s):]+".", " (.") == 0 || strings.HasSuffix(s, "(") && strings.HasPrefix(low, s) {
			return true
		}
	}
	return false
}

// quotedClauses reads choices in quotes that each have a remark behind them:
// 'The value can be "none" to leave it alone, "all" for both, or "colors"'.
func quotedClauses(text string) []draft.Value {
	at := -1
	for _, lead := range []string{"can be \"", "may be \"", "can be '", "may be '", "either \"", "either '"} {
		if i := strings.Index(text, lead); i >= 0 && (at < 0 || i+len(lead)-1 < at) {
			at = i + len(lead) - 1
		}
	}
	if at < 0 {
		return nil
	}
	mark := text[at : at+1]
	clauses := strings.Split(strings.SplitN(text[at:], ". ", 2)[0], ", ")
	var out []draft.Value
	for i, c := range clauses {
		c = strings.TrimPrefix(strings.TrimPrefix(c, "and "), "or ")
		word, rest, ok := strings.Cut(strings.TrimPrefix(c, mark), mark)
		if !strings.HasPrefix(c, mark) || !ok || !literal(word) {
			if i == 0 {
				return nil
			}
			continue // a comma in a remark
		}
		if strings.Contains(rest, mark) {
			return nil // quotes that hold something else
		}
		out = append(out, draft.Value{Text: word})
	}
	if len(out) < 3 {
		return nil
	}
	return out
}

// holdsOption reports whether what stands in brackets begins with an option:
// "[ --informat FORMAT ]" is no value of the one before it.
func holdsOption(in string) bool {
	in = strings.TrimLeft(in, string([]byte{' ', Open, OpenBold}))
	return len(in) > 1 && in[0] == '-' && (in[1] == '-' || alnum(in[1]))
}

// saysWhat reports whether a tag's words in italics are a text and no value:
// "show files map".
func saysWhat(words string) bool {
	first, rest, _ := strings.Cut(strings.TrimLeft(words, " "), " ")
	return inTable("verbs of tags", first) && strings.Contains(strings.TrimSpace(rest), " ")
}

// saidDeprecated reports whether a text, in lower case, says that the option is
// deprecated: "this option is deprecated". One of several names that is, and a
// value or a thing that is, do not make the option so.
func saidDeprecated(f *draft.Flag, low string) bool {
	before, _, ok := strings.Cut(low, " is deprecated")
	if !ok {
		_, ok = strings.CutPrefix(low, "is deprecated")
		return ok
	}
	words := strings.Fields(before)
	if len(words) == 0 {
		return true
	}
	switch subject := strings.Trim(words[len(words)-1], "`'\"(,"); subject {
	case "option", "flag", "switch", "parameter", "argument", "this", "it", "which", "and", "command":
		return true
	default:
		return len(f.Names) == 1 && strings.EqualFold(subject, f.Names[0])
	}
}
