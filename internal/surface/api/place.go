package api

import (
	"errors"
	"strings"
	"unicode/utf8"
)

const upperHex = "0123456789ABCDEF"

// escape writes a value so that no byte of it means anything in a URL: all but the
// unreserved characters (RFC 3986, section 2.3) become %XX.
func escape(s string) string {
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '.' || c == '_' || c == '~' {
			b.WriteByte(c)
			continue
		}
		b.WriteByte('%')
		b.WriteByte(upperHex[c>>4])
		b.WriteByte(upperHex[c&15])
	}
	return b.String()
}

// literalPath writes what a map says of a path: its own escapes stay.
func literalPath(s string) string {
	var b strings.Builder
	for i := range len(s) {
		switch c := s[i]; {
		case c == '%' && i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2]), strings.IndexByte("/:@!$&'()*+,;=", c) >= 0:
			b.WriteByte(c)
		default:
			b.WriteString(escape(s[i : i+1]))
		}
	}
	return b.String()
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

// isDots reports whether a segment of a path leads elsewhere than down, however it
// is escaped.
func isDots(segment string) bool {
	s := strings.ReplaceAll(strings.ToLower(segment), "%2e", ".")
	return s == "." || s == ".."
}

// headerValue refuses what would end a header: CR, LF, NUL and the other controls.
func headerValue(s string) error {
	if strings.ContainsAny(s, "\r\n") {
		return errors.New("a header holds no line break")
	}
	for _, r := range s {
		if r < ' ' && r != '\t' || r == 0x7f {
			return errors.New("a header holds no control character")
		}
	}
	if !utf8.ValidString(s) {
		return errors.New("a header holds text")
	}
	return nil
}
