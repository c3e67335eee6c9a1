package intent

import (
	"strings"
	"unicode"
)

// word is one word of an intent as a person wrote it.
type word struct {
	raw    string   // without the quotes around a quoted one
	quoted bool     // a quoted word is a value and never part of a phrase
	norm   []string // normalised, what it says in a phrase; several for "dry-run", none for "…"
}

// split cuts an intent into words at blanks. A text in '…', "…" or `…` that
// begins at the start of a word is one word.
func split(text string) []word {
	var words []word
	rest := text
	for {
		rest = strings.TrimLeftFunc(rest, unicode.IsSpace)
		if rest == "" {
			return words
		}
		if q := rest[0]; q == '\'' || q == '"' || q == '`' {
			if end := strings.IndexByte(rest[1:], q); end >= 0 && endsWord(rest[end+2:]) {
				words = append(words, word{raw: rest[1 : end+1], quoted: true})
				rest = rest[end+2:]
				continue
			}
		}
		end := strings.IndexFunc(rest, unicode.IsSpace)
		if end < 0 {
			end = len(rest)
		}
		words = append(words, word{raw: rest[:end], norm: normWord(rest[:end])})
		rest = rest[end:]
	}
}

// endsWord reports whether a quoted word ends before s: at a blank, at the end,
// or at the punctuation of a sentence.
func endsWord(s string) bool {
	t := strings.TrimLeft(s, trailing)
	return t == "" || unicode.IsSpace([]rune(t)[0])
}

// trailing is the punctuation of a sentence, which says nothing after a word.
const trailing = ".,;:!?…"

// normWord normalises one word: lower case, no brackets or quotes around it, no
// sentence punctuation after it, cut at dashes and underscores inside. Signs
// that may carry meaning ("c++", "c#", a leading "-" or "!") stay: what is not
// surely the same is not the same.
func normWord(s string) []string {
	s = strings.TrimLeft(s, `"'([{`+"`")
	s = strings.TrimRight(s, trailing+`"')]}`+"`")
	s = strings.ToLower(s)
	if s == "" || s[0] == '-' {
		if s == "" {
			return nil
		}
		return []string{s}
	}
	return strings.FieldsFunc(s, func(r rune) bool { return r == '-' || r == '_' })
}

// Normalise returns the form in which two intents are compared: the words in
// lower case, one blank between them, without the punctuation of a sentence.
// Slots, "<name>", stay as they are.
func Normalise(text string) string {
	var out []string
	for _, w := range split(text) {
		switch {
		case w.quoted:
			out = append(out, w.raw)
		case slotName(w.raw) != "":
			out = append(out, w.raw)
		default:
			out = append(out, w.norm...)
		}
	}
	return strings.Join(out, " ")
}

// slotName returns the name of a word of the form "<name>", or "".
func slotName(s string) string {
	if len(s) > 2 && s[0] == '<' && s[len(s)-1] == '>' && !strings.ContainsAny(s[1:len(s)-1], "<>") {
		return s[1 : len(s)-1]
	}
	return ""
}

// phrase is an intent of an operation, ready to be matched: literal words and slots.
type phrase []piece

type piece struct {
	text string // a normalised word, or the name of a slot
	slot bool
}

func parsePhrase(intent string) phrase {
	var p phrase
	for _, w := range split(intent) {
		if name := slotName(w.raw); name != "" && !w.quoted {
			p = append(p, piece{name, true})
			continue
		}
		for _, n := range w.norm {
			p = append(p, piece{n, false})
		}
	}
	return p
}

// match holds the words against the phrase and returns the raw value of each
// slot. A slot takes exactly one word, so there is at most one way to match; a
// slot named twice must be given the same value twice.
func (p phrase) match(words []word) (slots map[string]string, ok bool) {
	if len(p) == 0 {
		return nil, false
	}
	slots = map[string]string{}
	i := 0
	for _, w := range words {
		if i < len(p) && p[i].slot {
			if v, seen := slots[p[i].text]; seen && v != w.raw {
				return nil, false
			}
			slots[p[i].text] = w.raw
			i++
			continue
		}
		if w.quoted {
			return nil, false
		}
		for _, n := range w.norm {
			if i >= len(p) || p[i].slot || p[i].text != n {
				return nil, false
			}
			i++
		}
	}
	return slots, i == len(p)
}
