package sql

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/tool-mapping-protocol/tmp/internal/sqltext"
)

// A statement goes to PostgreSQL by the extended protocol, which takes one; one that
// only reads goes in a transaction that is read-only, of a role that can neither leave
// that nor reach the machine. Functions that act outside of transactions are refused by
// their names.

type postgresDatabase struct {
	conn *pgconn.PgConn
	c    *connection
}

//go:embed postgres.txt
var postgresActing string

// openPostgres connects and looks at the role.
func openPostgres(ctx context.Context, c *connection, reads bool) (database, error) {
	c.homeFiles()
	from := c.URL
	if c.Service != "" {
		from = "service=" + quoteConninfo(c.Service)
	}
	config, err := pgconn.ParseConfig(from)
	if err != nil {
		return nil, refuse("[sql.%s] of config.toml: %s", c.Name, withoutSecret(err, c.URL))
	}
	config.RuntimeParams["application_name"] = "tmp"
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = 10 * time.Second
	}
	config.BuildFrontend = func(r io.Reader, w io.Writer) *pgproto3.Frontend {
		f := pgproto3.NewFrontend(r, w)
		f.SetMaxBodyLen(maxValue)
		return f
	}
	conn, err := pgconn.ConnectConfig(ctx, config)
	if err != nil {
		return nil, &fault{message: withoutSecret(err, config.Password), at: -1}
	}
	p := &postgresDatabase{conn, c}
	settings := []string{
		"SET standard_conforming_strings = on", "SET DateStyle = 'ISO, MDY'", "SET IntervalStyle = 'iso_8601'", "SET bytea_output = 'hex'", "SET client_encoding = 'UTF8'",
		fmt.Sprintf("SET statement_timeout = %d", remaining(ctx, time.Hour).Milliseconds()+5000), "SET extra_float_digits = 1",
	}
	if reads {
		settings = append(settings, "SET default_transaction_read_only = on")
	}
	if err := p.own(ctx, strings.Join(settings, "; ")); err != nil {
		p.Close()
		return nil, postgresFault(nil, err)
	}
	if err := p.checkRole(ctx); err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

// homeFiles names the user's files where libpq looks for them: in HOME, and not where
// the system's accounts say that it is.
func (c *connection) homeFiles() {
	home := c.getenv("HOME")
	for variable, name := range map[string]string{"PGSERVICEFILE": ".pg_service.conf", "PGPASSFILE": ".pgpass"} {
		if file := filepath.Join(home, name); home != "" && c.getenv(variable) == "" {
			_ = os.Setenv(variable, file)
		}
	}
}

func quoteConninfo(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(s) + "'"
}

// withoutSecret is an error without a text that must not be shown.
func withoutSecret(err error, secret string) string {
	text := err.Error()
	if secret != "" {
		text = strings.ReplaceAll(text, secret, "$SECRET")
	}
	return text
}

func (p *postgresDatabase) Close() {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	_ = p.conn.Close(ctx)
}

// own runs statements of ours.
func (p *postgresDatabase) own(ctx context.Context, text string) error {
	_, err := p.conn.Exec(ctx, text).ReadAll()
	return err
}

// ask runs a query of ours and returns its rows as text.
func (p *postgresDatabase) ask(ctx context.Context, text string, args ...string) ([][]string, error) {
	var values [][]byte
	for _, a := range args {
		values = append(values, []byte(a))
	}
	r := p.conn.ExecParams(ctx, text, values, nil, nil, nil).Read()
	if r.Err != nil {
		return nil, r.Err
	}
	var out [][]string
	for _, row := range r.Rows {
		var texts []string
		for _, v := range row {
			texts = append(texts, string(v))
		}
		out = append(out, texts)
	}
	return out, nil
}

// roleQuery says what the roles of the session can do beyond SQL.
const roleQuery = `SELECT r.rolname,
 EXISTS (SELECT 1 FROM pg_catalog.pg_roles s WHERE s.rolsuper AND pg_catalog.pg_has_role(r.oid, s.oid, 'MEMBER')),
 r.rolreplication,
 COALESCE((SELECT string_agg(s.rolname, ' ') FROM pg_catalog.pg_roles s WHERE s.rolname IN ('pg_execute_server_program', 'pg_write_server_files', 'pg_read_server_files') AND pg_catalog.pg_has_role(r.oid, s.oid, 'MEMBER')), '')
 FROM pg_catalog.pg_roles r WHERE r.rolname IN (current_user, session_user)`

// checkRole refuses a role that can do more than its tables allow.
func (p *postgresDatabase) checkRole(ctx context.Context) error {
	found, err := p.ask(ctx, roleQuery)
	if err != nil {
		return postgresFault(nil, err)
	}
	for _, row := range found {
		what := ""
		switch {
		case row[1] == "t":
			what = "is a superuser or can become one"
		case row[2] == "t":
			what = "may replicate"
		case row[3] != "":
			what = "is a member of " + row[3]
		default:
			continue
		}
		no := refuse("the role %s of the connection %s %s: no statement is run as that", row[0], p.c.Name, what)
		no.hints = []string{
			"make a role for it: CREATE ROLE tmp_reader LOGIN PASSWORD '…' NOSUPERUSER NOREPLICATION; GRANT CONNECT ON DATABASE … TO tmp_reader; GRANT USAGE ON SCHEMA public TO tmp_reader; GRANT SELECT ON ALL TABLES IN SCHEMA public TO tmp_reader",
		}
		return no
	}
	if len(found) == 0 {
		return refuse("the role of the connection %s cannot be looked at", p.c.Name)
	}
	return nil
}

// changingPostgres are the verbs of statements that change the database and nothing
// outside of it.
var changingPostgres = []string{"INSERT", "UPDATE", "DELETE", "MERGE", "TRUNCATE", "CREATE", "ALTER", "DROP", "GRANT", "REVOKE", "COMMENT", "REFRESH", "ANALYZE"}

// words judges a template by its words: the verb, and the names of what it calls.
func (p *postgresDatabase) words(t *template, reads bool) error {
	f := t.facts()
	if reads {
		if !t.st.Reads() || t.st.Verb == "SHOW" {
			verb := t.st.Verb
			if verb == "" || verb == "SELECT" || verb == "VALUES" || verb == "TABLE" {
				verb = "a statement within it"
			}
			return t.cannotOnlyRead(f, verb)
		}
	} else if !t.st.Reads() && !slices.Contains(changingPostgres, t.st.Verb) {
		return refuse("%s: %s is no statement that is run", t.r.Operation, t.st.Verb)
	}
	for i, token := range t.st.Tokens {
		// U&"…" writes a name in other letters.
		if token.Kind == sqltext.Word && strings.EqualFold(token.Text, "u") && i+1 < len(t.st.Tokens) && t.st.Tokens[i+1].IsSymbol('&') && t.st.Tokens[i+1].Start == token.End {
			return t.cannotOnlyRead(f, "a name that is written U&")
		}
	}
	if name := acting(postgresActing, t.st.Calls()); name != "" {
		if reads {
			return t.cannotOnlyRead(f, "the function "+name)
		}
		return refuse("%s: the function %s acts outside of the database", t.r.Operation, name)
	}
	return nil
}

// acting is the first of the names that a list has, whose lines are names or
// beginnings of them, "lo_*".
func acting(list string, names []string) string {
	for _, name := range names {
		for line := range strings.Lines(list) {
			line = strings.TrimSpace(line)
			head, isHead := strings.CutSuffix(line, "*")
			if line != "" && line[0] != '#' && (name == line || isHead && strings.HasPrefix(name, head)) {
				return name
			}
		}
	}
	return ""
}

// begin opens the transaction that the statement is in.
func (p *postgresDatabase) begin(ctx context.Context, reads bool) error {
	if reads {
		return p.own(ctx, "BEGIN READ ONLY")
	}
	return p.own(ctx, "BEGIN")
}

// back takes back what was done, whatever the caller's time.
func (p *postgresDatabase) back() {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	_ = p.own(ctx, "ROLLBACK")
}

func (p *postgresDatabase) Check(ctx context.Context, t *template, reads bool) (*Facts, error) {
	f := t.facts()
	if err := p.words(t, reads); err != nil {
		return f, err
	}
	if err := p.begin(ctx, reads); err != nil {
		return f, postgresFault(t, err)
	}
	defer p.back()
	d, err := p.conn.Prepare(ctx, "", t.sent.Text, nil)
	if err != nil {
		return f, postgresFault(t, err)
	}
	f.By = "prepare"
	for _, field := range d.Fields {
		f.Columns = append(f.Columns, field.Name)
	}
	if t.st.Reads() && !t.st.Explained {
		f.Reads = p.tables(ctx, t)
	} else {
		f.Writes = []string{t.st.Target()}
	}
	unknown, err := p.unknownFunctions(ctx, t.st.Calls())
	if err != nil {
		return f, postgresFault(t, err)
	}
	if reads && len(unknown) > 0 {
		return f, t.cannotOnlyRead(f, "the function "+strings.Join(unknown, ", ")+" may write: it is VOLATILE")
	}
	return f, nil
}

// unknownFunctions are those of the names that are no part of PostgreSQL and may do
// anything.
func (p *postgresDatabase) unknownFunctions(ctx context.Context, names []string) ([]string, error) {
	if len(names) == 0 {
		return nil, nil
	}
	var quoted []string
	for _, n := range names {
		quoted = append(quoted, `"`+strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(n)+`"`)
	}
	found, err := p.ask(ctx, `SELECT DISTINCT n.nspname || '.' || p.proname FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
 WHERE lower(p.proname) = ANY ($1::text[]) AND p.provolatile = 'v' AND n.nspname <> 'pg_catalog' ORDER BY 1`, "{"+strings.Join(quoted, ",")+"}")
	if err != nil {
		return nil, err
	}
	var out []string
	for _, row := range found {
		out = append(out, row[0])
	}
	return out, nil
}

// tables are the tables that the plan reads; nil where there is none to be had. The plan
// is one for any values.
func (p *postgresDatabase) tables(ctx context.Context, t *template) map[string][]string {
	nulls := strings.TrimSuffix(strings.Repeat("NULL,", len(p.values(t))), ",")
	if nulls != "" {
		nulls = "(" + nulls + ")"
	}
	if p.own(ctx, "SET LOCAL plan_cache_mode = force_generic_plan") != nil {
		return nil
	}
	if p.conn.ExecParams(ctx, "PREPARE tmp_look AS "+t.sent.Text, nil, nil, nil, nil).Read().Err != nil {
		return nil
	}
	r := p.conn.ExecParams(ctx, "EXPLAIN (COSTS OFF, VERBOSE, FORMAT JSON) EXECUTE tmp_look"+nulls, nil, nil, nil, nil).Read()
	if r.Err != nil || len(r.Rows) == 0 || len(r.Rows[0]) == 0 {
		return nil
	}
	var plans []struct{ Plan planNode }
	if json.Unmarshal(r.Rows[0][0], &plans) != nil {
		return nil
	}
	out := map[string][]string{}
	for i := range plans {
		plans[i].Plan.tables(out)
	}
	return out
}

// planNode is a step of a plan.
type planNode struct {
	Relation string     `json:"Relation Name"`
	Schema   string     `json:"Schema"`
	Plans    []planNode `json:"Plans"`
}

func (n *planNode) tables(into map[string][]string) {
	if name := n.Relation; name != "" {
		if n.Schema != "" && n.Schema != "public" {
			name = n.Schema + "." + name
		}
		into[name] = nil
	}
	for i := range n.Plans {
		n.Plans[i].tables(into)
	}
}

// values are the values as the protocol takes them: text, whose type the server finds.
func (p *postgresDatabase) values(t *template) [][]byte {
	most := 0
	for _, slot := range t.st.Slots {
		most = max(most, t.number(slot))
	}
	out := make([][]byte, most)
	for i, v := range t.arguments()[:most] {
		if v != nil {
			out[i] = []byte(*v)
		}
	}
	return out
}

func (p *postgresDatabase) Read(ctx context.Context, t *template, out *rows) error {
	if err := p.words(t, true); err != nil {
		return err
	}
	if err := p.begin(ctx, true); err != nil {
		return postgresFault(t, err)
	}
	defer p.back()
	_, err := p.query(ctx, t, out, true)
	return err
}

// watched runs something on the connection; when the context ends, the server is told
// to end it, and that is awaited: a process that is gone leaves it running there.
func (p *postgresDatabase) watched(ctx context.Context, do func(ctx context.Context) error) error {
	own, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		select {
		case <-done:
		case <-ctx.Done():
			last, cancel := context.WithTimeout(own, 3*time.Second)
			defer cancel()
			_ = p.conn.CancelRequest(last)
			select {
			case <-done:
			case <-last.Done():
				stop() // it does not hear: the connection is given up
			}
		}
	}()
	err := do(own)
	close(done)
	<-ended
	if ctx.Err() != nil && err != nil {
		return ctx.Err()
	}
	return err
}

// query runs the statement and hands its rows on.
func (p *postgresDatabase) query(ctx context.Context, t *template, out *rows, reads bool) (touched int64, err error) {
	err = p.watched(ctx, func(own context.Context) error {
		touched, err = p.rows(ctx, own, t, out, reads)
		return err
	})
	return touched, err
}

// rows is query; ctx is the caller's, own the one that does not end. With more rows
// than are wanted a statement that only reads is ended.
func (p *postgresDatabase) rows(ctx, own context.Context, t *template, out *rows, reads bool) (int64, error) {
	r := p.conn.ExecParams(own, t.sent.Text, p.values(t), nil, nil, nil)
	fields := r.FieldDescriptions()
	if len(fields) > 0 {
		var names []string
		for _, f := range fields {
			names = append(names, f.Name)
		}
		if err := out.head(names); err != nil {
			return 0, err
		}
	}
	ended := false
	for r.NextRow() {
		if out.full() {
			if !out.count(ctx) && reads {
				ended = true
				_ = p.conn.CancelRequest(own)
				break
			}
			continue
		}
		row := make([]cell, len(fields))
		for i, v := range r.Values() {
			row[i] = postgresCell(v, fields[i].DataTypeOID)
		}
		if err := out.row(row); err != nil {
			return 0, err
		}
	}
	tag, err := r.Close()
	if err != nil && !ended {
		return 0, postgresFault(t, err)
	}
	return tag.RowsAffected(), nil
}

func (p *postgresDatabase) Write(ctx context.Context, t *template, out *rows, allow func(int64) error) (int64, error) {
	if err := p.words(t, false); err != nil {
		return 0, err
	}
	if err := p.begin(ctx, false); err != nil {
		return 0, postgresFault(t, err)
	}
	touched, err := p.query(ctx, t, out, false)
	if err == nil {
		err = allow(touched)
	}
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		p.back()
		return touched, err
	}
	if err := p.own(ctx, "COMMIT"); err != nil {
		return touched, postgresFault(t, err)
	}
	return touched, nil
}

func (p *postgresDatabase) Try(ctx context.Context, t *template) (int64, bool, error) {
	if err := p.words(t, false); err != nil {
		return 0, false, err
	}
	if err := p.begin(ctx, false); err != nil {
		return 0, false, postgresFault(t, err)
	}
	defer p.back()
	touched, err := p.query(ctx, t, newRows(nil, t.r, t.c.MaxRows), false)
	return touched, err == nil && slices.Contains([]string{"INSERT", "UPDATE", "DELETE", "MERGE", "SELECT"}, t.st.Verb), err
}

func (p *postgresDatabase) Plan(ctx context.Context, t *template) ([]string, error) {
	if t.st.Explained || !t.st.Reads() && !slices.Contains([]string{"INSERT", "UPDATE", "DELETE", "MERGE"}, t.st.Verb) {
		return nil, nil
	}
	if err := p.begin(ctx, true); err != nil {
		return nil, postgresFault(t, err)
	}
	defer p.back()
	r := p.conn.ExecParams(ctx, "EXPLAIN "+t.sent.Text, p.values(t), nil, nil, nil).Read()
	if r.Err != nil {
		f := postgresFault(t, r.Err)
		var known *fault
		if errors.As(f, &known) {
			known.at = -1
		}
		return nil, f
	}
	var lines []string
	for _, row := range r.Rows {
		lines = append(lines, string(row[0]))
	}
	return lines, nil
}
