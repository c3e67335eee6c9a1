package tmp

import (
	"fmt"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/cli/command"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/gate"
	"github.com/tool-mapping-protocol/tmp/internal/invoke"
	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/internal/session"
	"github.com/tool-mapping-protocol/tmp/internal/workflow"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

type workflowRunOptions struct {
	runOptions
	resume string
	redo   bool
}

func newWorkflowRun(env *term.Env, f *command.Flags) command.Run {
	var o workflowRunOptions
	f.Bool("dry-run", &o.dryRun)
	f.Bool("json", &o.json)
	f.Duration("timeout", &o.timeout)
	f.Strings("set", &o.set)
	f.Int("jobs", &o.jobs)
	f.String("resume", &o.resume)
	f.Bool("redo", &o.redo)
	return func(in command.Input) error { return o.run(env, in.Args) }
}

func (o *workflowRunOptions) run(env *term.Env, args []string) error {
	switch {
	case o.jobs < 0:
		return term.Usagef("--jobs: %d: want a number of steps at once", o.jobs)
	case o.resume != "" && len(o.set) > 0:
		return term.Usagef("--set and --resume exclude each other: a run is taken up with the parameters that it had")
	case o.redo && o.resume == "":
		return term.Usagef("--redo goes with --resume")
	case o.redo && env.Who() != gate.Person:
		return &term.Failure{Status: invoke.StatusRefused, Msg: "--redo is for a person at a terminal: nobody else decides that a step which was cut short may run again"}
	case o.resume == "" && len(args) == 0:
		return term.Usagef("which workflow?").Hint("tmp workflow list shows them; --resume RUN takes one up")
	}
	params, err := settings(o.set)
	if err != nil {
		return err
	}
	s, err := env.Session()
	if err != nil {
		return o.finish(env, nil, session.NewEnvelope(env.Dir), err)
	}
	p, err := o.prepare(env, s, args, params)
	return o.carryOut(env, s, p, err)
}

func (o *workflowRunOptions) prepare(env *term.Env, s *session.Session, args []string, params map[string]string) (*session.Prepared, error) {
	id := ""
	if len(args) > 0 {
		id = args[0]
	}
	var earlier *session.Earlier
	if o.resume != "" {
		var err error
		if earlier, err = s.Earlier(o.resume, id, o.redo); err != nil {
			return nil, err
		}
		id, params = earlier.Workflow, earlier.Parameters
	}
	return s.PrepareWorkflow(env.Context, id, params, earlier)
}

type workflowListOptions struct{ all, json bool }

func newWorkflowList(env *term.Env, f *command.Flags) command.Run {
	var o workflowListOptions
	f.Bool("all", &o.all)
	f.Bool("json", &o.json)
	return func(in command.Input) error {
		return (&listOptions{all: o.all, json: o.json, surface: "workflow"}).run(env, nil)
	}
}

type workflowShowOptions struct {
	json, svg bool
}

func newWorkflowShow(env *term.Env, f *command.Flags) command.Run {
	var o workflowShowOptions
	f.Bool("json", &o.json)
	return func(in command.Input) error { return o.run(env, in.Args[0], false) }
}

func newWorkflowGraph(env *term.Env, f *command.Flags) command.Run {
	var o workflowShowOptions
	f.Bool("svg", &o.svg)
	return func(in command.Input) error { return o.run(env, in.Args[0], true) }
}

// shownStep is a step with what is known of its operation.
type shownStep struct {
	workflow.Step
	Effect   string `json:"effect,omitempty"`
	Risk     string `json:"risk,omitempty"`
	Verified bool   `json:"verified"`
}

func (o *workflowShowOptions) run(env *term.Env, id string, graph bool) error {
	w, err := env.Session()
	if err != nil {
		return err
	}
	op, err := w.Workflow(id)
	if err != nil {
		f := term.Failf("%s", err)
		f.Hints = []string{"tmp workflow list --all shows what there is"}
		return f
	}
	d, err := workflow.Parse(w.View.Detail(id))
	if err != nil {
		return err
	}
	if graph && o.svg {
		_, err := env.Stdout.Write(workflow.SVG(op.ID, d.Steps))
		return err
	}
	if graph {
		for line := range strings.Lines(workflow.Text(d.Steps, env.Width())) {
			fmt.Fprintln(env.Stdout, term.OneLine(strings.TrimRight(line, "\n")))
		}
		return nil
	}
	var steps []shownStep
	for _, s := range d.Steps {
		shown := shownStep{Step: s}
		if own, ok := w.Lookup(s.Run); ok {
			shown.Effect, shown.Risk, shown.Verified = own.Effect, max(w.LeastLevel(&own), gate.EffectLevel(own.Effect)).String(), own.Standing.Verified()
		}
		steps = append(steps, shown)
	}
	if o.json {
		return env.PrintJSON(struct {
			V int `json:"v"`
			session.Operation
			Steps []shownStep `json:"steps"`
		}{1, w.Describe(op), steps})
	}
	(&explainOptions{}).print(env, op, w.Describe(op))
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
		fmt.Fprintf(env.Stdout, "  %-10s %s\n", "step", term.OneLine(line))
	}
	return nil
}

type workflowAddOptions struct {
	user, json bool
	intent     string
}

func newWorkflowAdd(env *term.Env, f *command.Flags) command.Run {
	var o workflowAddOptions
	f.Bool("user", &o.user)
	f.String("intent", &o.intent)
	f.Bool("json", &o.json)
	return func(in command.Input) error { return o.run(env, in.Args[0], in.Args[1:]) }
}

// run writes a draft: operations one after the other. Effect and risk are what
// the steps' maps and the judgement of their commands say; a person reviews it
// before it runs.
func (o *workflowAddOptions) run(env *term.Env, id string, ops []string) error {
	w, err := env.Session()
	if err != nil {
		return err
	}
	flow := &opmap.Operation{ID: id, Surface: "workflow", Description: "Run " + strings.Join(ops, ", ")}
	if o.intent != "" {
		flow.Intents = []string{o.intent}
	}
	level, kinds := tcpdb.Safe, []string{}
	for i, run := range ops {
		op, ok := w.View.Operation(run)
		if !ok {
			return term.Failf("no operation %q is mapped", run).Hint("tmp list --all shows every operation")
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
		level = max(level, w.LeastLevel(&op))
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
