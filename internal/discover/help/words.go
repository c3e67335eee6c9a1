package help

import (
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
)

// choices are the words of a value that lists them: "{a,b}", "<a|b>", "a|b".
func choices(metavar string) []draft.Value {
	s := strings.TrimSuffix(bare(metavar), "...")
	braces := false
	for len(s) > 1 && (s[0] == '<' || s[0] == '[' || s[0] == '{' || s[0] == '(') && balanced(s, 0) == len(s) {
		braces = braces || s[0] == '{'
		s = strings.TrimPrefix(s[1:len(s)-1], "=")
	}
	sep := "|"
	if braces && !strings.Contains(s, "|") {
		sep = ","
	}
	switch s {
	case "on/off", "yes/no", "true/false":
		sep = "/"
	}
	if !strings.Contains(s, sep) || len(s) > 2000 {
		return nil
	}
	var out []draft.Value
	kinds := 0
	for w := range strings.SplitSeq(s, sep) {
		w = strings.Trim(strings.TrimSpace(w), "'\"`")
		if !literal(w) || strings.Trim(w, ".") == "" {
			return nil
		}
		if kindWord(w) {
			kinds++
		}
		out = append(out, draft.Value{Text: w})
	}
	if units(out) {
		return nil
	}
	if len(out) < 2 || !braces && (kinds == len(out) || kinds > 0 && len(out) == 2) {
		return nil
	}
	return out
}

// units reports whether words are units of time or size: what may follow a
// number, not values.
func units(vs []draft.Value) bool {
	for _, v := range vs {
		if !inTable("units", v.Text) {
			return false
		}
	}
	return len(vs) > 0
}

// literal reports whether a word may be typed as it is printed.
func literal(w string) bool {
	if w == "" || len(w) > 40 {
		return false
	}
	for i := range len(w) {
		if c := w[i]; !alnum(c) && strings.IndexByte("_-.+:/@#%*=", c) < 0 {
			return false
		}
	}
	return alnum(w[0])
}

// kindWord reports whether a word names a kind of value and is not one.
func kindWord(w string) bool {
	return inTable("kinds of values", strings.ToLower(w)) || len(w) == 1 && upper(w[0])
}
