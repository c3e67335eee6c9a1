package rtk

import (
	"fmt"
	"strings"
)

// positions returns the line of every key of a TOML document that is valid, by
// its path: "filters.codegen.replace[0].pattern". Keys that are no bare words
// stand in it quoted.
func positions(text string) map[string]int {
	return scan(text).lines
}

func scan(text string) *scanner {
	s := &scanner{text: text, line: 1, lines: map[string]int{}, counts: map[string]int{}, headers: map[int]bool{}}
	s.document()
	return s
}

type scanner struct {
	text   string
	at     int
	line   int
	lines  map[string]int
	counts map[string]int // of the tables in each [[array]]

	headers map[int]bool // lines on which a [table] or [[table]] begins
}

func (s *scanner) peek(n int) string { return s.text[min(s.at, len(s.text)):min(s.at+n, len(s.text))] }

func (s *scanner) step() {
	if s.text[s.at] == '\n' {
		s.line++
	}
	s.at++
}

// space skips blanks and comments, and line ends too.
func (s *scanner) space() {
	for s.at < len(s.text) {
		switch s.text[s.at] {
		case ' ', '\t', '\r', '\n':
			s.step()
		case '#':
			for s.at < len(s.text) && s.text[s.at] != '\n' {
				s.at++
			}
		default:
			return
		}
	}
}

func (s *scanner) document() {
	s.text = strings.TrimPrefix(s.text, "\ufeff")
	table := ""
	for {
		s.space()
		switch {
		case s.at >= len(s.text):
			return
		case s.peek(2) == "[[":
			s.headers[s.line] = true
			s.at += 2
			path := s.real(s.key())
			table = fmt.Sprintf("%s[%d]", path, s.counts[path])
			s.counts[path]++
			s.note(path)
			s.note(table)
			s.skipTo("]]")
		case s.peek(1) == "[":
			s.headers[s.line] = true
			s.at++
			table = s.real(s.key())
			s.note(table)
			s.skipTo("]")
		default:
			s.pair(table)
		}
	}
}

func (s *scanner) note(path string) {
	if s.lines[path] == 0 {
		s.lines[path] = s.line
	}
}

func (s *scanner) skipTo(end string) {
	s.space()
	if s.peek(len(end)) == end {
		s.at += len(end)
	} else if s.at < len(s.text) {
		s.step()
	}
}

// real puts the index of the last table for each part of a header's path that
// is an array of tables.
func (s *scanner) real(parts []string) string {
	path := ""
	for i, p := range parts {
		if path != "" {
			path += "."
		}
		path += p
		if n := s.counts[path]; n > 0 && i < len(parts)-1 {
			path = fmt.Sprintf("%s[%d]", path, n-1)
		}
	}
	return path
}

// key reads a dotted key; each part is bare or quoted as quoteKey does.
func (s *scanner) key() []string {
	var parts []string
	for s.at < len(s.text) {
		for s.at < len(s.text) && (s.text[s.at] == ' ' || s.text[s.at] == '\t') {
			s.at++
		}
		var part string
		switch c := s.peek(1); c {
		case `"`, "'":
			part = s.str()
		default:
			start := s.at
			for s.at < len(s.text) && bare(rune(s.text[s.at])) {
				s.at++
			}
			part = s.text[start:s.at]
		}
		parts = append(parts, quoteKey(part))
		for s.at < len(s.text) && (s.text[s.at] == ' ' || s.text[s.at] == '\t') {
			s.at++
		}
		if s.peek(1) != "." {
			return parts
		}
		s.at++
	}
	return parts
}

func bare(c rune) bool { return asciiAlnum(c) || c == '_' || c == '-' || c >= 0x80 }

// quoteKey writes a part of a path as TOML would.
func quoteKey(name string) string {
	if name != "" && strings.IndexFunc(name, func(c rune) bool { return !bare(c) || c >= 0x80 }) < 0 {
		return name
	}
	return basicString(name)
}

// pair reads key = value.
func (s *scanner) pair(table string) {
	line, start := s.line, s.at
	path := strings.Join(s.key(), ".")
	if table != "" {
		path = table + "." + path
	}
	if s.lines[path] == 0 {
		s.lines[path] = line
	}
	s.space()
	if s.peek(1) == "=" {
		s.at++
	}
	s.space()
	s.value(path)
	if s.at == start {
		s.step() // never stay in one place
	}
}

func (s *scanner) value(path string) {
	if s.at >= len(s.text) {
		return
	}
	switch s.text[s.at] {
	case '"', '\'':
		s.str()
	case '[':
		s.at++
		for i := 0; ; i++ {
			s.space()
			if s.at >= len(s.text) || s.text[s.at] == ']' {
				s.at = min(s.at+1, len(s.text))
				return
			}
			element := fmt.Sprintf("%s[%d]", path, i)
			s.note(element)
			before := s.at
			s.value(element)
			s.comma()
			if s.at == before {
				s.step()
			}
		}
	case '{':
		s.at++
		for {
			s.space()
			if s.at >= len(s.text) || s.text[s.at] == '}' {
				s.at = min(s.at+1, len(s.text))
				return
			}
			s.pair(path)
			s.comma()
		}
	default:
		for s.at < len(s.text) && strings.IndexByte(",]}\n#", s.text[s.at]) < 0 {
			s.at++
		}
	}
}

func (s *scanner) comma() {
	s.space()
	if s.peek(1) == "," {
		s.at++
	}
}

// str reads a string of any of the four kinds and returns what stands in it;
// escapes are read where they make a difference, that of the quote.
func (s *scanner) str() string {
	quote := s.peek(1)
	end := quote
	if s.peek(3) == strings.Repeat(quote, 3) {
		end = s.peek(3)
	}
	s.at += len(end)
	start := s.at
	for s.at < len(s.text) && s.peek(len(end)) != end {
		if quote == `"` && s.text[s.at] == '\\' && s.at+1 < len(s.text) {
			s.step()
		}
		s.step()
	}
	text := s.text[start:min(s.at, len(s.text))]
	s.at = min(s.at+len(end), len(s.text))
	for len(end) == 3 && s.peek(1) == quote { // up to two quotes may stand before the end
		s.at++
	}
	if quote == `"` {
		text = unescape(text)
	}
	return text
}
