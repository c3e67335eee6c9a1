package draft

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// OneLine makes a text one printable line of at most max bytes. An escape
// sequence goes whole; any other control character parts what it stands between.
func OneLine(s string, max int) string {
	s = strings.ToValidUTF8(s, "")
	if strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) {
		s = plain(s)
	}
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > max {
		s = strings.TrimRight(strings.ToValidUTF8(s[:max], ""), " ")
	}
	return s
}

func plain(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		if n := sequence(s[i:]); n > 0 {
			i += n
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case unicode.IsPrint(r):
			b.WriteRune(r)
		case unicode.IsControl(r), unicode.IsSpace(r):
			b.WriteByte(' ')
		}
		i += size
	}
	return b.String()
}

// sequence is the length of the escape sequence that a text begins with, 0 if it
// begins with none (ECMA-48, 5.4 and 5.6; ESC [ and U+009B are the same).
func sequence(s string) int {
	begin, kind := 2, byte(0)
	switch {
	case s[0] == 0x1b && len(s) == 1:
		return 1
	case s[0] == 0x1b:
		kind = s[1]
	case s[0] == 0xc2 && len(s) > 1 && s[1] >= 0x80 && s[1] <= 0x9f: // C1, as UTF-8 has it
		kind = s[1] - 0x40
	default:
		return 0
	}
	switch {
	case kind == '[':
		for i := begin; i < len(s); i++ {
			if s[i] >= 0x40 && s[i] <= 0x7e {
				return i + 1
			}
			if s[i] < 0x20 || s[i] > 0x7e {
				return i // broken off
			}
		}
		return len(s)
	case strings.IndexByte("]PX^_", kind) >= 0:
		return begin + untilEnd(s[begin:])
	case s[0] == 0x1b && kind >= 0x20 && kind <= 0x2f: // a character set: ESC ( B
		i := begin
		for i < len(s) && s[i] >= 0x20 && s[i] <= 0x2f {
			i++
		}
		return min(i+1, len(s))
	case s[0] == 0x1b && (kind < 0x20 || kind > 0x7e):
		return 1
	case s[0] == 0x1b:
		return begin
	}
	return 0 // another C1 control, which is no sequence
}

// untilEnd is the length of a string of control up to its end, BEL or ST.
func untilEnd(s string) int {
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == 7:
			return i + 1
		case strings.HasPrefix(s[i:], "\x1b\\"), strings.HasPrefix(s[i:], "\u009c"):
			return i + 2
		}
	}
	return len(s)
}
