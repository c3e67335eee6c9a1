package help

import (
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
)

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

// leading is what may stand before a list: of words in italics that announce it
// the mark of their end too.
const leading = " :([{\x02"

// wordsOf reads words that are separated by commas, bars, slashes and "or" at
// the start of s. With strict, plain words need bars or quotes around them.
func wordsOf(s string, strict bool) []draft.Value {
	var out []draft.Value
	quoted, bars := 0, 0
	s = strings.TrimLeft(s, leading)
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
