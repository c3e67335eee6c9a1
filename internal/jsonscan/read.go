// Package jsonscan reads JSON from left to right and builds only what is asked for.
package jsonscan

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Reader walks through a JSON text (RFC 8259) from left to right and builds
// only what is asked for: members keep their order, a value that nobody wants
// is checked and skipped without an allocation. Bytes that are not UTF-8 stay
// as they are.
type Reader struct {
	data []byte
	pos  int
}

// Error is a text that is not JSON, or not of the shape that is asked for.
type Error struct {
	Line, Column int // from 1; the column in bytes
	Problem      string
}

func (e *Error) Error() string {
	return strconv.Itoa(e.Line) + ":" + strconv.Itoa(e.Column) + ": " + e.Problem
}

// Read reads one value with f; nothing but blanks may follow. A byte order
// mark before it is no error.
func Read(data []byte, f func(*Reader) error) error {
	j := &Reader{data: data}
	if bytes.HasPrefix(data, []byte("\ufeff")) {
		j.pos = len("\ufeff")
	}
	if err := f(j); err != nil {
		return err
	}
	if j.Peek() != 0 || j.pos < len(data) {
		return j.fail("something follows the value")
	}
	return nil
}

func (j *Reader) fail(problem string) error {
	before := j.data[:min(j.pos, len(j.data))]
	return &Error{
		Line:    bytes.Count(before, []byte("\n")) + 1,
		Column:  len(before) - bytes.LastIndexByte(before, '\n'),
		Problem: problem,
	}
}

// Peek goes to the next token and returns its first byte, 0 at the end.
func (j *Reader) Peek() byte {
	for j.pos < len(j.data) {
		switch b := j.data[j.pos]; b {
		case ' ', '\t', '\n', '\r':
			j.pos++
		default:
			return b
		}
	}
	return 0
}

// Object reads an object; f reads the value of each member.
func (j *Reader) Object(f func(key string) error) error {
	return j.list('{', '}', func() error {
		if j.Peek() != '"' {
			return j.fail("expected a name in quotes")
		}
		key, err := j.Text()
		if err != nil {
			return err
		}
		if j.Peek() != ':' {
			return j.fail("expected a colon")
		}
		j.pos++
		return f(key)
	})
}

// Array reads an array; f reads each element.
func (j *Reader) Array(f func() error) error {
	return j.list('[', ']', f)
}

func (j *Reader) list(open, end byte, f func() error) error {
	if j.Peek() != open {
		return j.fail("expected " + string(open))
	}
	j.pos++
	if j.Peek() == end {
		j.pos++
		return nil
	}
	for {
		if err := f(); err != nil {
			return err
		}
		switch j.Peek() {
		case ',':
			j.pos++
		case end:
			j.pos++
			return nil
		default:
			return j.fail("expected a comma or " + string(end))
		}
	}
}

// Text reads a string.
func (j *Reader) Text() (string, error) {
	if j.Peek() != '"' {
		return "", j.fail("expected a text in quotes")
	}
	start := j.pos + 1
	escaped, err := j.skipText()
	if err != nil {
		return "", err
	}
	raw := j.data[start : j.pos-1]
	if !escaped {
		return string(raw), nil
	}
	return unescape(raw), nil
}

// skipText passes a string and checks it.
func (j *Reader) skipText() (escaped bool, err error) {
	data := j.data
	for i := j.pos + 1; i < len(data); i++ {
		b := data[i]
		if b != '"' && b != '\\' && b >= ' ' {
			continue
		}
		j.pos = i
		if b == '"' {
			j.pos++
			return escaped, nil
		}
		if b < ' ' {
			return false, j.fail("a control character in a text")
		}
		escaped = true
		if i++; i >= len(data) {
			break
		}
		if c := data[i]; c == 'u' {
			if _, ok := hex4(data[i+1:]); !ok {
				return false, j.fail("not four hexadecimal digits")
			}
			i += 4
		} else if strings.IndexByte(`"\/bfnrt`, c) < 0 {
			return false, j.fail("an unknown escape")
		}
	}
	j.pos = len(data)
	return false, j.fail("the text has no end")
}

func hex4(b []byte) (rune, bool) {
	if len(b) < 4 {
		return 0, false
	}
	var r rune
	for _, c := range b[:4] {
		switch {
		case c >= '0' && c <= '9':
			r = r<<4 | rune(c-'0')
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			r = r<<4 | rune(c|0x20-'a'+10)
		default:
			return 0, false
		}
	}
	return r, true
}

// unescape reads the escapes of a text that skipText passed.
func unescape(raw []byte) string {
	out := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' {
			out = append(out, raw[i])
			continue
		}
		i++
		switch c := raw[i]; c {
		case 'u':
			r, _ := hex4(raw[i+1:])
			i += 4
			if utf16.IsSurrogate(r) {
				pair := rune(utf8.RuneError)
				if i+2 < len(raw) && raw[i+1] == '\\' && raw[i+2] == 'u' {
					low, _ := hex4(raw[i+3:])
					if pair = utf16.DecodeRune(r, low); pair != utf8.RuneError {
						i += 6
					}
				}
				r = pair
			}
			out = utf8.AppendRune(out, r)
		case 'b':
			out = append(out, '\b')
		case 'f':
			out = append(out, '\f')
		case 'n':
			out = append(out, '\n')
		case 'r':
			out = append(out, '\r')
		case 't':
			out = append(out, '\t')
		default:
			out = append(out, c)
		}
	}
	return string(out)
}

// maxDepth bounds nesting, as encoding/json does.
const maxDepth = 10000

// Skip passes a value of any kind.
func (j *Reader) Skip() error { return j.skipAt(0) }

func (j *Reader) skipAt(depth int) error {
	if depth > maxDepth {
		return j.fail("nested too deep")
	}
	switch b := j.Peek(); {
	case b == '"':
		_, err := j.skipText()
		return err
	case b == '{':
		return j.list('{', '}', func() error {
			if j.Peek() != '"' {
				return j.fail("expected a name in quotes")
			}
			if _, err := j.skipText(); err != nil {
				return err
			}
			if j.Peek() != ':' {
				return j.fail("expected a colon")
			}
			j.pos++
			return j.skipAt(depth + 1)
		})
	case b == '[':
		return j.list('[', ']', func() error { return j.skipAt(depth + 1) })
	case b == '-' || b >= '0' && b <= '9':
		return j.skipNumber()
	}
	for _, word := range [...]string{"true", "false", "null"} {
		if bytes.HasPrefix(j.data[j.pos:], []byte(word)) {
			j.pos += len(word)
			return nil
		}
	}
	return j.fail("expected a value")
}

// skipNumber passes -?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?
func (j *Reader) skipNumber() error {
	digits := func() bool {
		start := j.pos
		for j.pos < len(j.data) && j.data[j.pos] >= '0' && j.data[j.pos] <= '9' {
			j.pos++
		}
		return j.pos > start
	}
	at := func(set string) bool {
		if j.pos < len(j.data) && strings.IndexByte(set, j.data[j.pos]) >= 0 {
			j.pos++
			return true
		}
		return false
	}
	at("-")
	ok := at("0") || digits()
	if ok && at(".") {
		ok = digits()
	}
	if ok && at("eE") {
		at("+-")
		ok = digits()
	}
	if !ok {
		return j.fail("not a number")
	}
	return nil
}

// MaybeText reads a string; another kind of value is passed and is "".
func (j *Reader) MaybeText() (string, error) {
	if j.Peek() == '"' {
		return j.Text()
	}
	return "", j.Skip()
}

// Texts reads an object of strings; members and values of other kinds are passed.
func (j *Reader) Texts(f func(name, text string)) error {
	if j.Peek() != '{' {
		return j.Skip()
	}
	return j.Object(func(name string) error {
		if j.Peek() != '"' {
			return j.Skip()
		}
		text, err := j.Text()
		if err == nil {
			f(name, text)
		}
		return err
	})
}

// Pos is the offset of the next byte, in bytes of the text.
func (j *Reader) Pos() int { return j.pos }

// Raw passes a value of any kind and returns its bytes, which are the reader's own.
func (j *Reader) Raw() ([]byte, error) {
	j.Peek()
	start := j.pos
	if err := j.Skip(); err != nil {
		return nil, err
	}
	return j.data[start:j.pos], nil
}
