package code

import (
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/risk/wordlist"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// records rates what the clients of name servers and directories are told, one
// instruction a line.
func records(lang, code string) Reading {
	v := Reading{Level: tcpdb.Low, Flags: tcpdb.NetworkAccess}
	for line := range strings.Lines(code) {
		line = strings.ToLower(strings.TrimSpace(line))
		gone := lang == "ldif" && (line == "changetype: delete" || strings.HasPrefix(line, "delete:"))
		if lang == "dns" {
			f := strings.Fields(strings.TrimPrefix(line, "update "))
			gone = len(f) > 1 && wordlist.Has("delete del", f[0])
		}
		if gone {
			v.merge(says(tcpdb.High, tcpdb.Destructive|tcpdb.NetworkAccess, tcpdb.Remote, "records.delete", "deletes entries"))
		}
	}
	return v
}
