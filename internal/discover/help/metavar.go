package help

import (
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
)

// metavar reads a value that stands apart from its name and returns where it
// ends, 0 if there is none.
func (p *scanner) metavar(at, k int) int {
	s := p.s
	c := s[at]
	switch c {
	case '<', '{', Open:
		end := wordEnd(s, at)
		if c == Open && p.tag && saysWhat(s[at+1:end]) {
			return 0
		}
		if balanced(s, at) == 0 {
			return 0
		}
		p.value(draft.Required, s[at:end])
		return p.further(end)
	case '[':
		if k == 1 && strings.HasPrefix(s[at:], "[]") && (at+2 == len(s) || s[at+2] == ' ') { // the default of a list in Go
			p.value(draft.Required, "")
			p.out.Repeatable = true
			return at + 2
		}
		return p.optionalMetavar(at, k)
	case '(':
		end := balanced(s, at)
		if end == 0 || !strings.Contains(s[at:end], "|") {
			return 0
		}
		end = wordEnd(s, at)
		p.value(draft.Required, s[at:end])
		return p.further(end)
	case '=':
		if at+1 < len(s) && s[at+1] == ' ' {
			at += 2
		} else {
			at++
		}
		if at >= len(s) {
			return 0
		}
		end := wordEnd(s, at)
		p.value(draft.Required, s[at:end])
		return end
	case '/': // a path stands for the value: "--dns /etc/resolv.conf"
		end := wordEnd(s, at)
		if end-at < 3 || !p.closes(end) || end == len(s) {
			return 0
		}
		p.value(draft.Required, s[at:end])
		return end
	case '"', '\'', '`':
		end := strings.IndexByte(s[at+1:], c)
		if end < 0 || !p.closes(at+end+2) && !capitals(s[at+1:at+1+end]) {
			return 0
		}
		p.value(draft.Required, s[at+1:at+1+end])
		return at + end + 2
	}
	return p.wordMetavar(at)
}

// optionalMetavar reads "[VALUE]" apart from its name.
func (p *scanner) optionalMetavar(at, k int) int {
	s := p.s
	end := balanced(s, at)
	if end == 0 {
		return 0
	}
	if (strings.HasPrefix(s[at:], "[-]") || strings.HasPrefix(s[at:], "[+-]")) && end < len(s) && upper(s[end]) {
		end = wordEnd(s, at) // "-c [-]N[bkm]"
		p.value(draft.Required, s[at:end])
		return end
	}
	apart := k == 1 && strings.HasPrefix(s[end:], "  ") // "--x [string]   text"
	if annotation(s[at:]) && !(apart && typed(s[at:end]) == draft.Required) {
		return 0
	}
	in := s[at+1 : end-1]
	if strings.TrimSpace(in) == "" || in[0] == '-' || holdsOption(in) || strings.Contains(in, " ") && !strings.ContainsAny(in, "<|=\x01.") && !capitals(strings.Fields(in)[0]) {
		return 0
	}
	if in == "..." {
		p.out.Repeatable = true
		return end
	}
	if in == "<SwitchParameter>" { // PowerShell's word for no value
		p.value(draft.None, "")
		return end
	}
	end = wordEnd(s, at)
	arity := draft.Optional
	if !strings.HasSuffix(s[at:end], "]") && !strings.HasSuffix(s[at:end], "]...") {
		arity = draft.Required // "[user@]host"
	}
	if arity == draft.Optional && !strings.HasPrefix(in, "true|false|") && (len(choices(s[at:end])) > 1 && !strings.Contains(in, "<") || numberRange(in)) {
		arity = draft.Required // the brackets hold the choices
	}
	if strings.HasPrefix(s[end:], " <") {
		arity = draft.Required // "[bright] <colour>"
	}
	p.value(arity, s[at:end])
	return p.further(end)
}

// annotation reports whether a bracket holds a remark on the option, such as
// "[default: 5]", and not a value.
func annotation(s string) bool {
	in := strings.ToLower(strings.TrimLeft(s, "[("))
	if i := strings.IndexAny(in, ":])"); i > 0 && i+1 < len(in) && in[i] == ':' && in[i+1] == ']' {
		return false // "[TYPE:]EXPR"
	}
	for _, w := range table("remarks in brackets") {
		if strings.HasPrefix(in, w) {
			return true
		}
	}
	return false
}

// further reads more values of the same flag, "FROM TO", "<a> [<b>...]".
func (p *scanner) further(end int) int {
	s := p.s
	for end < len(s) {
		if strings.HasPrefix(s[end:], "...") {
			p.out.Repeatable = true
			end += 3
			continue
		}
		at := end + 1
		if s[end] != ' ' || at >= len(s) || s[at] == ' ' || p.reached(at, 1) {
			return end
		}
		next := wordEnd(s, at)
		word := s[at:next]
		switch {
		case word == "":
			return end
		case word == "...", word == "[...]":
			p.out.Repeatable = true
		case word == "|" && next+1 < len(s) && s[next] == ' ' && capitals(s[next+1:wordEnd(s, next+1)]): // "USER[:PASS] | TOKEN"
			next = wordEnd(s, next+1)
		case (word[0] == '<' || word[0] == Open) && balanced(s, at) > 0 && (p.closes(next) || p.tag):
		case word[0] == '[' && balanced(s, at) > 0 && !annotation(word) && len(word) > 2 && word[1] != '-' && p.closes(next):
			p.out.Repeatable = p.out.Repeatable || strings.Contains(word, "...")
		case capitals(word) && len(word) > 1 && p.closes(next):
		default:
			return end
		}
		end = next
	}
	return end
}

// closes reports whether a value may end at i: at the end of the row, a wide
// gap, the column of descriptions, or before another name or value.
func (p *scanner) closes(i int) bool {
	s := p.s
	if i >= len(s) {
		return true
	}
	switch s[i] {
	case ',', '|', ';', ')', ']', '.':
		return true
	case ' ':
		rest := s[i+1:]
		if rest == "" || rest[0] == ' ' || p.column >= 0 && i+1 == p.column {
			return true
		}
		return rest[0] == '-' || rest[0] == '|' || rest[0] == '[' || rest[0] == '<' || rest[0] == '/' ||
			strings.HasPrefix(rest, "or -") || strings.HasPrefix(rest, ": ") || strings.HasPrefix(rest, "...") || strings.HasPrefix(rest, "(=")
	case ':':
		return i+1 == len(s) || s[i+1] == ' '
	}
	return false
}

// wordMetavar reads a value that is a plain word: capitals, or a word in lower
// case that is set apart from the description.
func (p *scanner) wordMetavar(at int) int {
	s := p.s
	end := wordEnd(s, at)
	word := strings.TrimSuffix(s[at:end], ":")
	end = at + len(word)
	if word != "" && word[0] == '#' && (len(word) == 1 || digits(word[1:])) && p.closes(end) {
		p.value(draft.Required, word)
		return end
	}
	if word == "" || !alnum(word[0]) && word[0] < 0x80 && word[0] != '%' && word[0] != '$' && word[0] != '@' && word[0] != '*' && word[0] != '+' {
		return 0
	}
	if strings.HasSuffix(word, ".") && !strings.HasSuffix(word, "..") || unspaced(word) {
		return 0 // the end of a sentence, or a whole one
	}
	switch {
	case p.closes(end) && (end < len(s) || p.beneath || p.tag || kindWord(word)):
		if end < len(s) && s[end] == '.' || p.stops(word, end) || upper(word[0]) && !capitals(word) && strings.HasPrefix(s[end:], " -") && strings.Count(s[end:], " ") > 2 {
			return 0 // "If --fast is given, skip them"
		}
		p.value(draft.Required, word)
		return p.further(end)
	case capitals(word) && (len(word) > 1 || p.tag) && !acronym(word):
		if end < len(s) && s[end] == '.' || end == len(s) && !p.out.single() {
			return 0
		}
		p.value(draft.Required, word)
		return p.further(end)
	case end < len(s) && p.column > end:
		return p.phrase(at)
	}
	return 0
}

func (sp *Spec) single() bool { return len(sp.Names) > 0 }

// stops reports whether a word in lower case begins the description rather than
// names a value.
func (p *scanner) stops(word string, end int) bool {
	switch word {
	case "is", "are", "and", "or", "to", "the", "a", "an", "may", "can", "will", "for", "with", "in", "of", "as", "same", "see":
		return true
	case "option", "options", "flag", "flags":
		return !strings.HasPrefix(p.s[end:], "  ")
	}
	return false
}

// phrase reads a value of several words, "name of file", that ends with a wide
// gap at the column of descriptions.
func (p *scanner) phrase(at int) int {
	s := p.s
	gap := strings.Index(s[at:], "  ")
	if gap < 0 {
		return 0
	}
	end := at + gap
	body := len(s[end:]) - len(strings.TrimLeft(s[end:], " "))
	if end+body != p.column || strings.Count(s[at:end], " ") > 2 {
		return 0
	}
	p.value(draft.Required, s[at:end])
	return end
}

// capitals reports whether a word is written as a value is in capitals:
// "FILE", "N", "NAME=VALUE", "HOST:PORT", "SIZE[K]".
func capitals(word string) bool {
	letters := 0
	for i := range len(word) {
		c := word[i]
		switch {
		case upper(c):
			letters++
		case digit(c), strings.IndexByte("_-=:,./[]|@<>{}+*#()", c) >= 0, c >= 0x80, c == 's' && i == len(word)-1 && letters > 1:
		default:
			return false
		}
	}
	return letters > 0
}

// acronym reports whether a word in capitals is a word of running text.
func acronym(word string) bool { return inTable("words of running text in capitals", word) }

// bare takes the marks of fonts off a text.
func bare(s string) string {
	if !strings.ContainsAny(s, "\x01\x02\x03\x04") {
		return s
	}
	return strings.Map(func(r rune) rune {
		if r <= CloseBold && r >= Open {
			return -1
		}
		return r
	}, s)
}

// bareMetavar takes brackets, dots and markers off a value's name.
func bareMetavar(s string) string {
	s = bare(s)
	s = strings.TrimSuffix(strings.TrimSuffix(s, "..."), "...")
	for len(s) > 1 && (s[0] == '<' || s[0] == '[' || s[0] == '{' || s[0] == '(') && balanced(s, 0) == len(s) {
		s = strings.TrimPrefix(s[1:len(s)-1], "=")
	}
	return strings.TrimSpace(strings.TrimPrefix(s, "="))
}
