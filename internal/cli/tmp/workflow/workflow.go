// Package workflow holds the commands of tmp workflow. How a workflow is planned
// and run is the session's.
package workflow

import (
	"fmt"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/cli/command"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/cli/tmp/operation"
	"github.com/tool-mapping-protocol/tmp/internal/cli/tmp/run"
	"github.com/tool-mapping-protocol/tmp/internal/cli/tmp/script"
	"github.com/tool-mapping-protocol/tmp/internal/gate"
	"github.com/tool-mapping-protocol/tmp/internal/invoke"
	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/internal/session"
	"github.com/tool-mapping-protocol/tmp/internal/workflow"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

type runOptions struct {
	run.Options
	resume string
	redo   bool
}

// NewRun is tmp workflow run.
func NewRun(env *term.Env, f *command.Flags) command.Run {
	var o runOptions
	f.Bool("dry-run", &o.DryRun)
	f.Bool("json", &o.JSON)
	f.Duration("timeout", &o.Timeout)
	f.Strings("set", &o.Set)
	f.Int("jobs", &o.Jobs)
	f.String("resume", &o.resume)
	f.Bool("redo", &o.redo)
	return func(in command.Input) error { return o.run(env, in.Args) }
}

func (o *runOptions) run(env *term.Env, args []string) error {
	switch {
	case o.Jobs < 0:
		return term.Usagef("--jobs: %d: want a number of steps at once", o.Jobs)
	case o.resume != "" && len(o.Set) > 0:
		return term.Usagef("--set and --resume exclude each other: a run is taken up with the parameters that it had")
	case o.redo && o.resume == "":
		return term.Usagef("--redo goes with --resume")
	case o.redo && env.Who() != gate.Person:
		return &term.Failure{Status: invoke.StatusRefused, Msg: "--redo is for a person at a terminal: nobody else decides that a step which was cut short may run again"}
	case o.resume == "" && len(args) == 0:
		return term.Usagef("which workflow?").Hint("tmp workflow list shows them; --resume RUN takes one up")
	}
	params, err := run.Values(o.Set)
	if err != nil {
		return err
	}
	return o.CarryOut(env, func(s *session.Session) (*session.Prepared, error) { return o.prepare(env, s, args, params) })
}

func (o *runOptions) prepare(env *term.Env, s *session.Session, args []string, params map[string]string) (*session.Prepared, error) {
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

type listOptions struct{ all, json bool }

// NewList is tmp workflow list.
func NewList(env *term.Env, f *command.Flags) command.Run {
	var o listOptions
	f.Bool("all", &o.all)
	f.Bool("json", &o.json)
	return func(in command.Input) error {
		return (&operation.ListOptions{All: o.all, JSON: o.json, Surface: "workflow"}).Run(env, nil)
	}
}

type showOptions struct {
	json, svg bool
}

// NewShow is tmp workflow show.
func NewShow(env *term.Env, f *command.Flags) command.Run {
	var o showOptions
	f.Bool("json", &o.json)
	return func(in command.Input) error { return o.run(env, in.Args[0], false) }
}

// NewGraph is tmp workflow graph.
func NewGraph(env *term.Env, f *command.Flags) command.Run {
	var o showOptions
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

func (o *showOptions) run(env *term.Env, id string, graph bool) error {
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
	operation.Print(env, op, w.Describe(op))
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

type addOptions struct {
	user, json bool
	intent     string
}

// NewAdd is tmp workflow add.
func NewAdd(env *term.Env, f *command.Flags) command.Run {
	var o addOptions
	f.Bool("user", &o.user)
	f.String("intent", &o.intent)
	f.Bool("json", &o.json)
	return func(in command.Input) error { return o.run(env, in.Args[0], in.Args[1:]) }
}

// run writes a draft: operations one after the other. Effect and risk are what
// the steps' maps and the judgement of their commands say; a person reviews it
// before it runs.
func (o *addOptions) run(env *term.Env, id string, ops []string) error {
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
			f := operation.Unmapped(w, run)
			if len(f.Hints) == 0 {
				f.Hint("tmp list --all shows every operation")
			}
			return f
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
	d := script.Drafted{User: o.user, JSON: o.json, Name: "workflow." + id}
	return d.Write(env, w, &opmap.Source{Schema: opmap.SchemaVersion, Tool: tool, Provenance: "user", Operations: []*opmap.Operation{flow}})
}
