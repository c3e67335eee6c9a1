package law

// The types of a source are passed over: nothing in them runs.

// skipOne skips a token, or all that a bracket holds.
func (p *parser) skipOne() {
	pos := p.tok.pos
	var closing string
	switch {
	case p.tok.kind == tEOF:
		p.fail(pos, "unexpected end")
	case p.tok.kind == tTemplate:
		p.templateOf(func() *Node { p.skipType(); return nil })
		return
	case p.is("("):
		closing = ")"
	case p.is("["):
		closing = "]"
	case p.is("{"):
		closing = "}"
	}
	p.advance()
	if closing == "" {
		return
	}
	p.enter()
	for !p.is(closing) {
		if p.is(")") || p.is("]") || p.is("}") {
			p.fail(p.tok.pos, "expected "+closing)
		}
		p.skipOne()
	}
	p.depth--
	p.advance()
}

// skipAngle skips type arguments or parameters from "<" to ">".
func (p *parser) skipAngle() {
	p.enter()
	defer func() { p.depth-- }()
	open := 0
	for {
		switch {
		case p.is("<"):
			open++
		case p.is("<<"):
			open += 2
		case p.is(">"):
			open--
		case p.tok.kind == tEOF, p.is(";"), p.is("&&"), p.is("||"), p.is("??"), p.is("=="), p.is("==="), p.is("!="), p.is("!=="),
			p.is("+"), p.is("*"), p.is("/"), p.is("%"), p.is("++"), p.is("--"), p.is("!"), p.is(")"), p.is("]"), p.is("}"):
			p.fail(p.tok.pos, "not a type")
		}
		p.skipOne()
		if open == 0 {
			return
		}
	}
}

// heritage skips the types after extends and implements.
func (p *parser) heritage() {
	for p.words("extends", "implements") {
		p.advance()
		p.skipType()
		for p.eat(",") {
			p.skipType()
		}
	}
}

// skipType skips a type.
func (p *parser) skipType() { p.typeUnion(false) }

func (p *parser) typeUnion(plain bool) {
	p.enter()
	was := p.plain
	p.plain = plain
	defer func() { p.depth, p.plain = p.depth-1, was }()
	for p.is("|") || p.is("&") {
		p.advance()
	}
	for {
		p.typeOperand()
		if p.is("|") || p.is("&") {
			p.advance()
			continue
		}
		if p.word("is") && !p.tok.nl {
			p.advance()
			continue
		}
		break
	}
	if plain || !p.word("extends") || p.tok.nl {
		return
	}
	p.advance()
	p.typeUnion(true)
	p.expect("?")
	p.typeUnion(false)
	p.expect(":")
	p.typeUnion(false)
}

func (p *parser) typeOperand() {
	p.enter()
	defer func() { p.depth-- }()
	switch {
	case p.words("keyof", "unique", "readonly", "infer", "asserts", "abstract") && p.startsType(p.peek()):
		infer, plain := p.word("infer"), p.plain
		p.advance()
		p.typeOperand()
		if infer && p.word("extends") {
			p.try(func() bool {
				p.advance()
				p.typeUnion(true)
				return plain || !p.is("?")
			})
		}
		return
	case p.word("typeof"):
		p.advance()
		p.entity()
	case p.word("new"):
		p.advance()
		p.typeOperand()
		return
	case p.is("<"):
		p.skipAngle()
		p.typeOperand()
		return
	case p.is("("):
		p.skipOne()
		if p.eat("=>") {
			p.typeUnion(false)
			return
		}
	case p.is("{"), p.is("["), p.tok.kind == tString, p.tok.kind == tNumber, p.tok.kind == tTemplate:
		p.skipOne()
	case p.eat("-"):
		p.advance()
	case p.tok.kind == tWord:
		p.entity()
	default:
		p.fail(p.tok.pos, "expected a type")
	}
	for p.is("[") && !p.tok.nl {
		p.skipOne()
	}
}

// entity skips a.b.C<D> and import("x").C.
func (p *parser) entity() {
	imported := p.word("import")
	p.advance()
	if imported && p.is("(") {
		p.skipOne()
	}
	for p.is(".") {
		p.advance()
		p.advance()
	}
	if p.is("<") && !p.tok.nl {
		p.skipAngle()
	}
}

func (p *parser) startsType(t token) bool {
	if t.nl {
		return false
	}
	switch t.kind {
	case tWord:
		return t.text != "is" && t.text != "extends"
	case tPunct:
		return t.text == "(" || t.text == "{" || t.text == "[" || t.text == "<"
	}
	return t.kind == tString || t.kind == tNumber || t.kind == tTemplate
}
