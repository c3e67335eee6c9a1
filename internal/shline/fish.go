package shline

import (
	"strings"
	"unicode/utf8"
)

// fishList reads one token's worth of bytes where commands stand in fish.
func (s *scanner) fishList(f *frame) {
	c := s.line[s.i]
	switch c {
	case ' ', '\t', '\r':
		s.endWord(f)
		s.i++
	case '\n', ';':
		s.endCommand(f, s.line[s.i:s.i+1])
		if !s.done {
			s.i++
		}
	case '\'', '"':
		s.openQuote(f, c)
	case '\\':
		if !f.inWord && s.byteAt(1) == '\n' {
			s.i += 2
			return
		}
		s.begin(f)
		s.backslash(f)
	case '$':
		s.begin(f)
		s.dollar(f)
	case '(':
		s.begin(f)
		s.enter(frameCommand, 1)
	case ')':
		if f.kind == frameTop {
			s.endCommand(f, ")")
			if !s.done {
				s.i++
			}
			return
		}
		s.shut(f)
	case '<', '>':
		s.fishRedirect(f, c)
	case '|', '&':
		s.fishOperator(f, c)
	case '#':
		if !f.inWord && s.comments {
			s.push(frameComment, s.i)
			return
		}
		s.plain(f)
	case '~':
		if f.inWord {
			s.plain(f)
			return
		}
		s.tilde(f)
	case '*', '?':
		s.begin(f)
		s.add(segGlob, s.i, s.i+1)
		s.i++
	case '=':
		s.fishAssign(f)
	case 0xe1, 0xe2, 0xe3:
		if n := wideSpace(s.line[s.i:s.end]); n > 0 {
			s.endWord(f)
			s.i += n
			return
		}
		s.plain(f)
	default:
		s.plain(f)
	}
}

// wideSpace returns the length of the blank outside ASCII at the start of s, or
// 0: fish parts words at every character that iswspace(3) is true for.
func wideSpace(s string) int {
	switch r, n := utf8.DecodeRuneInString(s); {
	case r == 0x1680, r >= 0x2000 && r <= 0x200a && r != 0x2007, r == 0x2028, r == 0x2029, r == 0x205f, r == 0x3000:
		return n
	}
	return 0
}

// fishAssign reads an =: VAR=value before a command.
func (s *scanner) fishAssign(f *frame) {
	s.begin(f)
	if !f.args && f.eq < 0 && f.op == "" && s.i-f.wordStart < 1024 && validName(s.line[f.wordStart:s.i]) {
		f.eq = s.i + 1
	}
	s.add(segPlain, s.i, s.i+1)
	s.i++
	if f.eq == s.i && s.byteAt(0) == '~' {
		s.tilde(f)
	}
}

// fishRedirect reads < > and the pipes n>|.
func (s *scanner) fishRedirect(f *frame, c byte) {
	start, fd := s.i, -1
	if f.inWord {
		if n, ok := fdNumber(s.line[f.wordStart:s.i]); ok {
			start, fd = f.wordStart, n
			f.inWord = false
			s.cursor = s.cursor && len(s.frames)-1 != s.stop
			s.drop(f)
		}
	}
	s.endWord(f)
	if c == '>' && s.byteAt(1) == '|' {
		s.endCommand(f, "|")
		if !s.done {
			s.i += 2
		}
		return
	}
	s.redirectOp(f, start, fd)
}

// fishOperator reads | || && & &| and &>.
func (s *scanner) fishOperator(f *frame, c byte) {
	next := s.byteAt(1)
	if c == '&' && next == '>' {
		s.endWord(f)
		s.redirectOp(f, s.i, -1)
		return
	}
	if c == '&' && f.inWord && next != '&' && next != '|' && next != 0 && strings.IndexByte(" \t\r\n;<>()", next) < 0 {
		s.add(segPlain, s.i, s.i+1) // since 3.4 an & inside a word is part of it
		s.i++
		return
	}
	n := 1
	if next == c || c == '&' && next == '|' {
		n = 2
	}
	op := s.line[s.i : s.i+n]
	if op == "&|" {
		op = "|"
	}
	s.endCommand(f, op)
	if !s.done {
		s.i += n
	}
}

// fishReserved is reserved for fish. "begin", "end" and the like hold no words
// of their own; "for", "switch", "function" do.
func (s *scanner) fishReserved(f *frame, raw string, it item) bool {
	switch raw {
	case "and", "or", "not", "!", "else", "time", "if", "while", "begin", "end", "{", "}":
		if s.sink != nil {
			s.sink.reserved(s, f, raw)
		}
		s.drop(f)
		return true
	case "for", "switch", "case", "function":
		if s.sink != nil {
			s.sink.reserved(s, f, raw)
		}
		f.args, f.mode = true, modeHead
		s.keep(f, it)
		return true
	}
	return false
}

// fishEscapeLen returns the length of the escape at the start of s, which
// begins with a backslash and holds at least one more byte.
func fishEscapeLen(s string) int {
	digits, base := 0, byte(16)
	from := 2
	switch c := s[1]; {
	case c == 'x' || c == 'X':
		digits = 2
	case c == 'u':
		digits = 4
	case c == 'U':
		digits = 8
	case c == 'c':
		if len(s) > 2 {
			return 3
		}
		return 2
	case c >= '0' && c <= '7':
		digits, base, from = 3, 8, 1
	default:
		return 2
	}
	n := from
	for n < len(s) && n < from+digits && hexValue(s[n]) < base {
		n++
	}
	return n
}

// hexValue returns the value of a hexadecimal digit, 255 for any other byte.
func hexValue(c byte) byte {
	switch {
	case c >= '0' && c <= '9':
		return c - '0'
	case c >= 'a' && c <= 'f':
		return c - 'a' + 10
	case c >= 'A' && c <= 'F':
		return c - 'A' + 10
	}
	return 255
}
