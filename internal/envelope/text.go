package envelope

import (
	"bytes"
	"strconv"
	"unicode/utf8"
)

const (
	notePrefix    = "# TE: " // what was left out
	derivedPrefix = "# TE| " // what was read out of the content
	errorPrefix   = "[TE] "
)

// hostile reports whether a line of content could be taken for one of ours:
// backslashes, then "# TE" or "[TE]".
func hostile(line []byte) bool {
	if len(line) < 4 || line[0] != '#' && line[0] != '[' && line[0] != '\\' {
		return false
	}
	line = bytes.TrimLeft(line, `\`)
	return bytes.HasPrefix(line, []byte("# TE")) || bytes.HasPrefix(line, []byte("[TE]"))
}

// Quote writes a name as it is, or as a C string if it holds control characters
// or begins with a quote, so that it is one line and cannot be taken for another.
func Quote(name string) string {
	if !quoted(name) {
		return name
	}
	b := []byte{'"'}
	for i := 0; i < len(name); i++ {
		c := name[i]
		switch {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c == '\n':
			b = append(b, `\n`...)
		case c == '\t':
			b = append(b, `\t`...)
		case c == '\r':
			b = append(b, `\r`...)
		case control(name, i):
			b = append(b, '\\', '0'+c>>6, '0'+c>>3&7, '0'+c&7)
		default:
			b = append(b, c)
		}
	}
	return string(append(b, '"'))
}

func quoted(name string) bool {
	if name != "" && name[0] == '"' {
		return true
	}
	for i := range len(name) {
		if control(name, i) {
			return true
		}
	}
	return false
}

// control reports whether the byte at i is a control character: of ASCII, or one
// of the two bytes of U+0080 to U+009F.
func control(name string, i int) bool {
	c := name[i]
	switch {
	case c < 0x20 || c == 0x7f:
		return true
	case c == 0xc2:
		return i+1 < len(name) && name[i+1] >= 0x80 && name[i+1] < 0xa0
	}
	return c >= 0x80 && c < 0xa0 && i > 0 && name[i-1] == 0xc2
}

// place writes a path in a note. One with a blank, a comma or a quote is a string
// of JSON, so that the parts of the note stay apart.
func place(path string) string {
	for i := range len(path) {
		if c := path[i]; c <= ' ' || c == ',' || c == '"' || c == 0x7f {
			return string(appendString(nil, path))
		}
	}
	if !utf8.ValidString(path) {
		return string(appendString(nil, path))
	}
	return path
}

// chars counts the characters of a text; a byte that is not UTF-8 counts as one.
func chars(b []byte) int { return utf8.RuneCount(b) }

// appendString writes a string of JSON. Bytes that are not UTF-8 become U+FFFD.
func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			i++
			switch {
			case c == '"' || c == '\\':
				b = append(b, '\\', c)
			case c == '\n':
				b = append(b, `\n`...)
			case c == '\t':
				b = append(b, `\t`...)
			case c == '\r':
				b = append(b, `\r`...)
			case c < 0x20 || c == 0x7f:
				b = append(b, `\u00`...)
				b = append(b, "0123456789abcdef"[c>>4], "0123456789abcdef"[c&15])
			default:
				b = append(b, c)
			}
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			b = append(b, "\ufffd"...)
		case r == '\u2028' || r == '\u2029' || r < 0xa0:
			b = append(b, `\u`...)
			b = append(b, "0123456789abcdef"[r>>12], "0123456789abcdef"[r>>8&15], "0123456789abcdef"[r>>4&15], "0123456789abcdef"[r&15])
		default:
			b = append(b, s[i:i+n]...)
		}
		i += n
	}
	return append(b, '"')
}

const maxLine = 500 // characters of a line that is shown whole

func cutMark(n int64) string { return "…[TE: " + strconv.FormatInt(n, 10) + " bytes cut]…" }

// shorten cuts a line of more than limit characters to a part around a place in it; at
// < 0 keeps its beginning. text is the part of the line from base that is known; size
// is the length of the whole. What is left out is counted in bytes.
func shorten(text []byte, base, size, at int64, limit int) (out []byte, cut bool) {
	if base == 0 && size == int64(len(text)) && (size <= int64(limit) || chars(text) <= limit) {
		return text, false
	}
	window := limit - 2*utf8.RuneCountInString(cutMark(size))
	window = max(window, 8)
	from := 0
	if at > base {
		from = runesBefore(text, int(min(at-base, int64(len(text)))), window/3)
	}
	to := runesAfter(text, from, window)
	if to == len(text) && base+int64(to) == size { // the end is in reach: show more before it
		from = runesBefore(text, to, window)
	}
	if base == 0 && from < 40 {
		from, to = 0, runesAfter(text, 0, window)
	}
	if n := base + int64(from); n > 0 {
		out = append(out, cutMark(n)...)
	}
	out = append(out, text[from:to]...)
	if n := size - base - int64(to); n > 0 {
		out = append(out, cutMark(n)...)
	}
	return out, true
}

// runesBefore is the place n characters before at.
func runesBefore(b []byte, at, n int) int {
	for at < len(b) && at > 0 && !utf8.RuneStart(b[at]) {
		at--
	}
	for ; n > 0 && at > 0; n-- {
		_, size := utf8.DecodeLastRune(b[:at])
		at -= size
	}
	return at
}

// runesAfter is the place n characters after at.
func runesAfter(b []byte, at, n int) int {
	for ; n > 0 && at < len(b); n-- {
		_, size := utf8.DecodeRune(b[at:])
		at += size
	}
	return at
}
