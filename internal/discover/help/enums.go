package help

import (
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
)

// beforeExample is a text up to where an example begins: words there are those
// of one line, not all that may stand.
func beforeExample(text string) string {
	low := strings.ToLower(text)
	for _, lead := range []string{"example", "e.g.", "for instance", "such as "} {
		if i := strings.Index(low, lead); i >= 0 {
			text, low = text[:i], low[:i]
		}
	}
	return text
}

// listBehindColon reads choices that end a text behind a colon, in brackets or
// bare, and that nothing but their default follows: "kind to use: [leaf, root]",
// "sort output by: size, used (default \"size\")".
func listBehindColon(text string) []draft.Value {
	for from := 0; ; {
		i := strings.Index(text[from:], ": ")
		if i < 0 {
			return listInBraces(text)
		}
		lead := strings.ToLower(text[max(0, from+i-40) : from+i])
		from += i + len(": ")
		if strings.HasSuffix(lead, "default") || strings.Contains(lead, "additional ") || strings.HasSuffix(lead, "example") {
			continue
		}
		list := text[from:]
		if strings.HasPrefix(list, "[") || strings.HasPrefix(list, "{") || strings.HasPrefix(list, "(") {
			if end := balanced(list, 0); end > 0 {
				list = list[1 : end-1]
			}
		} else {
			list = beforeDefault(list)
		}
		if vs := commaWords(list); len(vs) > 1 {
			return vs
		}
	}
}

// listInBraces reads choices in braces, or in square brackets that end the text
// but for the default: "output format {json, yaml} (default json)".
func listInBraces(text string) []draft.Value {
	text = " " + text
	for _, open := range []string{" {", " ["} {
		i := strings.Index(text, open)
		if i < 0 {
			continue
		}
		end := balanced(text, i+1)
		if end == 0 || open == " [" && strings.Trim(beforeDefault(text[end:]), " .") != "" {
			continue
		}
		if vs := commaWords(text[i+2 : end-1]); len(vs) > 1 && !slices.ContainsFunc(vs, func(v draft.Value) bool { return digit(v.Text[0]) }) {
			return vs
		}
	}
	return nil
}

// beforeDefault is a text up to the words that tell the default.
func beforeDefault(text string) string {
	low := strings.ToLower(text)
	for _, lead := range []string{" (default", " [default", ". default", "; default", ", default", " default:", " default is"} {
		if i := strings.Index(low, lead); i >= 0 && !strings.HasPrefix(low[i:], " (default),") {
			text, low = text[:i], low[:i]
		}
	}
	return strings.TrimRight(text, " .")
}

// commaWords are the words of a list that is nothing but words with commas
// between them, one of them perhaps in brackets or marked as the default.
func commaWords(list string) []draft.Value {
	if len(list) > 2000 || !strings.Contains(list, ",") {
		return nil
	}
	var out []draft.Value
	kinds := 0
	list = strings.ReplaceAll(strings.ReplaceAll(list, ", or ", ", "), " or ", ", ")
	for w := range strings.SplitSeq(list, ",") {
		w = strings.TrimSpace(w)
		for _, lead := range []string{"or ", "and "} {
			w = strings.TrimPrefix(w, lead)
		}
		w = strings.TrimSpace(strings.TrimSuffix(w, "(default)"))
		w = strings.Trim(w, "[]'\"`")
		if !literal(w) {
			return nil
		}
		if kindWord(w) {
			kinds++
		}
		if !slices.ContainsFunc(out, func(v draft.Value) bool { return v.Text == w }) {
			out = append(out, draft.Value{Text: w})
		}
	}
	if len(out) < 2 || kinds == len(out) || units(out) {
		return nil
	}
	return out
}
