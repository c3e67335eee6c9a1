package help

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
)

// unspaced reports whether a word is a sentence in a script that puts no blanks
// between words.
func unspaced(word string) bool {
	wide := 0
	for _, r := range word {
		if r >= 0x2e80 && r < 0xa000 || r >= 0xff00 && r < 0xfff0 {
			wide++
		}
	}
	return wide > 10 || wide > 0 && strings.ContainsAny(word, "、。，：；")
}

// foreignNumber is ParseSpec for a row that begins with "-NUM" in another script,
// "-ЧИСЛО, --columns=ЧИСЛО".
func foreignNumber(row string, column int, beneath, tag bool) (Spec, bool) {
	if len(row) < 3 || row[1] < 0x80 {
		return Spec{}, false
	}
	first, rest, _ := strings.Cut(row, ", ")
	if !strings.HasPrefix(rest, "-") || strings.Contains(first, " ") || !utf8.ValidString(first) || !strings.Contains(rest, first[1:]) {
		return Spec{}, false
	}
	s, ok := ParseSpec(rest, column-(len(row)-len(rest)), beneath, tag)
	s.Numeric = true
	return s, ok
}

// optionsWord reports whether a word of a usage line stands for all options.
func optionsWord(w string) bool { return inTable("words for all options", strings.ToLower(w)) }

// ownNumber reports whether a name in capitals is the row's own value, so that it
// stands for a number: "-SPALTEN, --columns=SPALTEN", "-ANZAHL  wie
// --context=ANZAHL".
func ownNumber(name, text string) bool {
	return len(name) > 3 && !draft.Long(name) && name == strings.ToUpper(name) && (strings.Contains(text, "="+name[1:]) || strings.Contains(text, "=["+name[1:]))
}

// quotedWords reads choices in quotes from a text in any language: what stands
// between them is a comma, one short word, or both.
func quotedWords(text string) []draft.Value {
	for text != "" {
		i := strings.IndexAny(text, "'\"`")
		if i < 0 || partOfWord(text[:i]) {
			return nil
		}
		before := text[:i]
		text = text[i:]
		var out []draft.Value
		pairs := 0 // words that only "or" connects
		for {
			w, rest, quoted := oneWord(text)
			if w = strings.TrimSpace(w); !quoted || !literal(w) {
				break
			}
			out = append(out, draft.Value{Text: w})
			text = rest
			next := strings.IndexAny(text, "'\"`")
			if next < 0 || !connects(text[:next]) {
				break
			}
			if strings.TrimSpace(text[:next]) == "or" {
				pairs++
			}
			text = text[next:]
		}
		if len(out) > 1 && (pairs == 0 || len(out) > 2 || givenAs(before)) { // '"k" or "K" behind a number' is none
			return out
		}
		if len(out) == 0 {
			text = text[1:]
		}
	}
	return nil
}

// givenAs reports whether a text ends by saying that a value is one of the two
// that follow: "Takes "block" or "delay"".
func givenAs(text string) bool {
	text = strings.ToLower(strings.TrimRight(text, " "))
	for _, end := range []string{"takes", "either", "accepts", "format as", "is one of"} {
		if strings.HasSuffix(text, end) {
			return true
		}
	}
	return false
}

// partOfWord reports whether what stands before quoted words says that they are
// parts of a value and not values: "whether it begins with "0x"".
func partOfWord(before string) bool {
	before = strings.TrimRight(strings.ToLower(before), " ")
	for _, end := range []string{"begins with", "begin with", "beginning with", "starts with", "start with", "starting with", "ends with", "ending with", "prefixed by", "prefixed with", "preceded by", "followed by", "suffixed with", "containing", "contains", "separated by", "delimited by", "prefix", "suffix"} {
		if strings.HasSuffix(before, end) {
			return true
		}
	}
	return false
}

// connects reports whether what stands between two words makes them a list.
func connects(s string) bool {
	s = strings.Trim(strings.Replace(s, "(default)", "", 1), " ,、，/")
	return s == "" || inTable("words between choices", s)
}

// decoded is a text in UTF-8 that may be in UTF-16: with a byte order mark, or
// with a zero byte beside nearly every letter.
func decoded(text string) string {
	if len(text) < 2 {
		return text
	}
	big := false
	switch head := text[:min(len(text), 512)]; {
	case strings.HasPrefix(text, "\xff\xfe"):
	case strings.HasPrefix(text, "\xfe\xff"):
		big = true
	case strings.Count(head, "\x00")*5 < len(head)*2:
		return text
	default:
		big = text[0] == 0
	}
	text = text[:min(len(text), MaxText)]
	units := make([]uint16, 0, len(text)/2)
	for i := 0; i+1 < len(text); i += 2 {
		a, b := uint16(text[i]), uint16(text[i+1])
		if big {
			a, b = b, a
		}
		units = append(units, a|b<<8)
	}
	return string(utf16.Decode(units))
}

// orWord is the length of the word for "or", in some language, and the blank
// behind it at the start of s, 0 if there is none.
func orWord(s string) int {
	for _, w := range table("words for or") {
		if strings.HasPrefix(s, w+" ") {
			return len(w) + 1
		}
	}
	return 0
}
