package sql

import (
	_ "embed" // the table of clients
	"path"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/resolvers"
)

// target is the connection that the words of a command name, with what the
// environment adds. Nothing here is to be trusted.
type target struct {
	host, hostaddr, port, user, dbname string
	service, sslmode                   string // of PostgreSQL
	socket, defaults, suffix           string // of MySQL: --socket, --defaults-file, --defaults-group-suffix
	tool                               string
	// any says that the names of the databases are wanted: which of them the
	// question goes to does not matter.
	any bool
	// unclear says why the words name no connection for certain, "" if they do.
	unclear string
}

// set takes one setting; two that differ make the connection unclear.
func (t *target) set(to *string, value string) {
	switch {
	case value == "":
	case *to != "" && *to != value:
		t.unclear = "the line names two connections"
	default:
		*to = value
	}
}

// sqlOption is an option as given: "-h" or "--host", with its value.
type sqlOption struct{ name, value string }

// sqlWords splits words as getopt_long does. letters are the short options that
// take a value, optional those that take one only in the same word; long says of
// a long option whether it takes one.
func sqlWords(words []string, letters, optional string, long func(string) bool) (opts []sqlOption, args []string) {
	for i := 1; i < len(words); i++ {
		w := words[i]
		switch {
		case w == "--":
			return opts, append(args, words[i+1:]...)
		case strings.HasPrefix(w, "--"):
			name, value, attached := strings.Cut(w, "=")
			if !attached && long(name[2:]) && i+1 < len(words) {
				i++
				value = words[i]
			}
			opts = append(opts, sqlOption{name, value})
		case len(w) > 1 && w[0] == '-':
			for k := 1; k < len(w); k++ {
				o := sqlOption{name: "-" + w[k:k+1]}
				taken := false
				switch {
				case strings.IndexByte(optional, w[k]) >= 0:
					o.value, taken = w[k+1:], true
				case strings.IndexByte(letters, w[k]) >= 0:
					taken = true
					if o.value = w[k+1:]; o.value == "" && i+1 < len(words) {
						i++
						o.value = words[i]
					}
				}
				opts = append(opts, o)
				if taken {
					break
				}
			}
		default:
			args = append(args, w)
		}
	}
	return opts, args
}

//go:embed tools.tsv
var clients string

// clientOf returns what the table has of a client: its short options that take a
// value, and whether it reads names as they are.
func clientOf(tool string) (letters string, plain bool) {
	for row := range strings.Lines(clients) {
		if rest, ok := strings.CutPrefix(row, tool+"\t"); ok {
			letters, how, _ := strings.Cut(strings.TrimSuffix(rest, "\n"), "\t")
			return letters, how == "plain"
		}
	}
	return "", false
}

// postgresLetters are the short options of PostgreSQL's clients with a value.
func postgresLetters(tool string) string {
	if letters, _ := clientOf(tool); letters != "" && letters != "-" {
		return letters
	}
	letters, _ := clientOf("psql")
	return letters
}

// postgresValued are the long options of PostgreSQL's clients that take a value.
var postgresValued = []string{
	"dbname", "host", "port", "username", "command", "file", "field-separator", "log-file", "output", "pset", "record-separator",
	"table-attr", "set", "variable", "format", "jobs", "schema", "exclude-schema", "table", "exclude-table", "superuser", "compress",
	"encoding", "extension", "lock-wait-timeout", "role", "section", "snapshot", "exclude-table-data", "index", "use-list", "function",
	"trigger", "parallel", "maintenance-db", "min-xid-age", "min-mxid-age", "tablespace", "database", "exclude-database",
	"exclude-index", "relation", "exclude-relation", "filter", "rows-per-insert", "extra-float-digits", "startblock", "endblock",
	"template", "owner", "locale", "lc-collate", "lc-ctype", "table-and-children", "exclude-table-and-children",
}

// postgresLong reports whether a long option of PostgreSQL's clients takes a value.
func postgresLong(name string) bool { return slices.Contains(postgresValued, name) }

// postgresTarget reads the connection from the words of psql, pg_dump ….
func postgresTarget(r resolvers.Request) target {
	t := target{tool: path.Base(r.Words[0])}
	opts, args := sqlWords(r.Words, postgresLetters(t.tool), "", postgresLong)
	for _, o := range opts {
		switch o.name {
		case "-h", "--host":
			t.set(&t.host, o.value)
		case "-p", "--port":
			t.set(&t.port, o.value)
		case "-U", "--username":
			t.set(&t.user, o.value)
		case "-d", "--dbname":
			t.name(o.value)
		}
	}
	if t.tool != "pg_restore" && t.tool != "pg_dumpall" {
		if len(args) > 0 {
			t.name(args[0])
		}
		if len(args) > 1 && t.tool == "psql" {
			t.set(&t.user, args[1])
		}
	}
	return t
}

// name takes what stands for a database: its name, key=value pairs or a URL.
func (t *target) name(text string) {
	switch {
	case strings.HasPrefix(text, "postgres://"), strings.HasPrefix(text, "postgresql://"):
		t.url(text[strings.Index(text, "://")+3:])
	case strings.Contains(text, "="):
		t.pairs(text)
	default:
		t.set(&t.dbname, text)
	}
}

// param takes one parameter of libpq by its name.
func (t *target) param(key, value string) {
	switch key {
	case "host":
		t.set(&t.host, value)
	case "hostaddr":
		t.set(&t.hostaddr, value)
	case "port":
		t.set(&t.port, value)
	case "user":
		t.set(&t.user, value)
	case "dbname":
		t.set(&t.dbname, value)
	case "service":
		t.set(&t.service, value)
	case "sslmode":
		t.set(&t.sslmode, value)
	}
}

// pairs reads "host=x dbname='a b'": a backslash keeps the character after it.
func (t *target) pairs(text string) {
	for i := 0; i < len(text); {
		for i < len(text) && (text[i] <= ' ') {
			i++
		}
		start := i
		for i < len(text) && text[i] != '=' && text[i] > ' ' {
			i++
		}
		key := text[start:i]
		for i < len(text) && text[i] <= ' ' {
			i++
		}
		if i >= len(text) || text[i] != '=' {
			if key != "" {
				t.unclear = "the connection cannot be read"
			}
			return
		}
		i++
		for i < len(text) && text[i] <= ' ' {
			i++
		}
		quoted := i < len(text) && text[i] == '\''
		if quoted {
			i++
		}
		var value strings.Builder
		for ; i < len(text) && (quoted && text[i] != '\'' || !quoted && text[i] > ' '); i++ {
			if text[i] == '\\' && i+1 < len(text) {
				i++
			}
			value.WriteByte(text[i])
		}
		i++
		t.param(key, value.String())
	}
}

// url reads what follows "postgres://": user:password@host:port/dbname?key=value.
func (t *target) url(text string) {
	text, query, _ := strings.Cut(text, "?")
	place, dbname, _ := strings.Cut(text, "/")
	if k := strings.LastIndexByte(place, '@'); k >= 0 {
		user, _, _ := strings.Cut(place[:k], ":")
		t.set(&t.user, t.decoded(user))
		place = place[k+1:]
	}
	host, port := place, ""
	if strings.HasPrefix(place, "[") {
		if host, port, _ = strings.Cut(place[1:], "]"); port != "" {
			port = strings.TrimPrefix(port, ":")
		}
	} else if k := strings.LastIndexByte(place, ':'); k >= 0 {
		host, port = place[:k], place[k+1:]
	}
	t.set(&t.host, t.decoded(host))
	t.set(&t.port, port)
	t.set(&t.dbname, t.decoded(dbname))
	for pair := range strings.SplitSeq(query, "&") {
		key, value, _ := strings.Cut(pair, "=")
		t.param(t.decoded(key), t.decoded(value))
	}
}

// decoded undoes %XX.
func (t *target) decoded(text string) string {
	if strings.IndexByte(text, '%') < 0 {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '%' {
			b.WriteByte(text[i])
			continue
		}
		hi, ok1 := hexDigit(text, i+1)
		lo, ok2 := hexDigit(text, i+2)
		if !ok1 || !ok2 {
			t.unclear = "the connection cannot be read"
			return ""
		}
		b.WriteByte(hi<<4 | lo)
		i += 2
	}
	return b.String()
}

func hexDigit(s string, i int) (byte, bool) {
	if i >= len(s) {
		return 0, false
	}
	switch c := s[i]; {
	case c >= '0' && c <= '9':
		return c - '0', true
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return c | 0x20 - 'a' + 10, true
	}
	return 0, false
}

// inHome expands a leading "~/".
func inHome(r resolvers.Request, path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok && r.Env("HOME") != "" {
		return r.Env("HOME") + "/" + rest
	}
	return path
}

// mysqlLong reports whether a long option of MySQL's clients takes its value from
// the next word too.
func mysqlLong(name string) bool {
	switch name {
	case "user", "host", "port", "database", "socket", "execute", "protocol", "default-character-set", "defaults-file",
		"defaults-extra-file", "defaults-group-suffix", "login-path", "ssl-mode", "ssl-ca", "ssl-cert", "ssl-key", "ssl-capath",
		"ssl-cipher", "connect-timeout", "max-allowed-packet", "init-command", "prompt", "tee", "delimiter", "where", "ignore-table",
		"result-file", "tab", "fields-terminated-by", "lines-terminated-by", "columns", "plugin-dir", "default-auth":
		return true
	}
	return false
}

// mysqlLetters are the short options of MySQL's clients with a value.
func mysqlLetters(tool string) string {
	for _, c := range mysqlClients {
		if tool == "mysql"+c.name || tool == "mariadb-"+c.name {
			return c.letters
		}
	}
	return "uhPSDeR"
}

// mysqlClients are those beside mysql itself: mysqldump is mariadb-dump as well.
var mysqlClients = [...]struct{ name, letters string }{{"dump", "uhPSrTw"}, {"check", "uhPS"}, {"import", "uhPSc"}}

// mysqlTarget reads the connection from the words of mysql, mysqldump ….
func mysqlTarget(r resolvers.Request) target {
	t := target{tool: path.Base(r.Words[0])}
	opts, args := sqlWords(r.Words, mysqlLetters(t.tool), "p#", mysqlLong)
	databases := true // the first argument is one
	for _, o := range opts {
		switch o.name {
		case "-h", "--host":
			t.set(&t.host, o.value)
		case "-P", "--port":
			t.set(&t.port, o.value)
		case "-u", "--user":
			t.set(&t.user, o.value)
		case "-S", "--socket":
			t.set(&t.socket, o.value)
		case "--database":
			t.set(&t.dbname, o.value)
		case "-D":
			if mysqlLetters(t.tool) == "uhPSDeR" {
				t.set(&t.dbname, o.value)
			}
		case "--defaults-file":
			t.set(&t.defaults, inHome(r, o.value))
		case "--defaults-group-suffix":
			t.set(&t.suffix, o.value)
		case "--defaults-extra-file", "--login-path", "--no-defaults", "--plugin-dir", "--default-auth":
			t.unclear = o.name + " says where to connect"
		case "-B", "--databases", "-A", "--all-databases":
			// Of the client itself two of these mean something else.
			databases = databases && (t.tool == "mysql" || t.tool == "mariadb")
		}
	}
	if databases && len(args) > 0 {
		t.set(&t.dbname, args[0])
	}
	return t
}
