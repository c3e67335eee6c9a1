package risk

import (
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/argv"
	"github.com/tool-mapping-protocol/tmp/internal/risk/wordlist"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// commandLanguage returns the language of the commands that an editor, a
// debugger or a client for file transfer reads from its input: "ex", "gdb",
// "ftp"; "" for other programs.
func commandLanguage(name string) string {
	switch name {
	case "ed", "ex", "red":
		return "ex"
	case "gdb", "lldb":
		return "gdb"
	case "sftp", "ftp", "lftp", "ncftp", "tnftp":
		return "ftp"
	}
	return ""
}

// SQLClient reports whether a program takes statements of SQL, or of a language
// with its verbs, as arguments and from its input. Package line asks.
func SQLClient(name string) bool {
	switch name {
	case "cockroach", "snowsql", "snow", "trino", "presto", "beeline", "hive", "impala-shell", "cypher-shell", "surreal", "sqlcmd", "isql", "usql", "pgcli",
		"mycli", "litecli", "dolt", "osqueryi", "sqlite-utils", "spark-sql", "steampipe", "ysqlsh", "mssql-cli", "clickhouse-client", "clickhouse", "duckdb",
		"bq", "influx", "cqlsh", "rqlite", "tarantool", "questdb", "vsql", "exaplus", "osql", "tsql", "sqlplus", "sqlcl", "db2", "fbsql", "isql-fb", "ksql", "athenacli",
		"hbase", "sqlline", "ycql", "nzsql", "bteq", "monetdb", "mclient":
		return true
	}
	return false
}

// commands judges the commands that editors and debuggers are given as arguments:
// vim -c '!rm x', gdb -ex 'shell rm x', lftp -e 'rm x'.
func (j *judge) commands(b *argv.Bound, at int) (v Verdict, ok bool) {
	lang, options := "", ""
	switch b.Chain[0].Name {
	case "vi", "vim", "nvim", "gvim", "ex", "view", "vimdiff", "rvim", "mvim":
		lang, options = "ex", "-c --cmd"
	case "gdb", "lldb", "rust-gdb", "rust-lldb", "gdb-multiarch", "cgdb":
		lang, options = "gdb", "-ex --ex -eval-command --eval-command -iex --init-eval-command -o -O --one-line --one-line-before-file --batch-command"
	case "dc":
		lang, options = "gdb", "-e --expression" // a line after "!" is the shell's, too
	case "lftp":
		lang, options = "ftp", "-e -c"
	default:
		if !SQLClient(b.Chain[0].Name) {
			return Verdict{}, false
		}
		lang, options = "sql", "-e -q -Q -c -s --execute --query --command --sql --statement -execute -cmd"
	}
	v = Verdict{Level: tcpdb.Safe, Known: true}
	for i, w := range b.Words[1:] {
		text, word := "", i+1
		name, value, attached := strings.Cut(w, "=")
		switch {
		case attached && strings.HasPrefix(name, "--") && wordlist.Has(options, name):
			text = value
		case wordlist.Has(options, w) && i+2 < len(b.Words):
			text, word = b.Words[i+2], i+2
		case lang == "ex" && bundledEx(w) && i+2 < len(b.Words):
			text, word = b.Words[i+2], i+2
		case lang == "ex" && strings.HasPrefix(w, "+"):
			text = w[1:]
		case lang == "sql" && strings.Contains(w, " ") && (i == 0 || !strings.HasPrefix(b.Words[i], "-")):
			text = w
		}
		if text == "" {
			continue
		}
		ok = true
		o := j.facts.Program(lang, text)
		o.place(at + word)
		v.merge(o)
	}
	return v, ok
}

// bundledEx reports whether short options of vi end in -c: -sc, -esc.
func bundledEx(w string) bool {
	return len(w) > 2 && w[0] == '-' && w[1] != '-' && w[len(w)-1] == 'c' && strings.Trim(w[1:len(w)-1], "esEnRmMvyZXb") == ""
}
