package code

import (
	"strings"

	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// elisp rates a form of Emacs Lisp by the functions that it calls first.
func elisp(code string) Reading {
	r := Reading{Level: tcpdb.Low}
	switch {
	case strings.Contains(code, "(delete-file") || strings.Contains(code, "(delete-directory"):
		r.merge(says(tcpdb.Critical, tcpdb.Destructive|tcpdb.FileModification, tcpdb.NamedFiles, "code.delete", "deletes files"))
	case strings.Contains(code, "(shell-command") || strings.Contains(code, "(call-process"):
		r.merge(starts(literals(tokens("emacs", code[strings.IndexByte(code, '('):]))))
	}
	return r
}
