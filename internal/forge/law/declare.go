package law

// decorated reads a class after its decorators.
func (p *parser) decorated() *Node {
	pos := p.tok.pos
	var kids []*Node
	for p.eat("@") {
		kids = append(kids, p.postfix())
	}
	if p.word("export") {
		return p.node(Other, pos, append(kids, p.export())...)
	}
	p.eatWord("abstract")
	return p.node(Other, pos, append(kids, p.class())...)
}

// function reads [async] function [*] [name] (…) {…}.
func (p *parser) function() *Node {
	pos := p.tok.pos
	p.eatWord("async")
	p.advance() // function
	p.eat("*")
	if p.tok.kind == tWord {
		p.name()
	}
	return p.callable(pos)
}

// callable reads from the type parameters of a function to the end of its body;
// an overload has none.
func (p *parser) callable(pos int) *Node {
	if p.is("<") {
		p.skipAngle()
	}
	kids := p.parameters()
	p.annotation()
	if p.is("{") {
		kids = append(kids, p.block())
	} else {
		p.semicolon()
	}
	return p.node(Func, pos, kids...)
}

// modifiers are words before a parameter or a member.
var modifiers = []string{"public", "private", "protected", "readonly", "override", "static", "abstract", "declare", "accessor"}

// parameters reads (a: T, {b} = c, ...d).
func (p *parser) parameters() []*Node {
	p.expect("(")
	cond, noIn := p.cond, p.noIn
	p.cond, p.noIn = 0, false
	var kids []*Node
	for !p.eat(")") {
		for p.eat("@") {
			kids = append(kids, p.postfix())
		}
		for p.words(modifiers...) {
			if next := p.peek(); next.kind == tWord || next.kind == tPunct && (next.text == "{" || next.text == "[") {
				p.advance()
				continue
			}
			break
		}
		p.eat("...")
		b := p.binding()
		p.eat("?")
		p.annotation()
		if p.eat("=") {
			b.Kids = append(b.Kids, p.assignment())
		}
		kids = append(kids, b)
		if !p.is(")") {
			p.expect(",")
		}
	}
	p.cond, p.noIn = cond, noIn
	return kids
}

// class reads a class, a statement or an expression.
func (p *parser) class() *Node {
	p.enter()
	defer func() { p.depth-- }()
	pos := p.tok.pos
	p.advance() // class
	if p.tok.kind == tWord && !p.words("extends", "implements") {
		p.name()
	}
	if p.is("<") {
		p.skipAngle()
	}
	var kids []*Node
	if p.eatWord("extends") {
		kids = append(kids, p.postfix())
		if p.is("<") {
			p.skipAngle()
		}
	}
	p.heritage()
	p.expect("{")
	for !p.eat("}") {
		if p.eat(";") {
			continue
		}
		kids = append(kids, p.member())
	}
	return p.node(Class, pos, kids...)
}

// member reads a field or a method of a class.
func (p *parser) member() *Node {
	pos := p.tok.pos
	var kids []*Node
	for p.eat("@") {
		kids = append(kids, p.postfix())
	}
	for p.tok.kind == tWord {
		next := p.peek()
		if p.word("static") && next.kind == tPunct && next.text == "{" {
			p.advance()
			return p.node(Other, pos, p.block())
		}
		ends := next.kind == tPunct && next.text != "[" && next.text != "*" && next.text != "{" && next.text != "#"
		if ends || next.kind == tEOF || next.nl && !p.words("static", "public", "private", "protected", "readonly") {
			break
		}
		if !p.words(modifiers...) && !p.words("get", "set", "async") {
			break
		}
		p.advance()
	}
	p.eat("*")
	if p.is("[") && p.indexSignature() {
		return p.node(Other, pos)
	}
	prop := p.key()
	p.eat("?")
	p.eat("!")
	switch {
	case p.is("(") || p.is("<"):
		prop.Kids = append(prop.Kids, p.callable(p.tok.pos))
	default:
		p.annotation()
		if p.eat("=") {
			prop.Kids = append(prop.Kids, p.assignment())
		} else {
			prop.Kids = append(prop.Kids, p.node(Other, p.tok.pos))
		}
		p.semicolon()
	}
	prop.End = p.prevEnd
	return p.node(Other, pos, append(kids, prop)...)
}

// indexSignature skips [key: string]: T.
func (p *parser) indexSignature() bool {
	return p.try(func() bool {
		p.advance()
		if p.tok.kind != tWord {
			return false
		}
		p.advance()
		if !p.eat(":") {
			return false
		}
		p.skipType()
		p.expect("]")
		p.annotation()
		p.semicolon()
		return true
	})
}

// key reads the name of a property.
func (p *parser) key() *Node {
	pos := p.tok.pos
	if p.eat("[") {
		x := p.assignment()
		p.expect("]")
		return p.node(Prop, pos, x)
	}
	switch p.tok.kind {
	case tWord, tString, tNumber, tPrivate:
	default:
		p.fail(pos, "expected a name")
	}
	text := p.tok.text
	named := p.tok.kind != tPrivate
	p.advance()
	n := p.node(Prop, pos)
	n.Text, n.Named = text, named
	return n
}

// enum reads an enum.
func (p *parser) enum() *Node {
	pos := p.tok.pos
	p.advance()
	p.name()
	p.expect("{")
	var kids []*Node
	for !p.eat("}") {
		m := p.key()
		p.declared[m.Text] = true // members see each other
		if p.eat("=") {
			m.Kids = append(m.Kids, p.assignment())
		}
		m.End = p.prevEnd
		kids = append(kids, m)
		if !p.is("}") {
			p.expect(",")
		}
	}
	return p.node(Enum, pos, kids...)
}

// imports reads an import declaration.
func (p *parser) imports() *Node {
	pos := p.tok.pos
	p.advance()
	n := &Node{Kind: Import, Pos: pos}
	if p.word("type") {
		if next := p.peek(); next.kind == tWord && next.text != "from" || next.kind == tPunct && (next.text == "{" || next.text == "*") {
			n.TypeOnly = true
			p.advance()
		}
	}
	if p.tok.kind == tWord {
		p.name()
		n.Names = append(n.Names, "default")
		if p.eat("=") { // import x = require("y"), import x = a.b
			if p.word("require") && p.peek().text == "(" {
				p.advance()
				p.advance()
				n.Names = []string{"*"}
				p.specifier(n)
				p.expect(")")
				p.semicolon()
				return n
			}
			x := p.expression()
			p.semicolon()
			return p.node(Other, pos, x)
		}
		p.eat(",")
	}
	if p.eat("*") {
		p.advance() // as
		p.name()
		n.Names = append(n.Names, "*")
	}
	if p.is("{") {
		n.Names = append(n.Names, p.taken()...)
	}
	if len(n.Names) > 0 || p.word("from") {
		if !p.eatWord("from") {
			p.fail(p.tok.pos, "expected from")
		}
	}
	p.specifier(n)
	if p.words("with", "assert") && !p.tok.nl {
		p.advance()
		p.skipOne()
	}
	p.semicolon()
	return n
}

// taken reads {a, b as c, type D}.
func (p *parser) taken() (names []string) {
	p.expect("{")
	for !p.eat("}") {
		first := p.tok
		p.advance()
		if first.text == "type" && first.kind == tWord && p.tok.kind == tWord && (p.tok.text != "as" || p.peek().text == "as") {
			first = p.tok
			p.advance()
		}
		names = append(names, first.text)
		local := first.text
		if p.eatWord("as") {
			local = p.tok.text
			p.advance()
		}
		p.declared[local] = true
		if !p.is("}") {
			p.expect(",")
		}
	}
	return names
}

func (p *parser) specifier(n *Node) {
	if p.tok.kind != tString {
		p.fail(p.tok.pos, "expected the name of a module")
	}
	n.Text, n.Pos = p.tok.text, p.tok.pos
	p.advance()
	n.End = p.prevEnd
}

// export reads an export declaration.
func (p *parser) export() *Node {
	pos := p.tok.pos
	p.advance()
	if p.word("type") {
		if next := p.peek(); next.kind == tPunct && (next.text == "{" || next.text == "*") {
			p.advance()
		}
	}
	switch {
	case p.eatWord("default"):
		var x *Node
		switch {
		case p.word("class"):
			x = p.class()
		case p.word("abstract") && p.peek().text == "class":
			p.advance()
			x = p.class()
		case p.word("function") || p.word("async") && p.peek().text == "function":
			x = p.function()
		case p.word("interface"):
			return p.statement()
		default:
			x = p.assignment()
			p.semicolon()
		}
		return p.node(DefaultExport, pos, x)
	case p.eat("="):
		x := p.expression()
		p.semicolon()
		return p.node(DefaultExport, pos, x)
	case p.is("*"), p.is("{"):
		n := &Node{Kind: Import, Pos: pos, Names: []string{"*"}}
		if p.eat("*") {
			if p.eatWord("as") {
				p.advance()
			}
		} else {
			s := p.save()
			p.skipOne()
			if !p.word("from") { // export {a}: references
				p.restore(s)
				return p.exported()
			}
		}
		if !p.eatWord("from") {
			p.fail(p.tok.pos, "expected from")
		}
		p.specifier(n)
		p.semicolon()
		return n
	case p.word("import"), p.word("as"):
		return p.statement()
	}
	return p.statement()
}

// exported reads {a, b as default}.
func (p *parser) exported() *Node {
	pos := p.tok.pos
	var kids []*Node
	p.expect("{")
	for !p.eat("}") {
		n := &Node{Kind: Ident, Pos: p.tok.pos, End: p.tok.end, Text: p.tok.text}
		p.advance()
		kids = append(kids, n)
		if p.eatWord("as") {
			p.advance()
		}
		if !p.is("}") {
			p.expect(",")
		}
	}
	p.semicolon()
	return p.node(Other, pos, kids...)
}
