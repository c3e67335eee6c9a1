package session

import (
	"github.com/tool-mapping-protocol/tmp/internal/ask"
	"github.com/tool-mapping-protocol/tmp/internal/ask/facts"
	"github.com/tool-mapping-protocol/tmp/internal/config"
	"github.com/tool-mapping-protocol/tmp/internal/invoke"
	"github.com/tool-mapping-protocol/tmp/internal/risk/line"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Decided is what the policy of Enter makes of a line here.
type Decided struct {
	ask.Decision
	Settings ask.Settings
	Problems []facts.Problem // what does not count of the settings
	Safer    string          // the line put the safer way, "" if there is none
}

// Decide says what Enter would do with a line that Judge rated. It reads what the
// policy depends on, and nothing for a line that loses nothing.
func (s *Session) Decide(text string, v *line.Verdict, who ask.Who) Decided {
	d := Decided{Settings: ask.Default()}
	if !ask.Counts(v) {
		return d
	}
	scene := facts.Open(s.Dir, s.Getenv, s.Paths, config.Sections)
	defer scene.Close()
	f := scene.Facts(who)
	d.Settings = f.Settings
	d.Decision = ask.Decide(v, &f)
	d.Problems = scene.Problems()
	d.Safer, _ = ask.Safer(text, v, &d.Decision, s.Installed)
	return d
}

// asked is what the policy of Enter makes of the commands of a plan, the strictest of
// its steps; NoAsking where the level rests on more than they do by themselves.
func (s *Session) asked(of *invoke.Plan, level tcpdb.Level) tcpdb.Asking {
	if level < tcpdb.High {
		return tcpdb.NoAsking
	}
	plans := []*invoke.Plan{of}
	if len(of.Steps) > 0 {
		plans = nil
		for _, step := range of.Steps {
			if step.Plan != nil {
				plans = append(plans, step.Plan)
			}
		}
	}
	judged, asked := tcpdb.Safe, tcpdb.NoAsking
	for _, p := range plans {
		if p.Call != nil {
			return tcpdb.NoAsking
		}
		// Who wrote the operation says that it is to be asked about. What the project
		// can do is rated by what it runs alone.
		if op := p.Operation; op != nil && op.Risk >= tcpdb.High && op.Standing != tcpdb.OfProject {
			return tcpdb.NoAsking
		}
		there := *s
		if p.Dir != "" {
			there.Dir = p.Dir
		}
		text := invoke.Display(p.Argv)
		v := there.Judge(text, "bash")
		judged = max(judged, v.Level)
		d := there.Decide(text, &v, ask.Person)
		asked = max(asked, tcpdb.Asking(d.Enter+1))
	}
	if judged < level {
		return tcpdb.NoAsking
	}
	return asked
}
