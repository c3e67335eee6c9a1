package tmp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"strings"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/audit"
	"github.com/tool-mapping-protocol/tmp/internal/gate"
	"github.com/tool-mapping-protocol/tmp/internal/intent"
	"github.com/tool-mapping-protocol/tmp/internal/invoke"
	"github.com/tool-mapping-protocol/tmp/internal/runlog"
	"github.com/tool-mapping-protocol/tmp/internal/shape"
	"github.com/tool-mapping-protocol/tmp/internal/workflow"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// run exits with the status of the program it ran: 128+n if signal n ended it,
// 124 if it ran out of time, 126 and 127 if it could not be run or found, and
// 125 if it was refused or failed before the start.
type runOptions struct {
	dryRun, json, raw, separate bool
	compressor                  string
	timeout                     time.Duration
	set                         []string
}

func newRun(env *Env, f *flags) runFunc {
	var o runOptions
	f.Bool("dry-run", &o.dryRun)
	f.Bool("json", &o.json)
	f.Bool("raw", &o.raw)
	f.Bool("separate", &o.separate)
	f.String("compressor", &o.compressor)
	f.Duration("timeout", &o.timeout)
	f.Strings("set", &o.set)
	return func(in input) error { return o.run(env, in) }
}

// envelope is the result of a run (seed 000, "Example result envelope").
type envelope struct {
	V           int               `json:"v"`
	RunID       *string           `json:"run_id"`
	OperationID *string           `json:"operation_id"` // null for a plain command
	Parameters  map[string]string `json:"parameters,omitempty"`
	Invocation  *string           `json:"invocation"`
	Argv        []string          `json:"argv"`
	Dir         string            `json:"cwd"`
	Started     bool              `json:"started"`
	PlanDigest  *string           `json:"plan_digest"`
	Level       *string           `json:"level"`
	Policy      string            `json:"policy,omitempty"` // the output policy that was followed
	Compressor  string            `json:"compressor"`       // what the output went through: "rtk", "native", "draft", "raw"; "none" without output
	// CompressorNote says why another one than was asked for.
	CompressorNote string         `json:"compressor_note,omitempty"`
	ExitStatus     int            `json:"exit_status"`
	Success        bool           `json:"success"`
	Signal         string         `json:"signal,omitempty"`
	TimedOut       bool           `json:"timed_out,omitempty"`
	ElapsedMS      int64          `json:"elapsed_ms"`
	Summary        map[string]any `json:"summary"`
	Omitted        map[string]any `json:"omitted"`
	Output         string         `json:"output"` // the shaped text
	RawOutput      rawOutput      `json:"raw_output"`
	Withheld       []string       `json:"withheld,omitempty"` // variables that the program did not receive
	Error          *envelopeError `json:"error"`
}

type rawOutput struct {
	Retained bool   `json:"retained"`
	Location string `json:"location"` // from the project's root where it has a .tmp
	Path     string `json:"path,omitempty"`
	Bytes    int64  `json:"bytes"`
}

// envelopeError says why nothing ran, or what went wrong around the run.
type envelopeError struct {
	Code        string              `json:"code"` // a reason of resolve, "approval_required", "critical", "draft", "declined", "not_found", "not_executable", "failed"
	Message     string              `json:"message"`
	Approve     string              `json:"approve,omitempty"` // the command for the person
	Suggestions []intent.Suggestion `json:"suggestions,omitempty"`
}

// refused is an error before the start, with its place in the envelope.
type refused struct {
	envelopeError
	status int
	hints  []string
}

func (r *refused) Error() string { return r.Message }

func refuse(code, format string, args ...any) *refused {
	return &refused{envelopeError: envelopeError{Code: code, Message: fmt.Sprintf(format, args...)}, status: invoke.StatusRefused}
}

func (o *runOptions) run(env *Env, in input) error {
	if in.Dashed && len(in.Args) > 0 {
		return usagef("give an intent, or a command after --, not both")
	}
	if in.Dashed && len(in.Rest) == 0 {
		return usagef("no command after --")
	}
	if in.Dashed && len(o.set) > 0 {
		return usagef("--set is for operations: a command after -- has its words already")
	}
	given, err := settings(o.set)
	if err != nil {
		return err
	}
	e := &execution{env: env, options: o}
	e.result = envelope{V: 1, Argv: []string{}, Dir: env.Dir, Compressor: noOutput, Summary: map[string]any{}, Omitted: map[string]any{}}
	err = e.prepare(in, given)
	if err == nil && o.dryRun {
		return e.printPlan()
	}
	if err == nil {
		err = e.execute()
	}
	return e.finish(err)
}

// settings reads "NAME=VALUE" of --set.
func settings(set []string) (map[string]string, error) {
	out := map[string]string{}
	for _, s := range set {
		name, value, ok := strings.Cut(s, "=")
		if !ok {
			return nil, usagef("--set: %q: want NAME=VALUE", s)
		}
		out[name] = value
	}
	return out, nil
}

// execution is one tmp run on its way from the command line to the envelope.
type execution struct {
	env     *Env
	options *runOptions
	world   *world
	plan    *invoke.Plan
	risk    judgement
	level   tcpdb.Level
	digest  string
	result  envelope

	elsewhere  bool   // it was approved in another terminal
	onTerminal bool   // the program wrote to the terminal itself
	spill      *spill // where the disk may not hold the output

	// Of a workflow: steps at once (0: as many as there are processors), and the
	// run that is taken up with the steps that were done in it.
	parallel int
	resumes  string
	before   map[string]bool
}

// prepare makes the plan: of the intent, of the command after --, or of what
// was resolved last.
func (e *execution) prepare(in input, given map[string]string) error {
	w, err := openWorld(e.env)
	if err != nil {
		return err
	}
	e.world = w
	var r resolved
	switch {
	case in.Dashed:
		environ, withheld := invoke.Environment(e.env.Environ, "", e.env.agent() != "", workflow.Detail{})
		e.plan = &invoke.Plan{Argv: in.Rest, Dir: e.env.Dir, Env: environ, Withheld: withheld, MapDigest: w.view.Digest()}
		e.risk = w.judge(in.Rest, nil)
		if e.fed() {
			e.risk.raise(w.judgeFed(in.Rest))
		}
		w.bind(e.plan, e.risk)
	case len(in.Args) > 0:
		r, err = w.resolvePlan(intentText(in.Args))
	default:
		r, err = w.lastResolved()
	}
	if err != nil {
		return err
	}
	if r.Resolved() && len(given) > 0 && r.plan != nil {
		params := maps.Clone(r.Parameters)
		if params == nil {
			params = map[string]string{}
		}
		maps.Copy(params, given)
		if r, err = w.refill(&r.Operation, params); err != nil {
			return err
		}
	}
	if !r.Resolved() {
		return unresolved(r.Resolution)
	}
	e.adopt(r)
	return nil
}

// adopt takes over a resolved operation, or with none rates the plan that is there.
func (e *execution) adopt(r resolved) {
	w := e.world
	if r.plan != nil {
		e.plan, e.risk = r.plan, r.judgement
		e.result.OperationID, e.result.Parameters = &r.Operation.ID, r.Parameters
	}
	e.level, e.digest = w.facts(e.plan, e.risk).EffectiveLevel(), e.plan.Digest()
	e.result.Argv, e.result.Dir = e.plan.Argv, e.plan.Dir
	e.result.Invocation, e.result.PlanDigest = ptr(invoke.Display(e.plan.Argv)), &e.digest
	e.result.Level = ptr(e.level.String())
	e.result.Withheld = e.plan.Withheld
}

// execute passes the gate and runs the plan.
func (e *execution) execute() error {
	if len(e.plan.Steps) > 0 {
		return e.executeSteps()
	}
	if _, status, err := invoke.Look(e.plan.Argv[0], e.plan.Dir, e.plan.Env); err != nil {
		f := refuse("not_found", "%s", err)
		if f.status = status; status == invoke.StatusNotExecutable {
			f.Code = "not_executable"
		}
		return f
	}
	if _, _, err := e.world.runs(); err != nil {
		return err
	}
	if err := e.pass(); err != nil {
		return err
	}
	e.sayWithheld()
	run, err := e.newRun()
	if err != nil {
		return err
	}
	e.result.RunID = &run.ID
	if e.level >= tcpdb.High {
		e.audit(audit.Ran, run.ID, "")
	}
	how := e.how(run)
	if e.options.separate {
		index, err := run.StderrIndex()
		if err != nil {
			run.Discard()
			return refuse("failed", "cannot keep the output: %s", err)
		}
		defer index.Close()
		how.Stderr = index
	}
	out := invoke.Run(e.env.Context, e.plan, how)
	e.record(run, out)
	if !out.Started {
		run.Discard()
		e.result.RunID = nil
		f := refuse("failed", "%s", out.Err)
		f.status = out.Status
		return f
	}
	return e.keep(run)
}

// record writes the outcome and the shaped output into the envelope.
func (e *execution) record(run *runlog.Run, out invoke.Outcome) {
	r := &e.result
	r.Started, r.ExitStatus, r.Success = out.Started, out.Status, out.Started && out.Status == 0
	r.Signal, r.TimedOut, r.ElapsedMS = out.Signal, out.TimedOut, out.Elapsed.Milliseconds()
	if !out.Started {
		return
	}
	st, err := run.Raw.Stat()
	if err != nil {
		r.Error = &envelopeError{Code: "failed", Message: err.Error()}
		return
	}
	if out.Lost != nil {
		r.Error = &envelopeError{Code: "failed", Message: "the raw output is not complete: " + out.Lost.Error()}
	}
	r.RawOutput = rawOutput{Retained: out.Lost == nil, Location: run.Location(), Path: run.Raw.Name(), Bytes: st.Size()}
	if e.onTerminal {
		r.RawOutput.Retained, r.Policy = false, "terminal"
		return
	}
	mode := ""
	if e.plan.Operation != nil {
		mode = e.plan.Operation.OutputMode
	}
	chosen := e.chosen(mode)
	if mode == "rtk" {
		mode = ""
	}
	if e.options.raw || chosen == byNothing {
		mode = "raw"
	}
	if e.options.raw && !e.options.json {
		return // it has been shown whole; it need not be in memory
	}
	how := shape.Options{Policy: mode, Command: e.plan.Argv, Status: out.Status, Ended: true}
	raw := io.Reader(io.NewSectionReader(run.Raw, 0, st.Size()))
	spilled := out.Lost != nil && e.spill != nil
	if spilled {
		raw = e.spill.reader()
	}
	sum, err := shape.Shape(how, raw)
	if err != nil {
		r.Error = &envelopeError{Code: "failed", Message: "the output cannot be read back: " + err.Error()}
	}
	r.Policy, r.Compressor, r.Summary, r.Omitted, r.Output = sum.Policy, sum.Compressor, sum.Fields, sum.Omitted, sum.Text
	if err == nil && !e.options.raw && !spilled && st.Size() > 0 {
		e.compress(how, run.Raw, st.Size(), &sum, chosen)
	}
}

// keep writes summary.json beside the raw output.
func (e *execution) keep(run *runlog.Run) error {
	data, err := json.MarshalIndent(&e.result, "", "  ")
	if err == nil {
		err = run.Finish(append(data, '\n'), e.world.retention())
	}
	if err != nil {
		e.env.notice("the summary of %s is not kept: %s", run.ID, err)
	}
	return nil
}

// finish prints the result and returns the status to exit with.
func (e *execution) finish(err error) error {
	var r *refused
	var f *failure
	switch {
	case err == nil:
		return e.done()
	case errors.As(err, &r):
		f = &failure{status: r.status, msg: r.Message, hints: r.hints}
		e.result.Error = &r.envelopeError
	case errors.As(err, &f):
		f.status = invoke.StatusRefused
		e.result.Error = &envelopeError{Code: "failed", Message: f.Error()}
	default:
		f = &failure{status: invoke.StatusRefused, msg: err.Error()}
		e.result.Error = &envelopeError{Code: "failed", Message: err.Error()}
	}
	e.result.ExitStatus = f.status
	if !e.options.json {
		return f
	}
	if err := e.env.printJSON(&e.result); err != nil {
		return err
	}
	return exitStatus(f.status)
}

// done prints the result of a program that ran.
func (e *execution) done() error {
	r := &e.result
	if e.options.json {
		if err := e.env.printJSON(r); err != nil {
			return err
		}
		return exitOf(r.ExitStatus)
	}
	if !e.streams() {
		_, _ = io.WriteString(e.env.Stdout, r.Output)
	}
	if r.Error != nil {
		e.env.notice("%s", r.Error.Message)
	}
	if !e.options.raw {
		fmt.Fprintf(e.env.Stderr, "tmp: %s\n", oneLine(e.outcomeLine()))
	}
	return exitOf(r.ExitStatus)
}

// outcomeLine says in one line how it ended and where all of the output is.
func (e *execution) outcomeLine() string {
	r := &e.result
	var b strings.Builder
	b.WriteString(*r.Invocation)
	switch {
	case r.TimedOut && e.limit() > 0:
		fmt.Fprintf(&b, ": stopped after %s", e.limit())
	case r.TimedOut:
		b.WriteString(": stopped when its time was over")
	case r.Signal != "":
		fmt.Fprintf(&b, ": ended by %s", r.Signal)
	case r.Success:
		b.WriteString(": done")
	default:
		fmt.Fprintf(&b, ": exit status %d", r.ExitStatus)
	}
	if n, ok := r.Summary["failed_tests"]; ok {
		fmt.Fprintf(&b, ", %v failed", n)
		if n, ok := r.Summary["passed_tests"]; ok {
			fmt.Fprintf(&b, ", %v passed", n)
		}
	}
	if r.Policy == "terminal" {
		fmt.Fprintf(&b, " (%s, its output went to the terminal and is not kept)", time.Duration(r.ElapsedMS)*time.Millisecond)
		return b.String()
	}
	fmt.Fprintf(&b, " (%s, raw output in %s)", time.Duration(r.ElapsedMS)*time.Millisecond, r.RawOutput.Path)
	return b.String()
}

func exitOf(status int) error {
	if status == 0 {
		return nil
	}
	return exitStatus(status)
}

// plan is the JSON of tmp run --dry-run.
type planJSON struct {
	V           int               `json:"v"`
	DryRun      bool              `json:"dry_run"`
	OperationID *string           `json:"operation_id"`
	Parameters  map[string]string `json:"parameters,omitempty"`
	Invocation  string            `json:"invocation"`
	Argv        []string          `json:"argv"`
	Dir         string            `json:"cwd"`
	Level       string            `json:"level"`
	Flags       []string          `json:"flags"`
	Reasons     []string          `json:"reasons"`
	Safer       *string           `json:"safer"`
	Decision    string            `json:"decision"` // "allow", "ask", "deny"
	Reason      string            `json:"reason,omitempty"`
	PlanDigest  string            `json:"plan_digest"`
	MapDigest   string            `json:"map_digest"`
	Steps       []plannedStep     `json:"steps,omitempty"`
}

// printPlan shows what would run, and touches nothing.
func (e *execution) printPlan() error {
	v := gate.Decide(e.world.facts(e.plan, e.risk))
	if e.options.json {
		p := planJSON{
			V: 1, DryRun: true, OperationID: e.result.OperationID, Parameters: e.result.Parameters,
			Invocation: *e.result.Invocation, Argv: e.plan.Argv, Dir: e.plan.Dir, Level: e.level.String(),
			Flags: e.risk.flags.Names(), Reasons: e.risk.reasons, Decision: v.Decision.String(), Reason: v.Reason,
			PlanDigest: e.digest, MapDigest: e.plan.MapDigest,
			Steps: plannedSteps(e.plan.Steps),
		}
		if p.Reasons == nil {
			p.Reasons = []string{}
		}
		if e.risk.safer != "" {
			p.Safer = &e.risk.safer
		}
		return e.env.printJSON(p)
	}
	st, w := e.env.styleOf(1), e.env.Stdout
	fmt.Fprintln(w, st.bold(oneLine(*e.result.Invocation)))
	if e.plan.Operation != nil {
		fmt.Fprintf(w, "  operation  %s\n", e.plan.Operation.ID)
	}
	fmt.Fprint(w, describeSteps(e.plan.Steps))
	fmt.Fprintf(w, "  directory  %s\n", oneLine(e.plan.Dir))
	fmt.Fprintf(w, "  level      %s%s\n", st.level(e.level), because(e.risk))
	if e.risk.safer != "" {
		fmt.Fprintf(w, "  safer      %s\n", oneLine(e.risk.safer))
	}
	decision := v.Decision.String()
	if v.Reason != "" {
		decision += ": " + v.Reason
	}
	fmt.Fprintf(w, "  decision   %s\n  digest     %s\n", decision, e.digest)
	return nil
}

func because(j judgement) string {
	if len(j.reasons) == 0 {
		return ""
	}
	return ": " + oneLine(j.reasons[0])
}

// contextFor limits the time that resolvers have.
func contextFor(env *Env) (context.Context, context.CancelFunc) {
	return context.WithTimeout(env.Context, resolveTime)
}
