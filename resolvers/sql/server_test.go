package sql

import (
	"context"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tool-mapping-protocol/tmp/resolvers"
	"github.com/tool-mapping-protocol/tmp/resolvers/resolvertest"
)

// serverTool finds a program of a database server, which is not in PATH of all.
func serverTool(t *testing.T, name, hint string, dirs ...string) string {
	t.Helper()
	if path, err := exec.LookPath(name); err == nil {
		return path
	}
	for _, dir := range dirs {
		found, _ := filepath.Glob(filepath.Join(dir, name))
		if len(found) > 0 {
			return found[len(found)-1]
		}
	}
	t.Skipf("%s is not installed (%s)", name, hint)
	return ""
}

// server runs programs in a directory of its own as somebody who is not root, as
// database servers want.
type server struct {
	dir  string
	cred *syscall.Credential
	name string
}

func newServer(t *testing.T) *server {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "sql") // the path of a socket is short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	s := &server{dir: dir}
	me, err := user.Current()
	if err != nil {
		t.Fatal(err)
	}
	s.name = me.Username
	if os.Geteuid() == 0 {
		nobody, err := user.Lookup("nobody")
		if err != nil {
			t.Skip(err)
		}
		uid, _ := strconv.Atoi(nobody.Uid)
		gid, _ := strconv.Atoi(nobody.Gid)
		s.cred, s.name = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, "nobody"
		if err := os.Chown(dir, uid, gid); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func (s *server) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir = s.dir
	cmd.Env = []string{"PATH=/usr/bin:/bin:/usr/sbin:/sbin", "HOME=" + s.dir, "LC_ALL=C", "TMPDIR=" + s.dir}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: s.cred}
	return cmd
}

func (s *server) run(t *testing.T, name string, args ...string) {
	t.Helper()
	if out, err := s.command(name, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", filepath.Base(name), err, out)
	}
}

// start runs a server until the test ends.
func (s *server) start(t *testing.T, name string, args ...string) {
	t.Helper()
	cmd := s.command(name, args...)
	log, err := os.Create(filepath.Join(s.dir, "log"))
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGQUIT)
		done := make(chan struct{})
		go func() { _ = cmd.Wait(); close(done) }()
		select {
		case <-done:
		case <-time.After(10 * time.Second):
			_ = cmd.Process.Kill()
			<-done
		}
		log.Close()
	})
}

// answered resolves until the answer is there.
func answered(t *testing.T, r resolvers.Request) resolvers.Answer {
	t.Helper()
	var a resolvers.Answer
	resolvertest.Await(t, func() bool {
		a = resolvertest.Resolve(context.Background(), r)
		if a.State == resolvers.Failed {
			t.Fatalf("%s %v: %s", r.Name, r.Words, a.Message)
		}
		return a.State == resolvers.Fresh
	})
	return a
}

// A real PostgreSQL: its tables, columns, schemas and databases, through a
// service and through ~/.pgpass; nothing that a database has made is run.
func TestPostgresServer(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a server")
	}
	const hint = "Debian: apt install postgresql"
	initdb := serverTool(t, "initdb", hint, "/usr/lib/postgresql/*/bin")
	postgres := serverTool(t, "postgres", hint, filepath.Dir(initdb))
	psql := serverTool(t, "psql", hint, filepath.Dir(initdb))
	s := newServer(t)
	data := filepath.Join(s.dir, "data")
	s.run(t, initdb, "-D", data, "-U", "app", "-A", "trust", "-N", "--locale=C", "-E", "UTF8")
	s.start(t, postgres, "-D", data, "-k", s.dir, "-p", "5499", "-c", "listen_addresses=", "-c", "fsync=off")
	resolvertest.Await(t, func() bool {
		return s.command(psql, "-h", s.dir, "-p", "5499", "-U", "app", "-c", "select 1", "postgres").Run() == nil
	})
	sql := func(db, text string) {
		t.Helper()
		s.run(t, psql, "-X", "-q", "-v", "ON_ERROR_STOP=1", "-h", s.dir, "-p", "5499", "-U", "app", "-d", db, "-c", text)
	}
	sql("postgres", "create database shop")
	sql("shop", `create table users(id int primary key, "full name" varchar(40), email text);
create table "Order"(id bigint, gone int); alter table "Order" drop column gone;
create schema stock; create table stock.items(sku text, price numeric(10,2)); create table stock.users(x int);
create view rich as select email from users; create materialized view sums as select 1 as n;
create table "odd`+"\n"+`name"(x int);
-- Functions called like the server's own must not run in a question of ours.
create table trap(who text);
create function public.string_agg(text, text) returns text language plpgsql as $$begin raise exception 'ran'; end$$;
create function public.array_to_string(name[], text) returns text language plpgsql as $$begin raise exception 'ran'; end$$;
alter database shop set search_path = public, pg_catalog`)

	place := s.dir
	home := home(t, map[string]string{
		".pg_service.conf": "[shop]\nhost=" + place + "\nport=5499\nuser=app\ndbname=shop\n[gone]\nhost=" + place + "/none\nport=5499\nuser=app\n",
		".pgpass":          place + ":5499:*:app:any\n",
	})
	r := resolvers.Request{Name: "sql:tables", Dir: t.TempDir(), CacheDir: filepath.Join(t.TempDir(), "c"), Words: resolvertest.Words("psql service=shop -c"), Getenv: resolvertest.Env("HOME", home, "USER", "app", "PATH", filepath.Dir(psql)+":/usr/bin:/bin")}
	own := func(a resolvers.Answer) []string {
		return slices.DeleteFunc(resolvertest.Texts(a), func(s string) bool {
			return strings.HasPrefix(s, "pg_") || strings.HasPrefix(s, "information_schema.")
		})
	}
	a := answered(t, r)
	resolvertest.Equal(t, "tables", own(a), []string{`"Order"`, "rich", "sums", "trap", "users", "stock.items", "stock.users"})
	if !slices.Contains(resolvertest.Texts(a), "pg_class") {
		t.Error("no pg_class")
	}
	for _, v := range a.Values {
		if want := map[string]string{"rich": "view", "sums": "materialized view", "users": "table"}[v.Value]; want != "" && v.Kind != want {
			t.Errorf("%+v", v)
		}
	}
	r.Name, r.Filter.Text = "sql:columns", "users."
	resolvertest.Equal(t, "columns", resolvertest.Texts(answered(t, r)), []string{"users.id", `users."full name"`, "users.email"})
	if d := resolvertest.Described(answered(t, r))["users.id"]; d != "integer users" {
		t.Errorf("description %q", d)
	}
	r.Filter.Text = "stock.users."
	resolvertest.Equal(t, "columns of another schema", resolvertest.Texts(answered(t, r)), []string{"stock.users.x"})
	r.Filter.Text = `"Order".`
	resolvertest.Equal(t, "a dropped column", resolvertest.Texts(answered(t, r)), []string{`"Order".id`})

	r.Name, r.Filter.Text, r.Words = "sql:schemas", "", []string{"pg_dump", "-h", place, "-p", "5499", "-U", "app", "shop", "-n"}
	if got := resolvertest.Texts(answered(t, r)); !slices.Contains(got, "stock") || got[0] != "public" {
		t.Errorf("schemas %q", got)
	}
	r.Name, r.Words = "sql:databases", []string{"psql", "-h", place, "-p", "5499", "-U", "app"}
	resolvertest.Equal(t, "databases", resolvertest.Sorted(answered(t, r)), resolvertest.Words("postgres shop"))
	r.Name, r.Filter.Text, r.Words = "sql:tables", "users(e", []string{"vacuumdb", "-h", place, "-p", "5499", "-U", "app", "-d", "shop", "-t"}
	resolvertest.Equal(t, "vacuumdb -t", resolvertest.Texts(answered(t, r)), []string{"users(email"})

	r.Filter.Text, r.Words = "", resolvertest.Words("psql service=gone")
	resolvertest.Resolve(context.Background(), r)
	resolvertest.Await(t, func() bool { return resolvertest.Resolve(context.Background(), r).State == resolvers.Failed })
	if a := resolvertest.Resolve(context.Background(), r); !strings.HasPrefix(a.Message, "psql: ") {
		t.Errorf("%+v", a)
	}
}

// A real MariaDB, through ~/.my.cnf.
func TestMariaDBServer(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a server")
	}
	const hint = "Debian: apt install mariadb-server"
	install := serverTool(t, "mariadb-install-db", hint)
	daemon := serverTool(t, "mariadbd", hint, "/usr/sbin")
	client := serverTool(t, "mariadb", hint)
	s := newServer(t)
	data, socket := filepath.Join(s.dir, "data"), filepath.Join(s.dir, "s.sock")
	s.run(t, install, "--no-defaults", "--datadir="+data, "--auth-root-authentication-method=normal", "--skip-test-db")
	s.start(t, daemon, "--no-defaults", "--datadir="+data, "--socket="+socket, "--skip-networking", "--pid-file="+filepath.Join(s.dir, "pid"), "--innodb-flush-log-at-trx-commit=0")
	sql := func(text string) error {
		return s.command(client, "--no-defaults", "-S", socket, "-u", "root", "-e", text).Run()
	}
	resolvertest.Await(t, func() bool { return sql("select 1") == nil })
	if err := sql("create database shop; use shop; create table users(id int primary key, `full name` varchar(40), email text); create table `Order`(id bigint); create view rich as select email from users; create database other; create table other.things(x int); create user app@localhost identified by 'se#cret'; grant all on *.* to app@localhost"); err != nil {
		t.Fatal(err)
	}
	home := home(t, map[string]string{".my.cnf": "[client]\nuser=app\npassword='se#cret'\nsocket=" + socket + "\n"})
	r := resolvers.Request{Name: "sql:tables", Dir: t.TempDir(), CacheDir: filepath.Join(t.TempDir(), "c"), Words: resolvertest.Words("mariadb shop -e"), Getenv: resolvertest.Env("HOME", home, "USER", "u", "PATH", filepath.Dir(client)+":/usr/bin:/bin")}
	own := func(a resolvers.Answer) []string {
		return slices.DeleteFunc(resolvertest.Texts(a), func(s string) bool {
			return strings.HasPrefix(s, "mysql.") || strings.HasPrefix(s, "sys.") || strings.HasPrefix(s, "performance_schema.") || strings.HasPrefix(s, "information_schema.")
		})
	}
	resolvertest.Equal(t, "tables", own(answered(t, r)), []string{"`Order`", "rich", "users", "other.things"})
	r.Name, r.Filter.Text = "sql:columns", "users."
	resolvertest.Equal(t, "columns", resolvertest.Texts(answered(t, r)), []string{"users.id", "users.`full name`", "users.email"})
	r.Name, r.Filter.Text, r.Words = "sql:databases", "", resolvertest.Words("mysql")
	if got := resolvertest.Texts(answered(t, r)); !slices.Contains(got, "shop") || !slices.Contains(got, "other") {
		t.Errorf("databases %q", got)
	}
	r.Name, r.Words = "sql:tables", resolvertest.Words("mysqldump shop users")
	resolvertest.Equal(t, "as they are", own(answered(t, r)), []string{"Order", "rich", "users"})
	r.Words = resolvertest.Words("mysql -e")
	resolvertest.Equal(t, "without a database", own(answered(t, r)), []string{"other.things", "shop.`Order`", "shop.rich", "shop.users"})
}
