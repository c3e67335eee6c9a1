package law

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// kind is what a token is.
type kind uint8

const (
	tEOF kind = iota
	tWord
	tPrivate // #name
	tPunct
	tString
	tTemplate // from a backtick on; the parser reads it whole
	tNumber
)

// token is one token of the source.
type token struct {
	kind     kind
	text     string // the word, the sign, the number as written, the value of the string
	pos, end int
	nl       bool // a line break stands before it
}

// fault ends a parse: what is wrong, and where.
type fault struct {
	pos int
	msg string
}

// lexer reads tokens. Whether a slash begins a regular expression, and whether
// a closing brace goes on with a template, only the parser knows: it reads those
// itself.
type lexer struct {
	src string
	at  int
	// The first comment that begins with "/**"; docEnd is 0 as long as there is none.
	doc, docEnd int
	// comments gathers where comments stand; nil: nobody asks.
	comments *[][2]int
}

func (l *lexer) fail(pos int, msg string) { panic(fault{pos, msg}) }

// space skips blanks and comments and reports whether a line ended.
func (l *lexer) space() (nl bool) {
	for l.at < len(l.src) {
		switch c := l.src[l.at]; {
		case c == '\n' || c == '\r':
			nl = true
			l.at++
		case c == ' ' || c == '\t' || c == '\v' || c == '\f':
			l.at++
		case strings.HasPrefix(l.src[l.at:], "//"):
			l.line()
		case l.at == 0 && strings.HasPrefix(l.src, "#!"):
			l.line()
		case strings.HasPrefix(l.src[l.at:], "/*"):
			end := strings.Index(l.src[l.at+2:], "*/")
			if end < 0 {
				l.fail(l.at, "the comment does not end")
			}
			text := l.src[l.at : l.at+end+4]
			nl = nl || strings.ContainsAny(text, "\n\r\u2028\u2029")
			if l.docEnd == 0 && len(text) > 4 && text[2] == '*' {
				l.doc, l.docEnd = l.at, l.at+len(text)
			}
			l.note(l.at, l.at+len(text))
			l.at += len(text)
		case c >= utf8.RuneSelf:
			r, n := utf8.DecodeRuneInString(l.src[l.at:])
			if r == '\u2028' || r == '\u2029' {
				nl = true
			} else if r != '\ufeff' && !unicode.Is(unicode.Zs, r) {
				return nl
			}
			l.at += n
		default:
			return nl
		}
	}
	return nl
}

func (l *lexer) note(from, to int) {
	if l.comments != nil {
		*l.comments = append(*l.comments, [2]int{from, to})
	}
}

// line skips to the end of the line.
func (l *lexer) line() {
	from := l.at
	defer func() { l.note(from, l.at) }()
	if i := strings.IndexAny(l.src[l.at:], "\n\r\u2028\u2029"); i >= 0 {
		l.at += i
		return
	}
	l.at = len(l.src)
}

// signs are the punctuators, the longest first. A ">" is always one token: it
// may close type arguments. The parser joins what an operator has more.
var signs = []string{
	"...", "===", "!==", "**=", "<<=", "&&=", "||=", "??=",
	"=>", "==", "!=", "<=", "++", "--", "<<", "&&", "||", "??", "?.", "**", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=",
}

// next reads a token.
func (l *lexer) next() token {
	nl := l.space()
	t := token{pos: l.at, nl: nl}
	if l.at >= len(l.src) {
		t.end = l.at
		return t
	}
	c := l.src[l.at]
	switch {
	case c == '"' || c == '\'':
		t.kind, t.text = tString, l.quoted(c)
	case c == '`':
		t.kind = tTemplate
		l.at++
	case c >= '0' && c <= '9', c == '.' && l.at+1 < len(l.src) && l.src[l.at+1] >= '0' && l.src[l.at+1] <= '9':
		t.kind, t.text = tNumber, l.number()
	case c == '#':
		l.at++
		t.kind, t.text = tPrivate, l.word()
	case c == '\\' || isStart(l.src[l.at:]):
		t.kind, t.text = tWord, l.word()
	default:
		t.kind, t.text = tPunct, l.sign()
	}
	t.end = l.at
	return t
}

func (l *lexer) sign() string {
	rest := l.src[l.at:]
	for _, s := range signs {
		if !strings.HasPrefix(rest, s) {
			continue
		}
		if s == "?." && len(rest) > 2 && rest[2] >= '0' && rest[2] <= '9' {
			continue // a ? .5 : b
		}
		l.at += len(s)
		return s
	}
	if !strings.ContainsRune("{}()[];,<>+-*/%&|^!~?:=.@", rune(rest[0])) {
		l.fail(l.at, "unexpected character")
	}
	l.at++
	return rest[:1]
}

func isStart(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return r == '$' || r == '_' || unicode.IsLetter(r) || unicode.Is(unicode.Nl, r) || unicode.Is(unicode.Other_ID_Start, r)
}

func isPart(r rune) bool {
	return r == '$' || r == '_' || r == '\u200c' || r == '\u200d' || unicode.IsLetter(r) || unicode.IsDigit(r) ||
		unicode.In(r, unicode.Nl, unicode.Mn, unicode.Mc, unicode.Pc, unicode.Other_ID_Continue, unicode.Other_ID_Start)
}

// word reads a name, its escapes resolved.
func (l *lexer) word() string {
	start := l.at
	var b strings.Builder
	escaped := false
	for l.at < len(l.src) {
		if strings.HasPrefix(l.src[l.at:], `\u`) {
			if !escaped {
				b.WriteString(l.src[start:l.at])
			}
			escaped = true
			l.at++
			b.WriteString(l.escape())
			continue
		}
		r, n := utf8.DecodeRuneInString(l.src[l.at:])
		if !isPart(r) {
			break
		}
		if escaped {
			b.WriteRune(r)
		}
		l.at += n
	}
	if l.at == start {
		l.fail(l.at, "unexpected character")
	}
	if escaped {
		return b.String()
	}
	return l.src[start:l.at]
}

// number reads a number as it is written.
func (l *lexer) number() string {
	start := l.at
	hex := strings.HasPrefix(l.src[l.at:], "0x") || strings.HasPrefix(l.src[l.at:], "0X")
	for l.at < len(l.src) {
		c := l.src[l.at]
		switch {
		case c == '.' && !hex, c == '_', c >= '0' && c <= '9', c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z':
		case (c == '+' || c == '-') && !hex && (l.src[l.at-1] == 'e' || l.src[l.at-1] == 'E'):
		default:
			return l.src[start:l.at]
		}
		l.at++
	}
	return l.src[start:]
}

// quoted reads a string and returns its value.
func (l *lexer) quoted(quote byte) string {
	start := l.at
	l.at++
	var b strings.Builder
	for l.at < len(l.src) {
		switch c := l.src[l.at]; c {
		case quote:
			l.at++
			return b.String()
		case '\n', '\r':
			l.fail(start, "the string does not end")
		case '\\':
			l.at++
			b.WriteString(l.escape())
		default:
			b.WriteByte(c)
			l.at++
		}
	}
	l.fail(start, "the string does not end")
	return ""
}

// escape reads what follows a backslash and returns what it stands for.
func (l *lexer) escape() string {
	if l.at >= len(l.src) {
		l.fail(l.at, "the string does not end")
	}
	c := l.src[l.at]
	l.at++
	switch c {
	case 'n':
		return "\n"
	case 't':
		return "\t"
	case 'r':
		return "\r"
	case 'b', 'f', 'v', '0':
		return "\x01" // one unit, whichever
	case '\r':
		if l.at < len(l.src) && l.src[l.at] == '\n' {
			l.at++
		}
		return ""
	case '\n':
		return ""
	case 'x':
		return l.hex(2)
	case 'u':
		if l.at < len(l.src) && l.src[l.at] == '{' {
			end := strings.IndexByte(l.src[l.at:], '}')
			if end < 0 {
				l.fail(l.at, "the escape does not end")
			}
			v := value(l.src[l.at+1 : l.at+end])
			l.at += end + 1
			return string(v)
		}
		return l.hex(4)
	}
	if c >= utf8.RuneSelf {
		l.at--
		r, n := utf8.DecodeRuneInString(l.src[l.at:])
		l.at += n
		if r == '\u2028' || r == '\u2029' {
			return ""
		}
		return string(r)
	}
	return string(rune(c))
}

func (l *lexer) hex(n int) string {
	if l.at+n > len(l.src) {
		l.fail(l.at, "the escape does not end")
	}
	v := value(l.src[l.at : l.at+n])
	l.at += n
	return string(v)
}

// value is the number of hex digits; half of a pair counts as one unit.
func value(digits string) rune {
	var v rune
	for _, c := range digits {
		v <<= 4
		switch {
		case c >= '0' && c <= '9':
			v |= c - '0'
		case c >= 'a' && c <= 'f':
			v |= c - 'a' + 10
		case c >= 'A' && c <= 'F':
			v |= c - 'A' + 10
		}
		if v > unicode.MaxRune {
			return utf8.RuneError
		}
	}
	return v
}
