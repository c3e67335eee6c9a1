package sql

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/surface"
)

// The drivers.
const (
	sqliteDriver   = "sqlite"
	postgresDriver = "postgres"
	mysqlDriver    = "mysql"
)

// What holds where a table does not say.
const (
	standardRows    = 1000
	standardTimeout = 30 * time.Second
	mostRows        = 1_000_000
	// maxValue bounds a value of a row, in bytes: one is held in memory whole.
	maxValue = 64 << 20
)

// connection is a table [sql.NAME] of config.toml:
//
//	driver = "sqlite|postgres|mysql"
//	from = "file:PATH|pg_service:NAME|env:NAME|my.cnf:GROUP"
//	write = false
//	max_rows = 1000
//	timeout = "30s"
type connection struct {
	Name    string
	Driver  string
	Write   bool
	MaxRows int
	Timeout time.Duration
	// One of these says where it is.
	File    string // of SQLite, absolute
	Service string // of PostgreSQL
	Group   string // of an option file of MySQL
	URL     string // of a server, with its secret

	getenv func(string) string
}

// connectionOf reads the table that a call uses, or the file of the project that it
// names.
func connectionOf(w surface.World, r *surface.Request) (*connection, error) {
	c := &connection{Name: r.Section, MaxRows: standardRows, Timeout: standardTimeout, getenv: w.Getenv}
	if w.Table == nil {
		return c.ofProject(r)
	}
	if err := c.read(w.Table); err != nil {
		return nil, refuse("[sql.%s] of config.toml: %s", c.Name, err)
	}
	from, _ := w.Table["from"].(string)
	if err := c.source(from, w, r); err != nil {
		return nil, refuse("[sql.%s] of config.toml: %s", c.Name, err)
	}
	return c, nil
}

// read takes the keys of a table over.
func (c *connection) read(table map[string]any) error {
	for _, key := range sortedKeys(table) {
		ok := true
		switch v := table[key]; key {
		case "driver":
			c.Driver, ok = v.(string)
		case "from":
			_, ok = v.(string)
		case "write":
			c.Write, ok = v.(bool)
		case "max_rows":
			var n int64
			if n, ok = v.(int64); ok && (n < 1 || n > mostRows) {
				return fmt.Errorf("max_rows %d: want 1 to %d", n, mostRows)
			}
			c.MaxRows = int(n)
		case "timeout":
			var text string
			text, ok = v.(string)
			d, err := time.ParseDuration(text)
			if ok && (err != nil || d <= 0) {
				return fmt.Errorf("timeout %q: want a time such as 30s", text)
			}
			c.Timeout = d
		default:
			return fmt.Errorf("%q is no key of a connection: driver, from, write, max_rows, timeout", key)
		}
		if !ok {
			return fmt.Errorf("%s is of the wrong type", key)
		}
	}
	switch c.Driver {
	case sqliteDriver, postgresDriver, mysqlDriver:
		return nil
	case "postgresql":
		c.Driver = postgresDriver
		return nil
	case "mariadb":
		c.Driver = mysqlDriver
		return nil
	}
	return fmt.Errorf("driver %q: want sqlite, postgres or mysql", c.Driver)
}

// source reads "from".
func (c *connection) source(from string, w surface.World, r *surface.Request) error {
	kind, rest, _ := strings.Cut(from, ":")
	if rest == "" {
		return fmt.Errorf("from %q: want file:PATH, pg_service:NAME, env:NAME or my.cnf:GROUP", from)
	}
	switch {
	case kind == "file" && c.Driver == sqliteDriver:
		file, err := fileOf(rest, w.Getenv, r)
		c.File = file
		return err
	case kind == "env":
		c.URL = w.Getenv(rest)
		if c.URL == "" {
			return fmt.Errorf("the variable %s has no value", rest)
		}
		if c.Driver != sqliteDriver {
			return nil
		}
		file, err := fileOf(strings.TrimPrefix(strings.TrimPrefix(c.URL, "sqlite:"), "file:"), w.Getenv, r)
		c.File = file
		return err
	case kind == "pg_service" && c.Driver == postgresDriver:
		c.Service = rest
		return nil
	case kind == "my.cnf" && c.Driver == mysqlDriver:
		c.Group = rest
		return nil
	}
	return fmt.Errorf("from %q is nothing for the driver %s", from, c.Driver)
}

// fileOf is the path of a database: absolute, from the home directory with "~/", else
// from the project.
func fileOf(path string, getenv func(string) string, r *surface.Request) (string, error) {
	if rest, ok := strings.CutPrefix(path, "//"); ok { // file:///x
		path = "/" + strings.TrimLeft(rest, "/")
	}
	switch {
	case filepath.IsAbs(path):
		return filepath.Clean(path), nil
	case strings.HasPrefix(path, "~/"):
		if home := getenv("HOME"); home != "" {
			return filepath.Join(home, path[2:]), nil
		}
		return "", errors.New("there is no home directory")
	}
	return within(r, path)
}

// within is a file of the project, which no symbolic link leads out of it.
func within(r *surface.Request, path string) (string, error) {
	root := r.Root
	if root == "" {
		root = r.Dir
	}
	if !filepath.IsLocal(path) {
		return "", fmt.Errorf("%q leads out of the project", path)
	}
	realRoot, err := filepath.EvalSymlinks(root)
	if err != nil {
		return "", err
	}
	file, err := filepath.EvalSymlinks(filepath.Join(root, path))
	if err != nil {
		return "", fmt.Errorf("the database %s is not there", path)
	}
	if rel, err := filepath.Rel(realRoot, file); err != nil || !filepath.IsLocal(rel) {
		return "", fmt.Errorf("%q leads out of the project", path)
	}
	return file, nil
}

// ofProject is a SQLite database that the project names itself: it is only read.
func (c *connection) ofProject(r *surface.Request) (*connection, error) {
	var record surface.SQLRecord
	if err := json.Unmarshal(r.Record, &record); err != nil {
		return nil, refuse("the record cannot be read: %s", err)
	}
	path, ok := strings.CutPrefix(record.Connection, "file:")
	if !ok {
		return nil, refuse("%s: no connection is configured", r.Operation)
	}
	if filepath.IsAbs(path) {
		return nil, refuse("%s: a project names only databases inside it: %q", r.Operation, path)
	}
	file, err := within(r, path)
	if err != nil {
		return nil, refuse("%s: %s", r.Operation, err)
	}
	c.Name, c.Driver, c.File = record.Connection, sqliteDriver, file
	return c, nil
}

// open connects.
func open(ctx context.Context, c *connection, reads bool) (database, error) {
	switch c.Driver {
	case sqliteDriver:
		return openSQLite(ctx, c, reads)
	case postgresDriver:
		return openPostgres(ctx, c, reads)
	}
	return openMySQL(ctx, c)
}

// remaining is how much time a context has, most if it never ends.
func remaining(ctx context.Context, most time.Duration) time.Duration {
	if deadline, ok := ctx.Deadline(); ok {
		return min(most, max(0, time.Until(deadline)))
	}
	return most
}

// isThere reports a database file that is not there as what it is.
func isThere(file string) error {
	st, err := os.Stat(file)
	switch {
	case err != nil:
		return &fault{message: fmt.Sprintf("the database %s cannot be opened: %s", file, plainError(err)), at: -1}
	case !st.Mode().IsRegular():
		return refuse("the database %s is no regular file", file)
	}
	return nil
}

// plainError is an error of a file without its path.
func plainError(err error) error {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
