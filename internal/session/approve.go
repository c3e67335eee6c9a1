package session

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/account"
	"github.com/tool-mapping-protocol/tmp/internal/ask/facts"
	"github.com/tool-mapping-protocol/tmp/internal/audit"
	"github.com/tool-mapping-protocol/tmp/internal/binding"
	"github.com/tool-mapping-protocol/tmp/internal/gate"
	"github.com/tool-mapping-protocol/tmp/internal/invoke"
	"github.com/tool-mapping-protocol/tmp/internal/runlog"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Asker puts a question to the person who sits at the terminal. An agent has
// none, and nobody answers in its place.
type Asker interface {
	// Ask shows what would run and returns whether it is to. An error means that
	// the question could not be put.
	Ask(q Question) (Answer, error)
}

// Answer is what a person says to a question.
type Answer uint8

// The answers.
const (
	No Answer = iota
	Yes
	While // yes, and for a quarter of an hour again
)

// Question is what a person reads before the answer.
type Question struct {
	Argv      []string
	Dir       string
	Level     tcpdb.Level
	Judgement Judgement
	Steps     []QuestionStep
	Agent     string // that asked, "" for a person
	Word      bool   // only a typed word is a yes
	// Bound and Unbound say what the answer holds for and what not; Cut is why not
	// all of the place could be read.
	Bound   binding.Bound
	Unbound []binding.Unbound
	Cut     string
	// Changed is what is different from what was approved before, Diff how.
	Changed, Diff []string
	Told          []string      // what was found out that it would do
	While         bool          // it may be answered for a while
	For           time.Duration // above 0: the answer is for so long, whatever changes of Except
	Except        []string
}

// QuestionStep is a step of a workflow and what it runs.
type QuestionStep struct{ ID, Text string }

// Steps lists the steps of a plan.
func (p *Prepared) Steps() []QuestionStep {
	var out []QuestionStep
	for _, step := range p.Plan.Steps {
		what := "skipped: its condition does not hold: " + step.If
		if step.Plan != nil {
			what = invoke.Display(step.Plan.Argv)
		}
		out = append(out, QuestionStep{step.ID, what})
	}
	return out
}

// pass lets the plan through the gate: at once, after the person at the
// terminal said yes, or with an approval that was given before.
func (e *execution) pass(ctx context.Context) error {
	facts := e.facts
	v := gate.Decide(facts)
	switch v.Decision {
	case gate.Allow:
		return nil
	case gate.Deny:
		e.audit(audit.Refused, "", v.Code)
		return Refuse(gateCode(v), "%s is refused: %s%s", *e.result.Invocation, v.Reason, e.Judgement.Because())
	}
	b := e.bound
	if b.refused != nil {
		b.strike(e.approvals())
		e.audit(audit.Refused, "", string(NotAFile))
		return b.notBound(*e.result.Invocation)
	}
	for _, wrong := range b.wrong {
		e.audit(audit.Refused, "", "record")
		e.notice("%s: it does not count and was removed", wrong)
	}
	person := facts.Who == gate.Person && e.how.Asker != nil
	if b.given != nil && !v.Word {
		store := e.approvals()
		if len(b.differ) == 0 && store.Use(b.given) {
			e.elsewhere = !person // what comes on standard input nobody has seen
			if !b.given.While {
				e.expect = b.given.Touches
			}
			return nil
		}
		if len(b.differ) > 0 {
			b.strike(store)
			if !person {
				return e.refuseStale(ctx)
			}
		}
	}
	if !person {
		return e.waitForPerson(ctx, v, Refuse(gateCode(v), "%s needs a person's approval: %s%s", *e.result.Invocation, v.Reason, e.Judgement.Because()))
	}
	return e.ask(ctx, v)
}

// ask puts the question to the person at the terminal.
func (e *execution) ask(ctx context.Context, v gate.Verdict) error {
	b := e.bound
	told, err := e.foretold(ctx)
	if err != nil {
		return err
	}
	q := Question{
		Argv: e.Plan.Argv, Dir: e.Plan.Dir, Level: e.Level, Judgement: e.Judgement, Steps: e.Steps(), Word: v.Word || b.state.Cut != "",
		Bound: b.state.Bound(), Unbound: b.unbound, Cut: b.state.Cut, Changed: b.differ, Diff: b.diff, Told: told,
	}
	q.While = !q.Word && b.state.Cut == "" && e.Account != ""
	answer, err := e.how.Asker.Ask(q)
	if err == nil && answer != No && e.touches != nil {
		e.expect = e.touches
	}
	switch {
	case err != nil:
		return Refuse(gateCode(v), "%s needs approval, and the terminal cannot be asked: %s", *e.result.Invocation, err)
	case answer == No:
		e.audit(audit.Refused, "", string(Declined))
		return Refuse(Declined, "not run")
	}
	changes, err := b.moved(e.ownPlaces())
	if err != nil {
		return stale(*e.result.Invocation, []string{err.Error()})
	}
	if len(changes) > 0 {
		return e.refuseMoved(changes)
	}
	b.when = time.Now()
	if answer == While && q.While {
		if err := e.approvals().Approve(e.pending(v), runlog.WhileTime, e.inputs(e.Plan)); err != nil {
			return Refuse(Failed, "the approval cannot be kept: %s", err)
		}
	}
	return nil
}

// refuseStale refuses a plan whose approval was for another state of the place,
// and leaves it for a new one, that shows the difference.
func (e *execution) refuseStale(ctx context.Context) error {
	b := e.bound
	changes := b.differ
	if len(changes) > mostChanges {
		changes = append(slices.Clone(changes[:mostChanges]), fmt.Sprintf("and %d more", len(b.differ)-mostChanges))
	}
	f := stale(*e.result.Invocation, changes)
	f.Diff = b.diff
	return e.waitForPerson(ctx, gate.Decide(e.facts), f)
}

// waitForPerson leaves the plan for Approve.
func (e *execution) waitForPerson(ctx context.Context, v gate.Verdict, f *Refusal) error {
	b := e.bound
	told, err := e.foretold(ctx)
	if err != nil {
		return err
	}
	if b.state.Cut != "" {
		e.audit(audit.Refused, "", "cut")
		return Refuse(Denied, "%s is refused: not all of %s can be bound: %s", *e.result.Invocation, b.state.Root, b.state.Cut).
			Hint("a person can run it at a terminal")
	}
	e.audit(audit.Refused, "", string(f.Code))
	store := e.approvals()
	if store == nil {
		return f.Hint("nothing can be approved: the account has no entry in the passwd database, and so no place for it")
	}
	p := e.pending(v)
	p.Told, p.Touches = told, e.touches
	if err := store.Request(p); err != nil {
		return Refuse(Failed, "the request for approval cannot be kept: %s", err)
	}
	f.Approve = "tmp approve " + e.Digest
	return f.Hint("a person allows it once, within ten minutes, with: %s", f.Approve).Hint("then run the same command again")
}

// pending is the plan as it waits for a person.
func (e *execution) pending(v gate.Verdict) runlog.Pending {
	b := e.bound
	p := runlog.Pending{
		Digest: e.Digest, Plan: string(e.Plan.Canonical()), Key: b.key, Level: e.Level.String(), Reason: v.Reason, Agent: e.Agent,
		Changed: b.differ[:min(len(b.differ), mostChanges)], Diff: b.diff, Inputs: e.inputs(e.Plan), State: b.state.Encode(),
	}
	if e.Operation != nil {
		p.OperationID = *e.Operation
	}
	for _, u := range b.unbound {
		p.Unbound = append(p.Unbound, runlog.Unbound(u))
	}
	return p
}

// logsAll reports whether the audit log has every run, and not only those from HIGH up.
func (e *execution) logsAll() bool {
	_, all := facts.Kept(e.Session.Paths)
	return all
}

// audit writes to the audit log.
func (e *execution) audit(answer audit.Answer, run, reason string) {
	r := audit.Record{
		Via: "run", Answer: answer, Line: *e.result.Invocation, Dir: e.Plan.Dir, Level: e.Level.String(), Flags: e.Judgement.Flags.Names(),
		PlanDigest: e.Digest, RunID: run, Reason: reason,
	}
	if e.bound != nil && e.bound.state != nil {
		r.Bound = e.bound.state.Bound().Files
		for _, u := range e.bound.unbound {
			r.Unbound = append(r.Unbound, u.What)
		}
	}
	if e.Operation != nil {
		r.Operation = *e.Operation
	}
	e.Session.audit(r)
}

// audit adds a line to the audit log; that it cannot is said and stops nothing.
func (s *Session) audit(r audit.Record) {
	if s.Paths.State == "" {
		return
	}
	r.Map = s.View
	r.Time, r.Agent = s.Now(), s.Agent
	if err := audit.Append(s.Paths.State, r); err != nil {
		s.notice("the audit log cannot be written: %s", err)
	}
}

// CheckApprover reports why the caller may not approve the plan of a digest, or
// that it is none: an approval is a person's, given at a terminal.
func (c *Caller) CheckApprover(digest string) error {
	switch {
	case c.Agent != "":
		return Fail("an agent cannot approve").Hint("TMP_AGENT_ID is set: a person does this in a terminal of their own")
	case c.Who != gate.Person:
		return Fail("an approval is given at a terminal").Hint("run tmp approve %s yourself, without pipes", digest)
	}
	if digest = strings.ToLower(digest); len(digest) < 8 || strings.Trim(digest, "0123456789abcdef") != "" {
		return Refuse(Usage, "%q is not a plan digest", digest).Hint("give the digest that tmp run printed, or at least its first 8 digits")
	}
	return nil
}

// Allowances are the approvals that hold for a while.
func (c *Caller) Allowances() []runlog.Approval {
	if c.Account == "" {
		return nil
	}
	all, _ := runlog.OpenApprovals(c.Account, account.At(c.Now())).List()
	return slices.DeleteFunc(all, func(a runlog.Approval) bool { return !a.While })
}

// Disallow takes an approval back.
func (c *Caller) Disallow(a *runlog.Approval) {
	runlog.OpenApprovals(c.Account, account.At(c.Now())).Strike(a)
}

// Approving is what a person adds to an approval.
type Approving struct {
	While  time.Duration // above 0: not once, but for so long
	Except []string      // what may change meanwhile
}

// Approve records a person's yes to a plan that waits. What is shown is judged
// anew, where it would run, and is what the digest binds. held is for how long the
// yes was meant, 0 for one run.
func (s *Session) Approve(digest string, how Approving, asker Asker) (held time.Duration, err error) {
	if err := s.CheckApprover(digest); err != nil {
		return 0, err
	}
	store := s.approvals()
	if store == nil {
		return 0, Fail("nothing can be approved: the account has no entry in the passwd database, and so no place for it")
	}
	if how.While < 0 || how.While > runlog.MostTime {
		return 0, Refuse(Usage, "--for %s: an approval holds for an hour at most", how.While)
	}
	p, err := store.Pending(strings.ToLower(digest))
	if err != nil {
		return 0, err
	}
	var state *binding.State // nil of a call that is run elsewhere: it has no place
	if len(p.State) > 0 {
		if state, err = binding.Decode(p.State); err != nil {
			return 0, err
		}
	}
	q, plan, err := s.waiting(&p, state)
	if err != nil {
		return 0, err
	}
	if q.Level >= tcpdb.Critical {
		return 0, Fail("CRITICAL is not approved for others").Hint("run it yourself at a terminal if it must be")
	}
	if how.While > 0 {
		how.Except = append(slices.Clone(how.Except), p.Inputs...)
		q.For, q.Except = how.While, how.Except
	}
	if err := s.sinceAsked(state, "has changed since this was asked for"); err != nil {
		return 0, err
	}
	answer, err := asker.Ask(q)
	if err != nil {
		return 0, Fail("the terminal cannot be asked: %s", err)
	}
	if answer == No {
		return 0, Fail("not approved")
	}
	if answer == While && how.While == 0 {
		how.While, how.Except = runlog.WhileTime, p.Inputs
	}
	if err := s.sinceAsked(state, "has changed while you read"); err != nil {
		return 0, err
	}
	if err := store.Approve(p, how.While, how.Except); err != nil {
		return 0, err
	}
	r := audit.Record{
		Via: "approve", Answer: audit.Approved, Operation: p.OperationID, Line: invoke.Display(plan.Argv), Dir: plan.Dir,
		Level: q.Level.String(), PlanDigest: p.Digest, Reason: forAgent(p.Agent), Bound: q.Bound.Files,
	}
	for _, u := range q.Unbound {
		r.Unbound = append(r.Unbound, u.What)
	}
	s.audit(r)
	return how.While, nil
}

// sinceAsked refuses what is no longer as it was when it was asked for.
func (s *Session) sinceAsked(state *binding.State, what string) error {
	if state == nil {
		return nil
	}
	now, err := binding.Again(state, binding.Options{Skip: s.ownPlaces()})
	if err != nil {
		return Fail("%s", err)
	}
	changes := binding.Changes(state, now)
	if len(changes) == 0 {
		return nil
	}
	f := Refuse(ApprovalStale, "%s %s: %s", changes[0].Path, what, strings.Join(texts(changes, mostChanges), "; "))
	f.Changes, f.Diff = texts(changes, mostChanges), state.Diff(changes)
	return f.Hint("let it be asked for again: the digest is then another one")
}

// waiting is what a person is asked about a plan that waits: what its digest
// binds, not what stands beside it.
func (s *Session) waiting(p *runlog.Pending, state *binding.State) (q Question, plan *invoke.Canonical, err error) {
	plan = &invoke.Canonical{}
	if err := json.Unmarshal([]byte(p.Plan), plan); err != nil {
		return q, nil, Fail("the plan cannot be read: %s", err)
	}
	place := ""
	if state != nil {
		place = binding.Hex(state.Digest)
	}
	if plan.Place != place {
		return q, nil, Fail("the plan is for another state of the place")
	}
	// It is judged where it would run, not where the person is.
	there := *s
	if filepath.IsAbs(plan.Dir) {
		there.Dir = plan.Dir
	}
	level, err := tcpdb.ParseLevel(p.Level)
	if err != nil {
		return q, nil, Fail("the plan cannot be read: %s", err)
	}
	j, steps, err := there.judgeCanonical(plan)
	if err != nil {
		return q, nil, Fail("the plan cannot be read: %s", err)
	}
	q = Question{
		Argv: plan.Argv, Dir: plan.Dir, Level: max(level, j.Level), Judgement: j, Steps: steps, Agent: p.Agent,
		Changed: p.Changed, Diff: p.Diff, Told: p.Told, While: state != nil,
	}
	if state != nil {
		q.Bound = state.Bound()
	}
	for _, u := range p.Unbound {
		q.Unbound = append(q.Unbound, binding.Unbound(u))
	}
	return q, plan, nil
}

// forAgent says who asked for what a person approved.
func forAgent(agent string) string {
	if agent == "" {
		return ""
	}
	return "for the agent " + agent
}
