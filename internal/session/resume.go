package session

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"github.com/tool-mapping-protocol/tmp/internal/runlog"
	"github.com/tool-mapping-protocol/tmp/internal/workflow"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Earlier is a run of a workflow that is taken up: what was done in it stays done.
type Earlier struct {
	Run        string // its ID
	Workflow   string // the operation's
	Parameters map[string]string
	Done       map[string]bool // by step
}

func (e *Earlier) run() string {
	if e == nil {
		return ""
	}
	return e.Run
}

func (e *Earlier) steps() map[string]bool {
	if e == nil {
		return nil
	}
	return e.Done
}

func (e *Earlier) done(step string) bool { return e.steps()[step] }

// Workflow finds a workflow by its ID.
func (s *Session) Workflow(id string) (*tcpdb.Operation, error) {
	op, ok := s.Lookup(id)
	if !ok || op.Surface != "workflow" {
		return nil, Refuse(NotMapped, "no workflow %q is mapped", id).Hint("tmp workflow list --all shows what there is")
	}
	return &op, nil
}

// PrepareWorkflow is a workflow as it would be run with these parameters, or as
// the earlier run, nil if there is none, is taken up.
func (s *Session) PrepareWorkflow(ctx context.Context, id string, params map[string]string, earlier *Earlier) (*Prepared, error) {
	op, err := s.Workflow(id)
	if err != nil {
		return nil, err
	}
	r, err := s.Refill(ctx, op, params)
	if err != nil {
		return nil, err
	}
	if !r.Resolved() {
		return nil, Refuse(Code(r.Reason), "not run (%s): %s", r.Reason, r.Message)
	}
	r.Plan.Before = sortedKeys(earlier.steps())
	p := s.Prepare(r)
	p.earlier = earlier
	return p, nil
}

// Earlier reads the journal of a run that is to be taken up, of the workflow of
// that ID or with "" of any: the steps that were done stay done. It counts only
// under the same map and in the same directory; a step that was cut short is run
// again only if it is declared idempotent, or if a person says so with redo.
func (s *Session) Earlier(run, id string, redo bool) (*Earlier, error) {
	k, err := s.Kept(run)
	if err != nil {
		return nil, err
	}
	state, err := s.state()
	if err != nil {
		return nil, err
	}
	var was flow
	data, err := runlog.ReadJournal(state, k.ID)
	head, journal, _ := bytes.Cut(data, []byte("\n"))
	if err == nil {
		err = json.Unmarshal(head, &was)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, Fail("run %s is not one of a workflow that you ran with tmp workflow run; tmp runs list shows what ran here", k.ID)
	case err != nil:
		return nil, Fail("run %s is no workflow's, or its journal cannot be read", k.ID)
	case id != "" && id != was.Operation:
		return nil, Fail("run %s is of %s", k.ID, was.Operation)
	case was.Dir != s.Dir:
		return nil, Fail("run %s was in %s: take it up there", k.ID, was.Dir)
	case was.MapDigest != s.View.Digest():
		return nil, Refuse(MapChanged, "the map has changed since run %s: what was done then may not be what the workflow means now", k.ID)
	case k.InProgress:
		return nil, Fail("run %s is still going on", k.ID)
	}
	e := &Earlier{Run: k.ID, Workflow: was.Operation, Parameters: was.Parameters}
	var open map[string]int
	e.Done, open = stepsOf(journal)
	for _, step := range sortedKeys(open) {
		if err := s.cutShort(k, was.Operation, step, open[step], redo); err != nil {
			return nil, err
		}
	}
	return e, nil
}

// stepsOf reads which steps a journal says are done, and the attempt of each
// whose end nobody wrote down.
func stepsOf(journal []byte) (done map[string]bool, open map[string]int) {
	done, open = map[string]bool{}, map[string]int{}
	for line := range bytes.Lines(journal) {
		var ev event
		if json.Unmarshal(line, &ev) != nil {
			continue // the last line, cut short
		}
		switch ev.State {
		case begun:
			open[ev.Step] = ev.Attempt
		case workflow.Done:
			done[ev.Step] = true
			fallthrough
		default:
			delete(open, ev.Step)
		}
	}
	return done, open
}

// cutShort decides about a step whose end nobody wrote down.
func (s *Session) cutShort(k runlog.Kept, flowID, step string, attempt int, redo bool) error {
	name := step
	if attempt > 1 {
		name = fmt.Sprintf("%s.%d", step, attempt)
	}
	if k.StepBusy(name) {
		return Fail("the program of step %s of run %s is still running", step, k.ID)
	}
	d, err := workflow.Parse(s.View.Detail(flowID))
	if err != nil {
		return err
	}
	for _, one := range d.Steps {
		if one.ID != step {
			continue
		}
		if own, err := workflow.Parse(s.View.Detail(one.Run)); err == nil && own.Idempotent || redo {
			return nil
		}
	}
	return Refuse(CutShort, "step %s of run %s was cut short, and it is not declared idempotent: nobody knows how far it came", step, k.ID).
		Hint("look at what it has done; --redo runs it again")
}

func sortedKeys[T any](m map[string]T) []string { return slices.Sorted(maps.Keys(m)) }
