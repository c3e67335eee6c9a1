package ask

import (
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/risk/line"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// settled is what the facts make of a stake.
type settled struct {
	Stake
	// Why says what makes it less, or what would be lost; How to get it back.
	Why string
	// Place is the place of production that it is about, "" for none.
	Place string
}

// stake is what is at stake with a finding here: what the map says of it, settled
// by the facts.
func (f *Facts) stake(g *line.Finding) settled {
	s := settled{Stake: static(g)}
	if g.Call != nil || g.Key != "" {
		s.Reach, s.Place = f.placed(g, s.Reach)
	}
	if s.Loss == tcpdb.Outage && s.Reach == tcpdb.OwnReach && g.Scope == tcpdb.Remote && elevated(g) {
		s.Reach = tcpdb.SharedReach // as root it reaches what others run there
	}
	f.settle(g, &s)
	if s.Why == "" {
		s.Why = lost(s.Stake)
	}
	if s.Place != "" {
		s.Why = join("in production: "+s.Place, s.Why)
	}
	return s
}

// elevated reports whether a command runs with the rights of another user.
func elevated(g *line.Finding) bool {
	tool, _, _ := strings.Cut(g.Form, " ")
	return tool == "sudo" || tool == "doas"
}

// lost says what would be lost, where the facts say no more of it.
func lost(s Stake) string {
	switch {
	case s.Loss == tcpdb.Content && s.Level >= tcpdb.High:
		return "as far as is known, it is nowhere else"
	case s.Loss == tcpdb.Exposure:
		return "what is seen once cannot be taken back"
	case s.Loss == tcpdb.Outage && s.Wide:
		return "it does not come back by itself"
	}
	return ""
}

// static is what the map says of a finding.
func static(g *line.Finding) Stake {
	s := Stake{Loss: g.Stake.Loss, Reach: g.Stake.Reach, Named: g.Stake.Asking, Level: g.Level}
	if s.Reach == tcpdb.UnknownReach {
		s.Reach = reachOf(g.Scope)
	}
	if s.Loss == tcpdb.UnknownLoss && s.Named == tcpdb.NoAsking && g.Stake.Fact == tcpdb.NoFact && g.Level >= tcpdb.High && g.Flags&tcpdb.Destructive != 0 {
		s.Loss = tcpdb.Content // what destroys loses something, though nobody has said what
		if g.Level >= tcpdb.Critical && g.Scope != tcpdb.NamedFiles {
			s.Named = tcpdb.Word
		}
	}
	s.Wide = g.Scope == tcpdb.Tree || g.Scope == tcpdb.Device || handed(g) || g.Stake.Fact == tcpdb.DropsFact || s.Loss == tcpdb.Content && recursive(g.Form)
	return s
}

// recursive reports whether a form has an option by which a command takes all below
// what it is given, by the names that such options have.
func recursive(form string) bool {
	for o := range strings.FieldsSeq(form) {
		if o == "--recursive" || o == "-r" || o == "-R" {
			return true
		}
	}
	return false
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

// settle looks at what the loss of a finding depends on. What cannot be told
// stays as the map has it, which is the worse.
func (f *Facts) settle(g *line.Finding, s *settled) {
	switch g.Stake.Fact {
	case tcpdb.DeletesFact:
		f.deletes(g, s, deleted(g))
	case tcpdb.FindsFact:
		f.finds(g, s)
	case tcpdb.RestoresFact:
		f.restores(g, s)
	case tcpdb.CleansFact:
		f.cleans(g, s)
	case tcpdb.WritesFact, tcpdb.EditsFact:
		f.writes(g, s)
	case tcpdb.MirrorsFact:
		f.mirrors(g, s)
	case tcpdb.UnpacksFact:
		f.unpacks(g, s)
	case tcpdb.BranchFact:
		f.branches(g, s)
	case tcpdb.PushFact:
		f.pushes(g, s)
	case tcpdb.RemoteFact:
		f.leaves(g, s)
	case tcpdb.ProcessFact:
		f.processes(g, s)
	case tcpdb.ModeFact:
		f.mode(g, s)
	case tcpdb.VenvFact:
		f.venv(s)
	}
	if s.Loss == tcpdb.Recoverable && s.Why == "" {
		s.Why = recovered(g, s.Reach)
	}
}

// recovered says of what the map knows to come back how that is.
func recovered(g *line.Finding, r tcpdb.Reach) string {
	switch {
	case g.Stake.Fact == tcpdb.VenvFact:
		return "packages can be installed and removed again"
	case strings.HasPrefix(g.Key, "git ") && g.Scope == tcpdb.History:
		return "git reflog has what was before"
	case r == tcpdb.MachineReach:
		return "a second command takes it back"
	case r == tcpdb.OwnReach:
		return "it can be taken back"
	}
	return ""
}

// deletes settles what takes files away.
func (f *Facts) deletes(g *line.Finding, s *settled, targets []line.Target) {
	if s.Loss == tcpdb.UnknownLoss {
		s.Loss = tcpdb.Content
	}
	if f.Loss == nil || len(targets) == 0 || len(targets) > mostTargets || !f.named(targets) || away(g) {
		return
	}
	f.together(s, f.fates(g, targets))
}

// fates are those of targets, up to the first that is lost.
func (f *Facts) fates(g *line.Finding, targets []line.Target) (losses []Loss) {
	for _, t := range targets {
		loss := f.fate(g, t)
		losses = append(losses, loss)
		if loss.Fate == Lost {
			break
		}
	}
	return losses
}

// away reports whether a command runs on another machine, so that nothing here
// says what it finds there.
func away(g *line.Finding) bool {
	return g.Call != nil && len(g.Call.Parts) > 1 && g.Call.Parts[0].Away && len(g.Call.Parts[0].Places) > 0
}

// together is the stake of several targets: of the worst of them.
func (f *Facts) together(s *settled, losses []Loss) {
	s.Loss = tcpdb.NoLoss
	var fates [Nothing + 1]bool
	for _, loss := range losses {
		if loss.Fate == Lost {
			s.Loss = tcpdb.Content
			if loss.Path != "" {
				s.Why = loss.Path + " is " + loss.Why
			}
			return
		}
		fates[loss.Fate] = true
	}
	for fate, loss := range [...]tcpdb.Loss{InGit: tcpdb.Recoverable, Rebuilt: tcpdb.Rebuildable, Temporary: tcpdb.Rebuildable, Nothing: tcpdb.NoLoss} {
		if fates[fate] {
			s.Loss = max(s.Loss, loss)
			s.Why = join([...]string{
				InGit: "git has it unchanged", Rebuilt: "git ignores it and a build makes it again", Temporary: "it is temporary",
				Nothing: "there is nothing of it",
			}[fate], s.Why)
		}
	}
}

// finds settles a find that deletes: below its arguments, what has the name that
// it looks for.
func (f *Facts) finds(g *line.Finding, s *settled) {
	if !plainFind(g) || f.Loss == nil || len(g.Targets) > mostTargets || !f.named(g.Targets) || away(g) {
		return
	}
	targets := g.Targets
	if len(targets) == 0 {
		if g.Elsewhere {
			return
		}
		targets = []line.Target{{Path: ".", Known: true}}
	}
	f.together(s, f.fates(g, targets))
}

// restores settles what gives tracked files another content.
func (f *Facts) restores(g *line.Finding, s *settled) {
	if f.Clean == nil || g.Elsewhere || elsewhere(g.Form) || away(g) {
		return
	}
	files, ok := restored(g)
	if !ok || !known(files) || f.rewritten(g, files) || !f.Clean(files) {
		return
	}
	s.Loss, s.Why = tcpdb.NoLoss, "nothing differs from the last commit"
	if g.Key == "git reset" && len(g.Targets) == 1 && g.Targets[0].Path != "HEAD" && g.Targets[0].Path != "@" {
		s.Loss, s.Why = tcpdb.Recoverable, "git reflog has what was before"
	}
}

// cleans settles git clean by what it would take away.
func (f *Facts) cleans(g *line.Finding, s *settled) {
	if f.Cleaned == nil || g.Elsewhere || elsewhere(g.Form) || !known(g.Targets) || f.rewritten(g, g.Targets) || !strings.HasPrefix(g.Form, "git clean") {
		return
	}
	// With a path -d counts for nothing (git-clean(1)).
	c := Clean{Untracked: true, Directories: len(g.Targets) > 0}
	for _, o := range strings.Fields(g.Form)[2:] {
		switch o {
		case "-d":
			c.Directories = true
		case "-x":
			c.Ignored = true
		case "-X":
			c.Ignored, c.Untracked = true, false
		case "--force", "--quiet", "-f", "-q":
		default:
			return
		}
	}
	f.together(s, []Loss{f.Cleaned(g.Targets, c)})
}

// writes settles what writes files anew: of those that are there, and that nobody
// has, the worst. A file below HIGH that is the output of some run is of no value.
func (f *Facts) writes(g *line.Finding, s *settled) {
	writes := g.Writes
	if g.Stake.Fact == tcpdb.EditsFact {
		for _, t := range g.Targets {
			writes = append(writes, line.Write{Target: t})
		}
	}
	if g.Stake.Fact == tcpdb.EditsFact && len(writes) == 0 && handed(g) {
		writes = []line.Write{{Target: line.Target{Handed: true, Known: !g.Elsewhere}}}
	}
	if len(writes) == 0 || f.Overwritten == nil || away(g) {
		if g.Stake.Fact == tcpdb.WritesFact && g.Stake.Loss == tcpdb.UnknownLoss && g.Level < tcpdb.High {
			s.Loss = tcpdb.UnknownLoss
		}
		return
	}
	var losses []Loss
	for _, w := range writes {
		if w.Handed {
			losses = append(losses, f.handedOver(g, w.Known)...)
			continue
		}
		if w.Glob && g.Stake.Fact == tcpdb.EditsFact && f.Loss != nil {
			losses = append(losses, f.Loss(w.Target))
			continue
		}
		loss := f.Overwritten(w, g.Stake.Fact == tcpdb.EditsFact || g.Level >= tcpdb.High)
		losses = append(losses, loss)
		if loss.Fate == Lost && loss.Path != "" {
			break
		}
	}
	if g.Stake.Loss != tcpdb.UnknownLoss && g.Stake.Fact == tcpdb.WritesFact && g.Level >= tcpdb.Critical {
		f.together(s, losses)
		return
	}
	f.together(s, losses)
	s.Wide = s.Wide && g.Level >= tcpdb.High
}

// handedOver is the fate of files that another command finds or lists: of those that
// have a name of the pattern that it looks for, else of all that git tracks. Which
// others they are nobody sees.
func (f *Facts) handedOver(g *line.Finding, here bool) (losses []Loss) {
	switch {
	case g.Only != "" && f.Found != nil && known(g.Targets) && here && len(g.Targets) <= mostTargets:
		targets := g.Targets
		if len(targets) == 0 {
			targets = []line.Target{{Path: ".", Known: true}}
		}
		return f.fates(g, targets)
	case f.Clean != nil && here && !f.rewritten(g, nil) && f.Clean(nil):
		if !listedByGit(g) && (f.Cleaned == nil || f.Cleaned(nil, Clean{Untracked: true, Ignored: true, Directories: true}).Fate == Lost) {
			break // it may be among what git does not have
		}
		return []Loss{{Fate: InGit}}
	}
	return []Loss{{}}
}

// listedByGit reports whether git lists the files that a command is handed, so that
// they are those that it tracks.
func listedByGit(g *line.Finding) bool {
	if g.Call == nil || len(g.Call.Input) != 1 {
		return false
	}
	s := g.Call.Input[0]
	if strings.HasPrefix(s, "git ls-files ") {
		return !strings.Contains(s, " -o") && !strings.Contains(s, " --o") // --others
	}
	return strings.HasPrefix(s, "git grep ") && strings.Contains(s, " -l") || strings.HasPrefix(s, "git diff --name-only ")
}

// venv settles what changes packages: of an environment of its own it is nobody
// else's.
func (f *Facts) venv(s *settled) {
	if f.Env == nil || s.Loss != tcpdb.Recoverable {
		return
	}
	if len(f.Env([]string{"VIRTUAL_ENV", "CONDA_PREFIX"})) > 0 {
		s.Reach, s.Why = min(s.Reach, tcpdb.OwnReach), "it is in an environment of its own"
	}
}

// unpacks settles what writes files that nobody sees into a directory: into one that
// is not there, nothing is lost.
func (f *Facts) unpacks(g *line.Finding, s *settled) {
	for _, o := range strings.Fields(g.Form) {
		name, value, ok := strings.Cut(o, "=")
		if ok && (name == "-d" || name == "-o" || name == "--directory") && f.Loss != nil && !strings.ContainsAny(value, "$`*?") {
			f.together(s, []Loss{f.Loss(line.Target{Path: value, Known: !g.Elsewhere})})
		}
	}
}

// mirrors settles what makes its last argument the same as another: what that holds
// is gone.
func (f *Facts) mirrors(g *line.Finding, s *settled) {
	if len(g.Targets) < 2 {
		return
	}
	t := g.Targets[len(g.Targets)-1]
	host, _, remote := strings.Cut(t.Path, ":")
	if remote && !strings.Contains(host, "/") {
		s.Reach = max(s.Reach, tcpdb.SharedReach)
		if f.Settings.production(host[strings.LastIndexByte(host, '@')+1:]) {
			s.Reach, s.Place = tcpdb.ProductionReach, "host "+host
		}
		return
	}
	f.deletes(g, s, []line.Target{t})
}
