package code

import (
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/risk/wordlist"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// debugger rates commands of gdb or lldb, one a line.
func debugger(code string) Reading {
	v := Reading{Level: tcpdb.Safe, Files: readBy(code, "gdb", "source")}
	for line := range strings.Lines(code) {
		line = strings.TrimSpace(line)
		line = strings.TrimSpace(strings.TrimPrefix(line, "platform "))
		if shell, ok := strings.CutPrefix(line, "!"); ok {
			v.merge(starts(shell))
			continue
		}
		switch verb, rest := exVerb(line); {
		case wordlist.Has("shell sh", verb) && rest != "":
			v.merge(starts(rest))
		case verb == "pipe", strings.HasPrefix(line, "|"):
			if _, command, ok := strings.Cut(strings.TrimPrefix(line, "|"), "|"); ok {
				v.merge(starts(command))
			}
		case wordlist.Has("python py script", verb) && strings.TrimSpace(rest) != "":
			v.merge(Read("python", strings.TrimSpace(rest)))
		case strings.Contains(rest, "system"), strings.Contains(rest, "unlink"), strings.Contains(rest, "remove"):
			v.merge(Read("php", rest)) // calls of C's functions have the same form
		}
	}
	return v
}
