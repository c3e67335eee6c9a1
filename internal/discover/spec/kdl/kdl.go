// Package kdl reads documents of KDL (https://kdl.dev), versions 1 and 2 alike:
// where the two write the same thing differently, both are read.
package kdl

import (
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
)

// Bounds of a document.
const (
	maxDepth = 100
	maxNodes = 200_000
)

// Kind is the kind of a value.
type Kind uint8

// The kinds of value.
const (
	String Kind = iota
	Number
	Bool
	Null
)

// Value is an argument or the value of a property.
type Value struct {
	Kind Kind
	Text string // a string, or a number as it is written
	Bool bool
	Line int
}

// Prop is a property, "key=value".
type Prop struct {
	Name  string
	Value Value
}

// Node is one node with what stands after its name.
type Node struct {
	Name     string
	Line     int // of the name, from 1
	Args     []Value
	Props    []Prop // each name once, in the order of the last that was given
	Children []*Node
}

// Prop returns the value of a property.
func (n *Node) Prop(name string) (Value, bool) {
	for _, p := range n.Props {
		if p.Name == name {
			return p.Value, true
		}
	}
	return Value{}, false
}

// Parse reads a document. The error is a *draft.Fault.
func Parse(data []byte) (nodes []*Node, err error) {
	p := &parser{text: strings.TrimPrefix(string(data), "\ufeff"), line: 1}
	defer func() {
		if r := recover(); r != nil {
			fault, ok := r.(*draft.Fault)
			if !ok {
				panic(r)
			}
			nodes, err = nil, fault
		}
	}()
	nodes = p.nodes(0)
	return nodes, nil
}

// parser reads a document from its beginning. It leaves by a panic with a
// *draft.Fault, which Parse catches.
type parser struct {
	text  string
	at    int
	line  int
	count int
}

func (p *parser) failf(format string, args ...any) {
	panic(draft.Faultf(p.line, format, args...))
}

func (p *parser) rest() string { return p.text[p.at:] }

func (p *parser) has(prefix string) bool { return strings.HasPrefix(p.rest(), prefix) }

// take skips a prefix if it is there.
func (p *parser) take(prefix string) bool {
	if !p.has(prefix) {
		return false
	}
	p.skip(len(prefix))
	return true
}

// skip moves on by n bytes and counts the lines.
func (p *parser) skip(n int) {
	for ; n > 0; n-- {
		p.at++
		if endsLine(p.text, p.at) {
			p.line++
		}
	}
}

// endsLine reports whether a line ends right before byte at: CR LF is one end,
// and a character of several bytes is one at its last.
func endsLine(s string, at int) bool {
	switch s[at-1] {
	case '\n', '\f':
		return true
	case '\r':
		return at == len(s) || s[at] != '\n'
	case 0x85:
		return strings.HasSuffix(s[:at], "\u0085")
	case 0xa8, 0xa9:
		return strings.HasSuffix(s[:at], "\u2028") || strings.HasSuffix(s[:at], "\u2029")
	}
	return false
}

// lines counts the line ends in a text.
func lines(s string) (n int) {
	for at := 1; at <= len(s); at++ {
		if endsLine(s, at) {
			n++
		}
	}
	return n
}

// newline is the length of the line end at the beginning of s, 0 if there is none.
func newline(s string) int {
	for _, end := range [...]string{"\r\n", "\n", "\r", "\u0085", "\f", "\u2028", "\u2029"} {
		if strings.HasPrefix(s, end) {
			return len(end)
		}
	}
	return 0
}

// blank is the length of the blank character at the beginning of s.
func blank(s string) int {
	for _, c := range [...]string{" ", "\t", "\u00a0", "\u1680", "\u202f", "\u205f", "\u3000", "\v", "\ufeff"} {
		if strings.HasPrefix(s, c) {
			return len(c)
		}
	}
	for r := rune(0x2000); r <= 0x200a; r++ {
		if strings.HasPrefix(s, string(r)) {
			return len(string(r))
		}
	}
	return 0
}

// space skips blanks, comments in the line and continued lines; it reports
// whether there was any.
func (p *parser) space() bool {
	begin := p.at
	for p.at < len(p.text) {
		switch n := blank(p.rest()); {
		case n > 0:
			p.skip(n)
		case p.has("/*"):
			p.comment()
		case p.has(`\`):
			p.skip(1)
			for n := blank(p.rest()); n > 0; n = blank(p.rest()) {
				p.skip(n)
			}
			p.lineComment()
			n := newline(p.rest())
			if n == 0 && p.at < len(p.text) {
				p.failf("a backslash continues a line only at its end")
			}
			p.skip(n)
		default:
			return p.at > begin
		}
	}
	return p.at > begin
}

// comment skips "/* … */", which may hold others.
func (p *parser) comment() {
	begin, depth := p.line, 0
	for {
		switch {
		case p.at >= len(p.text):
			p.line = begin
			p.failf("a comment that begins here does not end")
		case p.take("/*"):
			depth++
		case p.take("*/"):
			if depth--; depth == 0 {
				return
			}
		default:
			p.skip(1)
		}
	}
}

// lineComment skips "// …" up to the end of the line.
func (p *parser) lineComment() {
	if !p.has("//") {
		return
	}
	for p.at < len(p.text) && newline(p.rest()) == 0 {
		p.skip(1)
	}
}

// lineSpace skips everything between nodes.
func (p *parser) lineSpace() {
	for {
		begin := p.at
		p.space()
		p.lineComment()
		p.skip(newline(p.rest()))
		if p.at == begin {
			return
		}
	}
}

// nodes reads nodes up to the end of the document or a closing brace.
func (p *parser) nodes(depth int) []*Node {
	if depth > maxDepth {
		p.failf("nodes are nested more than %d deep", maxDepth)
	}
	var out []*Node
	for {
		for p.lineSpace(); p.take(";"); p.lineSpace() {
		}
		switch {
		case p.at >= len(p.text):
			return out
		case p.has("}"):
			if depth == 0 {
				p.failf("a brace that closes nothing")
			}
			return out
		}
		dropped := p.slashdash()
		if n := p.node(depth); !dropped {
			out = append(out, n)
		}
	}
}

// slashdash skips "/-", which drops what follows.
func (p *parser) slashdash() bool {
	if !p.take("/-") {
		return false
	}
	p.lineSpace()
	return true
}

func (p *parser) node(depth int) *Node {
	if p.count++; p.count > maxNodes {
		p.failf("holds more than %d nodes", maxNodes)
	}
	p.annotation()
	n := &Node{Line: p.line}
	name := p.value()
	if name.Kind != String {
		p.failf("%s is no name of a node", name.Text)
	}
	n.Name = name.Text
	for {
		spaced := p.space()
		if p.ended() {
			return n
		}
		dropped := p.has("/-") && p.slashdash()
		if p.has("{") {
			children := p.children(depth)
			if !dropped {
				n.Children = append(n.Children, children...)
			}
			continue
		}
		if !spaced {
			p.failf("a blank is missing after %q", n.Name)
		}
		p.entry(n, dropped)
	}
}

// ended reports whether a node ends here, and skips what ends it.
func (p *parser) ended() bool {
	switch {
	case p.at >= len(p.text), p.has("}"):
		return true
	case p.has("//"):
		p.lineComment()
		return true
	case p.take(";"):
		return true
	}
	n := newline(p.rest())
	p.skip(n)
	return n > 0
}

func (p *parser) children(depth int) []*Node {
	begin := p.line
	p.skip(1)
	out := p.nodes(depth + 1)
	if !p.take("}") {
		p.line = begin
		p.failf("a brace that opens here is not closed")
	}
	return out
}

// entry reads an argument or a property.
func (p *parser) entry(n *Node, dropped bool) {
	p.annotation()
	v := p.value()
	if p.at < len(p.text) && p.text[p.at] == '=' {
		if v.Kind != String {
			p.failf("%s is no name of a property", v.Text)
		}
		p.skip(1)
		p.annotation()
		of := p.value()
		if !dropped {
			n.set(v.Text, of)
		}
		return
	}
	if !dropped {
		n.Args = append(n.Args, v)
	}
}

// set puts a property; of two with one name the last holds.
func (n *Node) set(name string, v Value) {
	for i, p := range n.Props {
		if p.Name == name {
			n.Props = append(n.Props[:i], n.Props[i+1:]...)
			break
		}
	}
	n.Props = append(n.Props, Prop{name, v})
}

// annotation skips a type, "(type)".
func (p *parser) annotation() {
	if !p.take("(") {
		return
	}
	p.space()
	p.value()
	p.space()
	if !p.take(")") {
		p.failf("a type that is not closed")
	}
	p.space()
}
