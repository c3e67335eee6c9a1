// Package splice changes other people's files of settings in place: one element
// or member is put in or taken out, and every other byte stays, comments, order,
// indentation, line ends and byte order mark included. JSON may have comments
// and trailing commas, as editors take it.
package splice

import (
	"bytes"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/tool-mapping-protocol/tmp/internal/jsonscan"
)

// Kind is what a value is.
type Kind uint8

// The kinds.
const (
	Scalar Kind = iota // a number, true, false, null
	Text
	Object
	Array
)

// Node is a value with its place in the text, in bytes.
type Node struct {
	Kind       Kind
	Start, End int
	Text       string   // of a Text; of a Scalar as it stands
	Members    []Member // of an Object
	Elements   []*Node  // of an Array
}

// Member is a member of an object.
type Member struct {
	Name  string
	Start int // of its name
	Value *Node
}

// SyntaxError is a text that is no JSON, even with comments.
type SyntaxError struct {
	Line    int // from 1
	Problem string
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Problem) }

// ErrShape is wrapped where a member that is to hold a list or an object holds
// something else.
var ErrShape = errors.New("is not what is expected there")

const (
	bom      = "\ufeff"
	maxDepth = 1000
)

type parser struct {
	data  []byte
	pos   int
	depth int
}

// Parse reads a text. A file without a value in it has none: nil.
func Parse(data []byte) (*Node, error) {
	p := &parser{data: data}
	if bytes.HasPrefix(data, []byte(bom)) {
		p.pos = len(bom)
	}
	if !utf8.Valid(data) {
		return nil, p.fail("is not UTF-8")
	}
	if err := p.blank(); err != nil || p.pos == len(data) {
		return nil, err
	}
	n, err := p.value()
	if err != nil {
		return nil, err
	}
	if err := p.blank(); err != nil {
		return nil, err
	}
	if p.pos < len(data) {
		return nil, p.fail("something follows the value")
	}
	return n, nil
}

func (p *parser) fail(problem string) error {
	return &SyntaxError{bytes.Count(p.data[:min(p.pos, len(p.data))], []byte("\n")) + 1, problem}
}

// blank passes blanks and comments.
func (p *parser) blank() error {
	for p.pos < len(p.data) {
		switch c := p.data[p.pos]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			p.pos++
		case bytes.HasPrefix(p.data[p.pos:], []byte("//")):
			if end := bytes.IndexByte(p.data[p.pos:], '\n'); end >= 0 {
				p.pos += end
			} else {
				p.pos = len(p.data)
			}
		case bytes.HasPrefix(p.data[p.pos:], []byte("/*")):
			end := bytes.Index(p.data[p.pos+2:], []byte("*/"))
			if end < 0 {
				return p.fail("a comment has no end")
			}
			p.pos += end + 4
		default:
			return nil
		}
	}
	return nil
}

func (p *parser) value() (*Node, error) {
	if p.pos >= len(p.data) {
		return nil, p.fail("the text ends early")
	}
	switch p.data[p.pos] {
	case '{':
		return p.list(Object, '}')
	case '[':
		return p.list(Array, ']')
	}
	return p.leaf()
}

// leaf reads a string, a number or a word.
func (p *parser) leaf() (*Node, error) {
	n := &Node{Start: p.pos}
	if p.data[p.pos] == '"' {
		n.Kind = Text
		for p.pos++; ; p.pos++ {
			if p.pos >= len(p.data) || p.data[p.pos] == '\n' {
				return nil, p.fail("a text has no end")
			}
			if p.data[p.pos] == '\\' {
				p.pos++
				continue
			}
			if p.data[p.pos] == '"' {
				break
			}
		}
		p.pos++
	} else {
		for p.pos < len(p.data) && bytes.IndexByte([]byte(" \t\r\n,]}/:\"{["), p.data[p.pos]) < 0 {
			p.pos++
		}
	}
	n.End = p.pos
	err := jsonscan.Read(p.data[n.Start:n.End], func(j *jsonscan.Reader) (err error) {
		if n.Kind == Text {
			n.Text, err = j.Text()
			return err
		}
		n.Text = string(p.data[n.Start:n.End])
		return j.Skip()
	})
	if err != nil {
		return nil, p.fail("expected a value")
	}
	return n, nil
}

func (p *parser) list(kind Kind, end byte) (*Node, error) {
	n := &Node{Kind: kind, Start: p.pos}
	if p.depth++; p.depth > maxDepth {
		return nil, p.fail("nested too deep")
	}
	p.pos++
	for {
		if err := p.blank(); err != nil {
			return nil, err
		}
		if p.pos < len(p.data) && p.data[p.pos] == end {
			p.pos++
			n.End = p.pos
			p.depth--
			return n, nil
		}
		if err := p.item(n); err != nil {
			return nil, err
		}
		if err := p.blank(); err != nil {
			return nil, err
		}
		switch {
		case p.pos < len(p.data) && p.data[p.pos] == ',':
			p.pos++
		case p.pos >= len(p.data) || p.data[p.pos] != end:
			return nil, p.fail("expected a comma or " + string(end))
		}
	}
}

// item reads a member of an object or an element of an array.
func (p *parser) item(n *Node) error {
	if n.Kind == Array {
		v, err := p.value()
		n.Elements = append(n.Elements, v)
		return err
	}
	if p.pos >= len(p.data) || p.data[p.pos] != '"' {
		return p.fail("expected a name in quotes")
	}
	name, err := p.leaf()
	if err != nil {
		return err
	}
	if err := p.blank(); err != nil {
		return err
	}
	if p.pos >= len(p.data) || p.data[p.pos] != ':' {
		return p.fail("expected a colon")
	}
	p.pos++
	if err := p.blank(); err != nil {
		return err
	}
	v, err := p.value()
	n.Members = append(n.Members, Member{name.Text, name.Start, v})
	return err
}

// Get returns the value of a member, nil if there is none. Of several the last
// counts, as for those who read such files.
func (n *Node) Get(name string) *Node {
	if n == nil {
		return nil
	}
	for i := len(n.Members) - 1; i >= 0; i-- {
		if n.Members[i].Name == name {
			return n.Members[i].Value
		}
	}
	return nil
}

// At goes down the members of a path.
func (n *Node) At(path ...string) *Node {
	for _, name := range path {
		n = n.Get(name)
	}
	return n
}

// items are the places of what an object or an array holds.
func (n *Node) items() [][2]int {
	var out [][2]int
	for _, m := range n.Members {
		out = append(out, [2]int{m.Start, m.Value.End})
	}
	for _, e := range n.Elements {
		out = append(out, [2]int{e.Start, e.End})
	}
	return out
}

// Equal reports whether two values are the same, whatever their layout.
func Equal(a, b *Node) bool {
	if a == nil || b == nil || a.Kind != b.Kind || len(a.Members) != len(b.Members) || len(a.Elements) != len(b.Elements) || a.Text != b.Text {
		return a == b
	}
	for i := range a.Members {
		if a.Members[i].Name != b.Members[i].Name || !Equal(a.Members[i].Value, b.Members[i].Value) {
			return false
		}
	}
	for i := range a.Elements {
		if !Equal(a.Elements[i], b.Elements[i]) {
			return false
		}
	}
	return true
}

// Texts are the texts of an array.
func (n *Node) Texts() (list []string) {
	if n == nil {
		return nil
	}
	for _, e := range n.Elements {
		if e.Kind == Text {
			list = append(list, e.Text)
		}
	}
	return list
}
