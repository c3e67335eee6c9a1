package statement

import (
	"reflect"
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/internal/sqltext"
)

func TestSlots(t *testing.T) {
	for _, c := range []struct {
		dialect sqltext.Dialect
		text    string
		names   []string
		sent    string
	}{
		{sqltext.SQLite, "SELECT a FROM t WHERE status = ? LIMIT ?;", []string{"status", "limit"}, "SELECT a FROM t WHERE status = {} LIMIT {} "},
		{sqltext.SQLite, "SELECT ? WHERE b LIKE ? AND c IN (?) AND d >= ?", []string{"p1", "b", "p3", "d"}, "SELECT {} WHERE b LIKE {} AND c IN ({}) AND d >= {}"},
		{sqltext.Postgres, "SELECT a::text, b[1:2] FROM t WHERE c = :c AND d = :d AND e = :c", []string{"c", "d"}, "SELECT a::text, b[1:2] FROM t WHERE c = {} AND d = {} AND e = {}"},
		{sqltext.Postgres, "SELECT ':no', E'\\':no', \":no\", $$ :no $$, $x$ :no $x$ /* :no /* :no */ :no */ -- :no\n FROM t WHERE a = :yes", []string{"yes"}, "SELECT ':no', E'\\':no', \":no\", $$ :no $$, $x$ :no $x$ /* :no /* :no */ :no */ -- :no\n FROM t WHERE a = {}"},
		{sqltext.Postgres, "SELECT doc ? 'a', doc ?| ARRAY['b'] FROM t WHERE a = $2 AND b = $1 AND c = $2", []string{"b", "a"}, "SELECT doc ? 'a', doc ?| ARRAY['b'] FROM t WHERE a = {} AND b = {} AND c = {}"},
		{sqltext.MySQL, "SELECT 'it\\'s ?', `?`, \"?\" # ?\n FROM t WHERE a = ?", []string{"a"}, "SELECT 'it\\'s ?', `?`, \"?\" # ?\n FROM t WHERE a = {}"},
		{sqltext.SQLite, "SELECT 'it''s ?', [?], \"?\" FROM t WHERE a = ?", []string{"a"}, "SELECT 'it''s ?', [?], \"?\" FROM t WHERE a = {}"},
		{sqltext.SQLite, "SELECT a FROM t WHERE t.status = ? AND x.status != ?", []string{"status", "p2"}, "SELECT a FROM t WHERE t.status = {} AND x.status != {}"},
		{sqltext.SQLite, "SELECT a FROM t WHERE a = ?2 AND b = ?1 AND c = ?2", []string{"b", "a"}, "SELECT a FROM t WHERE a = {} AND b = {} AND c = {}"},
		{sqltext.SQLite, "SELECT 1", nil, "SELECT 1"},
	} {
		s, err := Parse(c.dialect, c.text)
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		if got := s.Names(); !reflect.DeepEqual(got, c.names) {
			t.Errorf("%q: names %q, want %q", c.text, got, c.names)
		}
		r := s.Rewrite(func(Slot) string { return "{}" })
		if r.Text != c.sent {
			t.Errorf("%q: sent %q, want %q", c.text, r.Text, c.sent)
		}
		if end := len(strings.TrimRight(r.Text, " ;")); r.Was(end) != len(strings.TrimRight(s.Text, " ;")) {
			t.Errorf("%q: byte %d was %d", c.text, end, r.Was(end))
		}
	}
}

func TestOneStatement(t *testing.T) {
	for text, ok := range map[string]bool{
		"SELECT 1": true, "SELECT 1;": true, "SELECT 1 ; -- end": true, "SELECT 1; SELECT 2": false, "SELECT 1;;": false, "": false, " -- x": false, ";": false,
		"SELECT ';'": true, "SELECT 'a": false, "SELECT 1 /* open": false, "SELECT a = :b AND c = $1": false, "SELECT 1 -- last": true,
	} {
		if _, err := Parse(sqltext.Postgres, text); (err == nil) != ok {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestReads(t *testing.T) {
	for text, reads := range map[string]bool{
		"SELECT 1": true, "(SELECT 1) UNION (SELECT 2)": true, "VALUES (1)": true, "TABLE jobs": true, "WITH a AS (SELECT 1) SELECT * FROM a": true,
		"EXPLAIN SELECT 1": true, "EXPLAIN (ANALYZE, FORMAT JSON) SELECT 1": true, "EXPLAIN ANALYZE SELECT 1": true, "EXPLAIN QUERY PLAN SELECT 1": true,
		"SELECT replace(a, 'b', 'c') FROM t": true, "SELECT (replace('a', 'b', 'c'))": true, "SELECT updated, deleted FROM t": true, "SELECT 'DELETE FROM x'": true,
		"DELETE FROM t": false, "WITH a AS (SELECT 1) DELETE FROM t": false, "WITH a AS (DELETE FROM t RETURNING *) SELECT * FROM a": false,
		"EXPLAIN ANALYZE DELETE FROM t": false, "EXPLAIN DELETE FROM t": false, "SELECT * INTO x FROM t": false, "PRAGMA a": false, "VACUUM": false,
		"WITH RECURSIVE a(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM a) UPDATE t SET b = 1": false, "CREATE TABLE x AS SELECT 1": false,
	} {
		s, err := Parse(sqltext.Postgres, text)
		if err != nil || s.Reads() != reads {
			t.Errorf("%q: reads %v, want %v (%v)", text, !reads, reads, err)
		}
	}
}

func TestEverything(t *testing.T) {
	for text, all := range map[string]bool{
		"UPDATE t SET a = 1": true, "UPDATE t SET a = 1 WHERE b = 2": false, "DELETE FROM t": true, "DELETE FROM t WHERE a IN (SELECT 1)": false,
		"DELETE FROM t USING (SELECT 1 WHERE true) x": true, "UPDATE t SET a = (SELECT 1 WHERE true)": true,
		"WITH x AS (SELECT 1 WHERE true) DELETE FROM t": true, "WITH x AS (DELETE FROM t RETURNING 1) SELECT 1 WHERE true": true,
		"WITH x AS (DELETE FROM t WHERE a = 1 RETURNING 1) SELECT 1": false,
		"DROP TABLE t": true, "TRUNCATE t": true, "GRANT ALL ON t TO x": true, "INSERT INTO t VALUES (1)": false, "CREATE TABLE t(a)": false,
		"INSERT INTO t VALUES (1) ON CONFLICT (a) DO UPDATE SET b = 1": false, "SELECT 1": false,
	} {
		s, err := Parse(sqltext.Postgres, text)
		if err != nil || s.Everything() != all {
			t.Errorf("%q: everything %v, want %v (%v)", text, !all, all, err)
		}
	}
}

func TestTarget(t *testing.T) {
	for text, want := range map[string]string{
		"UPDATE jobs SET a = 1": "UPDATE jobs", "DELETE FROM ONLY shop.jobs": "DELETE shop.jobs", "INSERT INTO \"My Jobs\"(a) VALUES (1)": "INSERT My Jobs",
		"DROP TABLE IF EXISTS jobs": "DROP jobs", "WITH a AS (SELECT 1) DELETE FROM jobs": "DELETE jobs", "CREATE UNIQUE INDEX i ON jobs(a)": "CREATE i", "UPDATE": "UPDATE",
		"WITH a AS (DELETE FROM jobs RETURNING 1) SELECT * FROM a": "SELECT jobs",
	} {
		if s, err := Parse(sqltext.Postgres, text); err != nil || s.Target() != want {
			t.Errorf("%q: %q, want %q (%v)", text, s.Target(), want, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{"SELECT ? FROM a WHERE b = :c", "EXPLAIN (", "WITH", "$1$2::a:b", "';'; x", "(((", "EXPLAIN", "a:b :c"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, d := range []sqltext.Dialect{sqltext.Any, sqltext.Postgres, sqltext.MySQL, sqltext.SQLite} {
			s, err := Parse(d, text)
			if err != nil {
				continue
			}
			s.Names()
			s.Reads()
			s.Everything()
			s.Calls()
			s.Target()
			r := s.Rewrite(func(Slot) string { return "??" })
			if len(s.Slots) == 0 && r.Text != s.Text {
				t.Errorf("%q becomes %q", s.Text, r.Text)
			}
		}
	})
}

func TestFunctionsAreShownWithoutWords(t *testing.T) {
	for text, want := range map[string]string{
		"WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM c) SELECT count(*) FROM c": "count",
		"WITH d AS (SELECT 1) DELETE FROM jobs":                                                "",
		"WITH d AS MATERIALIZED (SELECT lower(x) FROM f(1) AS g(y)) SELECT 1":                  "lower f g",
		"INSERT INTO t(a) VALUES (abs(:a))":                                                    "abs",
		"CREATE TABLE q(a)":                                                                    "",
		`SELECT a IN (1), "in"(2), EXISTS (SELECT 1), replace(a, 'x', upper('y'))`:             "in replace upper",
	} {
		s, err := Parse(sqltext.Any, text)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(s.Functions(), " "); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
