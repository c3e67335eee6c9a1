package term

import (
	"fmt"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/invoke"
	"github.com/tool-mapping-protocol/tmp/internal/screen"
	"github.com/tool-mapping-protocol/tmp/internal/session"
)

// Asker puts the question whether something is to run to the person at the
// terminal.
type Asker struct{ Env *Env }

// consent is the word that a person types for what is CRITICAL.
const consent = "run"

// Ask reads a yes, or where that is asked for the typed word.
func (a Asker) Ask(q session.Question) (session.Answer, error) {
	text := describe(a.Env.StyleOf(2), &q)
	switch {
	case q.Word:
		return a.word(text, &q)
	case q.For > 0:
		answer, err := Ask(a.Env, fmt.Sprintf("%sLet it run again and again for %s? [y/N] ", text, q.For))
		return yesNo(answer), err
	case q.While:
		answer, err := Ask(a.Env, text+"Run it? [y/N] (t: yes, and without asking for 15 minutes) ")
		if strings.EqualFold(answer, "t") {
			return session.While, err
		}
		return yesNo(answer), err
	}
	answer, err := Ask(a.Env, text+"Run it? [y/N] ")
	return yesNo(answer), err
}

func yesNo(answer string) session.Answer {
	if IsYes(answer) {
		return session.Yes
	}
	return session.No
}

// word asks for the typed word, and once more where code runs that the answer
// says nothing about.
func (a Asker) word(text string, q *session.Question) (session.Answer, error) {
	answer, err := Ask(a.Env, fmt.Sprintf("%sType %q to run it, anything else to leave it: ", text, consent))
	if err != nil || answer != consent {
		return session.No, err
	}
	for _, u := range q.Unbound {
		if !u.Code {
			continue
		}
		answer, err := Ask(a.Env, fmt.Sprintf("  not bound: %s: %s\nType %q again to run it all the same: ", OneLine(u.What), OneLine(u.Why), consent))
		if err != nil || answer != consent {
			return session.No, err
		}
		break
	}
	return session.Yes, nil
}

// describe is what a person reads before the answer.
func describe(st Style, q *session.Question) string {
	var b strings.Builder
	fmt.Fprintf(&b, "  %s\n  in %s\n  %s%s\n", st.Bold(OneLine(invoke.Display(q.Argv))), OneLine(q.Dir), st.Level(q.Level), q.Judgement.Because())
	if q.Judgement.Safer != "" {
		fmt.Fprintf(&b, "  safer: %s\n", OneLine(q.Judgement.Safer))
	}
	b.WriteString(DescribeSteps(q.Steps))
	for _, line := range q.Told {
		fmt.Fprintf(&b, "  %s\n", OneLine(line))
	}
	fmt.Fprintf(&b, "  for what is here now: %s, %s\n", screen.Count(q.Bound.Files, "file"), screen.Size(q.Bound.Bytes))
	if q.Cut != "" {
		fmt.Fprintf(&b, "  not bound: the rest of the place: %s\n", OneLine(q.Cut))
	}
	for _, u := range q.Unbound {
		fmt.Fprintf(&b, "  not bound: %s: %s\n", OneLine(u.What), OneLine(u.Why))
	}
	for _, c := range q.Changed {
		fmt.Fprintf(&b, "  changed since it was approved: %s\n", OneLine(c))
	}
	for _, line := range q.Diff {
		fmt.Fprintf(&b, "    %s\n", OneLine(line))
	}
	if q.For > 0 && len(q.Except) > 0 {
		fmt.Fprintf(&b, "  meanwhile may change: %s\n", OneLine(strings.Join(q.Except, " ")))
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
