package risk

import (
	"strings"

	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// meaning classes a dotted name of a language: "delete", "drop", "write", "network",
// "shell", "eval", "kill", "rights", or "" for one that says nothing.
func meaning(lang, name string, variable bool) string {
	last := name[strings.LastIndexByte(name, '.')+1:]
	last = last[strings.LastIndexByte(last, ':')+1:]
	dotted := strings.ReplaceAll(name, "::", ".")
	switch last {
	case "rmtree", "unlink", "unlinkSync", "rmdir", "rmdirSync", "rmSync", "removeSync", "removedirs", "remove_tree", "rm_rf", "rm_r", "rm_f", "remove_entry", "remove_dir",
		"remove_entry_secure", "rm_rf!", "truncateSync":
		return "delete"
	case "delete_all", "destroy_all", "drop_table", "drop_database", "dropDatabase", "drop_all":
		return "drop"
	case "remove", "rm", "delete", "remove_file", "truncate":
		if lang == "python" && oneOf("delete requests.delete httpx.delete", name) {
			return "drop" // a method of what a call returned: of what a query finds
		}
		if oneOf("os.remove rm file.remove Files.delete fs.rm fs.promises.rm fsp.rm fsPromises.rm fs.truncate File.delete FileUtils.rm FileUtils.remove FileUtils.remove_file "+
			"os.truncate File.truncate Deno.remove Dir.delete", dotted) || name == "truncate" && lang == "perl" || last == "rm" && lang == "julia" {
			return "delete"
		}
		return ""
	case "execute":
		if name == "os.execute" {
			return "shell"
		}
		return ""
	case "system2":
		return "shell"
	case "system", "popen", "execSync", "spawnSync", "shell_exec", "passthru", "check_call", "check_output", "getoutput", "getstatusoutput", "Popen", "proc_open", "pcntl_exec",
		"spawn", "qx", "execFile", "execFileSync", "execa", "execaSync", "fork", "create_subprocess_shell", "create_subprocess_exec", "capture2", "capture2e", "capture3", "popen3":
		switch {
		case variable:
			return ""
		case last == "fork" && lang != "node":
			return "fork"
		}
		return "shell"
	case "run", "call", "Command":
		if strings.HasPrefix(name, "subprocess.") || name == "Deno.Command" {
			return "shell"
		}
	case "exec":
		if lang == "python" {
			return "eval"
		}
		return "shell"
	case "eval":
		if lang != "perl" && lang != "ruby" || variable {
			return "eval"
		}
	case "__import__":
		return "eval"
	case "kill", "killpg", "posix_kill":
		if oneOf("os.kill os.killpg process.kill Process.kill posix_kill", dotted) || name == "kill" && lang == "perl" && !variable {
			return "kill"
		}
	case "chmod", "chown", "lchown", "fchmod", "fchown", "chmodSync", "chownSync", "chmod_R", "chown_R", "chgrp", "setfacl":
		if !variable {
			return "rights"
		}
	case "writeFile", "writeFileSync", "write_text", "write_bytes", "copyfile", "rename", "renameSync", "makedirs", "mkdir", "mkdirSync", "file_put_contents", "appendFileSync",
		"appendFile", "copyFile", "copyFileSync", "cpSync", "symlink", "symlinkSync", "link_to", "copytree", "writeTextFile", "binwrite":
		return "write"
	case "move", "copy", "copy2", "cp", "cp_r", "mv", "link", "ln_s", "touch", "replace", "write", "create", "open":
		if module, _, ok := strings.Cut(dotted, "."); ok && oneOf("os shutil FileUtils File fs Deno IO", module) && last != "open" &&
			!(module == "os" && last == "write") {
			return "write"
		}
	case "urlopen", "urlretrieve", "socket", "create_connection", "fetch", "request",
		"fsockopen", "pfsockopen", "stream_socket_client", "createConnection", "INET", "TCPSocket":
		return "network"
	}
	switch {
	case lang == "python" && (strings.HasPrefix(name, "os.exec") || strings.HasPrefix(name, "os.spawn") || strings.HasPrefix(name, "os.posix_spawn")):
		return "shell"
	case strings.HasPrefix(name, "TCPSocket."), strings.HasPrefix(name, "requests."):
		return "network"
	}
	return ""
}

// opens judges a call that opens a file or starts a program as its mode says:
// open("x", "w"), perl's open(F, "|cmd"). The tokens are those after the name.
func opens(lang, name string, s []token) (Verdict, bool) {
	if !oneOf("open fopen io.open File.open File.new IO.popen popen IO.write", name) || name == "open" && !oneOf("python perl ruby julia", lang) {
		return Verdict{}, false
	}
	var given []string
	first := ""
	for i, t := range s {
		if t.text == ";" && !t.literal || t.text == ")" && !t.literal {
			break
		}
		if !t.literal {
			continue
		}
		if i <= 1 {
			first = t.text
		}
		given = append(given, t.text)
		mode := t.text
		asked := i > 0 && (s[i-1].text == "," || s[i-1].text == "=") && len(mode) <= 3
		if lang != "perl" && asked && strings.Trim(mode, "rwaxbt+") == "" && strings.ContainsAny(mode, "wax+") {
			if _, special := Written(first); !special {
				first = ""
			}
			return writes(first), true
		}
	}
	if lang != "perl" && lang != "ruby" || len(given) == 0 || name != "open" {
		return Verdict{}, false
	}
	mode := strings.TrimSpace(given[0])
	rest := strings.Join(given[1:], " ")
	switch {
	case mode == "|-" || mode == "-|":
		return starts(rest), true
	case strings.HasPrefix(mode, "|"):
		return starts(mode[1:]), true
	case strings.HasSuffix(mode, "|"):
		return starts(mode[:len(mode)-1]), true
	case lang == "perl" && strings.Trim(mode, "+<>") != "" && strings.HasPrefix(mode, ">") && len(given) == 1:
		return writes(strings.TrimLeft(mode, "> ")), true
	case lang == "perl" && (strings.HasPrefix(mode, ">") || strings.HasPrefix(mode, "+")):
		return writes(rest), true
	}
	return Verdict{}, false
}

// reflected returns the name of the function that code calls by a name in a
// literal: getattr(os, 'remove')('x'), array_map('unlink', …). "" for any other.
func reflected(lang string, s []token) string {
	switch {
	case s[0].text == "getattr" && len(s) > 5 && s[1].text == "(" && s[4].literal && s[3].text == ",":
		return s[2].text + "." + s[4].text
	case lang == "php" && oneOf("array_map array_walk array_filter call_user_func call_user_func_array usort register_shutdown_function", s[0].text) &&
		len(s) > 2 && s[1].text == "(" && s[2].literal:
		return s[2].text
	}
	return ""
}

// appleEvent rates the command of AppleScript that the tokens begin with.
func appleEvent(s []token) Verdict {
	next := ""
	if len(s) > 1 && !s[1].literal {
		next = strings.ToLower(s[1].text)
	}
	switch verb := strings.ToLower(s[0].text); {
	case verb == "delete", verb == "empty" && next == "trash", verb == "empty" && next == "the":
		return says(tcpdb.Critical, tcpdb.Destructive|tcpdb.FileModification, tcpdb.NamedFiles, "code.delete", "deletes files")
	case verb == "restart", verb == "shut" && next == "down", verb == "log" && next == "out":
		return says(tcpdb.High, tcpdb.SystemModification, tcpdb.System, "code.system", "changes the system")
	}
	return Verdict{Level: tcpdb.Safe, Known: true}
}

// magic returns the shell lines that IPython runs: lines that begin with "!".
func magic(code string) []Line {
	var lines []Line
	if strings.IndexByte(code, '!') < 0 {
		return nil
	}
	for line := range strings.Lines(code) {
		if shell, ok := strings.CutPrefix(strings.TrimSpace(line), "!"); ok {
			lines = append(lines, Line{Text: shell, Dialect: "posix"})
		}
	}
	return lines
}

// otherCode rates a program of a language that is not read further than to its
// words and string literals: names that speak of deleting files, and calls that
// start other programs.
func otherCode(lang, code string) Verdict {
	v := Verdict{Level: tcpdb.Low, Known: true}
	s := looseTokens(lang, code)
	files := strings.Contains(code, "File") || strings.Contains(code, "Path") || strings.Contains(code, "Dir")
	for i, t := range s {
		if t.literal {
			continue
		}
		name := strings.ToLower(t.text)
		last := strings.TrimRight(name[strings.LastIndexAny(name, ".:/")+1:], "!?*")
		switch {
		case deletes(name, last), oneOf("delete remove deleteonexit", last) && files, lang == "other" && name == "delete" && i+1 < len(s) && s[i+1].text == "(":
			v.merge(says(tcpdb.Critical, tcpdb.Destructive|tcpdb.FileModification, tcpdb.NamedFiles, "code.delete", "deletes files"))
		case (last == "execute" || t.text == "!" || t.text == "!!") && i > 0 && s[i-1].literal:
			v.merge(starts(s[i-1].text))
		case oneOf("cmd system shell shell-command system* process run-program run-shell-command callcommand callprocess readprocess exec execute sh command processbuilder popen "+
			"backtick system_cmd run_command", last) && (strings.ContainsAny(name, ".:*-") || i+1 < len(s) && (s[i+1].literal || s[i+1].text == "(")):
			if line := literals(s[i+1:]); line != "" {
				v.merge(starts(line))
			}
		case strings.Contains(name, "writefile"), strings.Contains(name, "write_file"), oneOf("spit file.write file.write! file.rename file.cp", name):
			v.merge(says(tcpdb.Medium, tcpdb.FileModification, tcpdb.NamedFiles, "code.write", "writes files"))
		}
	}
	return v
}

// deletes reports whether a name, in lower case, is that of a function that
// deletes files.
func deletes(name, last string) bool {
	if oneOf("unlink rmtree rm_rf rmdir delete-tree rmrf deldir", last) {
		return true
	}
	verb := strings.Contains(name, "delete") || strings.Contains(name, "remove") || strings.HasSuffix(name, ".rm") || strings.HasSuffix(name, ".rm!")
	if !verb {
		return false
	}
	for _, noun := range [...]string{"file", "dir", "tree", "path", "item", "recursiv", "folder", "fs/", "fs.", "sys."} {
		if strings.Contains(name, noun) {
			return true
		}
	}
	return false
}

// looseTokens cuts a program into words, which may hold the characters that
// names have in Lisp, string literals and single characters.
func looseTokens(lang, code string) []token {
	var out []token
	for i := 0; i < len(code); {
		c := code[i]
		switch {
		case c == '"' || c == '\'' && lang == "other" && strings.IndexByte(code[i+1:], '\'') >= 0:
			text, n := quoted(code[i+1:], string(c))
			out = append(out, token{text, true, c})
			i += 1 + n
		case looseWord(c):
			k := i
			for k < len(code) && looseWord(code[k]) {
				k++
			}
			out = append(out, token{text: strings.Trim(code[i:k], ".")})
			i = k
		case c == '.', c == ' ', c == '\t', c == '\n', c == '\r':
			i++
		default:
			out = append(out, token{text: code[i : i+1]})
			i++
		}
	}
	return out
}

func looseWord(c byte) bool {
	return isWord(c) || strings.IndexByte(".-/!?*:", c) >= 0
}
