package line

import (
	"path"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/risk"
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
	if target == "" || (op == ">&" || op == "<&") && isFD(target) {
		return
	}
	f := Finding{Span: r.text.at(d.start, d.target.End), Level: tcpdb.Medium, Flags: tcpdb.FileModification, Scope: tcpdb.NamedFiles}
	appends := strings.Contains(op, ">>")
	p := path.Clean(target)
	switch {
	case harmlessTarget(p):
		return
	case strings.HasPrefix(p, "/dev/tcp/"), strings.HasPrefix(p, "/dev/udp/"):
		f.Level, f.Flags, f.Scope = tcpdb.High, tcpdb.NetworkAccess, tcpdb.Remote
		f.Rule, f.Reason = "redirect.network", "opens a connection"
		if len(c.words) > 0 && language(c.words[0].Text) == shellLanguage {
			f.Flags |= tcpdb.PrivilegeEscalation
			f.Reason = "gives a shell to another machine"
		}
	case risk.IsDevice(target):
		f.Level, f.Flags, f.Scope = tcpdb.Critical, tcpdb.Destructive, tcpdb.Device
		f.Rule, f.Reason = "redirect.device", "writes over a device"
	case p == "/proc/sysrq-trigger":
		f.Level, f.Flags, f.Scope = tcpdb.Critical, tcpdb.Destructive|tcpdb.SystemModification, tcpdb.System
		f.Rule, f.Reason = "redirect.sysrq", "acts on the kernel at once"
	case risk.IsAccount(target):
		f.Level, f.Flags, f.Scope = tcpdb.Critical, tcpdb.FileModification|tcpdb.PrivilegeEscalation|tcpdb.Destructive, tcpdb.System
		f.Rule, f.Reason = "redirect.accounts", "changes the account database"
	case strings.HasSuffix(p, "/authorized_keys"), strings.HasSuffix(p, "/authorized_keys2"),
		p == "/etc/sudoers", strings.HasPrefix(p, "/etc/sudoers.d/"), p == "/etc/doas.conf":
		f.Level, f.Flags, f.Scope = tcpdb.High, tcpdb.FileModification|tcpdb.PrivilegeEscalation, tcpdb.System
		f.Rule, f.Reason = "redirect.access", "changes who may do what"
	case risk.RunsLater(target):
		f.Level, f.Flags, f.Scope = tcpdb.High, tcpdb.FileModification|tcpdb.SystemModification, tcpdb.System
		f.Rule, f.Reason = "redirect.runs", "writes what the system runs by itself"
	case risk.IsKernel(target):
		f.Level, f.Flags, f.Scope = tcpdb.High, tcpdb.FileModification|tcpdb.SystemModification, tcpdb.System
		f.Rule, f.Reason = "redirect.kernel", "changes the running kernel"
	case appends:
		f.Rule, f.Reason = "redirect.append", "appends to a file"
		if risk.IsStartup(target) {
			f.Reason = "appends to a start-up file"
		}
	case risk.IsStartup(target):
		f.Level, f.Rule, f.Reason = tcpdb.High, "redirect.startup", "overwrites a start-up file"
	case empties && op != "<>":
		f.Level, f.Flags = tcpdb.High, tcpdb.FileModification|tcpdb.Destructive
		f.Rule, f.Reason = "redirect.empty", "empties a file"
	default:
		f.Rule, f.Reason = "redirect.overwrite", "overwrites a file"
	}
	if f.Level >= tcpdb.High {
		f.Targets = []Target{r.target(&d.target, r.moved(false), false)}
	}
	r.add(f)
}

// isFD reports whether the target of >& is a descriptor ("1", "-", "2-").
func isFD(s string) bool {
	return strings.Trim(strings.TrimSuffix(s, "-"), "0123456789") == ""
}

// harmlessTarget reports whether writing to a path changes nothing that stays.
func harmlessTarget(p string) bool {
	switch p {
	case "/dev/null", "/dev/zero", "/dev/full", "/dev/tty", "/dev/stdout", "/dev/stderr", "/dev/stdin", "/dev/console":
		return true
	}
	return strings.HasPrefix(p, "/dev/fd/") || strings.HasPrefix(p, "/dev/pts/") || strings.HasPrefix(p, "/proc/self/fd/")
}
