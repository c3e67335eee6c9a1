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
		switch word, _, _ := strings.Cut(def, ";"); word {
		case "true", "false":
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

// leads are the words before a list of choices in running text.
func leads() []string {
	return []string{"possible values:", "possible values are", "[choices:", "choices:", "(choices:", "one of:", "one of the following:", "is one of", "be one of", "valid values:", "legal values", "permitted values:", "recognized values:", "supported values are", "possible choices:", "valid values are", "valid choices are", "accepts values of", "allowed values:", "allowed values are", "supported values:", "accepted values:", "accepted values are", "available:", "valid arguments are", "valid words are:", "must be one of", "values are:", "can be either", "must be either", "may be either", "is either", "can be any of", "one of", "either", "must be", "can be", "may be", " is '", " is \"", " is \x03", " are \x03", "values:", "supported:", "options:", "are:", "modes:", "formats:", "levels:", "(", "[", "valid options are", "available options are", "allowed:", "set to", "types:"}
}

// aroundDefault finds choices that stand in brackets and nothing else with them,
// "(debug, info, error)": the default is one of them.
func aroundDefault(text, def string) []draft.Value {
	for def != "" {
		_, after, ok := strings.Cut(text, "(")
		if !ok {
			return nil
		}
		text = after
		in, _, ok := strings.Cut(after, ")")
		if !ok || strings.Count(in, ", ") < 2 {
			continue
		}
		var out []draft.Value
		found := false
		for w := range strings.SplitSeq(in, ",") {
			w = strings.Trim(strings.TrimPrefix(strings.TrimSpace(w), "or "), "[]")
			if !literal(w) {
				out = nil
				break
			}
			found = found || w == def
			out = append(out, draft.Value{Text: w})
		}
		if found && len(out) > 2 {
			return out
		}
	}
	return nil
}

// listed finds a list of choices in running text.
func listed(text string) []draft.Value {
	if len(text) > 1200 && !explicit(strings.ToLower(text)) {
		text = text[:1200]
	}
	if first, _, ok := strings.Cut(text, " | "); ok && literal(first) { // "info | warn | error"
		if vs := wordsOf(text, true); len(vs) > 1 {
			return vs
		}
	}
	low := strings.ToLower(text)
	for _, lead := range leads() {
		for from := 0; from < len(low); {
			i := strings.Index(low[from:], lead)
			if i < 0 {
				break
			}
			begin := from + i
			at := begin + len(lead)
			if lead[0] == ' ' {
				at--
			}
			from = at
			if at > len(text) {
				break
			}
			if begin > 0 && lead[0] != ' ' && alnum(low[begin-1]) {
				continue // "wee(ds|ps)", "neither"
			}
			strict := lead == "(" || lead == "[" || lead == "either" || lead == "must be" || lead == "can be" || lead == "may be" || lead == "set to" || lead == "are:" || lead == "options:" || lead[0] == ' ' || lead == "is either"
			if vs := wordsOf(text[at:], strict); len(vs) > 1 {
				return vs
			}
			if vs := blankList(text[at:]); strings.HasSuffix(lead, "one of") && len(vs) > 1 {
				return vs
			}
			if vs := pairOf(text[at:]); (strings.HasSuffix(lead, "values:") || strings.HasSuffix(lead, "values are")) && len(vs) > 1 {
				return vs
			}
		}
	}
	if vs := quotedBar(beforeExample(text)); len(vs) > 1 {
		return vs
	}
	if vs := listBehindColon(text); len(vs) > 1 {
		return vs
	}
	return quotedClauses(text)
}

// wordsOf reads words that are separated by commas, bars, slashes and "or" at
// the start of s. With strict, plain words need bars or quotes around them.
func wordsOf(s string, strict bool) []draft.Value {
	var out []draft.Value
	quoted, bars := 0, 0
	s = strings.TrimLeft(s, " :([{")
	for len(out) < 200 {
		s = strings.TrimLeft(s, " ([{")
		for _, w := range []string{"or ", "and ", "either ", "the ", "also "} {
			s = strings.TrimPrefix(s, w)
		}
		w, rest, q := oneWord(s)
		if w == "" || !literal(w) {
			break
		}
		if tail, after, ok := strings.Cut(rest, "]"); ok && !q && len(tail) > 1 && tail[0] == '[' && nameLen(tail[1:]) == len(tail)-1 {
			w, rest = w+tail[1:], after // "q[uiet], n[ormal]"
		}
		if q {
			quoted++
		}
		out = append(out, draft.Value{Text: w})
		s = strings.TrimLeft(rest, " ")
		// A remark in brackets, "(default)".
		if strings.HasPrefix(s, "(") && len(out) > 0 {
			if end := balanced(s, 0); end > 0 {
				s = strings.TrimLeft(s[end:], " ")
			}
		}
		switch {
		case strings.HasPrefix(s, ", "), strings.HasPrefix(s, ",'"), strings.HasPrefix(s, ",") && len(s) > 1:
			s = s[1:]
		case strings.HasPrefix(s, "|"), strings.HasPrefix(s, "/"):
			bars++
			s = s[1:]
		case strings.HasPrefix(s, "or "):
			s = s[3:]
		case strings.HasPrefix(s, "and ") && len(out) > 1:
			s = s[4:]
		default:
			if !ends(s) && !(quoted == len(out)) && !strict {
				// The last "word" runs on as text: not a list.
				if len(out) < 3 {
					return nil
				}
			}
			return accept(out, quoted, bars, strict, ends(s))
		}
	}
	return accept(out, quoted, bars, strict, true)
}

func ends(s string) bool {
	return s == "" || strings.IndexByte(".])}>;(,", s[0]) >= 0
}

func accept(out []draft.Value, quoted, bars int, strict, ended bool) []draft.Value {
	if len(out) < 2 || strict && quoted < len(out) && (bars < len(out)-1 || !ended) {
		return nil
	}
	kinds := 0
	for _, v := range out {
		if kindWord(v.Text) {
			kinds++
		}
	}
	if kinds == len(out) && quoted == 0 || units(out) {
		return nil
	}
	return out
}

// oneWord cuts a word off s, quoted or plain.
func oneWord(s string) (w, rest string, quoted bool) {
	if s == "" {
		return "", "", false
	}
	if c := s[0]; c == Open || c == OpenBold {
		if end := strings.IndexByte(s, c+1); end > 0 {
			return s[1:end], s[end+1:], true
		}
	}
	if c := s[0]; c == '\'' || c == '"' || c == '`' {
		closing := string(c)
		if c == '`' {
			closing = "`'"
		}
		end := strings.IndexAny(s[1:], closing)
		if end < 1 {
			return "", "", false
		}
		return strings.TrimRight(s[1:1+end], ",."), s[end+2:], true
	}
	end := strings.IndexAny(s, " ,|/)]}>;([")
	if end < 0 {
		end = len(s)
	}
	w = s[:end]
	if t := strings.TrimRight(w, "."); t != w {
		return t, "." + s[end:], false
	}
	return w, s[end:], false
}

// quotedBar finds "a|b|c" anywhere in a text.
func quotedBar(text string) []draft.Value {
	for w := range strings.FieldsSeq(text) {
		w = strings.Trim(w, "().,;:[]{}<>'\"")
		if strings.Count(w, "|") >= 1 {
			if vs := choices(w); len(vs) > 1 {
				return vs
			}
		}
	}
	return nil
}

// itemised reads choices from the lines below an option: marked items,
// "- allow:  text" and "o json", or rows of word and text.
func itemised(r *row) []draft.Value {
	var out []draft.Value
	announced := false
	for _, l := range r.body {
		low := strings.ToLower(l.Text)
		if strings.HasSuffix(low, ":") && (strings.Contains(low, "value") || strings.Contains(low, "one of") || strings.Contains(low, "choice") || strings.Contains(low, "are") || strings.Contains(low, "following")) {
			announced = true
			continue
		}
		for _, mark := range []string{"- ", "o ", "* ", "• "} {
			after, ok := strings.CutPrefix(l.Text, mark)
			if !ok {
				continue
			}
			name, text, _ := strings.Cut(after, ":")
			if n, t, ok := strings.Cut(after, " - "); ok && len(n) < len(name) {
				name, text = n, t
			}
			name = strings.Trim(strings.TrimSpace(name), "'\"`\x01\x02\x03\x04")
			if n, t, ok := strings.Cut(name, " "); ok && !announced {
				_ = t
				if strings.TrimLeft(t, " -") != t {
					name = n
				}
			}
			if literal(name) && !strings.Contains(name, " ") {
				out = append(out, draft.Value{Text: name, Description: sentence(text)})
			}
		}
	}
	if len(out) < 2 {
		return listedBelow(r)
	}
	return out
}

// listedBelow reads choices that stand in rows of their own below the line that
// announces them, each with its text beside or beneath it.
func listedBelow(r *row) []draft.Value {
	if strings.HasSuffix(r.Rest, " to use:") {
		if out, _ := valueRows(r.body); len(out) > 1 {
			return out
		}
	}
	for i, l := range r.body {
		lead := l.Text
		if i > 0 && r.body[i-1].Text != "" {
			lead = r.body[i-1].Text + " " + lead // "The possible values" stands above "are:"
		} else if i == 0 {
			lead = r.Rest + " " + lead
		}
		if l.Text == "" || !announces(lead) {
			continue
		}
		if out, at := valueRows(r.body[i+1:]); len(out) > 1 && at >= l.Indent {
			return out
		}
	}
	return nil
}

// announces reports whether a line ends by saying that choices follow.
func announces(line string) bool {
	low := strings.ToLower(line)
	if !strings.HasSuffix(low, ":") {
		return false
	}
	for _, s := range []string{"one of:", "one of the following", "values:", "values are:", "choices are:", "following values", "options are:", "choices:", "be either:", "can be:", "modes are:", "is one of", "allowed values", "possible values"} {
		if strings.Contains(low, s) {
			return true
		}
	}
	return false
}

// valueRow reads a row that holds a word as it is typed, alone or with its text
// set apart: "auto   choose by the terminal", "'f' or 'file':  regular files".
func valueRow(line string) (word, text string, ok bool) {
	word, rest, quoted := oneWord(strings.TrimPrefix(line, "- "))
	rest = strings.TrimLeft(rest, ":")
	if !literal(word) || quoted && rest != "" && alnum(rest[0]) {
		return "", "", false
	}
	body := strings.TrimLeft(rest, " ")
	switch {
	case body == "":
		return strings.TrimSuffix(word, ":"), "", true
	case len(rest)-len(body) > 1, strings.HasPrefix(body, "- "), strings.HasPrefix(body, "-- "), strings.HasPrefix(body, ": "), strings.HasPrefix(body, "= "), strings.HasSuffix(word, ":"), strings.HasPrefix(body, "or '"), body[0] == '(':
		return strings.TrimSuffix(word, ":"), strings.TrimLeft(body, "-:= "), true
	}
	return "", "", false
}
