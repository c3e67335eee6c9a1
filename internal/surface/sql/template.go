package sql

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/sqltext"
	"github.com/tool-mapping-protocol/tmp/internal/surface"
	"github.com/tool-mapping-protocol/tmp/internal/surface/statement"
)

// template is a statement with its values.
type template struct {
	r      *surface.Request
	c      *connection
	record surface.SQLRecord
	st     *statement.Statement
	sent   statement.Rewritten
}

// newTemplate reads the record of a request as the database of its connection would.
func newTemplate(r *surface.Request, c *connection) (*template, error) {
	t := &template{r: r, c: c}
	if err := json.Unmarshal(r.Record, &t.record); err != nil {
		return nil, refuse("the record cannot be read: %s", err)
	}
	if strings.ContainsRune(t.record.Query, 0) {
		return t, refuse("the statement holds a NUL byte")
	}
	var err error
	if t.st, err = statement.Parse(c.dialect(), t.record.Query); err != nil {
		return t, refuse("%s: %s", r.Operation, err)
	}
	for _, slot := range t.st.Slots {
		if t.number(slot) == 0 {
			return t, refuse("%s: the place %s for a value has no parameter", r.Operation, t.st.Text[slot.Start:slot.End])
		}
	}
	form := func(s statement.Slot) string { return "?" }
	switch c.Driver {
	case postgresDriver:
		form = func(s statement.Slot) string { return "$" + strconv.Itoa(t.number(s)) }
	case sqliteDriver:
		form = func(s statement.Slot) string { return "?" + strconv.Itoa(t.number(s)) }
	}
	t.sent = t.st.Rewrite(form)
	return t, nil
}

// number is that of the parameter of a place, from 1; 0 if there is none.
func (t *template) number(s statement.Slot) int {
	if s.Name != "" {
		return 1 + slices.IndexFunc(t.r.Params, func(p surface.Param) bool { return p.Name == s.Name })
	}
	if s.Number > len(t.r.Params) {
		return 0
	}
	return s.Number
}

// arguments are the values by the numbers of the parameters; nil for NULL.
func (t *template) arguments() []*string {
	out := make([]*string, len(t.r.Params))
	for i, p := range t.r.Params {
		if v, ok := t.r.Values[p.Name]; ok {
			out[i] = &v
		}
	}
	return out
}

// typed is a value as a driver binds it by its type.
func typed(p surface.Param, v *string) any {
	if v == nil {
		return nil
	}
	switch p.Type {
	case "integer", "int":
		if n, err := strconv.ParseInt(*v, 10, 64); err == nil {
			return n
		}
	case "number":
		if n, err := strconv.ParseInt(*v, 10, 64); err == nil {
			return n
		}
		if f, err := strconv.ParseFloat(*v, 64); err == nil {
			return f
		}
	case "boolean", "bool":
		if yes, err := strconv.ParseBool(*v); err == nil {
			return yes
		}
	}
	return *v
}

// typedArguments are the values in the order of the parameters.
func (t *template) typedArguments() []any {
	var out []any
	for i, v := range t.arguments() {
		out = append(out, typed(t.r.Params[i], v))
	}
	return out
}

// slotArguments are the values in the order of the places.
func (t *template) slotArguments() []any {
	all := t.typedArguments()
	var out []any
	for _, s := range t.st.Slots {
		out = append(out, all[t.number(s)-1])
	}
	return out
}

// place is where a byte of the template is: "jobs.sql:12:8".
func (t *template) place(at int) string {
	query := t.record.Query
	at = min(max(at, 0), len(query))
	line := strings.Count(query[:at], "\n")
	column := at - (strings.LastIndexByte(query[:at], '\n') + 1) + 1
	if t.record.Line > 0 {
		return fmt.Sprintf("%s:%d:%d", t.record.File, t.record.Line+line, column)
	}
	return fmt.Sprintf("%s: line %d, column %d of the query", t.r.Operation, line+1, column)
}

// near finds a word of the statement that an error names; -1 if it is not there.
func (t *template) near(word string) int {
	if word == "" {
		return -1
	}
	return strings.Index(t.st.Text, word)
}

// facts are what the words of the statement say.
func (t *template) facts() *Facts {
	f := &Facts{Driver: t.c.Driver, Connection: t.c.Name, Statement: t.st.Verb, Effect: "read-only", Parameters: len(t.r.Params), By: "words", Functions: t.st.Functions()}
	if t.st.Explained {
		f.Statement = "EXPLAIN " + f.Statement
	}
	if !t.st.Reads() {
		f.Effect = "write"
	}
	return f
}

// cannotOnlyRead is the refusal of a template that says read and can do more.
func (t *template) cannotOnlyRead(f *Facts, what string) *refusal {
	f.Effect, f.Refused = "write", what
	return &refusal{message: fmt.Sprintf("%s says that it reads and can do more: %s", t.r.Operation, what), facts: f}
}

func (c *connection) dialect() sqltext.Dialect {
	switch c.Driver {
	case postgresDriver:
		return sqltext.Postgres
	case mysqlDriver:
		return sqltext.MySQL
	}
	return sqltext.SQLite
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
