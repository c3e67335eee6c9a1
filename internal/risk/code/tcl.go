package code

import (
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/risk/wordlist"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// tcl rates a program in Tcl: each command of it, and those in [brackets].
func tcl(code string) Reading {
	v := Reading{Level: tcpdb.Low, Files: readBy(code, "tcl", "source")}
	for _, line := range strings.FieldsFunc(code, func(r rune) bool { return strings.ContainsRune("\n;[]{}", r) }) {
		words := strings.Fields(line)
		if len(words) < 2 {
			continue
		}
		switch {
		case words[0] == "file" && words[1] == "delete":
			v.merge(says(tcpdb.Critical, tcpdb.Destructive|tcpdb.FileModification, tcpdb.NamedFiles, "code.delete", "deletes files"))
		case words[0] == "file" && wordlist.Has("rename copy mkdir", words[1]), words[0] == "open" && wordlist.Has("w a w+ a+ r+", words[len(words)-1]):
			v.merge(says(tcpdb.Medium, tcpdb.FileModification, tcpdb.NamedFiles, "code.write", "writes files"))
		case wordlist.Has("exec spawn system", words[0]):
			v.merge(starts(strings.Join(words[1:], " ")))
		}
	}
	return v
}
