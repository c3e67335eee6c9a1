package sql

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tool-mapping-protocol/tmp/resolvers"
)

// A server is asked only if a file of the user's own declares it, since a Tab on
// a line that somebody else wrote must open no connection and send no password:
// a service of ~/.pg_service.conf, or an entry of ~/.pgpass that names the host.

// fresh is how long a server's answer is taken as it is.
const fresh = 30 * time.Second

// undeclared is the answer for a server that no file declares.
func undeclared(why string) resolvers.Answer {
	return resolvers.Answer{State: resolvers.Fresh, Message: why}
}

// postgresFiles are the user's own files that declare connections.
type postgresFiles struct {
	servicePath, passPath string
	services              []byte
	passwords             []byte
	stamp                 string
}

func readPostgresFiles(r resolvers.Request) postgresFiles {
	place := func(variable, name string) string {
		if p := r.Env(variable); p != "" {
			if !ownPlace(r, p) {
				return "" // and not the usual one either: it is not what psql would read
			}
			return filepath.Clean(p)
		}
		if home := r.Env("HOME"); filepath.IsAbs(home) {
			return filepath.Join(home, name)
		}
		return ""
	}
	f := postgresFiles{servicePath: place("PGSERVICEFILE", ".pg_service.conf"), passPath: place("PGPASSFILE", ".pgpass")}
	read := func(path *string, secret bool) []byte {
		if *path == "" {
			return nil
		}
		data, stamp, err := readOwn(*path, secret)
		if err != nil {
			*path = ""
			return nil
		}
		f.stamp += stamp + "\x00"
		return data
	}
	f.services = read(&f.servicePath, false)
	f.passwords = read(&f.passPath, true)
	return f
}

// service returns the settings of a service; ok is false if there is none such.
func (f *postgresFiles) service(name string) (t target, ok bool) {
	within := false
	for line := range strings.Lines(string(f.services)) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '[':
			if ok {
				return t, true
			}
			within = strings.TrimSuffix(line[1:], "]") == name
			ok = within
		case within:
			if strings.HasPrefix(line, "ldap") {
				t.unclear = "the service is looked up in a directory"
			}
			key, value, _ := strings.Cut(line, "=")
			t.param(strings.TrimSpace(key), strings.TrimSpace(value))
		}
	}
	return t, ok
}

// passwordEntry is a line of ~/.pgpass without its password.
type passwordEntry struct{ host, port, dbname, user string }

// entries are the lines of ~/.pgpass that name a host.
func (f *postgresFiles) entries() []passwordEntry {
	var list []passwordEntry
	for line := range strings.Lines(string(f.passwords)) {
		line = strings.TrimRight(line, "\r\n")
		if line == "" || line[0] == '#' {
			continue
		}
		var parts []string
		var b strings.Builder
		for i := 0; i < len(line) && len(parts) < 4; i++ {
			switch {
			case line[i] == '\\' && i+1 < len(line):
				i++
				b.WriteByte(line[i])
			case line[i] == ':':
				parts = append(parts, b.String())
				b.Reset()
			default:
				b.WriteByte(line[i])
			}
		}
		if len(parts) == 4 && parts[0] != "*" && parts[0] != "" {
			list = append(list, passwordEntry{parts[0], parts[1], parts[2], parts[3]})
		}
	}
	return list
}

func passes(pattern, value string) bool { return pattern == "*" || pattern == value }

// matches reports whether the entry is for a connection; its database counts
// only if one is named.
func (e passwordEntry) matches(t *target) bool {
	return e.host == t.host && passes(e.port, t.port) && passes(e.user, t.user) && (t.dbname == "" || passes(e.dbname, t.dbname))
}

// or fills a setting that is open.
func or(to *string, value string) {
	if *to == "" {
		*to = value
	}
}

// errUndeclared says that no file of the user's declares a connection.
var errUndeclared = errors.New("undeclared")

// declared completes the target from the user's files and the environment. The
// error is errUndeclared, or says more.
func (t *target) declared(r resolvers.Request, f *postgresFiles) error {
	if t.unclear != "" {
		return errors.New(t.unclear)
	}
	or(&t.service, r.Env("PGSERVICE"))
	var s target
	if t.service != "" {
		var ok bool
		if s, ok = f.service(t.service); !ok {
			return errUndeclared
		}
		if s.unclear != "" {
			return errors.New(s.unclear)
		}
		// A password of the service is for its own server.
		if t.host != "" && t.host != s.host || t.hostaddr != "" && t.hostaddr != s.hostaddr ||
			t.port != "" && t.port != s.port || s.port == "" && r.Env("PGPORT") != "" {
			return errUndeclared
		}
		if s.sslmode != "" {
			t.sslmode = s.sslmode
		}
	}
	host, hostaddr := s.host, s.hostaddr
	or(&t.host, s.host)
	or(&t.port, s.port)
	or(&t.user, s.user)
	or(&t.dbname, s.dbname)
	or(&t.host, r.Env("PGHOST"))
	or(&t.port, r.Env("PGPORT"))
	or(&t.user, r.Env("PGUSER"))
	or(&t.user, r.Env("USER"))
	or(&t.user, r.Env("LOGNAME"))
	or(&t.sslmode, r.Env("PGSSLMODE"))
	if !t.any {
		or(&t.dbname, r.Env("PGDATABASE"))
		or(&t.dbname, t.user)
	}
	if hostaddr == "" && (t.hostaddr != "" || r.Env("PGHOSTADDR") != "") {
		return errUndeclared
	}
	if t.service != "" && t.host == host && (host != "" || hostaddr != "" || t.port == s.port) {
		or(&t.dbname, "postgres")
		return nil
	}
	// A password of the service must not go where an entry of the other file leads.
	if t.service != "" || strings.Contains(t.host, ",") {
		return errUndeclared
	}
	or(&t.port, "5432")
	match := *t
	or(&match.host, "localhost")
	entries := f.entries()
	i := slices.IndexFunc(entries, func(e passwordEntry) bool { return e.matches(&match) })
	if i < 0 {
		return errUndeclared
	}
	if t.dbname == "" && entries[i].dbname != "*" {
		t.dbname = entries[i].dbname
	}
	or(&t.dbname, "postgres")
	return nil
}

// declaredDatabases are the databases of the connection that the files name.
func (t target) declaredDatabases(r resolvers.Request) []string {
	f := readPostgresFiles(r)
	if t.declared(r, &f) != nil {
		return nil
	}
	var list []string
	if s, ok := f.service(t.service); ok && t.service != "" && s.dbname != "" {
		list = append(list, s.dbname)
	}
	t.dbname = ""
	or(&t.host, "localhost")
	or(&t.port, "5432")
	for _, e := range f.entries() {
		if e.dbname != "*" && e.matches(&t) && !slices.Contains(list, e.dbname) {
			list = append(list, e.dbname)
		}
	}
	return list
}

// conninfo writes the connection for psql: no password, which psql takes from
// the file itself.
func (t *target) conninfo() string {
	var b strings.Builder
	add := func(key, value string) {
		if value == "" {
			return
		}
		b.WriteString(key + "='" + strings.ReplaceAll(strings.ReplaceAll(value, `\`, `\\`), "'", `\'`) + "' ")
	}
	add("service", t.service)
	if t.service == "" {
		add("host", t.host)
		add("port", t.port)
	}
	add("user", t.user)
	add("dbname", t.dbname)
	switch t.sslmode {
	case "require", "verify-ca", "verify-full":
		add("sslmode", t.sslmode)
	}
	b.WriteString("connect_timeout=5 application_name=tmp")
	return b.String()
}

// postgresCatalog asks for the schemas that are searched, the databases, and the
// tables with their columns, as many as fit the answer: about 2.5 MB of columns,
// then names alone. A name with a control character is left out. Names of the
// catalog are looked up in the catalog only: a database can have functions of
// its own that are called like the server's.
var postgresCatalog = [...]string{
	`begin read only`,
	`set local statement_timeout = 8000`,
	`select 'P' || pg_catalog.chr(9) || pg_catalog.array_to_string(pg_catalog.current_schemas(false), pg_catalog.chr(31))`,
	`set local search_path to pg_catalog, pg_temp`,
	`select 'D' || chr(9) || datname from pg_database where datallowconn and not datistemplate and datname !~ '[[:cntrl:]]' order by datname limit 2000`,
	`select 'T' || chr(9) || s || chr(9) || r || chr(9) || k || chr(9) ||
 case when sum(octet_length(coalesce(c, ''))) over (order by y, s, r) < 2500000 then coalesce(c, '') else '' end
from (select n.nspname as s, t.relname as r, t.relkind::text as k,
  case when n.nspname in ('pg_catalog', 'information_schema') then 1 else 0 end as y,
  (select string_agg(a.attname || chr(31) || format_type(a.atttypid, a.atttypmod), chr(31) order by a.attnum) from pg_attribute a
   where a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped and a.attname !~ '[[:cntrl:]]') as c
 from pg_class t join pg_namespace n on n.oid = t.relnamespace
 where t.relkind in ('r', 'p', 'v', 'm', 'f') and n.nspname !~ '^pg_(toast|temp)' and t.relname !~ '[[:cntrl:]]' and n.nspname !~ '[[:cntrl:]]'
 order by y, s, r limit 12000) x order by y, s, r`,
	`rollback`,
}

// askPostgres asks the server of a connection, if the user's files declare it.
func askPostgres(ctx context.Context, r resolvers.Request, t target) (*resolvers.Database, resolvers.Answer) {
	f := readPostgresFiles(r)
	switch err := t.declared(r, &f); {
	case errors.Is(err, errUndeclared):
		return nil, undeclared("no file of yours declares this connection (~/.pg_service.conf, ~/.pgpass): it is not asked")
	case err != nil:
		return nil, undeclared(err.Error() + ": it is not asked")
	}
	q := resolvers.Query{Tool: "psql", Quiet: true, Fresh: fresh, Depends: f.stamp}
	q.Args = []string{"-X", "-w", "-A", "-t", "-q", "-v", "ON_ERROR_STOP=1", "-d", t.conninfo()}
	for _, sql := range postgresCatalog {
		q.Args = append(q.Args, "-c", sql)
	}
	q.Set = []string{"PGSERVICEFILE=" + orNone(f.servicePath), "PGPASSFILE=" + orNone(f.passPath), "PGSYSCONFDIR=/nonexistent", "PGCLIENTENCODING=UTF8"}
	return catalog(ctx, r, q)
}

// orNone is a path, or one where nothing is.
func orNone(path string) string {
	if path == "" {
		return "/nonexistent"
	}
	return path
}

// catalog asks, and reads the lines of the answer.
func catalog(ctx context.Context, r resolvers.Request, q resolvers.Query) (*resolvers.Database, resolvers.Answer) {
	out, state, err := q.Ask(ctx, r)
	if err != nil {
		return nil, resolvers.Answer{State: state, Message: err.Error()}
	}
	return parseCatalog(out), resolvers.Answer{State: state}
}

// parseCatalog reads lines whose fields tabs separate: P and the schemas that
// are searched; D and a database; T, a schema, a table, its kind and its columns;
// C, the schema and the table of a T before it, and one more column. 0x1f stands
// between the items of a field.
func parseCatalog(out string) *resolvers.Database {
	d := &resolvers.Database{}
	last := -1
	for line := range strings.Lines(out) {
		f := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
		switch {
		case f[0] == "P" && len(f) == 2 && f[1] != "":
			d.Searched = strings.Split(f[1], "\x1f")
		case f[0] == "D" && len(f) == 2 && f[1] != "":
			d.Databases = append(d.Databases, f[1])
		case f[0] == "T" && len(f) == 5 && f[2] != "":
			d.Tables = append(d.Tables, resolvers.DatabaseTable{Schema: f[1], Name: f[2], Kind: tableKind(f[3]), System: systemSchema(f[1]), Listed: f[4]})
		case f[0] == "C" && len(f) == 5:
			if last < 0 || d.Tables[last].Name != f[2] || d.Tables[last].Schema != f[1] {
				last = slices.IndexFunc(d.Tables, func(t resolvers.DatabaseTable) bool { return t.Name == f[2] && t.Schema == f[1] })
			}
			if last >= 0 {
				t := &d.Tables[last]
				if t.Listed != "" {
					t.Listed += "\x1f"
				}
				t.Listed += f[3] + "\x1f" + f[4]
			}
		}
	}
	return d
}

func tableKind(letter string) string {
	switch letter {
	case "v":
		return "view"
	case "m":
		return "materialized view"
	case "f":
		return "foreign table"
	}
	return "table"
}

func systemSchema(name string) bool {
	switch name {
	case "pg_catalog", "information_schema", "mysql", "performance_schema", "sys":
		return true
	}
	return false
}
