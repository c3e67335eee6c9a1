package sql

import (
	"context"
	"errors"
	"path/filepath"
	"strings"

	"github.com/tool-mapping-protocol/tmp/resolvers"
)

// mysqlFile is the user's file of options, and what its groups say of the
// connection.
type mysqlFile struct {
	path, stamp string
	target
	// declares says that a group says where or as whom to connect.
	declares bool
}

// readMySQLFile reads ~/.my.cnf, or the file that the line names in its place:
// the groups that the client "mysql" reads. A group of the line's own tool that
// says something else of the connection makes it unclear.
func readMySQLFile(r resolvers.Request, t *target) (mysqlFile, error) {
	f := mysqlFile{path: filepath.Join(r.Env("HOME"), ".my.cnf")}
	if t.defaults != "" {
		if f.path = t.defaults; !ownPlace(r, f.path) {
			return f, errUndeclared
		}
	}
	if !filepath.IsAbs(f.path) {
		return f, errUndeclared
	}
	data, stamp, err := readOwn(f.path, false)
	if err != nil {
		return f, errUndeclared
	}
	f.stamp = stamp
	group := ""
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		switch {
		case line == "", line[0] == '#', line[0] == ';', line[0] == '!':
			// What "!include" names is not read here.
		case line[0] == '[':
			group, _, _ = strings.Cut(line[1:], "]")
		case mysqlGroup(group, t.suffix):
			f.option(line)
		case group == t.tool:
			own := mysqlFile{}
			if own.option(line); own.declares {
				f.unclear = "[" + group + "] says where to connect"
			}
		}
	}
	return f, nil
}

// mysqlGroup reports whether the client "mysql" reads a group.
func mysqlGroup(group, suffix string) bool {
	if suffix != "" {
		group = strings.TrimSuffix(group, suffix)
	}
	switch group {
	case "client", "mysql", "client-server", "client-mariadb", "mariadb-client":
		return true
	}
	return false
}

// option reads "key = value"; a later one counts.
func (f *mysqlFile) option(line string) {
	key, value, _ := strings.Cut(line, "=")
	value = strings.TrimSpace(value)
	if k := strings.Index(value, " #"); k >= 0 {
		value = strings.TrimSpace(value[:k])
	}
	if n := len(value); n > 1 && (value[0] == '"' || value[0] == '\'') && value[n-1] == value[0] {
		value = value[1 : n-1]
	}
	switch strings.ReplaceAll(strings.TrimSpace(key), "_", "-") {
	case "host":
		f.host = value
	case "port":
		f.port = value
	case "socket":
		f.socket = value
	case "user":
		f.user = value
	case "password":
	case "database":
		f.dbname = value
		return
	default:
		return
	}
	f.declares = true
}

// local reports whether a host is this machine, by its socket.
func local(host string) bool { return host == "" || host == "localhost" }

// declaredMySQL completes the target from the user's file.
func (t *target) declaredMySQL(r resolvers.Request) (mysqlFile, error) {
	if t.unclear != "" {
		return mysqlFile{}, errors.New(t.unclear)
	}
	f, err := readMySQLFile(r, t)
	switch {
	case err != nil:
		return f, err
	case f.unclear != "":
		return f, errors.New(f.unclear)
	case !f.declares:
		return f, errUndeclared
	}
	or(&t.host, r.Env("MYSQL_HOST"))
	// Whatever the file's password is for, it is for the place that it names.
	if t.host != "" && t.host != f.host && !(local(t.host) && local(f.host)) ||
		t.port != "" && t.port != f.port && !(t.port == "3306" && f.port == "") ||
		t.socket != "" && t.socket != f.socket ||
		r.Env("MYSQL_TCP_PORT") != "" && f.port == "" || r.Env("MYSQL_UNIX_PORT") != "" && f.socket == "" && local(f.host) {
		return f, errUndeclared
	}
	or(&t.dbname, f.dbname)
	return f, nil
}

// mysqlCatalog asks as postgresCatalog does. The clock for each question is in a
// comment that only MySQL or only MariaDB reads.
const mysqlCatalog = mysqlClock + ` 'P', coalesce(database(), '');
` + mysqlClock + ` 'D', schema_name from information_schema.schemata where schema_name not regexp '[[:cntrl:]]' order by schema_name limit 2000;
` + mysqlClock + ` 'T', table_schema, table_name, if(table_type like '%VIEW', 'v', 'r'), '' from information_schema.tables
 where table_name not regexp '[[:cntrl:]]' and table_schema not regexp '[[:cntrl:]]' and (table_schema = database() or database() is null or table_schema not in ('performance_schema', 'sys', 'mysql', 'information_schema'))
 order by coalesce(table_schema <> database(), 1), table_schema in ('performance_schema', 'sys', 'mysql', 'information_schema'), table_schema, table_name limit 12000;
` + mysqlClock + ` 'C', table_schema, table_name, column_name, left(column_type, 60) from information_schema.columns
 where table_schema = database() and table_name not regexp '[[:cntrl:]]' and column_name not regexp '[[:cntrl:]]' order by table_name, ordinal_position limit 25000`

const mysqlClock = `/*M!100100 set statement max_statement_time=8 for */ select /*+ MAX_EXECUTION_TIME(8000) */`

// askMySQL asks the server of a connection, if the user's file declares it.
func askMySQL(ctx context.Context, r resolvers.Request, t target) (*resolvers.Database, resolvers.Answer) {
	f, err := t.declaredMySQL(r)
	switch {
	case errors.Is(err, errUndeclared):
		return nil, undeclared("no file of yours declares this connection (~/.my.cnf): it is not asked")
	case err != nil:
		return nil, undeclared(err.Error() + ": it is not asked")
	}
	q := resolvers.Query{Tool: "mysql", Quiet: true, Fresh: fresh, Depends: f.stamp}
	if _, err := resolvers.ToolPath(r, "mariadb"); err == nil && (strings.HasPrefix(t.tool, "mariadb") || !hasTool(r, "mysql")) {
		q.Tool = "mariadb"
	}
	q.Args = []string{"--defaults-file=" + f.path}
	if t.suffix != "" {
		q.Args = append(q.Args, "--defaults-group-suffix="+t.suffix)
	}
	// A server may ask a client for its files: not this one.
	q.Args = append(q.Args, "--no-auto-rehash", "-N", "-B", "--local-infile=0", "--connect-timeout=5", "--default-character-set=utf8mb4")
	if t.user != "" {
		q.Args = append(q.Args, "--user="+t.user)
	}
	if t.host != "" {
		q.Args = append(q.Args, "--host="+t.host)
	}
	if t.dbname != "" {
		q.Args = append(q.Args, "--database="+t.dbname)
	}
	q.Args = append(q.Args, "-e", mysqlCatalog)
	q.Set = []string{"MYSQL_TEST_LOGIN_FILE=/nonexistent"} // no ~/.mylogin.cnf
	return catalog(ctx, r, q)
}

func hasTool(r resolvers.Request, tool string) bool {
	_, err := resolvers.ToolPath(r, tool)
	return err == nil
}
