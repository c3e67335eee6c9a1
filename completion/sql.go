package completion

import (
	"context"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/risk"
	"github.com/tool-mapping-protocol/tmp/internal/shline"
	"github.com/tool-mapping-protocol/tmp/internal/sqltext"
	"github.com/tool-mapping-protocol/tmp/resolvers"
)

// This file completes statements of SQL inside a word: psql -c "select …",
// sqlite3 FILE ".schema …".

// sqlWord is a word that a database's client reads as SQL.
type sqlWord struct {
	dialect sqltext.Dialect
	before  string // what stands before the statement in the word: "--command="
	text    string // the statement up to the cursor
	place   sqltext.Place
}

// sqlAt returns what the cursor's word is as SQL; ok is false if it is none, or
// if nothing is known of what may stand there. Which words are is the judge's
// knowledge. One that is neither quoted nor has a blank in it may still become
// anything.
func (e *Engine) sqlAt(t *target) (w sqlWord, ok bool) {
	if t.place != argument || t.cursor.Open == shline.Unquoted && !strings.ContainsAny(t.cursor.Text, " \t\n") {
		return w, false
	}
	w.dialect = sqltext.DialectOf(t.bound.Chain[0].Name)
	if w.dialect == sqltext.Any {
		return w, false
	}
	at := len(t.bound.Words)
	for _, code := range risk.Programs(e.Map, append(t.bound.Words[:at:at], t.cursor.Text)) {
		if code.Word == at && code.Dialect == "sql" {
			w.text = code.Text
			w.before = strings.TrimSuffix(t.cursor.Text, code.Text)
			w.place, ok = sqltext.At(w.dialect, w.text, t.suffixText)
		}
	}
	return w, ok
}

// sqlEntry is a name or keyword that may stand at the cursor.
type sqlEntry struct {
	name, text  string // as it is, and as it is written
	description string
	kind        string
	blank       bool // a blank follows: the statement goes on
}

// sqlGatherer collects what may stand at the cursor of a statement.
type sqlGatherer struct {
	sqlWord
	db      *resolvers.Database
	mode    resolvers.Match
	entries []sqlEntry
}

// statement completes the SQL in the cursor's word. The quotes of the word stay
// open: the statement goes on.
func (e *Engine) statement(ctx context.Context, r Request, t *target, s slot, w sqlWord) Answer {
	a := Answer{State: resolvers.Fresh, Handled: true, Replace: t.replace()}
	g := sqlGatherer{sqlWord: w}
	p := &w.place
	message := ""
	if (p.Tables || p.Columns || p.Databases) && !t.elsewhere && e.Resolvers.Database != nil {
		at := len(t.bound.Words)
		var found resolvers.Answer
		g.db, found = e.Resolvers.Database(ctx, resolvers.Request{
			Dir: t.dir, Getenv: t.getenv, CacheDir: e.CacheDir,
			Words: append(append(t.bound.Words[:at:at], t.cursor.Text), t.after...),
		})
		a.Resolver, a.State, message = "sql:tables", found.State, found.Message
		if p.Columns {
			a.Resolver = "sql:columns"
		}
	}
	for g.mode = resolvers.Prefix; ; g.mode++ {
		g.entries = g.entries[:0]
		g.gather(s)
		if a.Match = g.mode; len(g.entries) > 0 || p.Text == "" || g.mode == resolvers.Subsequence {
			break
		}
	}
	if p.Client == ".import" && len(p.Args) == 0 || p.Client == ".read" {
		e.sqlFiles(ctx, t, &g)
	}
	e.written(r, t, g.entries, w, &a)
	if len(a.Candidates) == 0 {
		a.Message = Clean(message)
	}
	return a
}

// written makes the answer's candidates of entries.
func (e *Engine) written(r Request, t *target, entries []sqlEntry, w sqlWord, a *Answer) {
	items := make([]item, 0, len(entries))
	kept := w.before + w.text[:w.place.Start]
	for i, x := range entries {
		it := item{value: kept + x.text, display: x.text, description: x.description, kind: x.kind, weight: len(entries) - i, partial: true, plain: plain(x.text)}
		// fish keeps a quote open only behind a blank.
		if (x.blank || t.dialect == shline.Fish && !strings.HasSuffix(x.text, ".")) && t.suffixText == "" && t.suffix == "" {
			it.value += " "
		}
		items = append(items, it)
	}
	if r.Limit > 0 && len(items) > r.Limit && a.Match == resolvers.Prefix {
		g := gatherer{slot: slot{text: t.cursor.Text}, answer: a}
		if a.Common = g.common(items); a.Common != "" {
			a.CommonInsert = shline.Quote(t.dialect, a.Common, t.cursor, true)
		}
	}
	if r.Limit > 0 && len(items) > r.Limit {
		a.Omitted += len(items) - r.Limit
		items = items[:r.Limit]
	}
	if a.Match == resolvers.Prefix && slices.ContainsFunc(items, func(it item) bool { return !strings.HasPrefix(it.value, t.cursor.Text) }) {
		a.Match = resolvers.SmartCase // the quotes of a name come before what is typed of it
	}
	a.Candidates = e.judge(t, items)
	riskyLast(a.Candidates, items, t.cursor.Text)
	t.insertions(a.Candidates, items, false)
	a.Hold = !r.Armed && holds(a.Candidates, t.cursor.Text, a.Match)
	for i := range a.Candidates {
		a.Candidates[i].Value = strings.TrimSuffix(items[i].value[len(kept):], " ")
	}
}

// gather collects for one way of matching: names, then keywords; where no table
// is named yet the keywords come first, since the columns are those of all.
func (g *sqlGatherer) gather(s slot) {
	p := &g.place
	if p.Columns && len(p.Sources) == 0 && len(p.Qualifier) == 0 && p.Quote == 0 {
		g.keywords()
	}
	switch {
	case g.db == nil:
	case p.Tables:
		g.tables()
	case p.Columns:
		g.columns()
	case p.Databases:
		for _, name := range g.db.Databases {
			g.add(sqlEntry{name: name, kind: "database"})
		}
	}
	if len(g.entries) == 0 || !p.Columns || len(p.Sources) > 0 || len(p.Qualifier) > 0 || p.Quote != 0 {
		g.keywords()
	}
	if g.dialect == sqltext.SQLite && p.Start == 0 && p.Text == "" {
		for _, spec := range s.specs { // .schema, .dump …
			for _, v := range spec.Enum {
				g.entries = append(g.entries, sqlEntry{text: v.Value, description: v.Description, kind: "value", blank: true})
			}
		}
	}
}

// keep reports whether a name fits what is typed. Without quotes names are found
// in any case, once none fits as it stands.
func (g *sqlGatherer) keep(name string) bool {
	text := g.place.Text
	if g.mode == resolvers.SmartCase && g.place.Quote == 0 && len(name) >= len(text) && strings.EqualFold(name[:len(text)], text) {
		return true
	}
	return resolvers.Filter{Text: text, Mode: g.mode}.Keep(name)
}

// add takes a name that fits, quoted as it must be.
func (g *sqlGatherer) add(x sqlEntry) {
	if !g.keep(x.name) {
		return
	}
	if x.text == "" {
		if x.text = sqltext.Quote(g.dialect, x.name); g.place.Quote != 0 {
			x.text = sqltext.EncloseIn(g.place.Quote, x.name)
		}
	}
	g.entries = append(g.entries, x)
}

// keywords adds those of the place, written as the others are.
func (g *sqlGatherer) keywords() {
	p := &g.place
	upper, lower := p.Upper, strings.ToLower(p.Text)
	if p.Text != "" {
		upper = p.Text != lower
	}
	for _, word := range p.Keywords {
		if !strings.HasPrefix(word, lower) {
			continue
		}
		x := sqlEntry{text: word, kind: "keyword", blank: !strings.HasSuffix(word, "(")}
		if upper {
			x.text = strings.ToUpper(word)
		}
		if g.mode == resolvers.Prefix && !strings.HasPrefix(x.text, p.Text) {
			continue // "Sel"
		}
		if g.mode <= resolvers.SmartCase {
			g.entries = append(g.entries, x)
		}
	}
}

// tables adds the tables that need no schema, then the others with theirs, then
// the database's own; behind a schema those in it.
func (g *sqlGatherer) tables() {
	p := &g.place
	if len(p.Qualifier) > 0 {
		schema := p.Qualifier[len(p.Qualifier)-1]
		for i := range g.db.Tables {
			if t := &g.db.Tables[i]; strings.EqualFold(t.Schema, schema) {
				g.add(sqlEntry{name: t.Name, kind: t.Kind, blank: true})
			}
		}
		return
	}
	for _, name := range p.Named {
		g.add(sqlEntry{name: name, kind: "table", blank: true})
	}
	var others, system []sqlEntry
	for i := range g.db.Tables {
		t := &g.db.Tables[i]
		x := sqlEntry{name: t.Name, kind: t.Kind, blank: true}
		switch bare := g.db.Bare(t); {
		case bare && !t.System:
			g.add(x)
			continue
		case !bare && p.Quote != 0:
			continue // the quote stands where the schema must
		case !bare && t.Schema != "pg_catalog":
			x.text = sqltext.Quote(g.dialect, t.Schema) + "." + sqltext.Quote(g.dialect, t.Name)
			if !g.keep(x.name) {
				x.name = t.Schema + "." + t.Name
			}
		}
		if t.System {
			system = append(system, x)
		} else {
			others = append(others, x)
		}
	}
	for _, x := range append(others, system...) {
		g.add(x)
	}
}

// columns adds the columns of the tables that the statement names: behind a name
// those of that table, else of all, with the table's name where two have one.
func (g *sqlGatherer) columns() {
	p := &g.place
	if n := len(p.Qualifier); n > 0 {
		if t := g.meant(p.Qualifier); t != nil {
			g.columnsOf(t, "", nil)
		}
		return
	}
	var tables []*resolvers.DatabaseTable
	var called []string
	seen := map[string]int{}
	for _, s := range p.Sources {
		if s.Table == "" || slices.Contains(p.Named, s.Table) {
			continue
		}
		if t := g.db.Find(s.Schema, s.Table); t != nil {
			tables, called = append(tables, t), append(called, s.Called())
			for _, c := range g.db.Columns(t) {
				seen[c.Name]++
			}
		}
	}
	for i, t := range tables {
		g.columnsOf(t, called[i], seen)
	}
	if len(tables) > 1 {
		for _, name := range called {
			g.add(sqlEntry{name: name, text: sqltext.Quote(g.dialect, name) + ".", kind: "table"})
		}
	}
	if len(p.Sources) == 0 {
		g.everyColumn()
	}
}

// meant returns the table that a qualified column is of: by its alias, or by name.
func (g *sqlGatherer) meant(qualifier []string) *resolvers.DatabaseTable {
	name := qualifier[len(qualifier)-1]
	if len(qualifier) > 1 {
		return g.db.Find(qualifier[len(qualifier)-2], name)
	}
	for _, s := range g.place.Sources {
		if s.Table != "" && strings.EqualFold(s.Called(), name) {
			return g.db.Find(s.Schema, s.Table)
		}
	}
	return g.db.Find("", name)
}

// columnsOf adds the columns of one table; those that others have too get the
// table's name before them.
func (g *sqlGatherer) columnsOf(t *resolvers.DatabaseTable, called string, seen map[string]int) {
	for _, c := range g.db.Columns(t) {
		x := sqlEntry{name: c.Name, description: c.Type, kind: "column"}
		if seen[c.Name] > 1 && g.place.Quote == 0 {
			x.text = sqltext.Quote(g.dialect, called) + "." + sqltext.Quote(g.dialect, c.Name)
		}
		g.add(x)
	}
}

// maxEvery bounds the tables that are looked at for a column of any.
const maxEvery = 500

// everyColumn adds the columns of all tables, each name once.
func (g *sqlGatherer) everyColumn() {
	seen := map[string]bool{}
	looked := 0
	for i := range g.db.Tables {
		t := &g.db.Tables[i]
		if t.System {
			continue
		}
		if looked++; looked > maxEvery {
			return
		}
		for _, c := range g.db.Columns(t) {
			if !seen[c.Name] {
				seen[c.Name] = true
				g.add(sqlEntry{name: c.Name, description: t.Name, kind: "column"})
			}
		}
	}
}

// sqlFiles adds files for the client's commands that read one.
func (e *Engine) sqlFiles(ctx context.Context, t *target, g *sqlGatherer) {
	if g.place.Quote != 0 || t.elsewhere {
		return
	}
	text := g.text[g.place.Start:]
	for _, v := range e.Resolvers.Resolve(ctx, resolvers.Request{Name: "files", Dir: t.dir, Getenv: t.getenv, Filter: resolvers.Filter{Text: text}}).Values {
		if strings.ContainsAny(v.Value, " \"'\\\t") {
			continue // the client's own quoting would be needed
		}
		g.entries = append(g.entries, sqlEntry{text: v.Value, kind: v.Kind, blank: !v.Partial})
	}
}
