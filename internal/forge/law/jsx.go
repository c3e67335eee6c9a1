package law

import "strings"

// element reads a JSX element or fragment from its "<" on.
func (p *parser) element() *Node {
	n := p.elementUntil()
	p.tok.end = p.at
	p.advance()
	n.End = p.prevEnd
	return n
}

// elementUntil leaves the source right behind the element.
func (p *parser) elementUntil() *Node {
	p.enter()
	defer func() { p.depth-- }()
	pos := p.tok.pos
	n := &Node{Pos: pos}
	p.advance()
	if !p.is(">") {
		n.Kids = append(n.Kids, p.tag())
		if p.is("<") {
			p.skipAngle()
		}
		for !p.is(">") && !p.is("/") {
			n.Kids = append(n.Kids, p.attribute()...)
		}
		if p.is("/") {
			p.advance()
			if !p.is(">") {
				p.fail(p.tok.pos, "expected >")
			}
			p.at = p.tok.end
			return n
		}
	}
	p.at = p.tok.pos + 1
	p.children(n)
	return n
}

// tag reads the name of an element: a component is a reference.
func (p *parser) tag() *Node {
	first := p.tok
	name := p.jsxName()
	n := &Node{Pos: first.pos, End: p.prevEnd, Text: name}
	if c := name[0]; c >= 'A' && c <= 'Z' || strings.Contains(name, ".") {
		n.Kind = Ident
		n.Text, _, _ = strings.Cut(name, ".")
	}
	return n
}

func (p *parser) jsxName() string {
	if p.tok.kind != tWord {
		p.fail(p.tok.pos, "expected a name")
	}
	start := p.tok.pos
	p.advance()
	for p.is("-") || p.is(".") || p.is(":") {
		p.advance()
		if p.tok.kind == tWord {
			p.advance()
		}
	}
	return p.src[start:p.prevEnd]
}

func (p *parser) attribute() []*Node {
	pos := p.tok.pos
	if p.eat("{") { // {...x}
		p.eat("...")
		x := p.expression()
		p.expect("}")
		return []*Node{x}
	}
	name := p.jsxName()
	key := p.node(Prop, pos)
	key.Text, key.Named = name, true
	if !p.is("=") {
		return []*Node{key}
	}
	p.at = p.tok.end
	p.space()
	if p.at < len(p.src) && (p.src[p.at] == '"' || p.src[p.at] == '\'') { // no escapes in it
		start := p.at
		end := strings.IndexByte(p.src[start+1:], p.src[start])
		if end < 0 {
			p.fail(start, "the string does not end")
		}
		p.at = start + end + 2
		p.tok.end = p.at
		p.advance()
		return []*Node{key, {Kind: String, Pos: start, End: start + end + 2, Text: p.src[start+1 : start+1+end]}}
	}
	p.advance()
	if p.is("<") {
		return []*Node{key, p.element()}
	}
	p.expect("{")
	x := p.expression()
	p.expect("}")
	return []*Node{key, x}
}

// children reads up to the closing tag and past it.
func (p *parser) children(n *Node) {
	for {
		start := p.at
		for p.at < len(p.src) && p.src[p.at] != '<' && p.src[p.at] != '{' {
			p.at++
		}
		if p.at >= len(p.src) {
			p.fail(n.Pos, "the element does not end")
		}
		if text := strings.TrimSpace(p.src[start:p.at]); text != "" {
			lead := strings.Index(p.src[start:], text)
			n.Kids = append(n.Kids, &Node{Kind: JSXText, Pos: start + lead, End: p.at, Text: text})
		}
		if p.src[p.at] == '{' {
			p.at++
			p.advance()
			if !p.is("}") {
				p.eat("...")
				n.Kids = append(n.Kids, p.expression())
			}
			if !p.is("}") {
				p.fail(p.tok.pos, "expected }")
			}
			p.at = p.tok.end
			continue
		}
		p.advance() // "<"
		if next := p.peek(); next.kind == tPunct && next.text == "/" {
			p.advance()
			p.advance()
			for !p.is(">") {
				if p.tok.kind == tEOF {
					p.fail(n.Pos, "the element does not end")
				}
				p.advance()
			}
			p.at = p.tok.pos + 1
			return
		}
		n.Kids = append(n.Kids, p.elementUntil())
	}
}
