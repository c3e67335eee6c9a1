// Package remote asks databases and hosts for a tool: SQLite and PostgreSQL, by
// connections and transactions that only read but for the queries that may write;
// hosts that a signature names, at public addresses.
//
//   - db.go, sqlite.go, postgres.go: queries
//   - http.go: requests
package remote

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/tool-mapping-protocol/tmp/internal/forge/bridge"
)

// Query is a query of a tool: one of the configuration by its name, or a statement.
type Query struct {
	Name   string          `json:"name"`
	SQL    string          `json:"sql"`
	Params json.RawMessage `json:"params"`
	Rows   bool            `json:"rows"` // arrays in the place of objects
}

// connection is an open database.
type connection interface {
	// query runs one statement; write says that it may change something.
	query(ctx context.Context, sql string, params []any, write bool) (*table, error)
	close()
}

// table is the rows of a result.
type table struct {
	columns []string
	rows    [][]any
}

// maxRows is how many rows a result has at most.
const maxRows = 10_000

// World asks databases and hosts. It is of one run.
type World struct{ conn connection }

// Close ends the connection.
func (w *World) Close() {
	if w.conn != nil {
		w.conn.close()
		w.conn = nil
	}
}

// Query runs a query of a tool.
func (w *World) Query(ctx context.Context, g *bridge.Grants, query json.RawMessage) (any, error) {
	var q Query
	if json.Unmarshal(query, &q) != nil {
		return nil, bridge.Violation("a call with arguments of another type")
	}
	d := g.DB
	if d.URL == "" {
		return nil, bridge.Fail("ENODB", "the address of the database is not set")
	}
	sql, write := q.SQL, false
	if q.Name != "" {
		var ok bool
		if sql, ok = named(d, q.Name); !ok {
			return nil, bridge.Fail("ENOENT", "there is no query of that name")
		}
		if write = slices.Contains(d.Write, q.Name); write && !g.DBWrite {
			return nil, bridge.Fail("EPERM", "the tool does not declare @effect db-write")
		}
	}
	if strings.ContainsRune(sql, 0) {
		return nil, bridge.Fail("EPERM", "NUL in a statement")
	}
	sql, params, err := positional(sql, q.Params, d.Dialect)
	if err != nil {
		return nil, err
	}
	if !write {
		if err := readOnly(sql); err != nil {
			return nil, err
		}
	}
	if w.conn == nil {
		open := openSQLite
		if d.Dialect == "postgres" {
			open = openPostgres
		}
		if w.conn, err = open(ctx, d); err != nil {
			return nil, err
		}
	}
	t, err := w.conn.query(ctx, sql, params, write)
	if err != nil {
		return nil, err
	}
	if q.Rows {
		if t.rows == nil {
			t.rows = [][]any{}
		}
		return t.rows, nil
	}
	out := make([]map[string]any, len(t.rows))
	for i, row := range t.rows {
		m := map[string]any{}
		for j, c := range t.columns {
			m[c] = row[j]
		}
		out[i] = m
	}
	return out, nil
}

// named finds a query by its whole name, or by what follows "sql." in it.
func named(d *bridge.Database, name string) (string, bool) {
	if s, ok := d.Queries[name]; ok {
		return s, true
	}
	s, ok := d.Queries["sql."+name]
	return s, ok
}

// piece is a part of a statement: code, or text that is quoted or a comment.
type piece struct {
	text string
	code bool
}

// pieces splits a statement into code and quoted text.
func pieces(sql string) (out []piece) {
	start := 0
	flush := func(to int) {
		if to > start {
			out = append(out, piece{sql[start:to], true})
		}
	}
	for i := 0; i < len(sql); {
		end := quotedEnd(sql, i)
		if end == i {
			i++
			continue
		}
		flush(i)
		out = append(out, piece{sql[i:end], false})
		i, start = end, end
	}
	flush(len(sql))
	return out
}

// quotedEnd is where the quoted text or comment that begins at i ends; i if none
// begins there.
func quotedEnd(sql string, i int) int {
	until := func(from int, mark string) int {
		if at := strings.Index(sql[from:], mark); at >= 0 {
			return from + at + len(mark)
		}
		return len(sql)
	}
	switch c := sql[i]; {
	case c == '\'' || c == '"' || c == '`':
		escapes := c == '\'' && i > 0 && (sql[i-1] == 'e' || sql[i-1] == 'E')
		for j := i + 1; j < len(sql); j++ {
			switch {
			case escapes && sql[j] == '\\':
				j++
			case sql[j] == c && j+1 < len(sql) && sql[j+1] == c:
				j++
			case sql[j] == c:
				return j + 1
			}
		}
		return len(sql)
	case strings.HasPrefix(sql[i:], "--"):
		return until(i, "\n")
	case strings.HasPrefix(sql[i:], "/*"):
		depth := 0
		for j := i; j < len(sql); j++ {
			switch {
			case strings.HasPrefix(sql[j:], "/*"):
				depth++
				j++
			case strings.HasPrefix(sql[j:], "*/"):
				j++
				if depth--; depth == 0 {
					return j + 1
				}
			}
		}
		return len(sql)
	case c == '$': // $tag$ … $tag$
		j := i + 1
		for j < len(sql) && (sql[j] == '_' || unicode.IsLetter(rune(sql[j])) || j > i+1 && unicode.IsDigit(rune(sql[j]))) {
			j++
		}
		if j < len(sql) && sql[j] == '$' {
			return until(j+1, sql[i:j+1])
		}
	}
	return i
}

var errStatement = bridge.Fail("EPERM", "one statement that reads: SELECT, WITH, VALUES; what writes is a query of db.write")

// readers are the words that a statement that reads begins with.
var readers = []string{"select", "with", "values", "table", "explain"}

// actors are functions that do more than read.
var actors = []string{
	"load_extension", "writefile", "edit", "fts3_tokenizer", "set_config", "nextval", "setval", "pg_terminate_backend", "pg_cancel_backend",
	"pg_reload_conf", "pg_rotate_logfile", "pg_read_file", "pg_read_binary_file", "pg_ls_dir", "pg_stat_file", "pg_notify", "pg_switch_wal",
	"pg_promote", "pg_create_restore_point", "pg_import_system_collations", "pg_file_write", "pg_execute_server_program", "lo_import", "lo_export",
	"lo_create", "lo_creat", "lo_unlink", "lo_put", "lo_from_bytea", "lowrite", "txid_current", "pg_export_snapshot", "query_to_xml", "database_to_xml",
}

// actorPrefixes are beginnings of such names.
var actorPrefixes = []string{"dblink", "pg_advisory", "pg_try_advisory", "pg_logical", "pg_replication", "pg_create_", "pg_drop_", "pg_backup", "pg_wal_replay"}

// forbiddenWords never stand in a statement that reads.
var forbiddenWords = []string{"insert", "update", "delete", "merge", "attach", "detach", "pragma", "vacuum", "reindex", "copy", "truncate", "drop", "alter", "create", "grant", "revoke", "into", "lock", "call", "do", "commit", "rollback", "begin", "savepoint", "listen", "notify"}

// readOnly reports why a statement is not one that reads. The database itself is the
// wall: a connection or a transaction that cannot write; this is the door before it.
func readOnly(sql string) error {
	code := ""
	words := []string{}
	for _, p := range pieces(sql) {
		if p.code {
			code += p.text
			words = append(words, strings.FieldsFunc(strings.ToLower(p.text), func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })...)
			continue
		}
		code += " "
		if len(p.text) > 1 && (p.text[0] == '"' || p.text[0] == '`') { // a quoted name is a name
			if act(strings.ToLower(strings.Trim(p.text, "\"`"))) {
				return bridge.Fail("EPERM", "a function that does more than read")
			}
		}
	}
	if i := strings.IndexByte(code, ';'); i >= 0 && strings.TrimSpace(code[i+1:]) != "" {
		return errStatement
	}
	if len(words) == 0 || !slices.Contains(readers, words[0]) {
		return errStatement
	}
	if words[0] == "explain" {
		rest := words[1:]
		for len(rest) > 0 && slices.Contains([]string{"query", "plan", "verbose", "analyze", "costs", "format", "json", "text", "buffers", "on", "off", "true", "false"}, rest[0]) {
			rest = rest[1:]
		}
		if len(rest) == 0 || !slices.Contains(readers, rest[0]) {
			return errStatement
		}
	}
	for i, w := range words {
		if act(w) {
			return bridge.Fail("EPERM", "a function that does more than read")
		}
		if slices.Contains(forbiddenWords, w) && !column(code, w, i) {
			return errStatement
		}
	}
	return nil
}

// column reports whether a word can only be the name of a column here: after a dot.
func column(code, word string, _ int) bool {
	low := strings.ToLower(code)
	for i := strings.Index(low, word); i >= 0; {
		if i == 0 || low[i-1] != '.' {
			before, after := i == 0 || !wordByte(low[i-1]), i+len(word) >= len(low) || !wordByte(low[i+len(word)])
			if before && after {
				return false
			}
		}
		next := strings.Index(low[i+1:], word)
		if next < 0 {
			break
		}
		i += 1 + next
	}
	return true
}

func wordByte(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c >= 0x80
}

func act(word string) bool {
	return slices.Contains(actors, word) || slices.ContainsFunc(actorPrefixes, func(p string) bool { return strings.HasPrefix(word, p) })
}

// positional writes the parameters of a statement as the driver wants them, "?" or
// $1, whether they were "?", $1 or :name.
func positional(sql string, raw json.RawMessage, dialect string) (string, []any, error) {
	var list []any
	var byName map[string]any
	if len(raw) > 0 && string(raw) != "null" {
		dec := json.NewDecoder(strings.NewReader(string(raw)))
		dec.UseNumber()
		var v any
		if err := dec.Decode(&v); err != nil {
			return "", nil, bridge.Fail("EINVAL", "the parameters are no JSON")
		}
		switch v := v.(type) {
		case []any:
			list = v
		case map[string]any:
			byName = v
		default:
			return "", nil, bridge.Fail("EINVAL", "parameters are a list or an object")
		}
	}
	var b strings.Builder
	var out []any
	mark := func(v any) {
		out = append(out, v)
		if dialect == "postgres" {
			fmt.Fprintf(&b, "$%d", len(out))
			return
		}
		fmt.Fprintf(&b, "?%d", len(out))
	}
	at := 0
	for _, p := range pieces(sql) {
		if !p.code {
			b.WriteString(p.text)
			continue
		}
		t := p.text
		for i := 0; i < len(t); i++ {
			c := t[i]
			switch {
			case c == ':' && i+1 < len(t) && t[i+1] == ':':
				b.WriteString("::")
				i++
			case c == ':' && i+1 < len(t) && (t[i+1] == '_' || unicode.IsLetter(rune(t[i+1]))):
				j := i + 1
				for j < len(t) && (t[j] == '_' || unicode.IsLetter(rune(t[j])) || unicode.IsDigit(rune(t[j]))) {
					j++
				}
				v, ok := byName[t[i+1:j]]
				if !ok {
					return "", nil, bridge.Fail("EINVAL", "the parameter "+t[i+1:j]+" is missing")
				}
				mark(v)
				i = j - 1
			case c == '?' && list != nil && (dialect != "postgres" || !strings.Contains(sql, "$1")):
				if at >= len(list) {
					return "", nil, bridge.Fail("EINVAL", "a parameter is missing")
				}
				mark(list[at])
				at++
			default:
				b.WriteByte(c)
			}
		}
	}
	if list != nil && at == 0 {
		out = list // $1, $2 as they are
	}
	for i, v := range out {
		out[i] = plain(v)
	}
	return b.String(), out, nil
}

// plain is a parameter as a driver takes it.
func plain(v any) any {
	switch v := v.(type) {
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return n
		}
		f, _ := v.Float64()
		return f
	case []any, map[string]any:
		data, _ := json.Marshal(v)
		return string(data)
	}
	return v
}
