package code

import (
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/risk/wordlist"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// otherCode rates a program of a language that is not read further than to its
// words and string literals: names that speak of deleting files, and calls that
// start other programs.
func otherCode(lang, code string) Reading {
	v := Reading{Level: tcpdb.Low}
	s := looseTokens(lang, code)
	files := strings.Contains(code, "File") || strings.Contains(code, "Path") || strings.Contains(code, "Dir")
	for i, t := range s {
		if t.literal {
			continue
		}
		name := strings.ToLower(t.text)
		last := strings.TrimRight(name[strings.LastIndexAny(name, ".:/")+1:], "!?*")
		means := meaning("loose", called{name: last})
		switch {
		case means == "delete", deletes(name), wordlist.Has("delete remove deleteonexit", last) && files, lang == "other" && name == "delete" && i+1 < len(s) && s[i+1].text == "(":
			v.merge(says(tcpdb.Critical, tcpdb.Destructive|tcpdb.FileModification, tcpdb.NamedFiles, "code.delete", "deletes files"))
		case (last == "execute" || t.text == "!" || t.text == "!!") && i > 0 && s[i-1].literal:
			v.merge(starts(s[i-1].text))
		case means == "shell" && (strings.ContainsAny(name, ".:*-") || i+1 < len(s) && (s[i+1].literal || s[i+1].text == "(")):
			if line := literals(s[i+1:]); line != "" {
				v.merge(starts(line))
			}
		case meaning("loose-name", called{name: name}) == "write":
			v.merge(says(tcpdb.Medium, tcpdb.FileModification, tcpdb.NamedFiles, "code.write", "writes files"))
		}
	}
	return v
}

// deletes reports whether a name, in lower case, says that a function deletes
// files.
func deletes(name string) bool {
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
