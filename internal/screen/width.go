// Package screen lays text out on a terminal: how wide it is, what is safe to
// print, and a line with parts of it underlined.
package screen

import "unicode"

// Width is the number of columns a text takes on a terminal.
func Width(s string) int {
	n := 0
	for _, r := range s {
		n += RuneWidth(r)
	}
	return n
}

// RuneWidth is 0 for marks and format characters, 2 for East Asian wide ones
// and emoji (Unicode TR11, the ranges that terminals agree on), else 1.
func RuneWidth(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case r >= 0x1100 && r <= 0x115f, r >= 0x2e80 && r <= 0xa4cf, r >= 0xac00 && r <= 0xd7a3,
		r >= 0xf900 && r <= 0xfaff, r >= 0xfe30 && r <= 0xfe6f, r >= 0xff00 && r <= 0xff60,
		r >= 0x1f300 && r <= 0x1faff, r >= 0x20000 && r <= 0x3fffd:
		return 2
	}
	return 1
}

// Clip cuts a text to at most n columns.
func Clip(s string, n int) string {
	w := 0
	for i, r := range s {
		w += RuneWidth(r)
		if w > n {
			return s[:i]
		}
	}
	return s
}
