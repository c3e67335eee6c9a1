// Package statement reads a template of SQL as text: its one statement, the places of
// its values and whether it says that it writes. What the database finds out counts
// more; this is for a map that is read without one.
package statement

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/sqltext"
)

// Slot is a place for a value.
type Slot struct {
	Name       string // of ":name"; "" for one that goes by its number
	Number     int    // from 1, of "?" in the order of the text and of "$1"
	Start, End int    // bytes of the text
}

// Statement is a template.
type Statement struct {
	Text   string
	Tokens []sqltext.Token
	Slots  []Slot // in the order of the text
	// Verb is the first word in capitals, behind WITH and EXPLAIN that of the statement.
	Verb string
	// Explained says that it is shown how the statement would be carried out.
	Explained bool
	body      []sqltext.Token // without EXPLAIN and its options
}

// Errors of Parse.
var (
	ErrEmpty = errors.New("there is no statement")
	ErrMany  = errors.New("there is more than one statement")
)

// Parse reads a template in a dialect. A semicolon may end it.
func Parse(d sqltext.Dialect, text string) (*Statement, error) {
	s := &Statement{Text: text}
	tokens, open := sqltext.Tokens(d, text)
	if open && !strings.HasSuffix(strings.TrimRight(text, "\n"), "*/") && lastLineOpen(text) {
		return nil, errors.New("a comment is not closed")
	}
	for i, t := range tokens {
		switch {
		case t.IsSymbol(';') && i != len(tokens)-1:
			return nil, ErrMany
		case t.Kind == sqltext.Command:
			return nil, fmt.Errorf("%q is a command of a client, not SQL", t.Text)
		case t.Open:
			return nil, errors.New("a quote is not closed")
		}
	}
	if n := len(tokens); n > 0 && tokens[n-1].IsSymbol(';') {
		s.Text = text[:tokens[n-1].Start] + " " + text[tokens[n-1].End:]
		tokens = tokens[:n-1]
	}
	if len(tokens) == 0 {
		return nil, ErrEmpty
	}
	s.Tokens = tokens
	if err := s.slots(); err != nil {
		return nil, err
	}
	s.body, s.Explained = unexplained(tokens)
	s.Verb = s.verb()
	return s, nil
}

// unexplained cuts EXPLAIN and its options off.
func unexplained(tokens []sqltext.Token) (body []sqltext.Token, explained bool) {
	if !tokens[0].Is("EXPLAIN") {
		return tokens, false
	}
	tokens = tokens[1:]
	if len(tokens) > 1 && tokens[0].IsSymbol('(') && tokens[1].Kind == sqltext.Word && slices.Contains(explainOptions, strings.ToUpper(tokens[1].Text)) {
		if end := slices.IndexFunc(tokens, func(t sqltext.Token) bool { return t.IsSymbol(')') }); end >= 0 {
			tokens = tokens[end+1:]
		}
	}
	for len(tokens) > 0 && tokens[0].Kind == sqltext.Word && slices.Contains(explainOptions, strings.ToUpper(tokens[0].Text)) {
		tokens = tokens[1:]
	}
	return tokens, true
}

var explainOptions = []string{"QUERY", "PLAN", "ANALYZE", "VERBOSE", "FORMAT", "COSTS", "BUFFERS", "TIMING", "SUMMARY", "SETTINGS", "WAL", "EXTENDED", "PARTITIONS", "GENERIC_PLAN"}

// lastLineOpen reports whether a text ends within a comment of the form /* */: one of
// the form "--" ends with its line.
func lastLineOpen(text string) bool {
	last := text[strings.LastIndexByte(text, '\n')+1:]
	return !strings.Contains(last, "--") && !strings.Contains(last, "#")
}

// slots finds the places of values: all of one form. Where names or numbers are used
// a question mark is an operator.
func (s *Statement) slots() error {
	var marks, numbers, names []Slot
	for i, t := range s.Tokens {
		next := func(k int) sqltext.Token {
			if i+k < len(s.Tokens) && s.Tokens[i+k].Start == s.Tokens[i+k-1].End {
				return s.Tokens[i+k]
			}
			return sqltext.Token{}
		}
		before := sqltext.Token{}
		if i > 0 && s.Tokens[i-1].End == t.Start {
			before = s.Tokens[i-1]
		}
		switch w := next(1); {
		case t.IsSymbol('?') && w.Kind == sqltext.Number && isDigits(w.Text): // SQLite's ?1
			n, err := strconv.Atoi(w.Text)
			if err != nil || n < 1 || n > 999 {
				return fmt.Errorf("?%s is no place for a value", w.Text)
			}
			numbers = append(numbers, Slot{Number: n, Start: t.Start, End: w.End})
		case t.IsSymbol('?'):
			marks = append(marks, Slot{Number: len(marks) + 1, Start: t.Start, End: t.End})
		case t.IsSymbol('$') && isDigits(w.Text) && (w.Kind == sqltext.Number || w.Kind == sqltext.Word):
			n, err := strconv.Atoi(w.Text)
			if err != nil || n < 1 || n > 999 {
				return fmt.Errorf("$%s is no place for a value", w.Text)
			}
			numbers = append(numbers, Slot{Number: n, Start: t.Start, End: w.End})
		case t.IsSymbol(':') && w.Kind == sqltext.Word && w.Text != "" && !isDigits(w.Text[:1]) && !before.IsSymbol(':') && before.Kind != sqltext.Number && !(before.Kind == sqltext.Word && before.Text != ""):
			names = append(names, Slot{Name: w.Text, Start: t.Start, End: w.End})
		}
	}
	switch {
	case len(names) > 0 && len(numbers) > 0:
		return errors.New("values are given as :name and as $1: want one form")
	case len(names) > 0:
		s.Slots = names
	case len(numbers) > 0:
		s.Slots = numbers
	default:
		s.Slots = marks
	}
	return nil
}

func isDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// Names are the names of the values in the order of their first places; those that go
// by number are named by what they stand beside, "status = ?" and "LIMIT ?".
func (s *Statement) Names() []string {
	var out []string
	most := 0
	for _, slot := range s.Slots {
		if slot.Name != "" && !slices.Contains(out, slot.Name) {
			out = append(out, slot.Name)
		}
		most = max(most, slot.Number)
	}
	for n := 1; n <= most; n++ {
		name := "p" + strconv.Itoa(n)
		for _, slot := range s.Slots {
			if slot.Number == n {
				if near := s.beside(slot); near != "" && !slices.Contains(out, near) {
					name = near
				}
				break
			}
		}
		out = append(out, name)
	}
	return out
}

// beside is the name that a place without one has by what stands before it: the
// column that is compared, or the clause that takes a number.
func (s *Statement) beside(slot Slot) string {
	i := slices.IndexFunc(s.Tokens, func(t sqltext.Token) bool { return t.Start == slot.Start })
	i--
	if i < 0 {
		return ""
	}
	if t := s.Tokens[i]; t.Is("LIMIT") || t.Is("OFFSET") {
		return strings.ToLower(t.Text)
	}
	compared := false
	for ; i >= 0; i-- {
		switch t := s.Tokens[i]; {
		case t.Kind == sqltext.Symbol && strings.ContainsAny(t.Text, "=<>!"), t.Is("LIKE"), t.Is("ILIKE"), t.Is("IS"):
			compared = true
		case t.IsSymbol('('), t.Is("NOT"):
		case (t.Kind == sqltext.Word || t.Kind == sqltext.Quoted) && compared:
			return parameterName(t.Name())
		default:
			return ""
		}
	}
	return ""
}

// parameterName is a column's name in the form of a parameter's, "" if it has none.
func parameterName(column string) string {
	name := strings.ToLower(column)
	if name == "" || name[0] < 'a' || name[0] > 'z' || len(name) > 64 || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789_") != "" {
		return ""
	}
	return name
}

// verb is the word that says what the statement does: behind WITH the first one that
// stands outside of parentheses and begins a statement.
func (s *Statement) verb() string {
	depth := 0
	with := false
	for _, t := range s.body {
		switch {
		case t.IsSymbol('('):
			depth++
		case t.IsSymbol(')'):
			depth--
		case t.Kind != sqltext.Word:
		case !with && t.Is("WITH"):
			with = true
		case !with:
			return strings.ToUpper(t.Text)
		case depth == 0 && slices.Contains(verbs, strings.ToUpper(t.Text)):
			return strings.ToUpper(t.Text)
		}
	}
	return ""
}

// verbs may follow WITH.
var verbs = []string{"SELECT", "VALUES", "TABLE", "INSERT", "UPDATE", "DELETE", "MERGE", "REPLACE"}

// changes are the words that begin a statement within another one which writes.
var changes = []string{"INSERT", "UPDATE", "DELETE", "MERGE", "REPLACE"}

// Reads reports whether the statement says that it only reads. That it says so is no
// proof.
func (s *Statement) Reads() bool {
	switch s.Verb {
	case "SELECT", "VALUES", "TABLE":
		return !s.within() && !s.into()
	case "SHOW", "DESCRIBE", "DESC":
		return !s.Explained
	}
	return false
}

// within reports whether a statement that changes something stands in parentheses.
func (s *Statement) within() bool {
	for i := 1; i < len(s.body); i++ {
		t := s.body[i]
		if t.Kind != sqltext.Word || !s.body[i-1].IsSymbol('(') || !slices.Contains(changes, strings.ToUpper(t.Text)) {
			continue
		}
		if i+1 < len(s.body) && s.body[i+1].IsSymbol('(') {
			continue // replace(x, …) is a function
		}
		return true
	}
	return false
}

// into reports whether what is selected goes into a table or file.
func (s *Statement) into() bool {
	return slices.ContainsFunc(s.body, func(t sqltext.Token) bool { return t.Is("INTO") })
}

// Everything reports whether the statement changes all rows or more than rows: an
// UPDATE or DELETE without a condition, a DROP, a TRUNCATE, a GRANT.
func (s *Statement) Everything() bool {
	switch s.Verb {
	case "DROP", "TRUNCATE", "GRANT", "REVOKE":
		return true
	}
	if s.Reads() {
		return false
	}
	// A change within WITH counts as one of its own, up to where its parenthesis ends.
	for i, t := range s.body {
		if t.Kind == sqltext.Word && (t.Is("UPDATE") || t.Is("DELETE")) && s.begins(i) && !s.conditioned(i) {
			return true
		}
	}
	return false
}

// begins reports whether the token begins a statement: it is the first one, stands
// behind a parenthesis, or is the verb behind WITH.
func (s *Statement) begins(i int) bool {
	if i == 0 || s.body[i-1].IsSymbol('(') {
		return true
	}
	return s.body[0].Is("WITH") && strings.EqualFold(s.body[i].Text, s.Verb) && s.body[i-1].IsSymbol(')')
}

// conditioned reports whether a statement that begins at i has a condition of its own.
func (s *Statement) conditioned(i int) bool {
	depth := 0
	for _, t := range s.body[i:] {
		switch {
		case t.IsSymbol('('):
			depth++
		case t.IsSymbol(')'):
			if depth--; depth < 0 {
				return false
			}
		case depth == 0 && t.Is("WHERE"):
			return true
		}
	}
	return false
}

// Calls are the names of the functions that the statement calls, in small letters
// and without their schema.
func (s *Statement) Calls() []string {
	var out []string
	for i := 0; i+1 < len(s.body); i++ {
		t := s.body[i]
		if (t.Kind == sqltext.Word || t.Kind == sqltext.Quoted) && s.body[i+1].IsSymbol('(') {
			if name := strings.ToLower(t.Name()); !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	return out
}

// noCalls are words behind which a parenthesis begins something other than the
// arguments of a function.
var noCalls = []string{
	"all", "and", "any", "as", "between", "by", "case", "check", "else", "except", "exists", "filter", "from", "glob", "having", "if", "in",
	"intersect", "into", "is", "join", "key", "like", "limit", "materialized", "not", "offset", "on", "or", "over", "references", "returning",
	"select", "set", "some", "table", "then", "union", "unique", "using", "values", "when", "where", "with", "within",
}

// Functions are the calls as a person is shown them: without the words of SQL, and
// without the names that stand before their columns, as in "WITH c(n) AS" and
// "INSERT INTO t(a)". A judgement asks Calls.
func (s *Statement) Functions() []string {
	var out []string
	for i := 0; i+1 < len(s.body); i++ {
		t := s.body[i]
		if t.Kind != sqltext.Word && t.Kind != sqltext.Quoted || !s.body[i+1].IsSymbol('(') || s.named(i) {
			continue
		}
		name := strings.ToLower(t.Name())
		if !slices.Contains(out, name) && (t.Kind == sqltext.Quoted || !slices.Contains(noCalls, name)) {
			out = append(out, name)
		}
	}
	return out
}

// named reports whether the name at i is that of a table, with its columns behind it.
func (s *Statement) named(i int) bool {
	if i > 0 && (s.body[i-1].Is("INTO") || s.body[i-1].Is("TABLE")) {
		return true
	}
	depth := 0
	for j := i + 1; j < len(s.body); j++ {
		switch {
		case s.body[j].IsSymbol('('):
			depth++
		case s.body[j].IsSymbol(')'):
			if depth--; depth == 0 {
				rest := s.body[j+1:]
				return s.body[0].Is("WITH") && len(rest) > 1 && rest[0].Is("AS") &&
					(rest[1].IsSymbol('(') || rest[1].Is("MATERIALIZED") || rest[1].Is("NOT"))
			}
		}
	}
	return false
}

// Target is what a statement that changes something says that it changes: its verb and
// the name behind it, "UPDATE jobs".
func (s *Statement) Target() string {
	begun := false
	for i, t := range s.body {
		switch {
		case !begun:
			begun = t.Kind == sqltext.Word && slices.Contains(targeted, strings.ToUpper(t.Text)) && (i == 0 || s.begins(i))
		case t.Kind == sqltext.Word && slices.Contains(between, strings.ToUpper(t.Text)):
		case t.Kind == sqltext.Word || t.Kind == sqltext.Quoted:
			name := t.Name()
			for i+2 < len(s.body) && s.body[i+1].IsSymbol('.') {
				name += "." + s.body[i+2].Name()
				i += 2
			}
			return s.Verb + " " + name
		default:
			return s.Verb
		}
	}
	return s.Verb
}

var (
	targeted = []string{"INSERT", "UPDATE", "DELETE", "REPLACE", "MERGE", "TRUNCATE", "DROP", "ALTER", "CREATE"}
	between  = []string{"INTO", "FROM", "ONLY", "TABLE", "INDEX", "VIEW", "IF", "NOT", "EXISTS", "IGNORE", "OR", "LOW_PRIORITY", "TEMP", "TEMPORARY", "UNIQUE", "MATERIALIZED", "SEQUENCE", "FUNCTION", "SCHEMA"}
)

// Rewritten is a statement with other forms of its places.
type Rewritten struct {
	Text  string
	moved []moved
}

type moved struct{ is, was int } // bytes

// Was is where a byte of the text stands in the template.
func (r *Rewritten) Was(at int) int {
	out := at
	for _, m := range r.moved {
		if m.is > at {
			break
		}
		out = m.was + at - m.is
	}
	return out
}

// Rewrite writes the statement with another form of each place.
func (s *Statement) Rewrite(form func(Slot) string) Rewritten {
	var b strings.Builder
	var r Rewritten
	at := 0
	for _, slot := range s.Slots {
		b.WriteString(s.Text[at:slot.Start])
		r.moved = append(r.moved, moved{b.Len(), slot.Start})
		b.WriteString(form(slot))
		r.moved = append(r.moved, moved{b.Len(), slot.End})
		at = slot.End
	}
	b.WriteString(s.Text[at:])
	r.Text = b.String()
	return r
}
