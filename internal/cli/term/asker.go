package term

import (
	"fmt"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/invoke"
	"github.com/tool-mapping-protocol/tmp/internal/session"
)

// Asker puts the question whether something is to run to the person at the
// terminal.
type Asker struct{ Env *Env }

// consent is the word that a person types for what is CRITICAL.
const consent = "run"

// Ask reads a yes, or where that is asked for the typed word.
func (a Asker) Ask(q session.Question) (bool, error) {
	text := describe(a.Env.StyleOf(2), &q)
	if q.Word {
		answer, err := Ask(a.Env, fmt.Sprintf("%sType %q to run it, anything else to leave it: ", text, consent))
		return answer == consent, err
	}
	answer, err := Ask(a.Env, text+"Run it? [y/N] ")
	return IsYes(answer), err
}

// describe is what a person reads before the answer.
func describe(st Style, q *session.Question) string {
	var b strings.Builder
	fmt.Fprintf(&b, "  %s\n  in %s\n  %s%s\n", st.Bold(OneLine(invoke.Display(q.Argv))), OneLine(q.Dir), st.Level(q.Level), q.Judgement.Because())
	if q.Judgement.Safer != "" {
		fmt.Fprintf(&b, "  safer: %s\n", OneLine(q.Judgement.Safer))
	}
	b.WriteString(DescribeSteps(q.Steps))
	for _, f := range q.Files {
		fmt.Fprintf(&b, "  with %s as it is now (%.19s)\n", OneLine(f.Path), f.State)
	}
	if q.Agent != "" {
		fmt.Fprintf(&b, "  asked for by the agent %s\n", OneLine(q.Agent))
	}
	return b.String()
}

// DescribeSteps lists the steps of a plan, one a line.
func DescribeSteps(steps []session.QuestionStep) string {
	var b strings.Builder
	for _, s := range steps {
		fmt.Fprintf(&b, "  step %s: %s\n", OneLine(s.ID), OneLine(s.Text))
	}
	return b.String()
}
