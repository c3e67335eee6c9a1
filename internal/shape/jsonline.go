package shape

import (
	"bytes"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// object scans a line that is one JSON object and calls field with each member
// of its first level: the key and the raw text of its value. It returns false
// if the line is no object; what was called before then stands.
func object(b []byte, field func(key, value []byte)) bool {
	i := skipBlank(b, 0)
	if i >= len(b) || b[i] != '{' {
		return false
	}
	if i = skipBlank(b, i+1); i < len(b) && b[i] == '}' {
		return true
	}
	for i < len(b) {
		end := quoted(b, i)
		if end < 0 {
			return false
		}
		key := b[i+1 : end-1]
		if i = skipBlank(b, end); i >= len(b) || b[i] != ':' {
			return false
		}
		i = skipBlank(b, i+1)
		if end = valueEnd(b, i); end < 0 {
			return false
		}
		field(key, b[i:end])
		if i = skipBlank(b, end); i >= len(b) {
			return false
		}
		if b[i] == '}' {
			return skipBlank(b, i+1) == len(b)
		}
		if b[i] != ',' {
			return false
		}
		i = skipBlank(b, i+1)
	}
	return false
}

func skipBlank(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t' || b[i] == '\n' || b[i] == '\r') {
		i++
	}
	return i
}

// quoted returns the place after the string that begins at i, or -1.
func quoted(b []byte, i int) int {
	if i >= len(b) || b[i] != '"' {
		return -1
	}
	for i++; i < len(b); {
		j := bytes.IndexByte(b[i:], '"')
		if j < 0 {
			return -1
		}
		end := i + j
		back := 0
		for k := end - 1; k >= i && b[k] == '\\'; k-- {
			back++
		}
		// Backslashes before i were read as pairs: i stands after a quote.
		if i = end + 1; back%2 == 0 {
			return i
		}
	}
	return -1
}

// valueEnd returns the place after the value that begins at i, or -1.
func valueEnd(b []byte, i int) int {
	if i >= len(b) {
		return -1
	}
	switch b[i] {
	case '"':
		return quoted(b, i)
	case '{', '[':
		depth := 0
		for i < len(b) {
			switch b[i] {
			case '"':
				if i = quoted(b, i); i < 0 {
					return -1
				}
				continue
			case '{', '[':
				depth++
			case '}', ']':
				if depth--; depth == 0 {
					return i + 1
				}
			}
			i++
		}
		return -1
	}
	start := i
	for i < len(b) && b[i] != ',' && b[i] != '}' && b[i] != ']' && b[i] > ' ' {
		i++
	}
	if i == start {
		return -1
	}
	return i
}

// unquote decodes a JSON string; another value is returned as it is. A wrong
// escape stays as it is.
func unquote(v []byte) []byte {
	if len(v) < 2 || v[0] != '"' {
		return v
	}
	v = v[1 : len(v)-1]
	i := bytes.IndexByte(v, '\\')
	if i < 0 {
		return v
	}
	out := make([]byte, 0, len(v))
	for ; i >= 0; i = bytes.IndexByte(v, '\\') {
		out = append(out, v[:i]...)
		if v = v[i:]; len(v) < 2 {
			break
		}
		n := 2
		switch v[1] {
		case 'n':
			out = append(out, '\n')
		case 't':
			out = append(out, '\t')
		case 'r':
			out = append(out, '\r')
		case 'b':
			out = append(out, '\b')
		case 'f':
			out = append(out, '\f')
		case '"', '\\', '/':
			out = append(out, v[1])
		case 'u':
			var r rune
			if r, n = unicodeEscape(v); n > 0 {
				out = utf8.AppendRune(out, r)
				break
			}
			fallthrough
		default:
			out, n = append(out, v[0]), 1
		}
		v = v[n:]
	}
	return append(out, v...)
}

// unicodeEscape reads \uXXXX, or two of them that are one character.
func unicodeEscape(v []byte) (rune, int) {
	hex := func(b []byte) (rune, bool) {
		if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
			return 0, false
		}
		n, err := strconv.ParseUint(string(b[2:6]), 16, 32)
		return rune(n), err == nil
	}
	r, ok := hex(v)
	if !ok {
		return 0, 0
	}
	if utf16.IsSurrogate(r) {
		if r2, ok := hex(v[6:]); ok {
			if pair := utf16.DecodeRune(r, r2); pair != utf8.RuneError {
				return pair, 12
			}
		}
	}
	return r, 6
}
