package code

import (
	"strings"

	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// powershell rates PowerShell code by the verbs of its cmdlets, whose names are
// Verb-Noun (about_Command_Syntax), and by the aliases of the usual ones.
func powershell(code string) Reading {
	v := Reading{Level: tcpdb.Low}
	first := true // in the place of a command
	for _, t := range powershellWords(code) {
		if t.literal || !first {
			first = first && t.literal
			if !t.literal && strings.Contains(";|{}(&\n", t.text) {
				first = true
			}
			continue
		}
		first = strings.Contains(";|{}(&\n", t.text)
		switch meaning("pwsh", called{name: strings.ToLower(t.text)}) {
		case "delete":
			v.merge(says(tcpdb.Critical, tcpdb.Destructive|tcpdb.FileModification, tcpdb.NamedFiles, "code.delete", "deletes"))
		case "system":
			v.merge(says(tcpdb.High, tcpdb.SystemModification, tcpdb.System, "code.system", "changes the system"))
		case "eval":
			v.merge(says(tcpdb.High, 0, tcpdb.NoScope, "code.eval", "runs code that it computes"))
		case "network":
			v.merge(says(tcpdb.Medium, tcpdb.NetworkAccess, tcpdb.NoScope, "code.network", "uses the network"))
		case "write":
			v.merge(says(tcpdb.Medium, tcpdb.FileModification, tcpdb.NamedFiles, "code.write", "writes files"))
		}
	}
	return v
}

// powershellWords cuts code into words, literals and separators.
func powershellWords(code string) []token {
	var out []token
	for i := 0; i < len(code); {
		c := code[i]
		switch {
		case c == ' ' || c == '\t' || c == '\r':
			i++
		case c == '#':
			for i < len(code) && code[i] != '\n' {
				i++
			}
		case c == '\'' || c == '"':
			end := strings.IndexByte(code[i+1:], c)
			if end < 0 {
				end = len(code) - i - 1
			}
			out = append(out, token{code[i+1 : i+1+end], true, c})
			i = min(i+end+2, len(code))
		case strings.IndexByte(";|{}()&\n", c) >= 0:
			out = append(out, token{text: code[i : i+1]})
			i++
		default:
			k := i
			for k < len(code) && strings.IndexByte(" \t\r\n;|{}()&'\"#", code[k]) < 0 {
				k++
			}
			out = append(out, token{text: code[i:k]})
			i = k
		}
	}
	return out
}
