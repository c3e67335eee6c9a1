package line

import (
	"path"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/risk"
	"github.com/tool-mapping-protocol/tmp/internal/risk/syspath"
	"github.com/tool-mapping-protocol/tmp/internal/shline"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// redirect judges one redirection. empties says that the command writes
// nothing, so that overwriting a file leaves it empty.
func (r *run) redirect(c *command, d *redirect, empties bool) {
	op := strings.TrimLeft(d.op, "0123456789")
	if !strings.Contains(op, ">") {
		return
	}
	target := d.target.Text
	if target == "" || strings.HasPrefix(d.target.Raw, ">(") || (op == ">&" || op == "<&") && isFD(target) {
		return
	}
	f := Finding{Span: r.text.at(d.start, d.target.End), Level: tcpdb.Medium, Flags: tcpdb.FileModification, Scope: tcpdb.NamedFiles}
	appends := strings.Contains(op, ">>")
	p := path.Clean(target)
	special, sensitive := risk.Written(target)
	switch {
	case syspath.IsHarmless(p):
		return
	case strings.HasPrefix(p, "/dev/tcp/"), strings.HasPrefix(p, "/dev/udp/"):
		f.Level, f.Flags, f.Scope = tcpdb.High, tcpdb.NetworkAccess, tcpdb.Remote
		f.Rule, f.Reason = "redirect.network", "opens a connection"
		if r.startsShell(c) {
			f.Flags |= tcpdb.PrivilegeEscalation
			f.Reason = "gives a shell to another machine"
		}
	case sensitive:
		f.Level, f.Flags, f.Scope, f.Rule, f.Reason = special.Level, special.Flags, special.Scope, "redirect."+special.Rule, special.Reason
	case appends && syspath.IsStartup(target):
		f.Level, f.Rule, f.Reason = tcpdb.High, "redirect.startup", "appends to a start-up file, which every new shell runs"
	case appends:
		f.Rule, f.Reason = "redirect.append", "appends to a file"
	case syspath.IsStartup(target):
		f.Level, f.Rule, f.Reason = tcpdb.High, "redirect.startup", "overwrites a start-up file"
	case empties && op != "<>":
		f.Level, f.Flags = tcpdb.High, tcpdb.FileModification|tcpdb.Destructive
		f.Rule, f.Reason = "redirect.empty", "empties a file"
	default:
		f.Rule, f.Reason = "redirect.overwrite", "overwrites a file"
	}
	if f.Rule == "redirect.overwrite" && op != "<>" {
		if len(c.redirs) <= maxWrites {
			f.Writes = r.written1(&d.target)
		}
		f.Stake = tcpdb.Stake{Fact: tcpdb.WritesFact}
		if len(c.redirs) <= maxWrites && r.ownInput(c, &d.target) {
			f.Rule, f.Reason, f.Safer = "redirect.own-input", "empties the file that it reads, before it is read", "sponge"
			f.Stake = tcpdb.Stake{Loss: tcpdb.Content, Fact: tcpdb.DeletesFact, Asking: tcpdb.Key}
			f.Targets = r.targets(&d.target, r.moved(false), false)
		}
	}
	if f.Level >= tcpdb.High {
		if f.Stake = stakeOf(f.Rule); appends {
			f.Stake = tcpdb.Stake{Asking: tcpdb.Key}
		}
		f.Targets, f.Earlier = r.targets(&d.target, r.moved(false), false), r.earlier()
	}
	r.add(f)
}

// startsShell reports whether a command is a shell, or opens a connection for the
// whole line, in which a shell then starts: exec 5<>/dev/tcp/…; sh <&5.
func (r *run) startsShell(c *command) bool {
	shell := func(c *command) bool {
		return len(c.words) > 0 && r.language(c.words[0].Text) == shellLanguage && !names(c.words[0].Text, "at", "batch")
	}
	if len(c.words) != 1 || c.words[0].Text != "exec" {
		return shell(c)
	}
	for i := range r.program.commands {
		if shell(&r.program.commands[i]) {
			return true
		}
	}
	return false
}

// isFD reports whether the target of >& is a descriptor ("1", "-", "2-").
func isFD(s string) bool {
	return strings.Trim(strings.TrimSuffix(s, "-"), "0123456789") == ""
}

// written1 is what a redirection writes anew.
func (r *run) written1(w *shline.Word) (out []Write) {
	for _, t := range r.targets(w, r.handed(false), false) {
		out = append(out, r.wherever(t)...)
	}
	return out
}

// stakeOf is what is at stake with a redirection from HIGH up.
func stakeOf(rule string) tcpdb.Stake {
	switch rule {
	case "redirect.empty":
		return tcpdb.Stake{Loss: tcpdb.Content, Fact: tcpdb.DeletesFact}
	case "redirect.startup":
		return tcpdb.Stake{Loss: tcpdb.Content, Reach: tcpdb.OwnReach}
	}
	return tcpdb.Stake{}
}
