package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"github.com/tool-mapping-protocol/tmp/internal/audit"
	"github.com/tool-mapping-protocol/tmp/internal/binding"
	"github.com/tool-mapping-protocol/tmp/internal/invoke"
	"github.com/tool-mapping-protocol/tmp/internal/printed"
	"github.com/tool-mapping-protocol/tmp/internal/runlog"
	"github.com/tool-mapping-protocol/tmp/internal/screen"
	"github.com/tool-mapping-protocol/tmp/internal/shape"
	"github.com/tool-mapping-protocol/tmp/internal/workflow"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Names of the files in the directory of a workflow's run.
const (
	flowName    = "workflow.json" // what was run, written before the first step
	journalName = "steps.jsonl"   // a line for each beginning and end of a step
)

// flow is the content of workflow.json.
type flow struct {
	V          int               `json:"v"`
	Operation  string            `json:"operation_id"`
	Parameters map[string]string `json:"parameters"`
	Dir        string            `json:"cwd"`
	MapDigest  string            `json:"map_digest"`
	PlanDigest string            `json:"plan_digest"`
	Resumes    string            `json:"resumes,omitempty"` // the run that this one takes up
}

// event is a line of the journal.
type event struct {
	Time    time.Time      `json:"time"`
	Step    string         `json:"step"`
	State   workflow.State `json:"state"` // "started", "done", "failed", "skipped"
	Attempt int            `json:"attempt,omitempty"`
	Status  int            `json:"exit_status"`
	Reason  string         `json:"reason,omitempty"`
	// Run is the earlier run in which the step was done.
	Run string `json:"run,omitempty"`
}

const begun workflow.State = "started"

// stepResult is a step in the summary.
type stepResult struct {
	ID          string         `json:"id"`
	OperationID string         `json:"operation_id"`
	Invocation  string         `json:"invocation"`
	State       workflow.State `json:"state"`
	ExitStatus  int            `json:"exit_status"`
	Attempts    int            `json:"attempts"`
	ElapsedMS   int64          `json:"elapsed_ms"`
	Reason      string         `json:"reason,omitempty"`
	RawPath     string         `json:"raw_path,omitempty"`
	Run         string         `json:"run,omitempty"` // the earlier run in which it was done
}

// flowRun is a workflow on its way.
type flowRun struct {
	e       *execution
	run     *runlog.Run
	own     *runlog.Journal // the journal that counts
	mu      sync.Mutex      // of all below, the journal and what is printed
	results map[string]*stepResult
	plans   map[string]*invoke.Plan
	status  int // of the step that failed first
	broken  error
	moved   *Refusal        // a step was not begun since the place is not what was approved
	output  strings.Builder // shaped, of the steps that printed something or failed
}

// runSteps passes the gate once, for the whole, and runs the steps.
func (e *execution) runSteps(ctx context.Context) error {
	for _, s := range e.Plan.Steps {
		if s.Plan == nil {
			continue
		}
		if _, status, err := s.Plan.Look(); err != nil {
			return notFound(status, "step %s: %s", s.ID, err)
		}
	}
	if err := e.pass(ctx); err != nil {
		return err
	}
	for _, s := range e.Plan.Steps {
		if s.Plan != nil && len(s.Plan.Withheld) > 0 && !e.how.Silent {
			e.notice("withheld from step %s: %s", s.ID, strings.Join(s.Plan.Withheld, ", "))
		}
	}
	run, err := e.newRun()
	if err != nil {
		return err
	}
	own, err := e.beginJournal(run)
	if err != nil {
		run.Discard()
		return Fail("cannot keep the journal: %s", err)
	}
	e.result.RunID = &run.ID
	if e.Level >= tcpdb.High || e.bound != nil || e.logsAll() {
		e.audit(audit.Ran, run.ID, "")
	}
	defer own.Close()
	f := &flowRun{e: e, run: run, own: own, results: map[string]*stepResult{}, plans: map[string]*invoke.Plan{}}
	began := time.Now()
	good := f.all(ctx)
	f.record(good, time.Since(began))
	e.keep(run)
	return nil
}

// beginJournal writes down what is about to be run, beside the output for people
// and in the state directory for a run that takes this one up.
func (e *execution) beginJournal(run *runlog.Run) (*runlog.Journal, error) {
	state, err := e.state()
	if err != nil {
		return nil, err
	}
	about := flow{1, e.Plan.Operation.ID, e.Plan.Parameters, e.Plan.Dir, e.Plan.MapDigest, e.Digest, e.earlier.run()}
	head, err := json.MarshalIndent(about, "", "  ")
	if err == nil {
		err = run.Write(flowName, append(head, '\n'))
	}
	if err != nil {
		return nil, err
	}
	own, err := runlog.NewJournal(state, run.ID, e.Now())
	if err != nil {
		return nil, err
	}
	line, err := json.Marshal(about)
	if err == nil {
		err = own.Append(append(line, '\n'))
	}
	return own, err
}

// all runs the steps. A signal lets no further step begin; those that run get it.
func (f *flowRun) all(ctx context.Context) bool {
	e := f.e
	ctx, stop := signal.NotifyContext(ctx, unix.SIGINT, unix.SIGTERM, unix.SIGHUP)
	defer stop()
	if t := e.how.Limit(e.Plan); t > 0 {
		limited, cancel := context.WithTimeout(ctx, t)
		defer cancel()
		ctx = limited
	}
	var steps []workflow.Step
	for _, s := range e.Plan.Steps {
		steps = append(steps, s.Step)
		r := &stepResult{ID: s.ID, OperationID: s.Run}
		if s.Plan != nil {
			f.plans[s.ID], r.Invocation = s.Plan, invoke.Display(s.Plan.Argv)
		}
		if e.earlier.done(s.ID) {
			r.State, r.Run = workflow.Done, e.earlier.Run
			f.journal(event{Step: s.ID, State: workflow.Done, Run: e.earlier.Run})
			f.say(s.ID, "done in run "+e.earlier.Run)
		}
		f.results[s.ID] = r
	}
	return workflow.Schedule(ctx, steps, workflow.Scheduled{
		Jobs: e.how.jobs(), Before: e.earlier.steps(), Params: e.Plan.Parameters, Do: f.do, Tell: f.tell,
	}) && f.broken == nil
}

// do runs a step, again where it is declared so.
func (f *flowRun) do(ctx context.Context, s workflow.Step) bool {
	for attempt := 1; ; attempt++ {
		name := s.ID
		if attempt > 1 {
			name = fmt.Sprintf("%s.%d", s.ID, attempt)
		}
		out := f.attempt(ctx, s, name, attempt)
		if out.Started && out.Status == 0 && out.Lost == nil {
			return !f.failedToKeep()
		}
		if attempt > s.Retry || ctx.Err() != nil || f.failedToKeep() {
			return false
		}
		f.locked(func() { f.say(s.ID, fmt.Sprintf("%s; attempt %d of %d", endingOf(out), attempt+1, s.Retry+1)) })
	}
}

func (f *flowRun) attempt(ctx context.Context, s workflow.Step, name string, attempt int) invoke.Outcome {
	p := f.plans[s.ID]
	log, err := f.run.StepLog(name)
	if err == nil {
		defer log.Close()
	}
	f.locked(func() {
		if f.broken != nil {
			err = f.broken
		}
		if err == nil {
			err = f.journal(event{Step: s.ID, State: begun, Attempt: attempt})
		}
		if err == nil && attempt == 1 {
			f.say(s.ID, screen.Printable(invoke.Display(p.Argv)))
		}
	})
	var out invoke.Outcome
	var handed *handed
	if err != nil { // nothing runs whose output and end could not be kept
		out = invoke.Outcome{Status: invoke.StatusRefused, Err: err}
	} else {
		out = invoke.Run(ctx, p, invoke.Options{Log: log, Timeout: p.Timeout, Before: func() (*invoke.Start, error) {
			if err := f.beforeStep(s); err != nil || p.Call == nil {
				return f.e.opened(p), err
			}
			h, start, err := f.e.hand(p)
			handed = h
			return start, err
		}})
		if r := handed.report(); r != nil && r.Message != "" && out.Err == nil && out.Status != 0 {
			out.Err = errors.New(r.Message)
		}
	}
	f.locked(func() {
		r := f.results[s.ID]
		r.Attempts, r.ExitStatus = attempt, out.Status
		r.ElapsedMS += out.Elapsed.Milliseconds()
		if out.Err != nil {
			r.Reason = out.Err.Error()
		}
		if log == nil {
			return
		}
		r.RawPath = log.Name()
		if st, err := log.Stat(); err == nil {
			if _, err := io.Copy(f.run.Raw, io.NewSectionReader(log, 0, st.Size())); err != nil && f.broken == nil {
				f.broken = err
			}
			if out.Status != 0 || st.Size() > 0 {
				f.shape(s, p, out, log, st.Size())
			}
		}
	})
	return out
}

// beforeStep is the last look before a step: the steps before it may have changed
// what they declare, and nothing else.
func (f *flowRun) beforeStep(s workflow.Step) error {
	for began := time.Now(); f.e.bound != nil; {
		wait, err := f.look(s, began)
		if err != nil || wait <= 0 {
			return err
		}
		time.Sleep(wait) // the others go on
	}
	return nil
}

// look is a look before a step, and how long to wait for another.
func (f *flowRun) look(s workflow.Step, began time.Time) (time.Duration, error) {
	b := f.e.bound
	what := "step " + s.ID + " of " + f.e.Plan.Operation.ID
	f.mu.Lock()
	defer f.mu.Unlock()
	changes, err := b.moved(f.e.ownPlaces())
	if err == nil && len(changes) == 0 {
		var stir binding.Stir
		if changes, stir = b.state.Look(); len(changes) == 0 {
			b.stir = b.stir.Later(stir)
			wait, err := b.restless(what, began)
			if err == nil {
				return wait, nil
			}
			return 0, f.refuse(err)
		}
	}
	lines := texts(changes, mostChanges)
	if err != nil {
		lines = []string{err.Error()}
	}
	r := stale(what, lines)
	r.Diff = b.state.Diff(changes)
	if len(changes) > 0 {
		quoted, _ := json.Marshal(changes[0].Path)
		r.Message += fmt.Sprintf(`; if a step before it is meant to write that, its operation says so: "outputs": [%s]`, quoted)
	}
	return 0, f.refuse(r)
}

// refuse notes that a step is not begun.
func (f *flowRun) refuse(r *Refusal) error {
	f.e.audit(audit.Refused, f.run.ID, string(ApprovalStale))
	f.moved = r
	return r
}

// stepLines is how many lines are shown of a step that was done.
const stepLines = 20

// shape keeps the short text of a step: of one that was done its beginning.
func (f *flowRun) shape(s workflow.Step, p *invoke.Plan, out invoke.Outcome, log *os.File, n int64) {
	sum, err := shape.Shape(shape.Options{Policy: p.Operation.OutputMode, Command: printed.Of(f.e.View, p.Argv).Command, Status: out.Status, Ended: true}, io.NewSectionReader(log, 0, n))
	if err != nil {
		return
	}
	text := sum.Text
	if out.Started && out.Status == 0 && out.Lost == nil {
		fmt.Fprintf(&f.output, "[tmp] step %s: done\n", s.ID)
		text = beginning(text, stepLines)
	} else {
		fmt.Fprintf(&f.output, "[tmp] step %s: %s\n", s.ID, endingOf(out))
	}
	f.output.WriteString(text)
	if text != "" && !strings.HasSuffix(text, "\n") {
		f.output.WriteByte('\n')
	}
}

// beginning is a text of so many lines at most, with the number of the others.
func beginning(text string, lines int) string {
	at := 0
	for range lines {
		i := strings.IndexByte(text[at:], '\n')
		if i < 0 {
			return text
		}
		at += i + 1
	}
	if left := strings.Count(strings.TrimSuffix(text[at:], "\n")+"\n", "\n"); at < len(text) {
		return text[:at] + "[tmp] and " + screen.Count(left, "more line") + "\n"
	}
	return text
}

func (f *flowRun) failedToKeep() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.broken != nil
}

// tell hears the end of a step; Schedule calls it one at a time.
func (f *flowRun) tell(s workflow.Step, state workflow.State, reason string) {
	f.locked(func() {
		r := f.results[s.ID]
		r.State = state
		if reason != "" {
			r.Reason = reason
		}
		_ = f.journal(event{Step: s.ID, State: state, Attempt: r.Attempts, Status: r.ExitStatus, Reason: r.Reason})
		took := (time.Duration(r.ElapsedMS) * time.Millisecond).String()
		switch state {
		case workflow.Done:
			f.say(s.ID, "done ("+took+")")
		case workflow.Skipped:
			f.say(s.ID, "skipped: "+r.Reason)
		default:
			if f.status == 0 {
				f.status = max(1, r.ExitStatus)
			}
			f.say(s.ID, fmt.Sprintf("failed: exit status %d (%s)", r.ExitStatus, took))
		}
	})
}

func (f *flowRun) locked(do func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	do()
}

// journal adds a line. One that cannot be written ends the workflow: without
// it nobody could say afterwards what was done.
func (f *flowRun) journal(ev event) error {
	ev.Time = f.e.Now().UTC()
	line, err := json.Marshal(ev)
	if err == nil {
		line = append(line, '\n')
		err = errors.Join(f.own.Append(line), f.run.Append(journalName, line))
	}
	if err != nil && f.broken == nil {
		f.broken = err
	}
	return err
}

// say tells how a step comes on.
func (f *flowRun) say(id, text string) {
	if f.e.how.Progress != nil {
		f.e.how.Progress(id, text)
	}
}

func endingOf(out invoke.Outcome) string {
	switch {
	case out.Err != nil:
		return out.Err.Error()
	case out.TimedOut:
		return "stopped when its time was over"
	case out.Signal != "":
		return "ended by " + out.Signal
	case out.Lost != nil:
		return "its output could not be kept: " + out.Lost.Error()
	}
	return fmt.Sprintf("exit status %d", out.Status)
}

// record writes the outcome into the envelope.
func (f *flowRun) record(good bool, took time.Duration) {
	r := f.e.result
	r.Started, r.Success, r.ExitStatus, r.ElapsedMS = true, good, f.status, took.Milliseconds()
	if !good && r.ExitStatus == 0 {
		r.ExitStatus = invoke.StatusRefused
	}
	r.Output, r.Policy, r.Compressor = f.output.String(), "workflow", byNative
	count := map[workflow.State]int{}
	var steps []stepResult
	for _, s := range f.e.Plan.Steps {
		steps = append(steps, *f.results[s.ID])
		count[f.results[s.ID].State]++
	}
	r.Summary = map[string]any{
		"steps": steps, "done_steps": count[workflow.Done], "failed_steps": count[workflow.Failed], "skipped_steps": count[workflow.Skipped],
	}
	if run := f.e.earlier.run(); run != "" {
		r.Summary["resumes"] = run
	}
	if f.moved != nil {
		r.Error, r.ExitStatus = &f.moved.Fault, invoke.StatusRefused
	}
	if f.broken != nil {
		r.Error = &Fault{Code: Failed, Message: "the journal or the output could not be kept: " + f.broken.Error()}
	}
	r.RawOutput = RawOutput{Retained: f.broken == nil, Location: f.run.Location(), Path: f.run.Raw.Name()}
	if st, err := f.run.Raw.Stat(); err == nil {
		r.RawOutput.Bytes = st.Size()
	}
}
