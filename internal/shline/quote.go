package shline

import (
	"strings"
	"sync"
	"unicode/utf8"
)

// Quote returns the text that replaces cursor.Raw so that the shell reads the
// word as value. Value is literal, except for cursor.PrefixText at its start,
// which stands for cursor.Prefix and stays live. What the user has typed is
// kept as far as it means value; what follows continues in the quotes that are
// open at the cursor. With open the quotes stay open, since the word goes on
// (a directory, a list); without it they are closed.
//
// Line breaks and other control characters become $'\n' in bash and zsh and \n
// in fish; bytes that are not UTF-8 survive; "!" is kept from history
// expansion in bash and zsh. A leading "-" is untouched: what it means is the
// command's matter, not the shell's.
func Quote(d Dialect, value string, cursor Word, open bool) string {
	if cursor.Raw == cursor.Text && cursor.Prefix == "" && cursor.Open == Unquoted && !cursor.Escape && plain(value) {
		return value
	}
	w := &writer{d: d, value: value}
	style := cursor.Open
	raw := cursor.Raw
	if cursor.Escape {
		raw = raw[:len(raw)-1]
	}
	typed := lexWord(d, raw)
	switch {
	case raw != "" && strings.HasPrefix(value, cursor.Text) && typed.means(value):
		w.b.WriteString(raw)
		w.at = len(cursor.Text)
	case cursor.Prefix != "" && strings.HasPrefix(value, cursor.PrefixText):
		w.b.WriteString(cursor.Prefix)
		w.at = len(cursor.PrefixText)
		if q := lexWord(d, cursor.Prefix).open(); q != Unquoted {
			style = q
		} else if style != Unquoted {
			w.b.WriteString(opener(style))
		}
	default:
		w.b.WriteString(opener(style))
	}
	w.rest(style)
	if style != Unquoted && !open {
		w.b.WriteByte(closer(style))
	}
	if w.b.Len() == 0 {
		return "''"
	}
	return w.b.String()
}

// plain reports whether every dialect reads a word as it is written: letters,
// digits and marks that mean nothing anywhere, not even at the start.
func plain(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '_' || c == '-' || c == '.' || c == '/' {
			continue
		}
		if i == 0 || c != ':' && c != '@' && c != '+' && c != ',' {
			return false
		}
	}
	return s != ""
}

// QuoteWord returns value quoted as an argument of its own.
func QuoteWord(d Dialect, value string) string { return Quote(d, value, Word{}, false) }

// Unquote returns what the shell reads a word as. It is false if raw is not
// one word, finished and without expansions and patterns.
func Unquote(d Dialect, raw string) (text string, ok bool) {
	t := lexWord(d, raw)
	if !t.whole || t.open() != Unquoted || t.s.escape {
		return "", false
	}
	for _, g := range t.s.segs {
		switch g.kind {
		case segLive, segTilde, segGlob:
			return "", false
		}
	}
	return t.s.text(0, len(t.s.segs)), true
}

// ParseWord reads raw as one argument. Its offsets count from base. What is
// more than one word is read as if it were one, with its blanks.
func ParseWord(d Dialect, raw string, base int) Word {
	if text, ok := literalWord(raw); ok {
		return Word{Start: base, End: base + len(raw), Raw: raw, Text: text}
	}
	return scanWord(d, raw, base)
}

func scanWord(d Dialect, raw string, base int) Word {
	s, _ := wordScanners.Get().(*scanner)
	if s == nil {
		s = newScanner(d, raw, false)
	} else {
		*s = scanner{d: d, line: raw, stop: -1, varEnd: -1, frames: s.frames[:0], items: s.items[:0], segs: s.segs[:0]}
		s.push(frameTop, 0)
	}
	defer wordScanners.Put(s)
	t := readWord(s, raw)
	if !t.whole {
		return Word{Start: base, End: base + len(raw), Raw: raw, Text: raw, Live: true}
	}
	w := t.s.makeWord(0, len(raw), t.s.frames[0].wordSegs, len(t.s.segs))
	w.Start, w.End = base, base+len(raw)
	w.Open, w.Escape = t.open(), t.s.escape
	return w
}

// wordScanners keeps the scanners of words for the next ones.
var wordScanners sync.Pool

// literalWord returns the text of a word that is the same in every dialect and
// needs no scanner: letters, digits and the like, or one pair of quotes around
// text in which nothing is special.
func literalWord(raw string) (string, bool) {
	if len(raw) > 1 && (raw[0] == '\'' || raw[0] == '"') && raw[len(raw)-1] == raw[0] {
		inner := raw[1 : len(raw)-1]
		if raw[0] == '\'' {
			return inner, !strings.ContainsAny(inner, `'\`)
		}
		return inner, !strings.ContainsAny(inner, "\"\\$`!")
	}
	for i := range len(raw) {
		c := raw[i]
		switch {
		case c|0x20 >= 'a' && c|0x20 <= 'z', c >= '0' && c <= '9', c == '/', c == '.', c == '-', c == '_', c == ',', c == '@':
		case (c == '=' || c == ':' || c == '+' || c == '%') && i > 0:
		default:
			return "", false
		}
	}
	return raw, raw != ""
}

// typedWord is a word read by itself, as an argument.
type typedWord struct {
	s     *scanner
	whole bool // raw is one word, with no unfinished expansion
}

func lexWord(d Dialect, raw string) typedWord { return readWord(newScanner(d, raw, false), raw) }

func readWord(s *scanner, raw string) typedWord {
	s.top().args = true
	s.stop = 0 // what ends the command shows as done
	s.point = -1
	s.run(len(raw))
	f := &s.frames[0]
	return typedWord{s, !s.done && f.inWord && f.wordStart == 0 && len(s.items) == 0 && s.openLive(0) < 0}
}

func (t typedWord) open() Quoting {
	if len(t.s.frames) < 2 {
		return Unquoted
	}
	switch t.s.frames[1].kind {
	case frameSingle:
		return Single
	case frameDouble:
		return Double
	case frameANSI:
		return ANSI
	}
	return Unquoted
}

// means reports whether the typed text, which reads as the beginning of value,
// still does when the rest of value follows it: nothing in it is a pattern or
// would be a special character.
func (t typedWord) means(value string) bool {
	if !t.whole {
		return false
	}
	at := 0 // offset in value
	for k, g := range t.s.segs {
		raw := t.s.line[g.start:g.end]
		switch g.kind {
		case segGlob:
			return false
		case segPlain:
			for j := 0; j < len(raw); j++ {
				if isControl(raw[j]) || t.s.d == Fish && wideSpace(raw[j:]) > 0 || raw[j] != '~' && special(t.s.d, value, at+j) {
					return false
				}
			}
		case segQuoted:
			if g.double && t.s.d != Fish && strings.IndexByte(raw, '!') >= 0 {
				return false
			}
		}
		at += len(t.s.text(k, k+1))
	}
	return true
}

func opener(q Quoting) string {
	switch q {
	case Single:
		return "'"
	case Double:
		return `"`
	case ANSI:
		return "$'"
	}
	return ""
}

func closer(q Quoting) byte {
	if q == Double {
		return '"'
	}
	return '\''
}

// writer writes a value from the offset at on.
type writer struct {
	d     Dialect
	b     strings.Builder
	value string
	at    int
}

// rest writes the value in the quotes of the style, which are open.
func (w *writer) rest(style Quoting) {
	for w.at < len(w.value) {
		n := w.plainRun()
		if n == 0 {
			if c := w.value[w.at]; isControl(c) {
				w.bytes(style, 1)
			} else {
				w.char(style, c)
				w.at++
			}
			continue
		}
		c := w.value[w.at : w.at+n]
		switch {
		case w.d == Fish && style == Unquoted && wideSpace(c) > 0:
			w.b.WriteByte('\\')
		case w.d == Fish && !utf8.ValidString(c), acts(c):
			w.bytes(style, n)
			continue
		}
		w.b.WriteString(c)
		w.at += n
	}
}

// plainRun returns the length of the character at the offset if it is outside
// ASCII, else 0.
func (w *writer) plainRun() int {
	if w.value[w.at] < utf8.RuneSelf {
		return 0
	}
	_, n := utf8.DecodeRuneInString(w.value[w.at:])
	return n
}

// acts reports whether the character s would act on a terminal: a control
// character of U+0080 to U+009F, or one that turns the direction of what follows
// (U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069).
func acts(s string) bool {
	switch {
	case len(s) == 2:
		return s[0] == 0xc2 && s[1] < 0xa0 || s == "\u061c"
	case len(s) == 3:
		return s >= "\u202a" && s <= "\u202e" || s >= "\u2066" && s <= "\u2069" || s == "\u200e" || s == "\u200f"
	}
	return false
}

func isControl(c byte) bool { return c < ' ' || c == 0x7f }

// char writes the ASCII character c, which stands at the offset.
func (w *writer) char(style Quoting, c byte) {
	switch style {
	case Unquoted:
		if special(w.d, w.value, w.at) {
			w.b.WriteByte('\\')
		}
	case Single:
		switch {
		case w.d == Fish && (c == '\'' || c == '\\'):
			w.b.WriteByte('\\')
		case w.d != Fish && c == '\'':
			w.b.WriteString(`'\''`)
			return
		}
	case Double:
		switch {
		case c == '"' || c == '$' || c == '\\' || c == '`' && w.d != Fish:
			w.b.WriteByte('\\')
		case c == '!' && w.d != Fish:
			w.b.WriteString(`"\!"`) // inside the quotes it would begin a history expansion
			return
		}
	case ANSI:
		switch c {
		case '\'', '\\':
			w.b.WriteByte('\\')
		case '!':
			w.b.WriteString(`\x21`)
			return
		}
	}
	w.b.WriteByte(c)
}

// bytes writes the next n bytes as escapes, outside the open quotes where
// those know none.
func (w *writer) bytes(style Quoting, n int) {
	if style == Single || style == Double {
		w.b.WriteByte(closer(style))
	}
	ansi := w.d != Fish && style != ANSI
	if ansi {
		w.b.WriteString("$'")
	}
	for ; n > 0; n-- {
		c := w.value[w.at]
		switch {
		case c == '\n':
			w.b.WriteString(`\n`)
		case c == '\t':
			w.b.WriteString(`\t`)
		case w.d == Fish && c >= utf8.RuneSelf:
			w.hex('X', c) // \x stops at 7f there
		default:
			w.hex('x', c)
		}
		w.at++
	}
	if ansi {
		w.b.WriteByte('\'')
	}
	if style == Single || style == Double {
		w.b.WriteByte(closer(style))
	}
}

func (w *writer) hex(letter, c byte) {
	const digits = "0123456789abcdef"
	w.b.WriteByte('\\')
	w.b.WriteByte(letter)
	w.b.WriteByte(digits[c>>4])
	w.b.WriteByte(digits[c&15])
}

// special reports whether the character at the offset i of a value has a
// meaning outside quotes in an argument.
func special(d Dialect, value string, i int) bool {
	c := value[i]
	switch c {
	case ' ', '"', '\'', '\\', '$', '&', '|', ';', '<', '>', '(', ')', '*', '?', '[', ']':
		return true
	case '`', '!':
		return d != Fish
	case '^':
		return d == Zsh // extended patterns
	case '#':
		return i == 0 || d == Zsh
	case '~':
		return i == 0 || d != Fish && (value[i-1] == '=' || value[i-1] == ':')
	case '=':
		return d == Zsh && (i == 0 || value[i-1] == '=' || value[i-1] == ':')
	case '%':
		return d == Fish && i == 0
	case '{', '}':
		return !bracesPlain(value)
	}
	return false
}

// bracesPlain reports whether the braces of a value are none to any shell:
// each pair, not at the start, holds only letters, digits, "_" and "-", as in
// stash@{0}.
func bracesPlain(value string) bool {
	inside := false
	for k := 0; k < len(value); k++ {
		switch c := value[k]; {
		case c == '{':
			if inside || k == 0 {
				return false
			}
			inside = true
		case c == '}':
			if !inside {
				return false
			}
			inside = false
		case inside && !isName(c) && c != '-':
			return false
		}
	}
	return !inside
}
