package sql

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/surface"
)

// asked carries a template out against a table of config.toml.
type asked struct {
	t      *testing.T
	table  map[string]any
	env    map[string]string
	root   string
	format string
	expect *int64
	name   string

	resolver string
}

func (a *asked) do(mode surface.Mode, effect, query string, params ...string) (*surface.Report, string) {
	a.t.Helper()
	ctx, cancel := context.WithTimeoutCause(context.Background(), 20*time.Second, surface.ErrTimeout)
	defer cancel()
	return a.within(ctx, mode, effect, query, params...)
}

func (a *asked) connection() string {
	if a.name == "" {
		return "jobs"
	}
	return a.name
}

// named is do with a connection that the template names.
func (a *asked) named(name string, mode surface.Mode, effect, query string) (*surface.Report, string) {
	a.name = name
	return a.do(mode, effect, query)
}

// within: params are name, type, value in turn.
func (a *asked) within(ctx context.Context, mode surface.Mode, effect, query string, params ...string) (*surface.Report, string) {
	a.t.Helper()
	record, err := json.Marshal(surface.SQLRecord{Query: query, Connection: a.connection(), File: "jobs.sql", Line: 10})
	if err != nil {
		a.t.Fatal(err)
	}
	r := &surface.Request{Mode: mode, Format: a.format, Timeout: 1, Expect: a.expect, Resolver: a.resolver, Call: surface.Call{
		V: 1, Operation: "sql.it", Surface: surface.SQL, Effect: effect, Record: record, Values: map[string]string{}, Dir: a.root, Root: a.root, Section: "jobs",
	}}
	for i := 0; i+2 < len(params); i += 3 {
		r.Params = append(r.Params, surface.Param{Name: params[i], Type: params[i+1]})
		if params[i+2] != "NULL" {
			r.Values[params[i]] = params[i+2]
		}
	}
	var out bytes.Buffer
	w := surface.World{Stdout: &out, Getenv: func(name string) string { return a.env[name] }, Table: a.table}
	return Do(ctx, w, r), out.String()
}

const sqliteTables = `
CREATE TABLE jobs(id INTEGER PRIMARY KEY, status TEXT NOT NULL, note TEXT, price NUMERIC, made TIMESTAMP, raw BLOB);
INSERT INTO jobs VALUES (1, 'failed', NULL, 1.5, '2026-01-02 03:04:05', x'0001'), (2, 'ok', '', 9007199254740993, NULL, NULL), (3, 'failed', 'said "hi"', NULL, NULL, NULL);
CREATE INDEX jobs_status ON jobs(status);
CREATE TABLE log(text TEXT);
CREATE TRIGGER jobs_gone AFTER DELETE ON jobs BEGIN INSERT INTO log VALUES (old.id); END;
CREATE VIEW failed AS SELECT * FROM jobs WHERE status = 'failed';
`

// onSQLite is a database of its own.
func onSQLite(t *testing.T, write bool) *asked {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "jobs.db")
	db, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(sqliteTables); err != nil {
		t.Fatal(err)
	}
	return &asked{t: t, root: dir, table: map[string]any{"driver": "sqlite", "from": "file:" + file, "write": write}}
}

func onPostgres(t *testing.T, role string, write bool) *asked {
	dir := postgresServer(t)
	return &asked{
		t: t, root: t.TempDir(), table: map[string]any{"driver": "postgres", "from": "env:DATABASE_URL", "write": write},
		env: map[string]string{"DATABASE_URL": postgresURL(dir, role)},
	}
}

func onMySQL(t *testing.T, user string, write bool) *asked {
	socket := mysqlServer(t)
	return &asked{
		t: t, root: t.TempDir(), table: map[string]any{"driver": "mysql", "from": "env:DATABASE_URL", "write": write},
		env: map[string]string{"DATABASE_URL": "mysql://" + user + "@localhost/shop?socket=" + socket},
	}
}

// everywhere runs a test on each kind of database.
func everywhere(t *testing.T, write bool, test func(t *testing.T, a *asked)) {
	t.Run("sqlite", func(t *testing.T) { test(t, onSQLite(t, write)) })
	role := "reader"
	if write {
		role = "writer"
	}
	t.Run("postgres", func(t *testing.T) { test(t, onPostgres(t, role, write)) })
	t.Run("mysql", func(t *testing.T) { test(t, onMySQL(t, role, write)) })
}

// state is a hash of a directory: names and contents.
func state(t *testing.T, dir string) string {
	t.Helper()
	h := sha256.New()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		data, _ := os.ReadFile(filepath.Join(dir, e.Name()))
		h.Write([]byte(e.Name()))
		h.Write(data)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// TestValuesAreBound: what a value holds is never read as SQL, and what is not there is
// NULL.
func TestValuesAreBound(t *testing.T) {
	everywhere(t, false, func(t *testing.T, a *asked) {
		a.format = "json"
		for _, form := range []string{"SELECT id FROM jobs WHERE status = :status ORDER BY id", "SELECT id FROM jobs WHERE status = ? ORDER BY id", "SELECT id FROM jobs WHERE status = $1 ORDER BY id"} {
			r, out := a.do(surface.Run, "read-only", form, "status", "string", "failed")
			if r.Status != 0 || strings.Join(strings.Fields(out), "") != `[{"id":1},{"id":3}]` {
				t.Errorf("%s: %d %s %s", form, r.Status, r.Message, out)
			}
			for _, evil := range []string{"x' OR '1'='1", "failed'; DELETE FROM jobs; --", `failed\' OR 1=1 -- `, "\u02bc OR 1=1", "failed\x00", "%", "$1", ":status", "?"} {
				if a.table["driver"] == "postgres" && strings.Contains(evil, "\x00") {
					continue // no text of PostgreSQL
				}
				r, out := a.do(surface.Run, "read-only", form, "status", "string", evil)
				if r.Status != 0 || strings.Join(strings.Fields(out), "") != "[]" {
					t.Errorf("%s with %q: %d %s %s", form, evil, r.Status, r.Message, out)
				}
			}
		}
		r, out := a.do(surface.Run, "read-only", "SELECT count(*) AS n FROM jobs WHERE id > :least AND (:status = status OR :status = 'any')", "status", "string", "failed", "least", "integer", "1")
		if r.Status != 0 || !strings.Contains(out, `{"n":1}`) {
			t.Errorf("named twice: %d %s %s", r.Status, r.Message, out)
		}
	})
}
