package yaml

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// plain reads a text without quotes, which goes on in deeper lines.
func (p *parser) plain(text string, parent int) *Node {
	if !plainStart(text) {
		return p.refuse("no text begins so")
	}
	first := comment(text)
	if strings.Contains(first, "\t") || isKey(first) {
		return p.refuse("a text that is not read")
	}
	ended := first != text
	var b strings.Builder
	b.WriteString(first)
	empty := 0
	for p.i++; p.i < len(p.lines); p.i++ {
		l := p.lines[p.i]
		if l.text == "" {
			empty++
			continue
		}
		if l.indent <= parent || l.text[0] == '#' {
			break
		}
		more := comment(l.text)
		if ended || l.text[0] == '\t' || strings.Contains(more, "\t") || isKey(more) {
			return p.refuse("a text does not go on so")
		}
		ended = more != l.text
		fold(&b, empty)
		b.WriteString(more)
		empty = 0
	}
	if p.i < len(p.lines) && p.lines[p.i].text[0] == '#' && p.skip() && p.lines[p.i].indent > parent {
		return p.refuse("a comment within a text")
	}
	return &Node{Text: b.String()}
}

// fold writes what stands for the end of a line and empty lines behind it.
func fold(b *strings.Builder, empty int) {
	if empty == 0 {
		b.WriteByte(' ')
	}
	for range empty {
		b.WriteByte('\n')
	}
}

// plainStart reports whether a text without quotes may begin so.
func plainStart(s string) bool {
	switch s[0] {
	case '-', '?', ':':
		return len(s) > 1 && s[1] != ' ' && s[1] != '\t'
	}
	return strings.IndexByte(",[]{}#&*!|>'\"%@`", s[0]) < 0
}

// isKey reports whether a plain text holds the mark of a mapping's entry.
func isKey(s string) bool {
	return strings.Contains(s, ": ") || strings.Contains(s, ":\t") || strings.HasSuffix(s, ":")
}

// quotedText reads a text in quotes, which may go on in the next lines.
func (p *parser) quotedText(text string, parent int) *Node {
	var b strings.Builder
	q := text[0]
	text = text[1:]
	for {
		part, rest, closed, ok := quoted(text, q)
		if !ok {
			return p.refuse("an escape that is not read")
		}
		if closed {
			b.WriteString(part)
			if comment(rest) != "" || rest != "" && rest[0] == '#' {
				return p.refuse("something follows a text in quotes")
			}
			p.i++
			return &Node{Text: b.String()}
		}
		if trimmed := strings.TrimRight(text, " \t"); trimmed != text || len(part) > 0 && (part[len(part)-1] == ' ' || part[len(part)-1] == '\t') {
			return p.refuse("blanks at the end of a line within quotes")
		}
		b.WriteString(part)
		empty := 0
		for p.i++; p.i < len(p.lines) && p.lines[p.i].text == ""; p.i++ {
			empty++
		}
		if p.i >= len(p.lines) || p.lines[p.i].indent <= parent || p.lines[p.i].text[0] == '\t' {
			return p.refuse("a text in quotes has no end")
		}
		fold(&b, empty)
		text = p.lines[p.i].text
	}
}

// quoted reads up to the quote that ends a text, or the end of the line.
func quoted(s string, q byte) (part, rest string, closed, ok bool) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case q == '\'' && s[i] == q && i+1 < len(s) && s[i+1] == q:
			i++
			b.WriteByte(q)
		case s[i] == q:
			return b.String(), s[i+1:], true, true
		case q == '"' && s[i] == '\\':
			text, n := unescape(s[i+1:])
			if n == 0 {
				return "", "", false, false
			}
			b.WriteString(text)
			i += n
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String(), "", false, true
}

// unescape reads what follows a backslash; n is 0 where that is no escape.
func unescape(s string) (text string, n int) {
	if s == "" {
		return "", 0
	}
	const plain, means = `0abtnvfre"/\ `, "\x00\a\b\t\n\v\f\r\x1b\"/\\ "
	if i := strings.IndexByte(plain, s[0]); i >= 0 {
		return means[i : i+1], 1
	}
	size := map[byte]int{'x': 2, 'u': 4, 'U': 8}[s[0]]
	if size == 0 || len(s) <= size {
		return "", 0
	}
	r, err := strconv.ParseUint(s[1:1+size], 16, 32)
	if err != nil || r > utf8.MaxRune || !utf8.ValidRune(rune(r)) {
		return "", 0
	}
	return string(rune(r)), 1 + size
}

// literal reads a block scalar: the lines deeper than the indent of its key.
func (p *parser) literal(head string, parent int) *Node {
	if parent < 0 {
		return p.refuse("a block of text that is all of the document is not read")
	}
	folded := head[0] == '>'
	chomp, own := byte(0), -1
	for _, b := range []byte(comment(head[1:])) {
		switch {
		case (b == '-' || b == '+') && chomp == 0:
			chomp = b
		case b >= '1' && b <= '9' && own < 0:
			own = parent + int(b-'0')
		default:
			return p.refuse("the head of a block of text is not read")
		}
	}
	var lines []string
	blanks := 0 // the longest line of blanks before the first text
	for p.i++; p.i < len(p.lines); p.i++ {
		l := p.lines[p.i]
		if l.text == "" && (own < 0 || len(l.whole) <= own) {
			blanks = max(blanks, len(l.whole))
			if strings.Contains(l.whole, "\t") {
				return p.refuse("a tab in a block of text")
			}
			lines = append(lines, "")
			continue
		}
		if own < 0 && l.indent > parent {
			if own = l.indent; blanks > own {
				return p.refuse("blanks before a block of text")
			}
		}
		if l.indent < own || own < 0 {
			if l.indent > parent && l.text[0] != '#' {
				return p.refuse("a block of text has two indents")
			}
			break
		}
		text := l.whole[own:]
		if text[0] == '\t' {
			return p.refuse("a block of text that is not read")
		}
		lines = append(lines, text)
	}
	end := len(lines)
	for end > 0 && lines[end-1] == "" {
		end--
	}
	if p.cut && p.i == len(p.lines) && len(lines) > 0 {
		if end == len(lines) {
			chomp = '-'
		} else {
			lines = lines[:len(lines)-1]
		}
	}
	return &Node{Text: joined(lines[:end], len(lines)-end, folded, chomp)}
}

// joined makes the text of a block; chomp says what becomes of the empty lines at
// its end, '-' that even the last line's end goes, '+' that all stay. The ends of
// folded lines stay beside a line that a blank begins.
func joined(lines []string, empty int, folded bool, chomp byte) string {
	var b strings.Builder
	gap, before := 0, true // before: the line above begins with a blank, or there is none
	for i, l := range lines {
		if l == "" {
			gap++
			continue
		}
		blank := l[0] == ' '
		switch {
		case i == gap: // nothing above
		case !folded || before || blank:
			b.WriteByte('\n')
		case gap == 0:
			b.WriteByte(' ')
		}
		b.WriteString(strings.Repeat("\n", gap))
		gap, before = 0, blank
		b.WriteString(l)
	}
	if len(lines) > 0 && chomp != '-' {
		b.WriteByte('\n')
	}
	if chomp == '+' {
		b.WriteString(strings.Repeat("\n", empty))
	}
	return b.String()
}

// comment takes the comment off the end of a text.
func comment(s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] == '#' && (i == 0 || s[i-1] == ' ' || s[i-1] == '\t') {
			s = s[:i]
			break
		}
	}
	return strings.TrimRight(s, " \t")
}
