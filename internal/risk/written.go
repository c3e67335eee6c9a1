package risk

import (
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/risk/syspath"
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

// writes judges a path that a command writes to or in, which a word holds.
func (h *hand) writes(p string, word int) {
	if h.special(p, word) || h.v.Flags&tcpdb.FileModification != 0 && h.v.Level >= tcpdb.Medium || p == "-" || syspath.IsHarmless(p) {
		return
	}
	o := says(tcpdb.Medium, tcpdb.FileModification, tcpdb.NamedFiles, "output.file", "writes files")
	o.Findings[0].Word = h.at + word
	h.v.merge(o)
}

// special judges a path that is written to, if it is more than somebody's file.
func (h *hand) special(p string, word int) bool {
	if _, remote, found := strings.Cut(p, ":"); found && !strings.HasPrefix(p, "/") {
		p = remote // host:path
	}
	f, ok := Written(p)
	if ok {
		f.Rule, f.Word = "output."+f.Rule, h.at+word
		h.v.merge(Verdict{Level: f.Level, Flags: f.Flags, Known: true, Scope: f.Scope, Findings: []Finding{f}})
	}
	return ok
}

// outputs looks at the values of options that are called as those for the output
// are everywhere, where the map does not say what they are. A name proves little:
// only what is more than a file counts.
func (h *hand) outputs() {
	for _, u := range h.b.Flags {
		switch {
		case u.Flag != nil && u.ValueWord >= 0 && u.Flag.Role == "" && outputName(u.Flag.ID), u.Flag == nil && u.ValueWord >= 0 && u.Name == "--output":
			h.special(u.Value, u.ValueWord)
		case u.Flag == nil && u.ValueWord < 0 && (u.Name == "-o" || u.Name == "--output") && u.Word+1 < len(h.b.Words):
			h.special(h.b.Words[u.Word+1], u.Word+1)
		}
	}
}

// outputName reports whether the ID of an option is one that options for the output
// have.
func outputName(id string) bool {
	switch id {
	case "o", "O", "out", "output", "outfile", "output-file", "output-document":
		return true
	}
	return false
}
