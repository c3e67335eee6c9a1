package ask

import (
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/risk/line"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// stake is what is at stake with a finding here: what the map says of it, settled
// by the facts. why says what makes it less, or what would be lost.
func (f *Facts) stake(g *line.Finding) (s Stake, why string) {
	s = static(g)
	if settled, reason, ok := f.settle(g); ok {
		s.Loss, why = settled.Loss, reason
		if settled.Reach != tcpdb.UnknownReach {
			s.Reach = settled.Reach
		}
	}
	if place := f.production(g); place != "" {
		s.Reach = tcpdb.ProductionReach
		why = join("in the production context "+place, why)
	}
	return s, why
}

// static is what the map says of a finding.
func static(g *line.Finding) Stake {
	s := Stake{Loss: g.Stake.Loss, Reach: g.Stake.Reach, Named: g.Stake.Asking, Level: g.Level}
	if s.Reach == tcpdb.UnknownReach {
		s.Reach = reachOf(g.Scope)
	}
	s.Wide = g.Scope > tcpdb.NamedFiles || handed(g)
	return s
}

func join(a, b string) string {
	if b == "" {
		return a
	}
	return a + "; " + b
}

// reachOf is whose it is that a command of a scope acts on, where nobody says.
func reachOf(s tcpdb.Scope) tcpdb.Reach {
	switch s {
	case tcpdb.Remote:
		return tcpdb.SharedReach
	case tcpdb.Device, tcpdb.System:
		return tcpdb.MachineReach
	}
	return tcpdb.OwnReach
}

// settle looks at what the loss of a finding depends on; ok is false where that
// says nothing.
func (f *Facts) settle(g *line.Finding) (s tcpdb.Stake, why string, ok bool) {
	switch {
	case g.Key == "kill" && jobs(g.Targets):
		return tcpdb.Stake{Loss: tcpdb.Outage, Reach: tcpdb.OwnReach}, "it is a job of this shell", true
	case g.Key == "chmod" && permits(g):
		return tcpdb.Stake{Loss: tcpdb.Recoverable}, "chmod takes it back", true
	case (g.Key == "git rebase" || g.Key == "git commit" || movesBranch(g)) && g.Level < tcpdb.Critical:
		return tcpdb.Stake{Loss: tcpdb.Recoverable}, "git reflog has what was before", true
	case strings.HasPrefix(g.Key, "git ") && (g.Elsewhere || elsewhere(g.Form)):
		return s, "", false
	case g.Key == "git clean":
		return f.cleans(g)
	case restores(g):
		if f.Clean != nil && known(g.Targets) && !f.rewritten(g, paths(g)) && f.Clean(paths(g)) {
			return tcpdb.Stake{Loss: tcpdb.NoLoss}, "nothing differs from the last commit", true
		}
		return tcpdb.Stake{Loss: tcpdb.Content}, "", true
	case !deletes(g) && !finds(g) || f.Loss == nil || len(g.Targets) > mostTargets:
		return s, "", false
	}
	targets := deleted(g)
	if !f.named(targets) {
		return tcpdb.Stake{Loss: tcpdb.Content}, "", true
	}
	if len(targets) == 0 {
		if !finds(g) || g.Elsewhere {
			return tcpdb.Stake{Loss: tcpdb.Content}, "", true
		}
		targets = []line.Target{{Path: ".", Known: true}}
	}
	var losses []Loss
	for _, t := range targets {
		loss := f.fate(g, t)
		losses = append(losses, loss)
		if loss.Fate == Lost {
			break
		}
	}
	s, why = together(losses...)
	return s, why, true
}

// together is the stake of several targets: of the worst of them.
func together(losses ...Loss) (s tcpdb.Stake, why string) {
	s.Loss = tcpdb.NoLoss
	var fates [Nothing + 1]bool
	for _, loss := range losses {
		if loss.Fate == Lost {
			if loss.Path != "" {
				why = loss.Path + " is " + loss.Why
			}
			return tcpdb.Stake{Loss: tcpdb.Content}, why
		}
		fates[loss.Fate] = true
	}
	for fate, loss := range [...]tcpdb.Loss{InGit: tcpdb.Recoverable, Rebuilt: tcpdb.Rebuildable, Temporary: tcpdb.Rebuildable, Nothing: tcpdb.NoLoss} {
		if fates[fate] {
			s.Loss = max(s.Loss, loss)
			why = join([...]string{
				InGit: "git has it unchanged", Rebuilt: "git ignores it and a build makes it again", Temporary: "it is temporary",
				Nothing: "there is nothing of it",
			}[fate], why)
		}
	}
	return s, why
}
