package session

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/account"
	"github.com/tool-mapping-protocol/tmp/internal/argv"
	"github.com/tool-mapping-protocol/tmp/internal/audit"
	"github.com/tool-mapping-protocol/tmp/internal/binding"
	"github.com/tool-mapping-protocol/tmp/internal/gate"
	"github.com/tool-mapping-protocol/tmp/internal/invoke"
	"github.com/tool-mapping-protocol/tmp/internal/runlog"
	"github.com/tool-mapping-protocol/tmp/internal/workflow"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// An approval is for what would run, and the words of a plan say only half of
// that: "./deploy.sh" is whatever the file holds when it starts, and what that
// reads cannot be told from the words. A plan that needs an approval is therefore
// bound to the state of its place; what changes there changes the digest.

// bound is what an approval of a plan holds for, and what was approved before for
// the same words in the same place.
type bound struct {
	state   *binding.State
	except  []string // what the approval leaves out of it
	unbound []binding.Unbound
	refused error // why nothing can be bound: a name that is no file, a place that cannot be read
	took    time.Duration
	when    time.Time

	key    string
	given  *runlog.Approval // for these words here, the newest; nil: none
	older  []runlog.Approval
	now    *binding.State // what is here less what the approval leaves out
	base   *binding.State // what the yes was for; nil: state
	stir   binding.Stir   // what moved last since then, and is the same
	differ []string       // how the plan is another one than was approved
	diff   []string       // lines of the texts that differ
	wrong  []string       // records that were none of ours
}

// bind binds a plan, if somebody would have to approve it.
func (s *Session) bind(p *Prepared) {
	v := gate.Decide(p.facts)
	if v.Decision != gate.Ask {
		return
	}
	b := &bound{key: s.keyOf(p.Plan), when: time.Now()}
	p.bound = b
	subject := s.subject(p.Plan)
	options := binding.Options{Cache: s.Paths.Cache, Skip: s.ownPlaces()}
	if approved := s.given(b, v.Word); approved != nil {
		options.Base, options.Except = approved, b.given.Except
		if b.now, b.refused = binding.Take(subject, options); b.refused != nil {
			return
		}
		b.compare(p.Plan, approved)
		if len(b.differ) == 0 {
			b.state, b.except = b.now, b.given.Except
			b.base = approved.Without(approved.Subject.Dir, b.given.Except)
			b.stir = binding.Stirred(b.base, b.now)
		}
		options.Base, options.Except = nil, nil
	}
	if b.state == nil {
		b.state, b.refused = binding.Take(subject, options)
	}
	b.took = time.Since(b.when)
	if b.refused != nil {
		return
	}
	p.Plan.Place = binding.Hex(b.state.Digest)
	b.unbound = append(slices.Clone(b.state.Unbound), s.elsewhere(p)...)
}

// given finds what was approved for the words and the place of a plan, and the
// state that it was approved for; nil: nothing, or the word is asked for each time.
func (s *Session) given(b *bound, word bool) *binding.State {
	store := s.approvals()
	if store == nil {
		return nil
	}
	found, wrong := store.Find(b.key)
	if b.wrong = wrong; word {
		return nil
	}
	for i := range found {
		data, err := store.State(&found[i])
		if err != nil {
			b.wrong = append(b.wrong, "what an approval was for is no longer there")
			continue
		}
		state, err := binding.Decode(data)
		if err != nil {
			b.wrong = append(b.wrong, err.Error())
			continue
		}
		b.given, b.older = &found[i], found[i+1:]
		return state
	}
	return nil
}

// compare says how the plan and its place differ from what was approved.
func (b *bound) compare(p *invoke.Plan, approved *binding.State) {
	b.differ = planChanges(b.given.Plan, p)
	old := approved.Without(approved.Subject.Dir, b.given.Except)
	changes := binding.Changes(old, b.now)
	for _, c := range changes {
		b.differ = append(b.differ, c.String())
	}
	b.diff = approved.Diff(changes)
}

// planChanges says how a plan differs from one that was approved, but for its place.
func planChanges(approved string, p *invoke.Plan) []string {
	var was, is invoke.Canonical
	if json.Unmarshal([]byte(approved), &was) != nil || json.Unmarshal(p.Canonical(), &is) != nil {
		return []string{"the plan cannot be read"}
	}
	was.Place, is.Place = "", ""
	a, _ := json.Marshal(was)
	b, _ := json.Marshal(is)
	if bytes.Equal(a, b) {
		return nil
	}
	out := environmentChanges(was.Env, is.Env)
	if was.MapDigest != is.MapDigest {
		out = append(out, "the map: another one")
	}
	if was.Dir != is.Dir {
		out = append(out, "the working directory: "+is.Dir)
	}
	for i := range max(len(was.Steps), len(is.Steps)) {
		if i >= len(was.Steps) || i >= len(is.Steps) || !bytes.Equal(was.Steps[i].Plan, is.Steps[i].Plan) {
			out = append(out, "the steps: others")
			break
		}
	}
	if len(out) == 0 {
		out = append(out, "the plan: another one")
	}
	return out
}

func environmentChanges(was, is map[string]string) []string {
	var out []string
	for _, name := range sortedKeys(is) {
		if old, ok := was[name]; !ok {
			out = append(out, "environment: "+name+" is new")
		} else if old != is[name] {
			out = append(out, "environment: "+name+" has another value")
		}
	}
	for _, name := range sortedKeys(was) {
		if _, ok := is[name]; !ok {
			out = append(out, "environment: "+name+" is gone")
		}
	}
	return out
}

// approvals are those of the account, nil where it has no directory for them.
func (s *Session) approvals() *runlog.Approvals {
	if s.Account == "" {
		return nil
	}
	return runlog.OpenApprovals(s.Account, account.At(s.Now()))
}

// ownPlaces are the directories of our own records, which are in no state.
func (s *Session) ownPlaces() []string {
	return slices.DeleteFunc([]string{s.Account, s.Paths.State, s.Paths.Cache}, func(dir string) bool { return dir == "" })
}

// keyOf stands for the words and the place of a plan.
func (s *Session) keyOf(p *invoke.Plan) string {
	real, err := filepath.EvalSymlinks(p.Dir)
	if err != nil {
		real = p.Dir
	}
	h := sha256.New()
	for _, word := range append([]string{real}, p.Argv...) {
		fmt.Fprintf(h, "%d:%s,", len(word), word)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// subject is what a plan would run, of a workflow all steps that are still to run.
func (s *Session) subject(p *invoke.Plan) binding.Subject {
	b := binding.Subject{Dir: p.Dir, Home: s.Paths.Home}
	for _, own := range []string{s.Paths.Settings(), s.Paths.Risks()} {
		if own != "" {
			b.Files = append(b.Files, own)
		}
	}
	plans := []*invoke.Plan{p}
	if len(p.Steps) > 0 {
		plans = nil
		for _, step := range p.Steps {
			if step.Plan != nil && !slices.Contains(p.Before, step.ID) {
				plans = append(plans, step.Plan)
			}
		}
	}
	for _, one := range plans {
		b.Commands = append(b.Commands, one.Argv)
		path, _, _ := one.Look()
		b.Programs = append(b.Programs, path)
		for _, pair := range one.Env {
			if one.Call == nil && !slices.Contains(b.Env, pair) { // a call starts nothing that they name
				b.Env = append(b.Env, pair)
			}
		}
		if one.Call == nil {
			b.Written = append(b.Written, s.written(one.Argv)...)
		}
		if one.Operation == nil {
			continue
		}
		d, _ := workflow.Parse(s.View.Detail(one.Operation.ID))
		b.Outputs = append(b.Outputs, d.Outputs...)
		b.Outputs = append(b.Outputs, databaseFiles(one)...)
		if len(p.Steps) > 0 {
			b.Outputs = append(b.Outputs, binding.OutputsOf(one.Argv[0])...)
		}
		for _, src := range d.Sources {
			if file := s.source(src); file != "" {
				b.Files = append(b.Files, file)
			}
		}
	}
	if p.Operation != nil && len(p.Steps) > 0 {
		d, _ := workflow.Parse(s.View.Detail(p.Operation.ID))
		b.Outputs = append(b.Outputs, d.Outputs...)
	}
	return b
}

// inputs are what may change while a line is allowed for a while: what its
// operation is run over and writes, or the tool by habit.
func (s *Session) inputs(p *invoke.Plan) []string {
	var out []string
	if p.Operation != nil {
		d, _ := workflow.Parse(s.View.Detail(p.Operation.ID))
		out = append(append(out, d.Inputs...), d.Outputs...)
	}
	out = append(out, binding.OutputsOf(p.Argv[0])...)
	if len(out) == 0 || p.Operation == nil {
		out = append(out, binding.InputsOf(p.Argv)...)
	}
	return out
}

// written are the words of a command that name what it writes.
func (s *Session) written(words []string) []string {
	var out []string
	known := argv.Bind(s.View, words)
	if known == nil {
		return nil
	}
	for _, role := range []tcpdb.Role{tcpdb.OutputFileRole, tcpdb.OutputDirRole} {
		for _, u := range known.Uses(role) {
			out = append(out, u.Value)
		}
	}
	return out
}

// elsewhere is what a plan depends on that is not on this machine.
func (s *Session) elsewhere(p *Prepared) []binding.Unbound {
	var out []binding.Unbound
	plans := []*invoke.Plan{p.Plan}
	for _, step := range p.Plan.Steps {
		if step.Plan != nil {
			plans = append(plans, step.Plan)
		}
	}
	for _, one := range plans {
		if one.Call != nil {
			out = append(out, unboundCall(one))
			continue
		}
		known := argv.Bind(s.View, one.Argv)
		if len(one.Steps) > 0 || known == nil {
			continue
		}
		name := filepath.Base(one.Argv[0])
		for _, class := range distant {
			if known.Is(class.name) {
				// What deletes runs no code of theirs, unless it is a command that they run.
				code := class.code && (p.Judgement.Flags&tcpdb.Destructive == 0 || known.Chain[len(known.Chain)-1].Wrapper.Mode != tcpdb.NoWrap)
				out = append(out, binding.Unbound{What: name, Why: class.why, Code: code})
			}
		}
	}
	if len(out) == 0 && p.Judgement.Flags&tcpdb.NetworkAccess != 0 {
		out = append(out, binding.Unbound{What: filepath.Base(p.Plan.Argv[0]), Why: "what other machines answer is not bound"})
	}
	return out
}

// distant are the classes of tools that depend on what is elsewhere.
var distant = []struct {
	name, why string
	code      bool
}{
	{tcpdb.ContainerClass, "an image by its tag, and the state of the cluster or daemon, are not bound", true},
	{tcpdb.CloudClass, "the state of the servers is not bound", false},
	{tcpdb.DeployerClass, "the state of the servers is not bound", false},
	{tcpdb.DatabaseClass, "what the database holds is not bound", false},
	{tcpdb.DownloaderClass, "what the other machine answers is not bound", true},
	{tcpdb.SenderClass, "the state of the other machine is not bound", false},
	{tcpdb.NetworkClientClass, "the state of the other machine is not bound", false},
}

// strike takes back what was approved for the words here: what no longer fits does
// not come back when the change is undone.
func (b *bound) strike(store *runlog.Approvals) {
	if b.given == nil {
		return
	}
	store.Strike(b.given)
	for i := range b.older {
		store.Strike(&b.older[i])
	}
}

// notBound is the refusal of a plan whose place cannot be bound.
func (b *bound) notBound(what string) error {
	var special *binding.NotAFileError
	if errors.As(b.refused, &special) {
		return Refuse(NotAFile, "%s is not run: %s", what, special)
	}
	return Refuse(Failed, "%s cannot be bound: %s", what, b.refused)
}

// moved says what has changed in the place since it was bound, nil: nothing.
func (b *bound) moved(skip []string) ([]binding.Change, error) {
	now, err := binding.Again(b.state, binding.Options{Skip: skip, Except: b.except})
	if err != nil {
		return nil, err
	}
	base := b.base
	if base == nil {
		base = b.state
	}
	b.stir = b.stir.Later(binding.Stirred(base, now))
	return binding.Changes(b.state, now), nil
}

// texts are changes in a line each, at most so many.
func texts(changes []binding.Change, most int) []string {
	var out []string
	for i, c := range changes {
		if i >= most {
			return append(out, fmt.Sprintf("and %d more", len(changes)-most))
		}
		out = append(out, c.String())
	}
	return out
}

// mostChanges is how many changes a refusal names.
const mostChanges = 5

// stale is the refusal of a plan whose place is not what was approved.
func stale(what string, changes []string) *Refusal {
	f := Refuse(ApprovalStale, "%s: what was approved has changed: %s", what, strings.Join(changes, "; "))
	f.Changes = changes
	return f
}

// Times around a start.
const (
	// quiet is how long what moved since the yes, and is the same, has to lie still:
	// a file that is swapped and put back again and again never does.
	quiet = 2 * time.Second
	// mostQuiet is how long a start waits for that.
	mostQuiet = 3 * time.Second
)

// last is the last look before a program starts: at the whole place where that is
// quick or the first look is long ago, then at what the words name. It waits until
// nothing moves there.
func (e *execution) last() error {
	b := e.bound
	if b == nil || b.state == nil {
		return nil
	}
	for began, again := time.Now(), false; ; again = true {
		if again || b.took < 50*time.Millisecond || time.Since(b.when) > time.Second+b.took {
			changes, err := b.moved(e.ownPlaces())
			if err != nil {
				return stale(*e.result.Invocation, []string{err.Error()})
			}
			if len(changes) > 0 {
				return e.refuseMoved(changes)
			}
		}
		changes, stir := b.state.Look()
		if len(changes) > 0 {
			return e.refuseMoved(changes)
		}
		b.stir = b.stir.Later(stir)
		switch wait, err := b.restless(*e.result.Invocation, began); {
		case err != nil:
			e.audit(audit.Refused, "", string(ApprovalStale))
			return err
		case wait <= 0:
			return nil
		default:
			time.Sleep(wait)
		}
	}
}

// restless is how long to wait until the place is quiet; an error after too long.
func (b *bound) restless(what string, began time.Time) (time.Duration, *Refusal) {
	wait := quiet - b.stir.Quiet(time.Now())
	if wait > 0 && time.Since(began)+wait > mostQuiet {
		return 0, stale(what, []string{b.stir.Path + ": it is changed again and again"})
	}
	return wait, nil
}

// refuseMoved refuses what has changed since the yes.
func (e *execution) refuseMoved(changes []binding.Change) error {
	e.audit(audit.Refused, "", string(ApprovalStale))
	f := stale(*e.result.Invocation, texts(changes, mostChanges))
	f.Diff = e.bound.state.Diff(changes)
	return f.Hint("run it again: it needs a new approval")
}
