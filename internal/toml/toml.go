// Package toml reads TOML documents strictly, without reflection.
package toml

import (
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Parse reads a TOML document (1.1) into tables of string, bool, scalar
// (numbers and dates, which nothing here needs the value of), []any and
// map[string]any; an array of tables is a []any too. It is strict: what
// is no TOML is an error, *Error. A library would read all of the language
// as well, and cost every press of Tab its start: reflection, the time zone.
func Parse(text string) (map[string]any, error) {
	p := parser{text: strings.TrimPrefix(text, "\ufeff")}
	root := newTable(open)
	if !utf8.ValidString(text) {
		return nil, &Error{Line: 1 + strings.Count(text[:invalidAt(text)], "\n"), Message: "invalid UTF-8"}
	}
	if err := p.document(root); err != nil {
		return nil, &Error{Line: 1 + strings.Count(p.text[:min(p.at, len(p.text))], "\n"), Message: err.Error()}
	}
	return root.plain(), nil
}

func invalidAt(text string) int {
	for i, r := range text {
		if r == utf8.RuneError && !strings.HasPrefix(text[i:], string(utf8.RuneError)) {
			return i
		}
	}
	return len(text)
}

// Error is what is wrong with a document, by line from 1.
type Error struct {
	Line    int
	Message string
}

func (e *Error) Error() string { return "line " + strconv.Itoa(e.Line) + ": " + e.Message }

// scalar is a number or a date as it is written.
type scalar string

// table is a table while it is read.
type table struct {
	values map[string]any // string, bool, scalar, []any, *table, *tables
	state  state
}

// tables is an array of tables.
type tables struct{ list []*table }

// state says what may still be added to a table.
type state uint8

const (
	open   state = iota // named on the way to another: a header may define it
	stated              // defined by its header
	dotted              // made by a dotted key: more such keys in the same section
	closed              // an inline table: nothing
)

func newTable(s state) *table { return &table{values: map[string]any{}, state: s} }

// plain turns what was read into plain maps and slices.
func (t *table) plain() map[string]any {
	for k, v := range t.values {
		t.values[k] = plainValue(v)
	}
	return t.values
}

func plainValue(v any) any {
	switch v := v.(type) {
	case *table:
		return v.plain()
	case *tables:
		list := make([]any, len(v.list))
		for i, t := range v.list {
			list[i] = t.plain()
		}
		return list
	case []any:
		for i := range v {
			v[i] = plainValue(v[i])
		}
	}
	return v
}

// maxDepth bounds arrays and tables within each other, and parts of a key.
const maxDepth = 256

type parser struct {
	text  string
	at    int
	depth int
}

// document reads lines: headers, and keys of the table that the last one named.
func (p *parser) document(root *table) error {
	table := root
	for {
		p.blank()
		if p.at >= len(p.text) {
			return nil
		}
		var err error
		switch p.peek() {
		case '#', '\n', '\r':
		case '[':
			table, err = p.header(root)
		default:
			err = p.pair(table)
		}
		if err == nil {
			err = p.lineEnd()
		}
		if err != nil {
			return err
		}
	}
}

func (p *parser) peek() byte {
	if p.at < len(p.text) {
		return p.text[p.at]
	}
	return 0
}

func (p *parser) take(s string) bool {
	if strings.HasPrefix(p.text[p.at:], s) {
		p.at += len(s)
		return true
	}
	return false
}

func (p *parser) blank() {
	for p.at < len(p.text) && (p.text[p.at] == ' ' || p.text[p.at] == '\t') {
		p.at++
	}
}

// lineEnd passes blanks, a comment and the end of the line.
func (p *parser) lineEnd() error {
	p.blank()
	if err := p.comment(); err != nil {
		return err
	}
	if p.at >= len(p.text) || p.take("\n") || p.take("\r\n") {
		return nil
	}
	return errors.New("expected the end of the line")
}

func (p *parser) comment() error {
	if p.peek() != '#' {
		return nil
	}
	for p.at < len(p.text) && p.text[p.at] != '\n' && !strings.HasPrefix(p.text[p.at:], "\r\n") {
		if c := p.text[p.at]; c < ' ' && c != '\t' || c == 0x7f {
			return errors.New("control character in a comment")
		}
		p.at++
	}
	return nil
}

// gap passes blanks, comments and line ends within an array.
func (p *parser) gap() error {
	for {
		p.blank()
		if err := p.comment(); err != nil {
			return err
		}
		if !p.take("\n") && !p.take("\r\n") {
			return nil
		}
	}
}

// header reads [a.b] or [[a.b]] and returns the table that it names.
func (p *parser) header(root *table) (*table, error) {
	p.at++
	array := p.take("[")
	path, err := p.key()
	if err != nil {
		return nil, err
	}
	if !p.take("]") || array && !p.take("]") {
		return nil, errors.New("expected ]")
	}
	t := root
	for _, name := range path[:len(path)-1] {
		switch v := t.values[name].(type) {
		case nil:
			next := newTable(open)
			t.values[name] = next
			t = next
		case *table:
			if v.state == closed {
				return nil, twice(path)
			}
			t = v
		case *tables:
			t = v.list[len(v.list)-1]
		default:
			return nil, twice(path)
		}
	}
	name := path[len(path)-1]
	if array {
		return appendTable(t, name, path)
	}
	switch v := t.values[name].(type) {
	case nil:
		next := newTable(stated)
		t.values[name] = next
		return next, nil
	case *table:
		if v.state == open {
			v.state = stated
			return v, nil
		}
	}
	return nil, twice(path)
}

func appendTable(t *table, name string, path []string) (*table, error) {
	next := newTable(stated)
	switch v := t.values[name].(type) {
	case nil:
		t.values[name] = &tables{list: []*table{next}}
	case *tables:
		v.list = append(v.list, next)
	default:
		return nil, twice(path)
	}
	return next, nil
}

func twice(path []string) error {
	return errors.New("key " + strings.Join(path, ".") + " is defined twice")
}

// pair reads "key = value" into a table.
func (p *parser) pair(t *table) error {
	path, err := p.key()
	if err != nil {
		return err
	}
	if !p.take("=") {
		return errors.New("expected = after the key " + strings.Join(path, "."))
	}
	p.blank()
	for _, name := range path[:len(path)-1] {
		switch v := t.values[name].(type) {
		case nil:
			next := newTable(dotted)
			t.values[name] = next
			t = next
		case *table:
			// A table that a header names is not to be added to from elsewhere.
			if v.state == closed || v.state == stated {
				return twice(path)
			}
			v.state = dotted
			t = v
		default:
			return twice(path)
		}
	}
	name := path[len(path)-1]
	if t.values[name] != nil {
		return twice(path)
	}
	v, err := p.value()
	t.values[name] = v
	return err
}

// key reads a dotted key and the blanks around it.
func (p *parser) key() ([]string, error) {
	var path []string
	for {
		p.blank()
		part, err := p.keyPart()
		if err != nil {
			return nil, err
		}
		path = append(path, part)
		p.blank()
		if !p.take(".") {
			return path, nil
		}
		if len(path) == maxDepth {
			return nil, errDeep
		}
	}
}

var errDeep = errors.New("nested too deeply")

func (p *parser) keyPart() (string, error) {
	switch p.peek() {
	case '"':
		p.at++
		return p.basic()
	case '\'':
		p.at++
		return p.literal()
	}
	start := p.at
	for p.at < len(p.text) && (isKeyByte(p.text[p.at]) || p.text[p.at] == '_') {
		p.at++
	}
	if p.at == start {
		return "", errors.New("expected a key")
	}
	return p.text[start:p.at], nil
}
