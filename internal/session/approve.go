package session

import (
	"encoding/json"
	"path/filepath"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/audit"
	"github.com/tool-mapping-protocol/tmp/internal/gate"
	"github.com/tool-mapping-protocol/tmp/internal/invoke"
	"github.com/tool-mapping-protocol/tmp/internal/mapset"
	"github.com/tool-mapping-protocol/tmp/internal/runlog"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Asker puts a question to the person who sits at the terminal. An agent has
// none, and nobody answers in its place.
type Asker interface {
	// Ask shows what would run and returns whether it is to. An error means that
	// the question could not be put.
	Ask(q Question) (yes bool, err error)
}

// Question is what a person reads before the answer.
type Question struct {
	Argv      []string
	Dir       string
	Level     tcpdb.Level
	Judgement Judgement
	Steps     []QuestionStep
	// Files are those of the directory that an approval given elsewhere holds for.
	Files []invoke.File
	Agent string // that asked, "" for a person
	Word  bool   // only a typed word is a yes
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
// terminal said yes, or with an approval that was given elsewhere.
func (e *execution) pass() error {
	facts := e.gate(e.Plan, e.Judgement)
	v := gate.Decide(facts)
	if v.Decision == gate.Ask && !v.Word && e.believed() && runlog.UseApproval(e.Paths.State, e.Digest, e.Now()) {
		facts.Approved, e.elsewhere = true, true
		v = gate.Decide(facts)
	}
	switch v.Decision {
	case gate.Allow:
		return e.unchanged()
	case gate.Deny:
		e.audit(audit.Refused, "", v.Code)
		return Refuse(Code(v.Code), "%s is refused: %s%s", *e.result.Invocation, v.Reason, e.Judgement.Because())
	}
	if facts.Who != gate.Person || e.how.Asker == nil {
		return e.waitForPerson(v)
	}
	yes, err := e.how.Asker.Ask(Question{
		Argv: e.Plan.Argv, Dir: e.Plan.Dir, Level: e.Level, Judgement: e.Judgement, Steps: e.Steps(), Word: v.Word,
	})
	switch {
	case err != nil:
		return Refuse(Code(v.Code), "%s needs approval, and the terminal cannot be asked: %s", *e.result.Invocation, err)
	case !yes:
		e.audit(audit.Refused, "", string(Declined))
		return Refuse(Declined, "not run")
	}
	return e.unchanged()
}

// believed reports whether approvals of the state directory count: not if it
// lies in the working tree, where whoever works on the project writes.
func (s *Session) believed() bool {
	tree := mapset.WorkTree(s.Paths, s.Dir)
	if tree == "" {
		tree = s.Dir
	}
	for _, t := range []string{tree, s.Dir} {
		if rel, err := filepath.Rel(t, s.Paths.State); err == nil && filepath.IsLocal(rel) {
			return false
		}
	}
	return true
}

// waitForPerson leaves the plan for Approve.
func (e *execution) waitForPerson(v gate.Verdict) error {
	f := Refuse(Code(v.Code), "%s needs a person's approval: %s%s", *e.result.Invocation, v.Reason, e.Judgement.Because())
	e.audit(audit.Refused, "", v.Code)
	state, err := e.state()
	if err != nil {
		return f
	}
	id := ""
	if e.Operation != nil {
		id = *e.Operation
	}
	err = runlog.Request(state, runlog.Pending{
		Digest: e.Digest, Plan: string(e.Plan.Canonical()), OperationID: id,
		Level: e.Level.String(), Reason: v.Reason, Agent: e.Agent,
	}, e.Now())
	if err != nil {
		return Refuse(Failed, "the request for approval cannot be kept: %s", err)
	}
	f.Approve = "tmp approve " + e.Digest
	return f.Hint("a person allows it once, within ten minutes, with: %s", f.Approve).Hint("then run the same command again")
}

// audit writes to the audit log.
func (e *execution) audit(answer audit.Answer, run, reason string) {
	r := audit.Record{
		Via: "run", Answer: answer, Line: *e.result.Invocation, Dir: e.Plan.Dir, Level: e.Level.String(), Flags: e.Judgement.Flags.Names(),
		PlanDigest: e.Digest, RunID: run, Reason: reason,
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

// Approve records a person's yes to a plan that waits. What is shown is judged
// anew, where it would run, and is what the digest binds.
func (s *Session) Approve(digest string, asker Asker) error {
	if err := s.CheckApprover(digest); err != nil {
		return err
	}
	state, err := s.state()
	if err != nil {
		return err
	}
	p, err := runlog.FindPending(state, strings.ToLower(digest), s.Now())
	if err != nil {
		return err
	}
	q, plan, err := s.waiting(&p)
	if err != nil {
		return err
	}
	if q.Level >= tcpdb.Critical {
		return Fail("CRITICAL is not approved for others").Hint("run it yourself at a terminal if it must be")
	}
	if path := changedSince(plan); path != "" {
		return Fail("%s has changed since this was asked for", path).Hint("let it be asked for again: the digest is then another one")
	}
	yes, err := asker.Ask(q)
	if err != nil {
		return Fail("the terminal cannot be asked: %s", err)
	}
	if !yes {
		return Fail("not approved")
	}
	if path := changedSince(plan); path != "" {
		return Fail("not approved: %s has changed while you read", path)
	}
	if err := runlog.Approve(state, p.Digest, s.Now()); err != nil {
		return err
	}
	s.audit(audit.Record{
		Via: "approve", Answer: audit.Approved, Operation: p.OperationID, Line: invoke.Display(plan.Argv), Dir: plan.Dir,
		Level: q.Level.String(), PlanDigest: p.Digest, Reason: forAgent(p.Agent),
	})
	return nil
}

// waiting is what a person is asked about a plan that waits: what its digest
// binds, not what stands beside it.
func (s *Session) waiting(p *runlog.Pending) (q Question, plan *invoke.Canonical, err error) {
	plan = &invoke.Canonical{}
	if err := json.Unmarshal([]byte(p.Plan), plan); err != nil {
		return q, nil, Fail("the plan cannot be read: %s", err)
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
	return Question{
		Argv: plan.Argv, Dir: plan.Dir, Level: max(level, j.Level), Judgement: j, Steps: steps, Files: own(plan), Agent: p.Agent,
	}, plan, nil
}

// changedSince names a file that is not what the plan holds, or "".
func changedSince(c *invoke.Canonical) string {
	if path := swapped(c.Files); path != "" {
		return path
	}
	for _, step := range c.Steps {
		var p invoke.Canonical
		if step.Plan != nil && json.Unmarshal(step.Plan, &p) == nil {
			if path := changedSince(&p); path != "" {
				return path
			}
		}
	}
	return ""
}

// own are the files that an approval holds for, but for the program where it is
// none of the project, by their paths from its directory.
func own(c *invoke.Canonical) []invoke.File {
	var out []invoke.File
	for _, f := range c.Files {
		if rel, err := filepath.Rel(c.Dir, f.Path); err == nil && filepath.IsLocal(rel) {
			out = append(out, invoke.File{Path: rel, State: f.State})
		}
	}
	for _, step := range c.Steps {
		var p invoke.Canonical
		if step.Plan != nil && json.Unmarshal(step.Plan, &p) == nil {
			out = append(out, own(&p)...)
		}
	}
	return out
}

// forAgent says who asked for what a person approved.
func forAgent(agent string) string {
	if agent == "" {
		return ""
	}
	return "for the agent " + agent
}
