package law

import (
	"slices"
	"strings"
	"unicode/utf8"
)

func (p *parser) expression() *Node {
	x := p.assignment()
	for p.is(",") {
		p.advance()
		x = p.node(Other, x.Pos, x, p.assignment())
	}
	return x
}

var assignments = []string{"=", "+=", "-=", "*=", "/=", "%=", "**=", "<<=", ">>=", ">>>=", "&=", "|=", "^=", "&&=", "||=", "??="}

func (p *parser) assignment() *Node {
	p.enter()
	defer func() { p.depth-- }()
	pos := p.tok.pos
	if p.word("yield") {
		p.advance()
		p.eat("*")
		if p.tok.nl || p.is(")") || p.is("]") || p.is("}") || p.is(",") || p.is(";") || p.is(":") || p.tok.kind == tEOF {
			return p.node(Other, pos)
		}
		return p.node(Other, pos, p.assignment())
	}
	if f := p.arrow(); f != nil {
		return f
	}
	x := p.conditional()
	op := p.operator()
	if slices.Contains(assignments, op) {
		p.skipOperator(op)
		if op == "=" {
			target(x)
		}
		n := p.node(Assign, pos, x, p.assignment())
		n.Text = op
		return n
	}
	return x
}

// target marks literals that are what is assigned to.
func target(n *Node) {
	if n.Kind != Object && n.Kind != Array {
		return
	}
	n.Target = true
	for _, k := range n.Kids {
		switch k.Kind {
		case Prop:
			if len(k.Kids) > 0 {
				target(k.Kids[len(k.Kids)-1])
			}
		case Spread:
			target(k.Kids[0])
		case Assign:
			target(k.Kids[0])
		default:
			target(k)
		}
	}
}

// operator is the operator here; those that begin with ">" are put together.
func (p *parser) operator() string {
	if p.tok.kind != tPunct {
		return ""
	}
	if p.tok.text != ">" {
		return p.tok.text
	}
	for _, op := range []string{">>>=", ">>>", ">>=", ">>", ">="} {
		if strings.HasPrefix(p.src[p.tok.pos:], op) {
			return op
		}
	}
	return ">"
}

func (p *parser) skipOperator(op string) {
	p.at = p.tok.pos + len(op)
	p.tok.end = p.at
	p.advance()
}

// arrow reads an arrow function, or returns nil where none begins.
func (p *parser) arrow() *Node {
	pos := p.tok.pos
	if p.tok.kind == tWord {
		next := p.peek()
		if next.kind == tPunct && next.text == "=>" && !next.nl {
			b := p.binding()
			p.advance()
			return p.arrowBody(pos, []*Node{b})
		}
		if p.tok.text != "async" || next.nl {
			return nil
		}
		switch {
		case next.kind == tWord && next.text != "function":
			var f *Node
			p.try(func() bool {
				p.advance()
				b := p.binding()
				if !p.is("=>") {
					return false
				}
				p.advance()
				f = p.arrowBody(pos, []*Node{b})
				return true
			})
			return f
		case next.kind != tPunct || next.text != "(" && next.text != "<":
			return nil
		}
	} else if !p.is("(") && !p.is("<") {
		return nil
	}
	return p.parenthesised(pos)
}

// parenthesised tries [async] [<T>] (…) [: T] => ….
func (p *parser) parenthesised(pos int) *Node {
	if p.notArrow[pos] {
		return nil
	}
	var f *Node
	ok := p.try(func() bool {
		p.eatWord("async")
		if p.is("<") {
			p.skipAngle()
		}
		if !p.is("(") {
			return false
		}
		cond := p.cond
		kids := p.parameters()
		returns := p.is(":")
		p.annotation()
		if !p.is("=>") || p.tok.nl {
			return false
		}
		p.advance()
		f = p.arrowBody(pos, kids)
		// a ? (b) : c => d is no arrow function with a type.
		return !returns || cond == 0 || p.is(":")
	})
	if !ok {
		p.notArrow[pos] = true
		return nil
	}
	return f
}

func (p *parser) arrowBody(pos int, kids []*Node) *Node {
	if p.is("{") {
		return p.node(Func, pos, append(kids, p.block())...)
	}
	return p.node(Func, pos, append(kids, p.assignment())...)
}

func (p *parser) conditional() *Node {
	x := p.binary(0)
	if !p.is("?") {
		return x
	}
	p.advance()
	p.cond++
	noIn := p.noIn
	p.noIn = false
	yes := p.assignment()
	p.noIn = noIn
	p.cond--
	p.expect(":")
	return p.node(Other, x.Pos, x, yes, p.assignment())
}

var precedence = map[string]int{
	"??": 1, "||": 2, "&&": 3, "|": 4, "^": 5, "&": 6, "==": 7, "!=": 7, "===": 7, "!==": 7,
	"<": 8, ">": 8, "<=": 8, ">=": 8, "instanceof": 8, "in": 8, "as": 8, "satisfies": 8,
	"<<": 9, ">>": 9, ">>>": 9, "+": 10, "-": 10, "*": 11, "/": 11, "%": 11, "**": 12,
}

func (p *parser) binary(least int) *Node {
	p.enter()
	defer func() { p.depth-- }()
	x := p.unary()
	for {
		op := p.operator()
		if p.words("instanceof", "in", "as", "satisfies") {
			op = p.tok.text
		}
		prec := precedence[op]
		if prec == 0 || prec <= least && op != "**" || op == "**" && prec < least || op == "in" && p.noIn {
			return x
		}
		if op == "as" || op == "satisfies" {
			if p.tok.nl {
				return x
			}
			p.advance()
			if !p.eatWord("const") {
				p.skipType()
			}
			continue
		}
		p.skipOperator(op)
		n := p.node(Binary, x.Pos, x, p.binary(prec))
		n.Text, n.End = op, p.prevEnd
		x = n
	}
}

func (p *parser) unary() *Node {
	p.enter()
	defer func() { p.depth-- }()
	pos := p.tok.pos
	switch op := p.tok.text; {
	case p.tok.kind == tPunct && slices.Contains([]string{"!", "~", "+", "-", "++", "--"}, op),
		p.words("typeof", "void", "delete", "await") && !(op == "await" && p.awaitIsName()):
		p.advance()
		n := p.node(Unary, pos, p.unary())
		n.Text = op
		return n
	case p.is("<") && !p.jsx: // <T>x
		p.skipAngle()
		return p.unary()
	}
	x := p.postfix()
	for (p.is("++") || p.is("--")) && !p.tok.nl {
		p.advance()
	}
	return x
}

func (p *parser) awaitIsName() bool {
	next := p.peek()
	return next.kind == tPunct && slices.Contains([]string{")", "]", "}", ",", ";", "=", "."}, next.text)
}

// postfix reads a primary and what is called and taken of it.
func (p *parser) postfix() *Node {
	x := p.primary()
	for {
		switch {
		case p.is("!") && !p.tok.nl: // x!
			if next := p.peek(); next.kind == tPunct && next.text == "=" {
				return x
			}
			p.advance()
		case p.is("."), p.is("?."):
			optional := p.is("?.")
			p.advance()
			switch {
			case optional && p.is("("):
				x = p.call(Call, x)
			case optional && p.is("["):
				x = p.index(x)
			case optional && p.tok.kind == tTemplate:
				x = p.node(Other, x.Pos, x, p.template())
			case p.tok.kind == tWord || p.tok.kind == tPrivate:
				n := &Node{Kind: Member, Pos: x.Pos, Text: p.tok.text, Kids: []*Node{x}}
				p.advance()
				n.End = p.prevEnd
				x = n
			default:
				p.fail(p.tok.pos, "expected a name")
			}
		case p.is("["):
			x = p.index(x)
		case p.is("("):
			x = p.call(Call, x)
		case p.tok.kind == tTemplate:
			x = p.node(Other, x.Pos, x, p.template())
		case p.is("<") || p.is("<<"):
			if !p.typeArguments() {
				return x
			}
		default:
			return x
		}
	}
}

// typeArguments skips <T> before a call.
func (p *parser) typeArguments() bool {
	return p.try(func() bool {
		p.skipAngle()
		return p.is("(") || p.tok.kind == tTemplate || p.is(")") || p.is("]") || p.is(",") || p.is(";") || p.tok.kind == tEOF
	})
}

func (p *parser) index(x *Node) *Node {
	p.expect("[")
	noIn := p.noIn
	p.noIn = false
	i := p.expression()
	p.noIn = noIn
	p.expect("]")
	return p.node(Index, x.Pos, x, i)
}

func (p *parser) call(k Kind, x *Node) *Node {
	p.expect("(")
	kids := append([]*Node{x}, p.list(")")...)
	return p.node(k, x.Pos, kids...)
}

// list reads expressions up to a bracket.
func (p *parser) list(closing string) (kids []*Node) {
	cond, noIn := p.cond, p.noIn
	p.cond, p.noIn = 0, false
	for !p.eat(closing) {
		if p.eat(",") {
			continue
		}
		pos := p.tok.pos
		if p.eat("...") {
			kids = append(kids, p.node(Spread, pos, p.assignment()))
		} else {
			kids = append(kids, p.assignment())
		}
		if !p.is(closing) {
			p.expect(",")
		}
	}
	p.cond, p.noIn = cond, noIn
	return kids
}

func (p *parser) leaf(k Kind) *Node {
	n := &Node{Kind: k, Pos: p.tok.pos, End: p.tok.end, Text: p.tok.text}
	p.advance()
	return n
}

func (p *parser) primary() *Node {
	pos := p.tok.pos
	switch p.tok.kind {
	case tString:
		return p.leaf(String)
	case tNumber:
		return p.leaf(Number)
	case tTemplate:
		return p.template()
	case tPrivate:
		return p.leaf(Other)
	case tWord:
		return p.named()
	case tEOF:
		p.fail(pos, "unexpected end")
	}
	switch p.tok.text {
	case "(":
		p.advance()
		cond, noIn := p.cond, p.noIn
		p.cond, p.noIn = 0, false
		x := p.expression()
		p.cond, p.noIn = cond, noIn
		p.expect(")")
		return x
	case "[":
		p.advance()
		return p.node(Array, pos, p.list("]")...)
	case "{":
		return p.object()
	case "/", "/=":
		return p.regex()
	case "@":
		return p.decorated()
	case "<":
		if p.jsx {
			return p.element()
		}
	}
	p.fail(pos, "unexpected "+p.tok.text)
	return nil
}

// named reads a primary that begins with a word.
func (p *parser) named() *Node {
	pos := p.tok.pos
	switch p.tok.text {
	case "function":
		return p.function()
	case "async":
		if next := p.peek(); next.kind == tWord && next.text == "function" && !next.nl {
			return p.function()
		}
	case "class":
		return p.class()
	case "this", "super", "null", "true", "false":
		n := p.leaf(Other)
		return n
	case "new":
		return p.construct()
	case "import":
		p.advance()
		if p.eat(".") { // import.meta
			p.advance()
			return p.node(Other, pos)
		}
		p.expect("(")
		kids := p.list(")")
		n := p.node(ImportCall, pos, kids...)
		n.Names = []string{"*"}
		if len(kids) > 0 && kids[0].Kind == String {
			n.Text = kids[0].Text
		}
		return n
	case "case", "catch", "const", "default", "do", "else", "enum", "export", "extends", "finally", "for", "if", "in",
		"instanceof", "return", "switch", "throw", "try", "var", "while", "with":
		p.fail(pos, "unexpected "+p.tok.text)
	}
	return p.leaf(Ident)
}

func (p *parser) construct() *Node {
	pos := p.tok.pos
	p.advance()
	if p.eat(".") { // new.target
		p.advance()
		return p.node(Other, pos)
	}
	var x *Node
	if p.word("new") {
		x = p.construct()
	} else {
		x = p.primary()
	}
	for {
		switch {
		case p.is("."):
			p.advance()
			n := &Node{Kind: Member, Pos: x.Pos, Text: p.tok.text, Kids: []*Node{x}}
			p.advance()
			n.End = p.prevEnd
			x = n
			continue
		case p.is("["):
			x = p.index(x)
			continue
		case p.is("<") && p.typeArguments():
			continue
		case p.is("("):
			n := p.call(New, x)
			n.Pos = pos
			return n
		}
		return p.node(New, pos, x)
	}
}

func (p *parser) object() *Node {
	pos := p.tok.pos
	p.expect("{")
	cond, noIn := p.cond, p.noIn
	p.cond, p.noIn = 0, false
	var kids []*Node
	for !p.eat("}") {
		kids = append(kids, p.property())
		if !p.is("}") {
			p.expect(",")
		}
	}
	p.cond, p.noIn = cond, noIn
	return p.node(Object, pos, kids...)
}

func (p *parser) property() *Node {
	pos := p.tok.pos
	if p.eat("...") {
		return p.node(Spread, pos, p.assignment())
	}
	for p.words("get", "set", "async") {
		next := p.peek()
		if next.kind == tPunct && next.text != "[" && next.text != "*" || next.kind == tEOF {
			break
		}
		p.advance()
	}
	p.eat("*")
	first := p.tok
	prop := p.key()
	switch {
	case p.is("(") || p.is("<"):
		prop.Kids = append(prop.Kids, p.method(p.tok.pos))
	case p.eat(":"):
		prop.Kids = append(prop.Kids, p.assignment())
	default: // {a} or, of a pattern, {a = 1}
		if first.kind != tWord {
			p.fail(p.tok.pos, "expected :")
		}
		prop.Kids = append(prop.Kids, &Node{Kind: Ident, Pos: first.pos, End: first.end, Text: first.text})
		if p.eat("=") {
			prop.Kids = append(prop.Kids, p.assignment())
		}
	}
	prop.End = p.prevEnd
	return prop
}

// method reads a method of an object literal.
func (p *parser) method(pos int) *Node {
	if p.is("<") {
		p.skipAngle()
	}
	kids := p.parameters()
	p.annotation()
	return p.node(Func, pos, append(kids, p.block())...)
}

// template reads a template from its backtick on.
func (p *parser) template() *Node { return p.templateOf(p.expression) }

// templateOf reads a template of values, or one of types.
func (p *parser) templateOf(part func() *Node) *Node {
	p.enter()
	defer func() { p.depth-- }()
	pos := p.tok.pos
	p.at = pos + 1
	var text strings.Builder
	var kids []*Node
	for {
		if p.at >= len(p.src) {
			p.fail(pos, "the template does not end")
		}
		switch c := p.src[p.at]; {
		case c == '`':
			p.at++
			p.tok.end = p.at
			p.advance()
			n := p.node(Template, pos, kids...)
			n.Text = text.String()
			return n
		case c == '\\':
			p.at++
			text.WriteString(p.escape())
		case strings.HasPrefix(p.src[p.at:], "${"):
			p.at += 2
			p.advance()
			cond, noIn := p.cond, p.noIn
			p.cond, p.noIn = 0, false
			kids = append(kids, part())
			p.cond, p.noIn = cond, noIn
			if !p.is("}") {
				p.fail(p.tok.pos, "expected }")
			}
			p.at = p.tok.end
		default:
			text.WriteByte(c)
			p.at++
		}
	}
}

// regex reads a regular expression from its slash on.
func (p *parser) regex() *Node {
	pos := p.tok.pos
	class := false
	for i := pos + 1; i < len(p.src); i++ {
		switch c := p.src[i]; {
		case c == '\n' || c == '\r':
			p.fail(pos, "the regular expression does not end")
		case c == '\\':
			i++
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '/' && !class:
			text := p.src[pos+1 : i]
			p.at = i + 1
			for p.at < len(p.src) {
				r, n := utf8.DecodeRuneInString(p.src[p.at:])
				if !isPart(r) {
					break
				}
				p.at += n
			}
			p.tok.end = p.at
			p.advance()
			n := p.node(Regex, pos)
			n.Text = text
			return n
		}
	}
	p.fail(pos, "the regular expression does not end")
	return nil
}
