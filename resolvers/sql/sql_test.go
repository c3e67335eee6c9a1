package sql

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/resolvers"
	"github.com/tool-mapping-protocol/tmp/resolvers/resolvertest"
)

// sqliteDB makes a database with the real sqlite3.
func sqliteDB(t testing.TB, sql string) (dir, path string) {
	t.Helper()
	tool, err := exec.LookPath("sqlite3")
	if err != nil {
		t.Skip("sqlite3 is not installed (Debian: apt install sqlite3)")
	}
	dir = t.TempDir()
	path = filepath.Join(dir, "app.db")
	cmd := exec.Command(tool, "-batch", "-bail", path)
	cmd.Stdin = strings.NewReader("pragma synchronous=off;\n" + sql)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return dir, path
}

func TestSQLiteTables(t *testing.T) {
	dir, _ := sqliteDB(t, `create table users(id integer primary key, "full name" text); create table "Order"(id int, user_id int);
create view active as select *, 1 as flag from users; create index i on users(id); create table s(x integer primary key autoincrement);`)
	r := resolvers.Request{Name: "sql:tables", Dir: dir, Words: resolvertest.Words("sqlite3 app.db .dump"), Getenv: resolvertest.Env("HOME", "/no")}
	a := resolvertest.Expect(t, resolvers.Fresh, r)
	resolvertest.Equal(t, "tables", resolvertest.Texts(a), []string{`"Order"`, "active", "s", "users", "sqlite_master", "sqlite_sequence"})
	if a.Values[1].Kind != "view" || a.Values[3].Kind != "table" {
		t.Errorf("%+v", a.Values)
	}
	r.Name, r.Filter.Text = "sql:columns", "active."
	resolvertest.Equal(t, "columns of a view", resolvertest.Texts(resolvertest.Expect(t, resolvers.Fresh, r)), []string{"active.id", `active."full name"`, "active.flag"})
	r.Filter.Text = ""
	resolvertest.Equal(t, "all columns", resolvertest.Sorted(resolvertest.Expect(t, resolvers.Fresh, r)), []string{`"full name"`, "flag", "id", "user_id", "x"})
	for _, line := range []string{"sqlite3", "sqlite3 :memory:", "sqlite3 -readonly"} {
		r.Words = resolvertest.Words(line)
		if a := resolvertest.Expect(t, resolvers.Fresh, r); len(a.Values) > 0 {
			t.Errorf("%s: %+v", line, a)
		}
	}
	for _, line := range []string{"sqlite3 -readonly app.db", "sqlite3 -init x app.db", "sqlite3 file:app.db?mode=ro", "sqlite3 " + dir + "/app.db"} {
		r.Words = resolvertest.Words(line)
		if a := resolvertest.Expect(t, resolvers.Fresh, r); len(a.Values) == 0 {
			t.Errorf("%s: nothing", line)
		}
	}
	r.Words = resolvertest.Words("sqlite3 none.db")
	resolvertest.Expect(t, resolvers.Failed, r)
}

// What the words of a command say of the connection.
func TestSQLTargets(t *testing.T) {
	for line, want := range map[string]string{
		"psql":                                   "",
		"psql mydb":                              "db=mydb",
		"psql mydb me":                           "user=me db=mydb",
		"psql -h db.x -p 5433 -U me -d mydb":     "host=db.x port=5433 user=me db=mydb",
		"psql -hdb.x -Ume --dbname=mydb":         "host=db.x user=me db=mydb",
		"psql --host db.x --port=1 mydb -c x":    "host=db.x port=1 db=mydb",
		"psql -XAtc x mydb":                      "db=mydb",
		"psql service=prod":                      "service=prod",
		"psql -d service=prod":                   "service=prod",
		"psql postgres://me:pw@db.x:99/mydb":     "host=db.x port=99 user=me db=mydb",
		"psql postgresql://db.x/mydb?user=me":    "host=db.x user=me db=mydb",
		"psql postgresql:///mydb?host=%2Fvar%2F": "host=/var/ db=mydb",
		"psql postgres://[::1]:5/x":              "host=::1 port=5 db=x",
		"psql -h a -h b":                         "unclear",
		"psql -h a host=b":                       "unclear",
		"psql postgres://a%2/x":                  "unclear",
		"pg_dump -t users -n app -Fc mydb":       "db=mydb",
		"pg_dump --table users mydb":             "db=mydb",
		"pg_restore -d mydb dump.tar":            "db=mydb",
		"pg_restore dump.tar":                    "",
		"vacuumdb -z -t users mydb":              "db=mydb",
		"reindexdb -i x mydb":                    "db=mydb",
		"mysql -h db.x -ume -ppw mydb":           "host=db.x user=me db=mydb",
		"mysql -p mydb":                          "db=mydb",
		"mysql -D mydb -e x":                     "db=mydb",
		"mysql --host=db.x --port 3307":          "host=db.x port=3307",
		"mysql -A mydb":                          "db=mydb",
		"mysql --login-path=x mydb":              "unclear",
		"mysqldump mydb users":                   "db=mydb",
		"mysqldump --databases a b":              "",
		"mysqlcheck -u me mydb users":            "user=me db=mydb",
	} {
		r := resolvers.Request{Words: resolvertest.Words(line), Getenv: resolvertest.Env("HOME", "/no")}
		target := postgresTarget
		if strings.HasPrefix(line, "mysql") {
			target = mysqlTarget
		}
		x := target(r)
		var parts []string
		for _, p := range [][2]string{{"host", x.host}, {"port", x.port}, {"user", x.user}, {"db", x.dbname}, {"service", x.service}} {
			if p[1] != "" {
				parts = append(parts, p[0]+"="+p[1])
			}
		}
		got := strings.Join(parts, " ")
		if x.unclear != "" {
			got = "unclear"
		}
		if got != want {
			t.Errorf("%s: %s, want %s", line, got, want)
		}
	}
	var x target
	x.name(`host = 'a \'b' dbname=c\ d  user=''`)
	if x.host != "a 'b" || x.dbname != "c d" || x.user != "" || x.unclear != "" {
		t.Errorf("%+v", x)
	}
}

// home makes a home with files that are the user's alone.
func home(t testing.TB, files map[string]string) string {
	t.Helper()
	home := resolvertest.Tree(t, files)
	for name := range files {
		if err := os.Chmod(filepath.Join(home, name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return home
}

// Only what the user's own files declare is asked. A fake client that leaves a
// mark tells whether it was.
func TestOnlyDeclaredServersAreAsked(t *testing.T) {
	home := home(t, map[string]string{
		".pg_service.conf": "[prod]\nhost=prod.db\nport=6000\ndbname=shop\nuser=app\npassword=secret\n\n[here]\ndbname=local\n[dir]\nldap://x/y\n",
		".pgpass":          "# host:port:database:user:password\npass.db:5432:*:me:secret\n*:*:*:*:secret\nodd\\:host:*:*:*:secret\n",
		".my.cnf":          "[client]\nhost = my.db\nuser=app\npassword='se#cret'\n[clientlocal]\nuser=me\n[mysqldump]\nhost=other.db\n[mysqlcheck]\nquick\n",
		".other.cnf":       "[client]\nhost=other.db\n",
		"clone/my.cnf":     "[client]\nhost=evil.db\n",
		"clone/service":    "[evil]\nhost=evil.db\n",
		".open.cnf":        "[client]\nhost=open.db\n",
	})
	if err := os.Chmod(filepath.Join(home, ".open.cnf"), 0o666); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		line string
		env  []string
		args string // what the client is called with, "" if it must not be called
	}{
		{"psql service=prod", nil, "service='prod' user='app' dbname='shop'"},
		{"psql", []string{"PGSERVICE", "prod"}, "service='prod' user='app' dbname='shop'"},
		{"psql 'service=prod' -h prod.db", nil, "service='prod'"},
		{"psql -d service=prod other", nil, "service='prod' user='app' dbname='other'"},
		{"psql service=here", nil, "service='here' user='u' dbname='local'"},
		{"psql -h pass.db -U me shop", nil, "host='pass.db' port='5432' user='me' dbname='shop'"},
		{"psql postgres://me:pw@pass.db/shop?sslmode=require", nil, "host='pass.db' port='5432' user='me' dbname='shop' sslmode='require'"},
		{"psql shop", []string{"PGHOST", "pass.db", "PGUSER", "me"}, "host='pass.db' port='5432' user='me' dbname='shop'"},
		{"psql -h odd:host shop", nil, "host='odd:host'"},
		// Nobody declared these.
		{"psql", nil, ""},
		{"psql shop", nil, ""},
		{"psql -h evil.db -U me shop", nil, ""},
		{"psql -h pass.db -U other shop", nil, ""},
		{"psql -h pass.db -p 9999 -U me shop", nil, ""},
		{"psql -h pass.db,evil.db -U me shop", nil, ""},
		{"psql postgres://me@evil.db/shop", nil, ""},
		{"psql", []string{"PGHOST", "evil.db"}, ""},
		{"psql -h pass.db -U me", []string{"PGHOSTADDR", "6.6.6.6"}, ""},
		{"psql service=none", nil, ""},
		{"psql service=dir", nil, ""},
		{"psql service=evil", []string{"PGSERVICEFILE", filepath.Join(home, "clone/service")}, ""},
		{"psql -h pass.db -U me", []string{"PGPASSFILE", filepath.Join(home, "clone/pass")}, ""},
		// The service's password is for the service's server.
		{"psql service=prod -h evil.db", nil, ""},
		{"psql service=prod -p 1", nil, ""},
		{"psql -d service=prod -h pass.db", nil, ""},
		{"psql service=here", []string{"PGHOST", "evil.db"}, ""},
		{"psql service=here", []string{"PGPORT", "1"}, ""},
		{"psql -d hostaddr=6.6.6.6,service=prod", nil, ""},

		{"mysql shop", nil, "--defaults-file=" + home + "/.my.cnf --no-auto-rehash"},
		{"mysql -h my.db shop", nil, "--host=my.db --database=shop"},
		{"mysqlcheck shop", nil, "--host= --database=shop"},
		{"mysql --defaults-file=" + home + "/.other.cnf shop", nil, "--defaults-file=" + home + "/.other.cnf"},
		{"mysql --defaults-file ~/.other.cnf shop", nil, "--defaults-file=" + home + "/.other.cnf"},
		{"mysql -h evil.db shop", nil, ""},
		{"mysql -h localhost shop", nil, ""},
		{"mysql -P 9 shop", nil, ""},
		{"mysql -S /tmp/evil.sock shop", nil, ""},
		{"mysql shop", []string{"MYSQL_HOST", "evil.db"}, ""},
		{"mysql shop", []string{"MYSQL_TCP_PORT", "9"}, ""},
		{"mysql --no-defaults shop", nil, ""},
		{"mysql --login-path=x shop", nil, ""},
		{"mysql --defaults-file=" + home + "/clone/my.cnf shop", nil, ""},
		{"mysql --defaults-file=" + home + "/.open.cnf shop", nil, ""},
		{"mysql --defaults-file=.other.cnf shop", nil, ""},
		{"mysqldump shop", nil, ""}, // its own group says another host
	}
	bin := resolvertest.Tree(t, map[string]string{
		"psql":  "#!/bin/sh\n# a fake client of the tests\n[ -z \"$PGHOST$PGPASSWORD$MYSQL_PWD\" ] || exit 1\necho \"$@\" >\"$HOME/asked\"\nprintf 'P\\tpublic\\nT\\tpublic\\tusers\\tr\\tid\\037int\\n'\n",
		"mysql": "#!/bin/sh\n# a fake client of the tests\necho \"$@\" >\"$HOME/asked\"\nprintf 'P\\tshop\\nT\\tshop\\tusers\\tr\\t\\nC\\tshop\\tusers\\tid\\tint\\n'\n",
	})
	for _, tool := range []string{"psql", "mysql"} {
		if err := os.Chmod(filepath.Join(bin, tool), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, x := range tests {
		asked := filepath.Join(home, "asked")
		_ = os.Remove(asked)
		vars := append([]string{"HOME", home, "USER", "u", "PATH", bin + ":/usr/bin:/bin", "PGPASSWORD", "secret"}, x.env...)
		r := resolvers.Request{
			Name: "sql:tables", Dir: filepath.Join(home, "clone"), CacheDir: filepath.Join(t.TempDir(), "cache"), Wait: true,
			Words: resolvertest.Words(strings.ReplaceAll(x.line, "'", "")), Getenv: resolvertest.Env(vars...),
		}
		a := resolvertest.Expect(t, resolvers.Fresh, r)
		data, _ := os.ReadFile(asked)
		got := string(data)
		switch {
		case x.args == "" && got != "":
			t.Errorf("%s %v: the client was called with %s", x.line, x.env, got)
		case x.args == "" && (len(a.Values) > 0 || a.Message == ""):
			t.Errorf("%s %v: %+v", x.line, x.env, a)
		case x.args != "" && !strings.Contains(got, strings.ReplaceAll(x.args, "--host= ", "")):
			t.Errorf("%s %v: called with %q, want %q (%s)", x.line, x.env, got, x.args, a.Message)
		case strings.Contains(got, "secret") || strings.Contains(got, "se#cret"):
			t.Errorf("%s: a password on the command line: %s", x.line, got)
		case x.args != "":
			resolvertest.Equal(t, x.line, resolvertest.Texts(a), resolvertest.Words("users"))
		}
	}
}

// A Tab never waits for a server: the first one is empty and asks, the next has
// the answer; a failure is not asked for again at once.
func TestServersAreAskedInTheBackground(t *testing.T) {
	home := home(t, map[string]string{".pg_service.conf": "[prod]\nhost=prod.db\n[down]\nhost=down.db\n"})
	bin, _ := resolvertest.FakeTool(t, "psql", "echo x >>\"$HOME/asked\"\nsleep 0.3\ncase \"$*\" in *down*) echo 'no route' >&2; exit 2;; esac\nprintf 'P\\tpublic\\nT\\tapp\\thidden\\tr\\t\\nT\\tpublic\\tusers\\tr\\tid\\037int\\n'\n")
	cache := filepath.Join(t.TempDir(), "cache")
	r := resolvers.Request{Name: "sql:tables", Dir: t.TempDir(), CacheDir: cache, Words: resolvertest.Words("psql service=prod"), Getenv: resolvertest.Env("HOME", home, "USER", "u", "PATH", bin+":/usr/bin:/bin")}
	start := time.Now()
	first := resolvertest.Expect(t, resolvers.Timeout, r)
	if d := time.Since(start); len(first.Values) > 0 || first.Message == "" || d > 200*time.Millisecond {
		t.Errorf("the first Tab: %+v after %v", first, d)
	}
	resolvertest.Await(t, func() bool { return resolvertest.Resolve(context.Background(), r).State == resolvers.Fresh })
	resolvertest.Equal(t, "next", resolvertest.Texts(resolvertest.Expect(t, resolvers.Fresh, r)), resolvertest.Words("users app.hidden"))
	files, _ := filepath.Glob(filepath.Join(cache, "*"))
	// The script may still be removing what it worked with.
	files = slices.DeleteFunc(files, func(f string) bool { return strings.Contains(filepath.Base(f), ".") })
	for _, f := range append(files, cache) {
		if st, err := os.Stat(f); err != nil || st.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: %v %v", f, st.Mode(), err)
		}
	}
	old := time.Now().Add(-time.Hour)
	for _, f := range files {
		if err := os.Chtimes(f, old, old); err != nil {
			t.Fatal(err)
		}
	}
	start = time.Now()
	resolvertest.Equal(t, "aged", resolvertest.Texts(resolvertest.Expect(t, resolvers.Stale, r)), resolvertest.Words("users app.hidden"))
	if d := time.Since(start); d > 200*time.Millisecond {
		t.Errorf("an aged answer took %v", d)
	}
	resolvertest.Await(t, func() bool { return resolvertest.Resolve(context.Background(), r).State == resolvers.Fresh })

	r.Words = resolvertest.Words("psql service=down")
	resolvertest.Expect(t, resolvers.Timeout, r)
	resolvertest.Await(t, func() bool { return resolvertest.Resolve(context.Background(), r).State == resolvers.Failed })
	_ = os.Remove(filepath.Join(home, "asked"))
	for range 5 {
		if a := resolvertest.Expect(t, resolvers.Failed, r); a.Message != "psql: no route" {
			t.Errorf("%+v", a)
		}
	}
	if disk.IsFile(filepath.Join(home, "asked")) {
		t.Error("a server that failed was asked again at once")
	}
	// Without a place for the answer nobody is asked.
	r.Words, r.CacheDir = resolvertest.Words("psql service=prod"), ""
	resolvertest.Expect(t, resolvers.Failed, r)
	if disk.IsFile(filepath.Join(home, "asked")) {
		t.Error("asked without a cache")
	}
}

// FuzzCatalog: any answer is read, and every table in it has a name.
func FuzzCatalog(f *testing.F) {
	f.Add("P\tpublic\x1fapp\nD\tx\nT\tpublic\tusers\tr\tid\x1fint\nC\tpublic\tusers\tname\ttext\n")
	f.Fuzz(func(t *testing.T, out string) {
		d := parseCatalog(out)
		for i := range d.Tables {
			if d.Tables[i].Name == "" {
				t.Fatal("a table without a name")
			}
			d.Columns(&d.Tables[i])
			d.Bare(&d.Tables[i])
		}
	})
}

func BenchmarkSQLite(b *testing.B) {
	for _, n := range []int{200, 10_000} {
		var sql strings.Builder
		sql.WriteString("begin;\n")
		for i := range n {
			fmt.Fprintf(&sql, "create table table_%d(id integer primary key, name text not null, created_at datetime default current_timestamp, note text);\n", i)
		}
		sql.WriteString("commit;\n")
		dir, _ := sqliteDB(b, sql.String())
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				a := resolvertest.Resolve(context.Background(), resolvers.Request{Name: "sql:tables", Dir: dir, Words: resolvertest.Words("sqlite3 app.db"), Limit: 200, Filter: resolvers.Filter{Text: "table_1"}})
				if a.State != resolvers.Fresh || !slices.ContainsFunc(a.Values, func(v resolvers.Value) bool { return v.Value == "table_1" }) {
					b.Fatalf("%+v", a.State)
				}
			}
		})
	}
}
