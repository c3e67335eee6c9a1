package help

import (
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
)

// bracketRows reads choices that stand in brackets at the start of rows below an
// option, "[auto] (default)   choose by the terminal".
func bracketRows(body []Line) []draft.Value {
	var out []draft.Value
	for _, l := range body {
		in, text, ok := strings.Cut(strings.TrimPrefix(l.Text, "["), "]")
		if vs := wordsOf(in, false); strings.HasPrefix(l.Text, "[") && text == "" && len(vs) > 1 && strings.Contains(in, ", ") {
			return vs // "[expanded (default), compressed]"
		}
		if !strings.HasPrefix(l.Text, "[") || !ok || !literal(in) || text != "" && text[0] != ' ' {
			continue
		}
		out = append(out, draft.Value{Text: in, Description: sentence(strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(text), "(default)")))})
	}
	if len(out) < 2 {
		return nil
	}
	return out
}

// quotedRows reads choices that stand in quotes at the start of rows below an
// option: "'auto' (default): by the terminal", "'always' or 'yes': always".
func quotedRows(body []Line) []draft.Value {
	var out []draft.Value
	for _, l := range body {
		head, text, ok := strings.Cut(l.Text, ":")
		if !ok || len(head) < 3 || head[0] != '\'' && head[0] != '"' && head[0] != '`' {
			continue
		}
		for rest := head; rest != ""; {
			w, after, quoted := oneWord(strings.TrimPrefix(rest, "or "))
			if !quoted || !literal(w) {
				break
			}
			out = append(out, draft.Value{Text: w, Description: sentence(strings.TrimSpace(text))})
			rest = strings.TrimLeft(after, " ,")
		}
	}
	if len(out) < 2 {
		return nil
	}
	return out
}

// blankList reads choices that blanks part, in brackets: "[status scale]".
func blankList(s string) []draft.Value {
	s = strings.TrimLeft(s, " :")
	end := strings.IndexByte(s, ']')
	if end < 3 || s[0] != '[' || strings.ContainsAny(s[1:end], ",|") {
		return nil
	}
	var out []draft.Value
	for w := range strings.FieldsSeq(s[1:end]) {
		if !literal(w) {
			return nil
		}
		out = append(out, draft.Value{Text: w})
	}
	return out
}

// pairOf reads two choices after which the text runs on: "xml, plain for the
// two loggers".
func pairOf(s string) []draft.Value {
	a, rest, ok := strings.Cut(strings.TrimLeft(s, " "), " ")
	a, comma := strings.CutSuffix(a, ",")
	if !comma {
		_, rest, ok = strings.Cut(rest, " ")
		ok = ok && (strings.HasPrefix(s, " "+a+" and ") || strings.HasPrefix(s, " "+a+" or "))
	}
	b, _, _ := strings.Cut(rest, " ")
	b = strings.TrimRight(b, ".,;")
	if !ok || !literal(a) || !literal(b) || kindWord(a) || kindWord(b) {
		return nil
	}
	return []draft.Value{{Text: a}, {Text: b}}
}

// openingList reads choices that a text begins with: "on, off, or auto
// (default: auto)", "[boolean | \"oxc\" | \"terser\"] minify".
func openingList(text string) []draft.Value {
	if end := strings.IndexByte(text, ']'); end > 0 && text[0] == '[' && strings.Contains(text[:end], " | \"") {
		var out []draft.Value
		for w := range strings.SplitSeq(text[1:end], " | ") {
			if in := strings.Trim(w, "\""); in != w && literal(in) {
				out = append(out, draft.Value{Text: in})
			}
		}
		return out
	}
	list, rest, ok := strings.Cut(text, ", or ")
	if !ok || list == "" || !lower(list[0]) && !digit(list[0]) {
		return nil
	}
	last, _, _ := strings.Cut(rest, " (")
	var out []draft.Value
	for w := range strings.SplitSeq(list+", "+strings.TrimSuffix(last, "."), ", ") {
		if !literal(w) || kindWord(w) {
			return nil
		}
		out = append(out, draft.Value{Text: w})
	}
	return out
}

// valueRows reads choices in rows of their own, up to the first line that is
// none, and where the rows begin. Rows of which each names a kind of value are
// no choices.
func valueRows(lines []Line) (out []draft.Value, at int) {
	at = -1
	defer func() {
		if !slices.ContainsFunc(out, func(v draft.Value) bool { return !kindWord(v.Text) }) {
			out = nil
		}
	}()
	for _, b := range lines {
		if b.Text == "" {
			continue
		}
		if at < 0 {
			at = b.Indent
		}
		if b.Indent > at && len(out) > 0 {
			if v := &out[len(out)-1]; v.Description == "" {
				v.Description = sentence(b.Text)
			}
			continue
		}
		word, text, ok := valueRow(b.Text)
		if b.Indent < at || !ok {
			break
		}
		out = append(out, draft.Value{Text: word, Description: sentence(text)})
	}
	return out, at
}

// flowing is a text that was set in justified lines, with one blank between its
// words and without the dashes that cut words at the ends of lines.
func flowing(text string) string {
	if !strings.Contains(text, "  ") {
		return text
	}
	text = strings.Join(strings.Fields(text), " ")
	if !strings.Contains(text, "- ") {
		return text
	}
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		if text[i] == '-' && i > 0 && alnum(text[i-1]) && i+2 < len(text) && text[i+1] == ' ' && (lower(text[i+2]) || upper(text[i+2]) && upper(text[i-1])) {
			i++
			continue
		}
		out = append(out, text[i])
	}
	return string(out)
}

// namedValues reads the words that a text calls values one after the other:
// "with the value input, … with the value output".
func namedValues(text string) []draft.Value {
	var out []draft.Value
	for _, part := range strings.Split(text, " the value ")[1:] {
		w, _, _ := oneWord(part)
		if literal(w) && !kindWord(w) && !slices.ContainsFunc(out, func(v draft.Value) bool { return v.Text == w }) {
			out = append(out, draft.Value{Text: w})
		}
	}
	if len(out) < 2 || slices.ContainsFunc(out, func(v draft.Value) bool { return stopWord(v.Text) }) {
		return setTo(text)
	}
	return out
}

// setTo reads the words in quotes of which sentences say that the option is set to
// them: "Set this to 'basic' to …. Set it to 'full' to …".
func setTo(text string) []draft.Value {
	var out []draft.Value
	low := strings.ToLower(text)
	for from := 0; ; {
		i := strings.Index(low[from:], "set ")
		if i < 0 {
			break
		}
		from += i + len("set ")
		rest := text[from:]
		for _, it := range []string{"this ", "it ", "to "} {
			rest = strings.TrimPrefix(rest, it)
		}
		if w, _, quoted := oneWord(rest); quoted && literal(w) && !slices.ContainsFunc(out, func(v draft.Value) bool { return v.Text == w }) {
			out = append(out, draft.Value{Text: w})
		}
	}
	if len(out) < 3 {
		return nil
	}
	return out
}

// stopWord reports whether a word of running text is no value.
func stopWord(w string) bool { return inTable("words of running text", w) }

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
	if strings.HasSuffix(r.Rest, ":") {
		if out, _ := valueRows(r.body); len(out) > 1 && (strings.HasSuffix(r.Rest, " to use:") || allTold(out, r.body)) {
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

// allTold reports whether every row below a text that ends in a colon is a value
// with its own text.
func allTold(values []draft.Value, body []Line) bool {
	rows := 0
	for _, l := range body {
		if l.Text != "" {
			rows++
		}
	}
	return rows == len(values) && !slices.ContainsFunc(values, func(v draft.Value) bool { return v.Description == "" })
}

// announces reports whether a line ends by saying that choices follow.
func announces(line string) bool {
	low := strings.ToLower(line)
	if !strings.HasSuffix(low, ":") {
		return false
	}
	for _, s := range table("announcements of choices") {
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
