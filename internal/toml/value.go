package toml

import (
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"
)

func (p *parser) value() (any, error) {
	switch p.peek() {
	case '"':
		if p.take(`"""`) {
			return p.longBasic()
		}
		p.at++
		return p.basic()
	case '\'':
		if p.take(`'''`) {
			return p.longLiteral()
		}
		p.at++
		return p.literal()
	case '[', '{':
		if p.depth++; p.depth > maxDepth {
			return nil, errDeep
		}
		defer func() { p.depth-- }()
		if p.take("[") {
			return p.array()
		}
		p.at++
		return p.inline()
	}
	return p.scalar()
}

func (p *parser) array() (any, error) {
	list := []any{}
	for {
		if err := p.gap(); err != nil {
			return nil, err
		}
		if p.take("]") {
			return list, nil
		}
		v, err := p.value()
		if err != nil {
			return nil, err
		}
		list = append(list, v)
		if err := p.gap(); err != nil {
			return nil, err
		}
		if !p.take(",") && p.peek() != ']' {
			return nil, errors.New("expected , or ] in an array")
		}
	}
}

// inline reads a table in braces, behind the first of them.
func (p *parser) inline() (any, error) {
	t := newTable(open)
	for {
		if err := p.gap(); err != nil {
			return nil, err
		}
		if p.take("}") {
			t.close()
			return t, nil
		}
		if err := p.pair(t); err != nil {
			return nil, err
		}
		if err := p.gap(); err != nil {
			return nil, err
		}
		if !p.take(",") && p.peek() != '}' {
			return nil, errors.New("expected , or } in an inline table")
		}
	}
}

// close ends an inline table and those of dotted keys in it.
func (t *table) close() {
	t.state = closed
	for _, v := range t.values {
		if sub, ok := v.(*table); ok && sub.state == dotted {
			sub.close()
		}
	}
}

// literal reads '…' behind its opening quote.
func (p *parser) literal() (string, error) {
	start := p.at
	for ; p.at < len(p.text); p.at++ {
		switch c := p.text[p.at]; {
		case c == '\'':
			p.at++
			return p.text[start : p.at-1], nil
		case c < ' ' && c != '\t' || c == 0x7f:
			return "", errors.New("control character or end of line in a string")
		}
	}
	return "", errTomlString
}

var errTomlString = errors.New("a string without its end")

// basic reads "…" behind its opening quote.
func (p *parser) basic() (string, error) {
	var b []byte
	start := p.at
	for p.at < len(p.text) {
		switch c := p.text[p.at]; {
		case c == '"':
			b = append(b, p.text[start:p.at]...)
			p.at++
			return string(b), nil
		case c == '\\':
			b = append(b, p.text[start:p.at]...)
			var err error
			if b, err = p.escape(b); err != nil {
				return "", err
			}
			start = p.at
		case c < ' ' && c != '\t' || c == 0x7f:
			return "", errors.New("control character or end of line in a string")
		default:
			p.at++
		}
	}
	return "", errTomlString
}

// escape reads a backslash and what belongs to it.
func (p *parser) escape(b []byte) ([]byte, error) {
	p.at++
	c := p.peek()
	p.at++
	switch c {
	case 'b':
		return append(b, '\b'), nil
	case 't':
		return append(b, '\t'), nil
	case 'n':
		return append(b, '\n'), nil
	case 'f':
		return append(b, '\f'), nil
	case 'r':
		return append(b, '\r'), nil
	case '"', '\\':
		return append(b, c), nil
	case 'e':
		return append(b, 0x1b), nil
	case 'x', 'u', 'U':
		n := 2
		if c == 'u' {
			n = 4
		} else if c == 'U' {
			n = 8
		}
		if p.at+n > len(p.text) || !allHex(p.text[p.at:p.at+n]) {
			return b, errors.New("malformed escape in a string")
		}
		r, _ := strconv.ParseUint(p.text[p.at:p.at+n], 16, 32)
		if r > utf8.MaxRune || !utf8.ValidRune(rune(r)) {
			return b, errors.New("an escape that is no character")
		}
		p.at += n
		return utf8.AppendRune(b, rune(r)), nil
	}
	p.at -= 2
	return b, errors.New("unknown escape in a string")
}

// longLiteral reads ”'…”' behind its opening quotes.
func (p *parser) longLiteral() (string, error) {
	p.lineBreak()
	start := p.at
	for p.at < len(p.text) {
		if p.closing('\'') {
			return p.text[start : p.at-3], nil
		}
		if err := p.longByte(); err != nil {
			return "", err
		}
	}
	return "", errTomlString
}

// longBasic reads """…""" behind its opening quotes.
func (p *parser) longBasic() (string, error) {
	p.lineBreak()
	var b []byte
	for p.at < len(p.text) {
		start := p.at
		if p.closing('"') {
			return string(append(b, p.text[start:p.at-3]...)), nil
		}
		if p.peek() == '\\' {
			if p.folded() {
				continue
			}
			var err error
			if b, err = p.escape(b); err != nil {
				return "", err
			}
			continue
		}
		if err := p.longByte(); err != nil {
			return "", err
		}
		b = append(b, p.text[start:p.at]...)
	}
	return "", errTomlString
}

// closing passes the quotes that end a long string, up to two more before them
// belonging to it.
func (p *parser) closing(quote byte) bool {
	n := 0
	for p.at+n < len(p.text) && p.text[p.at+n] == quote && n < 5 {
		n++
	}
	if n < 3 {
		return false
	}
	p.at += n
	return true
}

// lineBreak passes the end of a line right behind the opening quotes.
func (p *parser) lineBreak() {
	if !p.take("\n") {
		p.take("\r\n")
	}
}

// folded passes a backslash at the end of a line and the white space behind it.
func (p *parser) folded() bool {
	rest := strings.TrimLeft(p.text[p.at+1:], " \t")
	if !strings.HasPrefix(rest, "\n") && !strings.HasPrefix(rest, "\r\n") {
		return false
	}
	for {
		rest = strings.TrimLeft(rest, " \t\n")
		cut, ok := strings.CutPrefix(rest, "\r\n")
		if rest = cut; !ok {
			break
		}
	}
	p.at = len(p.text) - len(rest)
	return true
}

// longByte passes one byte of a long string.
func (p *parser) longByte() error {
	c := p.text[p.at]
	if c == '\r' && strings.HasPrefix(p.text[p.at:], "\r\n") {
		p.at += 2
		return nil
	}
	if c < ' ' && c != '\t' && c != '\n' || c == 0x7f {
		return errors.New("control character in a string")
	}
	p.at++
	return nil
}

// scalar reads a boolean, a number or a date.
func (p *parser) scalar() (any, error) {
	start := p.at
	for p.at < len(p.text) && isScalarByte(p.text[p.at]) {
		p.at++
	}
	// A date and a time may have a blank between them.
	if p.at-start == len("2006-01-02") && isTomlDate(p.text[start:p.at]) && p.peek() == ' ' &&
		p.at+1 < len(p.text) && isDigit(p.text[p.at+1]) {
		p.at++
		for p.at < len(p.text) && isScalarByte(p.text[p.at]) {
			p.at++
		}
	}
	s := p.text[start:p.at]
	switch {
	case s == "true":
		return true, nil
	case s == "false":
		return false, nil
	case isTomlInteger(s), isTomlFloat(s), isTomlTime(s):
		return scalar(s), nil
	}
	p.at = start
	return nil, errors.New("expected a value")
}

func isScalarByte(c byte) bool {
	return isKeyByte(c) || c == '+' || c == '_' || c == '.' || c == ':'
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isTomlInteger(s string) bool {
	if len(s) > 2 && s[0] == '0' && (s[1] == 'x' || s[1] == 'o' || s[1] == 'b') {
		base := 16
		if s[1] == 'o' {
			base = 8
		} else if s[1] == 'b' {
			base = 2
		}
		digits, ok := withoutUnderscores(s[2:], func(c byte) bool { return isDigit(c) || isHexDigit(c) })
		_, err := strconv.ParseInt(digits, base, 64)
		return ok && err == nil
	}
	digits, ok := decimal(s)
	_, err := strconv.ParseInt(digits, 10, 64)
	return ok && err == nil
}

// decimal is a sign and digits without leading zeros.
func decimal(s string) (string, bool) {
	sign, rest := "", s
	if s != "" && (s[0] == '+' || s[0] == '-') {
		sign, rest = s[:1], s[1:]
	}
	digits, ok := withoutUnderscores(rest, isDigit)
	return sign + digits, ok && (digits[0] != '0' || len(digits) == 1)
}

// withoutUnderscores removes underscores, which must have a digit on each side.
func withoutUnderscores(s string, digit func(byte) bool) (string, bool) {
	before := false
	for i := range len(s) {
		switch {
		case digit(s[i]):
			before = true
		case s[i] == '_' && before && i+1 < len(s) && s[i+1] != '_':
			before = false
		default:
			return "", false
		}
	}
	return strings.ReplaceAll(s, "_", ""), before
}

func isTomlFloat(s string) bool {
	switch strings.TrimLeft(s[:min(1, len(s))], "+-") + s[min(1, len(s)):] {
	case "inf", "nan":
		return true
	}
	mantissa, exponent, hasExponent := s, "", false
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		mantissa, exponent, hasExponent = s[:i], s[i+1:], true
	}
	whole, fraction, hasFraction := strings.Cut(mantissa, ".")
	if _, ok := decimal(whole); !ok || !hasFraction && !hasExponent {
		return false
	}
	if hasFraction {
		if _, ok := withoutUnderscores(fraction, isDigit); !ok {
			return false
		}
	}
	if hasExponent {
		if exponent != "" && (exponent[0] == '+' || exponent[0] == '-') {
			exponent = exponent[1:]
		}
		_, ok := withoutUnderscores(exponent, isDigit)
		return ok
	}
	return true
}

// isTomlTime takes a date, a time, or both, with an offset or without.
func isTomlTime(s string) bool {
	if isTomlDate(s) {
		return true
	}
	clock := s
	if len(s) > 11 && isTomlDate(s[:10]) {
		if s[10] != 'T' && s[10] != 't' && s[10] != ' ' {
			return false
		}
		clock = s[11:]
		if i := strings.IndexAny(clock, "Zz+-"); i >= 0 {
			offset := clock[i:]
			clock = clock[:i]
			if offset != "Z" && offset != "z" &&
				!(len(offset) == 6 && offset[3] == ':' && numberIn(offset[1:3], 0, 24) && numberIn(offset[4:], 0, 59)) {
				return false
			}
		}
	}
	if len(clock) == 5 { // seconds may be left out
		clock += ":00"
	}
	clock, fraction, hasFraction := strings.Cut(clock, ".")
	if hasFraction && (fraction == "" || strings.Trim(fraction, "0123456789") != "") {
		return false
	}
	return len(clock) == 8 && clock[2] == ':' && clock[5] == ':' &&
		numberIn(clock[:2], 0, 23) && numberIn(clock[3:5], 0, 59) && numberIn(clock[6:], 0, 59)
}

func isTomlDate(s string) bool {
	if len(s) != 10 || s[4] != '-' || s[7] != '-' || !numberIn(s[:4], 0, 9999) || !numberIn(s[5:7], 1, 12) {
		return false
	}
	year, _ := strconv.Atoi(s[:4])
	days := 31
	switch s[5:7] {
	case "04", "06", "09", "11":
		days = 30
	case "02":
		if days = 28; year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			days = 29
		}
	}
	return numberIn(s[8:], 1, days)
}

// numberIn reports whether s is digits alone and a number of the range.
func numberIn(s string, least, most int) bool {
	n := 0
	for i := range len(s) {
		if !isDigit(s[i]) {
			return false
		}
		n = 10*n + int(s[i]-'0')
	}
	return n >= least && n <= most
}

// In goes down a TOML document.
func In(t map[string]any, path ...string) any {
	var v any = t
	for _, key := range path {
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = m[key]
	}
	return v
}

func isKeyByte(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || isDigit(c) || c == '-' }

func isHexDigit(c byte) bool { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }

func allHex(s string) bool {
	for i := range len(s) {
		if !isHexDigit(s[i]) {
			return false
		}
	}
	return true
}
