package resolvers

import (
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"
)

// parseTOML reads a TOML document (1.1) into tables of string, bool, tomlScalar
// (numbers and dates, which nothing here needs the value of), []any and
// map[string]any; an array of tables is a []any too. It is strict: what
// is no TOML is an error, *tomlError. A library would read all of the language
// as well, and cost every press of Tab its start: reflection, the time zone.
func parseTOML(text string) (map[string]any, error) {
	p := tomlParser{text: strings.TrimPrefix(text, "\ufeff")}
	root := newTomlTable(tomlOpen)
	if !utf8.ValidString(text) {
		return nil, &tomlError{Line: 1 + strings.Count(text[:invalidAt(text)], "\n"), Message: "invalid UTF-8"}
	}
	if err := p.document(root); err != nil {
		return nil, &tomlError{Line: 1 + strings.Count(p.text[:min(p.at, len(p.text))], "\n"), Message: err.Error()}
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

// tomlError is what is wrong with a document, by line from 1.
type tomlError struct {
	Line    int
	Message string
}

func (e *tomlError) Error() string { return "line " + strconv.Itoa(e.Line) + ": " + e.Message }

// tomlScalar is a number or a date as it is written.
type tomlScalar string

// tomlTable is a table while it is read.
type tomlTable struct {
	values map[string]any // string, bool, tomlScalar, []any, *tomlTable, *tomlTables
	state  tomlState
}

// tomlTables is an array of tables.
type tomlTables struct{ list []*tomlTable }

// tomlState says what may still be added to a table.
type tomlState uint8

const (
	tomlOpen   tomlState = iota // named on the way to another: a header may define it
	tomlStated                  // defined by its header
	tomlDotted                  // made by a dotted key: more such keys in the same section
	tomlClosed                  // an inline table: nothing
)

func newTomlTable(s tomlState) *tomlTable { return &tomlTable{values: map[string]any{}, state: s} }

// plain turns what was read into plain maps and slices.
func (t *tomlTable) plain() map[string]any {
	for k, v := range t.values {
		t.values[k] = plainTOML(v)
	}
	return t.values
}

func plainTOML(v any) any {
	switch v := v.(type) {
	case *tomlTable:
		return v.plain()
	case *tomlTables:
		list := make([]any, len(v.list))
		for i, t := range v.list {
			list[i] = t.plain()
		}
		return list
	case []any:
		for i := range v {
			v[i] = plainTOML(v[i])
		}
	}
	return v
}

// maxTomlDepth bounds arrays and tables within each other, and parts of a key.
const maxTomlDepth = 256

type tomlParser struct {
	text  string
	at    int
	depth int
}

// document reads lines: headers, and keys of the table that the last one named.
func (p *tomlParser) document(root *tomlTable) error {
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

func (p *tomlParser) peek() byte {
	if p.at < len(p.text) {
		return p.text[p.at]
	}
	return 0
}

func (p *tomlParser) take(s string) bool {
	if strings.HasPrefix(p.text[p.at:], s) {
		p.at += len(s)
		return true
	}
	return false
}

func (p *tomlParser) blank() {
	for p.at < len(p.text) && (p.text[p.at] == ' ' || p.text[p.at] == '\t') {
		p.at++
	}
}

// lineEnd passes blanks, a comment and the end of the line.
func (p *tomlParser) lineEnd() error {
	p.blank()
	if err := p.comment(); err != nil {
		return err
	}
	if p.at >= len(p.text) || p.take("\n") || p.take("\r\n") {
		return nil
	}
	return errors.New("expected the end of the line")
}

func (p *tomlParser) comment() error {
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
func (p *tomlParser) gap() error {
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
func (p *tomlParser) header(root *tomlTable) (*tomlTable, error) {
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
			next := newTomlTable(tomlOpen)
			t.values[name] = next
			t = next
		case *tomlTable:
			if v.state == tomlClosed {
				return nil, twice(path)
			}
			t = v
		case *tomlTables:
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
		next := newTomlTable(tomlStated)
		t.values[name] = next
		return next, nil
	case *tomlTable:
		if v.state == tomlOpen {
			v.state = tomlStated
			return v, nil
		}
	}
	return nil, twice(path)
}

func appendTable(t *tomlTable, name string, path []string) (*tomlTable, error) {
	next := newTomlTable(tomlStated)
	switch v := t.values[name].(type) {
	case nil:
		t.values[name] = &tomlTables{list: []*tomlTable{next}}
	case *tomlTables:
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
func (p *tomlParser) pair(t *tomlTable) error {
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
			next := newTomlTable(tomlDotted)
			t.values[name] = next
			t = next
		case *tomlTable:
			// A table that a header names is not to be added to from elsewhere.
			if v.state == tomlClosed || v.state == tomlStated {
				return twice(path)
			}
			v.state = tomlDotted
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
func (p *tomlParser) key() ([]string, error) {
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
		if len(path) == maxTomlDepth {
			return nil, errTomlDeep
		}
	}
}

var errTomlDeep = errors.New("nested too deeply")

func (p *tomlParser) keyPart() (string, error) {
	switch p.peek() {
	case '"':
		p.at++
		return p.basic()
	case '\'':
		p.at++
		return p.literal()
	}
	start := p.at
	for p.at < len(p.text) && (isNameByte(p.text[p.at]) || p.text[p.at] == '_') {
		p.at++
	}
	if p.at == start {
		return "", errors.New("expected a key")
	}
	return p.text[start:p.at], nil
}
