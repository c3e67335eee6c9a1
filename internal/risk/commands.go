package risk

import (
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/argv"
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
		case attached && strings.HasPrefix(name, "--") && oneOf(options, name):
			text = value
		case oneOf(options, w) && i+2 < len(b.Words):
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
		for k := range o.Findings {
			o.Findings[k].Word = at + word
		}
		for k := range o.Lines {
			o.Lines[k].Word = at + word
		}
		v.merge(o)
	}
	return v, ok
}

// bundledEx reports whether short options of vi end in -c: -sc, -esc.
func bundledEx(w string) bool {
	return len(w) > 2 && w[0] == '-' && w[1] != '-' && w[len(w)-1] == 'c' && strings.Trim(w[1:len(w)-1], "esEnRmMvyZXb") == ""
}

// ex rates commands of vi, ex or ed, one a line.
func ex(code string) Verdict {
	v := Verdict{Level: tcpdb.Safe, Known: true, Files: readBy(code, "ex", "so source so! source!")}
	for line := range strings.Lines(code) {
		v.merge(exCommand(strings.TrimSpace(line), 0))
	}
	return v
}

// exCommand rates one line of ex commands.
func exCommand(line string, depth int) Verdict {
	quiet := Verdict{Level: tcpdb.Safe, Known: true}
	text := strings.TrimLeft(line, ": \t")
	body := strings.TrimLeft(text, "%0123456789,.$+-;'<>* ")
	ranged := body != text
	verb, rest := exVerb(body)
	rest = strings.TrimLeft(strings.TrimPrefix(rest, "!"), " \t")
	shell := strings.HasPrefix(strings.TrimLeft(body[len(verb):], " \t"), "!")
	switch {
	case depth > maxDepth, body == "":
		return quiet
	case verb == "" && body[0] == '!' && ranged, shell && oneOf("w write W", verb):
		return starts("cat x | " + strings.TrimLeft(body[len(verb):], "! \t"))
	case verb == "" && body[0] == '!', shell && oneOf("r read", verb), oneOf("te ter term termi termin termina terminal", verb) && rest != "":
		return starts(strings.TrimLeft(body[len(verb):], "! \t"))
	case oneOf("sil silent uns unsilent noa noautocmd keepa keepalt keepj keepjumps keepp keeppatterns keepm keepmarks lockm lockmarks verb verbose "+
		"bufdo argdo windo tabdo cdo cfdo ldo lfdo tab vert vertical aboveleft belowright botright topleft sandbox hide confirm", verb):
		return exCommand(rest, depth+1)
	case oneOf("exe execute", verb):
		return exCommand(literals(tokens("node", rest)), depth+1)
	case oneOf("lua luado", verb):
		v := Code("lua", rest)
		v.merge(exCalls(rest))
		return v
	case oneOf("py python py3 python3 pyx pythonx pydo py3do pyxdo", verb):
		return Code("python", rest)
	case verb == "rub":
		return Code("ruby", rest)
	case oneOf("perl ruby tcl", verb):
		return Code(verb, rest)
	case oneOf("g global v vglobal", verb) && rest != "":
		_, n := quoted(rest[1:], rest[:1])
		return exCommand(rest[min(1+n, len(rest)):], depth+1)
	}
	v := exCalls(body)
	if _, after, found := strings.Cut(body, "|"); found {
		v.merge(exCommand(strings.TrimSpace(after), depth+1))
	}
	return v
}

// exVerb cuts the name off a command.
func exVerb(s string) (verb, rest string) {
	n := 0
	for n < len(s) && (s[n]|0x20 >= 'a' && s[n]|0x20 <= 'z' || n > 0 && s[n] == '3') {
		n++
	}
	return s[:n], s[n:]
}

// exCalls rates the functions that Vim script calls.
func exCalls(code string) Verdict {
	v := Verdict{Level: tcpdb.Safe, Known: true}
	s := tokens("node", code)
	for i, t := range s {
		if t.literal || i+1 >= len(s) || s[i+1].text != "(" {
			continue
		}
		switch t.text[strings.LastIndexByte(t.text, '.')+1:] {
		case "delete", "deletebufline":
			v.merge(says(tcpdb.Critical, tcpdb.Destructive|tcpdb.FileModification, tcpdb.NamedFiles, "code.delete", "deletes files"))
		case "system", "systemlist", "jobstart", "job_start", "termopen", "term_start":
			v.merge(starts(literals(s[i+1:])))
		case "writefile", "rename", "mkdir":
			v.merge(writes(""))
		}
	}
	return v
}

// debugger rates commands of gdb or lldb, one a line.
func debugger(code string) Verdict {
	v := Verdict{Level: tcpdb.Safe, Known: true, Files: readBy(code, "gdb", "source")}
	for line := range strings.Lines(code) {
		line = strings.TrimSpace(line)
		line = strings.TrimSpace(strings.TrimPrefix(line, "platform "))
		if shell, ok := strings.CutPrefix(line, "!"); ok {
			v.merge(starts(shell))
			continue
		}
		switch verb, rest := exVerb(line); {
		case oneOf("shell sh", verb) && rest != "":
			v.merge(starts(rest))
		case verb == "pipe", strings.HasPrefix(line, "|"):
			if _, command, ok := strings.Cut(strings.TrimPrefix(line, "|"), "|"); ok {
				v.merge(starts(command))
			}
		case oneOf("python py script", verb) && strings.TrimSpace(rest) != "":
			v.merge(Code("python", strings.TrimSpace(rest)))
		case strings.Contains(rest, "system"), strings.Contains(rest, "unlink"), strings.Contains(rest, "remove"):
			v.merge(Code("php", rest)) // calls of C's functions have the same form
		}
	}
	return v
}

// transfer rates commands of a client for file transfer: sftp, ftp, lftp.
func transfer(code string) Verdict {
	v := Verdict{Level: tcpdb.Low, Flags: tcpdb.NetworkAccess, Known: true}
	for _, line := range strings.FieldsFunc(code, func(r rune) bool { return r == '\n' || r == ';' || r == '&' || r == '|' }) {
		line = strings.TrimLeft(line, " \t-@")
		if shell, ok := strings.CutPrefix(line, "!"); ok {
			v.merge(starts(shell))
			continue
		}
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		mirrors := words[0] == "mirror" && (strings.Contains(line, "--delete") || strings.Contains(line, "--Remove-source") || strings.Contains(line, " -e"))
		switch {
		case mirrors, oneOf("rm mrm rmdir rrm delete mdelete del dele glob", words[0]) && len(words) > 1:
			v.merge(says(tcpdb.Critical, tcpdb.Destructive|tcpdb.NetworkAccess|tcpdb.FileModification, tcpdb.Remote, "transfer.delete", "deletes files"))
		case oneOf("chmod chown chgrp", words[0]):
			v.merge(says(tcpdb.High, tcpdb.NetworkAccess|tcpdb.FileModification, tcpdb.Remote, "transfer.rights", "changes permissions"))
		case oneOf("put mput reput append get mget reget pget mirror mkdir rename mv ln symlink cp send recv", words[0]):
			v.merge(says(tcpdb.Medium, tcpdb.NetworkAccess|tcpdb.FileModification, tcpdb.Remote, "transfer.write", "copies files between machines"))
		case words[0] == "shell" || words[0] == "source" || words[0] == "local":
			v.merge(starts(strings.Join(words[1:], " ")))
		}
	}
	return v
}
