// Package yaml reads the YAML that people write by hand into a tree, without
// reflection: mappings and lists in block and flow style, plain and quoted texts,
// block scalars, anchors, tags and aliases. What is outside of that it refuses: it
// takes nothing for something else than the YAML library does.
package yaml

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Kind is what a Node is.
type Kind uint8

const (
	Text Kind = iota // a scalar, in Node.Text as it is written; "" for none
	List
	Map
	Alias // stands for a node elsewhere, which is not looked up
)

// Node is a value of a YAML text. Its methods take a nil Node for one that is not there.
type Node struct {
	Kind   Kind
	Text   string
	Items  []*Node
	Keys   []string // in the order of the text
	Values []*Node
}

// At is the value of a key; nil if there is none. Of two with one name it is the first.
func (n *Node) At(key string) *Node {
	if n == nil {
		return nil
	}
	for i, k := range n.Keys {
		if k == key {
			return n.Values[i]
		}
	}
	return nil
}

// Str is the text of a value, "" for a list or a mapping.
func (n *Node) Str() string {
	if n == nil {
		return ""
	}
	return n.Text
}

// Names are the keys of a mapping.
func (n *Node) Names() []string {
	if n == nil {
		return nil
	}
	return n.Keys
}

// List are the values of a list; a text alone is a list of one.
func (n *Node) List() []*Node {
	switch {
	case n == nil:
		return nil
	case len(n.Items) == 0 && n.Text != "":
		return []*Node{n}
	}
	return n.Items
}

// Error is a text that is no YAML, or YAML of a kind that is not read.
type Error struct {
	Line    int // from 1
	Problem string
}

func (e *Error) Error() string { return "line " + strconv.Itoa(e.Line) + ": " + e.Problem }

// maxDepth bounds nodes within each other.
const maxDepth = 64

// Parse reads the first document of a text. An error is an *Error.
func Parse(text string) (*Node, error) {
	p := &parser{}
	p.split(strings.TrimPrefix(text, "\ufeff"))
	n := &Node{}
	if p.err == nil && p.skip() {
		n = p.block(-1, 0)
		if p.err == nil && p.skip() {
			p.refuse("this does not belong to what stands above")
		}
	}
	if p.err != nil {
		return nil, p.err
	}
	return n, nil
}

// row is a line; text is what follows the indent, without blanks at its end.
type row struct {
	indent int
	text   string
	whole  string
}

type parser struct {
	lines []row
	first int // lines before lines[0]
	i     int
	err   error
	cut   bool // the last line has no end
}

// refuse ends the reading at the line that is read.
func (p *parser) refuse(problem string) *Node {
	if p.err == nil {
		p.err = &Error{Line: p.first + min(p.i, len(p.lines)) + 1, Problem: problem}
	}
	p.i = len(p.lines)
	return &Node{}
}

// split makes the rows of the first document.
func (p *parser) split(text string) {
	p.cut = !strings.HasSuffix(text, "\n")
	for line := range strings.Lines(text) {
		if ended, ok := strings.CutSuffix(line, "\n"); ok {
			line = strings.TrimSuffix(ended, "\r")
		}
		rest := strings.TrimLeft(line, " ")
		r := row{len(line) - len(rest), strings.TrimRight(rest, " \t"), line}
		mark := len(line) >= 3 && (line[:3] == "---" || line[:3] == "...") && (len(line) == 3 || line[3] == ' ' || line[3] == '\t')
		switch {
		case !plainText(line):
			p.i = len(p.lines)
			p.refuse("a character that no line of YAML holds")
			return
		case mark && line[0] == '-' && !p.any():
			if rest := strings.TrimLeft(r.text[3:], " \t"); rest != "" && rest[0] != '#' {
				p.i = len(p.lines)
				p.refuse("a document that begins beside its mark is not read")
				return
			}
			p.first += len(p.lines) + 1
			p.lines = p.lines[:0]
			continue
		case mark:
			p.cut = false
			return
		case line != "" && line[0] == '%' && !p.any():
			p.refuse("directives are not read")
			return
		}
		p.lines = append(p.lines, r)
	}
}

// any reports whether a line so far says something.
func (p *parser) any() bool {
	for _, l := range p.lines {
		if l.text != "" && l.text[0] != '#' {
			return true
		}
	}
	return false
}

// plainText reports whether a line has none of the characters that are no text, and
// none that the library takes for the end of a line.
func plainText(s string) bool {
	for i := 0; i < len(s); i++ {
		switch b := s[i]; {
		case b < ' ' && b != '\t', b == 0x7f, b == '\r':
			return false
		case b >= utf8.RuneSelf:
			r, size := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && size == 1 || r < 0xa0 || r == '\u2028' || r == '\u2029' || r == '\ufeff' || r >= 0xfffe && r <= 0xffff {
				return false
			}
			i += size - 1
		}
	}
	return true
}

// skip passes blank lines and comments and reports whether a line is left.
func (p *parser) skip() bool {
	for ; p.i < len(p.lines); p.i++ {
		if t := p.lines[p.i].text; t != "" && t[0] == '\t' {
			p.refuse("a tab among the blanks that a line begins with")
			return false
		} else if t != "" && t[0] != '#' {
			return true
		}
	}
	return false
}

func isItem(text string) bool { return text == "-" || strings.HasPrefix(text, "- ") }

// block reads the node whose first line is the one at hand, within something at
// the indent parent.
func (p *parser) block(parent, depth int) *Node {
	l := p.lines[p.i]
	if depth > maxDepth {
		return p.refuse("nested too deeply")
	}
	if isItem(l.text) {
		return p.list(l.indent, parent, depth)
	}
	if _, _, ok := p.key(l.text); ok {
		return p.mapping(l.indent, depth)
	}
	if p.err != nil {
		return &Node{}
	}
	if l.text[0] == '&' || l.text[0] == '!' {
		return p.refuse("an anchor or a tag at the beginning of a line is not read")
	}
	return p.value(l.text, parent, false, depth)
}

// list reads the items that begin at an indent.
func (p *parser) list(indent, parent, depth int) *Node {
	n := &Node{Kind: List}
	for p.skip() {
		l := &p.lines[p.i]
		if l.indent < indent || l.indent == indent && indent == parent && !isItem(l.text) {
			return n
		}
		if l.indent > indent || !isItem(l.text) {
			p.refuse("this is no item of the list above")
			return n
		}
		inner := strings.TrimLeft(l.text[1:], " ")
		switch {
		case inner == "" || inner[0] == '#':
			p.i++
			n.Items = append(n.Items, p.below(indent, false, depth))
			continue
		case inner[0] == '\t':
			p.refuse("a tab after the mark of an item")
			return n
		}
		// What follows the dash stands at a column of its own.
		at := l.indent + len(l.text) - len(inner)
		if _, _, ok := p.key(inner); ok || isItem(inner) {
			l.indent, l.text = at, inner
			n.Items = append(n.Items, p.block(indent, depth+1))
		} else {
			n.Items = append(n.Items, p.value(inner, indent, false, depth))
		}
	}
	return n
}

// mapping reads the entries whose keys begin at an indent.
func (p *parser) mapping(indent, depth int) *Node {
	n := &Node{Kind: Map}
	for p.skip() {
		l := p.lines[p.i]
		if l.indent < indent {
			return n
		}
		key, rest, ok := p.key(l.text)
		if l.indent > indent || !ok || isItem(l.text) {
			p.refuse("this is no entry of the mapping above")
			return n
		}
		n.Keys = append(n.Keys, key)
		if rest == "" {
			p.i++
			n.Values = append(n.Values, p.below(indent, true, depth))
		} else {
			n.Values = append(n.Values, p.value(rest, indent, true, depth))
		}
	}
	return n
}

// below reads the block under a line at an indent; under a key a list may stand at
// the same one.
func (p *parser) below(indent int, list bool, depth int) *Node {
	if p.skip() && (p.lines[p.i].indent > indent || list && p.lines[p.i].indent == indent && isItem(p.lines[p.i].text)) {
		return p.block(indent, depth+1)
	}
	return &Node{}
}

// markBytes are what an anchor or a tag is made of.
const markBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-!.:/"

// value reads what begins in this line behind a key or a dash at the indent parent;
// list says whether a list may stand under it at the same indent.
func (p *parser) value(text string, parent int, list bool, depth int) *Node {
	marked := false
	for text != "" && (text[0] == '&' || text[0] == '!') { // an anchor, a tag
		word, rest, _ := strings.Cut(text, " ")
		if strings.Trim(word[1:], markBytes) != "" || word == "&" || word[0] == '&' && strings.ContainsAny(word, "!.:/") {
			return p.refuse("an anchor or a tag that is not read")
		}
		text, marked = strings.TrimLeft(rest, " "), true
	}
	if marked {
		if _, _, ok := p.key(text); ok || isItem(text) {
			return p.refuse("an anchor or a tag before a mapping is not read")
		}
	}
	switch {
	case text == "" || text[0] == '#' && marked:
		p.i++
		return p.below(parent, list, depth)
	case text[0] == '*':
		if name := comment(text[1:]); name == "" || strings.Trim(name, markBytes[:64]) != "" {
			return p.refuse("an alias that is not read")
		}
		p.i++
		return &Node{Kind: Alias}
	case text[0] == '|' || text[0] == '>':
		return p.literal(text, parent)
	case text[0] == '[' || text[0] == '{':
		return p.flow(text, parent, depth)
	case text[0] == '"' || text[0] == '\'':
		return p.quotedText(text, parent)
	}
	return p.plain(text, parent)
}

// key splits "key: rest"; rest is without a comment that is all of it.
func (p *parser) key(s string) (key, rest string, ok bool) {
	if s == "" {
		return "", "", false
	}
	var after string
	if s[0] == '"' || s[0] == '\'' {
		part, behind, closed, good := quoted(s[1:], s[0])
		after, ok = strings.CutPrefix(strings.TrimLeft(behind, " "), ":")
		if !closed || !good || !ok || after != "" && after[0] != ' ' {
			return "", "", false
		}
		key = part
	} else {
		i := 0
		for ; ; i++ {
			if i >= len(s) || s[i] == '#' && i > 0 && s[i-1] == ' ' {
				return "", "", false
			}
			if s[i] == ':' && (i+1 == len(s) || s[i+1] == ' ') {
				break
			}
		}
		key, after = strings.TrimRight(s[:i], " "), s[i+1:]
		switch {
		case s[0] == '[' || s[0] == '{':
			return "", "", false // a flow value; what follows it is looked at there
		case key == "" || isItem(s) || !plainStart(s) || strings.Contains(key, "\t"):
			if !isItem(s) {
				p.refuse("a key that is not read")
			}
			return "", "", false
		}
	}
	if len(key) > 900 {
		p.refuse("a key that is too long")
		return "", "", false
	}
	rest = strings.TrimLeft(after, " ")
	if rest != "" && rest[0] == '#' {
		rest = ""
	}
	if rest != "" && rest[0] == '\t' {
		p.refuse("a tab after a key")
	}
	return key, rest, true
}
