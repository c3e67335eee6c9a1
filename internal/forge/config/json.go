package config

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// value is a value of a configuration, with where it stands.
type value struct {
	any  any // nil, bool, float64, string, []*value
	keys []string
	of   map[string]*value // of an object, else nil
	pos  int
}

type syntaxError struct {
	pos int
	msg string
}

func (e *syntaxError) Error() string { return e.msg }

// parse reads JSON that may have comments and trailing commas.
func parse(src string) (v *value, err error) {
	p := &reader{src: src}
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(*syntaxError)
			if !ok {
				panic(r)
			}
			v, err = nil, e
		}
	}()
	v = p.value(0)
	p.space()
	if p.at < len(src) {
		p.fail("unexpected text after the end")
	}
	return v, nil
}

type reader struct {
	src string
	at  int
}

func (p *reader) fail(format string, args ...any) {
	panic(&syntaxError{p.at, fmt.Sprintf(format, args...)})
}

func (p *reader) space() {
	for p.at < len(p.src) {
		rest := p.src[p.at:]
		switch {
		case strings.ContainsRune(" \t\r\n\ufeff", rune(rest[0])):
			p.at++
		case strings.HasPrefix(rest, "\ufeff"):
			p.at += 3
		case strings.HasPrefix(rest, "//"):
			if i := strings.IndexByte(rest, '\n'); i >= 0 {
				p.at += i
			} else {
				p.at = len(p.src)
			}
		case strings.HasPrefix(rest, "/*"):
			i := strings.Index(rest, "*/")
			if i < 0 {
				p.fail("the comment does not end")
			}
			p.at += i + 2
		default:
			return
		}
	}
}

func (p *reader) next() byte {
	p.space()
	if p.at >= len(p.src) {
		p.fail("unexpected end")
	}
	return p.src[p.at]
}

// constants are the words of JSON.
var constants = map[string]any{"true": true, "false": false, "null": nil}

func (p *reader) value(depth int) *value {
	if depth > 20 {
		p.fail("nested too deeply")
	}
	c := p.next()
	v := &value{pos: p.at}
	switch {
	case c == '{':
		p.at++
		v.of = map[string]*value{}
		for p.next() != '}' {
			pos := p.at
			key := p.text()
			if p.next() != ':' {
				p.fail("expected :")
			}
			p.at++
			x := p.value(depth + 1)
			x.pos = pos
			if v.of[key] != nil {
				p.at = pos
				p.fail("%q is there twice", key)
			}
			v.of[key] = x
			v.keys = append(v.keys, key)
			p.comma('}')
		}
		p.at++
	case c == '[':
		p.at++
		list := []*value{}
		for p.next() != ']' {
			list = append(list, p.value(depth+1))
			p.comma(']')
		}
		p.at++
		v.any = list
	case c == '"':
		v.any = p.text()
	default:
		start := p.at
		for p.at < len(p.src) && !strings.ContainsRune(",]}\" \t\r\n/", rune(p.src[p.at])) {
			p.at++
		}
		word := p.src[start:p.at]
		known, ok := constants[word]
		if !ok {
			n, err := strconv.ParseFloat(word, 64)
			if err != nil {
				p.at = start
				p.fail("unexpected %q", word)
			}
			known = n
		}
		v.any = known
	}
	return v
}

func (p *reader) comma(closing byte) {
	switch c := p.next(); c {
	case ',':
		p.at++
	case closing:
	default:
		p.fail("expected , or %c", closing)
	}
}

func (p *reader) text() string {
	if p.next() != '"' {
		p.fail("expected a string")
	}
	start := p.at
	for p.at++; p.at < len(p.src) && p.src[p.at] != '"'; p.at++ {
		if p.src[p.at] == '\\' {
			p.at++
		}
	}
	if p.at >= len(p.src) {
		p.at = start
		p.fail("the string does not end")
	}
	p.at++
	var s string
	if err := json.Unmarshal([]byte(p.src[start:p.at]), &s); err != nil {
		p.at = start
		p.fail("not a string: %s", err)
	}
	return s
}
