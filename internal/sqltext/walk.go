package sqltext

import "strings"

// clause is what the tokens of a level lead up to.
type clause uint8

const (
	atStart   clause = iota // a statement or a sub-query begins
	atVerb                  // a further keyword is wanted: CREATE, ORDER, LEFT …
	inTables                // a table, or what follows one
	inColumns               // an expression, or what follows one
	inNothing               // a literal, a type, a new name
)

// frame is one level of parentheses, or one SELECT of a UNION.
type frame struct {
	parent  int // index of the frame around it, or -1
	clause  clause
	verb    string // SELECT, INSERT … in capitals, "" for a list or a call
	object  string // what CREATE, ALTER or DROP is about
	main    string // the keyword that the clause began with
	operand bool   // a table, or the operand of an expression, is complete
	alias   bool   // AS was last: a new name follows
	with    bool   // the names that WITH defines are being read
	joined  bool   // the table at hand came with JOIN
	sources []Source
}

// walker follows a statement token by token.
type walker struct {
	dialect Dialect
	frames  []frame
	stack   []int // the open frames, the innermost last
	named   []string
	upper   bool
	cased   bool // upper is decided
}

// frame opens a level within that of index parent.
func (w *walker) frame(parent int, c clause) *frame {
	w.frames = append(w.frames, frame{parent: parent, clause: c})
	w.stack = append(w.stack, len(w.frames)-1)
	return &w.frames[len(w.frames)-1]
}

func (w *walker) top() *frame { return &w.frames[w.stack[len(w.stack)-1]] }

func (w *walker) walk(tokens []Token) {
	if len(w.frames) == 0 {
		w.frame(-1, atStart)
	}
	for i := 0; i < len(tokens); i++ {
		t := tokens[i]
		var last Token
		if i > 0 {
			last = tokens[i-1]
		}
		switch t.Kind {
		case Word, Quoted:
			if t.Kind == Word && !last.IsSymbol('.') && w.keyword(t, last) {
				continue
			}
			i = w.name(tokens, i)
		case String, Number:
			w.top().operand = true
		case Symbol:
			w.symbol(t.Text[0])
		}
	}
}

// name takes a name, with what qualifies it, and returns where it ends.
func (w *walker) name(tokens []Token, i int) int {
	f := w.top()
	parts := []string{tokens[i].Name()}
	for i+2 < len(tokens) && tokens[i+1].IsSymbol('.') && (tokens[i+2].Kind == Word || tokens[i+2].Kind == Quoted) {
		parts = append(parts, tokens[i+2].Name())
		i += 2
	}
	name := parts[len(parts)-1]
	switch {
	case f.with && f.clause == inNothing && !f.operand:
		w.named = append(w.named, name)
		f.operand = true
	case f.clause == inTables && (f.operand || f.alias):
		if n := len(f.sources); n > 0 {
			f.sources[n-1].Alias = name
		}
		f.operand, f.alias = true, false
	case f.clause == inTables:
		s := Source{Table: name}
		if len(parts) > 1 {
			s.Schema = parts[len(parts)-2]
		}
		f.sources = append(f.sources, s)
		f.operand = true
	default:
		f.operand, f.alias = true, false
		if f.clause == atStart {
			f.clause = inNothing // no statement that is known
		}
	}
	return i
}

func (w *walker) symbol(c byte) {
	f := w.top()
	switch c {
	case '(':
		w.open()
	case ')':
		if len(w.stack) > 1 {
			w.stack = w.stack[:len(w.stack)-1]
		}
		up := w.top()
		if up.clause == inTables && !up.operand {
			up.sources = append(up.sources, Source{}) // a sub-query; its name follows
		}
		up.operand = !up.with || up.clause != inNothing
		if up.with && up.clause == inNothing {
			up.main = "WITH)"
		}
	case ',':
		f.operand, f.alias, f.joined = false, false, false
		if f.with && f.clause == inNothing {
			f.main = "WITH"
		}
	case '*':
		f.operand = f.clause == inColumns && !f.operand
	case '.':
		f.operand = false
	default:
		if f.clause == inColumns {
			f.operand = false
		}
	}
}

// open goes into parentheses.
func (w *walker) open() {
	f := w.top()
	parent := w.stack[len(w.stack)-1]
	switch {
	case f.with && f.clause == inNothing:
		if f.main == "AS" {
			w.frame(parent, atStart)
		} else {
			w.frame(parent, inNothing) // the names of its columns
		}
	case f.clause == inTables && f.operand:
		w.frame(parent, inColumns).main = "LIST"
	case f.clause == inTables, f.clause == atStart:
		w.frame(parent, atStart)
	case f.clause == inColumns:
		w.frame(parent, inColumns)
	default:
		w.frame(parent, inNothing)
	}
}

// enter sets what the innermost level leads up to next.
func (f *frame) enter(c clause, main string) bool {
	f.clause, f.main, f.operand, f.alias, f.joined = c, main, false, false, false
	return true
}

// keyword takes a word that is one in its place; false if it is a name.
func (w *walker) keyword(t, last Token) bool {
	f := w.top()
	word := strings.ToUpper(t.Text)
	if !w.keywordIn(f, word, last) {
		return false
	}
	if !w.cased {
		w.cased, w.upper = true, t.Text == word
	}
	return true
}

func (w *walker) keywordIn(f *frame, word string, last Token) bool {
	if f.clause == atStart || f.with && f.clause == inNothing && f.main == "WITH)" {
		if w.begins(f, word) {
			return true
		}
	}
	switch word {
	case "SELECT":
		f.verb = "SELECT"
		return f.enter(inColumns, word)
	case "UNION", "EXCEPT", "INTERSECT":
		parent := f.parent
		w.stack = w.stack[:len(w.stack)-1]
		w.frame(parent, atStart)
		return true
	case "AS":
		switch {
		case f.with && f.clause == inNothing:
			f.main = "AS"
		case f.verb == "CREATE":
			return f.enter(atStart, word)
		default:
			f.alias = true
		}
		return true
	}
	if t, ok := w.tableWord(f, word, last); ok {
		return t
	}
	return f.columnWord(word, last)
}

// begins takes the first word of a statement.
func (w *walker) begins(f *frame, word string) bool {
	switch word {
	case "WITH":
		f.with = true
		return f.enter(inNothing, "WITH")
	case "EXPLAIN":
		f.main = word
		return true
	case "RECURSIVE", "QUERY", "PLAN", "ALL":
		return true
	case "CREATE", "ALTER", "DROP", "INSERT", "DELETE", "GRANT", "REVOKE", "SHOW", "REFRESH", "COMMENT", "REPLACE", "MERGE":
		f.verb, f.with = word, false
		return f.enter(atVerb, word)
	case "UPDATE", "TABLE", "VACUUM", "DESCRIBE", "DESC", "COPY", "TRUNCATE", "LOCK", "CLUSTER", "REINDEX", "CHECK", "OPTIMIZE", "REPAIR":
		f.verb, f.with = word, false
		return f.enter(inTables, word)
	case "ANALYZE":
		if f.main == "EXPLAIN" {
			return true
		}
		f.verb = word
		return f.enter(inTables, word)
	case "USE":
		f.verb = word
		return f.enter(inNothing, word)
	case "SET", "BEGIN", "COMMIT", "ROLLBACK", "PRAGMA", "VALUES", "START", "SAVEPOINT", "CALL", "DO":
		f.verb = word
		if word == "PRAGMA" {
			f.main = word
		}
		return f.enter(inNothing, word)
	}
	return false
}

// tableWord takes the words that lead to tables; ok is false for others.
func (w *walker) tableWord(f *frame, word string, last Token) (keyword, ok bool) {
	switch word {
	case "FROM":
		switch {
		case f.verb == "" && f.parent >= 0 || last.Is("DISTINCT"):
			return f.enter(inColumns, word), true // extract(year from x)
		case f.verb == "COPY" || f.verb == "REVOKE":
			return f.enter(inNothing, word), true
		}
		return f.enter(inTables, word), true
	case "JOIN":
		f.enter(inTables, word)
		f.joined = true
		return true, true
	case "INTO":
		return f.enter(inTables, word), true
	case "REFERENCES":
		return f.enter(inTables, word), true
	case "UPDATE", "DELETE":
		return f.enter(atVerb, "ON"), true // FOR UPDATE, ON DELETE, DO UPDATE
	case "TABLE", "VIEW", "INDEX", "TRIGGER", "SEQUENCE", "MATERIALIZED":
		return w.objectWord(f, word)
	case "ON":
		switch {
		case f.verb == "CREATE" && (f.object == "INDEX" || f.object == "TRIGGER"), f.verb == "GRANT", f.verb == "REVOKE":
			return f.enter(inTables, word), true
		case f.verb == "INSERT":
			return f.enter(atVerb, "ON"), true
		}
		return f.enter(inColumns, word), true
	case "USING":
		if f.verb == "DELETE" {
			return f.enter(inTables, word), true
		}
		return f.enter(inColumns, word), true
	case "LEFT", "RIGHT", "FULL", "INNER", "CROSS", "NATURAL", "OUTER":
		if f.clause == inTables && f.operand || f.clause == inColumns && f.main == "ON" || f.clause == atVerb {
			return f.enter(atVerb, "JOIN"), true
		}
		return false, true
	case "ONLY", "IF", "EXISTS", "CONCURRENTLY", "VERBOSE", "LATERAL", "FREEZE", "ANALYZE":
		return f.clause == inTables && !f.operand || f.clause == atVerb || word == "EXISTS", true
	case "TABLES", "COLUMNS", "INDEXES", "DATABASES":
		return f.verb == "SHOW", true
	}
	return false, false
}

// objectWord takes what CREATE, ALTER, DROP, TRUNCATE … are about.
func (w *walker) objectWord(f *frame, word string) (keyword, ok bool) {
	switch f.verb {
	case "CREATE":
		if f.clause == atVerb {
			f.object = word
			if word != "MATERIALIZED" {
				f.enter(inNothing, word)
			}
			return true, true
		}
	case "ALTER", "DROP", "REFRESH", "SHOW", "COMMENT", "GRANT", "REVOKE":
		if f.clause == atVerb || f.clause == inTables && !f.operand {
			f.object = word
			if word == "INDEX" || word == "TRIGGER" || word == "SEQUENCE" {
				return f.enter(inNothing, word), true
			}
			return f.enter(inTables, word), true
		}
	case "TRUNCATE", "LOCK", "REINDEX", "CHECK", "OPTIMIZE", "REPAIR":
		return word == "TABLE", true
	}
	return false, true
}

// columnWord takes the words that lead to columns, and those that lead to nothing.
func (f *frame) columnWord(word string, last Token) bool {
	switch word {
	case "WHERE", "HAVING", "RETURNING":
		return f.enter(inColumns, word)
	case "SET":
		if f.verb == "ALTER" {
			return f.enter(inNothing, word)
		}
		return f.enter(inColumns, word)
	case "ORDER", "GROUP", "PARTITION":
		if f.clause == inNothing && f.verb == "CREATE" {
			return false
		}
		return f.enter(atVerb, word)
	case "BY":
		if f.main == "ORDER" || f.main == "GROUP" || f.main == "PARTITION" {
			return f.enter(inColumns, f.main)
		}
		return false
	case "AND", "OR", "NOT", "WHEN", "THEN", "ELSE", "CASE", "BETWEEN", "LIKE", "ILIKE", "REGEXP", "GLOB", "IN", "IS", "DISTINCT":
		if f.clause == inColumns {
			f.operand, f.alias = false, false
			return true
		}
		return f.clause == inTables && !f.operand || f.clause == atVerb
	case "NULL", "TRUE", "FALSE", "END":
		if f.clause == inColumns {
			f.operand = true
			return true
		}
		return false
	case "ASC", "DESC", "NULLS", "FIRST", "LAST":
		f.operand = f.operand || last.IsSymbol(')')
		return f.clause == inColumns && f.main == "ORDER"
	case "VALUES", "LIMIT", "OFFSET", "FETCH":
		return f.enter(inNothing, word)
	case "CONFLICT", "DUPLICATE":
		return f.enter(inTables, "CONFLICT") && f.set(true)
	case "DO":
		return f.main == "CONFLICT" && f.enter(atVerb, word)
	case "TO", "TYPE", "ADD", "OWNER", "COLLATE", "WITH", "DEFAULT", "NOTHING", "KEY":
		if f.clause == inColumns && f.verb == "SELECT" {
			return false
		}
		return f.enter(inNothing, word)
	case "RENAME", "ALTER", "DROP", "MODIFY", "CHANGE":
		return f.verb == "ALTER" && f.enter(atVerb, "ALTER TABLE")
	case "COLUMN":
		if f.verb != "ALTER" {
			return false
		}
		if f.main == "ADD" {
			return f.enter(inNothing, word)
		}
		return f.enter(inColumns, word)
	}
	return false
}

func (f *frame) set(operand bool) bool {
	f.operand = operand
	return true
}
