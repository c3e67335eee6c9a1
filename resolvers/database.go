package resolvers

import (
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/sqltext"
)

// Database is what is known of the database that the words of a command name.
type Database struct {
	Tables []DatabaseTable // the user's before the system's
	// Databases are the names of the others on the same server.
	Databases []string
	// Searched are the schemas whose tables need no schema before their name; of
	// tables that have one name the earlier schema's is meant.
	Searched []string
	// bare says for a name the schema of the table that it means without one.
	bare map[string]string
}

// DatabaseTable is a table or a view.
type DatabaseTable struct {
	Schema string // "" in SQLite
	Name   string
	Kind   string // "table", "view", "materialized view" …
	System bool   // the database's own
	// columns are what the server says of them: names and types in turn, 0x1f
	// between two; create is the statement that says it in SQLite.
	Listed, Created string
}

// DatabaseColumn is a column of a table.
type DatabaseColumn struct{ Name, Type string }

// Columns returns the columns of a table of the database.
func (d *Database) Columns(t *DatabaseTable) []DatabaseColumn { return d.columnsOf(t, 0) }

// maxViews bounds views that are made of views.
const maxViews = 8

func (d *Database) columnsOf(t *DatabaseTable, depth int) []DatabaseColumn {
	if t.Created != "" {
		var cols []DatabaseColumn
		for _, c := range sqltext.Columns(t.Created, func(table string) []sqltext.Column {
			var of []sqltext.Column
			if i := d.index(table); i >= 0 && depth < maxViews {
				for _, c := range d.columnsOf(&d.Tables[i], depth+1) {
					of = append(of, sqltext.Column(c))
				}
			}
			return of
		}) {
			cols = append(cols, DatabaseColumn(c))
		}
		return cols
	}
	if t.Listed == "" {
		return nil
	}
	f := strings.Split(t.Listed, "\x1f")
	cols := make([]DatabaseColumn, 0, len(f)/2)
	for i := 0; i+1 < len(f); i += 2 {
		cols = append(cols, DatabaseColumn{f[i], f[i+1]})
	}
	return cols
}

func (d *Database) index(name string) int {
	return slices.IndexFunc(d.Tables, func(t DatabaseTable) bool { return strings.EqualFold(t.Name, name) })
}

// Find returns the table that a statement means by a name, with or without a
// schema, or nil. Case counts only where two tables differ in nothing else.
func (d *Database) Find(schema, name string) *DatabaseTable {
	var best *DatabaseTable
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
func (d *Database) Bare(t *DatabaseTable) bool {
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
