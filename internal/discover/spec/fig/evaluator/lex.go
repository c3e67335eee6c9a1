package evaluator

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
)

// kind is the kind of a token.
type kind uint8

const (
	wordToken   kind = iota // an identifier or a keyword
	punctToken              // "=>", "?.", ">" always alone
	textToken               // a string, a template or a regular expression, whole
	numberToken             // a number
	endToken
)

// token is a piece of JavaScript or TypeScript.
type token struct {
	kind       kind
	text       string
	begin, end int  // bytes of the source
	newline    bool // a line ends before it
	match      int  // of a bracket: the index of the other one, -1 if there is none
}

// lexer cuts a source into tokens, as far as types and modules can be told from
// the rest.
type lexer struct {
	src    string
	at     int
	tokens []token
	open   []int
	line   bool // a line ended since the last token
}

// lex cuts a source into tokens; the last one is an endToken.
func lex(src string) ([]token, error) {
	l := &lexer{src: src}
	for {
		if err := l.space(); err != nil {
			return nil, err
		}
		if l.at >= len(src) {
			l.add(endToken, len(src))
			return l.tokens, nil
		}
		if err := l.next(); err != nil {
			return nil, err
		}
	}
}

func (l *lexer) fault(at int, reason string) error {
	return draft.Faultf(1+strings.Count(l.src[:min(at, len(l.src))], "\n"), "%s", reason)
}

func (l *lexer) add(k kind, end int) {
	l.tokens = append(l.tokens, token{kind: k, text: l.src[l.at:end], begin: l.at, end: end, newline: l.line, match: -1})
	l.at, l.line = end, false
}

func (l *lexer) space() error {
	for l.at < len(l.src) {
		rest := l.src[l.at:]
		switch {
		case rest[0] == '\n' || rest[0] == '\r':
			l.line = true
			l.at++
		case rest[0] == ' ' || rest[0] == '\t' || rest[0] == '\v' || rest[0] == '\f':
			l.at++
		case strings.HasPrefix(rest, "//"), l.at == 0 && strings.HasPrefix(rest, "#!"):
			i := strings.IndexByte(rest, '\n')
			if i < 0 {
				i = len(rest)
			}
			l.at += i
		case strings.HasPrefix(rest, "/*"):
			i := strings.Index(rest[2:], "*/")
			if i < 0 {
				return l.fault(l.at, "a comment that begins here does not end")
			}
			l.line = l.line || strings.Contains(rest[:i+4], "\n")
			l.at += i + 4
		default:
			r, size := utf8.DecodeRuneInString(rest)
			if !unicode.IsSpace(r) && r != '\ufeff' {
				return nil
			}
			l.at += size
		}
	}
	return nil
}

func (l *lexer) next() error {
	rest := l.src[l.at:]
	r, _ := utf8.DecodeRuneInString(rest)
	switch {
	case wordRune(r) && !(r >= '0' && r <= '9'):
		l.add(wordToken, l.at+wordLength(rest))
	case r >= '0' && r <= '9', r == '.' && len(rest) > 1 && rest[1] >= '0' && rest[1] <= '9':
		n := 1
		for n < len(rest) && (wordLength(rest[n:]) > 0 || rest[n] == '.' || (rest[n] == '-' || rest[n] == '+') && (rest[n-1]|0x20) == 'e' && !strings.HasPrefix(rest, "0x")) {
			n += max(1, wordLength(rest[n:]))
		}
		l.add(numberToken, l.at+n)
	case r == '"' || r == '\'':
		return l.quoted(byte(r))
	case r == '`':
		end, err := l.template(l.at, 0)
		if err != nil {
			return err
		}
		l.add(textToken, end)
	case r == '/' && l.regexpMay():
		return l.regexp()
	default:
		l.punct(rest)
	}
	return nil
}

// wordRune reports whether a character can stand in an identifier.
func wordRune(r rune) bool {
	return r == '_' || r == '$' || r == '#' || r == '\\' || unicode.IsLetter(r) || unicode.IsDigit(r)
}

func wordLength(s string) int {
	for i, r := range s {
		if !wordRune(r) {
			return i
		}
	}
	return len(s)
}

func (l *lexer) quoted(quote byte) error {
	for i := l.at + 1; i < len(l.src); i++ {
		switch l.src[i] {
		case '\\':
			i++
		case quote:
			l.add(textToken, i+1)
			return nil
		case '\n':
			return l.fault(l.at, "a string that begins here does not end")
		}
	}
	return l.fault(l.at, "a string that begins here does not end")
}

// maxNested bounds templates within templates.
const maxNested = 50

// template returns where a template that begins at a byte ends.
func (l *lexer) template(at, depth int) (end int, err error) {
	if depth > maxNested {
		return 0, l.fault(at, "templates are nested too deep")
	}
	braces := 0 // of the expression within it, 0 in its text
	for i := at + 1; i < len(l.src); i++ {
		c := l.src[i]
		switch {
		case c == '\\':
			i++
		case braces == 0 && c == '`':
			return i + 1, nil
		case braces == 0 && c == '$' && i+1 < len(l.src) && l.src[i+1] == '{':
			braces, i = 1, i+1
		case braces == 0:
		case c == '{':
			braces++
		case c == '}':
			braces--
		case c == '`':
			if i, err = l.template(i, depth+1); err != nil {
				return 0, err
			}
			i--
		case c == '"' || c == '\'':
			for i++; i < len(l.src) && l.src[i] != c && l.src[i] != '\n'; i++ {
				if l.src[i] == '\\' {
					i++
				}
			}
		}
	}
	return 0, l.fault(at, "a template that begins here does not end")
}

// regexpMay reports whether a slash begins a regular expression here, and does
// not divide.
func (l *lexer) regexpMay() bool {
	if len(l.tokens) == 0 {
		return true
	}
	switch t := l.tokens[len(l.tokens)-1]; t.kind {
	case numberToken, textToken:
		return false
	case wordToken:
		switch t.text {
		case "return", "typeof", "case", "in", "of", "delete", "void", "throw", "new", "else", "do", "instanceof", "await", "yield":
			return true
		}
		return false
	default:
		return t.text != ")" && t.text != "]" && t.text != "}"
	}
}

func (l *lexer) regexp() error {
	class := false
	for i := l.at + 1; i < len(l.src) && l.src[i] != '\n'; i++ {
		switch c := l.src[i]; {
		case c == '\\':
			i++
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '/' && !class:
			l.add(textToken, i+1+wordLength(l.src[i+1:]))
			return nil
		}
	}
	return l.fault(l.at, "a regular expression that begins here does not end")
}

// punct takes one sign; only those are joined that must not be taken apart.
func (l *lexer) punct(rest string) {
	for _, sign := range [...]string{"...", "===", "!==", "=>", "==", "!=", "<=", "&&", "||", "??", "?."} {
		if strings.HasPrefix(rest, sign) {
			if sign == "?." && len(rest) > 2 && rest[2] >= '0' && rest[2] <= '9' {
				break
			}
			l.add(punctToken, l.at+len(sign))
			return
		}
	}
	_, size := utf8.DecodeRuneInString(rest)
	l.add(punctToken, l.at+size)
	i := len(l.tokens) - 1
	switch l.tokens[i].text {
	case "(", "[", "{":
		l.open = append(l.open, i)
	case ")", "]", "}":
		if n := len(l.open); n > 0 && closes(l.tokens[l.open[n-1]].text, l.tokens[i].text) {
			l.tokens[i].match = l.open[n-1]
			l.tokens[l.open[n-1]].match = i
			l.open = l.open[:n-1]
		}
	}
}

func closes(open, end string) bool { return open+end == "()" || open+end == "[]" || open+end == "{}" }
