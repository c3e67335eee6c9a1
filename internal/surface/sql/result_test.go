package sql

import (
	"context"
	"database/sql"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/surface"
)

// TestForms: each form of output tells NULL from an empty text, keeps all digits of a
// number, and quotes what it has to.
func TestForms(t *testing.T) {
	const query = "SELECT id, status, note, price, made, raw FROM jobs ORDER BY id"
	for _, c := range []struct {
		name                  string
		on                    func(t *testing.T) *asked
		json, csv, table, big string
	}{
		{
			"sqlite", func(t *testing.T) *asked { return onSQLite(t, false) },
			`[{"id":1,"status":"failed","note":null,"price":1.5,"made":"2026-01-02T03:04:05Z","raw":"AAE="},
{"id":2,"status":"ok","note":"","price":9007199254740993,"made":null,"raw":null},
{"id":3,"status":"failed","note":"said \"hi\"","price":null,"made":null,"raw":null}]`,
			"id,status,note,price,made,raw\n1,failed,,1.5,2026-01-02T03:04:05Z,AAE=\n2,ok,\"\",9007199254740993,,\n3,failed,\"said \"\"hi\"\"\",,,\n",
			"id  status  note                  price  made                  raw\n", "9007199254740993",
		},
		{
			"postgres", func(t *testing.T) *asked { return onPostgres(t, "reader", false) },
			`[{"id":1,"status":"failed","note":null,"price":9007199254740993.1000000000,"made":"2026-01-02T03:04:05+00:00","raw":"AAE="},
{"id":2,"status":"ok","note":"","price":1.5000000000,"made":"2026-01-03T03:04:05+00:00","raw":null},
{"id":3,"status":"failed","note":"said \"hi\"","price":null,"made":null,"raw":null}]`,
			"id,status,note,price,made,raw\n1,failed,,9007199254740993.1000000000,2026-01-02T03:04:05+00:00,AAE=\n2,ok,\"\",1.5000000000,2026-01-03T03:04:05+00:00,\n3,failed,\"said \"\"hi\"\"\",,,\n",
			"id  status  note                             price  made                       raw\n", "9007199254740993.1000000000",
		},
		{
			"mysql", func(t *testing.T) *asked { return onMySQL(t, "reader", false) },
			`[{"id":1,"status":"failed","note":null,"price":9007199254740993.1000000000,"made":"2026-01-02T03:04:05","raw":"AAE="},
{"id":2,"status":"ok","note":"","price":1.5000000000,"made":null,"raw":null},
{"id":3,"status":"failed","note":"said \"hi\"","price":null,"made":null,"raw":null}]`,
			"id,status,note,price,made,raw\n1,failed,,9007199254740993.1000000000,2026-01-02T03:04:05,AAE=\n2,ok,\"\",1.5000000000,,\n3,failed,\"said \"\"hi\"\"\",,,\n",
			"id  status  note                             price  made                 raw\n", "9007199254740993.1000000000",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := c.on(t)
			a.format = "json"
			r, out := a.do(surface.Run, "read-only", query)
			if !sameJSON(out, c.json) {
				t.Errorf("%d %s\n%s", r.Status, r.Message, out)
			}
			if !strings.Contains(out, c.big) {
				t.Errorf("digits are lost: %s", out)
			}
			a.format = "csv"
			if _, out = a.do(surface.Run, "read-only", query); out != c.csv {
				t.Errorf("csv: %q\nwant %q", out, c.csv)
			}
			a.format = "ndjson"
			if _, out = a.do(surface.Run, "read-only", query); strings.Count(out, "\n") != 3 || !sameJSON("["+strings.ReplaceAll(strings.TrimSpace(out), "\n", ",")+"]", c.json) {
				t.Errorf("ndjson: %s", out)
			}
			a.format = ""
			if _, out = a.do(surface.Run, "read-only", query); !strings.HasPrefix(out, c.table) || !strings.Contains(out, "NULL") {
				t.Errorf("table:\n%s", out)
			}
			if r, out = a.do(surface.Run, "read-only", "SELECT 1 AS a, 2 AS a, 'x' AS b WHERE 1 = 0"); a.table["driver"] == "mysql" && r.Status != 0 {
				r, out = a.do(surface.Run, "read-only", "SELECT 1 AS a, 2 AS a, 'x' AS b FROM jobs WHERE 1 = 0")
			}
			if r.Status != 0 || !strings.HasPrefix(out, "a  a_2  b") || !reflect.DeepEqual(r.Fields["columns"], []string{"a", "a_2", "b"}) {
				t.Errorf("%d %s %v\n%s", r.Status, r.Message, r.Fields, out)
			}
		})
	}
}

func sameJSON(a, b string) bool {
	decode := func(s string) (v any) {
		d := json.NewDecoder(strings.NewReader(s))
		d.UseNumber()
		if d.Decode(&v) != nil {
			return s
		}
		return v
	}
	return reflect.DeepEqual(decode(a), decode(b))
}

// TestTypesOfPostgres: what has a form of its own in JSON keeps it.
func TestTypesOfPostgres(t *testing.T) {
	a := onPostgres(t, "reader", false)
	a.format = "ndjson"
	_, out := a.do(surface.Run, "read-only", "SELECT day, doc, done, 'NaN'::float8 AS nan, 9223372036854775807 AS most, '1 day'::interval AS gap, ARRAY[1,2] AS list FROM jobs WHERE id = 1")
	if want := `{"day":"2026-01-02","doc":{"a": 1},"done":true,"nan":"NaN","most":9223372036854775807,"gap":"P1D","list":"{1,2}"}` + "\n"; out != want {
		t.Errorf("%s\nwant %s", out, want)
	}
}

// TestUnsignedOfMySQL: the greatest number is not cut.
func TestUnsignedOfMySQL(t *testing.T) {
	a := onMySQL(t, "reader", false)
	a.format = "ndjson"
	if _, out := a.do(surface.Run, "read-only", "SELECT big FROM jobs WHERE id = 1"); out != "{\"big\":18446744073709551615}\n" {
		t.Error(out)
	}
}

// TestHostileText: what a database holds does not steer the terminal.
func TestHostileText(t *testing.T) {
	a := onSQLite(t, false)
	_, out := a.do(surface.Run, "read-only", "SELECT char(27) || '[2J' || char(10) || char(8238) AS evil, x'ff' AS raw")
	if strings.ContainsAny(strings.ReplaceAll(out, "\n", ""), "\x1b\u202e") || strings.Count(out, "\n") != 3 {
		t.Errorf("%q", out)
	}
}

// TestMaxRows: no more rows than the connection allows, and how many there are.
func TestMaxRows(t *testing.T) {
	everywhere(t, false, func(t *testing.T, a *asked) {
		a.table["max_rows"] = int64(2)
		a.format = "ndjson"
		r, out := a.do(surface.Run, "read-only", "SELECT id FROM jobs")
		if r.Status != 0 || strings.Count(out, "\n") != 2 || r.Fields["cut"] != true || r.Fields["rows"] != 2 || r.Fields["total_rows"] != int64(3) || len(r.Lines) != 1 || !strings.Contains(r.Lines[0], "2 rows of 3") {
			t.Errorf("%d %s %v %v %q", r.Status, r.Message, r.Fields, r.Lines, out)
		}
	})
}

// endless are statements that go on for long.
var endless = map[string]string{
	"sqlite":   "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) AS n FROM n",
	"postgres": "SELECT pg_sleep(60)",
	"mysql":    "SELECT SLEEP(60) AS n FROM jobs",
}

// TestTimeAndInterrupt: what takes too long is ended, on the server too.
func TestTimeAndInterrupt(t *testing.T) {
	everywhere(t, false, func(t *testing.T, a *asked) {
		query := endless[a.table["driver"].(string)]
		for _, c := range []struct {
			cause  error
			status int
		}{{surface.ErrTimeout, 124}, {surface.ErrInterrupted, 130}} {
			ctx, cancel := context.WithCancelCause(t.Context())
			time.AfterFunc(700*time.Millisecond, func() { cancel(c.cause) })
			began := time.Now()
			r, _ := a.within(ctx, surface.Run, "read-only", query)
			if took := time.Since(began); r.Status != c.status || took > 6*time.Second {
				t.Errorf("%d %s after %s, want %d", r.Status, r.Message, took, c.status)
			}
		}
		// At once: the process that asked ends now.
		switch a.table["driver"] {
		case "postgres":
			if out := a.rows("SELECT count(*) AS n FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%pg_sleep(6%' AND pid <> pg_backend_pid()"); !strings.Contains(out, "\n0") {
				t.Errorf("it still runs: %s", out)
			}
		case "mysql":
			if out := a.rows("SELECT count(*) AS n FROM information_schema.PROCESSLIST WHERE INFO LIKE '%SLEEP(60%' AND ID <> CONNECTION_ID()"); !strings.Contains(out, "0") {
				t.Errorf("it still runs: %s", out)
			}
		}
	})
}

// TestErrors name the state and the place in the template.
func TestErrors(t *testing.T) {
	everywhere(t, false, func(t *testing.T, a *asked) {
		driver := a.table["driver"].(string)
		for _, c := range []struct {
			query string
			want  map[string]string
		}{
			{"SELECT id\nFROM jobs\nWHERE wrong = :status", map[string]string{"sqlite": "jobs.sql:12:7: SQLITE 1", "postgres": "jobs.sql:12:7: 42703", "mysql": "jobs.sql:12:7: 42S22"}},
			{"SELECT no_such_function(:status)", map[string]string{"sqlite": "jobs.sql:10:8: SQLITE 1", "postgres": "jobs.sql:10:8: 42883", "mysql": "42000"}},
			{"SELECT id FROM jobs WHERE status = :status AND AND id = 1", map[string]string{"sqlite": ": SQLITE 1", "postgres": "jobs.sql:10:48: 42601", "mysql": "jobs.sql:10:48: 42000"}},
		} {
			r, _ := a.do(surface.Run, "read-only", c.query, "status", "string", "x")
			if r.Status != 1 || !strings.Contains(r.Message, c.want[driver]) {
				t.Errorf("%q: %d %s, want %s", c.query, r.Status, r.Message, c.want[driver])
			}
		}
		a.table["from"] = "env:NOTHING"
		if r, _ := a.do(surface.Run, "read-only", "SELECT 1 AS a"); r.Status != 125 {
			t.Errorf("no variable: %d %s", r.Status, r.Message)
		}
	})
}

// TestSecretsAreNotTold: an error does not repeat the password.
func TestSecretsAreNotTold(t *testing.T) {
	for _, c := range []struct{ driver, url string }{
		{"postgres", "postgres://a:hunter2@127.0.0.1:1/x"}, {"mysql", "mysql://a:hunter2@127.0.0.1:1/x"}, {"mysql", "a:hunter2@bad(127.0.0.1:1/x"}, {"postgres", "host='x password=hunter2"},
	} {
		a := &asked{t: t, root: t.TempDir(), table: map[string]any{"driver": c.driver, "from": "env:U"}, env: map[string]string{"U": c.url}}
		r, _ := a.do(surface.Run, "read-only", "SELECT 1 AS a")
		if r.Status != 1 && r.Status != 125 || strings.Contains(r.Message, "hunter2") {
			t.Errorf("%s: %d %s", c.url, r.Status, r.Message)
		}
	}
}

// TestWrites: a dry run says how many rows it would touch and touches none, an approval
// is for that number, and without write = true nothing is changed.
func TestWrites(t *testing.T) {
	everywhere(t, true, func(t *testing.T, a *asked) {
		driver := a.table["driver"].(string)
		const query = "UPDATE jobs SET note = :note WHERE status = :status"
		args := []string{"note", "string", "gone", "status", "string", "failed"}
		count := func() string { return a.rows("SELECT count(*) AS n FROM jobs WHERE note = 'gone'") }
		before := count()
		a.table["write"] = false
		for _, mode := range []surface.Mode{surface.Run, surface.DryRun} {
			if r, _ := a.do(mode, "network-write", query, args...); r.Status != 125 || !strings.Contains(r.Message, "does not write") {
				t.Errorf("%s without write: %d %s", mode, r.Status, r.Message)
			}
		}
		a.table["write"] = true
		r, _ := a.do(surface.DryRun, "network-write", query, args...)
		if r.Status != 0 || driver != "mysql" && (r.Touches == nil || *r.Touches != 2 || !strings.Contains(strings.Join(r.Lines, "\n"), "would change 2 rows")) {
			t.Errorf("dry run: %d %s %v %v", r.Status, r.Message, r.Touches, r.Lines)
		}
		if count() != before {
			t.Error("the dry run has changed something")
		}
		other := int64(5)
		a.expect = &other
		if r, _ = a.do(surface.Run, "network-write", query, args...); r.Status != 125 || r.Code != "approval_stale" || count() != before {
			t.Errorf("with another number: %d %s %s", r.Status, r.Code, r.Message)
		}
		a.expect = nil
		r, _ = a.do(surface.Run, "network-write", query, args...)
		if r.Status != 0 || r.Touches == nil || *r.Touches != 2 || !strings.Contains(count(), "2") {
			t.Errorf("run: %d %s %v", r.Status, r.Message, r.Touches)
		}
		// A constraint that does not hold changes nothing.
		if r, _ = a.do(surface.Run, "network-write", "INSERT INTO jobs(id, status) VALUES (70, 'x'), (1, 'x')"); r.Status != 1 || !strings.Contains(a.rows("SELECT count(*) AS n FROM jobs WHERE id = 70"), "0") {
			t.Errorf("a broken insert: %d %s", r.Status, r.Message)
		}
		a.format = "json"
		r, out := a.do(surface.Run, "network-write", "UPDATE jobs SET note = NULL WHERE note = 'gone'")
		if r.Status != 0 || *r.Touches != 2 || strings.TrimSpace(out) != "[]" {
			t.Errorf("without a result: %d %s %q", r.Status, r.Message, out)
		}
		if driver == "mysql" {
			return // MariaDB gives nothing back of an UPDATE
		}
		a.format = "ndjson"
		if r, out = a.do(surface.Run, "network-write", "UPDATE jobs SET price = price WHERE id < 2 RETURNING id"); r.Status != 0 || out != "{\"id\":1}\n" || *r.Touches != 1 {
			t.Errorf("returning: %d %s %q", r.Status, r.Message, out)
		}
	})
}

// writesRefused are statements that no template may be, whatever the connection allows.
var writesRefused = map[string][]string{
	"sqlite":   {"ATTACH 'x.db' AS x", "PRAGMA user_version = 3", "VACUUM", "VACUUM INTO 'x.db'", "COMMIT", "BEGIN", "CREATE TEMP TABLE x(a)", "CREATE VIRTUAL TABLE x USING fts5(a)", "DELETE FROM jobs; COMMIT", "SAVEPOINT a"},
	"postgres": {"COPY jobs TO PROGRAM 'id'", "COPY jobs FROM '/etc/passwd'", "DO $$ BEGIN END $$", "COMMIT", "SET ROLE boss", "UPDATE jobs SET note = pg_read_file('/etc/passwd')", "DELETE FROM jobs; COMMIT", "LISTEN a", "CALL x()", "VACUUM", "LOAD 'x'"},
	"mysql":    {"LOAD DATA INFILE '/etc/passwd' INTO TABLE jobs", "COMMIT", "SET GLOBAL general_log = 1", "UPDATE jobs SET note = load_file('/etc/passwd')", "DELETE FROM jobs; COMMIT", "CALL x()", "/*! DELETE FROM jobs */", "HANDLER jobs OPEN", "SELECT 1 INTO OUTFILE '/tmp/evil'", "KILL 1"},
}

func TestWritesRefused(t *testing.T) {
	everywhere(t, true, func(t *testing.T, a *asked) {
		before := a.rows("SELECT count(*) AS n FROM jobs")
		for _, query := range writesRefused[a.table["driver"].(string)] {
			for _, mode := range []surface.Mode{surface.Run, surface.DryRun} {
				if r, _ := a.do(mode, "network-write", query); r.Status != 125 {
					t.Errorf("%s %q: %d %s", mode, query, r.Status, r.Message)
				}
			}
			if a.rows("SELECT count(*) AS n FROM jobs") != before {
				t.Fatalf("%q has changed something", query)
			}
		}
	})
}

// TestTriedIsTakenBack: the file of a SQLite database is the same after a dry run.
func TestTriedIsTakenBack(t *testing.T) {
	a := onSQLite(t, true)
	before := state(t, a.root)
	for _, query := range []string{"DELETE FROM jobs", "DROP TABLE jobs", "CREATE TABLE x(a)", "INSERT INTO jobs(id, status) SELECT id + 10, status FROM jobs", "ALTER TABLE jobs ADD COLUMN x"} {
		r, _ := a.do(surface.DryRun, "local-write", query)
		if r.Status != 0 || state(t, a.root) != before {
			t.Errorf("%q: %d %s", query, r.Status, r.Message)
		}
		if query == "DELETE FROM jobs" && (r.Touches == nil || *r.Touches != 3) {
			t.Errorf("%q would touch %v", query, r.Touches)
		}
	}
}

// TestLocked: a locked database is awaited, and told as that.
func TestLocked(t *testing.T) {
	a := onSQLite(t, false)
	db, err := sql.Open("sqlite", filepath.Join(a.root, "jobs.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	if _, err := db.Exec("BEGIN EXCLUSIVE"); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeoutCause(t.Context(), 2*time.Second, surface.ErrTimeout)
	defer cancel()
	began := time.Now()
	r, _ := a.within(ctx, surface.Run, "read-only", "SELECT id FROM jobs")
	if took := time.Since(began); r.Status != 1 || !strings.Contains(r.Message, "locked") || took < time.Second {
		t.Errorf("%d %s after %s", r.Status, r.Message, took)
	}
	time.AfterFunc(500*time.Millisecond, func() { _, _ = db.Exec("ROLLBACK") })
	if r, _ = a.do(surface.Run, "read-only", "SELECT id FROM jobs"); r.Status != 0 {
		t.Errorf("when it is free again: %d %s", r.Status, r.Message)
	}
}

// TestValuesOfColumns for completion: distinct, without what is no value.
func TestValuesOfColumns(t *testing.T) {
	everywhere(t, false, func(t *testing.T, a *asked) {
		a.resolver = "sql:jobs.jobs.status"
		if r, out := a.do(surface.Values, "read-only", ""); r.Status != 0 || out != "failed\nok\n" {
			t.Errorf("%d %s %q", r.Status, r.Message, out)
		}
		a.resolver = `sql:jobs.jobs.status" FROM jobs; DELETE FROM jobs; --`
		if r, out := a.do(surface.Values, "read-only", ""); r.Status != 125 || out != "" {
			t.Errorf("%d %s %q", r.Status, r.Message, out)
		}
	})
}

// TestTables of config.toml that are wrong are refused with what is wrong.
func TestTables(t *testing.T) {
	a := onSQLite(t, false)
	file := filepath.Join(a.root, "jobs.db")
	for want, table := range map[string]map[string]any{
		"driver":      {"driver": "oracle", "from": "file:" + file},
		"writes":      {"driver": "sqlite", "from": "file:" + file, "writes": true},
		"wrong type":  {"driver": "sqlite", "from": "file:" + file, "write": "yes"},
		"max_rows":    {"driver": "sqlite", "from": "file:" + file, "max_rows": int64(0)},
		"timeout":     {"driver": "sqlite", "from": "file:" + file, "timeout": "soon"},
		"from":        {"driver": "sqlite"},
		"nothing for": {"driver": "sqlite", "from": "pg_service:x"},
		"not there":   {"driver": "sqlite", "from": "file:none.db"},
		"leads out":   {"driver": "sqlite", "from": "file:../x.db"},
	} {
		a.table = table
		if r, _ := a.do(surface.Run, "read-only", "SELECT 1 AS a"); r.Status != 125 || !strings.Contains(r.Message, want) {
			t.Errorf("%s: %d %s", want, r.Status, r.Message)
		}
	}
	if _, err := os.Stat(filepath.Join(a.root, "none.db")); err == nil {
		t.Error("it was made")
	}
}

// TestEvidence: the check says which tables a template reads and writes, and gives its
// facts in a form for programs.
func TestEvidence(t *testing.T) {
	everywhere(t, true, func(t *testing.T, a *asked) {
		for _, c := range []struct{ query, effect, reads, writes string }{
			{"SELECT id FROM jobs WHERE status = :status", "read-only", "jobs", ""},
			{"UPDATE jobs SET note = :status WHERE id = 1", "write", "", "UPDATE jobs"},
			{"DELETE FROM jobs WHERE status = :status", "write", "", "DELETE"},
		} {
			effect := "read-only"
			if c.effect == "write" {
				effect = "network-write"
			}
			r, _ := a.do(surface.Check, effect, c.query, "status", "string", "x")
			var f Facts
			if err := json.Unmarshal(r.Facts, &f); err != nil || r.Status != 0 {
				t.Fatalf("%q: %v %d %s", c.query, err, r.Status, r.Message)
			}
			_, has := f.Reads[c.reads]
			if f.Effect != c.effect || c.reads != "" && !has && a.table["driver"] != "mysql" || !strings.Contains(strings.Join(f.Writes, ", "), c.writes) || f.By == "words" {
				t.Errorf("%q: %+v", c.query, f)
			}
		}
	})
}

// TestHugeValues are refused by the database or its driver, and not held in memory.
func TestHugeValues(t *testing.T) {
	for driver, query := range map[string]string{"sqlite": "SELECT zeroblob(500000000) AS big", "postgres": "SELECT repeat('x', 500000000) AS big"} {
		a := onSQLite(t, false)
		if driver == "postgres" {
			a = onPostgres(t, "reader", false)
		}
		if r, out := a.do(surface.Run, "read-only", query); r.Status != 1 || len(out) > 100 {
			t.Errorf("%s: %d %s, %d bytes", driver, r.Status, r.Message, len(out))
		}
	}
}

// TestSearchOfSQLite: what its own modules ask themselves is no way around.
func TestSearchOfSQLite(t *testing.T) {
	a := onSQLite(t, true)
	file := filepath.Join(a.root, "jobs.db")
	db, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec("CREATE VIRTUAL TABLE docs USING fts5(body); INSERT INTO docs VALUES ('one word'), ('two words')"); err != nil {
		t.Fatal(err)
	}
	a.format = "ndjson"
	for query, want := range map[string]string{
		"SELECT body FROM docs WHERE docs MATCH :what":               "{\"body\":\"one word\"}\n",
		"SELECT value FROM json_each('[1, 2]') WHERE :what <> ''":    "{\"value\":1}\n{\"value\":2}\n",
		"SELECT id FROM failed WHERE :what <> '' ORDER BY id":        "{\"id\":1}\n{\"id\":3}\n",
		"SELECT count(*) AS n FROM sqlite_schema WHERE name = :what": "{\"n\":0}\n",
	} {
		if r, out := a.do(surface.Run, "read-only", query, "what", "string", "word"); r.Status != 0 || out != want {
			t.Errorf("%s: %d %s %q", query, r.Status, r.Message, out)
		}
	}
	for _, query := range []string{"INSERT INTO docs(docs) VALUES ('optimize')", "SELECT * FROM pragma_user_version", "INSERT INTO docs VALUES ('x')"} {
		if r, _ := a.do(surface.Run, "read-only", query); r.Status != 125 {
			t.Errorf("%s: %d %s", query, r.Status, r.Message)
		}
	}
}
