package resolvers

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/sqltext"
)

// SQLDatabase is what is known of the database that the words of a command name.
type SQLDatabase struct {
	Tables []SQLTable // the user's before the system's
	// Databases are the names of the others on the same server.
	Databases []string
	// Searched are the schemas whose tables need no schema before their name; of
	// tables that have one name the earlier schema's is meant.
	Searched []string
	// bare says for a name the schema of the table that it means without one.
	bare map[string]string
}

// SQLTable is a table or a view.
type SQLTable struct {
	Schema string // "" in SQLite
	Name   string
	Kind   string // "table", "view", "materialized view" …
	System bool   // the database's own
	// columns are what the server says of them: names and types in turn, 0x1f
	// between two; create is the statement that says it in SQLite.
	columns, create string
}

// SQLColumn is a column of a table.
type SQLColumn struct{ Name, Type string }

// ReadSQL finds the database that the words of the request name. A file is read;
// a server is asked in the background, and only one that the user's own files
// declare. The answer has no values: it says how current what is found is, and
// the database is nil where nothing is known.
func ReadSQL(ctx context.Context, r Request) (*SQLDatabase, Answer) {
	if len(r.Words) == 0 {
		return nil, Answer{State: Failed, Message: "no command that says which database is meant"}
	}
	switch tool := path.Base(r.Words[0]); sqltext.DialectOf(tool) {
	case sqltext.SQLite:
		return readSQLite(ctx, r)
	case sqltext.Postgres:
		return askPostgres(ctx, r, postgresTarget(r))
	case sqltext.MySQL:
		return askMySQL(ctx, r, mysqlTarget(r))
	default:
		return nil, Answer{State: Failed, Message: tool + " is no client of a database that is known"}
	}
}

// Columns returns the columns of a table of the database.
func (d *SQLDatabase) Columns(t *SQLTable) []SQLColumn { return d.columnsOf(t, 0) }

// maxViews bounds views that are made of views.
const maxViews = 8

func (d *SQLDatabase) columnsOf(t *SQLTable, depth int) []SQLColumn {
	if t.create != "" {
		var cols []SQLColumn
		for _, c := range sqltext.Columns(t.create, func(table string) []sqltext.Column {
			var of []sqltext.Column
			if i := d.index(table); i >= 0 && depth < maxViews {
				for _, c := range d.columnsOf(&d.Tables[i], depth+1) {
					of = append(of, sqltext.Column(c))
				}
			}
			return of
		}) {
			cols = append(cols, SQLColumn(c))
		}
		return cols
	}
	if t.columns == "" {
		return nil
	}
	f := strings.Split(t.columns, "\x1f")
	cols := make([]SQLColumn, 0, len(f)/2)
	for i := 0; i+1 < len(f); i += 2 {
		cols = append(cols, SQLColumn{f[i], f[i+1]})
	}
	return cols
}

func (d *SQLDatabase) index(name string) int {
	return slices.IndexFunc(d.Tables, func(t SQLTable) bool { return strings.EqualFold(t.Name, name) })
}

// Find returns the table that a statement means by a name, with or without a
// schema, or nil. Case counts only where two tables differ in nothing else.
func (d *SQLDatabase) Find(schema, name string) *SQLTable {
	var best *SQLTable
	bestRank := 0
	for i := range d.Tables {
		t := &d.Tables[i]
		if !strings.EqualFold(t.Name, name) || schema != "" && !strings.EqualFold(t.Schema, schema) {
			continue
		}
		rank := 1
		if t.Name == name {
			rank += 2
		}
		if k := slices.Index(d.Searched, t.Schema); k >= 0 {
			rank += 4 * (len(d.Searched) - k)
		}
		if rank > bestRank {
			best, bestRank = t, rank
		}
	}
	return best
}

// Bare reports whether a table's name needs no schema before it.
func (d *SQLDatabase) Bare(t *SQLTable) bool {
	if t.Schema == "" {
		return true
	}
	if d.bare == nil {
		d.bare = make(map[string]string, len(d.Tables))
		for _, schema := range d.Searched {
			for i := range d.Tables {
				x := &d.Tables[i]
				if _, ok := d.bare[x.Name]; !ok && x.Schema == schema {
					d.bare[x.Name] = schema
				}
			}
		}
	}
	schema, ok := d.bare[t.Name]
	return ok && schema == t.Schema
}

// sqlNames writes names as a tool takes them among its arguments.
type sqlNames struct {
	dialect sqltext.Dialect
	plain   bool // as they are: the tool reads no SQL there
}

func sqlNamesFor(words []string) sqlNames {
	tool := path.Base(words[0])
	n := sqlNames{dialect: sqltext.DialectOf(tool)}
	_, n.plain = sqlTool(tool)
	return n
}

func (n sqlNames) quote(name string) string {
	if n.plain {
		return name
	}
	return sqltext.Quote(n.dialect, name)
}

// sqlTables answers sql:tables: the tables and views, with their schema where
// that is typed or needed; behind a parenthesis the table's columns (vacuumdb -t
// 'users(id').
func sqlTables(ctx context.Context, r Request) Answer {
	if table, _, ok := strings.Cut(r.Filter.Text, "("); ok {
		return sqlColumnsWithin(ctx, r, table)
	}
	db, a := ReadSQL(ctx, r)
	if db == nil {
		return a
	}
	c := newCollector(ctx, r)
	names := sqlNamesFor(r.Words)
	qualified := strings.Contains(r.Filter.Text, ".")
	for i := range db.Tables {
		t := &db.Tables[i]
		v := Value{Value: names.quote(t.Name), Kind: t.Kind, Weight: 1}
		bare := db.Bare(t)
		if names.plain && names.dialect == sqltext.MySQL && !bare {
			continue // mysqldump takes the tables of the one database
		}
		switch {
		case t.Schema != "" && (qualified || !bare) && !(names.plain && names.dialect == sqltext.Postgres):
			v.Value, v.Weight = names.quote(t.Schema)+"."+v.Value, 0
		case t.Schema != "" && t.Schema != "public":
			v.Description = oneLine(t.Schema, 60)
		}
		if t.System {
			v.Weight = -1
		}
		c.add(v)
		if c.late() {
			break
		}
	}
	return sqlAnswer(c, a)
}

// sqlColumnsWithin answers "table(column" and goes on within a list.
func sqlColumnsWithin(ctx context.Context, r Request, table string) Answer {
	db, a := ReadSQL(ctx, r)
	if db == nil {
		return a
	}
	c := newCollector(ctx, r)
	names := sqlNamesFor(r.Words)
	k := strings.LastIndexAny(r.Filter.Text, "(,") + 1
	schema, name := splitSQLName(names.dialect, table)
	if t := db.Find(schema, name); t != nil {
		cols := db.Columns(t)
		for i, col := range cols {
			c.add(Value{Value: r.Filter.Text[:k] + names.quote(col.Name), Description: oneLine(col.Type, 60), Kind: "column", Weight: len(cols) - i, Partial: true})
		}
	}
	return sqlAnswer(c, a)
}

// splitSQLName takes "schema.table" apart, quotes or none.
func splitSQLName(d sqltext.Dialect, text string) (schema, name string) {
	tokens, _ := sqltext.Tokens(d, text)
	for _, t := range tokens {
		if t.Kind == sqltext.Word || t.Kind == sqltext.Quoted {
			schema, name = name, t.Name()
		}
	}
	return schema, name
}

// sqlColumns answers sql:columns: those of the table that -t names or that
// stands before a dot in the text, else the columns of every table.
func sqlColumns(ctx context.Context, r Request) Answer {
	db, a := ReadSQL(ctx, r)
	if db == nil {
		return a
	}
	c := newCollector(ctx, r)
	names := sqlNamesFor(r.Words)
	before, table := "", ""
	if k := strings.LastIndexByte(r.Filter.Text, '.'); k >= 0 {
		before, table = r.Filter.Text[:k+1], r.Filter.Text[:k]
	} else if names.dialect == sqltext.Postgres {
		table, _ = option(r.Words, true, "-t", "--table")
	} else if names.dialect == sqltext.MySQL && names.plain { // mysqlshow shop users
		if _, args := sqlWords(r.Words, mysqlLetters(path.Base(r.Words[0])), "p#", mysqlLong); len(args) > 1 {
			table = args[1]
		}
	}
	add := func(t *SQLTable, weight int) {
		for i, col := range db.Columns(t) {
			c.add(Value{Value: before + names.quote(col.Name), Description: oneLine(col.Type+" "+t.Name, 80), Kind: "column", Weight: weight - i})
		}
	}
	if table != "" {
		schema, name := splitSQLName(names.dialect, table)
		if t := db.Find(schema, name); t != nil {
			add(t, maxSQLColumns)
		}
		return sqlAnswer(c, a)
	}
	for i := range db.Tables {
		if t := &db.Tables[i]; !t.System {
			add(t, 0)
		}
		if c.late() {
			break
		}
	}
	return sqlAnswer(c, a)
}

// maxSQLColumns is more than a table has columns.
const maxSQLColumns = 1 << 16

// sqlSchemas answers sql:schemas.
func sqlSchemas(ctx context.Context, r Request) Answer {
	db, a := ReadSQL(ctx, r)
	if db == nil {
		return a
	}
	c := newCollector(ctx, r)
	names := sqlNamesFor(r.Words)
	for i := range db.Tables {
		if t := &db.Tables[i]; t.Schema != "" && (i == 0 || db.Tables[i-1].Schema != t.Schema) {
			v := Value{Value: names.quote(t.Schema), Kind: "schema"}
			if t.System {
				v.Weight = -1
			}
			c.add(v)
		}
	}
	return sqlAnswer(c, a)
}

// sqlDatabases answers sql:databases: those of the server, and what the user's
// files name.
func sqlDatabases(ctx context.Context, r Request) Answer {
	if len(r.Words) == 0 {
		return Answer{State: Failed, Message: "no command that says which server is meant"}
	}
	c := newCollector(ctx, r)
	var db *SQLDatabase
	var a Answer
	switch sqltext.DialectOf(path.Base(r.Words[0])) {
	case sqltext.Postgres:
		t := postgresTarget(r)
		t.any = true
		for _, name := range t.declaredDatabases(r) {
			c.add(Value{Value: name, Kind: "database", Weight: 1})
		}
		db, a = askPostgres(ctx, r, t)
	case sqltext.MySQL:
		t := mysqlTarget(r)
		t.dbname = ""
		db, a = askMySQL(ctx, r, t)
	default:
		return Answer{State: Failed, Message: path.Base(r.Words[0]) + " has no databases by name"}
	}
	if db == nil {
		if found := c.answer(); len(found.Values) > 0 {
			return found
		}
		return a
	}
	for _, name := range db.Databases {
		c.add(Value{Value: name, Kind: "database"})
	}
	return sqlAnswer(c, a)
}

// sqlAnswer gives what was collected the state of what it was collected from.
func sqlAnswer(c *collector, from Answer) Answer {
	a := c.answer()
	if a.State == Fresh {
		a.State, a.Message = from.State, from.Message
	}
	return a
}
