package risk

import (
	"github.com/tool-mapping-protocol/tmp/internal/argv"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// filterPrograms judges the programs that awk and sed have among their words:
// they can start commands and write files.
func filterPrograms(b *argv.Bound, at int) (v Verdict, ok bool) {
	lang := ""
	switch b.Node().Name {
	case "awk", "gawk", "mawk", "nawk", "original-awk":
		lang = "awk"
	case "sed", "gsed":
		lang = "sed"
	default:
		return Verdict{}, false
	}
	if b.Has("sandbox") {
		return Verdict{}, false // the program may do neither
	}
	v = Verdict{Level: tcpdb.Safe, Known: true}
	add := func(text string, word int) {
		o := Code(lang, text)
		o.place(at + word)
		v.merge(o)
		ok = true
	}
	inFile := b.Has("file") || b.Has("exec")
	for _, u := range b.Flags {
		if u.Flag != nil && (u.Flag.ID == "expression" || u.Flag.ID == "source") && u.ValueWord >= 0 {
			add(u.Value, u.ValueWord)
		}
	}
	if !ok && !inFile && len(b.Args) > 0 {
		add(b.Args[0].Text, b.Args[0].Word)
	}
	return v, ok
}
