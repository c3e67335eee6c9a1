package code

import (
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/risk/wordlist"
	"github.com/tool-mapping-protocol/tmp/internal/sqltext"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// sql rates statements of SQL by their verbs, in any case, outside literals
// and comments.
func sql(code string) Reading {
	v := Reading{Level: tcpdb.Low, Files: readBy(code, "sql", `\i \ir \include \include_relative \. .read source`)}
	if len(v.Files) > 0 {
		v.merge(says(tcpdb.Medium, 0, tcpdb.Remote, "sql.file", "runs the statements in "+v.Files[0].Name))
	}
	var words []string
	flush := func() {
		if len(words) > 0 {
			v.merge(statement(words))
			words = nil
		}
	}
	for scan := sqltext.NewScanner(sqltext.Any, code); ; {
		t, ok := scan.Next()
		if !ok {
			break
		}
		switch {
		case t.Kind == sqltext.String || t.Kind == sqltext.Quoted:
			if n := len(words); n > 0 && (wordlist.Has("EXECUTE EXEC IMMEDIATE SP_EXECUTESQL", words[n-1]) || words[n-1] == "FROM" && words[0] == "PREPARE") && len(t.Text) < len(code) {
				v.merge(sql(t.Text)) // text that it runs
			}
			if n := len(words); n > 0 && (words[n-1] == "PROGRAM" && words[0] == "COPY" || wordlist.Has("XP_CMDSHELL SYS_EXEC SYS_EVAL", words[n-1])) {
				v.merge(starts(t.Text))
			}
			words = append(words, "?")
		case t.Kind == sqltext.Word:
			words = append(words, strings.ToUpper(t.Text))
		case t.IsSymbol(';'):
			flush()
		case t.Kind != sqltext.Command:
		case strings.HasPrefix(t.Text, `\!`):
			v.Lines = append(v.Lines, t.Text[2:])
		case t.Text[0] == '\\':
			// A command of psql's own ends what stands before it on the line.
			verb, rest, _ := strings.Cut(t.Text[1:], " ")
			v.merge(backslash(strings.TrimSuffix(verb, ";"), rest))
			if line, ok := started(rest); ok {
				v.merge(starts(line))
			}
			flush()
		default:
			v.merge(dotCommand(strings.TrimPrefix(t.Text, ".")))
		}
	}
	flush()
	return v
}

// started returns the program that a command of a client starts: what stands behind
// "|", in quotes or not, or in quotes behind PROGRAM.
func started(rest string) (line string, ok bool) {
	rest = strings.TrimSpace(rest)
	if k := strings.Index(strings.ToUpper(rest), "PROGRAM "); k >= 0 {
		rest = strings.TrimSpace(rest[k+len("PROGRAM "):])
		if rest != "" && rest[0] == '\'' {
			text, _ := quoted(rest[1:], "'")
			return text, true
		}
		return "", false
	}
	open := strings.TrimLeft(rest, "\"'")
	if line, ok = strings.CutPrefix(open, "|"); ok && open != rest {
		line, _, _ = strings.Cut(line, rest[:1])
	} else if ok && strings.HasPrefix(line, "\"") {
		line, _ = quoted(line[1:], "\"")
	}
	return line, ok
}

// dotCommand rates a command of sqlite3's own, without its dot, or of the mysql
// client.
func dotCommand(line string) Reading {
	verb, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	if line, ok := started(rest); ok && wordlist.Has("output once o out log trace read import", strings.ToLower(verb)) {
		return starts(line)
	}
	switch strings.ToLower(verb) {
	case "shell", "system":
		return starts(rest)
	case "output", "once", "o", "out", "log", "trace":
		if rest == "" || rest == "stdout" || rest == "off" {
			return says(tcpdb.Low, 0, tcpdb.NoScope, "sql.read", "reads a database")
		}
		return writes(strings.Trim(rest, "\"'"))
	case "restore":
		return says(tcpdb.High, tcpdb.Destructive, tcpdb.Remote, "sql.restore", "replaces a database")
	case "read", "load":
		return says(tcpdb.Medium, 0, tcpdb.Remote, "sql.file", "runs a file that is not looked into")
	case "save", "backup", "clone":
		if fields := strings.Fields(rest); len(fields) > 0 {
			v := overwrites(strings.Trim(fields[len(fields)-1], "\"'"))
			v.merge(says(tcpdb.Medium, tcpdb.FileModification, tcpdb.Remote, "sql.write", "writes a database into a file"))
			return v
		}
		return says(tcpdb.Medium, tcpdb.FileModification, tcpdb.Remote, "sql.write", "changes a database")
	case "import", "recover", "archive", "ar":
		return says(tcpdb.Medium, tcpdb.FileModification, tcpdb.Remote, "sql.write", "changes a database")
	}
	return says(tcpdb.Low, 0, tcpdb.NoScope, "sql.read", "reads a database")
}

// backslash rates a command of psql by its name and what follows that.
func backslash(name, rest string) Reading {
	switch name {
	case "gexec":
		return says(tcpdb.High, 0, tcpdb.Remote, "sql.computed", "runs the statements that a query gives")
	case "i", "ir", "include", "include_relative":
		return says(tcpdb.Medium, 0, tcpdb.Remote, "sql.file", "runs a file that is not looked into")
	case "copy", "o", "out", "w", "write":
		return outputs(name, rest)
	}
	return says(tcpdb.Low, 0, tcpdb.NoScope, "sql.read", "reads a database")
}

// outputs rates a command of psql that may write a file: \o FILE, \copy … to FILE.
func outputs(name, rest string) Reading {
	fields := strings.Fields(strings.TrimRight(rest, "; "))
	if name == "copy" {
		to := slices.IndexFunc(fields, func(w string) bool { return strings.EqualFold(w, "to") })
		if to < 0 || to+1 >= len(fields) || slices.ContainsFunc(fields[:to], func(w string) bool { return strings.EqualFold(w, "from") && fields[0][0] != '(' }) {
			return writes("")
		}
		fields = fields[to+1:]
	}
	if len(fields) == 0 || wordlist.Has("stdout STDOUT pstdout program PROGRAM", fields[0]) || strings.HasPrefix(fields[0], "|") {
		return writes("")
	}
	return overwrites(strings.Trim(fields[0], "'\""))
}

// statement rates one statement by its words, in upper case.
func statement(words []string) Reading {
	has := func(w string) bool {
		for _, x := range words {
			if x == w {
				return true
			}
		}
		return false
	}
	change := func(level tcpdb.Level, rule, reason string) Reading {
		return says(level, tcpdb.Destructive, tcpdb.Remote, rule, reason)
	}
	verb := words[0]
	if verb == "EXPLAIN" && !has("ANALYZE") {
		return says(tcpdb.Low, 0, tcpdb.NoScope, "sql.read", "reads a database")
	}
	if verb == "MATCH" || verb == "OPTIONAL" || verb == "UNWIND" || verb == "CALL" && has("DETACH") { // Cypher
		switch {
		case has("DELETE") && !has("WHERE"):
			return change(tcpdb.Critical, "sql.delete", "deletes what it matches")
		case has("DELETE"):
			return change(tcpdb.High, "sql.delete", "deletes what it matches")
		case has("SET"), has("CREATE"), has("MERGE"), has("REMOVE"):
			return says(tcpdb.Medium, 0, tcpdb.Remote, "sql.write", "changes a database")
		}
	}
	if verb == "WITH" || verb == "BEGIN" || verb == "EXPLAIN" || verb == "DO" || verb == "PREPARE" || verb == "START" || verb == "EXECUTE" || verb == "DECLARE" || verb == "IF" {
		for _, w := range words {
			if w == "DELETE" || w == "UPDATE" || w == "INSERT" || w == "DROP" || w == "TRUNCATE" {
				verb = w
			}
		}
	}
	switch {
	case verb == "DROP":
		return change(tcpdb.Critical, "sql.drop", "drops what is stored")
	case verb == "TRUNCATE":
		return change(tcpdb.Critical, "sql.truncate", "empties a table")
	case verb == "DELETE" && !has("WHERE"):
		return change(tcpdb.Critical, "sql.delete", "deletes every row")
	case verb == "DELETE":
		return change(tcpdb.High, "sql.delete", "deletes rows")
	case verb == "UPDATE" && !has("WHERE"):
		return change(tcpdb.High, "sql.update", "changes every row")
	case verb == "ALTER" && has("DROP"):
		return change(tcpdb.Critical, "sql.alter", "drops part of a table")
	case verb == "PURGE", verb == "FLASHBACK", verb == "RESET" && (has("MASTER") || has("BINARY")), verb == "DETACH" && has("PERMANENTLY"):
		return change(tcpdb.Critical, "sql.purge", "deletes what cannot be had back")
	case (verb == "STOP" || verb == "RESET" || verb == "CHANGE") && (has("SLAVE") || has("REPLICA") || has("REPLICATION") || has("GROUP_REPLICATION") || verb == "CHANGE" && has("MASTER")):
		return says(tcpdb.High, tcpdb.SystemModification, tcpdb.Remote, "sql.server", "ends or changes what a server copies from another").
			staking(tcpdb.Stake{Loss: tcpdb.Outage, Reach: tcpdb.SharedReach, Fact: tcpdb.PlaceFact})
	case has("INTO") && (has("OUTFILE") || has("DUMPFILE")):
		return says(tcpdb.Medium, tcpdb.FileModification, tcpdb.Remote, "sql.outfile", "writes a file on the database server")
	case verb == "SHUTDOWN", verb == "KILL", verb == "RESTART", verb == "ALTER" && has("SYSTEM"), has("PG_TERMINATE_BACKEND"), has("XP_CMDSHELL"), has("PG_DROP_REPLICATION_SLOT"), has("LO_UNLINK"):
		return says(tcpdb.High, tcpdb.SystemModification, tcpdb.Remote, "sql.server", "acts on the database server")
	case (verb == "CREATE" || verb == "ALTER") && len(words) > 1 && wordlist.Has("USER ROLE LOGIN", words[1]):
		return says(tcpdb.High, tcpdb.PrivilegeEscalation, tcpdb.Remote, "sql.grant", "changes who may do what")
	case verb == "CREATE" && has("REPLACE") && has("TABLE"), verb == "INSERT" && has("OVERWRITE"):
		return change(tcpdb.High, "sql.replace", "replaces a table")
	case verb == "GRANT" || verb == "REVOKE":
		return says(tcpdb.High, tcpdb.PrivilegeEscalation, tcpdb.Remote, "sql.grant", "changes who may do what")
	}
	if meaning("sql", called{name: verb}) == "write" {
		loss := tcpdb.Outage
		if verb == "UPDATE" || verb == "REPLACE" || verb == "MERGE" {
			loss = tcpdb.Content
		}
		return says(tcpdb.Medium, 0, tcpdb.Remote, "sql.write", "changes a database").staking(changesThere(loss))
	}
	return says(tcpdb.Low, 0, tcpdb.NoScope, "sql.read", "reads a database")
}
