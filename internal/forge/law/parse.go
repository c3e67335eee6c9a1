package law

import (
	"fmt"
	"slices"
)

// deepest is how deep a source may nest, and how many steps its parse may take
// per byte: no tool that a person wrote comes near.
const (
	deepest = 1000
	perByte = 40
)

// SyntaxError says where a source cannot be read.
type SyntaxError struct {
	Line, Col int
	Msg       string
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("%d:%d: %s", e.Line, e.Col, e.Msg) }

// Parse reads a TypeScript source; jsx says that it may hold JSX, as .tsx does.
// The error is a *SyntaxError. Types are passed over, not understood.
func Parse(source string, jsx bool) (tree *Tree, err error) {
	p := &parser{lexer: lexer{src: source}, jsx: jsx, declared: map[string]bool{}, notArrow: map[int]bool{}, left: perByte * (len(source) + 100)}
	t := &Tree{Source: source, declared: p.declared}
	defer func() {
		if r := recover(); r != nil {
			f, ok := r.(fault)
			if !ok {
				panic(r)
			}
			line, col := t.Place(f.pos)
			tree, err = nil, &SyntaxError{line, col, f.msg}
		}
	}()
	p.advance()
	root := &Node{End: len(source)}
	for p.tok.kind != tEOF {
		root.Kids = append(root.Kids, p.statement())
	}
	t.Root, t.doc, t.docEnd = root, p.doc, p.docEnd
	return t, nil
}

type parser struct {
	lexer
	tok      token
	prevEnd  int
	jsx      bool
	depth    int
	left     int // steps
	noIn     bool
	plain    bool // in the extends clause of a conditional type
	cond     int  // how many conditionals wait for their colon
	declared map[string]bool
	notArrow map[int]bool // parentheses known not to begin an arrow function
}

func (p *parser) advance() {
	if p.left--; p.left < 0 {
		p.fail(p.at, "the source is too involved")
	}
	p.prevEnd = p.tok.end
	p.tok = p.lexer.next()
}

// state is what a second attempt goes back to.
type state struct {
	at      int
	tok     token
	prevEnd int
	cond    int
	depth   int
	noIn    bool
}

func (p *parser) save() state { return state{p.at, p.tok, p.prevEnd, p.cond, p.depth, p.noIn} }
func (p *parser) restore(s state) {
	p.at, p.tok, p.prevEnd, p.cond, p.depth, p.noIn = s.at, s.tok, s.prevEnd, s.cond, s.depth, s.noIn
}

// try runs an attempt; where it fails everything is as before.
func (p *parser) try(attempt func() bool) (ok bool) {
	s := p.save()
	defer func() {
		if r := recover(); r != nil {
			if _, isFault := r.(fault); !isFault || p.left < 0 {
				panic(r)
			}
			ok = false
		}
		if !ok {
			p.restore(s)
		}
	}()
	return attempt()
}

func (p *parser) enter() {
	if p.depth++; p.depth > deepest {
		p.fail(p.tok.pos, "the source nests too deeply")
	}
}

func (p *parser) is(sign string) bool   { return p.tok.kind == tPunct && p.tok.text == sign }
func (p *parser) word(word string) bool { return p.tok.kind == tWord && p.tok.text == word }
func (p *parser) words(words ...string) bool {
	return p.tok.kind == tWord && slices.Contains(words, p.tok.text)
}

func (p *parser) eat(sign string) bool {
	if p.is(sign) {
		p.advance()
		return true
	}
	return false
}

func (p *parser) eatWord(word string) bool {
	if p.word(word) {
		p.advance()
		return true
	}
	return false
}

func (p *parser) expect(sign string) {
	if !p.eat(sign) {
		p.fail(p.tok.pos, "expected "+sign)
	}
}

func (p *parser) semicolon() {
	if p.eat(";") || p.is("}") || p.tok.kind == tEOF || p.tok.nl {
		return
	}
	p.fail(p.tok.pos, "expected ;")
}

// peek is the token after this one.
func (p *parser) peek() token {
	s := p.save()
	defer p.restore(s)
	p.advance()
	return p.tok
}

func (p *parser) node(k Kind, pos int, kids ...*Node) *Node {
	return &Node{Kind: k, Pos: pos, End: p.prevEnd, Kids: slices.DeleteFunc(kids, func(n *Node) bool { return n == nil })}
}

// name reads a name that is bound.
func (p *parser) name() string {
	if p.tok.kind != tWord {
		p.fail(p.tok.pos, "expected a name")
	}
	text := p.tok.text
	p.declared[text] = true
	p.advance()
	return text
}

// block reads statements up to a brace.
func (p *parser) block() *Node {
	p.enter()
	defer func() { p.depth-- }()
	pos := p.tok.pos
	p.expect("{")
	cond, noIn := p.cond, p.noIn
	p.cond, p.noIn = 0, false
	var kids []*Node
	for !p.is("}") {
		if p.tok.kind == tEOF {
			p.fail(p.tok.pos, "expected }")
		}
		kids = append(kids, p.statement())
	}
	p.advance()
	p.cond, p.noIn = cond, noIn
	return p.node(Other, pos, kids...)
}

func (p *parser) statement() *Node {
	p.enter()
	defer func() { p.depth-- }()
	pos := p.tok.pos
	switch {
	case p.is("{"):
		return p.block()
	case p.eat(";"):
		return p.node(Other, pos)
	case p.is("@"):
		return p.decorated()
	case p.tok.kind == tWord:
		if n := p.keyword(); n != nil {
			return n
		}
	}
	x := p.expression()
	p.semicolon()
	return x
}

// keyword reads a statement that begins with a word; nil if it is an expression.
func (p *parser) keyword() *Node {
	pos := p.tok.pos
	next := p.peek()
	switch w := p.tok.text; w {
	case "var", "const", "let", "using":
		if w == "const" && next.kind == tWord && next.text == "enum" {
			p.advance()
			return p.enum()
		}
		if (w == "let" || w == "using") && next.kind != tWord && !(next.kind == tPunct && (next.text == "[" || next.text == "{")) {
			return nil
		}
		p.advance()
		n := p.variables()
		p.semicolon()
		return n
	case "function":
		return p.function()
	case "async":
		if next.kind == tWord && next.text == "function" && !next.nl {
			return p.function()
		}
	case "class":
		return p.class()
	case "if", "while", "with", "switch", "for", "do", "try", "return", "throw", "break", "continue", "debugger":
		return p.control(w)
	case "import":
		if next.kind == tPunct && (next.text == "(" || next.text == ".") {
			return nil
		}
		return p.imports()
	case "export":
		return p.export()
	}
	if n := p.typed(next); n != nil {
		return n
	}
	if next.kind == tPunct && next.text == ":" { // a label
		p.advance()
		p.advance()
		n := p.statement()
		return p.node(Other, pos, n)
	}
	return nil
}

// typed reads a declaration that only TypeScript has; nil if it is none.
func (p *parser) typed(next token) *Node {
	pos := p.tok.pos
	named := next.kind == tWord && !next.nl
	switch p.tok.text {
	case "interface":
		if !named {
			return nil
		}
		p.advance()
		p.advance()
		if p.is("<") {
			p.skipAngle()
		}
		p.heritage()
		if !p.is("{") {
			p.fail(p.tok.pos, "expected {")
		}
		p.skipOne()
		return p.node(Other, pos)
	case "type":
		if !named {
			return nil
		}
		p.advance()
		p.advance()
		if p.is("<") {
			p.skipAngle()
		}
		p.expect("=")
		p.skipType()
		p.semicolon()
		return p.node(Other, pos)
	case "enum":
		if !named {
			return nil
		}
		return p.enum()
	case "abstract":
		if !named || next.text != "class" {
			return nil
		}
		p.advance()
		return p.class()
	case "namespace", "module", "global":
		if !named && next.kind != tString && !(p.tok.text == "global" && next.text == "{") {
			return nil
		}
		p.advance()
		for !p.is("{") {
			if p.tok.kind == tWord {
				p.declared[p.tok.text] = true
			}
			p.advance()
			if p.tok.kind == tEOF {
				p.fail(pos, "expected {")
			}
		}
		return p.block()
	case "declare":
		if !named {
			return nil
		}
		return p.ambient()
	}
	return nil
}

// ambient reads a declaration without code; the names that it declares are not
// made by it.
func (p *parser) ambient() *Node {
	pos := p.tok.pos
	p.advance()
	before := map[string]bool{}
	for k := range p.declared {
		before[k] = true
	}
	switch {
	case p.words("var", "let", "const") && p.peek().text != "enum":
		p.advance()
		p.variables()
		p.semicolon()
	case p.words("function", "async"):
		p.function()
	default:
		p.statement()
	}
	for k := range p.declared {
		if !before[k] {
			delete(p.declared, k)
		}
	}
	return p.node(Other, pos)
}

func (p *parser) control(w string) *Node {
	pos := p.tok.pos
	p.advance()
	var kids []*Node
	add := func(n *Node) { kids = append(kids, n) }
	condition := func() {
		p.expect("(")
		add(p.expression())
		p.expect(")")
	}
	switch w {
	case "if":
		condition()
		add(p.statement())
		if p.eatWord("else") {
			add(p.statement())
		}
	case "while", "with":
		condition()
		add(p.statement())
	case "do":
		add(p.statement())
		if !p.eatWord("while") {
			p.fail(p.tok.pos, "expected while")
		}
		condition()
		p.eat(";")
	case "for":
		add(p.loop())
	case "switch":
		condition()
		p.expect("{")
		for !p.eat("}") {
			if p.eatWord("default") {
				p.expect(":")
				continue
			}
			if p.eatWord("case") {
				add(p.expression())
				p.expect(":")
				continue
			}
			add(p.statement())
		}
	case "try":
		add(p.block())
		if p.eatWord("catch") {
			if p.eat("(") {
				add(p.binding())
				p.annotation()
				p.expect(")")
			}
			add(p.block())
		}
		if p.eatWord("finally") {
			add(p.block())
		}
	case "return", "throw":
		if !p.is(";") && !p.is("}") && p.tok.kind != tEOF && !p.tok.nl {
			add(p.expression())
		}
		p.semicolon()
	default: // break, continue, debugger
		if p.tok.kind == tWord && !p.tok.nl {
			p.advance()
		}
		p.semicolon()
	}
	return p.node(Other, pos, kids...)
}

// loop reads what follows "for".
func (p *parser) loop() *Node {
	pos := p.tok.pos
	p.eatWord("await")
	p.expect("(")
	var kids []*Node
	p.noIn = true
	switch {
	case p.is(";"):
	case p.words("var", "const", "using") || p.word("let") && p.peek().text != "of" && p.peek().text != "in":
		p.advance()
		kids = append(kids, p.variables())
	default:
		kids = append(kids, p.expression())
	}
	p.noIn = false
	if p.words("of", "in") {
		if len(kids) > 0 {
			target(kids[0])
		}
		p.advance()
		kids = append(kids, p.expression())
	} else {
		p.expect(";")
		if !p.is(";") {
			kids = append(kids, p.expression())
		}
		p.expect(";")
		if !p.is(")") {
			kids = append(kids, p.expression())
		}
	}
	p.expect(")")
	kids = append(kids, p.statement())
	return p.node(Other, pos, kids...)
}

// variables reads "a = 1, {b} = c".
func (p *parser) variables() *Node {
	pos := p.tok.pos
	var kids []*Node
	for {
		at := p.tok.pos
		b := p.binding()
		p.eat("!")
		p.annotation()
		if p.eat("=") {
			v := p.assignment()
			n := p.node(Assign, at, b, v)
			n.Text = "="
			b = n
		}
		kids = append(kids, b)
		if !p.eat(",") {
			return p.node(Other, pos, kids...)
		}
	}
}

// binding reads a name or a pattern that is bound.
func (p *parser) binding() *Node {
	p.enter()
	defer func() { p.depth-- }()
	pos := p.tok.pos
	var kids []*Node
	var text string
	switch {
	case p.eat("["):
		for !p.eat("]") {
			if p.eat(",") {
				continue
			}
			p.eat("...")
			kids = append(kids, p.defaulted())
		}
	case p.eat("{"):
		for !p.eat("}") {
			if p.eat("...") {
				p.name()
			} else {
				kids = append(kids, p.bindingProperty()...)
			}
			if !p.is("}") {
				p.expect(",")
			}
		}
	default:
		text = p.name()
	}
	n := p.node(Pattern, pos, kids...)
	n.Text = text
	return n
}

func (p *parser) bindingProperty() (kids []*Node) {
	if p.eat("[") {
		kids = append(kids, p.assignment())
		p.expect("]")
		p.expect(":")
		return append(kids, p.defaulted())
	}
	key := p.tok
	if key.kind != tWord && key.kind != tString && key.kind != tNumber {
		p.fail(key.pos, "expected a name")
	}
	p.advance()
	if key.kind == tString {
		n := p.node(String, key.pos)
		n.Text = key.text
		kids = append(kids, n)
	}
	if p.eat(":") {
		return append(kids, p.defaulted())
	}
	p.declared[key.text] = true
	if p.eat("=") {
		kids = append(kids, p.assignment())
	}
	n := p.node(Pattern, key.pos)
	n.Text = key.text
	return append(kids, n)
}

// defaulted is a binding with what it is without a value.
func (p *parser) defaulted() *Node {
	b := p.binding()
	if p.eat("=") {
		b.Kids = append(b.Kids, p.assignment())
	}
	return b
}

// annotation skips ": type", if there is one.
func (p *parser) annotation() {
	if p.eat(":") {
		p.skipType()
	}
}
