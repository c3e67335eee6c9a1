package sql

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/tool-mapping-protocol/tmp/internal/surface/statement"
)

// SQLite says itself what a statement does: it asks its authorizer for every action
// while it prepares, and again when it has to prepare anew. The authorizer stays for
// the whole of the run, so what is judged is what is carried out. REINDEX without an
// index and VACUUM are not asked about; those, and what stands behind EXPLAIN, are held
// to their verb.

type sqliteDatabase struct {
	db   *sql.DB
	conn *sql.Conn
	c    *connection
}

func openSQLite(ctx context.Context, c *connection, reads bool) (database, error) {
	if err := isThere(c.File); err != nil {
		return nil, err
	}
	mode := "rw"
	if reads {
		mode = "ro"
	}
	q := url.Values{"mode": {mode}, "_dqs": {"0"}, "_defensive": {"1"}, "_pragma": {
		"trusted_schema(0)", "cell_size_check(1)", fmt.Sprintf("busy_timeout(%d)", busyTime(ctx).Milliseconds()),
	}}
	if !reads {
		q.Add("_pragma", "foreign_keys(1)")
	}
	db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Opaque: (&url.URL{Path: c.File}).EscapedPath(), RawQuery: q.Encode()}).String())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	conn, err := db.Conn(ctx)
	if err != nil {
		db.Close()
		return nil, sqliteFault(nil, err)
	}
	for limit, n := range map[int]int{sqlite3.SQLITE_LIMIT_LENGTH: maxValue, sqlite3.SQLITE_LIMIT_ATTACHED: 0} {
		if _, err := sqlite.Limit(conn, limit, n); err != nil {
			conn.Close()
			db.Close()
			return nil, err
		}
	}
	return &sqliteDatabase{db, conn, c}, nil
}

// busyTime is how long a locked database is awaited: a little less than there is time,
// so that it is told that it was locked.
func busyTime(ctx context.Context) time.Duration {
	left := remaining(ctx, time.Hour)
	return max(left-retryMargin-left/20, 0)
}

func (s *sqliteDatabase) Close() {
	_ = s.authorize(nil)
	_ = s.conn.Close()
	_ = s.db.Close()
}

// authorize sets the authorizer, with nil none.
func (s *sqliteDatabase) authorize(a *authorizer) error {
	return s.conn.Raw(func(driver any) error {
		r, ok := driver.(sqlite.AuthorizerRegisterer)
		if !ok {
			return errors.New("the driver of SQLite has no authorizer")
		}
		if a == nil {
			return r.RegisterAuthorizer(nil)
		}
		return r.RegisterAuthorizer(a.decide)
	})
}

// authorizer notes what a statement does, and refuses what it may not.
type authorizer struct {
	reads  bool // only reading is allowed
	facts  *Facts
	denied []string
}

func (a *authorizer) decide(action sqlite.AuthorizerActionCode, first, second, database, _ string) sqlite.AuthorizerReturnCode {
	table := first
	if database != "" && database != "main" {
		table = database + "." + first
	}
	switch action {
	case sqlite.AuthSelect, sqlite.AuthRecursive:
		return sqlite.AuthorizerOK
	case sqlite.AuthRead:
		a.read(table, second)
		return sqlite.AuthorizerOK
	case sqlite.AuthFunction:
		if name := strings.ToLower(second); slices.Contains(actingSQLite, name) {
			return a.deny("the function " + name)
		}
		return sqlite.AuthorizerOK
	case sqlite.AuthPragma:
		// The full-text search asks for it; a statement that is a PRAGMA has the wrong verb.
		if strings.EqualFold(first, "data_version") && second == "" {
			return sqlite.AuthorizerOK
		}
	}
	what := actionName(action)
	if first != "" {
		what += " " + table
	}
	if a.reads || !changing[action] || database == "temp" {
		return a.deny(what)
	}
	if first != "" && !strings.HasPrefix(first, "sqlite_") && !slices.Contains(a.facts.Writes, what) {
		a.facts.Writes = append(a.facts.Writes, what)
	}
	return sqlite.AuthorizerOK
}

func (a *authorizer) deny(what string) sqlite.AuthorizerReturnCode {
	if !slices.Contains(a.denied, what) {
		a.denied = append(a.denied, what)
	}
	return sqlite.AuthorizerDeny
}

func (a *authorizer) read(table, column string) {
	if a.facts.Reads == nil {
		a.facts.Reads = map[string][]string{}
	}
	columns := a.facts.Reads[table]
	if column != "" && !slices.Contains(columns, column) {
		columns = append(columns, column)
	}
	a.facts.Reads[table] = columns
}

// actingSQLite are functions that do more than give a value.
var actingSQLite = []string{"load_extension", "writefile", "edit", "readfile", "fsdir"}

// changing are the actions of statements that change the database itself.
var changing = map[sqlite.AuthorizerActionCode]bool{
	sqlite.AuthInsert: true, sqlite.AuthUpdate: true, sqlite.AuthDelete: true, sqlite.AuthCreateTable: true, sqlite.AuthDropTable: true,
	sqlite.AuthCreateIndex: true, sqlite.AuthDropIndex: true, sqlite.AuthCreateView: true, sqlite.AuthDropView: true,
	sqlite.AuthCreateTrigger: true, sqlite.AuthDropTrigger: true, sqlite.AuthAlterTable: true, sqlite.AuthReindex: true, sqlite.AuthAnalyze: true,
}

var actionNames = map[sqlite.AuthorizerActionCode]string{
	sqlite.AuthInsert: "INSERT", sqlite.AuthUpdate: "UPDATE", sqlite.AuthDelete: "DELETE", sqlite.AuthCreateTable: "CREATE TABLE", sqlite.AuthDropTable: "DROP TABLE",
	sqlite.AuthCreateIndex: "CREATE INDEX", sqlite.AuthDropIndex: "DROP INDEX", sqlite.AuthCreateView: "CREATE VIEW", sqlite.AuthDropView: "DROP VIEW",
	sqlite.AuthCreateTrigger: "CREATE TRIGGER", sqlite.AuthDropTrigger: "DROP TRIGGER", sqlite.AuthAlterTable: "ALTER TABLE", sqlite.AuthReindex: "REINDEX", sqlite.AuthAnalyze: "ANALYZE",
	sqlite.AuthCreateTempTable: "CREATE TEMP TABLE", sqlite.AuthCreateTempIndex: "CREATE TEMP INDEX", sqlite.AuthCreateTempView: "CREATE TEMP VIEW", sqlite.AuthCreateTempTrigger: "CREATE TEMP TRIGGER",
	sqlite.AuthDropTempTable: "DROP TEMP TABLE", sqlite.AuthDropTempIndex: "DROP TEMP INDEX", sqlite.AuthDropTempView: "DROP TEMP VIEW", sqlite.AuthDropTempTrigger: "DROP TEMP TRIGGER",
	sqlite.AuthPragma: "PRAGMA", sqlite.AuthTransaction: "TRANSACTION", sqlite.AuthAttach: "ATTACH", sqlite.AuthDetach: "DETACH", sqlite.AuthSavepoint: "SAVEPOINT",
	sqlite.AuthCreateVTable: "CREATE VIRTUAL TABLE", sqlite.AuthDropVTable: "DROP VIRTUAL TABLE",
}

func actionName(a sqlite.AuthorizerActionCode) string {
	if name := actionNames[a]; name != "" {
		return name
	}
	return fmt.Sprintf("the action %d", a)
}

// sqliteVerb holds a statement to its verb, for what the authorizer is not asked about.
func sqliteVerb(st *statement.Statement, reads bool) string {
	switch st.Verb {
	case "SELECT", "VALUES":
		return ""
	case "INSERT", "UPDATE", "DELETE", "REPLACE", "CREATE", "DROP", "ALTER", "ANALYZE":
		if !reads {
			return ""
		}
	case "REINDEX":
		if !reads && !st.Explained {
			return ""
		}
	}
	if st.Verb == "" {
		return "a statement without a verb"
	}
	return st.Verb
}

// judge prepares the statement under an authorizer, which stays.
func (s *sqliteDatabase) judge(ctx context.Context, t *template, text string, reads bool) (*Facts, *sql.Stmt, *authorizer, error) {
	f := t.facts()
	f.By, f.Effect = "authorizer", "read-only"
	a := &authorizer{reads: reads, facts: f}
	if verb := sqliteVerb(t.st, reads); verb != "" {
		if reads {
			return f, nil, a, t.cannotOnlyRead(f, verb)
		}
		return f, nil, a, refuse("%s: %s is no statement that is run", t.r.Operation, verb)
	}
	if err := s.authorize(a); err != nil {
		return f, nil, a, err
	}
	stmt, err := s.conn.PrepareContext(ctx, text)
	if err != nil {
		return f, nil, a, s.fault(t, a, err)
	}
	if len(f.Writes) > 0 {
		f.Effect = "write"
	}
	return f, stmt, a, nil
}

// fault is an error, or the refusal of what the authorizer denied.
func (s *sqliteDatabase) fault(t *template, a *authorizer, err error) error {
	if len(a.denied) == 0 {
		return sqliteFault(t, err)
	}
	what := strings.Join(a.denied, ", ")
	if a.reads {
		return t.cannotOnlyRead(a.facts, what)
	}
	return refuse("%s: %s is not allowed in a statement", t.r.Operation, what)
}

func (s *sqliteDatabase) Check(ctx context.Context, t *template, reads bool) (*Facts, error) {
	f, stmt, _, err := s.judge(ctx, t, t.sent.Text, reads)
	if err != nil {
		return f, err
	}
	_ = s.authorize(nil)
	return f, stmt.Close()
}

func (s *sqliteDatabase) Read(ctx context.Context, t *template, out *rows) error {
	_, stmt, a, err := s.judge(ctx, t, t.sent.Text, true)
	if err != nil {
		return err
	}
	defer stmt.Close()
	err = s.query(ctx, stmt, t, out)
	if err != nil && !isRefusal(err) {
		err = s.fault(t, a, err)
	}
	return err
}

// query runs a prepared statement and hands its rows on.
func (s *sqliteDatabase) query(ctx context.Context, stmt *sql.Stmt, t *template, out *rows) error {
	found, err := stmt.QueryContext(ctx, t.typedArguments()[:s.bound(t)]...)
	if err != nil {
		return err
	}
	defer found.Close()
	if stopped, err := out.take(ctx, found, goCell); stopped || err != nil {
		return err
	}
	return found.Err()
}

// bound is how many values the statement takes: up to the highest number in it.
func (s *sqliteDatabase) bound(t *template) int {
	most := 0
	for _, slot := range t.st.Slots {
		most = max(most, t.number(slot))
	}
	return most
}

func (s *sqliteDatabase) exec(ctx context.Context, text string) error {
	if err := s.authorize(nil); err != nil {
		return err
	}
	_, err := s.conn.ExecContext(ctx, text)
	return err
}

// change runs the statement in a transaction that is open, and says how many rows it
// touched.
func (s *sqliteDatabase) change(ctx context.Context, t *template, out *rows) (int64, error) {
	if err := s.exec(ctx, "BEGIN IMMEDIATE"); err != nil {
		return 0, sqliteFault(t, err)
	}
	before, err := s.changes(ctx)
	if err != nil {
		return 0, err
	}
	_, stmt, a, err := s.judge(ctx, t, t.sent.Text, false)
	if err != nil {
		return 0, err
	}
	err = s.query(ctx, stmt, t, out)
	_ = stmt.Close()
	if err != nil {
		return 0, s.fault(t, a, err)
	}
	if err := s.authorize(nil); err != nil {
		return 0, err
	}
	after, err := s.changes(ctx)
	if err != nil || after.total == before.total {
		return 0, err
	}
	switch t.st.Verb {
	case "INSERT", "UPDATE", "DELETE", "REPLACE":
		return after.last, nil
	}
	return after.total - before.total, nil
}

type changed struct{ last, total int64 }

func (s *sqliteDatabase) changes(ctx context.Context) (c changed, err error) {
	err = s.conn.QueryRowContext(ctx, "SELECT changes(), total_changes()").Scan(&c.last, &c.total)
	return c, err
}

func (s *sqliteDatabase) Write(ctx context.Context, t *template, out *rows, allow func(int64) error) (int64, error) {
	touched, err := s.change(ctx, t, out)
	if err == nil {
		err = allow(touched)
	}
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		s.back()
		return touched, err
	}
	if err := s.exec(ctx, "COMMIT"); err != nil {
		s.back()
		return touched, sqliteFault(t, err)
	}
	return touched, nil
}

// back takes back what was done, whatever the caller's time.
func (s *sqliteDatabase) back() {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	_ = s.exec(ctx, "ROLLBACK")
}

func (s *sqliteDatabase) Try(ctx context.Context, t *template) (int64, bool, error) {
	defer s.back()
	touched, err := s.change(ctx, t, newRows(nil, t.r, t.c.MaxRows))
	return touched, err == nil, err
}

func (s *sqliteDatabase) Plan(ctx context.Context, t *template) ([]string, error) {
	switch t.st.Verb {
	case "SELECT", "VALUES", "INSERT", "UPDATE", "DELETE", "REPLACE":
	default:
		return nil, nil // SQLite has no plan for others
	}
	if t.st.Explained {
		return nil, nil
	}
	_, stmt, a, err := s.judge(ctx, t, "EXPLAIN QUERY PLAN "+t.sent.Text, onlyReads(t.r.Effect))
	if err != nil {
		return nil, err
	}
	defer stmt.Close()
	found, err := stmt.QueryContext(ctx, t.typedArguments()[:s.bound(t)]...)
	if err != nil {
		return nil, s.fault(t, a, err)
	}
	defer found.Close()
	var lines []string
	for found.Next() {
		var id, parent, unused int
		var detail string
		if err := found.Scan(&id, &parent, &unused, &detail); err != nil {
			return nil, err
		}
		lines = append(lines, detail)
	}
	return lines, found.Err()
}

// nearWord finds the word that a message of SQLite names.
var nearWord = regexp.MustCompile(`near "((?:[^"]|"")*)": |no such (?:column|table|function): (\S+)`)

func sqliteFault(t *template, err error) error {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return err
	}
	f := &fault{message: e.Error(), at: -1}
	switch code := e.Code(); {
	case code&0xff == sqlite3.SQLITE_INTERRUPT:
		return err // its time, or the person
	case code == sqlite3.SQLITE_READONLY:
		return refuse("the database is open for reading: %s", f.message)
	default:
		f.state = fmt.Sprintf("SQLITE %d", code)
	}
	if m := nearWord.FindStringSubmatch(f.message); m != nil && t != nil {
		f.at = t.near(m[1] + m[2])
	}
	return f
}
