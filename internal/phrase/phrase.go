// Package phrase reads intents, so that the words of a map and the words of a
// person meet in one form: it normalises them, and matches what a person says
// with the phrases of an operation.
package phrase

import (
	"strings"
	"unicode"
)

// Word is one word of an intent as a person wrote it.
type Word struct {
	Raw    string   // without the quotes around a quoted one
	Quoted bool     // a quoted word is a value and never part of a phrase
	Norm   []string // normalised, what it says in a phrase; several for "dry-run", none for "…"
}

// Split cuts an intent into words at blanks. A text in '…', "…" or `…` that
// begins at the start of a word is one word.
func Split(text string) []Word {
	var words []Word
	rest := text
	for {
		rest = strings.TrimLeftFunc(rest, unicode.IsSpace)
		if rest == "" {
			return words
		}
		if q := rest[0]; q == '\'' || q == '"' || q == '`' {
			if end := strings.IndexByte(rest[1:], q); end >= 0 && endsWord(rest[end+2:]) {
				words = append(words, Word{Raw: rest[1 : end+1], Quoted: true})
				rest = strings.TrimLeft(rest[end+2:], Trailing)
				continue
			}
		}
		end := strings.IndexFunc(rest, unicode.IsSpace)
		if end < 0 {
			end = len(rest)
		}
		words = append(words, Word{Raw: rest[:end], Norm: normWord(rest[:end])})
		rest = rest[end:]
	}
}

// endsWord reports whether a quoted word ends before s: at a blank, at the end,
// or at the punctuation of a sentence.
func endsWord(s string) bool {
	t := strings.TrimLeft(s, Trailing)
	return t == "" || unicode.IsSpace([]rune(t)[0])
}

// Trailing is the punctuation of a sentence, which says nothing after a word.
const Trailing = ".,;:!?…"

// normWord normalises one word: lower case, no brackets or quotes around it, no
// sentence punctuation after it, cut at dashes and underscores between letters
// or digits. Signs that may carry meaning ("c++", "c#", a leading "!") stay, and
// so do paths ("./...", ".") and options in every letter ("-d" is not "-D"):
// what is not surely the same is not the same.
func normWord(s string) []string {
	s = strings.TrimLeft(s, `"'([{`+"`")
	bare := strings.TrimRight(s, Trailing+`"')]}`+"`")
	if !strings.HasSuffix(bare, "/") && (bare != "" || strings.Trim(s, ".") != "") {
		s = bare
	}
	if s == "" {
		return nil
	}
	if s[0] == '-' {
		return []string{s}
	}
	runes := []rune(strings.ToLower(s))
	var parts []string
	start := 0
	for i := 1; i < len(runes)-1; i++ {
		if (runes[i] == '-' || runes[i] == '_') && isText(runes[i-1]) && isText(runes[i+1]) {
			parts = append(parts, string(runes[start:i]))
			start = i + 1
		}
	}
	return append(parts, string(runes[start:]))
}

func isText(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// Normalize returns the form in which two intents are compared: the words in
// lower case, one blank between them, without the punctuation of a sentence.
// Slots, "<name>", stay as they are.
func Normalize(text string) string {
	var out []string
	for _, w := range Split(text) {
		switch {
		case w.Quoted:
			out = append(out, w.Raw)
		case slotName(w.Raw) != "":
			out = append(out, w.Raw)
		default:
			out = append(out, w.Norm...)
		}
	}
	return strings.Join(out, " ")
}

// IsSlot reports whether a word of an intent is a slot, "<name>".
func IsSlot(word string) bool { return slotName(word) != "" }

// slotName returns the name of a word of the form "<name>", or "".
func slotName(s string) string {
	if len(s) > 2 && s[0] == '<' && s[len(s)-1] == '>' && !strings.ContainsAny(s[1:len(s)-1], "<>") {
		return s[1 : len(s)-1]
	}
	return ""
}

// Phrase is an intent of an operation, ready to be matched: literal words and slots.
type Phrase []Piece

// Piece is a part of a phrase.
type Piece struct {
	Text string // a normalised word, or the name of a slot
	Slot bool
}

// Parse reads an intent of an operation.
func Parse(intent string) Phrase {
	var p Phrase
	for _, w := range Split(intent) {
		if name := slotName(w.Raw); name != "" && !w.Quoted {
			p = append(p, Piece{name, true})
			continue
		}
		for _, n := range w.Norm {
			p = append(p, Piece{n, false})
		}
	}
	return p
}

// Match holds the words against the phrase and returns the raw value of each
// slot. A slot takes exactly one word, so there is at most one way to match; a
// slot named twice must be given the same value twice.
func (p Phrase) Match(words []Word) (slots map[string]string, ok bool) {
	if len(p) == 0 {
		return nil, false
	}
	slots = map[string]string{}
	i := 0
	for _, w := range words {
		if i < len(p) && p[i].Slot {
			if v, seen := slots[p[i].Text]; seen && v != w.Raw {
				return nil, false
			}
			slots[p[i].Text] = w.Raw
			i++
			continue
		}
		if w.Quoted {
			return nil, false
		}
		for _, n := range w.Norm {
			if i >= len(p) || p[i].Slot || p[i].Text != n {
				return nil, false
			}
			i++
		}
	}
	return slots, i == len(p)
}
