package session

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/gate"
	"github.com/tool-mapping-protocol/tmp/internal/intent"
	"github.com/tool-mapping-protocol/tmp/internal/invoke"
	"github.com/tool-mapping-protocol/tmp/internal/project"
	"github.com/tool-mapping-protocol/tmp/internal/runlog"
	"github.com/tool-mapping-protocol/tmp/internal/when"
	"github.com/tool-mapping-protocol/tmp/resolvers/all"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Resolved is an intent with its plan, or with the reason why there is none.
type Resolved struct {
	intent.Resolution
	Plan      *invoke.Plan
	Judgement Judgement
	// Play is what was read from the project, nil for an operation of a map.
	Play *project.Play
}

// Here is the caller's directory as operations apply to it.
func (s *Session) Here() *when.Place {
	if s.here == nil {
		s.here = &when.Place{Dir: s.Dir, Getenv: s.Getenv, CacheDir: s.Paths.Resolvers(), Values: all.Table().Resolve}
	}
	return s.here
}

// Request is an intent in the caller's directory.
func (s *Session) Request(text string) intent.Request {
	return intent.Request{
		Text: text, Operations: s.Operations(), Dir: s.Dir,
		Getenv: s.Getenv, CacheDir: s.Paths.Resolvers(), Values: all.Table().Resolve, Here: s.Here(), Argv: invoke.Expand,
	}
}

// Resolve resolves an intent, or the ID of an operation, and plans the operation.
// given are values of its parameters beside those in the text. A value that would
// be read as an option refuses the whole.
func (s *Session) Resolve(ctx context.Context, text string, given map[string]string) (Resolved, error) {
	if op, ok := s.Lookup(strings.TrimSpace(text)); ok {
		return s.Refill(ctx, &op, given)
	}
	if id := strings.TrimSpace(text); strings.HasPrefix(id, projectPrefix) && !strings.ContainsAny(id, " \t\n") {
		return s.projectOperation(id, given)
	}
	return s.resolveWords(ctx, text, given)
}

// RefuseMissing refuses what was resolved where its tool is not there: an answer
// that cannot be run is none. A run says so itself, with the status of a shell.
func (s *Session) RefuseMissing(r *Resolved) {
	if r.Resolved() && r.Operation.Surface == "cli" && !s.in(r.Plan.Dir).Installed(r.Plan.Argv[0]) {
		r.Reason, r.Message = intent.ToolMissing, fmt.Sprintf("%s is not installed, and %s needs it", r.Plan.Argv[0], r.Operation.ID)
		if strings.Contains(r.Plan.Argv[0], "/") {
			r.Message = fmt.Sprintf("%s cannot be started, and %s needs it", r.Plan.Argv[0], r.Operation.ID)
		}
	}
}

// resolve asks for the one operation of an intent, among those that keep takes; nil
// takes all.
func (s *Session) resolve(ctx context.Context, text string, given map[string]string, keep func(*tcpdb.Operation) bool) intent.Resolution {
	ctx, cancel := context.WithTimeout(ctx, resolveTime)
	defer cancel()
	req := s.Request(text)
	req.Given, req.Named, req.Says = given, named, s.placed
	if s.Body != "" {
		req.Operations = slices.Clone(req.Operations)
		for i := range req.Operations {
			req.Operations[i] = s.asCalled(req.Operations[i])
		}
	}
	if keep != nil {
		req.Operations = slices.DeleteFunc(slices.Clone(req.Operations), func(op tcpdb.Operation) bool { return !keep(&op) })
	}
	r := intent.Resolve(ctx, req)
	s.sayStale(&r)
	return r
}

// planned plans what was resolved, or gives the reason why that cannot be.
func (s *Session) planned(ctx context.Context, r *Resolved) error {
	plan, err := s.plan(ctx, &r.Operation, r.Parameters)
	if isParameter(err) {
		r.Reason, r.Message = intent.MissingParameter, err.Error()
		return nil
	}
	if err != nil {
		return err
	}
	r.Plan, r.Judgement = plan, s.judgePlan(plan)
	return nil
}

// Resolution is the answer of tmp resolve.
type Resolution struct {
	V           int                 `json:"v"`
	Status      string              `json:"status"` // "resolved" or "refused"
	OperationID *string             `json:"operation_id"`
	Parameters  map[string]string   `json:"parameters"`
	Argv        []string            `json:"argv"`
	Effect      *string             `json:"effect"`
	Level       *string             `json:"level"`
	Approval    *string             `json:"approval"` // "none", "required" or "refused"
	Confidence  float64             `json:"confidence"`
	MapDigest   string              `json:"map_digest"`
	PlanDigest  *string             `json:"plan_digest"`
	Dir         string              `json:"cwd"`
	Reason      *string             `json:"reason"`
	Message     string              `json:"message,omitempty"`
	Suggestions []intent.Suggestion `json:"suggestions"`
	Resolvers   map[string]string   `json:"resolvers,omitempty"` // name to state, those that were asked
	LookedFor   []string            `json:"looked_for,omitempty"`
	Project     *OfProject          `json:"project,omitempty"`
	Note        string              `json:"note,omitempty"`
}

// OfProject says what of the project an answer rests on.
type OfProject struct {
	Manager  string             `json:"manager"`
	Evidence []project.Evidence `json:"evidence"`
}

// Resolution is the answer about an intent.
func (s *Session) Resolution(r Resolved) Resolution {
	a := Resolution{
		V: 1, Status: "refused", Parameters: map[string]string{}, Argv: []string{},
		MapDigest: s.View.Digest(), Dir: s.Dir, Message: r.Message, Suggestions: r.Suggestions,
		LookedFor: r.LookedFor,
	}
	if len(r.Resolvers) > 0 {
		a.Resolvers = map[string]string{}
		for name, state := range r.Resolvers {
			a.Resolvers[name] = string(state)
		}
	}
	if a.Suggestions == nil {
		a.Suggestions = []intent.Suggestion{}
	}
	if r.Play != nil {
		a.Project, a.Note = &OfProject{r.Play.Manager, r.Play.Evidence}, r.Play.Note
		if a.Project.Evidence == nil {
			a.Project.Evidence = []project.Evidence{}
		}
	}
	if r.Plan != nil {
		a.Dir = r.Plan.Dir
	}
	if !r.Resolved() {
		a.Reason = ptr(string(r.Reason))
		if r.Reason == intent.ToolMissing && r.Plan != nil { // what would run, were it there
			a.OperationID, a.Parameters, a.Argv = &r.Operation.ID, r.Parameters, r.Plan.Argv
		}
		return a
	}
	a.Status, a.Confidence = "resolved", 1
	a.OperationID, a.Effect = &r.Operation.ID, &r.Operation.Effect
	a.Parameters, a.Argv = r.Parameters, r.Plan.Argv
	a.Level = ptr(s.EffectiveLevel(r).String())
	if a.Approval = ptr(s.Approval(r)); *a.Approval == "none" {
		a.PlanDigest = ptr(r.Plan.Digest()) // one that is asked about is bound when it is to be run
	}
	return a
}

// EffectiveLevel is how bad it is to run what was resolved, with what its effect is at least.
func (s *Session) EffectiveLevel(r Resolved) tcpdb.Level {
	f := s.levels(r.Plan, r.Judgement)
	return f.EffectiveLevel()
}

// Approval says what a run would need: "none", "required" or "refused".
func (s *Session) Approval(r Resolved) string {
	switch gate.Decide(s.gate(r.Plan, r.Judgement)).Decision {
	case gate.Allow:
		return "none"
	case gate.Ask:
		return "required"
	}
	return "refused"
}

// Save writes what was resolved: the copy that counts, in the state directory,
// and the one for people in the project's .tmp.
func (s *Session) Save(text string, r Resolved, answer Resolution) error {
	state, err := s.state()
	if err != nil {
		return err
	}
	err = runlog.SaveResolved(state, s.Agent, runlog.Resolved{
		OperationID: r.Operation.ID, Parameters: r.Parameters, Intent: text,
		Dir: s.Dir, MapDigest: answer.MapDigest, Time: s.Now().UTC(), Argv: argvOf(r),
	})
	if err != nil {
		return err
	}
	if s.Project == "" {
		return nil
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(answer); err != nil {
		return err
	}
	return runlog.SaveShown(s.Project, b.Bytes())
}

// Forget takes back what was resolved before.
func (s *Session) Forget() error { return runlog.ForgetResolved(s.Paths.State, s.Agent, s.Dir) }

// Remembers reports whether a run would take up what was resolved before: where
// the newest cannot be kept, an answer must not be taken for what runs next.
func (s *Session) Remembers() bool {
	_, err := runlog.LoadResolved(s.Paths.State, s.Agent, s.Dir)
	return err == nil
}

// LastResolved plans what was resolved last in this directory. Nothing of a
// file in the project counts, and neither does a resolve under another map.
func (s *Session) LastResolved(ctx context.Context) (Resolved, error) {
	state, err := s.state()
	if err != nil {
		return Resolved{}, err
	}
	last, err := runlog.LoadResolved(state, s.Agent, s.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		f := Fail("nothing was resolved in this directory").Hint(`tmp resolve "INTENT" comes first, or tmp run "INTENT"`)
		if s.Project != "" && intent.Upwards(s.Project, ".tmp/last-resolve.json") != "" {
			f.Hint(".tmp/last-resolve.json is for reading only: what runs is what was resolved here by you")
		}
		return Resolved{}, f
	}
	if err != nil {
		return Resolved{}, err
	}
	if last.MapDigest != s.View.Digest() {
		return Resolved{}, Fail("the map has changed since %q was resolved", last.Intent).Hint("resolve it again")
	}
	if strings.HasPrefix(last.OperationID, projectPrefix) {
		r, err := s.Resolve(ctx, last.Intent, nil)
		if err == nil && (!r.Resolved() || r.Operation.ID != last.OperationID || !slices.Equal(r.Plan.Argv, last.Argv)) {
			err = Fail("%q does not mean %s any more", last.Intent, invoke.Display(last.Argv)).Hint("resolve it again")
		}
		return r, err
	}
	op, ok := s.Lookup(last.OperationID)
	if !ok {
		return Resolved{}, Fail("the operation %s is no longer mapped", last.OperationID).Hint("resolve it again")
	}
	return s.Refill(ctx, &op, last.Parameters)
}

// Refill checks the operation and its parameters against the world as it is now.
func (s *Session) Refill(ctx context.Context, op *tcpdb.Operation, params map[string]string) (Resolved, error) {
	r := Resolved{Resolution: intent.Resolution{Operation: *op, Parameters: params}}
	req := s.Request("")
	switch {
	case !op.Standing.Verified():
		r.Reason, r.Message = intent.Draft, op.ID+" is a draft"
		if why := s.Staleness(op); why != "" {
			r.Message = why
		}
		return r, nil
	case !req.Applies(op):
		r.Reason, r.Message = intent.NotApplicable, op.ID+" does not apply here"
		return r, nil
	}
	limited, cancel := context.WithTimeout(ctx, resolveTime)
	defer cancel()
	asked := s.asCalled(*op)
	filled, err := req.Fill(limited, &asked, named(op, params))
	var fe *intent.FillError
	if errors.As(err, &fe) {
		r.Reason, r.Message = fe.Reason, s.placed(op, fe)
		return r, nil
	}
	if err != nil {
		return r, err
	}
	r.Parameters = filled
	err = s.planned(ctx, &r)
	return r, err
}

// argvOf are the words of what was read from the project: it is asked again by its
// words before it runs, and must be the same then.
func argvOf(r Resolved) []string {
	if r.Play == nil {
		return nil
	}
	return r.Plan.Argv
}

func ptr(s string) *string { return &s }
