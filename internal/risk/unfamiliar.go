package risk

import (
	"path"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/argv"
	"github.com/tool-mapping-protocol/tmp/internal/risk/syspath"
	"github.com/tool-mapping-protocol/tmp/internal/risk/wordlist"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// unversioned returns the name under which a program is known whose name ends in
// a version: bash of bash5, gcc of gcc-13, python of python3.12. "" if the name
// is known as it is, or not at all.
func (j *judge) unversioned(word string) string {
	name := path.Base(word)
	if n := len(name); n == 0 || name[n-1] < '0' || name[n-1] > '9' {
		return ""
	}
	if j.view.Root(name) != nil || j.view.Risk(name) != nil {
		return ""
	}
	base := strings.TrimRight(name, "0123456789.-")
	if base == "" || j.view.Root(base) == nil && j.view.Risk(base) == nil {
		return ""
	}
	return base
}

// unfamiliar rates a command of which nothing is known. What its words say counts:
// a sub-command that deletes, or words that are a command of their own, which it
// may be there to start. Either makes it HIGH.
func (j *judge) unfamiliar(b *argv.Bound, at, depth int) Verdict {
	v := unknown(at, b.Node().Path, "nothing is known of this program")
	if o, ok := spoken(b, at); ok {
		v.merge(o)
		v.Known = false
		return v
	}
	for i, w := range b.Words[1:] {
		if _, value, ok := strings.Cut(w, "="); syspath.IsDevice(w) || ok && syspath.IsDevice(value) {
			o := says(tcpdb.High, tcpdb.Destructive|tcpdb.SystemModification, tcpdb.Device, "unknown-device", "may write to a disk: "+w)
			o.Findings[0].Word = at + i + 1
			v.merge(o)
			v.Known = false
			return v
		}
	}
	for i := 1; i < min(len(b.Words), maxCarried); i++ {
		w := b.Words[i]
		if w == "" || w[0] == '-' || !subcommandLike(path.Base(w)) || depth > 1 {
			continue
		}
		name := path.Base(w)
		if j.view.Root(name) == nil && j.view.Risk(name) == nil {
			continue
		}
		if o := j.command(b.Words[i:], at+i, depth+2); o.Level >= tcpdb.High {
			v.merge(Verdict{Level: tcpdb.High, Flags: o.Flags, Scope: o.Scope, Findings: []Finding{{
				Word: at + i, Level: tcpdb.High, Flags: o.Flags, Scope: o.Scope, Rule: "carried", Reason: "may start the command that its words are: " + name,
			}}})
			v.Known = false
			break
		}
	}
	for i, w := range b.Words[1:] {
		name, text, attached := strings.Cut(w, "=")
		word := i + 1
		if !attached {
			if word+1 >= len(b.Words) {
				break
			}
			name, text, word = w, b.Words[word+1], word+1
		}
		if commandOption(name) && strings.ContainsAny(text, " ;|&") {
			v.Lines = append(v.Lines, Line{Text: text, Dialect: "posix", Word: at + word})
		}
	}
	return v
}

// maxCarried is how many words of a command that is not known are looked at for
// another one.
const maxCarried = 8

// commandOption reports whether the name of an option says that its value is a
// command.
func commandOption(name string) bool {
	return wordlist.Has("-c -e -x --command --cmd --exec --execute --run --eval --shell --script --wrap --run-command --on-change --hook", name)
}
