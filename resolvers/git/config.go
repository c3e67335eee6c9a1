package git

import (
	"fmt"
	"strings"
)

// configEntry is one variable of a git configuration file. Section and key are
// in lower case, Sub is as written. A key without "=" has Set false and means
// true.
type configEntry struct {
	Section, Sub, Key, Value string
	Set                      bool
}

// isTrue reads the value as git reads a boolean.
func (e configEntry) isTrue() bool {
	if !e.Set {
		return true
	}
	switch strings.ToLower(e.Value) {
	case "true", "yes", "on":
		return true
	case "", "0", "false", "no", "off":
		return false
	}
	for i := 0; i < len(e.Value); i++ {
		if e.Value[i] < '0' || e.Value[i] > '9' {
			return false
		}
	}
	return true
}

// configError is a syntax error in a configuration file, by line from 1.
type configError struct {
	Line   int
	Reason string
}

func (e *configError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Reason) }

// configParser reads the format of git-config(1), section "Syntax".
type configParser struct {
	text    string
	at      int
	section string
	sub     string
}

// parseConfig calls visit for each variable of text in order. What stands
// before a syntax error is visited; the error names its line. Values without
// quotes and escapes are parts of text, so little is allocated.
func parseConfig(text string, visit func(configEntry)) error {
	p := configParser{text: strings.TrimPrefix(text, "\xef\xbb\xbf")}
	for {
		p.skipBlank()
		if p.at >= len(p.text) {
			return nil
		}
		switch c := p.text[p.at]; {
		case c == '#' || c == ';':
			p.skipLine()
		case c == '[':
			if !p.header() {
				return p.fail("malformed section header")
			}
		case isLetter(c):
			if p.section == "" {
				return p.fail("variable outside a section")
			}
			e, ok := p.variable()
			if !ok {
				return p.fail("malformed variable")
			}
			visit(e)
		default:
			return p.fail("unexpected character")
		}
	}
}

func (p *configParser) fail(reason string) error {
	at := min(p.at, len(p.text))
	return &configError{Line: 1 + strings.Count(p.text[:at], "\n"), Reason: reason}
}

func (p *configParser) skipBlank() {
	for p.at < len(p.text) && (p.text[p.at] == ' ' || p.text[p.at] == '\t' || p.text[p.at] == '\n' || p.text[p.at] == '\r') {
		p.at++
	}
}

func (p *configParser) skipLine() {
	if i := strings.IndexByte(p.text[p.at:], '\n'); i >= 0 {
		p.at += i + 1
		return
	}
	p.at = len(p.text)
}

// header reads [section], [section "sub"] and the old [section.sub].
func (p *configParser) header() bool {
	p.at++
	start := p.at
	for p.at < len(p.text) && (isNameByte(p.text[p.at]) || p.text[p.at] == '.') {
		p.at++
	}
	name := p.text[start:p.at]
	if name == "" || p.at >= len(p.text) {
		return false
	}
	p.section, p.sub = strings.ToLower(name), ""
	if p.text[p.at] == ']' {
		p.at++
		if base, sub, ok := strings.Cut(p.section, "."); ok {
			p.section, p.sub = base, sub
		}
		return p.section != ""
	}
	for p.at < len(p.text) && (p.text[p.at] == ' ' || p.text[p.at] == '\t') {
		p.at++
	}
	if p.at >= len(p.text) || p.text[p.at] != '"' {
		return false
	}
	p.at++
	return p.quotedSub()
}

// quotedSub reads up to the closing quote and bracket; a backslash takes the
// next byte as it is.
func (p *configParser) quotedSub() bool {
	start, plain := p.at, true
	var b []byte
	for ; p.at < len(p.text); p.at++ {
		switch c := p.text[p.at]; c {
		case '\n':
			return false
		case '\\':
			if plain {
				b, plain = append(b, p.text[start:p.at]...), false
			}
			p.at++
			if p.at >= len(p.text) || p.text[p.at] == '\n' {
				return false
			}
			b = append(b, p.text[p.at])
		case '"':
			if p.sub = string(b); plain {
				p.sub = p.text[start:p.at]
			}
			p.at++
			if p.at >= len(p.text) || p.text[p.at] != ']' {
				return false
			}
			p.at++
			return true
		default:
			if !plain {
				b = append(b, c)
			}
		}
	}
	return false
}

func (p *configParser) variable() (configEntry, bool) {
	start := p.at
	for p.at < len(p.text) && isNameByte(p.text[p.at]) {
		p.at++
	}
	e := configEntry{Section: p.section, Sub: p.sub, Key: strings.ToLower(p.text[start:p.at])}
	for p.at < len(p.text) && (p.text[p.at] == ' ' || p.text[p.at] == '\t' || p.text[p.at] == '\r') {
		p.at++
	}
	if p.at >= len(p.text) || p.text[p.at] == '\n' || p.text[p.at] == '#' || p.text[p.at] == ';' {
		p.skipLine()
		return e, true
	}
	if p.text[p.at] != '=' {
		return e, false
	}
	p.at++
	e.Set = true
	var ok bool
	e.Value, ok = p.value()
	return e, ok
}

// value reads the rest of the logical line. The usual value, without quotes,
// escapes or comment, is a part of the text.
func (p *configParser) value() (string, bool) {
	end := strings.IndexByte(p.text[p.at:], '\n')
	if end < 0 {
		end = len(p.text) - p.at
	}
	line := p.text[p.at : p.at+end]
	if !strings.ContainsAny(line, "\"\\#;") {
		p.at += end
		return strings.Trim(line, " \t\r"), true
	}
	return p.quotedValue()
}

func (p *configParser) quotedValue() (string, bool) {
	for p.at < len(p.text) && (p.text[p.at] == ' ' || p.text[p.at] == '\t') {
		p.at++
	}
	var b []byte
	quoted, kept := false, 0 // kept: bytes that trailing blanks may not shorten
	for ; p.at < len(p.text); p.at++ {
		c := p.text[p.at]
		if c == '\r' && p.at+1 < len(p.text) && p.text[p.at+1] == '\n' {
			continue
		}
		switch {
		case c == '\n':
			return string(b[:kept]), !quoted
		case !quoted && (c == '#' || c == ';'):
			p.skipLine()
			return string(b[:kept]), true
		case c == '"':
			quoted = !quoted
			kept = len(b)
		case c == '\\':
			p.at++
			if p.at < len(p.text) && p.text[p.at] == '\r' && p.at+1 < len(p.text) && p.text[p.at+1] == '\n' {
				p.at++
			}
			if p.at >= len(p.text) {
				return "", false
			}
			switch e := p.text[p.at]; e {
			case '\n':
				continue
			case 'n':
				b = append(b, '\n')
			case 't':
				b = append(b, '\t')
			case 'b':
				b = append(b, '\b')
			case '"', '\\':
				b = append(b, e)
			default:
				return "", false
			}
			kept = len(b)
		default:
			b = append(b, c)
			if quoted || (c != ' ' && c != '\t' && c != '\r') {
				kept = len(b)
			}
		}
	}
	return string(b[:kept]), !quoted
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func isNameByte(c byte) bool { return isLetter(c) || c >= '0' && c <= '9' || c == '-' }
