package help

import (
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
)

// readText takes facts out of an option's text: type, default, choices, marks.
func readText(f *draft.Flag, text string, r *row, at draft.Place) {
	low, whole := strings.ToLower(bare(text)), text
	if t := typed(text); t != draft.Unsaid {
		if f.Arity == draft.Unsaid {
			f.Arity, f.ArityAt = t, at
		}
		text = strings.TrimLeft(text[strings.IndexAny(text, ")]")+1:], " ")
	}
	if f.Arity == draft.Unsaid {
		f.Arity = typeMark(low)
		f.ArityAt = at
	}
	if f.Arity == draft.Unsaid && r != nil {
		f.Arity = typeLine(r.body)
	}
	f.Description = sentence(text)
	f.Text = bare(text)
	f.Deprecated = f.Deprecated || strings.HasPrefix(low, "deprecated") || strings.Contains(low, "(deprecated") || strings.Contains(low, "[deprecated") || strings.HasPrefix(low, "obsolete") || saidDeprecated(f, low)
	f.Repeatable = f.Repeatable || strings.Contains(low, "may be repeated") || strings.Contains(low, "multiple times") || strings.Contains(low, "can be repeated") || strings.Contains(low, "more than once") || strings.Contains(low, "may be used several times")
	if f.Default == "" {
		f.Default = defaultOf(text)
	}
	if len(f.Values) == 0 && f.Arity != draft.None {
		if f.Values = openingList(whole); len(f.Values) < 2 {
			f.Values = listed(flowing(text))
		}
		f.Values = slices.DeleteFunc(f.Values, func(v draft.Value) bool { return v.Text == "boolean" || v.Text == "string" })
		if len(f.Values) == 0 && r != nil {
			f.Values = itemised(r)
			if len(f.Values) > 0 && f.Arity == draft.Unsaid && announces(r.Rest) {
				f.Arity, f.ArityAt = draft.Required, at
			}
		}
		if len(f.Values) == 0 && f.Arity == draft.Required {
			f.Values = aroundDefault(text, f.Default)
		}
		f.ValuesAt = at
		if len(f.Values) == 0 && r != nil {
			if f.Values = bracketRows(r.body); len(f.Values) == 0 && f.Arity != draft.Unsaid {
				if f.Values = quotedWords(text); len(f.Values) == 0 {
					f.Values = namedValues(flowing(text))
				}
			}
			if len(f.Values) == 0 {
				f.Values = quotedRows(r.body)
			}
			if len(f.Values) > 0 && f.Arity == draft.Unsaid {
				f.Arity, f.ArityAt = draft.Required, at
			}
		}
		if len(f.Values) > 0 && f.Arity == draft.Unsaid && explicit(low) {
			f.Arity, f.ArityAt = draft.Required, at
		}
	}
	if f.Arity == draft.Required && f.Repeatable && strings.Contains(low, "multiple times or ") {
		f.Arity, f.ArityAt = draft.Optional, at // "-v -v" and "--verbose=2"
	}
	f.Kind = kindOf(f)
	for _, name := range otherNames(f.Text) {
		if !f.Has(name) {
			f.Names = append(f.Names, name)
		}
	}
}

// otherNames are the names that an option's text gives beside those of its row:
// "(Alias: --x)", "[aliases: --x, -y]".
func otherNames(text string) []string {
	var out []string
	low := strings.ToLower(text)
	if before, _, ok := strings.Cut(text, " also accepted)"); ok {
		for w := range strings.FieldsSeq(strings.ReplaceAll(before[strings.LastIndexByte(before, '(')+1:], ",", " ")) {
			if _, name, n := scanName(w); n == len(w) {
				out = append(out, name)
			}
		}
	}
	for _, lead := range []string{"(alias: ", "(aliases: ", "[alias: ", "[aliases: ", "[short aliases: ", "[short alias: "} {
		i := strings.Index(low, lead)
		if i < 0 {
			continue
		}
		rest := text[i+len(lead):]
		end := strings.IndexAny(rest, "])")
		if end < 0 {
			continue
		}
		rest = rest[:end]
		for w := range strings.FieldsFuncSeq(rest, func(r rune) bool { return r == ' ' || r == ',' || r == '|' }) {
			w = strings.Trim(w, "'`\"")
			if w == "" || w[0] != '-' {
				if !strings.HasPrefix(lead, "[") || nameLen(w) != len(w) || w == "" {
					break
				}
				w = "--" + w // clap leaves the dashes out
				if strings.HasPrefix(lead, "[short") {
					w = w[1:]
				}
			}
			if _, name, n := scanName(w); n == len(w) {
				out = append(out, name)
			}
		}
	}
	return out
}

// typeMark is the arity that a mark at the end of the text tells, "[string]".
func typeMark(low string) draft.Arity {
	if _, def, ok := strings.Cut(low, "); default: "); ok && low[0] == '(' { // Abseil's flags
		if word, _, _ := strings.Cut(def, ";"); word == "true" || word == "false" {
			return draft.None
		}
		return draft.Required
	}
	if strings.Contains(low, "(defaults to \"") { // Dart's: a switch is on or off, without quotes
		return draft.Required
	}
	for _, m := range []string{"[string]", "[number]", "[array]", "[choices:", "(string)", "type: string default:", "type: int32 default:", "type: int64 default:", "type: uint32 default:", "type: uint64 default:", "type: double default:"} {
		if strings.Contains(low, m) {
			return draft.Required
		}
	}
	return draft.Unsaid
}

// typeLine is the arity that a line of its own tells, "type: boolean" or
// "one of: a, b".
func typeLine(body []Line) draft.Arity {
	for i, l := range body {
		kind, is := strings.CutPrefix(l.Text, "type: ")
		switch {
		case strings.HasPrefix(l.Text, "one of: "), is && (kind == "string" || kind == "number" || kind == "list"):
			return draft.Required
		case is && kind == "boolean":
			return draft.None
		case strings.HasPrefix(l.Text, "Default: ") && i+1 == len(body) && !strings.Contains(l.Text[9:], " "):
			if strings.HasSuffix(l.Text, ": true") || strings.HasSuffix(l.Text, ": false") {
				return draft.None
			}
			return draft.Required
		}
	}
	return draft.Unsaid
}

// explicit reports whether the text names a list of choices in so many words.
func explicit(low string) bool {
	return strings.Contains(low, "possible values:") || strings.Contains(low, "choices:")
}

// sentence is the first sentence of a text, at most 200 bytes.
func sentence(text string) string {
	text = strings.Join(strings.Fields(bare(text)), " ")
	if i := strings.Index(text, ". "); i > 15 {
		text = text[:i]
	}
	if len(text) > 200 {
		cut := strings.LastIndexByte(text[:200], ' ')
		if cut < 100 {
			cut = 200
		}
		text = strings.ToValidUTF8(text[:cut], "")
	}
	text = strings.TrimSpace(text)
	if n := len(text); n > 1 && text[n-1] == '.' && text[n-2] != ' ' && text[n-2] != '.' {
		return text[:n-1]
	}
	return text
}

// defaultOf finds "(default: x)", "[default x]", "defaults to x".
func defaultOf(text string) string {
	low := strings.ToLower(text)
	for _, m := range []string{"[default: ", "(default: ", "(default ", "[default ", "default=", "[default:", "(default:", "default is ", "defaults to ", "default value is "} {
		i := strings.Index(low, m)
		if i < 0 || i+len(m) >= len(text) {
			continue
		}
		rest := text[i+len(m):]
		end := len(rest)
		if m[0] == '[' || m[0] == '(' {
			if j := strings.IndexAny(rest, "])"); j >= 0 {
				end = j
			}
		} else {
			if j := strings.IndexAny(rest, " ,;)"); j >= 0 {
				end = j
			}
		}
		d := strings.Trim(rest[:end], " '\"`.")
		if d != "" && len(d) <= 80 {
			return d
		}
	}
	return ""
}
