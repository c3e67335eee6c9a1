package tmp

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/tool-mapping-protocol/tmp/internal/invoke"
	"github.com/tool-mapping-protocol/tmp/internal/session"
)

// approve records a person's yes to a plan that waits. It has no flags on
// purpose: nothing that a caller passes approves.
func newApprove(env *Env, f *flags) runFunc {
	return func(in input) error { return approve(env, in.Args[0]) }
}

func approve(env *Env, digest string) error {
	caller := env.caller()
	if err := caller.CheckApprover(digest); err != nil {
		return err
	}
	s, err := env.session()
	if err != nil {
		return err
	}
	if err := s.Approve(digest, asker{env}); err != nil {
		return err
	}
	fmt.Fprintln(env.Stdout, "approved once, for ten minutes")
	return nil
}

// asker puts the question whether something is to run to the person at the
// terminal.
type asker struct{ env *Env }

// consent is the word that a person types for what is CRITICAL.
const consent = "run"

func (a asker) Ask(q session.Question) (bool, error) {
	text := describe(a.env.styleOf(2), &q)
	if q.Word {
		answer, err := answerTo(a.env, fmt.Sprintf("%sType %q to run it, anything else to leave it: ", text, consent))
		return answer == consent, err
	}
	answer, err := answerTo(a.env, text+"Run it? [y/N] ")
	return isYes(answer), err
}

// describe is what a person reads before the answer.
func describe(st style, q *session.Question) string {
	var b strings.Builder
	fmt.Fprintf(&b, "  %s\n  in %s\n  %s%s\n", st.bold(oneLine(invoke.Display(q.Argv))), oneLine(q.Dir), st.level(q.Level), q.Judgement.Because())
	if q.Judgement.Safer != "" {
		fmt.Fprintf(&b, "  safer: %s\n", oneLine(q.Judgement.Safer))
	}
	b.WriteString(describeSteps(q.Steps))
	for _, f := range q.Files {
		fmt.Fprintf(&b, "  with %s as it is now (%.19s)\n", oneLine(f.Path), f.State)
	}
	if q.Agent != "" {
		fmt.Fprintf(&b, "  asked for by the agent %s\n", oneLine(q.Agent))
	}
	return b.String()
}

// describeSteps lists the steps of a plan, one a line.
func describeSteps(steps []session.QuestionStep) string {
	var b strings.Builder
	for _, s := range steps {
		fmt.Fprintf(&b, "  step %s: %s\n", oneLine(s.ID), oneLine(s.Text))
	}
	return b.String()
}

// answerTo reads a line from the terminal, "" at the end of input. What was
// typed before the question does not answer it.
func answerTo(env *Env, question string) (string, error) {
	tty, err := env.OpenTTY()
	if err != nil {
		return "", err
	}
	defer tty.Close()
	if f, ok := tty.(*os.File); ok {
		flushInput(int(f.Fd()))
	}
	fmt.Fprint(tty, question)
	answer, err := bufio.NewReader(io.LimitReader(tty, 1024)).ReadString('\n')
	if err != nil {
		fmt.Fprintln(tty)
		return "", nil
	}
	return strings.TrimSpace(answer), nil
}

func isYes(answer string) bool {
	return strings.EqualFold(answer, "y") || strings.EqualFold(answer, "yes")
}

// flushInput drops what was typed and not yet read.
func flushInput(fd int) { _ = tcflush(fd, unix.TCIFLUSH) }
