// Package help reads what a program prints for --help.
//
// No text is refused. Layouts are told apart by where columns begin and what
// stands at the beginning of a line, not by the program that printed them.
package help

import (
	"strings"
	"unicode/utf8"
)

// Limits of what is read of one text.
const (
	MaxText  = 4 << 20 // bytes
	MaxLines = 60_000
	maxLine  = 4 << 10  // bytes of one line
	maxBody  = 16 << 10 // bytes of an option's text
	maxItems = 5000     // options, or sub-commands, of one command
)

// Line is a line of a text: blanks before it counted, the rest without blanks
// at its end. Markers of package man stand for fonts in Text: a value that is
// printed in italics lies between Open and Close.
type Line struct {
	No     int // from 1
	Indent int // columns
	Text   string
	Tag    bool // known to be the tag of a list, not running text
	Head   bool // known to be a title
}

// Open and Close surround a word that the text's own markup calls a value.
const (
	Open  = '\x01'
	Close = '\x02'
)

// OpenBold and CloseBold surround a word that is printed as it may be typed.
const (
	OpenBold  = '\x03'
	CloseBold = '\x04'
)

// Lines cuts a text into lines without colours, overstrikes, carriage returns
// and other control characters. Tabs reach to every eighth column.
func Lines(text string) []Line {
	text = decoded(text)
	if len(text) > MaxText {
		text = text[:MaxText]
	}
	var out []Line
	for no := 1; text != "" && no <= MaxLines; no++ {
		line, rest, _ := strings.Cut(text, "\n")
		text = rest
		if len(line) > maxLine {
			line = line[:maxLine]
		}
		line = Expand(plain(line))
		body := strings.TrimLeft(line, " ")
		out = append(out, Line{No: no, Indent: len(line) - len(body), Text: body})
	}
	return out
}

// plain takes escape sequences, overstrikes and control characters out.
func plain(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f || r >= 0x80 }) {
		return s
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c == 0x1b:
			i = afterEscape(s, i)
		case c == '\b':
			_, n := utf8.DecodeLastRune(out)
			out = out[:len(out)-n]
			i++
		case c == '\t':
			out = append(out, c)
			i++
		case c < ' ' || c == 0x7f:
			i++
		case c < 0x80:
			out = append(out, c)
			i++
		default:
			r, n := utf8.DecodeRuneInString(s[i:])
			out = appendRune(out, r, n, c)
			i += n
		}
	}
	return string(out)
}

// appendRune keeps a rune, in its plain form where it stands for an ASCII one.
// A byte that is not UTF-8 is read as Latin-1.
func appendRune(out []byte, r rune, n int, c byte) []byte {
	switch {
	case r == utf8.RuneError && n <= 1:
		return utf8.AppendRune(out, rune(c))
	case r >= 0x80 && r < 0xa0, r >= 0x200b && r <= 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069, r == 0xfeff, r == 0xad:
		return out
	case r == 0xa0 || r >= 0x2000 && r <= 0x200a || r == 0x202f:
		return append(out, ' ')
	case r == 0x2010, r == 0x2011, r == 0x2212:
		return append(out, '-')
	case r >= 0x2018 && r <= 0x201b, r == 0x300c, r == 0x300d, r == 0x2039, r == 0x203a:
		return append(out, '\'')
	case r >= 0x201c && r <= 0x201f, r == 0xab, r == 0xbb, r == 0x300e, r == 0x300f:
		return append(out, '"')
	case r == 0x2026:
		return append(out, "..."...)
	case r == 0x2502:
		return append(out, '|')
	}
	return utf8.AppendRune(out, r)
}

// afterEscape returns the index behind the escape sequence at i: CSI, OSC and
// other strings, or two bytes.
func afterEscape(s string, i int) int {
	if i+1 >= len(s) {
		return len(s)
	}
	switch s[i+1] {
	case '[':
		for j := i + 2; j < len(s); j++ {
			if s[j] >= 0x40 && s[j] <= 0x7e {
				return j + 1
			}
		}
		return len(s)
	case ']', 'P', '_', '^', 'X':
		for j := i + 2; j < len(s); j++ {
			if s[j] == 7 {
				return j + 1
			}
			if s[j] == 0x1b && j+1 < len(s) && s[j+1] == '\\' {
				return j + 2
			}
		}
		return len(s)
	case '(', ')', '*', '+', '#':
		return min(i+3, len(s))
	}
	return i + 2
}

// Expand replaces tabs by blanks and cuts blanks at the end.
func Expand(s string) string {
	s = strings.TrimRight(s, " \t")
	if !strings.Contains(s, "\t") {
		return s
	}
	var b strings.Builder
	col := 0
	for _, r := range s {
		if r == '\t' {
			n := 8 - col%8
			b.WriteString("        "[:n])
			col += n
			continue
		}
		b.WriteRune(r)
		col++
	}
	return b.String()
}
