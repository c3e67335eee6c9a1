package session

import (
	"github.com/tool-mapping-protocol/tmp/internal/ask"
	"github.com/tool-mapping-protocol/tmp/internal/ask/facts"
	"github.com/tool-mapping-protocol/tmp/internal/config"
	"github.com/tool-mapping-protocol/tmp/internal/risk/line"
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
