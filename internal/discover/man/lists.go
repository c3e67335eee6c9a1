package man

import (
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
	"github.com/tool-mapping-protocol/tmp/internal/discover/help"
)

// Bounds of a list of values.
const (
	minListed = 2
	maxListed = 120
)

// listedValues gives options and arguments the values that the page lists as
// paragraphs of their own, each a word with a text about it below:
//
//	-m, --mode mode             UNIT options:
//	    Valid values are:         none
//	    standby                       no scaling is done
//	        ACPI state S1         si
//	    mem                           accept a suffix
//	        ACPI state S3
func listedValues(n *draft.Node, lines []help.Line) {
	for i := range lines {
		l := &lines[i]
		switch {
		case l.Text == "":
		case l.Tag && l.Text[0] == '-':
			if f := flagOfTag(n, l.Text); f != nil && f.Arity != draft.None && len(f.Values) == 0 {
				f.Values = nested(lines[i+1:], l.Indent)
			}
		case strings.HasPrefix(l.Text, "where ") && strings.Contains(l.Text, "|"):
			if name, list, ok := strings.Cut(plain(l.Text[len("where "):]), " = "); ok {
				named(n, name+" is", barred(list))
			}
		case strings.HasSuffix(l.Text, ":") && len(l.Text) < 200:
			if list := nested(lines[i+1:], l.Indent-listStep); list != nil {
				named(n, plain(l.Text), list)
			}
		}
	}
}

// barred are the words of "start|stop|restart", nil if there is anything else.
func barred(list string) []draft.Value {
	var out []draft.Value
	for w := range strings.SplitSeq(list, "|") {
		word, ok := loneWord(strings.TrimSpace(w))
		if !ok {
			return nil
		}
		out = append(out, draft.Value{Text: word})
	}
	return enough(out)
}

// flagOfTag is the option that a tag names.
func flagOfTag(n *draft.Node, tag string) *draft.Flag {
	name := strings.TrimLeft(plain(tag), " ")
	if end := strings.IndexAny(name, " =,[<"); end > 0 {
		name = name[:end]
	}
	for _, f := range n.Flags {
		if slices.Contains(f.Names, name) {
			return f
		}
	}
	return nil
}

// nested returns the words of the list that stands first below a line of an
// indent, nil if there is none. A sentence that leads to values has to come first,
// unless the line was one.
func nested(lines []help.Line, indent int) []draft.Value {
	var found []draft.Value
	at, led := -1, false
	for i := range lines {
		l := &lines[i]
		switch {
		case l.Text == "":
			continue
		case l.Head, l.Indent <= indent:
			return enough(found)
		}
		word, alone := loneWord(l.Text)
		below := under(lines[i+1:], l.Indent)
		switch {
		case at < 0 && !led && !alone:
			led = leads(l.Text)
		case at < 0 && alone && below != nil:
			at = l.Indent
			found = append(found, draft.Value{Text: word, Description: short(below.Text)})
		case at >= 0 && l.Indent > at:
		case at >= 0 && l.Indent == at && alone && len(found) < maxListed:
			if below != nil {
				found = append(found, draft.Value{Text: word, Description: short(below.Text)})
			}
		case at >= 0:
			return enough(found)
		}
	}
	return enough(found)
}

func enough(found []draft.Value) []draft.Value {
	if len(found) < minListed {
		return nil
	}
	return found
}

// under is the line of text that follows and is deeper, nil if there is none.
func under(lines []help.Line, indent int) *help.Line {
	for i := range lines {
		if lines[i].Text != "" {
			if lines[i].Indent > indent && !lines[i].Head {
				return &lines[i]
			}
			return nil
		}
	}
	return nil
}

// leads reports whether a sentence announces values.
func leads(text string) bool {
	low := strings.ToLower(plain(text))
	for _, s := range [...]string{"value", "following", "one of", "supported", "can be", "may be", "method", "mode", "format", "type", "level", "accept", "either"} {
		if strings.Contains(low, s) {
			return true
		}
	}
	return false
}

// loneWord is a paragraph that is one word as it may be typed.
func loneWord(text string) (string, bool) {
	word := strings.Trim(plain(text), `"'`)
	if word == "" || len(word) > 40 || strings.Contains(text, string(help.Open)) || word[0] == '-' || word[0] == '.' {
		return "", false
	}
	lower := false
	for _, r := range word {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			lower = true
		case r >= 'A' && r <= 'Z' || r == '-' || r == '_' || r == '.' || r == '+':
		default:
			return "", false
		}
	}
	return word, lower
}

// named gives a list to the options whose value, or to the argument, that a title
// names: "UNIT options:", "The database may be any of those …:".
func named(n *draft.Node, title string, list []draft.Value) {
	fields := strings.Fields(strings.TrimPrefix(title, "The "))
	if len(fields) < 2 {
		return
	}
	name := fields[0]
	upper := strings.ToUpper(name) == name && len(name) > 1
	for _, f := range n.Flags {
		if upper && f.Arity != draft.None && len(f.Values) == 0 && strings.EqualFold(f.Metavar, name) {
			f.Values = list
		}
	}
	if !upper && !(fields[1] == "may" || fields[1] == "can" || fields[1] == "is" || fields[1] == "must") {
		return
	}
	for i := range n.Args {
		if a := n.Args[i]; strings.EqualFold(a.Name, name) && len(a.Values) == 0 {
			a.Values = list
		}
	}
}

// plain is a text without the marks of words.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		if r == help.Open || r == help.Close || r == openBold || r == closeBold {
			return -1
		}
		return r
	}, text)
}

// short is the beginning of a description.
func short(text string) string {
	text = plain(text)
	if end := strings.Index(text, ". "); end > 0 {
		text = text[:end]
	}
	if len(text) > 80 {
		cut := strings.LastIndexByte(text[:80], ' ')
		text = text[:max(cut, 1)]
	}
	return strings.TrimRight(text, ".,;: ")
}
