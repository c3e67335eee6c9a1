package session

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/intent"
	"github.com/tool-mapping-protocol/tmp/internal/invoke"
	"github.com/tool-mapping-protocol/tmp/internal/workflow"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// planSteps plans a workflow whole, before its first step: every step's
// operation must be verified, apply here, and get its parameters. What the
// workflow does is the union of what its steps do.
func (s *Session) planSteps(ctx context.Context, op *tcpdb.Operation, params map[string]string, d workflow.Detail) (*invoke.Plan, error) {
	var names []string
	for i := range op.Params {
		names = append(names, op.Params[i].Name)
	}
	if bad := workflow.Check(d.Steps, names); len(bad) > 0 {
		return nil, Refuse(Draft, "the workflow %s cannot run: %s", op.ID, bad[0])
	}
	ordered, err := workflow.Order(d.Steps)
	if err != nil {
		return nil, err
	}
	p := &invoke.Plan{
		Operation: op, Parameters: params, Argv: []string{"tmp", "workflow", "run", op.ID}, Dir: s.Dir, Env: nil,
		MapDigest: s.View.Digest(), Approval: op.Approval, Timeout: d.Limit(),
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
	for _, one := range ordered {
		step := invoke.Step{Step: one}
		if one.Wanted(params) {
			if step.Plan, err = s.planStep(ctx, one, params); err != nil {
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

func (s *Session) planStep(ctx context.Context, step workflow.Step, params map[string]string) (*invoke.Plan, error) {
	op, ok := s.Lookup(step.Run)
	req := s.Request("")
	switch {
	case !ok:
		return nil, Refuse(NotMapped, "step %s: no operation %q is mapped", step.ID, step.Run)
	case op.Surface == "workflow":
		return nil, Refuse(NotMapped, "step %s: %s is a workflow: a step runs a single operation", step.ID, step.Run)
	case s.Staleness(&op) != "":
		return nil, Refuse(Stale, "step %s: %s", step.ID, s.Staleness(&op))
	case !op.Standing.Verified():
		return nil, Refuse(Draft, "step %s: %s is a draft: nothing runs it until it is verified", step.ID, step.Run)
	case !req.Applies(&op):
		return nil, Refuse(NotApplicable, "step %s: %s does not apply here", step.ID, step.Run)
	}
	d, err := workflow.Parse(s.View.Detail(op.ID))
	if err != nil {
		return nil, err
	}
	if step.Retry > 0 && !d.Idempotent {
		return nil, Refuse(Draft, "step %s: %s is not declared idempotent: it is not retried", step.ID, step.Run)
	}
	ctx, cancel := context.WithTimeout(ctx, resolveTime)
	defer cancel()
	values, err := req.Fill(ctx, &op, step.Values(params))
	var fe *intent.FillError
	if errors.As(err, &fe) {
		return nil, Refuse(Code(fe.Reason), "step %s: %s", step.ID, fe)
	}
	if err != nil {
		return nil, err
	}
	p, err := s.plan(ctx, &op, values)
	if isParameter(err) {
		return nil, Refuse(Code(intent.MissingParameter), "step %s: %s", step.ID, err)
	}
	return p, err
}

// PlannedStep is a step in the answer of a dry run.
type PlannedStep struct {
	ID          string   `json:"id"`
	OperationID string   `json:"operation_id"`
	Needs       []string `json:"needs"`
	If          string   `json:"if,omitempty"`
	On          string   `json:"on,omitempty"`
	Retry       int      `json:"retry,omitempty"`
	Skipped     bool     `json:"skipped,omitempty"`
	Argv        []string `json:"argv"`
}

func plannedSteps(steps []invoke.Step) []PlannedStep {
	var out []PlannedStep
	for _, step := range steps {
		p := PlannedStep{step.ID, step.Run, step.Needs, step.If, step.On, step.Retry, step.Plan == nil, []string{}}
		if step.Plan != nil {
			p.Argv = step.Plan.Argv
		}
		out = append(out, p)
	}
	return out
}
