package completion

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tool-mapping-protocol/tmp/resolvers/all"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// shop makes a database with the real sqlite3.
func shop(t testing.TB) string {
	t.Helper()
	tool, err := exec.LookPath("sqlite3")
	if err != nil {
		t.Skip("sqlite3 is not installed (Debian: apt install sqlite3)")
	}
	dir := t.TempDir()
	cmd := exec.Command(tool, "-batch", "-bail", filepath.Join(dir, "shop.db"))
	cmd.Stdin = strings.NewReader(`create table users(id integer primary key, name text, email text);
create table orders(id integer primary key, user_id int, total real, "ship to" text);
create table "Group"(gid int);
create view rich as select name, total as spent from users join orders on user_id = users.id;`)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return dir
}

// What Tab puts into statements: the whole word as the shell will read it, its
// quotes open.
func TestStatements(t *testing.T) {
	dir := shop(t)
	write(t, dir, "data.csv", "1")
	tests := []struct{ shell, line, want string }{
		{"bash", `sqlite3 shop.db "select * from us`, `"select * from users `},
		{"bash", `sqlite3 shop.db 'select * from us`, `'select * from users `},
		{"bash", `sqlite3 shop.db select\ \*\ from\ us`, `select\ \*\ from\ users\ `},
		{"bash", `sqlite3 shop.db "SELECT * FROM US`, `"SELECT * FROM users `},
		{"bash", `sqlite3 shop.db "select * fr`, `"select * from `},
		{"bash", `sqlite3 shop.db "SELECT * FR`, `"SELECT * FROM `},
		{"bash", `sqlite3 shop.db "select em`, `"select email`},
		{"bash", `sqlite3 shop.db "select id, ema`, `"select id, email`},
		{"bash", `sqlite3 shop.db "select o.to| from orders o"`, `"select o.total`},
		{"bash", `sqlite3 shop.db "select * from users where na`, `"select * from users where name`},
		{"bash", `sqlite3 shop.db "select * from users u join orders o on o.us`, `"select * from users u join orders o on o.user_id`},
		{"bash", `sqlite3 shop.db "select * from Gr`, `"select * from \"Group\" `},
		{"bash", `sqlite3 shop.db 'select * from Gr`, `'select * from "Group" `},
		{"fish", `sqlite3 shop.db "select * from Gr`, `"select * from \"Group\" `},
		{"zsh", `sqlite3 shop.db "select * from Gr`, `"select * from \"Group\" `},
		{"bash", "sqlite3 shop.db 'select * from `Gr", "'select * from `Group` "},
		{"bash", `sqlite3 shop.db 'select * from [Gr`, `'select * from [Group] `},
		{"bash", `sqlite3 shop.db "select ship`, `"select \"ship to\"`},
		{"bash", `sqlite3 shop.db "select sp`, `"select spent`},
		{"bash", `sqlite3 shop.db ".schema us`, `".schema users `},
		{"bash", `sqlite3 shop.db ".import data.csv us`, `".import data.csv users `},
		{"bash", `sqlite3 shop.db ".import da`, `".import data.csv `},
		{"bash", `sqlite3 shop.db ".dump or`, `".dump orders `},
		{"bash", `sqlite3 -json shop.db "update users set em`, `"update users set email`},
		{"bash", `sqlite3 shop.db "insert into orders (tot`, `"insert into orders (total`},
		{"bash", `sqlite3 shop.db "delete from users whe`, `"delete from users where `},
		{"bash", `sqlite3 shop.db "select 1; select * from us`, `"select 1; select * from users `},
		{"bash", `bash -c 'sqlite3 shop.db "select * from us`, `'sqlite3 shop.db "select * from users `},
		{"bash", `sudo sqlite3 shop.db "select * from us`, `"select * from users `},
		{"bash", `psql -c "sel`, `"select `},
		{"bash", `psql -Atc "select * fr`, `"select * from `},
		{"bash", `psql -c"select * fr`, `-c"select * from `},
		{"bash", `psql --command="select * fr`, `--command="select * from `},
		{"bash", `mysql -e "show data`, `"show databases `},
		{"bash", `mysql -e"show data`, `-e"show databases `},
		// Nothing of the kind.
		{"bash", `sqlite3 shop.db "select 'us`, ``},
		{"bash", `sqlite3 shop.db "select * from users limit `, ``},
		{"bash", `ssh host sqlite3 shop.db "select * from us`, ``},
		{"bash", `psql -c sel`, ``},
		{"bash", `sqlite3 none.db "select * from us`, ``},
	}
	e := &Engine{Map: tcpdb.NewView(tcpdb.Core()), Resolvers: all.Table()}
	for _, x := range tests {
		line, right, _ := strings.Cut(x.line, "|")
		a := e.Complete(context.Background(), Request{Shell: x.shell, Line: line + right, Point: len(line), Dir: dir, Getenv: func(k string) string {
			return map[string]string{"HOME": "/no/home", "PATH": "/usr/bin:/bin"}[k]
		}})
		got := ""
		if len(a.Candidates) > 0 {
			got = a.Candidates[0].Insert
		}
		if got != x.want {
			t.Errorf("%s: %s: %q, want %q (%d, %s)", x.shell, x.line, got, x.want, len(a.Candidates), a.Message)
		}
		for _, c := range a.Candidates {
			if !c.NoSpace {
				t.Errorf("%s: the quote of %q is closed", x.line, c.Insert)
			}
		}
	}
}

// Lists, in their order.
func TestStatementLists(t *testing.T) {
	dir := shop(t)
	e := &Engine{Map: tcpdb.NewView(tcpdb.Core()), Resolvers: all.Table()}
	for line, want := range map[string][]string{
		`sqlite3 shop.db "select * from `:                            {`"Group"`, "orders", "rich", "users", "sqlite_master"},
		`sqlite3 shop.db "select * from users u join orders o on u.`: {"id", "name", "email"},
		`sqlite3 shop.db "with big as (select 1) select * from `:     {"big", `"Group"`},
		`sqlite3 shop.db ".tables `:                                  {`"Group"`, "orders"},
	} {
		a := e.Complete(context.Background(), Request{Shell: "bash", Line: line, Point: len(line), Dir: dir})
		var got []string
		for _, c := range a.Candidates {
			got = append(got, c.Value)
		}
		if len(got) < len(want) || !slices.Equal(got[:len(want)], want) {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
	line := `sqlite3 shop.db "select  from users u join orders o on u.id = o.user_id"`
	a := e.Complete(context.Background(), Request{Shell: "bash", Line: line, Point: strings.Index(line, " from"), Dir: dir})
	var got []string
	for _, c := range a.Candidates {
		got = append(got, c.Value)
	}
	if want := []string{"u.id", "name", "email", "o.id", "user_id"}; len(got) < 5 || !slices.Equal(got[:5], want) {
		t.Errorf("columns of two tables: %q, want %q", got, want)
	}
}

// What destroys is marked where it raises the line.
func TestStatementsAreJudged(t *testing.T) {
	dir := shop(t)
	e := &Engine{Map: tcpdb.NewView(tcpdb.Core()), Resolvers: all.Table()}
	line := `sqlite3 shop.db "dro`
	a := e.Complete(context.Background(), Request{Shell: "bash", Line: line, Point: len(line), Dir: dir})
	if len(a.Candidates) != 1 || a.Candidates[0].Value != "drop" || !a.Candidates[0].Raises || !a.Hold {
		t.Errorf("%+v", a)
	}
}

// A Tab reads a database and leaves nothing behind.
func TestStatementsWriteNothing(t *testing.T) {
	dir := shop(t)
	before, err := os.ReadFile(filepath.Join(dir, "shop.db"))
	if err != nil {
		t.Fatal(err)
	}
	e := &Engine{Map: tcpdb.NewView(tcpdb.Core()), Resolvers: all.Table(), CacheDir: t.TempDir()}
	line := `sqlite3 shop.db "select * from `
	e.Complete(context.Background(), Request{Shell: "bash", Line: line, Point: len(line), Dir: dir})
	after, err := os.ReadFile(filepath.Join(dir, "shop.db"))
	if err != nil || string(before) != string(after) {
		t.Errorf("the database was changed: %v", err)
	}
	if files, _ := os.ReadDir(dir); len(files) != 1 {
		t.Errorf("%v", files)
	}
}

// A server's schemas: what is searched goes without one, the rest with it.
func TestStatementsOfAServer(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	if err := os.Mkdir(filepath.Join(home, "bin"), 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, home, ".pg_service.conf", "[shop]\nhost=db.example\n")
	write(t, home, "bin/psql", "#!/bin/sh\n# a fake client of the tests\nprintf 'P\\tpublic\\nD\\tshop\\nD\\tother\\n"+
		"T\\tpublic\\tUsers\\tr\\tId\\037int\\037name\\037text\\nT\\tpublic\\torders\\tp\\tid\\037int\\037user_id\\037int\\n"+
		"T\\tstock\\titems\\tv\\tsku\\037text\\nT\\tstock\\torders\\tr\\told\\037int\\nT\\tpg_catalog\\tpg_class\\tr\\toid\\037oid\\n'\n")
	for path, mode := range map[string]os.FileMode{"bin/psql": 0o755, ".pg_service.conf": 0o600} {
		if err := os.Chmod(filepath.Join(home, path), mode); err != nil {
			t.Fatal(err)
		}
	}
	e := &Engine{Map: tcpdb.NewView(tcpdb.Core()), Resolvers: all.Table(), CacheDir: filepath.Join(t.TempDir(), "cache")}
	values := func(line string) []string {
		a := e.Complete(context.Background(), Request{Shell: "bash", Line: line, Point: len(line), Dir: dir, Getenv: func(k string) string {
			return map[string]string{"HOME": home, "USER": "me", "PATH": filepath.Join(home, "bin") + ":/usr/bin:/bin"}[k]
		}})
		var list []string
		for _, c := range a.Candidates {
			list = append(list, c.Value)
		}
		return list
	}
	for end := time.Now().Add(30 * time.Second); len(values(`psql service=shop -c "select * from `)) == 0; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("no answer")
		}
	}
	for line, want := range map[string][]string{
		`psql service=shop -c "select * from `:                                {`"Users"`, "orders", "stock.items", "stock.orders", "pg_class"},
		`psql service=shop -c "select * from stock.`:                          {"items", "orders"},
		`psql service=shop -c "select * from it`:                              {"stock.items"},
		`psql service=shop -c 'select * from "U`:                              {`"Users"`},
		`psql service=shop -c "select * from users where `:                    {`"Id"`, "name"},
		`psql service=shop -c "select * from orders o where o.`:               {"id", "user_id"},
		`psql service=shop -c "select * from stock.orders where `:             {"old"},
		`psql -c "select * from orders o where o.us`:                          nil, // no connection is named
		`psql service=shop -c '\d stock.`:                                     {"items", "orders"},
		`psql service=shop -c '\c `:                                           {"shop", "other"},
		`psql service=shop -Atc "update orders set `:                          {"id", "user_id"},
		`docker exec db psql service=shop -c "select * from `:                 nil,
		`pg_dump -d service=shop -t `:                                         {`"Users"`, "orders", "pg_catalog.pg_class", "stock.items", "stock.orders"},
		`pg_dump -d service=shop --table=stock.`:                              {"--table=stock.items", "--table=stock.orders"},
		`pg_dump -d service=shop -n `:                                         {"public", "stock", "pg_catalog"},
		`vacuumdb -d service=shop -t 'orders(`:                                {"orders(id", "orders(user_id"},
		`pg_restore -d service=shop -t `:                                      {"Users", "items", "orders", "pg_class"},
		`psql service=shop -c "select * from orders join stock.items i on i.`: {"sku"},
	} {
		got := values(line)
		if strings.Contains(line, "where ") || strings.HasSuffix(line, "set ") {
			got = got[:min(len(got), len(want))] // keywords follow
		}
		if strings.HasPrefix(line, "pg_restore") || strings.HasSuffix(line, "-t ") {
			slices.Sort(got)
			slices.Sort(want)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}
