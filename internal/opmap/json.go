package opmap

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// maxDepth bounds the nesting of a source file; a command tree needs two
// levels for each sub-command.
const maxDepth = 100

type kind uint8

const (
	nullKind kind = iota
	boolKind
	numberKind
	stringKind
	arrayKind
	objectKind
)

func (k kind) String() string {
	return [...]string{"null", "a boolean", "a number", "a string", "a list", "an object"}[k]
}

// value is a JSON value that remembers its line.
type value struct {
	kind    kind
	line    int // where it begins
	text    string
	yes     bool
	items   []*value
	members []member
}

type member struct {
	name  string
	line  int
	value *value
}

// reader builds values from the tokens of a file.
type reader struct {
	file string
	data []byte
	dec  *json.Decoder
	at   int // offset up to which lines are counted
	line int
}

// readJSON parses one JSON value with nothing after it. A failure is a
// *Problem with the line.
func readJSON(file string, data []byte) (*value, *Problem) {
	fail := func(line int, reason string) (*value, *Problem) {
		return nil, &Problem{File: file, Line: line, Reason: reason, Severity: Error}
	}
	if !utf8.Valid(data) {
		return fail(badByteLine(data), "not UTF-8 text")
	}
	if bytes.HasPrefix(data, []byte("\ufeff")) {
		return fail(1, "begins with a byte order mark")
	}
	r := &reader{file: file, data: data, dec: json.NewDecoder(bytes.NewReader(data)), line: 1}
	r.dec.UseNumber()
	v, err := r.value(0)
	if err == nil {
		if _, more := r.dec.Token(); !errors.Is(more, io.EOF) {
			r.count()
			return fail(r.line, "text after the end of the JSON value")
		}
		return v, nil
	}
	var problem *Problem
	if errors.As(err, &problem) {
		return nil, problem
	}
	return r.syntaxProblem(err)
}

// syntaxProblem says where and why the decoder gave up.
func (r *reader) syntaxProblem(err error) (*value, *Problem) {
	p := &Problem{File: r.file, Reason: "not JSON: " + err.Error(), Severity: Error}
	var syntax *json.SyntaxError
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		p.Reason = "not JSON: the file ends in the middle"
		p.Line = 1 + bytes.Count(r.data, []byte("\n"))
	case errors.As(err, &syntax):
		// A byte that cannot begin a token is reported at the end of the token
		// before; one inside a token behind itself.
		end := min(max(int(syntax.Offset)-1, 0), len(r.data))
		if syntax.Offset == r.dec.InputOffset() {
			rest := r.data[min(int(syntax.Offset), len(r.data)):]
			end = len(r.data) - len(bytes.TrimLeft(rest, " \t\r\n"))
		}
		p.Line = 1 + bytes.Count(r.data[:end], []byte("\n"))
	default:
		r.count()
		p.Line = r.line
	}
	return nil, p
}

func badByteLine(data []byte) int {
	line := 1
	for len(data) > 0 {
		c, size := utf8.DecodeRune(data)
		if c == utf8.RuneError && size == 1 {
			break
		}
		if c == '\n' {
			line++
		}
		data = data[size:]
	}
	return line
}

// count moves the line counter to the end of the last token. A token holds no
// newline, so that is the line of the token too.
func (r *reader) count() {
	end := min(int(r.dec.InputOffset()), len(r.data))
	if end > r.at {
		r.line += bytes.Count(r.data[r.at:end], []byte("\n"))
		r.at = end
	}
}

func (r *reader) value(depth int) (*value, error) {
	t, err := r.dec.Token()
	if err != nil {
		return nil, err
	}
	r.count()
	return r.from(t, depth)
}

func (r *reader) from(t json.Token, depth int) (*value, error) {
	v := &value{line: r.line}
	switch t := t.(type) {
	case nil:
	case bool:
		v.kind, v.yes = boolKind, t
	case json.Number:
		v.kind, v.text = numberKind, t.String()
	case string:
		v.kind, v.text = stringKind, t
	case json.Delim:
		if depth >= maxDepth {
			return nil, &Problem{File: r.file, Line: r.line, Reason: fmt.Sprintf("nested more than %d deep", maxDepth), Severity: Error}
		}
		if t == '[' {
			return r.list(v, depth)
		}
		return r.object(v, depth)
	}
	return v, nil
}

func (r *reader) list(v *value, depth int) (*value, error) {
	v.kind = arrayKind
	for r.dec.More() {
		item, err := r.value(depth + 1)
		if err != nil {
			return nil, err
		}
		v.items = append(v.items, item)
	}
	_, err := r.dec.Token()
	return v, err
}

func (r *reader) object(v *value, depth int) (*value, error) {
	v.kind = objectKind
	lines := map[string]int{}
	for r.dec.More() {
		t, err := r.dec.Token()
		if err != nil {
			return nil, err
		}
		r.count()
		m := member{line: r.line}
		m.name, _ = t.(string)
		if first, twice := lines[m.name]; twice {
			return nil, &Problem{File: r.file, Line: m.line, Field: m.name, Reason: fmt.Sprintf("is given twice, first on line %d", first), Severity: Error}
		}
		lines[m.name] = m.line
		if m.value, err = r.value(depth + 1); err != nil {
			return nil, err
		}
		v.members = append(v.members, m)
	}
	_, err := r.dec.Token()
	return v, err
}

// append writes v as compact JSON.
func (v *value) append(b []byte) []byte {
	switch v.kind {
	case nullKind:
		return append(b, "null"...)
	case boolKind:
		return fmt.Append(b, v.yes)
	case numberKind:
		return append(b, v.text...)
	case stringKind:
		return appendString(b, v.text)
	case arrayKind:
		b = append(b, '[')
		for i, item := range v.items {
			if i > 0 {
				b = append(b, ',')
			}
			b = item.append(b)
		}
		return append(b, ']')
	}
	b = append(b, '{')
	for i, m := range v.members {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(appendString(b, m.name), ':')
		b = m.value.append(b)
	}
	return append(b, '}')
}

// appendString writes s as a JSON string with "<" and "&" as they are: slots
// and templates are full of them.
func appendString(b []byte, s string) []byte {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if enc.Encode(s) != nil { // cannot fail on a string
		return append(b, `""`...)
	}
	return append(b, strings.TrimSuffix(buf.String(), "\n")...)
}
