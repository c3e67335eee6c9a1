// Package phrase normalises intents, so that the words of a map and the words
// of a person meet in one form.
package phrase

import (
	"strings"
	"unicode"
)

// Normalize returns an intent in the form that is compared: lower case, single
// blanks, no punctuation around words. Slots such as "<test_filter>" keep
// their form.
func Normalize(intent string) string {
	words := Words(intent)
	for i, w := range words {
		if !IsSlot(w) {
			words[i] = Fold(w)
		}
	}
	return strings.Join(words, " ")
}

// Words splits an intent at white space and drops quotes and punctuation
// around each word, but not what belongs to a value inside it ("src/a.go",
// "v1.2", "--all"). Letters keep their case: a slot's value may need it.
func Words(intent string) []string {
	fields := strings.FieldsFunc(intent, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) })
	words := fields[:0]
	for _, f := range fields {
		if !IsSlot(f) {
			f = strings.TrimRight(strings.TrimFunc(f, isQuote), ".,;:!?")
			f = strings.TrimFunc(f, isQuote)
		}
		if f != "" {
			words = append(words, f)
		}
	}
	return words
}

func isQuote(r rune) bool { return strings.ContainsRune("\"'`“”‘’«»()", r) }

// Fold returns a word in the case-less form that is compared.
func Fold(word string) string { return strings.ToLower(word) }

// IsSlot reports whether a word of an intent is a slot, "<name>".
func IsSlot(word string) bool {
	return len(word) > 2 && word[0] == '<' && word[len(word)-1] == '>'
}
