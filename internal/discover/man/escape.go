// Package man reads the source of manual pages, in man and mdoc macros, as lines
// that package help understands: titles, tags of lists, text below them. Text is
// not filled, so a paragraph is one line.
package man

import (
	"strings"
	"unicode/utf8"

	"github.com/tool-mapping-protocol/tmp/internal/discover/help"
)

// font is the font that text is set in.
type font uint8

const (
	roman font = iota
	bold
	italic
)

// Marks around bold text in bodies; package help quotes by them.
const (
	openBold  = help.OpenBold
	closeBold = help.CloseBold
)

// piece is text in one font.
type piece struct {
	text string
	font font
}

// inline turns text with escapes into pieces. Font is the one at its start and
// is left at the one of its end.
func (r *reader) inline(s string) []piece {
	w := inliner{r: r}
	for i := 0; i < len(s); {
		if s[i] != '\\' {
			_, n := utf8.DecodeRuneInString(s[i:])
			w.text.WriteString(s[i : i+n])
			i += n
			continue
		}
		if i+1 >= len(s) {
			break
		}
		i = w.escape(s, i+2)
	}
	w.flush()
	return w.out
}

// inliner collects the pieces of a text.
type inliner struct {
	r    *reader
	out  []piece
	text strings.Builder // of the piece that is open
}

// flush ends a piece.
func (w *inliner) flush() {
	if w.text.Len() > 0 {
		w.out = append(w.out, piece{w.text.String(), w.r.font})
		w.text.Reset()
	}
}

// escape reads the escape sequence whose letter is s[i-1] and returns where the
// text goes on.
func (w *inliner) escape(s string, i int) int {
	switch c := s[i-1]; c {
	case 'f', 'F':
		name, n := w.r.named(s[i:])
		w.flush()
		if c == 'f' {
			w.r.setFont(name)
		}
		return i + n
	case '-':
		w.text.WriteByte('-')
	case ' ', '~', '0', 't':
		w.text.WriteByte(' ')
	case 'e', '\\':
		w.text.WriteByte('\\')
	case '\'', '`', '.', '_':
		w.text.WriteByte(c)
	case '(', '[':
		name, n := argument(s[i-1:])
		w.text.WriteString(glyph(name))
		return i + n - 1
	case 'C':
		name, n := quoted(s[i:])
		w.text.WriteString(glyph(name))
		return i + n
	case '"', '#':
		return len(s)
	case '*':
		name, n := argument(s[i:])
		w.expand(name)
		return i + n
	case 's':
		return i + sizeLen(s[i:])
	case 'n', 'm', 'M', 'k', 'g', 'Y', 'V':
		if c == 'n' && i < len(s) && (s[i] == '+' || s[i] == '-') {
			i++
		}
		_, n := argument(s[i:])
		return i + n
	case 'h', 'v', 'w', 'l', 'L', 'D', 'X', 'N', 'b', 'H', 'S', 'x', 'A', 'B', 'R', 'Z':
		_, n := quoted(s[i:])
		if c == 'h' {
			w.text.WriteByte(' ')
		}
		return i + n
	case 'o':
		over, n := quoted(s[i:])
		if over != "" {
			w.text.WriteString(over[:1])
		}
		return i + n
	case '$':
		_, n := argument(s[i:])
		return i + n
	case '&', ')', '|', '^', '/', ',', '%', ':', '!', '?', '{', '}', 'c', 'p', 'u', 'd', 'r', 'z', 'a':
	default:
		if c >= 0x20 && c < 0x7f {
			w.text.WriteByte(c)
		}
	}
	return i
}

// expand writes the text of a string that the page defines.
func (w *inliner) expand(name string) {
	w.flush()
	if r := w.r; r.depth < 8 && r.expanded < 20_000 {
		r.expanded++
		r.depth++
		w.out = append(w.out, r.inline(r.strings[name])...)
		r.depth--
	}
}

func (r *reader) setFont(name string) {
	old := r.font
	switch name {
	case "B", "3", "CB", "BI", "CBI", "4":
		r.font = bold
		if name == "BI" || name == "4" || name == "CBI" {
			r.font = italic
		}
	case "I", "2", "CI":
		r.font = italic
	case "P", "":
		r.font = r.previous
	default:
		r.font = roman
	}
	r.previous = old
}

// argument reads an escape's name: one character, "(xx" or "[name]".
func argument(s string) (name string, n int) {
	switch {
	case s == "":
		return "", 0
	case s[0] == '(':
		n = min(3, len(s))
		return s[1:n], n
	case s[0] == '[':
		end := strings.IndexByte(s, ']')
		if end < 0 {
			return s[1:], len(s)
		}
		return s[1:end], end + 1
	}
	return s[:1], 1
}

// named is argument where a string of the page stands for the name: "\f\*[B-Font]".
func (r *reader) named(s string) (name string, n int) {
	rest, ok := strings.CutPrefix(s, `\*`)
	if !ok {
		return argument(s)
	}
	key, n := argument(rest)
	return strings.Trim(r.strings[key], "[]("), n + len(`\*`)
}

// quoted reads an argument between two equal characters.
func quoted(s string) (text string, n int) {
	if s == "" {
		return "", 0
	}
	end := strings.IndexByte(s[1:], s[0])
	if end < 0 {
		return "", 1
	}
	return s[1 : end+1], end + 2
}

// sizeLen is the length of the argument of \s: "0", "-2", "+1", "(10", "[12]".
func sizeLen(s string) int {
	i := 0
	if i < len(s) && (s[i] == '+' || s[i] == '-') {
		i++
	}
	if i < len(s) && (s[i] == '(' || s[i] == '[' || s[i] == '\'') {
		if s[i] == '\'' {
			_, n := quoted(s[i:])
			return i + n
		}
		_, n := argument(s[i:])
		return i + n
	}
	if i < len(s) {
		i++
	}
	if i < len(s) && i == 1 && s[0] >= '1' && s[0] <= '3' && s[1] >= '0' && s[1] <= '9' {
		i++
	}
	return i
}

// glyphs are the plain forms of named characters.
var glyphs = map[string]string{
	"hy": "-", "mi": "-", "en": "-", "em": "--", "-": "-", "pl-": "-",
	"aq": "'", "oq": "'", "cq": "'", "fm": "'", "'": "'", "`": "'", "ga": "'", "aa": "'",
	"dq": `"`, "lq": `"`, "rq": `"`, "Lq": `"`, "Rq": `"`,
	"bu": "•", "ci": "•", "sq": "•",
	"ti": "~", "ap": "~",
	"ha": "^", "a^": "^",
	"rs": `\`,
	"at": "@",
	"sh": "#",
	"Do": "$",
	"bv": "|", "ba": "|", "or": "|", "br": "|",
	"lB": "[",
	"rB": "]",
	"lC": "{",
	"rC": "}",
	"la": "<", "<": "<", "fo": "<",
	"ra": ">", ">": ">", "fc": ">",
	"<=": "<=",
	">=": ">=",
	"->": "->",
	"mu": "x",
	"pl": "+",
	"eq": "=",
	"sl": "/",
	"ul": "_", "ru": "_",
	"co": "(c)",
	"rg": "(r)",
	"ss": "ß",
	":a": "ä",
	":o": "ö",
	":u": "ü",
}

// glyph is the plain form of a named character, or of one that is named by its
// number: u2014.
func glyph(name string) string {
	if plain, ok := glyphs[name]; ok {
		return plain
	}
	if hex, ok := strings.CutPrefix(name, "u"); ok && len(hex) >= 4 && len(hex) <= 6 {
		var r rune
		for _, c := range hex {
			d := strings.IndexRune("0123456789ABCDEF", c)
			if d < 0 {
				return ""
			}
			r = r<<4 | rune(d)
		}
		switch r {
		case 0x2010, 0x2011, 0x2212, 0x2013:
			return "-"
		case 0x2014:
			return "--"
		case 0x2018, 0x2019:
			return "'"
		}
		if r >= 0x20 && utf8.ValidRune(r) {
			return string(r)
		}
	}
	return ""
}
