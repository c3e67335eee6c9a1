package code

import (
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/risk/wordlist"
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
		switch {
		case mirrors, wordlist.Has("rm mrm rmdir rrm delete mdelete del dele glob", words[0]) && len(words) > 1:
			v.merge(says(tcpdb.Critical, tcpdb.Destructive|tcpdb.NetworkAccess|tcpdb.FileModification, tcpdb.Remote, "transfer.delete", "deletes files"))
		case wordlist.Has("chmod chown chgrp", words[0]):
			v.merge(says(tcpdb.High, tcpdb.NetworkAccess|tcpdb.FileModification, tcpdb.Remote, "transfer.rights", "changes permissions"))
		case wordlist.Has("put mput reput append get mget reget pget mirror mkdir rename mv ln symlink cp send recv", words[0]):
			v.merge(says(tcpdb.Medium, tcpdb.NetworkAccess|tcpdb.FileModification, tcpdb.Remote, "transfer.write", "copies files between machines"))
		case words[0] == "shell" || words[0] == "source" || words[0] == "local":
			v.merge(starts(strings.Join(words[1:], " ")))
		}
	}
	return v
}
