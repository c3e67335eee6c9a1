package tmp

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/tool-mapping-protocol/tmp/internal/audit"
	"github.com/tool-mapping-protocol/tmp/internal/gate"
	"github.com/tool-mapping-protocol/tmp/internal/invoke"
	"github.com/tool-mapping-protocol/tmp/internal/mapset"
	"github.com/tool-mapping-protocol/tmp/internal/runlog"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// pass lets the plan through the gate: at once, after the person at the
// terminal said yes, or with an approval that was given elsewhere.
func (e *execution) pass() error {
	facts := e.world.facts(e.plan, e.risk)
	v := gate.Decide(facts)
	if v.Decision == gate.Ask && !v.Word && e.world.believed() && runlog.UseApproval(e.world.paths.State, e.digest, e.env.Now()) {
		facts.Approved, e.elsewhere = true, true
		v = gate.Decide(facts)
	}
	switch v.Decision {
	case gate.Allow:
		return e.unchanged()
	case gate.Deny:
		e.audit(audit.Refused, "", v.Code)
		return refuse(v.Code, "%s is refused: %s%s", *e.result.Invocation, v.Reason, because(e.risk))
	}
	if facts.Who != gate.Person {
		return e.waitForPerson(v)
	}
	yes, err := question(e.env, e.question(), v.Word)
	switch {
	case err != nil:
		return refuse(v.Code, "%s needs approval, and the terminal cannot be asked: %s", *e.result.Invocation, err)
	case !yes:
		e.audit(audit.Refused, "", "declined")
		return refuse("declined", "not run")
	}
	return e.unchanged()
}

// believed reports whether approvals of the state directory count: not if it
// lies in the working tree, where whoever works on the project writes.
func (w *world) believed() bool {
	tree := mapset.WorkTree(w.paths, w.env.Dir)
	if tree == "" {
		tree = w.env.Dir
	}
	for _, t := range []string{tree, w.env.Dir} {
		if rel, err := filepath.Rel(t, w.paths.State); err == nil && filepath.IsLocal(rel) {
			return false
		}
	}
	return true
}

// fed reports whether something comes on standard input: a pipe or a file.
func (e *execution) fed() bool {
	f, ok := e.env.Stdin.(*os.File)
	if !ok {
		return false
	}
	st, err := f.Stat()
	return err == nil && st.Mode()&os.ModeCharDevice == 0 && (st.Mode()&(os.ModeNamedPipe|os.ModeSocket) != 0 || st.Size() > 0)
}

// input is what the program reads. What came on standard input when a plan was
// approved elsewhere is nothing that the approval could bind.
func (e *execution) input() io.Reader {
	if !e.elsewhere {
		return e.env.Stdin
	}
	if e.fed() {
		e.env.notice("what comes on standard input is not handed on: an approval given elsewhere does not cover it")
	}
	return nil
}

// sayWithheld names the variables that the program does not get, and how it would.
func (e *execution) sayWithheld() {
	if len(e.plan.Withheld) == 0 || e.options.json {
		return
	}
	names := strings.Join(e.plan.Withheld, ", ")
	if e.plan.Operation != nil && e.plan.Operation.Surface != "script" || e.env.agent() != "" {
		e.env.notice("withheld from %s: %s", e.plan.Argv[0], names)
		return
	}
	quoted, _ := json.Marshal(e.plan.Withheld)
	e.env.notice("withheld from the script: %s; %q in the operation %s lets it have them", names, `"env": `+string(quoted), e.plan.Operation.ID)
}

// waitForPerson leaves the plan for tmp approve.
func (e *execution) waitForPerson(v gate.Verdict) error {
	f := refuse(v.Code, "%s needs a person's approval: %s%s", *e.result.Invocation, v.Reason, because(e.risk))
	e.audit(audit.Refused, "", v.Code)
	state, err := e.world.state()
	if err != nil {
		return f
	}
	id := ""
	if e.result.OperationID != nil {
		id = *e.result.OperationID
	}
	err = runlog.Request(state, runlog.Pending{
		Digest: e.digest, Plan: string(e.plan.Canonical()), OperationID: id,
		Level: e.level.String(), Reason: v.Reason, Agent: e.env.agent(),
	}, e.env.Now())
	if err != nil {
		return refuse("failed", "the request for approval cannot be kept: %s", err)
	}
	f.Approve = "tmp approve " + e.digest
	f.hints = append(f.hints, "a person allows it once, within ten minutes, with: "+f.Approve, "then run the same command again")
	return f
}

// question is what a person reads before the answer.
func (e *execution) question() string {
	return describe(e.env.styleOf(2), e.plan.Argv, e.plan.Dir, e.level, e.risk) + describeSteps(e.plan.Steps)
}

func describe(st style, argv []string, dir string, level tcpdb.Level, j judgement) string {
	var b strings.Builder
	fmt.Fprintf(&b, "  %s\n  in %s\n  %s%s\n", st.bold(oneLine(invoke.Display(argv))), oneLine(dir), st.level(level), because(j))
	if j.safer != "" {
		fmt.Fprintf(&b, "  safer: %s\n", oneLine(j.safer))
	}
	return b.String()
}

// consent is the word that a person types for what is CRITICAL.
const consent = "run"

// question puts the question whether something is to run to the person at the
// terminal.
func question(env *Env, text string, word bool) (bool, error) {
	if word {
		answer, err := answerTo(env, fmt.Sprintf("%sType %q to run it, anything else to leave it: ", text, consent))
		return answer == consent, err
	}
	answer, err := answerTo(env, text+"Run it? [y/N] ")
	return isYes(answer), err
}

// answerTo reads a line from the terminal, "" at the end of input. What was
// typed before the question does not answer it.
func answerTo(env *Env, question string) (string, error) {
	tty, err := env.OpenTTY()
	if err != nil {
		return "", err
	}
	defer tty.Close()
	if f, ok := tty.(*os.File); ok {
		flushInput(int(f.Fd()))
	}
	fmt.Fprint(tty, question)
	answer, err := bufio.NewReader(io.LimitReader(tty, 1024)).ReadString('\n')
	if err != nil {
		fmt.Fprintln(tty)
		return "", nil
	}
	return strings.TrimSpace(answer), nil
}

func isYes(answer string) bool {
	return strings.EqualFold(answer, "y") || strings.EqualFold(answer, "yes")
}

// audit writes to the audit log; that it cannot is said and stops nothing.
func (e *execution) audit(answer audit.Answer, run, reason string) {
	r := audit.Record{
		Via: "run", Answer: answer, Line: *e.result.Invocation, Dir: e.plan.Dir, Level: e.level.String(), Flags: e.risk.flags.Names(),
		PlanDigest: e.digest, RunID: run, Reason: reason,
	}
	if e.result.OperationID != nil {
		r.Operation = *e.result.OperationID
	}
	e.env.audit(e.world.paths.State, r)
}

func (e *Env) audit(state string, r audit.Record) {
	if state == "" {
		return
	}
	r.Time, r.Agent = e.Now(), e.agent()
	if err := audit.Append(state, r); err != nil {
		e.notice("the audit log cannot be written: %s", err)
	}
}

// approve records a person's yes to a plan that waits. It has no flags on
// purpose: nothing that a caller passes approves.
func newApprove(env *Env, f *flags) runFunc {
	return func(in input) error { return approve(env, in.Args[0]) }
}

func approve(env *Env, digest string) error {
	if env.agent() != "" {
		return failf("an agent cannot approve").hint("TMP_AGENT_ID is set: a person does this in a terminal of their own")
	}
	if env.who() != gate.Person {
		return failf("an approval is given at a terminal").hint("run tmp approve %s yourself, without pipes", digest)
	}
	digest = strings.ToLower(digest)
	if len(digest) < 8 || strings.Trim(digest, "0123456789abcdef") != "" {
		return usagef("%q is not a plan digest", digest).hint("give the digest that tmp run printed, or at least its first 8 digits")
	}
	w, err := openWorld(env)
	if err != nil {
		return err
	}
	state, err := w.state()
	if err != nil {
		return err
	}
	p, err := runlog.FindPending(state, digest, env.Now())
	if err != nil {
		return err
	}
	// It is judged where it would run, not where the person is.
	there := *env
	if plan := (invoke.Canonical{}); json.Unmarshal([]byte(p.Plan), &plan) == nil && filepath.IsAbs(plan.Dir) {
		there.Dir = plan.Dir
	}
	w.env = &there
	// Shown is what the digest binds, not what stands beside it.
	var plan invoke.Canonical
	if err := json.Unmarshal([]byte(p.Plan), &plan); err != nil {
		return failf("the plan cannot be read: %s", err)
	}
	level, err := tcpdb.ParseLevel(p.Level)
	if err != nil {
		return failf("the plan cannot be read: %s", err)
	}
	j, steps, err := w.judgeCanonical(&plan)
	if err != nil {
		return failf("the plan cannot be read: %s", err)
	}
	level = max(level, j.level)
	if level >= tcpdb.Critical {
		return failf("CRITICAL is not approved for others").hint("run it yourself at a terminal if it must be")
	}
	if path := changedSince(&plan); path != "" {
		return failf("%s has changed since this was asked for", path).hint("let it be asked for again: the digest is then another one")
	}
	from := describeFiles(&plan)
	if p.Agent != "" {
		from += fmt.Sprintf("  asked for by the agent %s\n", oneLine(p.Agent))
	}
	yes, err := question(env, describe(env.styleOf(2), plan.Argv, plan.Dir, level, j)+steps+from, false)
	if err != nil {
		return failf("the terminal cannot be asked: %s", err)
	}
	if !yes {
		return failf("not approved")
	}
	if path := changedSince(&plan); path != "" {
		return failf("not approved: %s has changed while you read", path)
	}
	if err := runlog.Approve(state, p.Digest, env.Now()); err != nil {
		return err
	}
	env.audit(state, audit.Record{
		Via: "approve", Answer: audit.Approved, Operation: p.OperationID, Line: invoke.Display(plan.Argv), Dir: plan.Dir,
		Level: level.String(), PlanDigest: p.Digest, Reason: forAgent(p.Agent),
	})
	fmt.Fprintln(env.Stdout, "approved once, for ten minutes")
	return nil
}

// changedSince names a file that is not what the plan holds, or "".
func changedSince(c *invoke.Canonical) string {
	if path := swapped(c.Files); path != "" {
		return path
	}
	for _, s := range c.Steps {
		var p invoke.Canonical
		if s.Plan != nil && json.Unmarshal(s.Plan, &p) == nil {
			if path := changedSince(&p); path != "" {
				return path
			}
		}
	}
	return ""
}

// describeFiles lists the files that an approval holds for, but for the program
// where it is none of the project.
func describeFiles(c *invoke.Canonical) string {
	var b strings.Builder
	for _, f := range c.Files {
		if rel, err := filepath.Rel(c.Dir, f.Path); err == nil && filepath.IsLocal(rel) {
			fmt.Fprintf(&b, "  with %s as it is now (%.19s)\n", oneLine(rel), f.State)
		}
	}
	for _, s := range c.Steps {
		var p invoke.Canonical
		if s.Plan != nil && json.Unmarshal(s.Plan, &p) == nil {
			b.WriteString(describeFiles(&p))
		}
	}
	return b.String()
}

// forAgent says who asked for what a person approved.
func forAgent(agent string) string {
	if agent == "" {
		return ""
	}
	return "for the agent " + agent
}

// flushInput drops what was typed and not yet read.
func flushInput(fd int) { _ = tcflush(fd, unix.TCIFLUSH) }
