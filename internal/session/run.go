package session

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/audit"
	"github.com/tool-mapping-protocol/tmp/internal/binding"
	"github.com/tool-mapping-protocol/tmp/internal/gate"
	"github.com/tool-mapping-protocol/tmp/internal/invoke"
	"github.com/tool-mapping-protocol/tmp/internal/runlog"
	"github.com/tool-mapping-protocol/tmp/internal/shape"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Envelope is the result of a run (seed 000, "Example result envelope").
type Envelope struct {
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
	// Of a plan that somebody is asked about: what an answer holds for, and what it
	// says nothing about.
	Bound      *binding.Bound    `json:"bound,omitempty"`
	Unbound    []binding.Unbound `json:"unbound,omitzero"`
	Policy     string            `json:"policy,omitempty"` // the output policy that was followed
	Compressor string            `json:"compressor"`       // what the output went through: "rtk", "native", "draft", "raw"; "none" without output
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
	RawOutput      RawOutput      `json:"raw_output"`
	Withheld       []string       `json:"withheld,omitempty"` // variables that the program did not receive
	Error          *Fault         `json:"error"`              // why nothing ran, or what went wrong around the run
	// HTTPStatus is that of an answer of an API. Data stands in the place of Output where
	// the output is JSON: the rows of a query, the fields of an answer.
	HTTPStatus int             `json:"http_status,omitempty"`
	Data       json.RawMessage `json:"-"`
}

// RawOutput is where all of an output is.
type RawOutput struct {
	Retained bool   `json:"retained"`
	Location string `json:"location"` // from the project's root where it has a .tmp
	Path     string `json:"path,omitempty"`
	Bytes    int64  `json:"bytes"`
}

// NewEnvelope is the envelope of what has not been planned yet.
func NewEnvelope(dir string) *Envelope {
	return &Envelope{V: 1, Argv: []string{}, Dir: dir, Compressor: NoOutput, Summary: map[string]any{}, Omitted: map[string]any{}}
}

// Envelope is the envelope of a plan before it runs.
func (p *Prepared) Envelope() *Envelope {
	e := NewEnvelope(p.Plan.Dir)
	e.OperationID, e.Parameters = p.Operation, p.Parameters
	e.Argv, e.Invocation, e.PlanDigest = p.Plan.Argv, ptr(invoke.Display(p.Plan.Argv)), &p.Digest
	e.Level, e.Withheld = ptr(p.Level.String()), p.Plan.Withheld
	e.Bound, e.Unbound = p.holdsFor()
	return e
}

// Outcome says in one line how a run ended and where all of its output is; limit
// is the time that it had, 0 if that is not known.
func (e *Envelope) Outcome(limit time.Duration) string {
	var b strings.Builder
	b.WriteString(*e.Invocation)
	switch {
	case e.TimedOut && limit > 0:
		fmt.Fprintf(&b, ": stopped after %s", limit)
	case e.TimedOut:
		b.WriteString(": stopped when its time was over")
	case e.Signal != "":
		fmt.Fprintf(&b, ": ended by %s", e.Signal)
	case e.Success:
		b.WriteString(": done")
	default:
		fmt.Fprintf(&b, ": exit status %d", e.ExitStatus)
	}
	if n, ok := e.Summary["failed_tests"]; ok {
		fmt.Fprintf(&b, ", %v failed", n)
		if n, ok := e.Summary["passed_tests"]; ok {
			fmt.Fprintf(&b, ", %v passed", n)
		}
	}
	if e.Policy == "terminal" {
		fmt.Fprintf(&b, " (%s, its output went to the terminal and is not kept)", time.Duration(e.ElapsedMS)*time.Millisecond)
		return b.String()
	}
	fmt.Fprintf(&b, " (%s, raw output in %s)", time.Duration(e.ElapsedMS)*time.Millisecond, e.RawOutput.Path)
	return b.String()
}

// MarshalJSON puts Data in the place of Output.
func (e *Envelope) MarshalJSON() ([]byte, error) {
	type plain Envelope
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // who encodes the whole says whether
	var err error
	if e.Data == nil {
		err = enc.Encode((*plain)(e))
	} else {
		err = enc.Encode(struct {
			*plain
			Output json.RawMessage `json:"output"`
		}{(*plain)(e), e.Data})
	}
	return b.Bytes(), err
}

// UnmarshalJSON reads what MarshalJSON writes.
func (e *Envelope) UnmarshalJSON(data []byte) error {
	type plain Envelope
	both := struct {
		*plain
		Output json.RawMessage `json:"output"`
	}{plain: (*plain)(e)}
	if err := json.Unmarshal(data, &both); err != nil {
		return err
	}
	e.Output, e.Data = "", nil
	if len(both.Output) == 0 || json.Unmarshal(both.Output, &e.Output) != nil {
		e.Data = both.Output
	}
	return nil
}

// DryRun is the answer of a run that only plans.
type DryRun struct {
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
	Bound       *binding.Bound    `json:"bound,omitempty"`
	Unbound     []binding.Unbound `json:"unbound,omitzero"`
	Steps       []PlannedStep     `json:"steps,omitempty"`
	// Of an operation that is no command: what its program says that it would do, in
	// lines for people, and as facts: the request of an API, the plan of a statement.
	Preview []string        `json:"preview,omitempty"`
	Request json.RawMessage `json:"request,omitempty"`
	SQL     json.RawMessage `json:"sql,omitempty"`
	Touches *int64          `json:"touches,omitempty"` // rows
	Error   *Fault          `json:"error,omitempty"`   // why it cannot say so
	Status  int             `json:"-"`                 // to exit with for Error
}

// holdsFor is what an answer about the plan holds for, and what it says nothing
// about; nil where nobody is asked.
func (p *Prepared) holdsFor() (*binding.Bound, []binding.Unbound) {
	if p.bound == nil || p.bound.state == nil {
		return nil, nil
	}
	b := p.bound.state.Bound()
	unbound := append([]binding.Unbound{}, p.bound.unbound...)
	if why := p.bound.state.Cut; why != "" {
		unbound = append(unbound, binding.Unbound{What: p.bound.state.Root, Why: "not all of it is bound: " + why, Code: true})
	}
	return &b, unbound
}

// DryRun says what would run, and touches nothing.
func (s *Session) DryRun(ctx context.Context, p *Prepared) DryRun {
	v := gate.Decide(p.facts)
	a := DryRun{
		V: 1, DryRun: true, OperationID: p.Operation, Parameters: p.Parameters,
		Invocation: invoke.Display(p.Plan.Argv), Argv: p.Plan.Argv, Dir: p.Plan.Dir, Level: p.Level.String(),
		Flags: p.Judgement.Flags.Names(), Reasons: p.Judgement.Reasons, Decision: v.Decision.String(), Reason: v.Reason,
		PlanDigest: p.Digest, MapDigest: p.Plan.MapDigest,
		Steps: plannedSteps(p.Plan.Steps),
	}
	a.Bound, a.Unbound = p.holdsFor()
	if a.Reasons == nil {
		a.Reasons = []string{}
	}
	if p.Judgement.Safer != "" {
		a.Safer = &p.Judgement.Safer
	}
	s.preview(ctx, p, &a)
	return a
}

// execution is one plan on its way to the envelope.
type execution struct {
	*Session
	*Prepared
	how    How
	result *Envelope

	elsewhere  bool   // it was approved in another terminal
	onTerminal bool   // the program wrote to the terminal itself
	spill      *spill // where the disk may not hold the output

	touches *int64 // rows that a person is told of
	expect  *int64 // rows that a person said yes to
}

// Run passes the gate and runs the plan. The envelope tells how far it came; an
// error is why nothing was started.
func (s *Session) Run(ctx context.Context, p *Prepared, how How) (*Envelope, error) {
	e := &execution{Session: s, Prepared: p, how: how, result: p.Envelope()}
	if len(p.Plan.Steps) > 0 {
		return e.result, e.runSteps(ctx)
	}
	return e.result, e.run(ctx)
}

func (e *execution) run(ctx context.Context) error {
	if _, status, err := e.Plan.Look(); err != nil {
		return notFound(status, "%s", err)
	}
	if _, _, err := e.Runs(); err != nil {
		return err
	}
	if err := e.pass(ctx); err != nil {
		return err
	}
	e.sayWithheld()
	run, err := e.newRun()
	if err != nil {
		return err
	}
	e.result.RunID = &run.ID
	if e.Level >= tcpdb.High || e.bound != nil || e.logsAll() {
		e.audit(audit.Ran, run.ID, "")
	}
	how := e.options(run)
	if e.how.Separate {
		index, err := run.StderrIndex()
		if err != nil {
			run.Discard()
			return Fail("cannot keep the output: %s", err)
		}
		defer index.Close()
		how.Stderr = index
	}
	var handed *handed
	how.Before = func() (*invoke.Start, error) {
		if err := e.last(); err != nil || e.Plan.Call == nil {
			return e.opened(e.Plan), err
		}
		h, start, err := e.hand(e.Plan)
		handed = h
		return start, err
	}
	out := invoke.Run(ctx, e.Plan, how)
	e.record(ctx, run, out)
	e.reported(run, handed.report())
	if !out.Started {
		run.Discard()
		e.result.RunID = nil
		if f := (*Refusal)(nil); errors.As(out.Err, &f) {
			return f
		}
		f := Fail("%s", out.Err)
		f.Status = out.Status
		return f
	}
	e.keep(run)
	return nil
}

// notFound is the refusal of a program that cannot be started.
func notFound(status int, format string, args ...any) *Refusal {
	f := Refuse(NotFound, format, args...)
	if f.Status = status; status == invoke.StatusNotExecutable {
		f.Code = NotExecutable
	}
	return f
}

// record writes the outcome and the shaped output into the envelope.
func (e *execution) record(ctx context.Context, run *runlog.Run, out invoke.Outcome) {
	r := e.result
	r.Started, r.ExitStatus, r.Success = out.Started, out.Status, out.Started && out.Status == 0
	r.Signal, r.TimedOut, r.ElapsedMS = out.Signal, out.TimedOut, out.Elapsed.Milliseconds()
	if !out.Started {
		return
	}
	st, err := run.Raw.Stat()
	if err != nil {
		r.Error = &Fault{Code: Failed, Message: err.Error()}
		return
	}
	if out.Lost != nil {
		r.Error = &Fault{Code: Failed, Message: "the raw output is not complete: " + out.Lost.Error()}
	}
	r.RawOutput = RawOutput{Retained: out.Lost == nil, Location: run.Location(), Path: run.Raw.Name(), Bytes: st.Size()}
	if e.onTerminal {
		r.RawOutput.Retained, r.Policy = false, "terminal"
		return
	}
	if e.Plan.Call != nil {
		r.Policy, r.Compressor = "raw", byNothing
		return // it is shaped already, see reported
	}
	mode := ""
	if e.Plan.Operation != nil {
		mode = e.Plan.Operation.OutputMode
	}
	chosen := e.chosen(mode)
	if mode == "rtk" {
		mode = ""
	}
	if e.how.Raw || chosen == byNothing {
		mode = "raw"
	}
	if e.how.Raw && !e.how.Silent {
		return // it has been shown whole; it need not be in memory
	}
	how := shape.Options{Policy: mode, Command: e.Prepared.Output.Command, Status: out.Status, Ended: true}
	raw := io.Reader(io.NewSectionReader(run.Raw, 0, st.Size()))
	spilled := out.Lost != nil && e.spill != nil
	if spilled {
		raw = e.spill.reader()
	}
	sum, err := shape.Shape(how, raw)
	if err != nil {
		r.Error = &Fault{Code: Failed, Message: "the output cannot be read back: " + err.Error()}
	}
	r.Policy, r.Compressor, r.Summary, r.Omitted, r.Output = sum.Policy, sum.Compressor, sum.Fields, sum.Omitted, sum.Text
	if err == nil && !e.how.Raw && !spilled && st.Size() > 0 {
		e.compress(ctx, how, run.Raw, st.Size(), &sum, chosen)
	}
}

// keep writes summary.json beside the raw output.
func (e *execution) keep(run *runlog.Run) {
	data, err := json.MarshalIndent(e.kept(run), "", "  ")
	if err == nil {
		err = run.Finish(append(data, '\n'), e.Retention())
	}
	if err != nil {
		e.notice("the summary of %s is not kept: %s", run.ID, err)
	}
}
