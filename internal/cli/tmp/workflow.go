package tmp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/gate"
	"github.com/tool-mapping-protocol/tmp/internal/intent"
	"github.com/tool-mapping-protocol/tmp/internal/invoke"
	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/internal/runlog"
	"github.com/tool-mapping-protocol/tmp/internal/workflow"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

type workflowRunOptions struct {
	runOptions
	jobs   int
	resume string
	redo   bool
}

func newWorkflowRun(env *Env, f *flags) runFunc {
	o := workflowRunOptions{}
	f.Bool("dry-run", &o.dryRun)
	f.Bool("json", &o.json)
	f.Duration("timeout", &o.timeout)
	f.Strings("set", &o.set)
	f.Int("jobs", &o.jobs)
	f.String("resume", &o.resume)
	f.Bool("redo", &o.redo)
	return func(in input) error { return o.run(env, in.Args) }
}

func (o *workflowRunOptions) run(env *Env, args []string) error {
	switch {
	case o.jobs < 0:
		return usagef("--jobs: %d: want a number of steps at once", o.jobs)
	case o.resume != "" && len(o.set) > 0:
		return usagef("--set and --resume exclude each other: a run is taken up with the parameters that it had")
	case o.redo && o.resume == "":
		return usagef("--redo goes with --resume")
	case o.redo && env.who() != gate.Person:
		return &failure{status: invoke.StatusRefused, msg: "--redo is for a person at a terminal: nobody else decides that a step which was cut short may run again"}
	case o.resume == "" && len(args) == 0:
		return usagef("which workflow?").hint("tmp workflow list shows them; --resume RUN takes one up")
	}
	params, err := settings(o.set)
	if err != nil {
		return err
	}
	e := &execution{env: env, options: &o.runOptions, parallel: o.jobs}
	e.result = envelope{V: 1, Argv: []string{}, Dir: env.Dir, Compressor: "none", Summary: map[string]any{}, Omitted: map[string]any{}}
	err = o.prepare(e, args, params)
	if err == nil && o.dryRun {
		return e.printPlan()
	}
	if err == nil {
		err = e.execute()
	}
	return e.finish(err)
}

func (o *workflowRunOptions) prepare(e *execution, args []string, params map[string]string) error {
	w, err := openWorld(e.env)
	if err != nil {
		return err
	}
	e.world = w
	id := ""
	if len(args) > 0 {
		id = args[0]
	}
	if o.resume != "" {
		if id, params, err = o.earlier(e, id); err != nil {
			return err
		}
	}
	op, err := w.workflow(id)
	if err != nil {
		return err
	}
	r, err := w.refill(op, params)
	if err != nil {
		return err
	}
	if !r.Resolved() {
		return refuse(string(r.Reason), "not run (%s): %s", r.Reason, r.Message)
	}
	r.plan.Before = sortedKeys(e.before)
	e.adopt(r)
	return nil
}

// workflow finds a workflow by its ID.
func (w *world) workflow(id string) (*tcpdb.Operation, error) {
	op, ok := w.lookup(id)
	if !ok || op.Surface != "workflow" {
		f := refuse("not_mapped", "no workflow %q is mapped", id)
		f.hints = append(f.hints, "tmp workflow list --all shows what there is")
		return nil, f
	}
	return &op, nil
}

// earlier reads the journal of a run that is to be taken up: the steps that
// were done stay done. It counts only under the same map and in the same
// directory; a step that was cut short is run again only if it is declared
// idempotent, or if a person says so with --redo.
func (o *workflowRunOptions) earlier(e *execution, id string) (string, map[string]string, error) {
	var args []string
	if o.resume != "last" {
		args = []string{o.resume}
	}
	k, err := e.world.kept(args)
	if err != nil {
		return "", nil, err
	}
	state, err := e.world.state()
	if err != nil {
		return "", nil, err
	}
	var was flow
	data, err := runlog.ReadJournal(state, k.ID)
	head, journal, _ := bytes.Cut(data, []byte("\n"))
	if err == nil {
		err = json.Unmarshal(head, &was)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", nil, refuse("failed", "run %s is not one of a workflow that you ran with tmp workflow run; tmp runs list shows what ran here", k.ID)
	case err != nil:
		return "", nil, refuse("failed", "run %s is no workflow's, or its journal cannot be read", k.ID)
	case id != "" && id != was.Operation:
		return "", nil, refuse("failed", "run %s is of %s", k.ID, was.Operation)
	case was.Dir != e.env.Dir:
		return "", nil, refuse("failed", "run %s was in %s: take it up there", k.ID, was.Dir)
	case was.MapDigest != e.world.view.Digest():
		return "", nil, refuse("map_changed", "the map has changed since run %s: what was done then may not be what the workflow means now", k.ID)
	case k.InProgress:
		return "", nil, refuse("failed", "run %s is still going on", k.ID)
	}
	e.before, e.resumes = map[string]bool{}, k.ID
	open := map[string]int{}
	for line := range bytes.Lines(journal) {
		var ev event
		if json.Unmarshal(line, &ev) != nil {
			continue // the last line, cut short
		}
		switch ev.State {
		case begun:
			open[ev.Step] = ev.Attempt
		case workflow.Done:
			e.before[ev.Step] = true
			fallthrough
		default:
			delete(open, ev.Step)
		}
	}
	for _, step := range sortedKeys(open) {
		if err := o.cutShort(e, k, was.Operation, step, open[step]); err != nil {
			return "", nil, err
		}
	}
	return was.Operation, was.Parameters, nil
}

// cutShort decides about a step whose end nobody wrote down.
func (o *workflowRunOptions) cutShort(e *execution, k runlog.Kept, flowID, step string, attempt int) error {
	name := step
	if attempt > 1 {
		name = fmt.Sprintf("%s.%d", step, attempt)
	}
	if k.StepBusy(name) {
		return refuse("failed", "the program of step %s of run %s is still running", step, k.ID)
	}
	d, err := workflow.Parse(e.world.view.Detail(flowID))
	if err != nil {
		return err
	}
	for _, s := range d.Steps {
		if s.ID != step {
			continue
		}
		if own, err := workflow.Parse(e.world.view.Detail(s.Run)); err == nil && own.Idempotent || o.redo {
			return nil
		}
	}
	f := refuse("cut_short", "step %s of run %s was cut short, and it is not declared idempotent: nobody knows how far it came", step, k.ID)
	f.hints = append(f.hints, "look at what it has done; --redo runs it again")
	return f
}

// jobs is how many steps run at once.
func (e *execution) jobs() int {
	if e.parallel > 0 {
		return e.parallel
	}
	return min(8, runtime.GOMAXPROCS(0))
}

type workflowListOptions struct{ all, json bool }

func newWorkflowList(env *Env, f *flags) runFunc {
	var o workflowListOptions
	f.Bool("all", &o.all)
	f.Bool("json", &o.json)
	return func(in input) error {
		return (&listOptions{all: o.all, json: o.json, surface: "workflow"}).run(env, nil)
	}
}

type workflowShowOptions struct {
	json, svg bool
}

func newWorkflowShow(env *Env, f *flags) runFunc {
	var o workflowShowOptions
	f.Bool("json", &o.json)
	return func(in input) error { return o.run(env, in.Args[0], false) }
}

func newWorkflowGraph(env *Env, f *flags) runFunc {
	var o workflowShowOptions
	f.Bool("svg", &o.svg)
	return func(in input) error { return o.run(env, in.Args[0], true) }
}

// shownStep is a step with what is known of its operation.
type shownStep struct {
	workflow.Step
	Effect   string `json:"effect,omitempty"`
	Risk     string `json:"risk,omitempty"`
	Verified bool   `json:"verified"`
}

func (o *workflowShowOptions) run(env *Env, id string, graph bool) error {
	w, err := openWorld(env)
	if err != nil {
		return err
	}
	op, err := w.workflow(id)
	if err != nil {
		f := failf("%s", err)
		f.hints = []string{"tmp workflow list --all shows what there is"}
		return f
	}
	d, err := workflow.Parse(w.view.Detail(id))
	if err != nil {
		return err
	}
	if graph && o.svg {
		_, err := env.Stdout.Write(workflow.SVG(op.ID, d.Steps))
		return err
	}
	if graph {
		for line := range strings.Lines(workflow.Text(d.Steps, env.columns())) {
			fmt.Fprintln(env.Stdout, oneLine(strings.TrimRight(line, "\n")))
		}
		return nil
	}
	var steps []shownStep
	for _, s := range d.Steps {
		shown := shownStep{Step: s}
		if own, ok := w.lookup(s.Run); ok {
			shown.Effect, shown.Risk, shown.Verified = own.Effect, max(w.leastLevel(&own), gate.EffectLevel(own.Effect)).String(), own.Standing.Verified()
		}
		steps = append(steps, shown)
	}
	if o.json {
		return env.printJSON(struct {
			V int `json:"v"`
			operation
			Steps []shownStep `json:"steps"`
		}{1, w.operation(op), steps})
	}
	(&explainOptions{}).print(env, op, w.operation(op))
	for _, s := range steps {
		line := s.ID + ": " + s.Run
		if s.Risk == "" {
			line += " (not mapped)"
		} else if !s.Verified {
			line += " (draft)"
		} else {
			line += " (" + s.Effect + ", " + s.Risk + ")"
		}
		if len(s.Needs) > 0 {
			line += " after " + strings.Join(s.Needs, ", ")
		}
		fmt.Fprintf(env.Stdout, "  %-10s %s\n", "step", oneLine(line))
	}
	return nil
}

type workflowAddOptions struct {
	user, json bool
	intent     string
}

func newWorkflowAdd(env *Env, f *flags) runFunc {
	var o workflowAddOptions
	f.Bool("user", &o.user)
	f.String("intent", &o.intent)
	f.Bool("json", &o.json)
	return func(in input) error { return o.run(env, in.Args[0], in.Args[1:]) }
}

// run writes a draft: operations one after the other. Effect and risk are what
// the steps' maps and the judgement of their commands say; a person reviews it
// before it runs.
func (o *workflowAddOptions) run(env *Env, id string, ops []string) error {
	w, err := openWorld(env)
	if err != nil {
		return err
	}
	flow := &opmap.Operation{ID: id, Surface: "workflow", Description: "Run " + strings.Join(ops, ", ")}
	if o.intent != "" {
		flow.Intents = []string{o.intent}
	}
	level, kinds := tcpdb.Safe, []string{}
	for i, run := range ops {
		op, ok := w.view.Operation(run)
		if !ok {
			return failf("no operation %q is mapped", run).hint("tmp list --all shows every operation")
		}
		step := workflow.Step{ID: strings.ReplaceAll(run, ".", "-"), Run: run, Needs: []string{}}
		for _, s := range flow.Steps {
			if s.ID == step.ID {
				step.ID = fmt.Sprintf("%s-%d", step.ID, i+1)
			}
		}
		if i > 0 {
			step.Needs = []string{flow.Steps[i-1].ID}
		}
		for j := range op.Params {
			p := op.Params[j]
			if step.With == nil {
				step.With = map[string]string{}
			}
			step.With[p.Name] = "<" + p.Name + ">"
			if flow.Param(p.Name) == nil {
				q := &opmap.Parameter{Name: p.Name, Type: p.Type, Required: p.Required, Default: p.Default, Description: p.Description, Resolver: p.Resolver}
				if p.Filter {
					q.Match = "filter"
				}
				flow.Parameters = append(flow.Parameters, q)
			}
		}
		flow.Steps = append(flow.Steps, step)
		level = max(level, w.leastLevel(&op))
		if op.Approval != "" {
			flow.Approval = op.Approval
		}
		for kind := range strings.SplitSeq(op.Effect, " + ") {
			if !strings.Contains(strings.Join(kinds, " + "), kind) {
				kinds = append(kinds, kind)
			}
		}
	}
	flow.Effect = strings.Join(kinds, " + ")
	flow.Risk, _, _ = strings.Cut(strings.ToLower(level.String()), "_")
	tool, _, _ := strings.Cut(id, ".")
	d := drafted{user: o.user, json: o.json, name: "workflow." + id}
	return d.write(env, w, &opmap.Source{Schema: opmap.SchemaVersion, Tool: tool, Provenance: "user", Operations: []*opmap.Operation{flow}})
}

// unresolved is an intent's refusal with its suggestions.
func unresolved(r intent.Resolution) *refused {
	f := refuse(string(r.Reason), "not resolved (%s): %s", r.Reason, r.Message)
	f.Suggestions = r.Suggestions
	for _, s := range r.Suggestions {
		f.hints = append(f.hints, fmt.Sprintf("%q is %s", s.Intent, s.OperationID))
	}
	return f
}
