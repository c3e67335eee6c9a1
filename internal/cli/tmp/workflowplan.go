package tmp

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/intent"
	"github.com/tool-mapping-protocol/tmp/internal/invoke"
	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/internal/workflow"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// planSteps plans a workflow whole, before its first step: every step's
// operation must be verified, apply here, and get its parameters. What the
// workflow does is the union of what its steps do.
func (w *world) planSteps(op *tcpdb.Operation, params map[string]string, d workflow.Detail) (*invoke.Plan, error) {
	var names []string
	for i := range op.Params {
		names = append(names, op.Params[i].Name)
	}
	if bad := workflow.Check(d.Steps, names); len(bad) > 0 {
		return nil, refuse("draft", "the workflow %s cannot run: %s", op.ID, bad[0])
	}
	ordered, err := workflow.Order(d.Steps)
	if err != nil {
		return nil, err
	}
	p := &invoke.Plan{
		Operation: op, Parameters: params, Argv: []string{"tmp", "workflow", "run", op.ID}, Dir: w.env.Dir, Env: nil,
		MapDigest: w.view.Digest(), Approval: op.Approval, Timeout: d.Limit(),
	}
	for _, name := range sortedKeys(params) {
		p.Argv = append(p.Argv, "--set", name+"="+params[name])
	}
	kinds := []string{}
	union := func(effect string) {
		for _, kind := range strings.Split(effect, " + ") {
			if kind != "" && !slices.Contains(kinds, kind) {
				kinds = append(kinds, kind)
			}
		}
	}
	union(op.Effect)
	for _, s := range ordered {
		step := invoke.Step{Step: s}
		if s.Wanted(params) {
			if step.Plan, err = w.planStep(s, params); err != nil {
				return nil, err
			}
			union(step.Plan.Operation.Effect)
			if step.Plan.Operation.Approval != "" {
				p.Approval = step.Plan.Operation.Approval
			}
		}
		p.Steps = append(p.Steps, step)
	}
	p.Effect = strings.Join(kinds, " + ")
	return p, nil
}

func (w *world) planStep(s workflow.Step, params map[string]string) (*invoke.Plan, error) {
	op, ok := w.lookup(s.Run)
	req := w.request("")
	switch {
	case !ok:
		return nil, refuse("not_mapped", "step %s: no operation %q is mapped", s.ID, s.Run)
	case op.Surface == "workflow":
		return nil, refuse("not_mapped", "step %s: %s is a workflow: a step runs a single operation", s.ID, s.Run)
	case w.staleness(&op) != "":
		return nil, refuse("stale", "step %s: %s", s.ID, w.staleness(&op))
	case !op.Standing.Verified():
		return nil, refuse("draft", "step %s: %s is a draft: nothing runs it until it is verified", s.ID, s.Run)
	case !req.Applies(&op):
		return nil, refuse("not_applicable", "step %s: %s does not apply here", s.ID, s.Run)
	}
	d, err := workflow.Parse(w.view.Detail(op.ID))
	if err != nil {
		return nil, err
	}
	if s.Retry > 0 && !d.Idempotent {
		return nil, refuse("draft", "step %s: %s is not declared idempotent: it is not retried", s.ID, s.Run)
	}
	ctx, cancel := contextFor(w.env)
	defer cancel()
	values, err := req.Fill(ctx, &op, s.Values(params))
	var fe *intent.FillError
	if errors.As(err, &fe) {
		return nil, refuse(string(fe.Reason), "step %s: %s", s.ID, fe)
	}
	if err != nil {
		return nil, err
	}
	p, err := w.plan(&op, values)
	if isParameter(err) {
		return nil, refuse(string(intent.MissingParameter), "step %s: %s", s.ID, err)
	}
	return p, err
}

// judgePlan rates a plan: of a workflow the maximum over its steps, before the
// first of them runs.
func (w *world) judgePlan(p *invoke.Plan) judgement {
	if len(p.Steps) == 0 {
		return w.judge(p.Argv, p.Operation)
	}
	all := judgement{level: p.Operation.Risk, reasons: []string{"the map rates " + p.Operation.ID + " so"}}
	for _, s := range p.Steps {
		if s.Plan != nil {
			all.join(s.ID, w.judge(s.Plan.Argv, s.Plan.Operation))
		}
	}
	return all
}

// join takes over what a step's judgement raises, its reason first.
func (j *judgement) join(id string, step judgement) {
	j.flags |= step.flags
	if step.level <= j.level {
		return
	}
	j.level, j.safer, j.reasons = step.level, step.safer, nil
	for _, r := range step.reasons {
		j.reasons = append(j.reasons, "step "+id+": "+r)
	}
}

// judgeCanonical rates what a digest binds, and describes its steps.
func (w *world) judgeCanonical(c *invoke.Canonical) (judgement, string, error) {
	if len(c.Steps) == 0 {
		return w.judge(c.Argv, nil), "", nil
	}
	var all judgement
	var text strings.Builder
	for _, s := range c.Steps {
		if s.Plan == nil {
			continue
		}
		var p invoke.Canonical
		if err := json.Unmarshal(s.Plan, &p); err != nil {
			return all, "", err
		}
		all.join(s.ID, w.judge(p.Argv, nil))
		fmt.Fprintf(&text, "  step %s: %s\n", oneLine(s.ID), oneLine(invoke.Display(p.Argv)))
	}
	return all, text.String(), nil
}

// describeSteps lists the steps of a plan, one a line.
func describeSteps(steps []invoke.Step) string {
	var b strings.Builder
	for _, s := range steps {
		what := "skipped: its condition does not hold: " + s.If
		if s.Plan != nil {
			what = invoke.Display(s.Plan.Argv)
		}
		fmt.Fprintf(&b, "  step %s: %s\n", s.ID, oneLine(what))
	}
	return b.String()
}

// plannedStep is a step in the JSON of a plan.
type plannedStep struct {
	ID          string   `json:"id"`
	OperationID string   `json:"operation_id"`
	Needs       []string `json:"needs"`
	If          string   `json:"if,omitempty"`
	On          string   `json:"on,omitempty"`
	Retry       int      `json:"retry,omitempty"`
	Skipped     bool     `json:"skipped,omitempty"`
	Argv        []string `json:"argv"`
}

func plannedSteps(steps []invoke.Step) []plannedStep {
	var out []plannedStep
	for _, s := range steps {
		p := plannedStep{s.ID, s.Run, s.Needs, s.If, s.On, s.Retry, s.Plan == nil, []string{}}
		if s.Plan != nil {
			p.Argv = s.Plan.Argv
		}
		out = append(out, p)
	}
	return out
}

// runsText is what an operation of a source runs, for a person who reviews it.
func runsText(op *opmap.Operation) string {
	if len(op.Steps) == 0 {
		return op.Template
	}
	var parts []string
	for _, s := range op.Steps {
		text := s.Run
		for _, name := range sortedKeys(s.With) {
			text += " " + name + "=" + s.With[name]
		}
		if s.If != "" {
			text += " if " + s.If
		}
		parts = append(parts, text)
	}
	return "workflow: " + strings.Join(parts, "; ")
}
