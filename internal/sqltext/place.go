package sqltext

import "strings"

// Source is a table as a statement names it.
type Source struct {
	Schema, Table string // Table is "" for a sub-query
	Alias         string // "" for none
}

// Called is the name by which the statement's columns are qualified.
func (s Source) Called() string {
	if s.Alias != "" {
		return s.Alias
	}
	return s.Table
}

// Place is what may stand at a cursor.
type Place struct {
	// Start is where the name or keyword at the cursor begins, its quote included;
	// Text is what is typed of it, without the quote, which is Quote (0: none).
	Start int
	Text  string
	Quote byte
	// Qualifier are the names before it, joined by dots: a schema, a table, an alias.
	Qualifier []string

	Tables    bool // a table or view, or a schema before one
	Columns   bool // a column
	Databases bool
	// Client is the client's own command that the cursor stands in ("\d",
	// ".schema"), and Args are its arguments before the cursor.
	Client string
	Args   []string
	// Keywords may stand there, in lower case, the likely ones first; a few are
	// several words, functions end in "(".
	Keywords []string
	// Sources are the tables whose columns are meant, and Named the tables that
	// WITH defines.
	Sources []Source
	Named   []string
	// Upper says that the statement's keywords are written in capitals.
	Upper bool
}

// At returns what may stand after left, where right is what follows the cursor;
// ok is false within literals, comments and numbers.
func At(d Dialect, left, right string) (p Place, ok bool) {
	tokens, comment := Tokens(d, left)
	if comment {
		return Place{}, false
	}
	p.Start = len(left)
	n := len(tokens)
	if n > 0 && tokens[n-1].Kind == Command && tokens[n-1].End == len(left) {
		return clientPlace(d, tokens[n-1])
	}
	if n > 0 && tokens[n-1].End == len(left) {
		switch t := tokens[n-1]; {
		case t.Kind == Word, t.Kind == Quoted && t.Open:
			p.Start, p.Text = t.Start, t.Name()
			if t.Kind == Quoted {
				p.Quote = t.Quote
			}
			n--
		case t.Kind == Number, t.Kind == String && t.Open, t.Kind == Quoted, t.Kind == String:
			return Place{}, false
		}
	}
	for n > 1 && tokens[n-1].IsSymbol('.') && (tokens[n-2].Kind == Word || tokens[n-2].Kind == Quoted) {
		p.Qualifier = append([]string{tokens[n-2].Name()}, p.Qualifier...)
		n -= 2
	}
	if n > 0 && tokens[n-1].IsSymbol('.') {
		return Place{}, false
	}
	w := walker{dialect: d}
	w.walk(statement(tokens[:n], true))
	w.describe(&p)
	if p.Quote != 0 {
		p.Keywords = nil
	}
	if p.Quote != 0 {
		if k := strings.IndexByte(right, closing(p.Quote)); k >= 0 {
			right = right[k+1:]
		}
	}
	following, _ := Tokens(d, right)
	if len(following) > 0 && following[0].Start == 0 && following[0].Kind == Word {
		following = following[1:] // the rest of the name at the cursor
	}
	at := w.stack[len(w.stack)-1]
	w.walk(statement(following, false))
	for f := at; f >= 0; f = w.frames[f].parent {
		p.Sources = append(p.Sources, w.frames[f].sources...)
	}
	p.Named = w.named
	return p, true
}

func closing(quote byte) byte {
	if quote == '[' {
		return ']'
	}
	return quote
}

// statement returns the tokens of the statement that a cursor at the end, or at
// the start, of these stands in.
func statement(tokens []Token, before bool) []Token {
	start := 0
	for i, t := range tokens {
		if t.IsSymbol(';') || t.Kind == Command {
			if !before {
				return tokens[:i]
			}
			start = i + 1
		}
	}
	return tokens[start:]
}

// clientPlace is the place within a command of the client's own.
func clientPlace(d Dialect, t Token) (Place, bool) {
	words := strings.FieldsFunc(t.Text, func(r rune) bool { return r == ' ' || r == '\t' })
	p := Place{Client: words[0], Start: t.End}
	if last := t.Text[len(t.Text)-1]; last != ' ' && last != '\t' {
		p.Text = words[len(words)-1]
		p.Start -= len(p.Text)
		words = words[:len(words)-1]
	}
	if len(words) == 0 {
		return Place{}, false // its name is being typed
	}
	p.Args = words[1:]
	if p.Text != "" && strings.IndexByte("\"'`[", p.Text[0]) >= 0 {
		p.Quote, p.Text = p.Text[0], p.Text[1:]
	}
	if k := strings.LastIndexByte(p.Text, '.'); k >= 0 && p.Quote == 0 && d != SQLite {
		p.Qualifier = strings.Split(p.Text[:k], ".")
		p.Start, p.Text = p.Start+k+1, p.Text[k+1:]
	}
	p.Tables, p.Databases = clientTakes(d, p.Client, len(p.Args))
	return p, p.Tables || p.Databases || p.Client == ".import" || p.Client == ".read"
}

// clientTakes says what a client's command takes as its argument after n others.
func clientTakes(d Dialect, name string, n int) (tables, databases bool) {
	if d == SQLite {
		switch name {
		case ".schema", ".dump", ".indexes", ".indices", ".tables", ".fullschema":
			return true, false
		case ".import":
			return n == 1, false
		case ".mode":
			return n == 1, false
		}
		return false, false
	}
	switch strings.TrimSuffix(name, "+") {
	case `\d`, `\dt`, `\dv`, `\dm`, `\dp`, `\z`, `\sv`, `\ev`, `\copy`, `\dS`, `\dtS`, `\dE`:
		return n == 0, false
	case `\c`, `\connect`:
		return false, n == 0
	}
	return false, false
}

// sourcesOf returns the tables that a FROM clause names at its own level.
func sourcesOf(tokens []Token) []Source {
	w := walker{dialect: SQLite}
	w.frame(-1, inColumns).verb = "SELECT"
	w.walk(tokens)
	return w.frames[0].sources
}
