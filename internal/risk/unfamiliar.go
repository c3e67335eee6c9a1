package risk

import (
	"path"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/argv"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// maxVerb is how many words of a command are looked at for a verb: tool group
// object delete name.
const maxVerb = 4

// spoken rates a command that has no rules of its own by what its words say: a
// sub-command or an option that is called delete, destroy, purge and the like. A
// program that says so is taken at its word, HIGH; ok is false for any other.
func spoken(b *argv.Bound, at int) (v Verdict, ok bool) {
	for _, w := range b.Words[1:] {
		switch w {
		case "--help", "-h", "--version", "help", "--dry-run", "--dryrun", "-n":
			return Verdict{}, false
		}
	}
	said := func(word int, flags tcpdb.Flags, reason string) (Verdict, bool) {
		v := says(tcpdb.High, flags, tcpdb.Remote, "spoken", reason+": "+b.Words[word])
		v.Findings[0].Word = at + word
		return v, true
	}
	for part := range strings.FieldsFuncSeq(b.Node().Name, func(r rune) bool { return r == '-' || r == '_' || r == '.' }) {
		if len(b.Subs) == 1 && part != b.Node().Name && deletionVerb(part) && len(part) > 3 {
			return said(0, tcpdb.Destructive, "says that it deletes") // k3s-uninstall.sh
		}
	}
	first := len(b.Subs)
	for i := first; i < min(len(b.Words), first+maxVerb); i++ {
		w := b.Words[i]
		if option, found := strings.CutPrefix(w, "--"); found {
			if deletionVerb(option) {
				return said(i, tcpdb.Destructive, "says that it deletes")
			}
			continue
		}
		if w == "" || w[0] == '-' {
			continue
		}
		if !subcommandLike(w) {
			break
		}
		if oneOf("set get echo print search find show describe", w) {
			break // what follows is an object or a text
		}
		for part := range strings.FieldsFuncSeq(w, func(r rune) bool { return r == ':' || r == '-' || r == '_' }) {
			switch {
			case deletionVerb(part):
				return said(i, tcpdb.Destructive, "says that it deletes")
			case endingVerb(part):
				return said(i, tcpdb.SystemModification, "says that it stops or resets something")
			case part == "publish" || part == "deploy" || part == "rollback":
				return said(i, 0, "says that it publishes")
			}
		}
	}
	return Verdict{}, false
}

func deletionVerb(s string) bool {
	switch s {
	case "delete", "destroy", "drop", "purge", "wipe", "erase", "uninstall", "nuke", "obliterate", "remove", "rm", "rmi", "del", "truncate", "flushall", "flushdb",
		"forget", "undeploy", "teardown", "deprovision", "decommission", "rmdir", "unlink", "shred", "dropdb", "prune", "delall", "rmall":
		return true
	}
	return false
}

func endingVerb(s string) bool {
	switch s {
	case "terminate", "kill", "shutdown", "reboot", "poweroff", "halt", "reset", "revoke", "evict":
		return true
	}
	return false
}

// subcommandLike reports whether a word may name a sub-command, and is no path
// or value.
func subcommandLike(w string) bool {
	for i := range len(w) {
		if c := w[i]; (c < 'a' || c > 'z') && (i == 0 || (c < '0' || c > '9') && c != ':' && c != '-' && c != '_') {
			return false
		}
	}
	return w != ""
}

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
	return oneOf("-c -e -x --command --cmd --exec --execute --run --eval --shell --script --wrap --run-command --on-change --hook", name)
}
