package sqltext

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// What may stand at the cursor "|": t tables, c columns, d databases; keywords
// that must be offered, and the tables whose columns are meant.
func TestAt(t *testing.T) {
	tests := []struct {
		d                          Dialect
		text, want, keyword, named string
	}{
		{Postgres, "|", "", "select", ""},
		{Postgres, "sel|", "", "select", ""},
		{Postgres, "select |", "c", "distinct", ""},
		{Postgres, "select a|", "c", "", ""},
		{Postgres, "select a, |", "c", "", ""},
		{Postgres, "select a |", "", "from", ""},
		{Postgres, "select * |", "", "from", ""},
		{Postgres, "select * from |", "t", "", ""},
		{Postgres, "SELECT * FROM us|", "t", "", ""},
		{Postgres, "select * from users |", "", "where", "users"},
		{Postgres, "select * from users, |", "t", "", "users"},
		{Postgres, "select * from users u join |", "t", "", "users u"},
		{Postgres, "select * from users u join orders o |", "", "on", "users u, orders o"},
		{Postgres, "select * from users u left |", "", "join", "users u"},
		{Postgres, "select * from users u left join orders o on |", "c", "", "users u, orders o"},
		{Postgres, "select * from users u join orders o on u.id = o.|", "c", "", "users u, orders o"},
		{Postgres, "select * from users where |", "c", "not", "users"},
		{Postgres, "select * from users where id |", "", "is null", "users"},
		{Postgres, "select * from users where id = |", "c", "", "users"},
		{Postgres, "select * from users where id = 1 |", "", "order by", "users"},
		{Postgres, "select * from users where id = 1 and |", "c", "", "users"},
		{Postgres, "select * from users where id in (|", "c", "select", "users"},
		{Postgres, "select * from users where id in (select user_id from |", "t", "", "users"},
		{Postgres, "select * from users where id in (select | from orders)", "c", "", "orders, users"},
		{Postgres, "select | from users", "c", "", "users"},
		{Postgres, "select u.| from users as u", "c", "", "users u"},
		{Postgres, "select na|me from users", "c", "", "users"},
		{Postgres, "select count(|) from users", "c", "", "users"},
		{Postgres, "select extract(year from |) from users", "c", "", "users"},
		{Postgres, "select * from users order |", "", "by", "users"},
		{Postgres, "select * from users order by |", "c", "", "users"},
		{Postgres, "select * from users order by id |", "", "desc", "users"},
		{Postgres, "select * from users group by |", "c", "", "users"},
		{Postgres, "select a as |", "", "", ""},
		{Postgres, "select a as b, |", "c", "", ""},
		{Postgres, "select a from users limit |", "", "", "users"},
		{Postgres, "select * from app.|", "t", "", ""},
		{Postgres, "select * from \"Us|", "t", "", ""},
		{Postgres, "insert |", "", "into", ""},
		{Postgres, "insert into |", "t", "", ""},
		{Postgres, "insert into users |", "", "values", "users"},
		{Postgres, "insert into users (|", "c", "", "users"},
		{Postgres, "insert into users (id, |", "c", "", "users"},
		{Postgres, "insert into users (id) values (|", "", "", "users"},
		{Postgres, "insert into users (id) |", "", "values", "users"},
		{Postgres, "insert into users (id) values (1) on |", "", "conflict", "users"},
		{Postgres, "insert into users (id) values (1) on conflict (|", "c", "", "users"},
		{Postgres, "insert into users (id) values (1) on conflict (id) do update set |", "c", "", "users"},
		{Postgres, "insert into users (id) values (1) on conflict (id) do |", "", "nothing", "users"},
		{Postgres, "insert into users (id) values (1) returning |", "c", "", "users"},
		{Postgres, "insert into users select |", "c", "", "users"},
		{Postgres, "update |", "t", "", ""},
		{Postgres, "update users |", "", "set", "users"},
		{Postgres, "update users set |", "c", "", "users"},
		{Postgres, "update users set name = 'x', |", "c", "", "users"},
		{Postgres, "update users set name = 'x' |", "", "where", "users"},
		{Postgres, "update users set name = 'x' where |", "c", "", "users"},
		{Postgres, "delete from |", "t", "", ""},
		{Postgres, "delete from users |", "", "where", "users"},
		{Postgres, "delete from users where |", "c", "", "users"},
		{Postgres, "drop |", "", "table", ""},
		{Postgres, "drop table |", "t", "if exists", ""},
		{Postgres, "drop table if exists |", "t", "", ""},
		{Postgres, "truncate |", "t", "table", ""},
		{Postgres, "alter table |", "t", "", ""},
		{Postgres, "alter table users |", "", "add column", "users"},
		{Postgres, "alter table users drop |", "", "column", "users"},
		{Postgres, "alter table users drop column |", "c", "", "users"},
		{Postgres, "alter table users rename column |", "c", "", "users"},
		{Postgres, "alter table users add column |", "", "", "users"},
		{Postgres, "create |", "", "table", ""},
		{Postgres, "create table |", "", "", ""},
		{Postgres, "create table x (a int, |", "", "", ""},
		{Postgres, "create table x (a int references |", "t", "", ""},
		{Postgres, "create index i on |", "t", "", ""},
		{Postgres, "create index i on users (|", "c", "", "users"},
		{Postgres, "create view v as |", "", "select", ""},
		{Postgres, "create view v as select * from |", "t", "", ""},
		{Postgres, "explain |", "", "select", ""},
		{Postgres, "explain select * from |", "t", "", ""},
		{Postgres, "explain analyze |", "", "select", ""},
		{Postgres, "vacuum |", "t", "full", ""},
		{Postgres, "copy |", "t", "", ""},
		{Postgres, "copy users from |", "", "", "users"},
		{Postgres, "copy users (|", "c", "", "users"},
		{Postgres, "select 1; select * from |", "t", "", ""},
		{Postgres, "select * from a; select | from b; select * from c", "c", "", "b"},
		{Postgres, "select * from a union select | from b", "c", "", "b"},
		{Postgres, "with x as (select |", "c", "", ""},
		{Postgres, "with x as (select 1) |", "", "select", ""},
		{Postgres, "with x as (select 1), y as (select 2) select * from |", "t", "", ""},
		{Postgres, "select case when |", "c", "", ""},
		{Postgres, "select * from (select * from a) s join b on |", "c", "", " s, b"},
		{Postgres, "select $$ it's $$, |", "c", "", ""},
		{Postgres, "select E'a\\'b', |", "c", "", ""},
		{Postgres, "select a /* from x */ |", "", "from", ""},
		{Postgres, `\d |`, "t", "", ""},
		{Postgres, `\d+ app.us|`, "t", "", ""},
		{Postgres, `\c |`, "d", "", ""},
		{MySQL, "use |", "d", "", ""},
		{MySQL, "show |", "", "tables", ""},
		{MySQL, "show create table |", "t", "", ""},
		{MySQL, "show columns from |", "t", "", ""},
		{MySQL, "describe |", "t", "", ""},
		{MySQL, "select `na|` from users", "c", "", "users"},
		{MySQL, "select \"it\\\"s\", |", "c", "", ""},
		{SQLite, "select [a b], |", "c", "", ""},
		{SQLite, ".schema |", "t", "", ""},
		{SQLite, ".import data.csv |", "t", "", ""},
		{SQLite, "pragma |", "", "", ""},
	}
	for _, x := range tests {
		left, right, _ := strings.Cut(x.text, "|")
		p, ok := At(x.d, left, right)
		if !ok {
			t.Errorf("%s: no place", x.text)
			continue
		}
		got := ""
		for _, k := range []struct {
			is   bool
			name string
		}{{p.Tables, "t"}, {p.Columns, "c"}, {p.Databases, "d"}} {
			if k.is {
				got += k.name
			}
		}
		if got != x.want {
			t.Errorf("%s: %q, want %q (%v)", x.text, got, x.want, p.Keywords)
		}
		if x.keyword != "" && !slices.Contains(p.Keywords, x.keyword) {
			t.Errorf("%s: keywords %v, want %s", x.text, p.Keywords, x.keyword)
		}
		if x.keyword == "" && x.want == "" && len(p.Keywords) > 0 {
			t.Errorf("%s: keywords %v, want none", x.text, p.Keywords)
		}
		var named []string
		for _, s := range p.Sources {
			text := s.Table
			if s.Alias != "" {
				text += " " + s.Alias
			}
			named = append(named, text)
		}
		if list := strings.Join(named, ", "); list != x.named {
			t.Errorf("%s: tables %q, want %q", x.text, list, x.named)
		}
	}
}

func TestNothingIsOfferedThere(t *testing.T) {
	for _, x := range []struct {
		d    Dialect
		text string
	}{
		{Postgres, "select 'fr"},
		{Postgres, "select 1"},
		{Postgres, "select $$ fr"},
		{Postgres, "select a -- fr"},
		{Postgres, "select /* fr"},
		{MySQL, "select # fr"},
		{MySQL, `select "fr`},
		{SQLite, `select 'a''b`},
		{SQLite, ".sche"},
		{Postgres, `\d`},
		{Postgres, `select "done"`},
	} {
		if p, ok := At(x.d, x.text, ""); ok {
			t.Errorf("%s: %+v", x.text, p)
		}
	}
}

func TestNamesAtTheCursor(t *testing.T) {
	p, _ := At(Postgres, `select "Us""er`, "")
	if p.Text != `Us"er` || p.Quote != '"' || p.Start != 7 {
		t.Errorf("%+v", p)
	}
	p, _ = At(Postgres, `select * from "My Schema".ta`, "")
	if !slices.Equal(p.Qualifier, []string{"My Schema"}) || p.Text != "ta" {
		t.Errorf("%+v", p)
	}
	p, _ = At(Postgres, "with a as (select 1), b(x) as (select 2) select * from ", "")
	if !slices.Equal(p.Named, []string{"a", "b"}) {
		t.Errorf("named %q", p.Named)
	}
	for text, upper := range map[string]bool{"SELECT a FROM ": true, "select A from ": false, "Select a from ": false} {
		if p, _ := At(SQLite, text, ""); p.Upper != upper {
			t.Errorf("%s: upper %v", text, p.Upper)
		}
	}
}

func TestQuote(t *testing.T) {
	for _, x := range []struct {
		d          Dialect
		name, want string
	}{
		{Postgres, "users", "users"},
		{Postgres, "Users", `"Users"`},
		{Postgres, "user", `"user"`},
		{Postgres, "a b", `"a b"`},
		{Postgres, `a"b`, `"a""b"`},
		{Postgres, "1a", `"1a"`},
		{Postgres, "größe", "größe"},
		{Postgres, "a$b", "a$b"},
		{MySQL, "Users", "Users"},
		{MySQL, "user", "user"},
		{MySQL, "key", "`key`"},
		{MySQL, "a`b", "`a``b`"},
		{MySQL, "1a", "1a"},
		{MySQL, "12", "`12`"},
		{SQLite, "Users", "Users"},
		{SQLite, "order", `"order"`},
		{SQLite, "a$b", `"a$b"`},
		{SQLite, "", `""`},
	} {
		if got := Quote(x.d, x.name); got != x.want {
			t.Errorf("%s: %s, want %s", x.name, got, x.want)
		}
	}
}

// A quoted name is read back as that name, and as one token.
func TestQuotedNamesAreReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.SampledFrom([]Dialect{Postgres, MySQL, SQLite}).Draw(t, "dialect")
		name := rapid.String().Draw(t, "name")
		tokens, open := Tokens(d, Quote(d, name))
		if open || len(tokens) != 1 || tokens[0].Name() != name {
			t.Fatalf("%q: %+v", name, tokens)
		}
	})
}

func TestColumns(t *testing.T) {
	of := func(table string) []Column {
		if table == "t" {
			return []Column{{"id", "INTEGER"}, {"name", "TEXT"}}
		}
		return nil
	}
	for create, want := range map[string]string{
		"CREATE TABLE t(a)": "a",
		"CREATE TABLE t(a INTEGER PRIMARY KEY, b VARCHAR(10) NOT NULL)":                   "a INTEGER, b VARCHAR(10)",
		"create temp table if not exists x.t (\"a b\" int, [c], `d`, 'e' text)":           "a b int, c, d, e text",
		"CREATE TABLE t(a DEFAULT (1,2), b CHECK (b IN (1,2)), UNIQUE(a,b), CHECK (a>1))": "a, b",
		"CREATE TABLE t(a DECIMAL(10, 5) /* c, d */, -- e\n b)":                           "a DECIMAL(10,5), b",
		"CREATE TABLE t(a INT GENERATED ALWAYS AS (b*2), b UNSIGNED BIG INT)":             "a INT, b UNSIGNED BIG INT",
		"CREATE VIEW v(x, y) AS SELECT 1, 2":                                              "x, y",
		"CREATE VIEW v AS SELECT a, t.b, c AS d, max(e) f, g+1, \"h i\" FROM t":           "a, b, d, f, h i",
		"CREATE VIEW v AS SELECT * FROM t":                                                "id INTEGER, name TEXT",
		"CREATE VIEW v AS SELECT x.*, 1 AS one FROM t AS x JOIN u":                        "id INTEGER, name TEXT, one",
		"CREATE VIRTUAL TABLE f USING fts5(title, body UNINDEXED, tokenize='porter')":     "title, body",
		"CREATE VIRTUAL TABLE r USING rtree(id, minX, maxX, +note TEXT)":                  "id, minX, maxX, note",
		"CREATE VIRTUAL TABLE r USING other(id, x)":                                       "",
		"CREATE INDEX i ON t(a)":                                                          "",
		"CREATE TABLE":                                                                    "",
		"CREATE TABLE t(":                                                                 "",
		"CREATE TABLE t(a, (":                                                             "a",
	} {
		var list []string
		for _, c := range Columns(create, of) {
			list = append(list, strings.TrimSpace(c.Name+" "+c.Type))
		}
		if got := strings.Join(list, ", "); got != want {
			t.Errorf("%s: %q, want %q", create, got, want)
		}
	}
}

// Any text has an answer, tokens lie in order within it, and what At says of the
// cursor lies within it too.
func FuzzText(f *testing.F) {
	for _, s := range []string{"select * from users u where u.id = 1", `insert into "a""b" (c) values ('it''s', $$x$$)`, "/*!50000 drop */ `x`", ".schema x", `\d+ x.y`, "with a as (select 1) select", "CREATE TABLE t(a, b UNIQUE)", "((((", "a.b.c.", "[x"} {
		f.Add(s, len(s)/2)
	}
	f.Fuzz(func(t *testing.T, text string, at int) {
		at = min(max(at, 0), len(text))
		for d := Any; d <= SQLite; d++ {
			tokens, _ := Tokens(d, text)
			end := 0
			for _, x := range tokens {
				if x.Start < end || x.End <= x.Start || x.End > len(text) {
					t.Fatalf("%q: %+v", text, tokens)
				}
				end = x.End
			}
			if p, ok := At(d, text[:at], text[at:]); ok && (p.Start < 0 || p.Start > at) {
				t.Fatalf("%q at %d: %+v", text, at, p)
			}
		}
		Columns(text, func(string) []Column { return nil })
	})
}
