package code

import (
	"path"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/risk/syspath"
	"github.com/tool-mapping-protocol/tmp/internal/risk/wordlist"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// calls rates a program of a language by the functions that it calls.
func calls(lang, code string) Reading {
	v := Reading{Level: tcpdb.Low}
	s := tokens(lang, code)
	given := assignments{tokens: s}
	names := meanings{}
	var named map[string]string
	if lang == "python" {
		named = imports(s)
		v.Lines = magic(code)
	}
	named = references(lang, s, names, named)
	for i, t := range s {
		if !t.literal {
			t.text = imported(named, t.text)
			if module := loaded(s, i); module != "" {
				t.text = module + "." + t.text
			}
		}
		if t.literal {
			if lang == "perl" || lang == "ruby" || lang == "php" || lang == "julia" || lang == "node" && i > 0 && s[i-1].text == "$" {
				if t.quote == '`' {
					v.Lines = append(v.Lines, t.text)
				}
			}
			continue
		}
		call := i+1 < len(s) && s[i+1].text == "("
		if name, args := given.function(lang, i); name != "" {
			v.called(names.mean(called{lang: lang, name: name}), code, args)
			continue
		}
		if lang != "python" && i+2 < len(s) && s[i+1].text == "=" && s[i+2].text == ">" || i > 1 && s[i-1].text == ">" && s[i-2].text == "-" && lang == "perl" {
			continue // the name of a value, or of a method
		}
		if lang == "perl" && wordlist.Has("shell run", t.text) && i+1 < len(s) && s[i+1].literal {
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
			if kind := names.mean(called{lang: lang, name: t.text}); kind == "delete" || kind == "shell" { // const {execSync: e} = require(…)
				if named == nil {
					named = map[string]string{}
				}
				named[s[i+2].text] = t.text
			}
		}
		if !call && lang != "perl" && lang != "ruby" {
			if strings.Contains(t.text, ".") && names.mean(called{lang: lang, name: t.text}) == "delete" && !importing(s[:i]) {
				v.called("delete", code, nil) // handed on: map(os.remove, names)
			}
			continue
		}
		if strings.HasSuffix(t.text, "open") {
			given.fill(i)
		}
		if o, ok := opens(lang, t.text, s[i+1:]); ok && !(i > 0 && s[i-1].text == "$") {
			v.merge(o)
			continue
		}
		if lang == "node" && strings.HasSuffix(t.text, "exec") && !strings.Contains(code, "child_process") {
			continue // a regular expression's
		}
		kind, args := names.mean(called{lang, t.text, i > 0 && s[i-1].text == "$"}), s[i+1:]
		if kind == "eval" || kind == "shell" || strings.HasPrefix(kind, "write") {
			given.fill(i)
		}
		if kind == "write-self" && i > 2 && s[i-1].text == ")" && s[i-2].literal && s[i-3].text == "(" {
			v.merge(overwrites(s[i-2].text))
			continue
		}
		if text, ok := soleLiteral(args); ok && kind == "eval" && len(text) < len(code) {
			v.merge(Read(lang, text))
			continue
		}
		v.called(kind, code, args)
	}
	v.shellAway()
	return v
}

// called adds what a call of a kind does; args are what follows its name.
func (v *Reading) called(kind, code string, args []token) {
	switch kind {
	case "delete":
		v.merge(says(tcpdb.Critical, tcpdb.Destructive|tcpdb.FileModification, tcpdb.NamedFiles, "code.delete", "deletes files"))
	case "drop":
		v.merge(says(tcpdb.Critical, tcpdb.Destructive, tcpdb.Remote, "code.drop", "deletes records"))
	case "saves-1", "saves-2": // a name that says so only where a file is named
		if target := literalArgument(args, int(kind[len(kind)-1]-'0')); target != "" {
			v.merge(overwrites(target))
		}
	case "write-1", "write-2":
		v.merge(overwrites(literalArgument(args, int(kind[len(kind)-1]-'0'))))
	case "write", "write-self":
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
			v.Lines = append(v.Lines, line)
		}
	}
}

// shellAway raises a program that uses the network and starts a shell that
// reads nothing else.
func (v *Reading) shellAway() {
	if v.Flags&tcpdb.NetworkAccess == 0 {
		return
	}
	for _, l := range v.Lines {
		if f := strings.Fields(l); len(f) > 0 && wordlist.Has("sh bash zsh dash ksh cmd.exe", path.Base(f[0])) && (len(f) == 1 || f[1] == "-i") {
			v.merge(says(tcpdb.High, tcpdb.NetworkAccess|tcpdb.PrivilegeEscalation, tcpdb.Remote, "code.shell", "gives a shell to another machine"))
		}
	}
}

// opens judges a call that opens a file or starts a program as its mode says:
// open("x", "w"), perl's open(F, "|cmd"). The tokens are those after the name.
func opens(lang, name string, s []token) (Reading, bool) {
	if !wordlist.Has("open fopen io.open File.open File.new IO.write", name) || name == "open" && !wordlist.Has("python perl ruby julia", lang) {
		return Reading{}, false
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
			if !strings.ContainsAny(mode, "w+") && !syspath.Special(first) && !syspath.IsStartup(first) {
				first = "" // appended to, or made
			}
			return overwrites(first), true
		}
	}
	if lang != "perl" && lang != "ruby" || len(given) == 0 || name != "open" {
		return Reading{}, false
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
		return overwrites(strings.TrimLeft(mode, "> ")), true
	case lang == "perl" && (strings.HasPrefix(mode, ">") || strings.HasPrefix(mode, "+")):
		return overwrites(rest), true
	}
	return Reading{}, false
}

// reflected returns the name of the function that code calls by a name in a
// literal: getattr(os, 'remove')('x'), array_map('unlink', …). "" for any other.
func reflected(lang string, s []token) string {
	switch {
	case s[0].text == "getattr" && len(s) > 5 && s[1].text == "(" && s[4].literal && s[3].text == ",":
		return s[2].text + "." + s[4].text
	case strings.HasSuffix(s[0].text, ".method") && lang == "ruby" && len(s) > 3 && s[1].text == "(" && s[2].text == ":":
		return strings.TrimSuffix(s[0].text, "method") + s[3].text
	case lang == "php" && wordlist.Has("array_map array_walk array_filter call_user_func call_user_func_array usort register_shutdown_function", s[0].text) &&
		len(s) > 2 && s[1].text == "(" && s[2].literal:
		return s[2].text
	}
	return ""
}

// appleEvent rates the command of AppleScript that the tokens begin with.
func appleEvent(s []token) Reading {
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
	return Reading{Level: tcpdb.Safe}
}
