// Package sqltext reads SQL as text, tolerantly and without a server: its
// tokens, what may stand at a cursor, the columns that a CREATE statement
// names, and how a name is quoted.
package sqltext

import "strings"

// Dialect says whose SQL a text is.
type Dialect uint8

const (
	// Any is read as the union of what the clients take for comments and
	// commands: for a judge, who must miss no statement.
	Any Dialect = iota
	Postgres
	MySQL
	SQLite
)

// Kind is what a token is.
type Kind uint8

const (
	Word    Kind = iota // an unquoted name or keyword
	Quoted              // a name in quotes
	String              // a literal
	Number              // digits and what follows them
	Symbol              // one other character
	Command             // a command of the client's own: "\d users", ".schema users"
)

// Token is a piece of a text; blanks and comments are none.
type Token struct {
	Kind       Kind
	Text       string // as written; of a Quoted or String what is between the quotes, as written
	Start, End int    // offsets in the text, quotes included
	Quote      byte   // the quote that opens a Quoted or String; '$' for $tag$
	Open       bool   // its end is missing
}

// Is reports whether the token is an unquoted word, in any case. word is in upper case.
func (t Token) Is(word string) bool { return t.Kind == Word && strings.EqualFold(t.Text, word) }

// IsSymbol reports whether the token is this character.
func (t Token) IsSymbol(c byte) bool { return t.Kind == Symbol && t.Text[0] == c }

// Name is the name that a Word or Quoted token stands for.
func (t Token) Name() string {
	if t.Kind == Quoted && t.Quote != '[' {
		q := string(t.Quote)
		return strings.ReplaceAll(t.Text, q+q, q)
	}
	return t.Text
}

// Scanner cuts a text into tokens.
type Scanner struct {
	dialect Dialect
	text    string
	at      int
	// begun says that the statement has a token already: a client's own command
	// may begin only before that.
	begun bool
	// inComment says that the text ended within a comment.
	inComment bool
}

// NewScanner returns a scanner at the start of text.
func NewScanner(d Dialect, text string) *Scanner { return &Scanner{dialect: d, text: text} }

// Tokens returns all tokens of a text; open says that it ends within a comment.
func Tokens(d Dialect, text string) (tokens []Token, open bool) {
	s := NewScanner(d, text)
	for {
		t, ok := s.Next()
		if !ok {
			return tokens, s.inComment
		}
		tokens = append(tokens, t)
	}
}

// Next returns the next token; ok is false at the end of the text.
func (s *Scanner) Next() (t Token, ok bool) {
	s.blank()
	if s.at >= len(s.text) {
		return Token{}, false
	}
	t = s.token()
	t.Start, s.at = s.at, t.End
	switch {
	case t.Kind == Command, t.IsSymbol(';'):
		s.begun = false
	case t.Kind != Symbol:
		s.begun = true
	}
	return t, true
}

// blank passes over white space and comments.
func (s *Scanner) blank() {
	for s.at < len(s.text) {
		rest := s.text[s.at:]
		switch c := rest[0]; {
		case c == ' ' || c >= '\t' && c <= '\r':
			s.at++
		case strings.HasPrefix(rest, "--") && s.dashes(rest), c == '#' && s.hash(rest):
			k := strings.IndexByte(rest, '\n')
			if k < 0 {
				k, s.inComment = len(rest), true
			}
			s.at += k
		case s.runs() && (strings.HasPrefix(rest, "/*!") || strings.HasPrefix(rest, "/*M!")):
			// MySQL and MariaDB run what stands in these; a version may lead.
			s.at += strings.IndexByte(rest, '!') + 1
			for s.at < len(s.text) && isDigit(s.text[s.at]) {
				s.at++
			}
		case strings.HasPrefix(rest, "/*"):
			s.at += s.comment(rest)
		case s.runs() && strings.HasPrefix(rest, "*/"):
			s.at += 2 // of such a comment
		default:
			return
		}
	}
}

func (s *Scanner) runs() bool { return s.dialect == Any || s.dialect == MySQL }

// dashes reports whether two dashes begin a comment: MySQL wants a blank after them.
func (s *Scanner) dashes(rest string) bool {
	return s.dialect != MySQL || len(rest) == 2 || rest[2] <= ' '
}

// hash reports whether "#" begins a comment, as it does in MySQL only. Where the
// dialect is not known the operators of PostgreSQL that begin with it are none:
// what follows them on the line must not go unseen.
func (s *Scanner) hash(rest string) bool {
	switch s.dialect {
	case MySQL:
		return true
	case Any:
		return len(rest) == 1 || strings.IndexByte(">-=", rest[1]) < 0
	}
	return false
}

// comment returns the length of the comment that rest begins with. PostgreSQL
// nests them.
func (s *Scanner) comment(rest string) int {
	depth := 1
	for i := 2; i+1 < len(rest); i++ {
		switch {
		case rest[i] == '*' && rest[i+1] == '/':
			if depth--; depth == 0 {
				return i + 2
			}
			i++
		case s.dialect == Postgres && rest[i] == '/' && rest[i+1] == '*':
			depth++
			i++
		}
	}
	s.inComment = true
	return len(rest)
}

// token reads the token at s.at; its End is set, its Start is not.
func (s *Scanner) token() Token {
	rest := s.text[s.at:]
	c := rest[0]
	switch {
	case c == '\'' || c == '"' || c == '`':
		return s.quoted(s.at, c, false)
	case c == '[' && s.dialect == SQLite:
		return s.bracket()
	case c == '$' && s.dialect == Postgres:
		if t, ok := s.dollar(rest); ok {
			return t
		}
	case s.isWord(c):
		return s.word()
	case s.isCommand(rest):
		line, _, _ := strings.Cut(rest, "\n")
		return Token{Kind: Command, Text: line, End: s.at + len(line)}
	}
	return Token{Kind: Symbol, Text: rest[:1], End: s.at + 1}
}

// isCommand reports whether a command of the client's own begins here: psql's
// anywhere, sqlite3's at the start of a statement.
func (s *Scanner) isCommand(rest string) bool {
	if len(rest) < 2 {
		return false
	}
	next := rest[1]
	switch rest[0] {
	case '\\':
		return s.dialect != SQLite && (next == '!' || next == '?' || isASCIIWord(next))
	case '.':
		return (s.dialect == Any || s.dialect == SQLite) && !s.begun && isASCIIWord(next)
	}
	return false
}

func (s *Scanner) word() Token {
	end := s.at
	for end < len(s.text) && (s.isWord(s.text[end]) || s.text[end] == '$' && s.dialect != Any) {
		end++
	}
	text := s.text[s.at:end]
	switch {
	case isDigit(text[0]) && s.dialect != Any && (s.dialect != MySQL || strings.Trim(text, "0123456789") == ""):
		return Token{Kind: Number, Text: text, End: end}
	case end < len(s.text) && s.text[end] == '\'' && len(text) == 1 && s.dialect == Postgres && strings.ContainsAny(text, "eEbBxXnN"):
		return s.quoted(end, '\'', text == "e" || text == "E")
	case s.dialect == Any && !s.begun && strings.EqualFold(text, "system") && strings.HasPrefix(s.text[end:], " "):
		line, _, _ := strings.Cut(s.text[s.at:], "\n") // a command of mysql
		return Token{Kind: Command, Text: line, End: s.at + len(line)}
	}
	return Token{Kind: Word, Text: text, End: end}
}

// quoted reads what stands between two quotes, of which the first is at from.
// Where the dialect is not known a quote ends at the next one: what follows two
// of them is then read as code and not as text, which hides nothing.
func (s *Scanner) quoted(from int, quote byte, escapes bool) Token {
	kind := Quoted
	if quote == '\'' || quote == '"' && s.dialect == MySQL {
		kind = String
		escapes = escapes || s.dialect == MySQL
	}
	for i := from + 1; i < len(s.text); i++ {
		switch c := s.text[i]; {
		case c == '\\' && escapes:
			i++
		case c == quote && s.dialect != Any && i+1 < len(s.text) && s.text[i+1] == quote:
			i++
		case c == quote:
			return Token{Kind: kind, Text: s.text[from+1 : i], Quote: quote, End: i + 1}
		}
	}
	return Token{Kind: kind, Text: s.text[from+1:], Quote: quote, End: len(s.text), Open: true}
}

func (s *Scanner) bracket() Token {
	t := Token{Kind: Quoted, Quote: '[', End: len(s.text), Open: true}
	k := strings.IndexByte(s.text[s.at:], ']')
	if k >= 0 {
		t.End, t.Open = s.at+k+1, false
		t.Text = s.text[s.at+1 : s.at+k]
		return t
	}
	t.Text = s.text[s.at+1:]
	return t
}

// dollar reads a literal of PostgreSQL between $tag$ and $tag$.
func (s *Scanner) dollar(rest string) (Token, bool) {
	end := 1
	for end < len(rest) && s.isWord(rest[end]) {
		end++
	}
	if end >= len(rest) || rest[end] != '$' || end > 1 && isDigit(rest[1]) {
		return Token{}, false // $1 is a parameter
	}
	tag := rest[:end+1]
	if k := strings.Index(rest[len(tag):], tag); k >= 0 {
		return Token{Kind: String, Text: rest[len(tag) : len(tag)+k], Quote: '$', End: s.at + 2*len(tag) + k}, true
	}
	return Token{Kind: String, Text: rest[len(tag):], Quote: '$', End: len(s.text), Open: true}, true
}

// isWord reports whether a byte belongs to a word. A judge's words are ASCII:
// a blank of another script must not join two.
func (s *Scanner) isWord(c byte) bool { return isASCIIWord(c) || c >= 0x80 && s.dialect != Any }

func isASCIIWord(c byte) bool {
	return c == '_' || isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'z'
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// DialectOf is the dialect that a client of a database speaks, by its name; Any
// for other programs.
func DialectOf(tool string) Dialect {
	switch tool {
	case "psql", "pg_dump", "pg_dumpall", "pg_restore", "vacuumdb", "reindexdb", "clusterdb", "pg_amcheck", "createdb", "dropdb", "pgbench", "pgcli", "pg_isready":
		return Postgres
	case "mysql", "mariadb", "mysqldump", "mariadb-dump", "mysqlcheck", "mariadb-check", "mysqlimport", "mariadb-import", "mysqlshow", "mariadb-show", "mycli":
		return MySQL
	case "sqlite3", "sqlite", "litecli":
		return SQLite
	}
	return Any
}
