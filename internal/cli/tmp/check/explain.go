package check

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/ask"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/risk/line"
	"github.com/tool-mapping-protocol/tmp/internal/screen"
	"github.com/tool-mapping-protocol/tmp/internal/session"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// explainLine shows a line with the place of each finding underlined, the
// reasons below, and what the policy of Enter makes of it for a person here.
func explainLine(env *term.Env, w *session.Session, text string, v *line.Verdict) error {
	st := env.StyleOf(1)
	d := w.Decide(text, v, ask.Person)
	for _, p := range d.Problems {
		env.Notice("%s", p)
	}
	fmt.Fprintln(env.Stdout, strings.TrimRight(st.Level(v.Level)+"  "+strings.Join(v.Flags.Names(), " "), " "))
	out := screen.Style{Columns: term.Columns(env), Colour: bool(st), EOL: "\n"}
	fmt.Fprint(env.Stdout, screen.Annotate(text, explainNotes(env, w, text, v, &d.Decision), out))
	if !v.Complete {
		fmt.Fprintln(env.Stdout, "The line is not finished: the shell would ask for more.")
	}
	fmt.Fprintln(env.Stdout, "Enter: "+outcome(&d.Decision, &d.Settings))
	if s := d.Safer; s != "" {
		if strings.Contains(s, "\n") { // as many rows as it has lines
			s = "\n  " + strings.Join(screen.Rows(s, out.Columns-3), "\n  ")
		} else {
			s = " " + term.OneLine(s)
		}
		fmt.Fprintln(env.Stdout, "Safer:"+s)
	}
	return nil
}

// explainNotes are all findings with what there is to say about them.
func explainNotes(env *term.Env, w *session.Session, text string, v *line.Verdict, d *ask.Decision) []screen.Note {
	var notes []screen.Note
	for i := range v.Findings {
		f := &v.Findings[i]
		n := screen.Note{Start: f.Start, End: f.End, Colour: levelColour(f.Level)}
		n.Lines = append(n.Lines, f.Level.String()+" "+term.OneLine(f.Reason)+" ("+f.Rule+")")
		n.Lines = append(n.Lines, atStake(d, v.Findings, i)...)
		if s := left(env, text, f); s != "" {
			n.Lines = append(n.Lines, s)
		}
		if s := w.SaferWay(*f); s != nil {
			n.Lines = append(n.Lines, "safer: "+term.OneLine(*s))
		}
		notes = append(notes, n)
	}
	return notes
}

func levelColour(l tcpdb.Level) string {
	switch {
	case l >= tcpdb.Critical:
		return "1;31"
	case l == tcpdb.High:
		return "31"
	case l == tcpdb.Medium:
		return "33"
	}
	return "32"
}

// outcome says what Enter would do.
func outcome(d *ask.Decision, s *ask.Settings) string {
	switch d.Enter {
	case ask.Note:
		return "runs it and says why it does not ask: " + term.OneLine(reasonOf(d))
	case ask.Allowable:
		return "asks y/N/a"
	case ask.Key:
		return "asks y/N"
	case ask.Word:
		word := d.Word
		if word == "" {
			word = s.Consent
		}
		return "asks for the word " + strconv.Quote(word)
	}
	if why := reasonOf(d); why != "" {
		return "runs it: " + term.OneLine(why)
	}
	return "runs it"
}

func reasonOf(d *ask.Decision) string {
	for _, it := range d.Items {
		if it.Why != "" {
			return it.Why
		}
	}
	return ""
}

// atStake says what would be lost with a finding, whose it is, and why.
func atStake(d *ask.Decision, findings []line.Finding, i int) (lines []string) {
	stake := d.Stake(findings, i)
	switch {
	case stake.Loss != tcpdb.UnknownLoss:
		wide := ""
		if stake.Wide && (stake.Loss == tcpdb.Content || stake.Loss == tcpdb.Outage) {
			wide = ", wide"
		}
		lines = append(lines, "loss: "+stake.Loss.String()+wide+"; reach: "+stake.Reach.String())
	case findings[i].Level >= tcpdb.High:
		lines = append(lines, "loss: nothing that is known; reach: "+stake.Reach.String())
	}
	for _, it := range d.Items {
		if it.Finding == i && it.Why != "" {
			lines = append(lines, term.OneLine(it.Why))
		}
	}
	return lines
}
