package tmp

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	_ "modernc.org/sqlite"

	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
)

// shop is a home with a database, and an operation that changes it.
type shop struct {
	t   *testing.T
	env term.Env
	db  *sql.DB
}

func newShop(t *testing.T) *shop {
	t.Helper()
	env := mapped(t, `{"schema": 1, "tool": "sql", "operations": [
  {"id": "sql.retry", "surface": "sql", "intent": ["retry failed jobs"], "connection": "jobs", "query": "UPDATE jobs SET status = 'new' WHERE status = 'failed'", "verified": true},
  {"id": "sql.purge", "surface": "sql", "intent": ["purge all jobs"], "connection": "jobs", "query": "DELETE FROM jobs", "verified": true},
  {"id": "sql.all", "surface": "sql", "intent": ["list all jobs"], "connection": "jobs", "query": "SELECT id, status FROM jobs ORDER BY id", "verified": true}]}`, "TMP_AGENT_ID=robot")
	env.Now = time.Now
	home := env.Getenv("HOME")
	s := &shop{t: t, env: env}
	s.config(true)
	db, err := sql.Open("sqlite", filepath.Join(home, "jobs.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	s.db = db
	s.sql("CREATE TABLE jobs(id INTEGER PRIMARY KEY, status TEXT); INSERT INTO jobs VALUES (1, 'failed'), (2, 'failed'), (3, 'ok')")
	return s
}

func (s *shop) config(write bool) {
	s.t.Helper()
	home := s.env.Getenv("HOME")
	dir := filepath.Join(home, ".config/tmp")
	text := fmt.Sprintf("[sql.jobs]\ndriver = \"sqlite\"\nfrom = \"file:%s\"\nwrite = %t\n", filepath.Join(home, "jobs.db"), write)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "config.toml"), []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
}

func (s *shop) sql(text string) {
	s.t.Helper()
	if _, err := s.db.Exec(text); err != nil {
		s.t.Fatal(err)
	}
}

func (s *shop) failed() (n int) {
	s.t.Helper()
	if err := s.db.QueryRow("SELECT count(*) FROM jobs WHERE status = 'failed'").Scan(&n); err != nil {
		s.t.Fatal(err)
	}
	return n
}

// code runs an operation as the agent.
func (s *shop) code(id string) (status int, code, digest string) {
	s.t.Helper()
	status, e := runJSON(s.t, s.env, id)
	if e.Error != nil {
		code = string(e.Error.Code)
	}
	if e.PlanDigest != nil {
		digest = *e.PlanDigest
	}
	return status, code, digest
}

// TestStatementNeedsApproval: an agent's write waits for a person, who is told the
// number of rows; with another number, or another connection, nothing is changed.
func TestStatementNeedsApproval(t *testing.T) {
	s := newShop(t)
	status, code, digest := s.code("sql.retry")
	if status != 125 || code != "approval_required" || s.failed() != 2 {
		t.Fatalf("%d %s, %d failed", status, code, s.failed())
	}
	sayYes(t, s.env, "approve", digest)
	s.sql("INSERT INTO jobs VALUES (4, 'failed')")
	if status, code, _ = s.code("sql.retry"); status != 125 || code != "approval_stale" || s.failed() != 3 {
		t.Errorf("with a row more: %d %s, %d failed", status, code, s.failed())
	}
	_, code, digest = s.code("sql.retry")
	if code != "approval_required" {
		t.Errorf("the approval is used up: %s", code)
	}
	sayYes(t, s.env, "approve", digest)
	s.config(false)
	if status, code, _ = s.code("sql.retry"); status != 125 || s.failed() != 3 {
		t.Errorf("with another connection: %d %s, %d failed", status, code, s.failed())
	}
	s.config(true)
	_, _, digest = s.code("sql.retry")
	sayYes(t, s.env, "approve", digest)
	if status, code, _ = s.code("sql.retry"); status != 0 || s.failed() != 0 {
		t.Errorf("as it was approved: %d %s, %d failed", status, code, s.failed())
	}
	if status, code, _ = s.code("sql.retry"); status != 125 || code != "approval_required" {
		t.Errorf("a second time: %d %s", status, code)
	}
	if status, code, _ = s.code("sql.purge"); status != 125 || code != "refused" {
		t.Errorf("CRITICAL: %d %s", status, code)
	}
	if status, e := runJSON(t, s.env, "sql.all"); status != 0 || !strings.Contains(string(e.Data), `"id":1`) && !strings.Contains(string(e.Data), `"id": 1`) {
		t.Errorf("reading: %d %s", status, e.Data)
	}
}

// TestPersonIsToldTheRows before the question.
func TestPersonIsToldTheRows(t *testing.T) {
	s := newShop(t)
	g := &ground{t: t, env: s.env}
	person, asked := g.person("n")
	if status, _, _ := tmpRun(t, person, "run", "sql.purge"); status != 125 || !strings.Contains(asked.String(), "would change 3 rows") || !strings.Contains(asked.String(), "CRITICAL") {
		t.Errorf("%d %q", status, asked)
	}
	person, _ = g.person("run")
	if status, _, errs := tmpRun(t, person, "run", "sql.purge"); status != 0 || !strings.Contains(errs, "3 rows changed") {
		t.Errorf("%d %q", status, errs)
	}
}
