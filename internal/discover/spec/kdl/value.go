package kdl

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// value reads a string, a number or a keyword.
func (p *parser) value() Value {
	v := Value{Line: p.line}
	switch {
	case p.at >= len(p.text):
		p.failf("the document ends where a value is to be")
	case p.has(`"`):
		v.Text = p.quoted()
	case p.has(`r"`), p.has("r#"), p.has(`#"`), p.has("##"):
		v.Text = p.raw()
	default:
		return p.word(v)
	}
	return v
}

// word reads what is not quoted: a keyword, a number or a bare string.
func (p *parser) word(v Value) Value {
	begin := p.at
	for p.at < len(p.text) {
		r, size := utf8.DecodeRuneInString(p.rest())
		if endsWord(r) || r == utf8.RuneError && size == 1 || blank(p.rest()) > 0 || newline(p.rest()) > 0 {
			break
		}
		p.at += size
	}
	v.Text = p.text[begin:p.at]
	if v.Text == "" {
		r, _ := utf8.DecodeRuneInString(p.rest())
		p.failf("%q stands where a value is to be", r)
	}
	switch strings.TrimPrefix(v.Text, "#") {
	case "true", "false":
		v.Kind, v.Bool = Bool, strings.TrimPrefix(v.Text, "#") == "true"
	case "null":
		v.Kind = Null
	default:
		switch {
		case v.Text == "#inf", v.Text == "#-inf", v.Text == "#nan", isNumber(v.Text):
			v.Kind = Number
		case v.Text[0] == '#':
			p.failf("%q is no keyword", v.Text)
		case startsNumber(v.Text):
			p.failf("%q is no number", v.Text)
		}
	}
	return v
}

// endsWord reports whether a character cannot stand in a bare word.
func endsWord(r rune) bool {
	return strings.ContainsRune(`\/(){};[]="`, r) || r < ' ' || r == 0x7f
}

// startsNumber reports whether a word can only be meant as a number.
func startsNumber(s string) bool {
	s = strings.TrimLeft(s[:1], "+-") + s[1:]
	return s != "" && s[0] >= '0' && s[0] <= '9'
}

func isNumber(s string) bool {
	if !startsNumber(s) {
		return false
	}
	s = strings.ReplaceAll(strings.TrimLeft(s[:1], "+-")+s[1:], "_", "")
	if len(s) > 2 && s[0] == '0' && strings.ContainsRune("xob", rune(s[1])) {
		digits := map[byte]string{'x': "0123456789abcdefABCDEF", 'o': "01234567", 'b': "01"}[s[1]]
		return strings.Trim(s[2:], digits) == ""
	}
	if strings.Trim(s, "0123456789.eE+-") != "" {
		return false
	}
	_, err := strconv.ParseFloat(s, 64)
	return err == nil || strings.HasSuffix(err.Error(), "out of range")
}

// raw reads a string without escapes: r"…", r#"…"#, #"…"#, and over several
// lines #"""…"""#.
func (p *parser) raw() string {
	begin := p.line
	p.take("r")
	marks := 0
	for p.take("#") {
		marks++
	}
	quote := `"`
	if p.has(`"""`) && newline(p.text[p.at+3:]) > 0 {
		quote = `"""`
	}
	if !p.take(quote) {
		p.failf("a quotation mark is missing after #")
	}
	end := quote + strings.Repeat("#", marks)
	i := strings.Index(p.rest(), end)
	if i < 0 {
		p.line = begin
		p.failf("a string that begins here does not end")
	}
	text := p.text[p.at : p.at+i]
	p.skip(i + len(end))
	if quote == `"""` {
		text = p.dedented(text, begin)
	}
	return text
}

// quoted reads a string with escapes, "…" or over several lines """…""".
func (p *parser) quoted() string {
	begin := p.line
	quote := `"`
	if p.has(`"""`) && newline(p.text[p.at+3:]) > 0 {
		quote = `"""`
	}
	p.skip(len(quote))
	from := p.at
	for !p.has(quote) {
		if p.at >= len(p.text) {
			p.line = begin
			p.failf("a string that begins here does not end")
		}
		if p.has(`\`) && p.at+1 < len(p.text) {
			p.skip(1)
			_, size := utf8.DecodeRuneInString(p.rest())
			p.skip(size)
			continue
		}
		p.skip(1)
	}
	text := p.text[from:p.at]
	p.skip(len(quote))
	if quote == `"""` {
		text = p.dedented(text, begin)
		begin++ // the first line of the text
	}
	if !strings.Contains(text, `\`) {
		return text
	}
	return p.unescape(text, begin)
}

// dedented takes from each line what stands before the closing quotes.
func (p *parser) dedented(text string, begin int) string {
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	lines := strings.Split(text, "\n")
	margin := lines[len(lines)-1]
	if strings.TrimLeft(margin, " \t") != "" {
		p.failf("the closing quotes of a string over several lines stand alone on theirs")
	}
	if len(lines) < 2 {
		return ""
	}
	lines = lines[1 : len(lines)-1]
	for i, line := range lines {
		if strings.Trim(line, " \t") == "" {
			lines[i] = ""
			continue
		}
		rest, ok := strings.CutPrefix(line, margin)
		if !ok {
			p.line = begin + 1 + i
			p.failf("a line of a string that is indented less than its closing quotes")
		}
		lines[i] = rest
	}
	return strings.Join(lines, "\n")
}

// unescape replaces the escapes of a text whose first line is the given one.
func (p *parser) unescape(s string, line int) string {
	var b strings.Builder
	for s != "" {
		i := strings.IndexByte(s, '\\')
		if i < 0 {
			break
		}
		b.WriteString(s[:i])
		line += lines(s[:i])
		s = s[i+1:]
		c, size := utf8.DecodeRuneInString(s)
		switch c {
		case 'n':
			b.WriteByte('\n')
		case 'r':
			b.WriteByte('\r')
		case 't':
			b.WriteByte('\t')
		case 'b':
			b.WriteByte('\b')
		case 'f':
			b.WriteByte('\f')
		case 's':
			b.WriteByte(' ')
		case '"', '\\', '/':
			b.WriteRune(c)
		case 'u':
			r, n := code(s)
			if n == 0 {
				p.line = line
				p.failf(`a \u that names no character: want \u{1F600}`)
			}
			b.WriteRune(r)
			size = n
		default:
			rest := s
			for n := blank(rest) + newline(rest); n > 0; n = blank(rest) + newline(rest) {
				rest = rest[n:]
			}
			if len(rest) == len(s) {
				p.line = line
				p.failf("%q is no escape", `\`+string(c))
			}
			line += lines(s[:len(s)-len(rest)])
			s, size = rest, 0
		}
		s = s[size:]
	}
	b.WriteString(s)
	return b.String()
}

// code reads "u{41}" and returns the character and how long it is written.
func code(s string) (rune, int) {
	digits, _, ok := strings.Cut(strings.TrimPrefix(s, "u{"), "}")
	if !ok || !strings.HasPrefix(s, "u{") || len(digits) == 0 || len(digits) > 6 {
		return 0, 0
	}
	n, err := strconv.ParseUint(digits, 16, 32)
	if err != nil || !utf8.ValidRune(rune(n)) {
		return 0, 0
	}
	return rune(n), len("u{}") + len(digits)
}
