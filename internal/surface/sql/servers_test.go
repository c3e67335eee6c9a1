package sql

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// Real servers, each on a socket in a directory of its own, that end with the tests.
// A server does not run as root: for root it is started as nobody.

var servers struct {
	once  [2]sync.Once
	why   [2]string
	stops []func()
	dir   string // of the sockets: a socket's path may be no longer than some 100 bytes
}

func TestMain(m *testing.M) {
	status := m.Run()
	for _, stop := range servers.stops {
		stop()
	}
	os.Exit(status)
}

// program finds a program on PATH or where Debian keeps it.
func program(name string, patterns ...string) string {
	if path, err := exec.LookPath(name); err == nil {
		return path
	}
	for _, p := range patterns {
		found, _ := filepath.Glob(p)
		slices.Sort(found)
		if len(found) > 0 {
			return found[len(found)-1]
		}
	}
	return ""
}

// as lets a command run as nobody where we are root.
func as(cmd *exec.Cmd, dir string) error {
	cmd.Dir = dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "LC_ALL=C.UTF-8"}
	cmd.SysProcAttr = &syscall.SysProcAttr{}
	if os.Getuid() != 0 {
		return nil
	}
	u, err := user.Lookup("nobody")
	if err != nil {
		return err
	}
	uid, _ := strconv.Atoi(u.Uid)
	gid, _ := strconv.Atoi(u.Gid)
	cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	return os.Chown(dir, uid, gid)
}

// start runs a server until the tests end.
func start(dir, path string, args ...string) error {
	cmd := exec.Command(path, args...)
	if err := as(cmd, dir); err != nil {
		return err
	}
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &log, &log
	if err := cmd.Start(); err != nil {
		return err
	}
	servers.stops = append(servers.stops, func() {
		_ = cmd.Process.Signal(syscall.SIGINT)
		time.AfterFunc(5*time.Second, func() { _ = cmd.Process.Kill() })
		_ = cmd.Wait()
		_ = os.RemoveAll(dir)
	})
	return nil
}

func run(dir, path string, args ...string) error {
	cmd := exec.Command(path, args...)
	if err := as(cmd, dir); err != nil {
		return err
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", path, err, out)
	}
	return nil
}

func scratch() (string, error) {
	dir, err := os.MkdirTemp("", "tmpsql")
	if err == nil {
		err = os.Chmod(dir, 0o755)
	}
	return dir, err
}

const postgresPort = "54329"

// postgresServer is the directory of the socket of a PostgreSQL that has the roles boss
// (a superuser), reader and writer, and the tables of the tests.
func postgresServer(t *testing.T) string {
	t.Helper()
	servers.once[0].Do(func() { servers.why[0] = startPostgres() })
	if servers.why[0] != "" {
		t.Skip(servers.why[0])
	}
	return servers.dir
}

func startPostgres() string {
	initdb := program("initdb", "/usr/lib/postgresql/*/bin/initdb")
	if initdb == "" {
		return "PostgreSQL is not installed (Debian: apt install postgresql)"
	}
	dir, err := scratch()
	if err != nil {
		return err.Error()
	}
	data := filepath.Join(dir, "data")
	err = run(dir, initdb, "-D", data, "-U", "boss", "-A", "trust", "--no-sync", "-E", "UTF8")
	if err == nil {
		err = start(dir, filepath.Join(filepath.Dir(initdb), "postgres"), "-D", data, "-k", dir, "-p", postgresPort, "-c", "listen_addresses=", "-c", "fsync=off")
	}
	if err != nil {
		return err.Error()
	}
	servers.dir = dir
	var conn *pgconn.PgConn
	for range 150 {
		if conn, err = pgconn.Connect(context.Background(), postgresURL(dir, "boss")); err == nil {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	if err != nil {
		return err.Error()
	}
	defer conn.Close(context.Background())
	if _, err := conn.Exec(context.Background(), postgresTables).ReadAll(); err != nil {
		panic(err)
	}
	return ""
}

func postgresURL(dir, role string) string {
	return fmt.Sprintf("host=%s port=%s user=%s dbname=postgres sslmode=disable", dir, postgresPort, role)
}

const postgresTables = `
CREATE ROLE reader LOGIN; CREATE ROLE writer LOGIN; CREATE ROLE replica LOGIN REPLICATION; CREATE ROLE shell LOGIN; GRANT pg_execute_server_program TO shell;
CREATE TABLE jobs(id integer PRIMARY KEY, status text NOT NULL, note text, price numeric(30,10), made timestamptz, day date, raw bytea, doc jsonb, done boolean);
INSERT INTO jobs VALUES (1, 'failed', NULL, 9007199254740993.1, '2026-01-02 03:04:05+00', '2026-01-02', '\x0001', '{"a": 1}', true),
 (2, 'ok', '', 1.50, '2026-01-03 03:04:05+00', '2026-01-03', NULL, NULL, false), (3, 'failed', 'said "hi"', NULL, NULL, NULL, NULL, NULL, NULL);
GRANT SELECT ON jobs TO reader; GRANT SELECT, INSERT, UPDATE, DELETE ON jobs TO writer; GRANT CREATE ON SCHEMA public TO writer, reader;
CREATE SEQUENCE counter; GRANT ALL ON SEQUENCE counter TO reader, writer;
CREATE FUNCTION remove_all() RETURNS integer LANGUAGE sql SECURITY DEFINER AS 'DELETE FROM jobs; SELECT 1';
CREATE FUNCTION remove_quietly() RETURNS integer LANGUAGE plpgsql STABLE SECURITY DEFINER AS 'BEGIN EXECUTE ''DELETE FROM jobs''; RETURN 1; END';
CREATE VIEW trap AS SELECT remove_all() AS gone; GRANT SELECT ON trap TO reader, writer;
`

// mysqlServer is the socket of a MariaDB or MySQL with the tables of the tests.
func mysqlServer(t *testing.T) string {
	t.Helper()
	servers.once[1].Do(func() { servers.why[1] = startMySQL() })
	if servers.why[1] != "" {
		t.Skip(servers.why[1])
	}
	return mysqlSocket
}

var mysqlSocket string

func startMySQL() string {
	server := program("mariadbd", "/usr/sbin/mariadbd", "/usr/libexec/mariadbd")
	install := program("mariadb-install-db", "/usr/bin/mariadb-install-db")
	if server == "" || install == "" {
		return "MariaDB is not installed (Debian: apt install mariadb-server)"
	}
	dir, err := scratch()
	if err != nil {
		return err.Error()
	}
	data := filepath.Join(dir, "data")
	mysqlSocket = filepath.Join(dir, "s")
	err = run(dir, install, "--no-defaults", "--datadir="+data, "--auth-root-authentication-method=normal", "--skip-test-db")
	if err == nil {
		err = start(dir, server, "--no-defaults", "--datadir="+data, "--socket="+mysqlSocket, "--skip-networking", "--pid-file="+filepath.Join(dir, "pid"), "--innodb-flush-log-at-trx-commit=0", "--secure-file-priv="+dir)
	}
	if err != nil {
		return err.Error()
	}
	db, err := sql.Open("mysql", "root@unix("+mysqlSocket+")/?multiStatements=true")
	if err != nil {
		return err.Error()
	}
	defer db.Close()
	for range 150 {
		if err = db.Ping(); err == nil {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	if err != nil {
		return err.Error()
	}
	if _, err := db.Exec(mysqlTables); err != nil {
		panic(err)
	}
	return ""
}

const mysqlTables = `
CREATE DATABASE shop CHARACTER SET utf8mb4; USE shop;
CREATE TABLE jobs(id integer PRIMARY KEY, status varchar(20) NOT NULL, note text, price decimal(30,10), made datetime, raw blob, big bigint unsigned);
INSERT INTO jobs VALUES (1, 'failed', NULL, 9007199254740993.1, '2026-01-02 03:04:05', x'0001', 18446744073709551615), (2, 'ok', '', 1.5, NULL, NULL, NULL), (3, 'failed', 'said "hi"', NULL, NULL, NULL, NULL);
CREATE SEQUENCE counter;
CREATE FUNCTION remove_all() RETURNS int MODIFIES SQL DATA BEGIN DELETE FROM jobs; RETURN 1; END;
CREATE FUNCTION remove_quietly() RETURNS int READS SQL DATA BEGIN DELETE FROM jobs; RETURN 1; END;
CREATE USER reader@localhost; GRANT SELECT, EXECUTE, FILE ON *.* TO reader@localhost;
CREATE USER writer@localhost; GRANT ALL ON shop.* TO writer@localhost;
`
