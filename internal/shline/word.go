package shline

import (
	"strings"
	"unicode/utf8"
)

// word makes a Word of a finished item.
func (s *scanner) word(it item) Word {
	return s.makeWord(it.start, it.end, it.segLo, it.segHi)
}

func (s *scanner) makeWord(start, end, lo, hi int) Word {
	w := Word{Start: start, End: end, Raw: s.line[start:end], Text: s.text(lo, hi)}
	live := -1
	for k := lo; k < hi; k++ {
		switch s.segs[k].kind {
		case segLive, segTilde:
			w.Live = true
			live = s.segs[k].end
		case segGlob:
			w.Glob = true
		}
	}
	if live < 0 {
		return w
	}
	// The prefix ends after the last slash that follows the expansion.
	cut := live
	for k := hi - 1; k >= lo && s.segs[k].start >= live; k-- {
		g := s.segs[k]
		if g.kind != segPlain && g.kind != segQuoted {
			continue
		}
		if j := strings.LastIndexByte(s.line[g.start:g.end], '/'); j >= 0 {
			cut = g.start + j + 1
			break
		}
	}
	w.Prefix = s.line[start:cut]
	w.PrefixText = s.textTo(lo, hi, cut)
	return w
}

// text returns what the shell makes of the segments, as far as it is literal.
func (s *scanner) text(lo, hi int) string { return s.textTo(lo, hi, len(s.line)) }

// textTo is text for the segments cut at the offset to, which lies between
// segments or in one that is read as it stands.
func (s *scanner) textTo(lo, hi, to int) string {
	single, literal := -1, true
	for k := lo; k < hi; k++ {
		g := s.segs[k]
		if g.kind == segMark || g.start >= to {
			continue
		}
		if single >= 0 || g.kind == segEscape || g.kind == segANSI {
			literal = false
			break
		}
		single = k
	}
	if literal {
		if single < 0 {
			return ""
		}
		g := s.segs[single]
		return s.line[g.start:min(g.end, to)]
	}
	var b strings.Builder
	for k := lo; k < hi && s.segs[k].start < to; k++ {
		g := s.segs[k]
		raw := s.line[g.start:min(g.end, to)]
		switch g.kind {
		case segMark:
		case segEscape:
			s.unescape(&b, raw, g.double)
		case segANSI:
			unescapeANSI(&b, raw)
		default:
			b.WriteString(raw)
		}
	}
	return b.String()
}

// unescape writes what a backslash outside $'…' and its character stand for.
func (s *scanner) unescape(b *strings.Builder, raw string, double bool) {
	if len(raw) < 2 {
		return // cut between the two
	}
	if s.d != Fish || double {
		b.WriteString(raw[1:])
		return
	}
	switch c := raw[1]; c {
	case 'x', 'X':
		if len(raw) > 2 {
			b.WriteByte(byte(number(raw[2:], 16)))
		}
	case 'u', 'U':
		writeRune(b, number(raw[2:], 16))
	case 'c':
		if len(raw) > 2 {
			b.WriteByte(raw[2] & 0x1f)
		}
	default:
		if c >= '0' && c <= '7' {
			b.WriteByte(byte(number(raw[1:], 8)))
		} else if k := strings.IndexByte("abefnrtv", c); k >= 0 {
			b.WriteByte("\a\b\x1b\f\n\r\t\v"[k])
		} else {
			b.WriteString(raw[1:])
		}
	}
}

// number reads digits that are known to be valid.
func number(digits string, base rune) rune {
	var n rune
	for k := 0; k < len(digits); k++ {
		n = n*base + rune(hexValue(digits[k]))
	}
	return n
}

// writeRune writes a code point; what is none is left out.
func writeRune(b *strings.Builder, r rune) {
	if utf8.ValidRune(r) {
		b.WriteRune(r)
	}
}

// unescapeANSI writes what the inside of $'…' stands for (bash(1), QUOTING).
// As the shells do, it ends at a NUL.
func unescapeANSI(b *strings.Builder, raw string) {
	for k := 0; k < len(raw); k++ {
		if raw[k] != '\\' || k+1 == len(raw) {
			b.WriteByte(raw[k])
			continue
		}
		k++
		c := raw[k]
		switch c {
		case 'x', 'u', 'U':
			most := 2
			if c == 'u' {
				most = 4
			} else if c == 'U' {
				most = 8
			}
			n := digits(raw[k+1:], most, 16)
			if n == 0 {
				b.WriteString(raw[k-1 : k+1])
				continue
			}
			v := number(raw[k+1:k+1+n], 16)
			if c == 'x' {
				b.WriteByte(byte(v))
			} else {
				writeRune(b, v)
			}
			k += n
		case 'c':
			if k+1 < len(raw) {
				k++
				b.WriteByte(raw[k] & 0x1f)
			}
		case '0', '1', '2', '3', '4', '5', '6', '7':
			n := digits(raw[k:], 3, 8)
			b.WriteByte(byte(number(raw[k:k+n], 8)))
			k += n - 1
		default:
			if j := strings.IndexByte("abeEfnrtv\\'\"?", c); j >= 0 {
				b.WriteByte("\a\b\x1b\x1b\f\n\r\t\v\\'\"?"[j])
			} else {
				b.WriteByte('\\')
				b.WriteByte(c)
			}
		}
	}
}

// digits counts the digits of the base at the start of s, at most most.
func digits(s string, most int, base byte) int {
	n := 0
	for n < len(s) && n < most && hexValue(s[n]) < base {
		n++
	}
	return n
}
