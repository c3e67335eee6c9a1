// Package ask decides what Enter does with a verdict: nothing, a note, a
// question, a word to type. Levels are the judge's; how much is asked for them
// depends on what would be lost and whose it is, since a person deletes files
// twenty times a day. It is a pure function of its facts; package facts reads
// them.
package ask

import (
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/risk/line"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Action is what is done with a line, in the order of strictness.
type Action uint8

const (
	Silent    Action = iota // runs, nothing is seen
	Note                    // runs, and a line says why
	Allowable               // y, N or a: a allows this form of the command from now on
	Key                     // y or N
	Word                    // a word is to be typed
	Refuse                  // nobody is asked
)

// String returns the action's name as in the configuration.
func (a Action) String() string {
	return [...]string{"silent", "note", "allowable", "key", "word", "refuse"}[a]
}

// Fate is what becomes of content that a command deletes or overwrites.
type Fate uint8

const (
	Lost      Fate = iota // as far as is known, no one has another copy
	InGit                 // git has it unchanged
	Rebuilt               // git ignores it and a build makes it again
	Temporary             // it lies in a directory for temporary files
	Nothing               // there is nothing of it
)

// Loss is the fate of one target.
type Loss struct {
	Fate Fate
	// Path is what would be lost, the target itself or the first file in it, and
	// Why says what it is: "not in git", "changed"; both "" if nothing is known.
	Path, Why string
}

// Clean says what git clean takes: untracked files, or only the Ignored ones
// (-X), or both (-x), and whether whole directories (-d).
type Clean struct{ Untracked, Ignored, Directories bool }

// Form is what an "a" allows: an operation as it was judged, for one reason, in
// words that a person can read. Two lines of one form differ in nothing that
// decides. See form.
type Form struct {
	Rule, Form string
	// Extent is where it holds; what is allowed for more holds for less.
	Extent Extent
}

// Extent is where an allowance holds.
type Extent uint8

const (
	InDirectory Extent = iota
	InTree             // in the whole work tree
	Everywhere
)

// Who is on whose behalf the line is to run.
type Who uint8

const (
	Person Who = iota
	Agent      // TMP_AGENT_ID is set
	Nobody     // there is no terminal to ask at
)

// Facts are all that a decision rests on. Functions are called only when their
// answer counts; nil ones know nothing.
type Facts struct {
	Who      Who
	Settings Settings
	Loss     func(line.Target) Loss
	// Clean reports whether git has the tracked files at and below the targets
	// (all of the work tree without any) as they are.
	Clean func([]line.Target) bool
	// Touches reports whether what is written at and below the first target may be
	// among the others, in the whole work tree without any.
	Touches func(written line.Target, targets []line.Target) bool
	// Cleaned tells of the first thing that git clean would take away at the
	// targets (here without any) and no one could give back.
	Cleaned func([]line.Target, Clean) Loss
	// Overwritten tells what becomes of a file that is written anew; unless all
	// counts, what runs only put out is of no value.
	Overwritten func(w line.Write, all bool) Loss
	// Branch tells what deleting or moving a branch loses; remote is "" for one here.
	Branch func(name, remote string) Loss
	// HasRemote reports whether a URL leads where a remote of the repository does.
	HasRemote func(url string) bool
	// OwnProcess reports whether a process is the user's own, or there is none.
	OwnProcess func(id string) bool
	// Rights are the nine bits of what who may do with a file.
	Rights func(line.Target) (uint32, bool)
	// Found is Loss of the files with a name of a pattern at and below a target.
	// With split, a name with blanks in it is handed over as several.
	Found   func(t line.Target, pattern string, dirs, split bool) Loss
	Allowed func(Form) bool
	// Inside reports whether a path, links followed, lies below the working
	// directory; nil knows of none.
	Inside func(line.Target) bool
	// Around tells what a surrounding is, "" if there is none; known is false if
	// that cannot be told.
	Around func(Surrounding) (is string, known bool)
	// Env returns the variables of the environment with one of the names, "X=y";
	// a name may end in "*". Values that may be secrets are digests.
	Env func(names []string) []string
	// Root: the shell is root's. Host is this machine's name where the person is
	// on it over SSH, else "".
	Root bool
	Host string
	// Cluster returns the name of the Kubernetes context that kubectl would use, or "".
	Cluster func() string
}

// Item is the decision about one finding.
type Item struct {
	Finding int // index into the verdict's findings
	Action  Action
	Stake   Stake
	// Why says what makes it pass, or what would be lost; "" if there is nothing
	// to say beside the finding's own reason.
	Why string
	// Word is what is to be typed, if the Action is Word.
	Word string
}

// Decision is what is done with a line.
type Decision struct {
	Action Action
	// Enter is what a person at a terminal would be asked: the Action but for
	// those who cannot be asked.
	Enter Action
	Word  string // what is to be typed, if Enter is Word
	Items []Item // one for each finding that counts: from HIGH up, and where content or a secret is at stake
	Forms []Form // what an "a" allows, if the Action is Allowable
	// Code is why an agent or a caller without terminal is refused:
	// "approval_required", "critical", "no_terminal"; "" for a person.
	Code string
}

// Stake is what is at stake with a finding: as it was settled, or where nothing
// was decided about it as the map has it.
func (d *Decision) Stake(findings []line.Finding, i int) Stake {
	for _, it := range d.Items {
		if it.Finding == i {
			return it.Stake
		}
	}
	return static(&findings[i])
}

// Counts reports whether a verdict may call for anything: where it does not,
// nothing is to be read, and Decide says Silent.
func Counts(v *line.Verdict) bool {
	return v.Level >= tcpdb.High || slices.ContainsFunc(v.Findings, func(g line.Finding) bool { return counts(&g) })
}

// counts reports whether a finding is decided about: one from HIGH up, or one
// that takes content away or lets a secret out whatever its level.
func counts(g *line.Finding) bool {
	return g.Level >= tcpdb.High || g.Stake.Loss >= tcpdb.Content || g.Stake.Fact == tcpdb.WritesFact || g.Stake.Fact == tcpdb.EditsFact
}

// Decide returns what the findings call for, the strictest of all.
func Decide(v *line.Verdict, f *Facts) Decision {
	var d Decision
	for i := range v.Findings {
		g := &v.Findings[i]
		if !counts(g) {
			continue
		}
		it := f.finding(g)
		it.Finding = i
		d.Items = append(d.Items, it)
		if it.Action > d.Action || it.Action == d.Action && d.Word == f.Settings.Consent {
			d.Action, d.Word = it.Action, it.Word
		}
		if it.Action == Allowable {
			if form, ok := f.form(g); ok && !slices.Contains(d.Forms, form) {
				d.Forms = append(d.Forms, form)
			}
		}
	}
	if v.Level >= tcpdb.High && len(d.Items) == 0 { // a level without a reason is asked for all the same
		d.Action = f.Settings.Table.Of(Stake{Level: v.Level})
		if d.Action == Word {
			d.Word = f.Settings.Consent
		}
	}
	if d.Action != Allowable {
		d.Forms = nil
	}
	d.Enter = d.Action
	f.unattended(v, &d)
	return d
}

// unattended turns what a person would be asked into a refusal for those who
// cannot be.
func (f *Facts) unattended(v *line.Verdict, d *Decision) {
	switch {
	case f.Who == Person || d.Action <= Note:
		return
	case f.Who == Nobody:
		d.Code = "no_terminal"
	case v.Level >= tcpdb.Critical || d.Action == Word:
		d.Code = "critical"
	default:
		d.Code = "approval_required"
	}
	d.Action, d.Word, d.Forms = Refuse, "", nil
}

// finding decides about one finding.
func (f *Facts) finding(g *line.Finding) Item {
	s := f.stake(g)
	it := Item{Stake: s.Stake, Why: s.Why}
	it.Action = f.Settings.Table.Of(it.Stake)
	if it.Action == Note && g.Level < tcpdb.High {
		it.Action = Silent
	}
	if it.Action == Word && it.Stake.Reach == tcpdb.ProductionReach {
		it.Word = lastWord(s.Place)
	}
	if it.Stake.Loss != tcpdb.NoLoss && f.Host != "" && g.Stake.Fact == tcpdb.LinkFact {
		it.Action, it.Word, it.Why = Word, f.Host, "you are on "+f.Host+" over SSH"
	}
	if it.Action == Allowable {
		switch form, ok := f.form(g); {
		case !ok:
			it.Action = Key // nothing to name it by
		case f.Who == Person && f.Allowed != nil && f.Allowed(form):
			it.Action, it.Why = Silent, "allowed before"
		}
	}
	if it.Action == Word && it.Word == "" {
		it.Word = f.Settings.Consent
	}
	return it
}

// handed reports whether a command gets its files from another that finds or
// lists them: how many, nobody can see.
func handed(g *line.Finding) bool {
	tool, _, _ := strings.Cut(g.Form, " ")
	return tool != g.Key && slices.Contains(finders[:], tool)
}

// finders hand what they find or read to commands.
var finders = [...]string{"find", "fd", "fdfind", "xargs", "parallel"}

// option returns the value of an option in a form.
func option(form string, names ...string) string {
	for _, w := range strings.Fields(form) {
		if name, value, ok := strings.Cut(w, "="); ok && slices.Contains(names, name) {
			return value
		}
	}
	return ""
}

// lastWord is the name of a place, without its kind.
func lastWord(s string) string { return s[strings.LastIndexByte(s, ' ')+1:] }
