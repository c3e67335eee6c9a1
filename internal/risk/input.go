package risk

import (
	"path"
	"slices"

	"github.com/tool-mapping-protocol/tmp/internal/argv"
	"github.com/tool-mapping-protocol/tmp/internal/risk/wordlist"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// ReadsInput reports whether an interpreter reads its program from standard input:
// it has neither a script nor a program among its arguments.
func ReadsInput(v *tcpdb.View, words []string) bool {
	switch lang := Language(v, words[0]); {
	case wordlist.Has("ex gdb ftp dns", lang): // go on with what is typed
		return true
	case lang == "ldif":
		return len(FilesOf(v, words)) == 0
	}
	if b := argv.Outline(v, words); b != nil && placed(b.Chain[0]) {
		return !b.HasRole(tcpdb.CodeRole) && !b.HasRole(tcpdb.InputProgramRole)
	}
	lang, codes, script := inline(v, words)
	return lang != "" && len(codes) == 0 && !script
}

// OnlyCode reports whether an interpreter does nothing but what its program says, so
// that its own rating does not count where the program is known.
func OnlyCode(v *tcpdb.View, word string) bool {
	if lang := Language(v, word); lang == "" || wordlist.Has("ex gdb ftp dns ldif statements", lang) {
		return false
	}
	n := v.Root(path.Base(word))
	return n == nil || !placed(n)
}

// placed reports whether the map says where the programs of an interpreter stand
// among its words.
func placed(n *tcpdb.Node) bool {
	return slices.ContainsFunc(n.Flags, func(f tcpdb.Flag) bool { return f.Role.Is(tcpdb.CodeRole) }) ||
		slices.ContainsFunc(n.Args, func(a tcpdb.Arg) bool { return a.Role.Is(tcpdb.CodeRole) })
}
