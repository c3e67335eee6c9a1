package sqltext

import "strings"

// Column is a column as a CREATE statement declares it.
type Column struct {
	Name string
	Type string // as written, "" for none
}

// maxColumns bounds the columns of one table; SQLite itself takes 32 767 at most.
const maxColumns = 32_767

// Columns returns the columns that a statement declares, as SQLite keeps it in
// its schema: CREATE TABLE, CREATE VIEW and CREATE VIRTUAL TABLE. of returns the
// columns of another table or view, for a view that takes all of them ("*"); it
// may be nil. Columns of a view that have no name of their own are left out.
func Columns(create string, of func(table string) []Column) []Column {
	tokens, _ := Tokens(SQLite, create)
	p := parser{tokens: tokens}
	if !p.take("CREATE") {
		return nil
	}
	_ = p.take("TEMP") || p.take("TEMPORARY")
	switch {
	case p.take("VIRTUAL"):
		if !p.take("TABLE") {
			return nil
		}
		p.named()
		return p.virtual()
	case p.take("TABLE"):
		p.named()
		return p.definitions()
	case p.take("VIEW"):
		p.named()
		if cols := p.list(); cols != nil {
			return cols
		}
		if p.take("AS") {
			return p.selected(of)
		}
	}
	return nil
}

// parser goes through the tokens of one statement.
type parser struct {
	tokens []Token
	at     int
}

func (p *parser) peek() Token {
	if p.at < len(p.tokens) {
		return p.tokens[p.at]
	}
	return Token{Kind: Symbol, Text: ";"}
}

func (p *parser) next() Token {
	t := p.peek()
	p.at++
	return t
}

func (p *parser) take(word string) bool {
	if p.peek().Is(word) {
		p.at++
		return true
	}
	return false
}

func (p *parser) takeSymbol(c byte) bool {
	if p.at < len(p.tokens) && p.peek().IsSymbol(c) {
		p.at++
		return true
	}
	return false
}

func (p *parser) done() bool { return p.at >= len(p.tokens) }

// named passes over the name of what is created.
func (p *parser) named() {
	if p.take("IF") {
		p.take("NOT")
		p.take("EXISTS")
	}
	p.next()
	if p.takeSymbol('.') {
		p.next()
	}
}

// isName reports whether a token may be the name of a column: SQLite takes
// literals for names too.
func isName(t Token) bool { return t.Kind == Word || t.Kind == Quoted || t.Kind == String }

func nameOf(t Token) string {
	if t.Kind == String {
		return strings.ReplaceAll(t.Text, "''", "'")
	}
	return t.Name()
}

// definitions reads "(a INT, b, PRIMARY KEY (a))".
func (p *parser) definitions() []Column {
	if !p.takeSymbol('(') {
		return nil
	}
	var cols []Column
	for !p.done() && len(cols) < maxColumns {
		t := p.peek()
		if !isName(t) || t.Is("CONSTRAINT") || t.Is("PRIMARY") || t.Is("UNIQUE") || t.Is("CHECK") || t.Is("FOREIGN") {
			return cols // constraints of the table come last
		}
		p.at++
		cols = append(cols, Column{nameOf(t), p.typeName()})
		if !p.skipTo() {
			return cols
		}
	}
	return cols
}

// typeName reads the type of a column, up to its constraints.
func (p *parser) typeName() string {
	var b strings.Builder
	depth := 0
	for ; !p.done(); p.at++ {
		t := p.peek()
		if depth == 0 && (!isName(t) && !t.IsSymbol('(') || endsType(t)) {
			break
		}
		switch {
		case t.IsSymbol('('):
			depth++
			b.WriteByte('(')
			continue
		case t.IsSymbol(')'):
			depth--
			b.WriteByte(')')
			continue
		}
		if s := b.String(); s != "" && depth == 0 {
			b.WriteByte(' ')
		}
		b.WriteString(t.Text)
	}
	return b.String()
}

func endsType(t Token) bool {
	if t.Kind != Word {
		return false
	}
	switch strings.ToUpper(t.Text) {
	case "CONSTRAINT", "PRIMARY", "NOT", "NULL", "UNIQUE", "CHECK", "DEFAULT", "COLLATE", "REFERENCES", "GENERATED", "AS":
		return true
	}
	return false
}

// skipTo goes behind the next comma of this level; false if the list ends before.
func (p *parser) skipTo() bool {
	depth := 0
	for !p.done() {
		switch t := p.next(); {
		case t.IsSymbol('('):
			depth++
		case t.IsSymbol(')'):
			if depth--; depth < 0 {
				return false
			}
		case t.IsSymbol(',') && depth == 0:
			return true
		}
	}
	return false
}

// list reads "(a, b)", the names that a view gives its columns; nil if there is none.
func (p *parser) list() []Column {
	if !p.takeSymbol('(') {
		return nil
	}
	cols := []Column{}
	for !p.done() && len(cols) < maxColumns {
		if t := p.next(); isName(t) {
			cols = append(cols, Column{Name: nameOf(t)})
		}
		if !p.skipTo() {
			break
		}
	}
	return cols
}

// virtual reads the arguments of the modules that name columns there.
func (p *parser) virtual() []Column {
	if !p.take("USING") {
		return nil
	}
	module := strings.ToLower(p.next().Name())
	switch module {
	case "fts3", "fts4", "fts5", "rtree", "rtree_i32", "geopoly":
	default:
		return nil
	}
	var cols []Column
	if module == "geopoly" {
		cols = append(cols, Column{Name: "_shape"})
	}
	for p.takeSymbol('('); !p.done() && len(cols) < maxColumns; {
		p.takeSymbol('+') // an auxiliary column of an R-tree
		t := p.next()
		if isName(t) && !p.peek().IsSymbol('=') {
			cols = append(cols, Column{Name: nameOf(t)})
		}
		if !p.skipTo() {
			break
		}
	}
	if len(cols) == 0 && (module == "fts3" || module == "fts4") {
		cols = append(cols, Column{Name: "content"})
	}
	return cols
}

// selected reads the columns of a view out of its first SELECT.
func (p *parser) selected(of func(string) []Column) []Column {
	if p.take("WITH") {
		p.common()
	}
	if !p.take("SELECT") {
		return nil
	}
	_ = p.take("DISTINCT") || p.take("ALL")
	first := p.at
	end, depth := len(p.tokens), 0
	for i := first; i < len(p.tokens); i++ {
		t := p.tokens[i]
		switch {
		case t.IsSymbol('('):
			depth++
		case t.IsSymbol(')'):
			depth--
		}
		if depth == 0 && (t.Is("FROM") || t.Is("WHERE") || t.Is("UNION") || t.Is("EXCEPT") || t.Is("INTERSECT") || t.Is("ORDER") || t.Is("LIMIT") || t.Is("GROUP") || t.IsSymbol(';')) {
			end = i
			break
		}
	}
	sources := sourcesOf(p.tokens[end:])
	var cols []Column
	depth = 0
	for i := first; i <= end && len(cols) < maxColumns; i++ {
		if i < end {
			switch t := p.tokens[i]; {
			case t.IsSymbol('('):
				depth++
			case t.IsSymbol(')'):
				depth--
			}
			if depth != 0 || !p.tokens[i].IsSymbol(',') {
				continue
			}
		}
		cols = append(cols, resultColumns(p.tokens[first:i], sources, of)...)
		first = i + 1
	}
	return unique(cols)
}

// common passes over the tables that WITH names.
func (p *parser) common() {
	p.take("RECURSIVE")
	depth := 0
	for !p.done() && (depth != 0 || !p.peek().Is("SELECT")) {
		switch t := p.next(); {
		case t.IsSymbol('('):
			depth++
		case t.IsSymbol(')'):
			depth--
		}
	}
}

// resultColumns names what one expression of a SELECT gives.
func resultColumns(t []Token, sources []Source, of func(string) []Column) []Column {
	n := len(t)
	switch {
	case n == 0:
		return nil
	case n > 1 && t[n-2].Is("AS") && isName(t[n-1]):
		return []Column{{Name: nameOf(t[n-1])}}
	case t[n-1].IsSymbol('*') && (n == 1 || n == 3 && t[1].IsSymbol('.')):
		var cols []Column
		for _, s := range sources {
			if of != nil && s.Table != "" && (n == 1 || strings.EqualFold(s.Called(), t[0].Name())) {
				cols = append(cols, of(s.Table)...)
			}
		}
		return cols
	case n > 1 && isName(t[n-1]) && (isName(t[n-2]) || t[n-2].Kind == Number || t[n-2].IsSymbol(')')) && !isKeyword(t[n-1]) && !isKeyword(t[n-2]):
		return []Column{{Name: nameOf(t[n-1])}} // an alias without AS
	}
	for i, x := range t {
		if i%2 == 0 && x.Kind != Word && x.Kind != Quoted || i%2 == 1 && !x.IsSymbol('.') {
			return nil
		}
	}
	if n%2 == 0 || isKeyword(t[n-1]) {
		return nil
	}
	return []Column{{Name: t[n-1].Name()}}
}

// unique renames what a view would have twice, as SQLite does: "id", "id:1".
func unique(cols []Column) []Column {
	seen := make(map[string]bool, len(cols))
	out := cols[:0]
	for _, c := range cols {
		key := strings.ToLower(c.Name)
		if !seen[key] {
			seen[key] = true
			out = append(out, c)
		}
	}
	return out
}
