package sql

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/internal/surface"
)

// Ways around "it only reads", each of which ends in a refusal and changes nothing. The
// first of each list are known from reports, the others are our own.

var attacksOnSQLite = []string{
	"CREATE TEMP TABLE t AS SELECT * FROM jobs",
	"ATTACH DATABASE 'DIR/evil.db' AS evil",
	"VACUUM INTO 'DIR/copy.db'",
	"PRAGMA query_only = 0",
	"WITH x AS (SELECT 1) DELETE FROM jobs",
	"COMMIT; DELETE FROM jobs",
	"EXPLAIN VACUUM INTO 'DIR/copy.db'",
	"REINDEX",
	"REINDEX jobs",
	"EXPLAIN REINDEX",
	"/* reads */ DELETE FROM jobs",
	"-- reads\nUPDATE jobs SET status = 'x'",
	"INSERT INTO jobs(id, status) VALUES (9, 'x') RETURNING id",
	"UPDATE jobs SET status = 'x' RETURNING id",
	"REPLACE INTO jobs(id, status) VALUES (1, 'x')",
	"WITH x AS (SELECT 1) INSERT INTO jobs(id, status) SELECT 8, 'x'",
	"EXPLAIN DELETE FROM jobs",
	"EXPLAIN QUERY PLAN DELETE FROM jobs",
	"PRAGMA writable_schema = 1",
	"PRAGMA journal_mode = WAL",
	"PRAGMA user_version = 7",
	"PRAGMA wal_checkpoint",
	"SELECT * FROM pragma_user_version; PRAGMA user_version = 7",
	"BEGIN IMMEDIATE",
	"SAVEPOINT a",
	"ROLLBACK",
	"ANALYZE",
	"DROP TABLE jobs",
	"DROP INDEX jobs_status",
	"CREATE VIEW v AS SELECT 1",
	"CREATE TABLE t(a)",
	"CREATE VIRTUAL TABLE t USING fts5(a)",
	"ALTER TABLE jobs RENAME TO tasks",
	"CREATE TRIGGER t AFTER INSERT ON jobs BEGIN DELETE FROM jobs; END",
	"DETACH main",
	"SELECT load_extension('/lib/evil.so')",
	"SELECT 1; DELETE FROM jobs",
	"SELECT 1;; DELETE FROM jobs",
	"SELECT [a;] FROM jobs; DELETE FROM jobs",
	"SELECT ';' ; DELETE FROM jobs --",
	"SELECT 1 /* /* */; DELETE FROM jobs -- */",
	".shell touch DIR/evil",
	"",
	"-- nothing",
}

var attacksOnPostgres = []string{
	"CREATE TEMP TABLE t AS SELECT * FROM jobs",
	"WITH gone AS (DELETE FROM jobs RETURNING *) SELECT * FROM gone",
	"SELECT remove_all()",
	"SELECT * FROM trap",
	"COMMIT; DELETE FROM jobs",
	"SET TRANSACTION READ WRITE",
	"COPY jobs TO PROGRAM 'touch DIR/evil'",
	"COPY jobs TO '/tmp/evil'",
	"SELECT set_config('transaction_read_only', 'off', false)",
	"SELECT \"set_config\"('transaction_read_only', 'off', false)",
	"SELECT pg_catalog . set_config /* x */ ('transaction_read_only', 'off', false)",
	`SELECT U&"set\005fconfig"('transaction_read_only', 'off', false)`,
	"SELECT nextval('counter')",
	"SELECT setval('counter', 7)",
	"SELECT pg_terminate_backend(1)",
	"SELECT pg_cancel_backend(1)",
	"SELECT pg_reload_conf()",
	"SELECT lo_import('/etc/passwd')",
	"SELECT lo_create(0)",
	"SELECT pg_advisory_lock(1)",
	"SELECT pg_try_advisory_xact_lock(1)",
	"SELECT pg_notify('a', 'b')",
	"SELECT pg_read_file('/etc/passwd')",
	"SELECT pg_ls_dir('/')",
	"SELECT query_to_xml('DELETE FROM jobs', true, true, '')",
	"SELECT query_to_xml('SELECT pg_advisory_lock(1)', true, true, '')",
	"SELECT * FROM ts_stat('SELECT set_config(''a.b'', ''c'', false)::tsvector')",
	"SELECT dblink_exec('host=x', 'DELETE FROM jobs')",
	"SELECT * INTO t FROM jobs",
	"SELECT * FROM jobs FOR UPDATE",
	"EXPLAIN ANALYZE DELETE FROM jobs",
	"EXPLAIN (ANALYZE) WITH x AS (DELETE FROM jobs RETURNING 1) SELECT * FROM x",
	"EXPLAIN (ANALYZE, VERBOSE) INSERT INTO jobs(id, status) VALUES (9, 'x')",
	"DO $$ BEGIN DELETE FROM jobs; END $$",
	"CALL remove()",
	"PREPARE p AS DELETE FROM jobs",
	"LISTEN a",
	"NOTIFY a",
	"LOCK TABLE jobs",
	"VACUUM",
	"REINDEX TABLE jobs",
	"SET ROLE boss",
	"RESET ALL",
	"DISCARD ALL",
	"LOAD '/lib/evil.so'",
	"DECLARE c CURSOR WITH HOLD FOR SELECT 1",
	"TRUNCATE jobs",
	"MERGE INTO jobs USING jobs AS j ON true WHEN MATCHED THEN DELETE",
	"SELECT 1; DELETE FROM jobs",
	"SELECT $a$;$a$; DELETE FROM jobs",
	"SELECT E'\\'; DELETE FROM jobs; --'; DELETE FROM jobs",
	"/* /* */ SELECT 1 */ DELETE FROM jobs",
	"\\! touch /tmp/evil",
}

var attacksOnMySQL = []string{
	"CREATE TEMPORARY TABLE t AS SELECT * FROM jobs",
	"SELECT * FROM jobs INTO OUTFILE 'DIR/evil'",
	"SELECT 'x' INTO/**/OUTFILE 'DIR/evil'",
	"SELECT 'x' INTO DUMPFILE 'DIR/evil'",
	"SELECT 1 /*! INTO OUTFILE 'DIR/evil' */",
	"SELECT 1 /*M! INTO OUTFILE 'DIR/evil' */",
	"/*!50000 DELETE FROM jobs */",
	"SELECT remove_all()",
	"SELECT remove_quietly()",
	"COMMIT; DELETE FROM jobs",
	"SET TRANSACTION READ WRITE",
	"SELECT 1 INTO @a",
	"SELECT @a := 1",
	"SELECT load_file('/etc/passwd')",
	"SELECT get_lock('a', 1)",
	"SELECT sys_exec('touch /tmp/evil')",
	"SELECT NEXT VALUE FOR counter",
	"SELECT nextval(counter)",
	"SELECT setval(counter, 9)",
	"SELECT * FROM jobs FOR UPDATE",
	"SELECT * FROM jobs LOCK IN SHARE MODE",
	"WITH x AS (SELECT 1) DELETE FROM jobs",
	"EXPLAIN DELETE FROM jobs",
	"EXPLAIN ANALYZE DELETE FROM jobs",
	"ANALYZE DELETE FROM jobs",
	"LOAD DATA INFILE '/etc/passwd' INTO TABLE jobs",
	"CALL remove()",
	"DO SLEEP(0)",
	"HANDLER jobs OPEN",
	"LOCK TABLES jobs WRITE",
	"FLUSH TABLES",
	"OPTIMIZE TABLE jobs",
	"PREPARE p FROM 'DELETE FROM jobs'",
	"EXECUTE IMMEDIATE 'DELETE FROM jobs'",
	"KILL 1",
	"TRUNCATE jobs",
	"REPLACE INTO jobs(id, status) VALUES (1, 'x')",
	"INSERT INTO jobs(id, status) VALUES (9, 'x') RETURNING id",
	"SELECT 1; DELETE FROM jobs",
	"SELECT 'a\\'; DELETE FROM jobs; -- '; DELETE FROM jobs",
	"SELECT 1 # x\n; DELETE FROM jobs",
	"SELECT `;`; DELETE FROM jobs",
	"BEGIN NOT ATOMIC DELETE FROM jobs; END",
}

func TestReadsOnlyOnSQLite(t *testing.T) {
	a := onSQLite(t, true) // that the connection may write does not let a template that reads
	refused(t, a, attacksOnSQLite, func() string { return state(t, a.root) })
}

func TestReadsOnlyOnPostgres(t *testing.T) {
	a := onPostgres(t, "writer", true)
	refused(t, a, attacksOnPostgres, func() string {
		return a.rows("SELECT count(*) AS n, (SELECT last_value FROM counter) AS c FROM jobs WHERE status <> 'x'")
	})
	// A function that says that it does not write is held to that by the server.
	before := a.rows("SELECT count(*) AS n FROM jobs")
	if r, _ := a.do(surface.Run, "read-only", "SELECT remove_quietly()"); r.Status == 0 || a.rows("SELECT count(*) AS n FROM jobs") != before {
		t.Errorf("remove_quietly: %d %s", r.Status, r.Message)
	}
}

func TestReadsOnlyOnMySQL(t *testing.T) {
	a := onMySQL(t, "reader", true)
	refused(t, a, attacksOnMySQL, func() string {
		entries, err := filepath.Glob(filepath.Dir(mysqlServer(t)) + "/evil*")
		if err != nil || len(entries) > 0 {
			t.Errorf("there is %v", entries)
		}
		return a.rows("SELECT count(*) AS n FROM jobs WHERE status <> 'x'")
	})
}

func (a *asked) rows(query string) string {
	a.t.Helper()
	r, out := a.do(surface.Run, "read-only", query)
	if r.Status != 0 {
		a.t.Errorf("%s: %d %s", query, r.Status, r.Message)
	}
	return out
}

// refused holds each of the attacks to a refusal, by run and by check, that leaves the
// state as it was.
func refused(t *testing.T, a *asked, attacks []string, now func() string) {
	t.Helper()
	dir := a.root
	if socket := mysqlSocket; a.table["driver"] == "mysql" {
		dir = filepath.Dir(socket)
	}
	before := now()
	for _, attack := range attacks {
		attack = strings.ReplaceAll(attack, "DIR", dir)
		r, out := a.do(surface.Run, "read-only", attack)
		if r.Status != surface.StatusRefused || r.Code != "refused" || r.Message == "" || strings.Contains(out, "touch") {
			t.Errorf("%q: status %d, %s: %s %q", attack, r.Status, r.Code, r.Message, out)
		}
		if is := now(); is != before {
			t.Fatalf("%q has changed something: %s, was %s", attack, is, before)
		}
		for _, effect := range []string{"read-only", "network-write"} {
			if r, _ = a.do(surface.Check, effect, attack); effect == "read-only" && r.Status == 0 && !hidden(attack) {
				t.Errorf("check takes %q for reading: %v", attack, r.Lines)
			}
		}
		if is := now(); is != before {
			t.Fatalf("to check %q has changed something: %s, was %s", attack, is, before)
		}
	}
	if _, err := os.Stat("/tmp/evil"); err == nil {
		t.Error("/tmp/evil is there")
	}
}

// hidden are those that only the run finds out: what a function does that says that it
// does not write, or that a view calls.
func hidden(attack string) bool {
	return strings.Contains(attack, "remove_quietly") || strings.Contains(attack, "trap") || strings.Contains(attack, "FOR UPDATE")
}

// TestRoles: roles that can reach more than their tables are refused, with what to do.
func TestRoles(t *testing.T) {
	for role, what := range map[string]string{"boss": "superuser", "replica": "replicate", "shell": "pg_execute_server_program"} {
		r, _ := onPostgres(t, role, false).do(surface.Run, "read-only", "SELECT 1 AS one")
		if r.Status != surface.StatusRefused || !strings.Contains(r.Message, what) || len(r.Hints) == 0 || !strings.Contains(r.Hints[0], "CREATE ROLE") {
			t.Errorf("%s: %d %s %v", role, r.Status, r.Message, r.Hints)
		}
	}
}

// TestSQLiteFiles: a database of the project stays in the project, is not made, and is
// only read.
func TestSQLiteFiles(t *testing.T) {
	a := onSQLite(t, false)
	a.table = nil
	if err := os.Symlink("/etc", filepath.Join(a.root, "out")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(a.root, "dir"), 0o755); err != nil {
		t.Fatal(err)
	}
	for connection, status := range map[string]int{
		"file:jobs.db": 0, "file:./jobs.db": 0, "file:../x.db": 125, "file:/etc/passwd": 125, "file:out/passwd": 125, "file:none.db": 125, "file:dir": 125,
		"file:jobs.db?mode=rwc": 125, "file:": 125,
	} {
		r, _ := a.named(connection, surface.Run, "read-only", "SELECT id FROM jobs")
		if r.Status != status {
			t.Errorf("%s: %d %s", connection, r.Status, r.Message)
		}
	}
	if r, _ := a.named("file:jobs.db", surface.Run, "local-write", "DELETE FROM jobs"); r.Status != 125 || !strings.Contains(r.Message, "does not write") {
		t.Errorf("a write: %d %s", r.Status, r.Message)
	}
	if _, err := os.Stat(filepath.Join(a.root, "none.db")); err == nil {
		t.Error("a database was made")
	}
}
