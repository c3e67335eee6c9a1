// Package sql has the values of database clients: tables, columns, schemas,
// databases, from a file or from a server that the user has declared.
package sql

import (
	"context"
	"path"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/sqltext"
	"github.com/tool-mapping-protocol/tmp/resolvers"
)

// Read finds the database that the words of the request name. A file is read;
// a server is asked in the background, and only one that the user's own files
// declare. The answer has no values: it says how current what is found is, and
// the database is nil where nothing is known.
func Read(ctx context.Context, r resolvers.Request) (*resolvers.Database, resolvers.Answer) {
	if len(r.Words) == 0 {
		return nil, resolvers.Answer{State: resolvers.Failed, Message: "no command that says which database is meant"}
	}
	switch tool := path.Base(r.Words[0]); sqltext.DialectOf(tool) {
	case sqltext.SQLite:
		return readSQLite(ctx, r)
	case sqltext.Postgres:
		return askPostgres(ctx, r, postgresTarget(r))
	case sqltext.MySQL:
		return askMySQL(ctx, r, mysqlTarget(r))
	default:
		return nil, resolvers.Answer{State: resolvers.Failed, Message: tool + " is no client of a database that is known"}
	}
}

// names writes names as a tool takes them among its arguments.
type names struct {
	dialect sqltext.Dialect
	plain   bool // as they are: the tool reads no SQL there
}

func namesFor(words []string) names {
	tool := path.Base(words[0])
	n := names{dialect: sqltext.DialectOf(tool)}
	_, n.plain = clientOf(tool)
	return n
}

func (n names) quote(name string) string {
	if n.plain {
		return name
	}
	return sqltext.Quote(n.dialect, name)
}

// Tables answers sql:tables: the tables and views, with their schema where
// that is typed or needed; behind a parenthesis the table's columns (vacuumdb -t
// 'users(id').
func Tables(ctx context.Context, r resolvers.Request) resolvers.Answer {
	if table, _, ok := strings.Cut(r.Filter.Text, "("); ok {
		return columnsWithin(ctx, r, table)
	}
	db, a := Read(ctx, r)
	if db == nil {
		return a
	}
	c := resolvers.NewCollector(ctx, r)
	names := namesFor(r.Words)
	qualified := strings.Contains(r.Filter.Text, ".")
	for i := range db.Tables {
		t := &db.Tables[i]
		v := resolvers.Value{Value: names.quote(t.Name), Kind: t.Kind, Weight: 1}
		bare := db.Bare(t)
		if names.plain && names.dialect == sqltext.MySQL && !bare {
			continue // mysqldump takes the tables of the one database
		}
		switch {
		case t.Schema != "" && (qualified || !bare) && !(names.plain && names.dialect == sqltext.Postgres):
			v.Value, v.Weight = names.quote(t.Schema)+"."+v.Value, 0
		case t.Schema != "" && t.Schema != "public":
			v.Description = resolvers.OneLine(t.Schema, 60)
		}
		if t.System {
			v.Weight = -1
		}
		c.Add(v)
		if c.Late() {
			break
		}
	}
	return answer(c, a)
}

// columnsWithin answers "table(column" and goes on within a list.
func columnsWithin(ctx context.Context, r resolvers.Request, table string) resolvers.Answer {
	db, a := Read(ctx, r)
	if db == nil {
		return a
	}
	c := resolvers.NewCollector(ctx, r)
	names := namesFor(r.Words)
	k := strings.LastIndexAny(r.Filter.Text, "(,") + 1
	schema, name := splitSQLName(names.dialect, table)
	if t := db.Find(schema, name); t != nil {
		cols := db.Columns(t)
		for i, col := range cols {
			c.Add(resolvers.Value{Value: r.Filter.Text[:k] + names.quote(col.Name), Description: resolvers.OneLine(col.Type, 60), Kind: "column", Weight: len(cols) - i, Partial: true})
		}
	}
	return answer(c, a)
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

// Columns answers sql:columns: those of the table that -t names or that
// stands before a dot in the text, else the columns of every table.
func Columns(ctx context.Context, r resolvers.Request) resolvers.Answer {
	db, a := Read(ctx, r)
	if db == nil {
		return a
	}
	c := resolvers.NewCollector(ctx, r)
	names := namesFor(r.Words)
	before, table := "", ""
	if k := strings.LastIndexByte(r.Filter.Text, '.'); k >= 0 {
		before, table = r.Filter.Text[:k+1], r.Filter.Text[:k]
	} else if names.dialect == sqltext.Postgres {
		table, _ = resolvers.Option(r.Words, true, "-t", "--table")
	} else if names.dialect == sqltext.MySQL && names.plain { // mysqlshow shop users
		if _, args := sqlWords(r.Words, mysqlLetters(path.Base(r.Words[0])), "p#", mysqlLong); len(args) > 1 {
			table = args[1]
		}
	}
	add := func(t *resolvers.DatabaseTable, weight int) {
		for i, col := range db.Columns(t) {
			c.Add(resolvers.Value{Value: before + names.quote(col.Name), Description: resolvers.OneLine(col.Type+" "+t.Name, 80), Kind: "column", Weight: weight - i})
		}
	}
	if table != "" {
		schema, name := splitSQLName(names.dialect, table)
		if t := db.Find(schema, name); t != nil {
			add(t, maxSQLColumns)
		}
		return answer(c, a)
	}
	for i := range db.Tables {
		if t := &db.Tables[i]; !t.System {
			add(t, 0)
		}
		if c.Late() {
			break
		}
	}
	return answer(c, a)
}

// maxSQLColumns is more than a table has columns.
const maxSQLColumns = 1 << 16

// Schemas answers sql:schemas.
func Schemas(ctx context.Context, r resolvers.Request) resolvers.Answer {
	db, a := Read(ctx, r)
	if db == nil {
		return a
	}
	c := resolvers.NewCollector(ctx, r)
	names := namesFor(r.Words)
	for i := range db.Tables {
		if t := &db.Tables[i]; t.Schema != "" && (i == 0 || db.Tables[i-1].Schema != t.Schema) {
			v := resolvers.Value{Value: names.quote(t.Schema), Kind: "schema"}
			if t.System {
				v.Weight = -1
			}
			c.Add(v)
		}
	}
	return answer(c, a)
}

// Databases answers sql:databases: those of the server, and what the user's
// files name.
func Databases(ctx context.Context, r resolvers.Request) resolvers.Answer {
	if len(r.Words) == 0 {
		return resolvers.Answer{State: resolvers.Failed, Message: "no command that says which server is meant"}
	}
	c := resolvers.NewCollector(ctx, r)
	var db *resolvers.Database
	var a resolvers.Answer
	switch sqltext.DialectOf(path.Base(r.Words[0])) {
	case sqltext.Postgres:
		t := postgresTarget(r)
		t.any = true
		for _, name := range t.declaredDatabases(r) {
			c.Add(resolvers.Value{Value: name, Kind: "database", Weight: 1})
		}
		db, a = askPostgres(ctx, r, t)
	case sqltext.MySQL:
		t := mysqlTarget(r)
		t.dbname = ""
		db, a = askMySQL(ctx, r, t)
	default:
		return resolvers.Answer{State: resolvers.Failed, Message: path.Base(r.Words[0]) + " has no databases by name"}
	}
	if db == nil {
		if found := c.Answer(); len(found.Values) > 0 {
			return found
		}
		return a
	}
	for _, name := range db.Databases {
		c.Add(resolvers.Value{Value: name, Kind: "database"})
	}
	return answer(c, a)
}

// answer gives what was collected the state of what it was collected from.
func answer(c *resolvers.Collector, from resolvers.Answer) resolvers.Answer {
	a := c.Answer()
	if a.State == resolvers.Fresh {
		a.State, a.Message = from.State, from.Message
	}
	return a
}
