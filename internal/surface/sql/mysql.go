package sql

import (
	"context"
	"database/sql"
	_ "embed"
	"encoding/base64"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"

	"github.com/tool-mapping-protocol/tmp/internal/sqltext"
)

// A statement goes to MySQL and MariaDB prepared, which takes one; one that only reads
// goes in a transaction that is read-only. Comments that the server runs are refused
// before anything else.

type mysqlDatabase struct {
	config *mysql.Config
	db     *sql.DB
	conn   *sql.Conn
	id     int64 // of the connection, for ending what it runs
	c      *connection
}

//go:embed mysql.txt
var mysqlActing string

func openMySQL(ctx context.Context, c *connection) (database, error) {
	config, err := c.mysqlConfig()
	if err != nil {
		return nil, refuse("[sql.%s] of config.toml: %s", c.Name, err)
	}
	config.MultiStatements, config.InterpolateParams, config.AllowAllFiles = false, false, false
	config.ParseTime, config.ClientFoundRows = false, false
	config.Timeout = remaining(ctx, 10*time.Second)
	config.Logger = quiet{}
	connector, err := mysql.NewConnector(config)
	if err != nil {
		return nil, refuse("[sql.%s] of config.toml: %s", c.Name, withoutSecret(err, config.Passwd))
	}
	db := sql.OpenDB(connector)
	conn, err := db.Conn(ctx)
	if err != nil {
		db.Close()
		return nil, mysqlOpenFault(err, config.Passwd)
	}
	m := &mysqlDatabase{config: config, db: db, conn: conn, c: c}
	err = conn.QueryRowContext(ctx, "SELECT CONNECTION_ID()").Scan(&m.id)
	if err == nil { // what a quote is depends on the mode
		_, err = conn.ExecContext(ctx, "SET SESSION sql_mode = 'STRICT_TRANS_TABLES,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO'")
	}
	if err != nil {
		m.Close()
		return nil, mysqlOpenFault(err, config.Passwd)
	}
	return m, nil
}

type quiet struct{}

func (quiet) Print(...any) {}

func mysqlOpenFault(err error, secret string) error {
	f := mysqlFault(nil, err)
	var known *fault
	if errors.As(f, &known) {
		known.message = withoutSecret(errors.New(known.message), secret)
		return known
	}
	return &fault{message: withoutSecret(err, secret), at: -1}
}

func (m *mysqlDatabase) Close() {
	_ = m.conn.Close()
	_ = m.db.Close()
}

var (
	readingMySQL  = []string{"SELECT", "VALUES", "TABLE", "SHOW", "DESCRIBE", "DESC"}
	changingMySQL = []string{"INSERT", "UPDATE", "DELETE", "REPLACE", "TRUNCATE", "CREATE", "ALTER", "DROP", "RENAME", "GRANT", "REVOKE"}
)

// words judges a template by its words.
func (m *mysqlDatabase) words(t *template, reads bool) error {
	f := t.facts()
	no := func(what string) error {
		if reads {
			return t.cannotOnlyRead(f, what)
		}
		return refuse("%s: %s", t.r.Operation, what)
	}
	if strings.Contains(t.record.Query, "/*!") || strings.Contains(strings.ToUpper(t.record.Query), "/*M!") {
		return no("a comment that the server runs")
	}
	if reads && (!t.st.Reads() || !slices.Contains(readingMySQL, t.st.Verb)) {
		return no(t.st.Verb)
	}
	if !reads && !t.st.Reads() && !slices.Contains(changingMySQL, t.st.Verb) {
		return no(t.st.Verb + " is no statement that is run")
	}
	tokens := t.st.Tokens
	next := func(i int, words ...string) bool {
		for k, w := range words {
			if i+k >= len(tokens) || !tokens[i+k].Is(w) {
				return false
			}
		}
		return true
	}
	for i, token := range tokens {
		switch {
		case next(i, "INTO", "OUTFILE"), next(i, "INTO", "DUMPFILE"):
			return no("a file is written: INTO " + strings.ToUpper(tokens[i+1].Text))
		case next(i, "LOAD", "DATA"), next(i, "LOAD", "XML"):
			return no("a file is read: LOAD")
		case reads && (next(i, "FOR", "UPDATE") || next(i, "FOR", "SHARE") || next(i, "LOCK", "IN")):
			return no("rows are locked")
		case reads && (next(i, "NEXT", "VALUE") || next(i, "PREVIOUS", "VALUE")):
			return no("a sequence is moved on")
		case token.IsSymbol(':') && i+1 < len(tokens) && tokens[i+1].IsSymbol('=') && tokens[i+1].Start == token.End:
			return no("a variable is set")
		}
	}
	if name := acting(mysqlActing, t.st.Calls()); name != "" {
		return no("the function " + name)
	}
	return nil
}

// watched runs something on the connection; when the context ends, the server is told
// to end it: a connection that is closed alone would leave it running there.
func (m *mysqlDatabase) watched(ctx context.Context, do func(ctx context.Context) error) error {
	done := make(chan struct{})
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		select {
		case <-done:
		case <-ctx.Done():
			m.kill()
		}
	}()
	err := do(context.WithoutCancel(ctx))
	close(done)
	<-ended
	if ctx.Err() != nil && err != nil {
		return ctx.Err()
	}
	return err
}

// kill ends what the connection runs, by another one.
func (m *mysqlDatabase) kill() {
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()
	connector, err := mysql.NewConnector(m.config)
	if err != nil {
		return
	}
	db := sql.OpenDB(connector)
	defer db.Close()
	_, _ = db.ExecContext(ctx, "KILL QUERY "+strconv.FormatInt(m.id, 10))
}

func (m *mysqlDatabase) begin(ctx context.Context, reads bool) error {
	text := "START TRANSACTION"
	if reads {
		text += " READ ONLY"
	}
	_, err := m.conn.ExecContext(ctx, text)
	return err
}

func (m *mysqlDatabase) back() {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	_, _ = m.conn.ExecContext(ctx, "ROLLBACK")
}

func (m *mysqlDatabase) Check(ctx context.Context, t *template, reads bool) (*Facts, error) {
	f := t.facts()
	if err := m.words(t, reads); err != nil {
		return f, err
	}
	stmt, err := m.conn.PrepareContext(ctx, t.sent.Text)
	if err != nil {
		return f, mysqlFault(t, err)
	}
	_ = stmt.Close()
	f.By = "prepare"
	if t.st.Reads() {
		f.Reads = m.tables(ctx, t)
	} else {
		f.Writes = []string{t.st.Target()}
	}
	unknown, err := m.unknownFunctions(ctx, t.st.Calls())
	if err != nil {
		return f, mysqlFault(t, err)
	}
	if reads && len(unknown) > 0 {
		return f, t.cannotOnlyRead(f, "the function "+strings.Join(unknown, ", ")+" may write: it does not say READS SQL DATA or NO SQL")
	}
	return f, nil
}

// unknownFunctions are stored functions of the names that may write.
func (m *mysqlDatabase) unknownFunctions(ctx context.Context, names []string) ([]string, error) {
	if len(names) == 0 {
		return nil, nil
	}
	var args []any
	for _, n := range names {
		args = append(args, n)
	}
	marks := strings.TrimSuffix(strings.Repeat("?,", len(names)), ",")
	found, err := m.conn.QueryContext(ctx, `SELECT DISTINCT CONCAT(ROUTINE_SCHEMA, '.', ROUTINE_NAME) FROM information_schema.ROUTINES
 WHERE ROUTINE_TYPE = 'FUNCTION' AND SQL_DATA_ACCESS NOT IN ('READS SQL DATA', 'NO SQL') AND LOWER(ROUTINE_NAME) IN (`+marks+`) AND ROUTINE_SCHEMA NOT IN ('sys', 'mysql')`, args...)
	if err != nil {
		return nil, err
	}
	defer found.Close()
	var out []string
	for found.Next() {
		var name string
		if err := found.Scan(&name); err != nil {
			return nil, err
		}
		out = append(out, name)
	}
	return out, found.Err()
}

func (m *mysqlDatabase) Read(ctx context.Context, t *template, out *rows) error {
	if err := m.words(t, true); err != nil {
		return err
	}
	return m.watched(ctx, func(own context.Context) error {
		if err := m.begin(own, true); err != nil {
			return mysqlFault(t, err)
		}
		defer m.back()
		return m.query(ctx, own, t, out)
	})
}

// query runs the statement and hands its rows on; ctx is the caller's, own the one that
// does not end.
func (m *mysqlDatabase) query(ctx, own context.Context, t *template, out *rows) error {
	stmt, err := m.conn.PrepareContext(own, t.sent.Text)
	if err != nil {
		return mysqlFault(t, err)
	}
	defer stmt.Close()
	found, err := stmt.QueryContext(own, t.slotArguments()...)
	if err != nil {
		return mysqlFault(t, err)
	}
	defer found.Close()
	switch stopped, err := out.take(ctx, found, mysqlCell); {
	case err != nil:
		return err
	case stopped:
		m.kill() // else the rest would be read to the end
		return nil
	}
	if err := found.Err(); err != nil {
		return mysqlFault(t, err)
	}
	return nil
}

// mysqlCell is a value of a prepared statement.
func mysqlCell(v any, declared string) cell {
	raw, ok := v.([]byte)
	if !ok {
		return goCell(v, declared)
	}
	text := string(raw)
	switch {
	case declared == "DECIMAL", strings.Contains(declared, "INT"):
		return cell{numberCell, text}
	case declared == "JSON":
		return cell{jsonCell, text}
	case declared == "DATETIME", declared == "TIMESTAMP":
		return cell{textCell, strings.Replace(text, " ", "T", 1)}
	case strings.Contains(declared, "BLOB"), strings.Contains(declared, "BINARY"), declared == "BIT", declared == "GEOMETRY":
		return cell{bytesCell, base64.StdEncoding.EncodeToString(raw)}
	}
	return cell{textCell, text}
}

func (m *mysqlDatabase) Write(ctx context.Context, t *template, out *rows, allow func(int64) error) (touched int64, err error) {
	if err := m.words(t, false); err != nil {
		return 0, err
	}
	err = m.watched(ctx, func(own context.Context) error {
		if err := m.begin(own, false); err != nil {
			return mysqlFault(t, err)
		}
		if touched, err = m.change(ctx, own, t, out); err == nil {
			err = allow(touched)
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			m.back()
			return err
		}
		if _, err := m.conn.ExecContext(own, "COMMIT"); err != nil {
			return mysqlFault(t, err)
		}
		return nil
	})
	return touched, err
}

// change runs the statement; one that gives rows back is read, and counted by them.
func (m *mysqlDatabase) change(ctx, own context.Context, t *template, out *rows) (int64, error) {
	if t.st.Reads() || slices.ContainsFunc(t.st.Tokens, func(tk sqltext.Token) bool { return tk.Is("RETURNING") }) {
		err := m.query(ctx, own, t, out)
		return int64(out.n) + out.more, err
	}
	stmt, err := m.conn.PrepareContext(own, t.sent.Text)
	if err != nil {
		return 0, mysqlFault(t, err)
	}
	defer stmt.Close()
	result, err := stmt.ExecContext(own, t.slotArguments()...)
	if err != nil {
		return 0, mysqlFault(t, err)
	}
	touched, err := result.RowsAffected()
	return touched, err
}

// Try does not run anything: a table of MyISAM, or a statement that defines something,
// could not be taken back.
func (m *mysqlDatabase) Try(context.Context, *template) (int64, bool, error) { return 0, false, nil }

func (m *mysqlDatabase) Plan(ctx context.Context, t *template) ([]string, error) {
	steps, err := m.explain(ctx, t, t.slotArguments())
	var lines []string
	for _, step := range steps {
		var parts []string
		for _, name := range []string{"table", "type", "key", "rows", "Extra"} {
			if step[name] != "" {
				parts = append(parts, name+" "+step[name])
			}
		}
		lines = append(lines, strings.Join(parts, ", "))
	}
	return lines, err
}

// tables are those that the plan reads.
func (m *mysqlDatabase) tables(ctx context.Context, t *template) map[string][]string {
	steps, err := m.explain(ctx, t, make([]any, len(t.st.Slots)))
	if err != nil {
		return nil
	}
	out := map[string][]string{}
	for _, step := range steps {
		if name := step["table"]; name != "" && name[0] != '<' {
			out[name] = nil
		}
	}
	return out
}

// explain are the steps of the plan, by the names of what is said of each.
func (m *mysqlDatabase) explain(ctx context.Context, t *template, args []any) ([]map[string]string, error) {
	if t.st.Explained || !slices.Contains([]string{"SELECT", "INSERT", "UPDATE", "DELETE", "REPLACE"}, t.st.Verb) {
		return nil, nil
	}
	stmt, err := m.conn.PrepareContext(ctx, "EXPLAIN "+t.sent.Text)
	if err != nil {
		return nil, mysqlFault(t, err)
	}
	defer stmt.Close()
	found, err := stmt.QueryContext(ctx, args...)
	if err != nil {
		return nil, mysqlFault(t, err)
	}
	defer found.Close()
	names, err := found.Columns()
	if err != nil {
		return nil, err
	}
	var steps []map[string]string
	for found.Next() {
		values := make([]sql.NullString, len(names))
		into := make([]any, len(names))
		for i := range values {
			into[i] = &values[i]
		}
		if err := found.Scan(into...); err != nil {
			return nil, err
		}
		step := map[string]string{}
		for i, v := range values {
			step[names[i]] = v.String
		}
		steps = append(steps, step)
	}
	return steps, found.Err()
}

// readOnlyMySQL is the error of what a read-only transaction refuses.
const readOnlyMySQL = 1792

var mysqlNear = regexp.MustCompile(`(?s)near '(.*)' at line \d+|Unknown column '([^']*)'|FUNCTION (\S+) does not exist`)

func mysqlFault(t *template, err error) error {
	var e *mysql.MySQLError
	if !errors.As(err, &e) {
		return err
	}
	switch e.Number {
	case readOnlyMySQL:
		if t == nil {
			return refuse("%s", e.Message)
		}
		f := t.facts()
		f.By = "transaction"
		return t.cannotOnlyRead(f, e.Message)
	case 1317: // interrupted: its time, or the person
		return err
	}
	f := &fault{state: string(e.SQLState[:]), message: e.Message, at: -1}
	if e.SQLState == [5]byte{} {
		f.state = fmt.Sprintf("MySQL %d", e.Number)
	}
	if m := mysqlNear.FindStringSubmatch(e.Message); m != nil && t != nil {
		word := m[1] + m[2] + m[3]
		if len(word) >= 79 { // the server cuts it
			word = word[:40]
		}
		if at := strings.Index(t.sent.Text, word); at >= 0 && word != "" {
			f.at = t.sent.Was(at)
		}
	}
	return f
}
