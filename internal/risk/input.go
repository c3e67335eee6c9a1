package risk

import (
	"path"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/risk/wordlist"
)

// ReadsStatements reports whether a program is one of the clients that InputOf
// knows, by its name without a path.
func ReadsStatements(name string) bool {
	switch name {
	case "nsupdate", "ldapmodify", "ldapadd":
		return true
	}
	return SQLClient(name)
}

// InputOf returns the language of what a client of a service reads from its
// standard input: "sql" or "statements" for a database, "dns" for nsupdate, "ldif" for
// the clients of a directory; "" for any other, and for a client that has its
// statements among its words.
func InputOf(words []string) string {
	name := words[0]
	if strings.IndexByte(name, '/') >= 0 {
		name = path.Base(name)
	}
	lang := ""
	switch name {
	case "nsupdate":
		lang = "dns"
	case "ldapmodify", "ldapadd":
		lang = "ldif"
	default:
		if !SQLClient(name) {
			return ""
		}
		lang = "sql"
		if name == "hbase" {
			lang = "statements" // one a line
		}
	}
	for _, w := range words[1:] {
		if wordlist.Has("-e -q -Q -c -f -i --execute --query --command --file", w) && name != "ldapmodify" && name != "ldapadd" {
			return ""
		}
	}
	return lang
}
