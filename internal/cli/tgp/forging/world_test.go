package forging

import (
	"database/sql"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// exits runs a draft and holds it against its exit status and its result, or the words
// of its error.
func (w *world) exits(t *testing.T, code string, status int, want string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "a.ts")
	if err := os.WriteFile(file, []byte(code), 0o644); err != nil {
		t.Fatal(err)
	}
	got, out, errs := w.tgp("run", file)
	if got != status || !strings.Contains(out+errs, want) {
		t.Errorf("%s\n%d, want %d %q:\n%s%s", code, got, status, want, out, errs)
	}
}

// statements are what both databases must do and refuse, as a tool sees it.
func (w *world) statements(t *testing.T) {
	const write = "/** @effect db-write */\n"
	w.write(".tmp/schemas/q.sql", `-- operation: sql.paid
select id, name, cents from orders where cents >= :least order by id;
-- operation: add-order
insert into orders (id, name, cents) values (:id, :name, :cents);
-- operation: sql.sly
delete from orders;
`)
	for _, tt := range []struct {
		name, code string
		status     int
		want       string
	}{
		{"a query by its name", `export default await tgp.db.query("paid", { least: 200 })`, 0, `[{"cents":250,"id":2,"name":"bo"}]`},
		{"and its whole name", `export default (await tgp.db.query("sql.paid", { least: 0 })).length`, 0, "2"},
		{"a parameter is none of the statement", `export default await tgp.db.query("paid", { least: 200, x: "; drop table o" })`, 0, `"bo"`},
		{"a parameter that is missing", `await tgp.db.query("paid", {})`, 1, "least is missing"},
		{"a name that is not there", `await tgp.db.query("nothing")`, 1, "no query of that name"},
		{"a statement", `const s = ["sel", "ect coun", "t(*) n ", "from ord", "ers"]; export default await tgp.db.query({ sql: s.join("") })`, 0, `"n":2`},
		{"a statement that writes", `const s = ["del", "ete from ", "orders"]; await tgp.db.query({ sql: s.join("") })`, 126, "EPERM"},
		{"two statements", `const s = ["sel", "ect 1;", "del", "ete from ", "orders"]; await tgp.db.query({ sql: s.join("") })`, 126, "EPERM"},
		{"a table made by WITH", `const s = ["wi", "th x as (", "del", "ete from ", "orders ret", "urning 1) sel", "ect * from x"]; await tgp.db.query({ sql: s.join("") })`, 126, "EPERM"},
		{"a query that writes, undeclared", `const q = ["add", "order"]; await tgp.db.query(q.join("-"), { id: 9, name: "x", cents: 1 })`, 126, "EPERM"},
		{"a query that writes and is none of db.write", `await tgp.db.query("sly")`, 126, "EPERM"},
		{"the address", `export default [tgp.env("DATABASE_URL") ?? 0, Object.keys(process.env).length]`, 0, "[0,0]"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := &world{t: t, dir: w.dir, env: w.env}
			w.exits(t, tt.code, tt.status, tt.want)
		})
	}
	// db-write is HIGH: a person at a terminal says yes to each run.
	const add = write + `await tgp.db.query("add-order", { id: 3, name: "cy", cents: 300 }); export default (await tgp.db.query("paid", { least: 300 })).length`
	w.exits(t, add, 125, "APPROVAL_REQUIRED")
	w.tty = true
	w.exits(t, add, 0, "1")
	w.tty = false
}

func (w *world) database(dialect string) *world {
	return w.god(`,"db":{"dialect":"` + dialect + `","write":["add-order"]}`)
}

func TestSQLite(t *testing.T) {
	w := newWorld(t).database("sqlite")
	w.env["DATABASE_URL"] = "file:data.db"
	db, err := sql.Open("sqlite", filepath.Join(w.dir, "data.db"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec("create table orders (id integer primary key, name text, cents integer); insert into orders values (1, 'al', 100), (2, 'bo', 250)"); err != nil {
		t.Fatal(err)
	}
	db.Close()
	w.statements(t)
	for _, s := range []string{`"att", "ach 'x.db'", " as y"`, `"pra", "gma journ", "al_mode=off"`, `"sel", "ect load_", "extension('x')"`, `"sel", "ect write", "file('x', 'y')"`} {
		w.exits(t, `await tgp.db.query({ sql: [`+s+`].join("") })`, 126, "EPERM")
	}
	w.exits(t, `const s = ["wi", "th recursive", " c(x) as (sel", "ect 1 union ", "all sel", "ect x + 1 ", "from c)", " sel", "ect x from", " c"]; await tgp.db.query({ sql: s.join("") })`, 126, "QUOTA_EXCEEDED")
}

func TestPostgreSQL(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a server")
	}
	w := newWorld(t).database("postgres")
	socket := postgres(t)
	w.env["DATABASE_URL"] = "postgres://app@/shop?host=" + socket + "&port=5498"
	w.statements(t)
	for _, s := range []string{`"sel", "ect pg_read", "_file('/etc/p", "asswd')"`, `"co", "py orders to ", "program 'id'"`, `"sel", "ect pg_sleep(", "0), pg_term", "inate_back", "end(1)"`, `"sel", "ect nextval", "('s')"`, `"sel", "ect pg_notify", "('a', 'b')"`} {
		w.exits(t, `await tgp.db.query({ sql: [`+s+`].join("") })`, 126, "EPERM")
	}
	// What runs on in the server ends with the tool.
	w.exits(t, `const s = ["sel", "ect pg_sleep(", "60)"]; await tgp.db.query({ sql: s.join("") })`, 124, "TIMEOUT_EXCEEDED")
}

// postgres starts a PostgreSQL on a socket and returns the directory of that.
func postgres(t *testing.T) string {
	t.Helper()
	program := func(name string) string {
		if p, err := exec.LookPath(name); err == nil {
			return p
		}
		if found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/" + name); len(found) > 0 {
			return found[len(found)-1]
		}
		t.Skip(name + " is not here; Debian: apt install postgresql")
		return ""
	}
	initdb, server := program("initdb"), program("postgres")
	dir, err := os.MkdirTemp("/tmp", "tgp-pg")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	attr := &syscall.SysProcAttr{}
	if os.Getuid() == 0 { // it refuses to be root's
		attr.Credential = &syscall.Credential{Uid: 65534, Gid: 65534}
		if err := os.Chown(dir, 65534, 65534); err != nil {
			t.Fatal(err)
		}
	}
	command := func(name string, args ...string) *exec.Cmd {
		cmd := exec.Command(name, args...)
		cmd.Dir, cmd.SysProcAttr, cmd.Env = dir, attr, []string{"HOME=" + dir, "PATH=" + filepath.Dir(initdb) + ":/usr/bin:/bin", "LC_ALL=C"}
		return cmd
	}
	data := filepath.Join(dir, "data")
	if out, err := command(initdb, "-D", data, "-U", "app", "-A", "trust", "-N", "--locale=C", "-E", "UTF8").CombinedOutput(); err != nil {
		t.Skipf("initdb: %v %s", err, out)
	}
	cmd := command(server, "-D", data, "-k", dir, "-p", "5498", "-c", "listen_addresses=", "-c", "fsync=off")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGQUIT)
		_ = cmd.Wait()
	})
	for range 100 {
		if c, err := net.Dial("unix", filepath.Join(dir, ".s.PGSQL.5498")); err == nil {
			c.Close()
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	psql := program("psql")
	for _, s := range []struct{ db, text string }{
		{"postgres", "create database shop"},
		{"shop", "create table orders (id int primary key, name text, cents int); insert into orders values (1, 'al', 100), (2, 'bo', 250); create sequence s"},
	} {
		var out []byte
		for range 50 { // it may still be starting
			if out, err = command(psql, "-X", "-q", "-v", "ON_ERROR_STOP=1", "-h", dir, "-p", "5498", "-U", "app", "-d", s.db, "-c", s.text).CombinedOutput(); err == nil {
				break
			}
			time.Sleep(200 * time.Millisecond)
		}
		if err != nil {
			t.Fatalf("psql: %v %s", err, out)
		}
	}
	return dir
}

// signedTool forges a tool in gatekeeper mode, and approves it with a key.
func (w *world) signedTool(name, source, more string) {
	w.t.Helper()
	key := strings.TrimSpace(w.must("key", "generate", "ann"))
	w.env["TGP_CONFIG"] = `{"rootDir":"./.tgp","gatekeeper":{"keys":["` + key + `"]}` + more + `}`
	w.write("d.ts", source)
	w.must("add", "d.ts", "net/"+name, "-m", "x")
	w.must("approve", name, "--key", filepath.Join(w.env["HOME"], ".config/tmp/keys/ann.key"))
}

// TestHTTP: a tool reaches the hosts that are signed for it, by whatever way, and no
// other.
func TestHTTP(t *testing.T) {
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "other") }))
	defer other.Close()
	var seen http.Header
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen = r.Header
		switch r.URL.Path {
		case "/away":
			http.Redirect(w, r, other.URL, http.StatusFound)
		case "/file":
			w.Header().Set("Location", "file:///etc/passwd")
			w.WriteHeader(http.StatusFound)
		case "/round":
			http.Redirect(w, r, "/round", http.StatusFound)
		case "/slow":
			select {
			case <-r.Context().Done():
			case <-time.After(4 * time.Second):
			}
		case "/near":
			http.Redirect(w, r, "/end", http.StatusFound)
		default:
			fmt.Fprintf(w, `{"method":%q,"path":%q}`, r.Method, r.URL.Path)
		}
	}))
	defer site.Close()
	host, elsewhere := strings.TrimPrefix(site.URL, "http://"), strings.TrimPrefix(other.URL, "http://")
	w := newWorld(t)
	w.must("init")
	w.signedTool("get", `/**
 * Asks a host.
 * @param {string} url which
 * @param {string} [header=] a name
 * @effect network
 * @net http://`+host+`
 * @risk LOW
 */
const a = tgp.args;
const r = await fetch(a.url, { method: "POST", headers: a.header ? { [a.header]: "x" } : {}, body: "b" });
export default [r.status, await r.text()];
`, `,"limits":{"wallSeconds":3}`)
	get := func(url string, status int, want string, more ...string) {
		t.Helper()
		got, out, errs := w.tgp(append([]string{"run", "get", "--url=" + url}, more...)...)
		if got != status || !strings.Contains(out+errs, want) {
			t.Errorf("%s: %d, want %d %q: %s%s", url, got, status, want, out, errs)
		}
	}
	get("http://"+host+"/a", 0, `\"path\":\"/a\"`)
	get("http://"+host+"/near", 0, `\"path\":\"/end\"`)
	if seen.Get("User-Agent") != "tgp" || seen.Get("Cookie") != "" {
		t.Errorf("%v", seen)
	}
	get("https://"+host+"/a", 126, "EPERM")
	get("http://"+elsewhere+"/", 126, "EPERM")
	get("http://"+host+"@"+elsewhere+"/", 126, "EPERM")
	get("http://localhost:"+strings.Split(host, ":")[1]+"/", 126, "EPERM")
	get("http://169.254.169.254/", 126, "EPERM")
	get("file:///etc/passwd", 126, "EPERM")
	get("gopher://"+host, 126, "EPERM")
	get("http://"+host+"/away", 126, "EPERM")
	get("http://"+host+"/file", 126, "EPERM")
	get("http://"+host+"/round", 1, "ENETWORK")
	get("http://"+host+"/slow", 124, "TIMEOUT_EXCEEDED")
	get("http://"+host+"/", 126, "EPERM", "--header=Host")
	get("http://"+host+"/", 126, "EPERM", "--header=Transfer-Encoding")
	// A draft that names the host is not signed for it, whatever the mode.
	w.env["TGP_CONFIG"] = `{"mode":"god","rootDir":"./.tgp"}`
	w.exits(t, "/**\n * @effect network\n * @net http://"+host+"\n */\nconst u = [\"http://\", \""+strings.Join(strings.Split(host, ":"), `:", "`)+"\"]; await fetch(u.join(\"\"))", 126, "EPERM")
}
