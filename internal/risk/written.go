package risk

import (
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/argv"
	"github.com/tool-mapping-protocol/tmp/internal/risk/syspath"
	"github.com/tool-mapping-protocol/tmp/internal/risk/wordlist"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Written says what it means to write to a path that is more than a file of
// somebody's: a device, the account database, what the system runs by itself. ok
// is false for any other path.
func Written(p string) (f Finding, ok bool) {
	f = Finding{Level: tcpdb.High, Scope: tcpdb.System}
	switch {
	case syspath.IsDevice(p):
		f.Level, f.Flags, f.Scope = tcpdb.Critical, tcpdb.Destructive, tcpdb.Device
		f.Rule, f.Reason = "device", "writes over a device"
	case syspath.IsTrigger(p):
		f.Level, f.Flags = tcpdb.Critical, tcpdb.Destructive|tcpdb.SystemModification
		f.Rule, f.Reason = "sysrq", "acts on the kernel at once"
	case syspath.IsAccount(p):
		f.Level, f.Flags = tcpdb.Critical, tcpdb.FileModification|tcpdb.PrivilegeEscalation|tcpdb.Destructive
		f.Rule, f.Reason = "accounts", "changes the account database"
	case syspath.IsKeys(p):
		f.Flags = tcpdb.FileModification | tcpdb.PrivilegeEscalation
		f.Rule, f.Reason = "access", "changes who may do what"
	case syspath.RunsLater(p):
		f.Flags = tcpdb.FileModification | tcpdb.SystemModification
		f.Rule, f.Reason = "runs", "writes what the system runs by itself"
	case syspath.IsKernel(p):
		f.Flags = tcpdb.FileModification | tcpdb.SystemModification
		f.Rule, f.Reason = "kernel", "changes the running kernel"
	default:
		return Finding{}, false
	}
	return f, true
}

// written judges the paths that a command writes to, which are named by options
// for the output or, for some tools, by arguments. changes says that it is known
// to change files.
func written(b *argv.Bound, at int, changes bool) (v Verdict, ok bool) {
	add := func(p string, word int) {
		if _, remote, found := strings.Cut(p, ":"); found && !strings.HasPrefix(p, "/") {
			p = remote // host:path
		}
		f, found := Written(p)
		if !found {
			return
		}
		f.Rule, f.Word, ok = "output."+f.Rule, at+word, true
		v.merge(Verdict{Level: f.Level, Flags: f.Flags, Known: true, Scope: f.Scope, Findings: []Finding{f}})
	}
	v = Verdict{Level: tcpdb.Safe, Known: true}
	for _, u := range b.Flags {
		switch {
		case u.Flag != nil && u.ValueWord >= 0 && outputOption(b, u.Flag.ID), u.Flag == nil && u.ValueWord >= 0 && u.Name == "--output":
			add(u.Value, u.ValueWord)
		case u.Flag == nil && u.ValueWord < 0 && (u.Name == "-o" || u.Name == "--output") && u.Word+1 < len(b.Words):
			add(b.Words[u.Word+1], u.Word+1) // not known to the map, but of that name everywhere
		}
	}
	if len(b.Args) > 1 && packs(b) {
		add(b.Args[1].Text, b.Args[1].Word)
	}
	if !changes || len(b.Args) == 0 {
		return v, ok
	}
	switch b.Chain[0].Name {
	case "sed", "gsed", "awk", "gawk", "tee", "sponge", "ed", "ex", "truncate", "patch", "dos2unix", "unix2dos", "crudini", "augtool", "vipe", "yq", "ini-file":
		for _, a := range b.Args {
			add(a.Text, a.Word)
		}
	case "dd":
		for _, a := range b.Args {
			if of, is := strings.CutPrefix(a.Text, "of="); is {
				add(of, a.Word)
			}
		}
	case "ln", "rsync", "scp", "cp", "install", "ditto", "ddrescue", "dd_rescue", "mksquashfs", "qemu-img", "gcp", "ginstall", "gln":
		if a := b.Args[len(b.Args)-1]; len(b.Args) > 1 {
			add(a.Text, a.Word)
		}
	}
	return v, ok
}

// outputOption reports whether the value of an option is what a command writes to.
func outputOption(b *argv.Bound, id string) bool {
	switch id {
	case "o", "out", "output", "output-document", "outfile", "output-file", "O", "outdev", "fprint", "fprint0", "fprintf", "fls":
		return true
	case "target-directory", "t":
		return wordlist.Has("cp mv install ln", b.Chain[0].Name)
	case "file":
		return wordlist.Has("tar gtar bsdtar", b.Chain[0].Name) && (b.Has("create") || b.Has("append") || b.Has("update") || b.Has("catenate"))
	}
	return false
}

// packs reports whether the words are those of tar in its old form, without a
// dash, that writes the archive named next: tar cvf FILE.
func packs(b *argv.Bound) bool {
	letters := b.Args[0].Text
	return wordlist.Has("tar gtar bsdtar", b.Chain[0].Name) && b.Args[0].Word == 1 && strings.ContainsAny(letters, "cruA") && strings.Contains(letters, "f")
}
