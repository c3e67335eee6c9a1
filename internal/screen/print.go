package screen

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Printable makes text safe for one line of a terminal: control characters,
// characters that turn the writing direction, and bytes that are not UTF-8
// become visible escapes.
func Printable(s string) string {
	clean := true
	for _, r := range s {
		if r == utf8.RuneError || !unicode.IsPrint(r) {
			clean = false
			break
		}
	}
	if clean {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		b.WriteString(printable(r, n, s[i]))
		i += n
	}
	return b.String()
}

// printable returns what stands for one rune of n bytes, the first of which is first.
func printable(r rune, n int, first byte) string {
	switch {
	case r == utf8.RuneError && n == 1:
		return fmt.Sprintf(`\x%02x`, first)
	case r == '\n':
		return `\n`
	case r == '\t':
		return `\t`
	case unicode.IsPrint(r):
		return string(r)
	case r < 0x80:
		return fmt.Sprintf(`\x%02x`, r)
	}
	return fmt.Sprintf(`\u%04x`, r)
}

// JSON puts escapes (RFC 8259, section 7) in the place of characters in a JSON
// text that Printable would not print as they are: the value stays the same, and
// a terminal that shows it is not steered by it.
func JSON(data []byte) []byte {
	odd := func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) }
	if bytes.IndexFunc(data, odd) < 0 {
		return data
	}
	out := make([]byte, 0, len(data)+16)
	for _, r := range string(data) {
		switch {
		case !odd(r):
			out = utf8.AppendRune(out, r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
	}
	return out
}

// Wrap breaks text at blanks into lines of at most columns columns; a longer
// word is broken where the line ends.
func Wrap(text string, columns int) []string {
	columns = max(columns, 2)
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && Width(line)+1+Width(word) <= columns {
			line += " " + word
			continue
		}
		if line != "" {
			lines = append(lines, line)
		}
		for Width(word) > columns {
			part := Clip(word, columns)
			if part == "" { // a rune that is wider than the line
				break
			}
			lines = append(lines, part)
			word = word[len(part):]
		}
		line = word
	}
	return append(lines, line)
}
