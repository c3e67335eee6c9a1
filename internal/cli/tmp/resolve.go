package tmp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/gate"
	"github.com/tool-mapping-protocol/tmp/internal/intent"
	"github.com/tool-mapping-protocol/tmp/internal/invoke"
	"github.com/tool-mapping-protocol/tmp/internal/place"
	"github.com/tool-mapping-protocol/tmp/internal/runlog"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// resolve exits with 0 when there is exactly one verified operation, with 1 otherwise.
type resolveOptions struct{ json bool }

func newResolve(env *Env, f *flags) runFunc {
	var o resolveOptions
	f.Bool("json", &o.json)
	return func(in input) error { return o.run(env, intentText(in.Args)) }
}

// intentText joins the words of the command line. A word that holds blanks
// beside others was quoted for the shell, and stays one word.
func intentText(args []string) string {
	if len(args) == 1 {
		return args[0]
	}
	words := make([]string, len(args))
	for i, a := range args {
		words[i] = a
		if a != "" && !strings.ContainsAny(a, " \t\n") {
			continue
		}
		for _, q := range []string{`"`, `'`, "`"} {
			if !strings.Contains(a, q) {
				words[i] = q + a + q
				break
			}
		}
	}
	return strings.Join(words, " ")
}

// resolution is the JSON of tmp resolve.
type resolution struct {
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
}

// resolved is an intent with its plan, or with the reason why there is none.
type resolved struct {
	intent.Resolution
	plan      *invoke.Plan
	judgement judgement
}

// resolvePlan resolves an intent and plans the operation. A value that would
// be read as an option refuses the whole.
func (w *world) resolvePlan(text string) (resolved, error) {
	r := resolved{Resolution: w.resolve(text)}
	if !r.Resolved() {
		return r, nil
	}
	err := w.planned(&r)
	return r, err
}

// refuseMissing refuses what was resolved where its tool is not there.
func (w *world) refuseMissing(r *resolved) {
	if r.Resolved() && r.Operation.Surface == "cli" && !w.installed(r.plan.Argv[0]) {
		r.Reason, r.Message = intent.ToolMissing, fmt.Sprintf("%s is not installed, and %s needs it", r.plan.Argv[0], r.Operation.ID)
	}
}

// planned plans what was resolved, or gives the reason why that cannot be.
func (w *world) planned(r *resolved) error {
	plan, err := w.plan(&r.Operation, r.Parameters)
	if isParameter(err) {
		r.Reason, r.Message = intent.MissingParameter, err.Error()
		return nil
	}
	if err != nil {
		return err
	}
	r.plan, r.judgement = plan, w.judgePlan(plan)
	w.bind(plan, r.judgement)
	return nil
}

func (o *resolveOptions) run(env *Env, text string) error {
	forgetResolved(env)
	w, err := openWorld(env)
	if err != nil {
		return err
	}
	r, err := w.resolvePlan(text)
	if err != nil {
		return err
	}
	w.refuseMissing(&r)
	answer := w.resolution(r)
	if r.Resolved() {
		if err := w.save(text, r, answer); err != nil {
			if earlier(env) {
				return err
			}
			env.notice("not kept for tmp run: %s", err)
		}
	}
	switch {
	case o.json && r.Resolved():
		return env.printJSON(answer)
	case o.json:
		if err := env.printJSON(answer); err != nil {
			return err
		}
		return exitStatus(1)
	case r.Resolved():
		w.printResolved(r)
		return nil
	}
	return refusal(r.Resolution, 1)
}

// refusal is a refused intent as an error with hints.
func refusal(r intent.Resolution, status int) error {
	f := failf("not resolved (%s): %s", r.Reason, r.Message)
	f.status = status
	for _, s := range r.Suggestions {
		f.hint("%q is %s", s.Intent, s.OperationID)
	}
	if len(r.Suggestions) == 0 && r.Reason == intent.NotMapped {
		f.hint("tmp list shows what is mapped here")
	}
	return f
}

func (w *world) printResolved(r resolved) {
	st := w.env.styleOf(1)
	level := w.facts(r.plan, r.judgement).EffectiveLevel()
	fmt.Fprintln(w.env.Stdout, st.bold(oneLine(invoke.Display(r.plan.Argv))))
	fmt.Fprintf(w.env.Stdout, "  %s, %s, %s\n", r.Operation.ID, orElse(r.Operation.Effect, "no effect stated"), st.level(level))
	if a := w.approval(r); a != "none" {
		fmt.Fprintf(w.env.Stdout, "  approval %s\n", a)
	}
}

// approval says what tmp run would need: "none", "required" or "refused".
func (w *world) approval(r resolved) string {
	switch gate.Decide(w.facts(r.plan, r.judgement)).Decision {
	case gate.Allow:
		return "none"
	case gate.Ask:
		return "required"
	}
	return "refused"
}

func (w *world) resolution(r resolved) resolution {
	a := resolution{
		V: 1, Status: "refused", Parameters: map[string]string{}, Argv: []string{},
		MapDigest: w.view.Digest(), Dir: w.env.Dir, Message: r.Message, Suggestions: r.Suggestions,
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
	if !r.Resolved() {
		a.Reason = ptr(string(r.Reason))
		return a
	}
	a.Status, a.Confidence = "resolved", 1
	a.OperationID, a.Effect = &r.Operation.ID, &r.Operation.Effect
	a.Parameters, a.Argv = r.Parameters, r.plan.Argv
	a.Level = ptr(w.facts(r.plan, r.judgement).EffectiveLevel().String())
	a.Approval, a.PlanDigest = ptr(w.approval(r)), ptr(r.plan.Digest())
	return a
}

// save writes what was resolved: the copy that counts, in the state directory,
// and the one for people in the project's .tmp.
func (w *world) save(text string, r resolved, answer resolution) error {
	state, err := w.state()
	if err != nil {
		return err
	}
	err = runlog.SaveResolved(state, w.env.agent(), runlog.Resolved{
		OperationID: r.Operation.ID, Parameters: r.Parameters, Intent: text,
		Dir: w.env.Dir, MapDigest: answer.MapDigest, Time: w.env.Now().UTC(),
	})
	if err != nil {
		return err
	}
	if w.project == "" {
		return nil
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(answer); err != nil {
		return err
	}
	return runlog.SaveShown(w.project, b.Bytes())
}

// earlier reports whether tmp run would take up what was resolved before: where
// the newest cannot be kept, an answer must not be taken for what runs next.
func earlier(env *Env) bool {
	_, err := runlog.LoadResolved(place.Find(env.Getenv).State, env.agent(), env.Dir)
	return err == nil
}

// forgetResolved sees to it that tmp run does not take up what was resolved
// before, however this question ends.
func forgetResolved(env *Env) {
	err := runlog.ForgetResolved(place.Find(env.Getenv).State, env.agent(), env.Dir)
	if err != nil && earlier(env) {
		env.notice("tmp run would still run what was resolved before: %s", err)
	}
}

// lastResolved plans what was resolved last in this directory. Nothing of a
// file in the project counts, and neither does a resolve under another map.
func (w *world) lastResolved() (resolved, error) {
	state, err := w.state()
	if err != nil {
		return resolved{}, err
	}
	last, err := runlog.LoadResolved(state, w.env.agent(), w.env.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		f := failf("nothing was resolved in this directory").hint(`tmp resolve "INTENT" comes first, or tmp run "INTENT"`)
		if w.project != "" && intent.Upwards(w.project, ".tmp/last-resolve.json") != "" {
			f.hint(".tmp/last-resolve.json is for reading only: what runs is what was resolved here by you")
		}
		return resolved{}, f
	}
	if err != nil {
		return resolved{}, err
	}
	if last.MapDigest != w.view.Digest() {
		return resolved{}, failf("the map has changed since %q was resolved", last.Intent).hint("resolve it again")
	}
	op, ok := w.lookup(last.OperationID)
	if !ok {
		return resolved{}, failf("the operation %s is no longer mapped", last.OperationID).hint("resolve it again")
	}
	return w.refill(&op, last.Parameters)
}

// refill checks the operation and its parameters against the world as it is now.
func (w *world) refill(op *tcpdb.Operation, params map[string]string) (resolved, error) {
	r := resolved{Resolution: intent.Resolution{Operation: *op, Parameters: params}}
	req := w.request("")
	switch {
	case !op.Standing.Verified():
		r.Reason, r.Message = intent.Draft, op.ID+" is a draft"
		if why := w.staleness(op); why != "" {
			r.Message = why
		}
		return r, nil
	case !req.Applies(op):
		r.Reason, r.Message = intent.NotApplicable, op.ID+" does not apply here any more"
		return r, nil
	}
	ctx, cancel := contextFor(w.env)
	defer cancel()
	filled, err := req.Fill(ctx, op, params)
	var fe *intent.FillError
	if errors.As(err, &fe) {
		r.Reason, r.Message = fe.Reason, fe.Error()
		return r, nil
	}
	if err != nil {
		return r, err
	}
	r.Parameters = filled
	err = w.planned(&r)
	return r, err
}

func ptr(s string) *string { return &s }

func orElse(s, or string) string {
	if s == "" {
		return or
	}
	return s
}
