package ask

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/risk/line"
	"github.com/tool-mapping-protocol/tmp/internal/risk/syspath"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// branches settles the deletion of branches: of one that is merged, or that its
// upstream has, nothing is lost.
func (f *Facts) branches(g *line.Finding, s *settled) {
	if f.Branch == nil || g.Elsewhere || elsewhere(g.Form) || len(g.Targets) == 0 || !known(g.Targets) || g.Earlier.Any() && g.Earlier.All {
		return
	}
	var losses []Loss
	for _, t := range g.Targets {
		losses = append(losses, f.Branch(t.Path, ""))
	}
	f.together(s, losses)
	if s.Loss == tcpdb.Recoverable {
		s.Loss, s.Why = tcpdb.NoLoss, "its commits are on another branch too"
	}
}

// pushes settles a push that overwrites or deletes branches of a remote: one's own
// branch is one's own; what main and its like hold is everybody's.
func (f *Facts) pushes(g *line.Finding, s *settled) {
	s.Wide = false
	names, deletes, ok := f.pushed(g)
	if !ok {
		return
	}
	for _, name := range names {
		if protectedBranch(name) {
			s.Reach, s.Why = tcpdb.SharedReach, "the branch "+name+" is everybody's"
			return
		}
	}
	if !deletes {
		s.Loss, s.Reach, s.Why = tcpdb.Recoverable, tcpdb.OwnReach, "it is your own branch, and git reflog has what was before"
		return
	}
	if f.Branch == nil {
		return
	}
	for _, name := range names {
		if loss := f.Branch(name, remoteOf(g)); loss.Fate == Lost {
			s.Reach, s.Why = tcpdb.SharedReach, "not all of "+name+" is on another branch"
			return
		}
	}
	s.Loss, s.Reach, s.Why = tcpdb.NoLoss, tcpdb.OwnReach, "its commits are on another branch too"
}

// remoteOf is the remote of a push.
func remoteOf(g *line.Finding) string {
	if len(g.Targets) > 0 {
		return g.Targets[0].Path
	}
	return "origin"
}

// leaves settles what sends the repository to a URL: one where it goes anyway takes
// nothing away from here.
func (f *Facts) leaves(g *line.Finding, s *settled) {
	if f.HasRemote == nil || len(g.Targets) == 0 || g.Elsewhere || elsewhere(g.Form) {
		return
	}
	if url := g.Targets[0].Path; f.HasRemote(url) {
		s.Loss, s.Why = tcpdb.NoLoss, "it is a place where the repository goes anyway"
	} else {
		s.Why = "no remote of the repository leads to " + url
	}
}

// pushed names the branches of the remote that a push overwrites or deletes; ok is
// false where that may be any.
func (f *Facts) pushed(g *line.Finding) (names []string, deletes, ok bool) {
	options := strings.Fields(g.Form)
	has := func(o string) bool {
		return slices.ContainsFunc(options, func(w string) bool { return w == o || strings.HasPrefix(w, o+"=") })
	}
	if !known(g.Targets) || g.Elsewhere || elsewhere(g.Form) || has("--mirror") || has("--all") || has("--prune") || has("--branches") || has("--tags") {
		return nil, false, false
	}
	deletes = has("--delete") || has("-d")
	for _, t := range g.Targets[min(1, len(g.Targets)):] {
		spec := strings.TrimPrefix(t.Path, "+")
		from, to, pair := strings.Cut(spec, ":")
		switch {
		case pair && from == "":
			deletes = true
		case !pair:
			to = from
		}
		to = strings.TrimPrefix(to, "refs/heads/")
		if to == "HEAD" || to == "@" {
			to = ""
			if f.Around != nil {
				to, _ = f.Around(GitBranch)
			}
		}
		if to == "" || strings.Contains(to, "*") {
			return nil, deletes, false
		}
		names = append(names, to)
	}
	if len(names) == 0 {
		if f.Around == nil {
			return nil, deletes, false
		}
		branch, known := f.Around(GitBranch)
		if !known || branch == "" {
			return nil, deletes, false
		}
		names = append(names, branch)
	}
	return names, deletes, true
}

// protectedBranch reports whether a branch is one that others build on.
func protectedBranch(name string) bool {
	switch name {
	case "main", "master", "trunk", "develop", "production", "prod", "stable":
		return true
	}
	return strings.HasPrefix(name, "release/") || strings.HasPrefix(name, "release-") || strings.HasPrefix(name, "hotfix/")
}

// processes settles what signals processes: one's own are one's own to end.
func (f *Facts) processes(g *line.Finding, s *settled) {
	s.Wide = false
	operands := g.Targets
	if jobs(operands) {
		s.Reach, s.Why = tcpdb.OwnReach, "it is a job of this shell"
		return
	}
	s.Reach = tcpdb.MachineReach
	if len(operands) == 0 || slices.ContainsFunc(operands, func(t line.Target) bool { return t.Path == "-1" || t.Path == "1" || t.Path == "." }) {
		s.Named = tcpdb.Key // all of them, or the one that all hang on
	}
	if away(g) {
		return
	}
	all := len(operands) > 0
	for _, t := range operands {
		switch {
		case strings.HasPrefix(t.Path, "%") || t.Path == "$!" || t.Path == "${!}":
		case strings.Trim(t.Path, "0123456789") == "" && t.Path != "":
			all = all && f.OwnProcess != nil && t.Path != "1" && t.Path != "0" && f.OwnProcess(t.Path)
		default:
			all = all && f.ownName(g, t.Path)
		}
	}
	if all {
		s.Reach = tcpdb.OwnReach
	}
}

// ownName reports whether a name of processes is that of one program, and not a
// pattern that fits many. Who is not root reaches none but the own ones; root says
// which one is meant.
func (f *Facts) ownName(g *line.Finding, name string) bool {
	if len(name) < 3 || strings.ContainsAny(name, "*.|[($`") && !strings.Contains(name, "/") && strings.Trim(name, ".*|[]()^$") == "" {
		return false
	}
	if strings.ContainsAny(name, "$`") {
		return g.Key == "kill" && !f.Root // a number that is worked out
	}
	if slices.Contains(essential[:], name) {
		return false
	}
	form := " " + g.Form + " "
	return !strings.Contains(form, " -u=root") && !strings.Contains(form, "--euid=root") && !strings.HasPrefix(g.Form, "sudo") && !strings.HasPrefix(g.Form, "doas")
}

// essential are processes that a session stands on, also where they are the user's.
var essential = [...]string{"init", "systemd", "sshd", "login", "getty", "dbus-daemon", "Xorg", "gnome-shell", "plasmashell"}

// mode settles what gives files other rights or other owners: less of them is no
// loss, rights for all to write or to a secret are an exposure, and what the system
// stands on is not to be closed to it.
func (f *Facts) mode(g *line.Finding, s *settled) {
	vital := func(t line.Target) bool { return syspath.IsVital(t.Path) }
	// --reference takes the place of the mode or the owner.
	if strings.Contains(g.Form, " --reference=") {
		if slices.ContainsFunc(g.Targets, vital) {
			s.Loss, s.Reach, s.Why, s.Named = tcpdb.Outage, tcpdb.MachineReach, "the system stands on it as it is", tcpdb.Key
		}
		return
	}
	if !strings.HasPrefix(g.Rule, "chmod") {
		if len(g.Targets) > 1 && slices.ContainsFunc(g.Targets[1:], vital) {
			s.Loss, s.Reach, s.Why, s.Named = tcpdb.Outage, tcpdb.MachineReach, "the system stands on it as it is", tcpdb.Key
		}
		return
	}
	mode, files, ok := modeOf(g)
	if !ok {
		return
	}
	secret := slices.ContainsFunc(files, func(t line.Target) bool { return syspath.IsSecret(t.Path) })
	switch opens := opens(mode); {
	case opens == toOthers && secret && f.tighter(mode, files):
		s.Loss, s.Why = tcpdb.NoLoss, "nobody gets a right that they do not have"
	case opens == sets:
		s.Loss, s.Reach, s.Why = tcpdb.Exposure, tcpdb.OwnReach, "whoever runs it has the rights of its owner"
	case opens == forAll, opens == toOthers && secret:
		s.Loss, s.Reach, s.Why = tcpdb.Exposure, tcpdb.OwnReach, "others may write to it"
		if secret {
			s.Why = "others may read a secret"
		}
	case slices.ContainsFunc(files, vital):
		s.Loss, s.Reach, s.Why, s.Named = tcpdb.Outage, tcpdb.MachineReach, "the system stands on it as it is", tcpdb.Key
	case opens == tightens:
		s.Loss, s.Why = tcpdb.NoLoss, "it takes rights away"
	case opens != unsure:
		s.Loss, s.Why = tcpdb.Recoverable, "chmod takes it back"
		if g.Scope == tcpdb.Tree && !f.below(files) {
			s.Loss, s.Why = tcpdb.UnknownLoss, ""
		}
	}
}

// tighter reports whether a mode in digits gives nobody but the owner of files a right
// that they do not have.
func (f *Facts) tighter(mode string, files []line.Target) bool {
	to, err := strconv.ParseUint(mode, 8, 32)
	return err == nil && f.Rights != nil && !slices.ContainsFunc(files, func(t line.Target) bool {
		has, ok := f.Rights(t)
		return !ok || uint32(to)&0o77&^has != 0
	})
}

// below reports whether files are all within the working directory.
func (f *Facts) below(files []line.Target) bool {
	return f.Inside != nil && !slices.ContainsFunc(files, func(t line.Target) bool { return t.Path != "." && t.Path != "./" && !t.Glob && !f.Inside(t) })
}

// opening is what a mode does to rights.
type opening uint8

const (
	unsure   opening = iota
	tightens         // takes rights away, or leaves them to the owner alone
	ordinary         // others may read or run it
	toOthers         // others may read it
	forAll           // others may write to it
	sets             // setuid, setgid
)

// modeOf takes the arguments of chmod apart.
func modeOf(g *line.Finding) (mode string, files []line.Target, ok bool) {
	if len(g.Targets) < 1 {
		return "", nil, false
	}
	if len(g.Targets) == 1 { // chmod -x f: the mode looks like an option
		for _, o := range strings.Fields(g.Form) {
			if m := strings.TrimLeft(o, "-"); o != m && m != "" && strings.Trim(m, "rwxXst") == "" {
				return "-" + m, g.Targets, true
			}
		}
		return "", nil, false
	}
	return g.Targets[0].Path, g.Targets[1:], true
}

// opens tells what a mode does.
func opens(mode string) opening {
	if strings.Trim(mode, "01234567") == "" && len(mode) >= 3 && len(mode) <= 4 {
		if len(mode) == 4 {
			if mode[0] != '0' && mode[0] != '1' {
				return sets
			}
			mode = mode[1:]
		}
		switch group, others := mode[1]-'0', mode[2]-'0'; {
		case others&2 != 0:
			return forAll
		case group == 0 && others == 0:
			return tightens
		case others&4 != 0 || group&6 != 0:
			return toOthers
		}
		return ordinary
	}
	worst := tightens
	for clause := range strings.SplitSeq(mode, ",") {
		i := strings.IndexAny(clause, "+-=")
		if i < 0 {
			return unsure
		}
		who, rights := clause[:i], clause[i+1:]
		others := who == "" || strings.ContainsAny(who, "oa")
		switch {
		case clause[i] == '-', clause[i] == '=' && (rights == "" || !others && !strings.Contains(who, "g")):
		case strings.ContainsAny(rights, "st"):
			worst = max(worst, sets)
		case others && who != "" && strings.Contains(rights, "w"):
			worst = max(worst, forAll)
		case others && who != "" && strings.Contains(rights, "r"), strings.Contains(who, "g"):
			worst = max(worst, toOthers)
		default:
			worst = max(worst, ordinary)
		}
	}
	return worst
}
