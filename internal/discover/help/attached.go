package help

import (
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
)

// attached reads the value that stands right behind a name.
func (p *scanner) attached(name string) {
	s := p.s
	if p.i >= len(s) {
		return
	}
	switch c := s[p.i]; {
	case c == '|' && draft.Short(name) && p.repeats(name[1]):
	case strings.HasPrefix(s[p.i:], "[=]") && p.i+3 < len(s) && s[p.i+3] != ' ': // "--file[=]NAME"
		p.i += len("[=]")
		p.assigned()
	case strings.HasPrefix(s[p.i:], "[="), strings.HasPrefix(s[p.i:], "[:<"), strings.HasPrefix(s[p.i:], "[:"+string(rune(Open))):
		if end := balanced(s, p.i); end > 0 {
			in := s[p.i+2 : end-1]
			if in == "true" || in == "false" {
				p.out.Default = in
				p.value(draft.None, "")
			} else {
				p.value(draft.Optional, in)
			}
			p.i = end
		}
	case c == '=' && p.i+1 < len(s) && s[p.i+1] != ' ':
		p.i++
		p.assigned()
	case c == '=':
		p.value(draft.Required, "")
		p.fixed = true // "--pcrs= [PCR...]" says what may stand there
		p.i++
	case c == '[' || c == '<' || c == '{' || c == Open:
		p.bracketed(name)
	case c == '(' && strings.Contains(s[p.i:], "|"):
		p.bracketed(name)
	case (c == ',' || c == ':') && p.i+1 < len(s) && (s[p.i+1] == '<' || s[p.i+1] == Open || c == ':' && (s[p.i+1] == '.' || s[p.i+1] == '[' || upper(s[p.i+1]) || s[p.i+1] == '{' || p.colonWord())):
		end := wordEnd(s, p.i+1)
		p.value(draft.Required, s[p.i+1:end])
		p.out.Attached = true
		p.i = end
	}
	for strings.HasPrefix(s[p.i:], "...") || strings.HasPrefix(s[p.i:], "*") || strings.HasPrefix(s[p.i:], "[...]") {
		p.out.Repeatable = true
		p.i = min(len(s), p.i+len("..."))
		if strings.HasPrefix(s[p.i:], ".]") {
			p.i += 2
		}
	}
}

// bracketed reads a value in brackets right behind a name, "-l<n>", "-u[mode]".
func (p *scanner) bracketed(name string) {
	s, start := p.s, p.i
	end := balanced(s, start)
	if end == 0 {
		if s[start] == '[' && draft.Long(name) { // a list that goes on below
			p.value(draft.Optional, "")
			p.i = len(s)
		}
		return
	}
	in := s[start+1 : end-1]
	if strings.HasPrefix(in, "...") || in == "" {
		p.i, p.out.Repeatable = end, true
		return
	}
	if s[start] == '[' && (in[0] == '-' || in[0] == ' ' || holdsOption(in)) {
		return
	}
	if draft.Short(name) && strings.Trim(in, name[1:]) == "" {
		p.i, p.out.Repeatable = end, true // "-v[v]"
		return
	}
	end = wordEnd(s, start)
	arity := draft.Required
	if s[start] == '[' {
		arity = draft.Optional
	}
	p.value(arity, s[start:end])
	p.out.Attached = true
	p.i = end
}

// assigned reads what follows "=". A literal there is a default.
func (p *scanner) assigned() {
	end := wordEnd(p.s, p.i)
	word := p.s[p.i:end]
	p.i = end
	literal := strings.TrimSuffix(word, ":")
	colon := len(literal) < len(word)
	switch {
	case literal == "true" || literal == "false" || literal == "true|false" || literal == "false|true":
		p.out.Default = strings.TrimSuffix(strings.TrimSuffix(literal, "|false"), "|true")
		p.value(draft.None, "")
	case colon && literal == "":
		p.value(draft.Required, "")
	case colon && (literal == "''" || literal == `""` || literal == "[]" || digits(literal) || strings.Trim(literal, "'\"") != literal || lower(literal[0])):
		p.out.Default = strings.Trim(literal, "'\"")
		p.value(draft.Required, "")
	case literal == "[]": // the default of a list in Go
		p.value(draft.Required, "")
		p.out.Repeatable = true
	case strings.HasPrefix(word, "[") && balanced(word, 0) == len(word):
		arity := draft.Optional
		if len(choices(word)) > 1 || numberRange(word[1:len(word)-1]) || strings.ContainsAny(word[2:], "=,") {
			arity = draft.Required // the brackets hold what may stand there
		}
		p.value(arity, word)
	default:
		p.value(draft.Required, strings.TrimRight(word, ":"))
	}
	if strings.HasSuffix(p.out.Metavar, "...") {
		p.out.Repeatable = true
	}
}

// numberRange reports whether s is a range of numbers, "0-255".
func numberRange(s string) bool {
	from, to, ok := strings.Cut(s, "-")
	return ok && digits(from) && digits(to)
}

func digits(s string) bool {
	for i := range len(s) {
		if !digit(s[i]) {
			return false
		}
	}
	return s != ""
}

// value notes that the names take a value. What shows one wins over what does
// not; one that is always optional stays so.
func (p *scanner) value(a draft.Arity, metavar string) {
	if before, _, ok := strings.Cut(metavar, "[=\""); ok && before != "" && a == draft.Required { // pflag: "string[="x"]"
		a, metavar = draft.Optional, before
	}
	switch {
	case p.out.Arity == draft.Unsaid || p.out.Arity == draft.None:
		p.out.Arity = a
	case a == draft.Optional && p.out.Arity == draft.Required && !p.fixed:
		p.out.Arity = draft.Optional
	}
	if a == draft.None {
		return
	}
	if strings.HasSuffix(metavar, "...") {
		p.out.Repeatable = true
	}
	if len(p.out.Values) == 0 {
		p.out.Values = choices(metavar)
	}
	metavar = bareMetavar(metavar)
	if p.out.Metavar == "" {
		p.out.Metavar = metavar
	}
}

// balanced returns the index behind the bracket that closes the one at i, 0 if
// none does. Brackets of the other kinds nest.
func balanced(s string, i int) int {
	if end := closing(s, i, false); end > 0 {
		return end
	}
	return closing(s, i, true) // "<FILE or ->"
}

// closing is balanced; with arrows "->" and "=>" close a bracket too.
func closing(s string, i int, arrows bool) int {
	depth := 0
	for j := i; j < len(s) && j < i+400; j++ {
		switch s[j] {
		case '[', '<', '{', '(', Open:
			depth++
		case ']', '>', '}', ')', Close:
			if !arrows && s[j] == '>' && j > 0 && (s[j-1] == '-' || s[j-1] == '=') {
				continue
			}
			if depth--; depth == 0 {
				return j + 1
			}
		}
	}
	return 0
}

// wordEnd returns where the value that begins at i ends: at a blank or a comma
// outside of brackets and quotes.
func wordEnd(s string, i int) int {
	for i < len(s) {
		switch c := s[i]; {
		case c == ' ':
			return i
		case c == ':' && i > 0 && s[i-1] == '>' && (i+1 == len(s) || s[i+1] == ' '): // "-p <ports>: text"
			return i
		case c == ',' && (i+1 == len(s) || s[i+1] == ' ' || s[i+1] == '-'):
			return i
		case (c == '|' || c == '/') && i+1 < len(s) && s[i+1] == '-' && i+2 < len(s) && s[i+2] != '1':
			return i
		case c == '[' || c == '<' || c == '{' || c == '(' || c == Open:
			end := balanced(s, i)
			if end == 0 {
				return strings.IndexByte(s[i:]+" ", ' ') + i
			}
			i = end
			continue
		case c == ']' || c == ')' || c == '}':
			return i
		case c == '"' || c == '\'':
			if end := strings.IndexByte(s[i+1:], c); end >= 0 {
				i += end + 2
				continue
			}
		}
		i++
	}
	return i
}

// colonWord reports whether a word in lower case stands right behind the colon
// after a name and is the value: "--opt:none|speed  text".
func (p *scanner) colonWord() bool {
	end := wordEnd(p.s, p.i+1)
	return lower(p.s[p.i+1]) && p.s[end-1] != '.' && (end == len(p.s) || p.s[end] == ',' || strings.HasPrefix(p.s[end:], "  "))
}

// repeats passes over the letter of a short name as it may be repeated,
// "-v|vv|vvv".
func (p *scanner) repeats(letter byte) bool {
	i := p.i
	for i+1 < len(p.s) && p.s[i] == '|' && p.s[i+1] == letter {
		for i++; i < len(p.s) && p.s[i] == letter; i++ {
		}
	}
	if i == p.i || i < len(p.s) && p.s[i] != ' ' && p.s[i] != ',' {
		return false
	}
	p.i, p.out.Repeatable = i, true
	return true
}
