package risk

import (
	"path"
	"strings"

	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// inline finds the program given as an argument of an interpreter. script
// reports that a file or a module runs, or nothing that is known here.
func inline(words []string) (lang string, codes []Line, script bool) {
	lang = Language(words[0])
	if lang == "" {
		return "", nil, false
	}
	name := path.Base(words[0])
	code, values := codeFlags(lang, name)
	operands := 0
	for i := 1; i < len(words); i++ {
		w := words[i]
		long, value, attached := strings.Cut(w, "=")
		if lang == "pwsh" {
			if i+1 < len(words) {
				if text, ok := encoded(w, words[i+1]); ok {
					i++
					codes = append(codes, Line{Text: text, Dialect: lang, Word: i})
					continue
				}
			}
			w = strings.ToLower(w)
		}
		switch {
		case (oneOf(code, w) || w == "eval" && operands == 0 && oneOf("deno crystal", name)) && i+1 < len(words):
			i++
			codes = append(codes, Line{Text: words[i], Dialect: lang, Word: i})
		case attached && strings.HasPrefix(w, "--") && oneOf(code, long):
			codes = append(codes, Line{Text: value, Dialect: lang, Word: i})
		case lang == "sql" && attachedSQL(name, w) != "":
			codes = append(codes, Line{Text: attachedSQL(name, w), Dialect: lang, Word: i})
		case oneOf(values, w):
			script = script || w == "-m" && lang == "python"
			i++
		case len(w) > 2 && w[0] == '-' && w[1] != '-' && (bundled(lang, w, code) || lang == "sql" && bundledSQL(name, w)) && i+1 < len(words):
			i++ // -pe, -ne, -lane
			codes = append(codes, Line{Text: words[i], Dialect: lang, Word: i})
		case strings.HasPrefix(w, "-") && w != "-":
		default:
			if name == "deno" && operands == 0 && w == "run" {
				continue
			}
			operands++
			if strings.HasPrefix(name, "sqlite") && operands == 2 {
				codes = append(codes, Line{Text: w, Dialect: lang, Word: i})
			}
			if lang != "sql" && lang != "mongo" && lang != "ftp" && lang != "ex" && lang != "gdb" && len(codes) == 0 {
				return lang, codes, w != "-"
			}
		}
	}
	return lang, codes, script
}

// Programs returns the programs among the words of an interpreter's command:
// what follows python -c, psql -c. Dialect is their language, Word the index of
// the word that ends with Text.
func Programs(words []string) []Line {
	_, codes, _ := inline(words)
	return codes
}

// inlineCode judges an interpreter by the programs among its arguments, and a
// client of a database by its files too; ok is false if it has none. The first
// word is word number at of the whole command.
func (j *judge) inlineCode(words []string, at int) (v Verdict, ok bool) {
	lang, codes, _ := inline(words)
	if lang == "sql" {
		v, ok = j.inFiles(words, at)
	}
	if len(codes) == 0 && !ok {
		return Verdict{}, false
	}
	v.merge(Verdict{Level: tcpdb.Low, Known: true})
	v.Known = true
	for _, c := range codes {
		o := j.facts.Program(lang, c.Text)
		for i := range o.Findings {
			o.Findings[i].Word = at + c.Word
		}
		for i := range o.Lines {
			o.Lines[i].Word = at + c.Word
		}
		v.merge(o)
	}
	for _, w := range words[1:] {
		if inPlace(lang, w) {
			v.merge(says(tcpdb.Medium, tcpdb.FileModification, tcpdb.NamedFiles, "code.in-place", "edits files in place"))
			for i, file := range words[1:] {
				if f, ok := Written(file); ok {
					f.Rule, f.Word = "output."+f.Rule, at+i+1
					v.merge(Verdict{Level: f.Level, Flags: f.Flags, Known: true, Scope: f.Scope, Findings: []Finding{f}})
				}
			}
		}
		if lang == "perl" && strings.HasPrefix(w, "-MCPAN") {
			v.merge(says(tcpdb.High, tcpdb.NetworkAccess|tcpdb.SystemModification, tcpdb.System, "code.install", "installs packages"))
		}
	}
	return v, true
}

// inPlace reports whether a word is an option of perl or ruby that writes the
// output back to the files: -i, -pi, -pi.bak, -i -pe.
func inPlace(lang, w string) bool {
	if lang != "perl" && lang != "ruby" || len(w) < 2 || w[0] != '-' || w[1] == '-' {
		return false
	}
	before, _, found := strings.Cut(w[1:], "i")
	return found && strings.Trim(before, "panlw0123456789") == ""
}

// bundled reports whether short options end in one that takes a program.
func bundled(lang, w, code string) bool {
	return (lang == "perl" || lang == "ruby" || lang == "python") && oneOf(code, "-"+w[len(w)-1:]) &&
		strings.Trim(w[1:], "abcdefghijklmnopqrstuvwxyzE0") == ""
}

// bundledSQL reports whether short options of psql (-Atc) or mysql (-sNe) end in
// the one that takes statements, after some that take nothing.
func bundledSQL(name, w string) bool {
	last, before := w[len(w)-1], w[1:len(w)-1]
	if strings.HasPrefix(name, "psql") {
		return last == 'c' && strings.Trim(before, "aAbeEHlnqsSt1wWxXz0") == ""
	}
	return !strings.HasPrefix(name, "sqlite") && last == 'e' && strings.Trim(before, "ABbCEfGHiLNnqrstvVX") == ""
}

// attachedSQL returns the statement in the same word as the short option that
// takes it (mysql -e"select 1", psql -Atc"select 1"), "" if there is none.
func attachedSQL(name, w string) string {
	takes, flags := byte('e'), "ABbCEfGHiLNnqrstvVX"
	switch {
	case strings.HasPrefix(name, "sqlite"):
		return ""
	case strings.HasPrefix(name, "psql"):
		takes, flags = 'c', "aAbeEHlnqsSt1wWxXz0"
	}
	if len(w) < 3 || w[0] != '-' || w[1] == '-' {
		return ""
	}
	for k := 1; k < len(w)-1; k++ {
		switch {
		case w[k] == takes:
			return w[k+1:]
		case strings.IndexByte(flags, w[k]) < 0:
			return ""
		}
	}
	return ""
}

// oneOf reports whether w is one of the words of a list, one blank between two.
func oneOf(list, w string) bool {
	for from := 0; w != ""; {
		k := strings.Index(list[from:], w)
		if k < 0 {
			return false
		}
		start, end := from+k, from+k+len(w)
		if (start == 0 || list[start-1] == ' ') && (end == len(list) || list[end] == ' ') {
			return strings.IndexByte(w, ' ') < 0
		}
		from = start + 1
	}
	return false
}

// ReadsInput reports whether an interpreter reads its program from standard
// input: it has neither a script nor a program among its arguments.
func ReadsInput(words []string) bool {
	lang, codes, script := inline(words)
	return lang != "" && len(codes) == 0 && !script
}

// Code rates a program of a language that Language names. It reads names and
// literals and runs nothing: deleting files, starting other programs and using
// the network are seen where they are called by their usual names. Shell lines
// in it are in Verdict.Lines.
func Code(lang, code string) Verdict {
	switch lang {
	case "sql":
		return sql(code)
	case "statements":
		return sql(strings.ReplaceAll(code, "\n", ";\n"))
	case "dns", "ldif":
		return records(lang, code)
	case "pwsh":
		return powershell(code)
	case "tcl":
		return tcl(code)
	case "mongo":
		return mongo(code)
	case "ex":
		return ex(code)
	case "gdb":
		return debugger(code)
	case "ftp":
		return transfer(code)
	case "make":
		return makefile(code)
	case "awk":
		return awkProgram(code)
	case "sed":
		return sedProgram(code)
	case "lisp", "other":
		return otherCode(lang, code)
	}
	return calls(lang, code)
}

// calls rates a program of a language by the functions that it calls.
func calls(lang, code string) Verdict {
	v := Verdict{Level: tcpdb.Low, Known: true}
	s := tokens(lang, code)
	given := assignments{tokens: s}
	var named map[string]string
	if lang == "python" {
		named = imports(s)
		v.Lines = magic(code)
	}
	for i, t := range s {
		if !t.literal {
			t.text = imported(named, t.text)
			if i > 2 && s[i-1].text == ")" && s[i-2].literal && i > 3 && s[i-4].text == "__import__" {
				t.text = s[i-2].text + "." + t.text
			}
		}
		if t.literal {
			if lang == "perl" || lang == "ruby" || lang == "php" || lang == "julia" || lang == "node" && i > 0 && s[i-1].text == "$" {
				if t.quote == '`' {
					v.Lines = append(v.Lines, Line{Text: t.text, Dialect: "posix"})
				}
			}
			continue
		}
		call := i+1 < len(s) && s[i+1].text == "("
		if lang != "python" && i+2 < len(s) && s[i+1].text == "=" && s[i+2].text == ">" || i > 1 && s[i-1].text == ">" && s[i-2].text == "-" && lang == "perl" {
			continue // the name of a value, or of a method
		}
		if lang == "perl" && oneOf("shell run", t.text) && i+1 < len(s) && s[i+1].literal {
			v.merge(starts(literals(s[i+1:]))) // Raku
		}
		if name := reflected(lang, s[i:]); name != "" {
			t.text = name
		}
		if lang == "osascript" && strings.EqualFold(t.text, "script") && i > 1 && strings.EqualFold(s[i-1].text, "shell") {
			v.merge(starts(literals(s[i+1:])))
			continue
		}
		if lang == "osascript" {
			v.merge(appleEvent(s[i:]))
		}
		if !call && lang == "node" && i+2 < len(s) && s[i+1].text == ":" && !s[i+2].literal && isWord(s[i+2].text[0]) {
			if kind := meaning(lang, t.text, false); kind == "delete" || kind == "shell" { // const {execSync: e} = require(…)
				if named == nil {
					named = map[string]string{}
				}
				named[s[i+2].text] = t.text
			}
		}
		if !call && lang != "perl" && lang != "ruby" {
			if strings.Contains(t.text, ".") && meaning(lang, t.text, false) == "delete" && !importing(s[:i]) {
				v.called("delete", code, nil) // handed on: map(os.remove, names)
			}
			continue
		}
		if o, ok := opens(lang, t.text, s[i+1:]); ok && !(i > 0 && s[i-1].text == "$") {
			v.merge(o)
			continue
		}
		if lang == "node" && strings.HasSuffix(t.text, "exec") && !strings.Contains(code, "child_process") {
			continue // a regular expression's
		}
		kind, args := meaning(lang, t.text, i > 0 && s[i-1].text == "$"), s[i+1:]
		if kind == "eval" || kind == "shell" {
			given.fill(i)
		}
		if text, ok := soleLiteral(args); ok && kind == "eval" && len(text) < len(code) {
			v.merge(Code(lang, text))
			continue
		}
		v.called(kind, code, args)
	}
	v.shellAway()
	return v
}

// called adds what a call of a kind does; args are what follows its name.
func (v *Verdict) called(kind, code string, args []token) {
	switch kind {
	case "delete":
		v.merge(says(tcpdb.Critical, tcpdb.Destructive|tcpdb.FileModification, tcpdb.NamedFiles, "code.delete", "deletes files"))
	case "drop":
		v.merge(says(tcpdb.Critical, tcpdb.Destructive, tcpdb.Remote, "code.drop", "deletes records"))
	case "write":
		v.merge(says(tcpdb.Medium, tcpdb.FileModification, tcpdb.NamedFiles, "code.write", "writes files"))
	case "network":
		v.merge(says(tcpdb.Medium, tcpdb.NetworkAccess, tcpdb.NoScope, "code.network", "uses the network"))
	case "fork":
		if strings.Contains(code, "while") || strings.Contains(code, "for ") {
			v.merge(says(tcpdb.High, tcpdb.Destructive, tcpdb.System, "code.fork", "starts copies of itself in a loop"))
		}
	case "kill":
		v.merge(says(tcpdb.High, tcpdb.SystemModification, tcpdb.System, "code.kill", "ends processes"))
	case "rights":
		v.merge(says(tcpdb.High, tcpdb.FileModification, tcpdb.NamedFiles, "code.rights", "changes permissions"))
	case "eval":
		v.merge(says(tcpdb.High, 0, tcpdb.NoScope, "code.eval", "runs code that it computes"))
	case "shell":
		line := literals(args)
		if line == "" {
			v.merge(says(tcpdb.High, 0, tcpdb.NoScope, "code.shell", "starts a program that is known only when it runs"))
		} else {
			v.Lines = append(v.Lines, Line{Text: line, Dialect: "posix"})
		}
	}
}

// shellAway raises a program that uses the network and starts a shell that
// reads nothing else.
func (v *Verdict) shellAway() {
	if v.Flags&tcpdb.NetworkAccess == 0 {
		return
	}
	for _, l := range v.Lines {
		if f := strings.Fields(l.Text); len(f) > 0 && oneOf("sh bash zsh dash ksh cmd.exe", path.Base(f[0])) && (len(f) == 1 || f[1] == "-i") {
			v.merge(says(tcpdb.High, tcpdb.NetworkAccess|tcpdb.PrivilegeEscalation, tcpdb.Remote, "code.shell", "gives a shell to another machine"))
		}
	}
}

func says(level tcpdb.Level, flags tcpdb.Flags, scope tcpdb.Scope, rule, reason string) Verdict {
	return Verdict{Level: level, Flags: flags, Known: true, Scope: scope, Findings: []Finding{{
		Word: -1, Level: level, Flags: flags, Rule: rule, Reason: reason, Scope: scope,
	}}}
}
