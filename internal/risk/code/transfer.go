package code

import (
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/risk/syspath"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// secretAmong returns the first of words that is a secret by its name, "" for none.
func secretAmong(words []string) string {
	for _, w := range words {
		if syspath.IsSecret(strings.Trim(w, `"'`)) {
			return w
		}
	}
	return ""
}

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
		case words[0] != "get" && words[0] != "mget" && words[0] != "reget" && words[0] != "recv" && means == "write" && secretAmong(words[1:]) != "":
			v.merge(says(tcpdb.High, tcpdb.NetworkAccess, tcpdb.Remote, "transfer.secret", "sends "+secretAmong(words[1:])+", which is a secret, to another machine").
				staking(tcpdb.Stake{Loss: tcpdb.Exposure, Reach: tcpdb.SharedReach}))
		case means == "write":
			v.merge(says(tcpdb.Medium, tcpdb.NetworkAccess|tcpdb.FileModification, tcpdb.Remote, "transfer.write", "copies files between machines"))
		case means == "shell":
			v.merge(starts(strings.Join(words[1:], " ")))
		}
	}
	return v
}
