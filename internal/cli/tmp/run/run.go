// Package run holds the commands that resolve, run and approve: it reads the
// flags of tmp resolve, tmp run and tmp approve and prints the answers. What they
// do is the session's, internal/session.
package run

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"strings"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/cli/command"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/invoke"
	"github.com/tool-mapping-protocol/tmp/internal/session"
)

// Options are the flags of tmp run, and those of tmp workflow run, which answers
// alike. A run exits with the status of the program it ran: 128+n if signal n ended it,
// 124 if it ran out of time, 126 and 127 if it could not be run or found, and
// 125 if it was refused or failed before the start.
type Options struct {
	DryRun, JSON, raw, separate bool
	compressor                  string
	Timeout                     time.Duration
	Set                         []string
	Jobs                        int // of a workflow
	csv, ndjson, all            bool
	maxItems                    int
	body                        string
	pick                        int // of the list that this terminal showed last
}

// New is tmp run.
func New(env *term.Env, f *command.Flags) command.Run {
	var o Options
	f.Bool("dry-run", &o.DryRun)
	f.Bool("json", &o.JSON)
	f.Bool("raw", &o.raw)
	f.Bool("separate", &o.separate)
	f.String("compressor", &o.compressor)
	f.Duration("timeout", &o.Timeout)
	f.Strings("set", &o.Set)
	f.Int("pick", &o.pick)
	f.Bool("csv", &o.csv)
	f.Bool("ndjson", &o.ndjson)
	f.Bool("all", &o.all)
	f.Int("max-items", &o.maxItems)
	f.String("body", &o.body)
	return func(in command.Input) error { return o.run(env, in) }
}

func (o *Options) run(env *term.Env, in command.Input) error {
	if in.Dashed && len(in.Args) > 0 {
		return term.Usagef("give an intent, or a command after --, not both")
	}
	if in.Dashed && len(in.Rest) == 0 {
		return term.Usagef("no command after --")
	}
	if in.Dashed && len(o.Set) > 0 {
		return term.Usagef("--set is for operations: a command after -- has its words already")
	}
	if o.pick != 0 && (in.Dashed || len(in.Args) > 0) {
		return term.Usagef("--pick is a number of the list that was shown: it takes no words")
	}
	if o.csv && o.ndjson || o.JSON && (o.csv || o.ndjson) {
		return term.Usagef("--json, --csv and --ndjson are three forms of one output: give one")
	}
	given, err := Values(o.Set)
	if err != nil {
		return err
	}
	return o.CarryOut(env, func(s *session.Session) (*session.Prepared, error) { return o.prepare(env, s, in, given) })
}

// maxPiped bounds a body on standard input: one byte more than a request may have,
// which refuses it.
const maxPiped = 64<<20 + 1

// CarryOut runs what is prepared in the session of the directory, or with
// --dry-run shows it.
func (o *Options) CarryOut(env *term.Env, prepare func(*session.Session) (*session.Prepared, error)) error {
	s, err := env.Session()
	var p *session.Prepared
	if err == nil {
		if s.Body = o.body; o.body == "-" && env.Stdin != nil {
			s.Piped, err = io.ReadAll(io.LimitReader(env.Stdin, maxPiped))
		}
		if err == nil {
			p, err = prepare(s)
		}
	}
	if err != nil {
		return o.finish(env, nil, session.NewEnvelope(env.Dir), err)
	}
	if p.Plan.Call == nil && (o.csv || o.ndjson || o.all || o.maxItems != 0 || o.body != "") {
		return o.finish(env, p, p.Envelope(), session.Refuse(session.Usage, "--csv, --ndjson, --all, --max-items and --body are for operations of an API or of a database"))
	}
	if o.DryRun {
		return o.printPlan(env, s, p)
	}
	e, err := s.Run(env.Context, p, o.how(env))
	return o.finish(env, p, e, err)
}

// Values reads "NAME=VALUE" of --set.
func Values(set []string) (map[string]string, error) {
	out := map[string]string{}
	for _, s := range set {
		name, value, ok := strings.Cut(s, "=")
		if !ok {
			return nil, term.Usagef("--set: %q: want NAME=VALUE", s)
		}
		out[name] = value
	}
	return out, nil
}

// prepare makes the plan: of the intent, of the command after --, or of what
// was resolved last.
func (o *Options) prepare(env *term.Env, s *session.Session, in command.Input, given map[string]string) (*session.Prepared, error) {
	var r session.Resolved
	var err error
	switch {
	case in.Dashed:
		return s.Command(in.Rest, session.Fed(env.Stdin)), nil
	case o.pick != 0:
		r, err = s.Picked(env.Context, env.Terminal(), o.pick)
	case len(in.Args) > 0:
		r, err = s.Resolve(env.Context, intentText(in.Args), given)
		given = nil
	default:
		r, err = s.LastResolved(env.Context)
	}
	if err != nil {
		return nil, err
	}
	if r.Resolved() && len(given) > 0 && r.Plan != nil {
		params := maps.Clone(r.Parameters)
		if params == nil {
			params = map[string]string{}
		}
		maps.Copy(params, given)
		if r, err = s.Refill(env.Context, &r.Operation, params); err != nil {
			return nil, err
		}
	}
	if !r.Resolved() {
		s.KeepPicks(env.Terminal(), intentText(in.Args), r.Resolution)
		return nil, session.Unresolved(r.Resolution)
	}
	return s.Prepare(r), nil
}

// how is how the plan runs, with what the terminal shows of it.
func (o *Options) how(env *term.Env) session.How {
	h := session.How{
		Stdin: env.Stdin, Stdout: env.Stdout, Stderr: env.Stderr, Terminal: env.IsTerminal, Asker: term.Asker{Env: env},
		Silent: o.JSON, Raw: o.raw, Separate: o.separate, Compressor: o.compressor, Timeout: o.Timeout, Jobs: o.Jobs,
	}
	h.All, h.MaxItems = o.all, o.maxItems
	switch {
	case o.csv:
		h.Format = "csv"
	case o.ndjson:
		h.Format = "ndjson"
	}
	if env.IsTerminal(1) {
		h.Width = env.Width()
	}
	if !o.JSON { // the same with and without a terminal
		h.Progress = func(step, text string) {
			fmt.Fprintf(env.Stderr, "tmp: %s: %s\n", env.StyleOf(2).Bold(step), term.OneLine(text))
		}
	}
	return h
}

// finish prints the result and returns the status to exit with.
func (o *Options) finish(env *term.Env, p *session.Prepared, e *session.Envelope, err error) error {
	if err == nil {
		return o.done(env, p, e)
	}
	f := &term.Failure{Status: invoke.StatusRefused, Msg: err.Error()}
	e.Error = &session.Fault{Code: session.Failed, Message: err.Error()}
	if r := (*session.Refusal)(nil); errors.As(err, &r) {
		f.Status, f.Hints = r.Status, r.Hints
		e.Error = &r.Fault
	}
	e.ExitStatus = f.Status
	if !o.JSON {
		return f
	}
	if err := env.PrintJSON(e); err != nil {
		return err
	}
	return term.ExitStatus(f.Status)
}

// done prints the result of a program that ran.
func (o *Options) done(env *term.Env, p *session.Prepared, e *session.Envelope) error {
	if o.JSON {
		if err := env.PrintJSON(e); err != nil {
			return err
		}
		return exitOf(e.ExitStatus)
	}
	how := o.how(env)
	if !how.Streams(p) {
		_, _ = io.WriteString(env.Stdout, e.Output)
	}
	if e.Error != nil {
		env.Notice("%s", e.Error.Message)
	}
	if !o.raw {
		env.Notice("%s", e.Outcome(how.Limit(p.Plan)))
	}
	return exitOf(e.ExitStatus)
}

func exitOf(status int) error {
	if status == 0 {
		return nil
	}
	return term.ExitStatus(status)
}

// printPlan shows what would run, and touches nothing.
func (o *Options) printPlan(env *term.Env, s *session.Session, p *session.Prepared) error {
	a := s.DryRun(env.Context, p)
	if o.JSON {
		if err := env.PrintJSON(a); err != nil || a.Error == nil {
			return err
		}
		return exitOf(max(1, a.Status))
	}
	st, w := env.StyleOf(1), env.Stdout
	fmt.Fprintln(w, st.Bold(term.OneLine(a.Invocation)))
	if a.OperationID != nil {
		fmt.Fprintf(w, "  operation  %s\n", *a.OperationID)
	}
	fmt.Fprint(w, term.DescribeSteps(p.Steps()))
	fmt.Fprintf(w, "  directory  %s\n", term.OneLine(a.Dir))
	fmt.Fprintf(w, "  level      %s%s\n", st.Level(p.Level), p.Judgement.Because())
	if a.Safer != nil {
		fmt.Fprintf(w, "  safer      %s\n", term.OneLine(*a.Safer))
	}
	decision := a.Decision
	if a.Reason != "" {
		decision += ": " + a.Reason
	}
	fmt.Fprintf(w, "  decision   %s\n  digest     %s\n", decision, a.PlanDigest)
	for _, line := range a.Preview {
		fmt.Fprintf(w, "  %s\n", term.OneLine(line))
	}
	if a.Error != nil {
		return &term.Failure{Status: max(1, a.Status), Msg: a.Error.Message}
	}
	return nil
}
