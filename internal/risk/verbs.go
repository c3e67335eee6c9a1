package risk

import (
	"path"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/argv"
	"github.com/tool-mapping-protocol/tmp/internal/risk/syspath"
	"github.com/tool-mapping-protocol/tmp/internal/risk/wordlist"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// verb is what a word says that a command does.
type verb uint8

const (
	saysNothing verb = iota
	asksVerb         // what follows is an object or a text
	readsVerb        // so too, and it only shows something
	makesVerb        // changes something that can be undone
	publishesVerb
	endsVerb   // stops, disables or revokes something
	resetsVerb // puts something back, over what is there
	deletesVerb
)

// maxVerb is how many words of a command are looked at for a verb: tool group
// object delete name.
const maxVerb = 4

// spoken rates a command that has no rules of its own by what its words say: a
// sub-command or an option that is called delete, destroy, purge and the like. A
// program that says so is taken at its word, HIGH; ok is false for any other. That
// --help, --version or --dry-run stands behind it changes nothing: whether a
// program heeds them there, only the map can say. Some run the command.
func spoken(b *argv.Bound, at int) (v Verdict, ok bool) {
	if len(b.Subs) == 1 {
		for part := range strings.FieldsFuncSeq(b.Node().Name, func(r rune) bool { return r == '-' || r == '_' || r == '.' }) {
			if part != b.Node().Name && len(part) > 3 && meansOf(part) == deletesVerb {
				return saidBy(deletesVerb, b.Words[0], at), true // k3s-uninstall.sh
			}
		}
	}
	return spokenWords(b.Words[b.Subs[len(b.Subs)-1]+1:], at+b.Subs[len(b.Subs)-1]+1)
}

// spokenWords looks for a verb among the words that follow a program or its
// sub-commands. The first of words is word number at of the whole.
func spokenWords(words []string, at int) (v Verdict, ok bool) {
	for i, w := range words[:min(len(words), maxVerb)] {
		if option := strings.TrimLeft(w, "-+"); option != w {
			// An option of one letter, or with a value of its own, says nothing.
			if len(option) > 1 && option != "rm" && !strings.Contains(option, "=") && optionDeletes(w, option) {
				return saidBy(deletesVerb, w, at+i), true
			}
			continue
		}
		if w == "" {
			continue
		}
		if !subcommandLike(w) {
			break
		}
		said := meansOf(w)
		if said == asksVerb || said == readsVerb {
			break
		}
		if said >= publishesVerb {
			return saidBy(said, w, at+i), true
		}
	}
	return Verdict{}, false
}

// readsWords reports whether the first verb among the arguments says that the
// command only shows something.
func readsWords(b *argv.Bound) bool {
	for _, a := range b.Args[:min(len(b.Args), maxVerb)] {
		if !subcommandLike(a.Text) {
			return false
		}
		if said := meansOf(a.Text); said != saysNothing {
			return said == readsVerb
		}
	}
	return false
}

// optionDeletes reports whether an option is the command itself and deletes:
// --delete, -rm of hdfs, -CfgLdDel of megacli. The name alone of a long option
// counts: --delete-after may be a detail.
func optionDeletes(w, option string) bool {
	if strings.HasPrefix(w, "--") {
		return oneVerb(option) == deletesVerb
	}
	return meansOf(option) == deletesVerb
}

// saidBy is the verdict on a word that says what the command does.
func saidBy(said verb, w string, at int) Verdict {
	flags, reason := tcpdb.Flags(0), "says that it publishes"
	switch said {
	case deletesVerb:
		flags, reason = tcpdb.Destructive, "says that it deletes"
	case resetsVerb:
		flags, reason = tcpdb.Destructive|tcpdb.SystemModification, "says that it puts something back, over what is there"
	case endsVerb:
		flags, reason = tcpdb.SystemModification, "says that it stops or resets something"
	case makesVerb:
		return says(tcpdb.Medium, 0, tcpdb.NoScope, "spoken", "says that it changes something: "+w)
	}
	v := says(tcpdb.High, flags, tcpdb.Remote, "spoken", reason+": "+w)
	v.Findings[0].Word = at
	return v
}

// meansOf returns the strongest of what the parts of a word say: delete-record,
// DeleteInstance, apps:destroy.
func meansOf(w string) verb {
	if strings.HasPrefix(w, "deploy-") {
		return saysNothing // deploy-key, deploy-token: a noun
	}
	said := oneVerb(w)
	for start, i := 0, 1; i <= len(w) && said < deletesVerb; i++ {
		if i < len(w) && !strings.ContainsRune(":-_.", rune(w[i])) && (w[i] < 'A' || w[i] > 'Z') {
			continue
		}
		if part := oneVerb(strings.ToLower(strings.Trim(w[start:i], ":-_."))); part > said && (part > readsVerb || start == 0) {
			said = part
		}
		start = i
		if said == asksVerb || said == readsVerb {
			break // describe-deletions
		}
	}
	return said
}

// oneVerb returns what a word in lower case says.
func oneVerb(s string) verb {
	switch s {
	case "delete", "destroy", "drop", "purge", "wipe", "erase", "uninstall", "nuke", "obliterate", "remove", "rm", "rmi", "rmr", "rmp", "del", "truncate", "flushall", "flushdb",
		"forget", "undeploy", "teardown", "deprovision", "decommission", "rmdir", "unlink", "shred", "dropdb", "prune", "delall", "rmall", "clear", "cleanup", "cleanse", "expunge",
		"expire", "gc", "unpublish", "yank", "discard", "abandon", "deregister", "deinit", "nukeall", "vacate", "undefine", "deluser", "delgroup", "rmuser":
		return deletesVerb
	case "reset", "restore", "revert", "reinstall", "rebuild", "reimage", "reinit", "reinitialize", "downgrade", "overwrite", "rewind", "reprovision":
		return resetsVerb
	case "terminate", "kill", "shutdown", "reboot", "poweroff", "halt", "revoke", "evict", "stop", "disable", "deactivate", "leave", "demote", "drain", "suspend", "down", "failover",
		"promote", "rotate", "regenerate", "unregister", "detach", "ban", "block", "cordon", "quarantine", "flash", "unseal", "seal", "rekey", "cancel", "abort":
		return endsVerb
	case "publish", "deploy", "rollback", "redeploy", "deprecate", "unshare":
		return publishesVerb
	case "set", "echo", "run", "exec", "test", "build", "log", "watch", "plan", "preview", "query", "read", "script":
		return asksVerb
	case "get", "print", "search", "find", "show", "describe", "list", "ls", "view", "info", "status", "explain", "check", "logs", "diff", "cat", "validate", "verify", "lint",
		"inspect", "stat", "stats", "top", "history", "tail", "head", "count", "exists", "lookup", "help", "version":
		return readsVerb
	case "add", "create", "new", "init", "make", "generate", "update", "edit", "import", "rename", "move", "enable", "lock", "unlock", "hold", "unhold", "pin", "unpin", "apply",
		"install", "write", "put", "copy", "upgrade", "sync", "merge", "register", "login", "logout", "switch", "use", "join", "connect", "start", "up":
		return makesVerb
	}
	if strings.HasSuffix(s, "info") || strings.HasSuffix(s, "list") {
		return readsVerb // dominfo
	}
	for _, verb := range [...]string{"delete", "destroy", "purge", "uninstall"} {
		if rest, ok := strings.CutPrefix(s, verb); ok && rest != "" && rest[0] != 'd' && rest[0] != 's' && rest[0] != 'r' {
			return deletesVerb // deleteall
		}
	}
	return saysNothing
}

// subcommandLike reports whether a word may name a sub-command, and is no path
// or value.
func subcommandLike(w string) bool {
	for i := range len(w) {
		c := w[i]
		if letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'; !letter && (i == 0 || (c < '0' || c > '9') && c != ':' && c != '-' && c != '_') {
			return false
		}
	}
	return w != ""
}

// unrated rates what the answer of a command above does not speak of: a
// sub-command that the map has and nobody rated, or the words of a tool whose
// one rating stands for all of them. What they say can raise the answer only.
func (j *judge) unrated(b *argv.Bound, key string, at, depth int) (v Verdict, ok bool) {
	if len(b.Chain) == 1 && len(b.Args) > 0 && wordlist.Has("yarn pnpm bun bunx", b.Node().Name) {
		// A word that is none of their own is a program of a package: yarn rimraf x.
		first := b.Args[0].Word
		if name := b.Words[first]; subcommandLike(name) && j.view.Risk(name) != nil {
			v = j.command(b.Words[first:], at+first, depth+1)
			if v.Scope == tcpdb.Device || v.Scope == tcpdb.System {
				return Verdict{}, false // no package has what changes disks or the machine: a script of that name
			}
			return v, v.Level >= tcpdb.High
		}
	}
	n := b.Node()
	if key == n.Path {
		if n.Bits&tcpdb.Partial == 0 {
			return Verdict{}, false
		}
		if n.Wrapper.Mode != tcpdb.NoWrap {
			if len(b.Inner) == 0 {
				return Verdict{}, false
			}
			i := b.Inner[0].Start
			return spokenWords(b.Words[i:min(i+1, len(b.Words))], at+i) // microk8s reset
		}
		// A tool with one rating for all its words, or a sub-command of which the
		// map says nothing more.
		general := len(n.Args) == 1 && n.Args[0].Name == "word" || len(n.Args) == 0 && !n.HasSubs() && len(b.Chain) > 1
		if said := meansOf(n.Name); !general || len(b.Args) == 0 || len(b.Chain) > 1 && (said == readsVerb || said == asksVerb) {
			return Verdict{}, false // what follows is an object: status purge
		}
		words := make([]string, 0, maxVerb)
		for _, a := range b.Args[:min(len(b.Args), maxVerb)] {
			words = append(words, a.Text)
		}
		v, ok = spokenWords(words, 0)
		if ok {
			v.Findings[0].Word = at + b.Args[v.Findings[0].Word].Word
		}
		return v, ok
	}
	for i := len(b.Subs) - 1; i > 0 && b.Chain[i].Path != key; i-- {
		word := b.Subs[i]
		said := meansOf(path.Base(b.Chain[i].Name))
		switch {
		case said == asksVerb, said == readsVerb:
			return Verdict{}, false
		case said >= publishesVerb && ofOurs(b):
			v = says(tcpdb.Medium, 0, tcpdb.NoScope, "spoken", "says that it changes settings or a cache: "+b.Words[word])
		case said != saysNothing:
			v = saidBy(said, b.Words[word], at+word)
		default:
			continue
		}
		v.Findings[0].Word = at + word
		return v, true
	}
	return Verdict{}, false
}

// scripted rates the words that a script of nobody knows what is given:
// python tool.py destroy x, java -jar tool.jar delete x.
func (j *judge) scripted(b *argv.Bound, at, depth int) (v Verdict, ok bool) {
	if v, ok := j.module(b, at, depth); ok {
		return v, true
	}
	if len(b.Args) == 0 {
		return Verdict{}, false
	}
	first := b.Args[0].Word + 1
	switch archive := slices.Index(b.Words, "-jar"); {
	case wordlist.Has("python node ruby php perl sh r pwsh", b.Chain[0].Language()):
	case archive > 0: // what follows the file is the program's
		first = archive + 2
	default:
		return Verdict{}, false
	}
	if first >= len(b.Words) {
		return Verdict{}, false
	}
	if script := path.Base(b.Args[0].Text); b.Chain[0].Language() != "sh" && j.view.Root(script) != nil {
		// One that the map knows: manage.py, artisan, rake. Scripts for a shell have any name.
		if v = j.named(append([]string{script}, b.Words[first:]...), at+first-1, depth+1); v.Level >= tcpdb.Critical || len(v.Lines) > 0 {
			return v, true
		}
	}
	for i, w := range b.Words[first:] {
		if syspath.IsDevice(w) {
			v = says(tcpdb.High, tcpdb.Destructive|tcpdb.SystemModification, tcpdb.Device, "unknown-device", "may write to a disk: "+w)
			v.Findings[0].Word = at + first + i
			return v, true
		}
	}
	return spokenWords(b.Words[first:], at+first)
}

// module rates a module that Python is told to run as the program of its name:
// python -m twine upload x.
func (j *judge) module(b *argv.Bound, at, depth int) (v Verdict, ok bool) {
	if !strings.HasPrefix(b.Chain[0].Name, "python") || len(b.Chain) > 1 {
		return Verdict{}, false
	}
	for i, w := range b.Words[1:] {
		if w != "-m" || i+2 >= len(b.Words) {
			continue
		}
		if name := b.Words[i+2]; j.view.Risk(name) != nil || j.view.Root(name) != nil {
			v = j.command(b.Words[i+2:], at+i+2, depth+1)
			return v, v.Level >= tcpdb.High
		}
		return spokenWords(b.Words[i+3:], at+i+3)
	}
	return Verdict{}, false
}

// ofOurs reports whether a sub-command is about what a tool keeps for itself:
// its cache, its settings, its own extensions.
func ofOurs(b *argv.Bound) bool {
	for _, n := range b.Chain[1:] {
		switch n.Name {
		case "cache", "config", "alias", "plugin", "plugins", "extension", "completion", "context", "repo", "source", "nuget", "builder":
			return true
		}
	}
	return false
}
