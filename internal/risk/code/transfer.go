package code

import (
	"strings"

	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// transfer rates commands of a client for file transfer: sftp, ftp, lftp.
func transfer(code string) Reading {
	v := Reading{Level: tcpdb.Low, Flags: tcpdb.NetworkAccess}
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
		means := meaning("ftp", called{name: words[0]})
		switch {
		case mirrors, means == "delete" && len(words) > 1:
			v.merge(says(tcpdb.Critical, tcpdb.Destructive|tcpdb.NetworkAccess|tcpdb.FileModification, tcpdb.Remote, "transfer.delete", "deletes files"))
		case means == "rights":
			v.merge(says(tcpdb.High, tcpdb.NetworkAccess|tcpdb.FileModification, tcpdb.Remote, "transfer.rights", "changes permissions"))
		case means == "write":
			v.merge(says(tcpdb.Medium, tcpdb.NetworkAccess|tcpdb.FileModification, tcpdb.Remote, "transfer.write", "copies files between machines"))
		case means == "shell":
			v.merge(starts(strings.Join(words[1:], " ")))
		}
	}
	return v
}
