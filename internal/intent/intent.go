// Package intent turns words into exactly one verified operation with its
// parameters, or into a typed refusal. It never guesses: an intent matches when
// its normalised words are those of an operation's intent, with the values of
// its slots found by a resolver. Similarity only orders the suggestions that a
// person may choose from.
package intent

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/phrase"
	"github.com/tool-mapping-protocol/tmp/internal/when"
	"github.com/tool-mapping-protocol/tmp/resolvers"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Reason says why an intent was refused; the values are those of the JSON.
type Reason string

const (
	NotMapped        Reason = "not_mapped"
	Ambiguous        Reason = "ambiguous"
	Draft            Reason = "draft"
	MissingParameter Reason = "missing_parameter"
	ResolverFailed   Reason = "resolver_failed"
	NotApplicable    Reason = "not_applicable"
	ToolMissing      Reason = "tool_missing"
	Conflict         Reason = "conflict"
)

// Request is an intent and the world it is said in.
type Request struct {
	Text string
	// Given are values of parameters beside those in the text, before which they count.
	Given map[string]string
	// Named are values by the names of an operation's parameters, where it has others
	// beside them; nil takes them as they are.
	Named func(*tcpdb.Operation, map[string]string) map[string]string
	// Says is what is wrong with a value, in words; nil takes those of the error.
	Says       func(*tcpdb.Operation, *FillError) string
	Operations []tcpdb.Operation
	Dir        string // absolute; values and `when` files are looked for from here
	Getenv     func(string) string
	CacheDir   string
	// Values asks a resolver; nil knows of none.
	Values func(context.Context, resolvers.Request) resolvers.Answer
	// Exists reports whether a file of that name is in Dir or above; nil looks.
	Exists func(name string) bool
	// Here is Dir as operations apply to it, for requests that share what it has
	// found; nil makes one of Dir, Values and Exists.
	Here *when.Place
	// Argv are the words that an operation would run; nil tells of none. Operations
	// that would run the same are one answer.
	Argv func(*tcpdb.Operation, map[string]string) ([]string, error)
}

// Suggestion is an operation that a person may have meant.
type Suggestion struct {
	OperationID string  `json:"operation_id"`
	Intent      string  `json:"intent"`
	Score       float64 `json:"score"`
	// Argv and Dir are what would run, of a suggestion that the project makes.
	Argv []string `json:"argv,omitempty"`
	Dir  string   `json:"cwd,omitempty"`
}

// Resolution is the answer: an operation with its parameters, or a Reason.
type Resolution struct {
	Operation   tcpdb.Operation
	Parameters  map[string]string // only those that have a value
	Reason      Reason            // "" if resolved
	Message     string            // what to tell a person about the refusal
	Suggestions []Suggestion
	LookedFor   []string // what would have done it
	// Resolvers names the resolvers that were asked and the state of their answers.
	Resolvers map[string]resolvers.State
}

// Resolved reports whether there is exactly one answer.
func (r *Resolution) Resolved() bool { return r.Reason == "" }

// match is an operation that an intent fits in words.
type match struct {
	op     *tcpdb.Operation
	intent string
	slots  map[string]string
}

// exact reports whether the intent fits word for word.
func (m match) exact() bool { return len(m.slots) == 0 }

// Resolve finds the one operation of an intent. Same request, same world, same answer.
func Resolve(ctx context.Context, r Request) Resolution {
	r = r.withDefaults()
	words := phrase.Split(r.Text)
	var ready, drafts, elsewhere []match
	for i := range r.Operations {
		op := &r.Operations[i]
		for _, m := range matches(op, words) {
			switch {
			case !r.Applies(op):
				elsewhere = append(elsewhere, m)
			case !op.Standing.Verified():
				drafts = append(drafts, m)
			default:
				ready = append(ready, m)
			}
		}
	}
	if slices.ContainsFunc(ready, match.exact) {
		ready = slices.DeleteFunc(ready, func(m match) bool { return !m.exact() })
	}
	res := r.choose(ctx, ready)
	switch {
	case res.Reason != NotMapped:
	case len(drafts) > 0:
		res = refuse(Draft, drafts, "%s is a draft: it completes, but nothing runs it until it is verified", names(drafts))
	case len(elsewhere) > 0:
		kind := when.Nothing
		if res, kind = r.elsewhere(elsewhere); kind == when.Manager {
			res.Suggestions = r.suggest(words) // what the project's own manager can do
		}
	}
	if !res.Resolved() && len(res.Suggestions) == 0 {
		res.Suggestions = r.suggest(words)
	}
	return res
}

// matches returns how the operation's intents fit the words. One that fits word
// for word is meant before one whose slot would take a word of it: "run all
// tests", where it stands, is never a filter for "all". Resolve does the same
// between operations; else nothing is preferred among them.
func matches(op *tcpdb.Operation, words []phrase.Word) []match {
	var ms []match
	for _, in := range op.Intents {
		slots, ok := phrase.Parse(in).Match(words)
		switch {
		case !ok:
		case len(ms) == 0 || len(slots) == len(ms[0].slots):
			ms = append(ms, match{op, in, slots})
		case len(slots) < len(ms[0].slots):
			ms = []match{{op, in, slots}}
		}
	}
	return ms
}

func (r Request) withDefaults() Request {
	if r.Values == nil {
		r.Values = resolvers.Table{}.Resolve
	}
	if r.Here == nil {
		r.Here = &when.Place{Dir: r.Dir, Getenv: r.Getenv, CacheDir: r.CacheDir, Values: r.Values, Exists: r.Exists}
	}
	return r
}

// filled is a match whose parameters all hold.
type filled struct {
	match
	params map[string]string
}

// choose fills the slots of the matches and returns the only one that holds.
// A resolver that fails refuses the whole intent: with its values there might
// have been two answers.
func (r Request) choose(ctx context.Context, ready []match) Resolution {
	states := map[string]resolvers.State{}
	var whole []filled
	var lacking []match
	var why []string
	for _, m := range ready {
		values := m.slots
		if len(r.Given) > 0 {
			values = maps.Clone(r.Given)
			if r.Named != nil {
				values = maps.Clone(r.Named(m.op, r.Given))
			}
			for name, value := range m.slots {
				if _, given := values[name]; !given {
					values[name] = value
				}
			}
		}
		params, err := r.fill(ctx, m.op, values, states)
		if err != nil && err.Reason == ResolverFailed {
			res := refuse(ResolverFailed, []match{m}, "%s", err)
			res.Resolvers = states
			return res
		}
		if err != nil {
			said := err.Error()
			if r.Says != nil {
				said = r.Says(m.op, err)
			}
			lacking, why = append(lacking, m), append(why, said)
			continue
		}
		whole = r.join(whole, filled{m, params})
	}
	var res Resolution
	switch {
	case len(whole) == 1:
		res = Resolution{Operation: *whole[0].op, Parameters: whole[0].params}
	case len(whole) > 1:
		var ms []match
		for _, f := range whole {
			ms = append(ms, f.match)
		}
		res = refuse(Ambiguous, ms, "%s", alike(whole))
	case len(lacking) > 0:
		slices.Sort(why)
		res = refuse(MissingParameter, lacking, "%s", strings.Join(slices.Compact(why), "; "))
	default:
		res = Resolution{Reason: NotMapped, Message: "no operation here has this intent"}
	}
	res.Resolvers = states
	return res
}

// join adds an answer to those that there are, unless it is one of them. Of two
// operations that would run the same words the riskier one stays.
func (r Request) join(whole []filled, f filled) []filled {
	for i, o := range whole {
		switch {
		case o.op.ID == f.op.ID && maps.Equal(o.params, f.params):
			return whole
		case r.sameWords(o, f):
			if f.op.Risk > o.op.Risk {
				whole[i] = f
			}
			return whole
		}
	}
	return append(whole, f)
}

func (r Request) sameWords(a, b filled) bool {
	if r.Argv == nil || a.op.Surface != b.op.Surface || a.op.Layer != b.op.Layer {
		return false
	}
	x, err := r.Argv(a.op, a.params)
	if err != nil {
		return false
	}
	y, err := r.Argv(b.op, b.params)
	return err == nil && slices.Equal(x, y)
}

// alike says which operations an ambiguous intent may mean.
func alike(whole []filled) string {
	var ids []string
	for _, f := range whole {
		id := f.op.ID
		for _, p := range f.op.Params {
			if v := f.params[p.Name]; v != "" {
				id += fmt.Sprintf(" %s=%q", p.Name, v)
			}
		}
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return "this may mean " + strings.Join(ids, " or ")
}

// refuse is a refusal that names the operations it is about.
func refuse(reason Reason, about []match, format string, args ...any) Resolution {
	res := Resolution{Reason: reason, Message: fmt.Sprintf(format, args...)}
	for _, m := range about {
		s := Suggestion{OperationID: m.op.ID, Intent: m.intent, Score: 1}
		if !slices.ContainsFunc(res.Suggestions, func(o Suggestion) bool { return o.OperationID == s.OperationID && o.Intent == s.Intent }) {
			res.Suggestions = append(res.Suggestions, s)
		}
	}
	slices.SortStableFunc(res.Suggestions, func(a, b Suggestion) int { return strings.Compare(a.OperationID, b.OperationID) })
	return res
}

// names lists the operations once each, in the order of their IDs.
func names(ms []match) string {
	var ids []string
	for _, m := range ms {
		ids = append(ids, m.op.ID)
	}
	slices.Sort(ids)
	return strings.Join(slices.Compact(ids), " and ")
}

// elsewhere refuses what does not apply here and says what is lacking, of what is
// nearest to apply.
func (r Request) elsewhere(ms []match) (Resolution, when.Kind) {
	if slices.ContainsFunc(ms, match.exact) {
		ms = slices.DeleteFunc(ms, func(m match) bool { return !m.exact() })
	}
	nearest := when.File
	for _, m := range ms {
		kind, _ := r.Here.Lacks(m.op)
		nearest = min(nearest, kind)
	}
	var near []match
	var parts []string
	for _, m := range ms {
		kind, why := r.Here.Lacks(m.op)
		if kind == nearest {
			near, parts = append(near, m), append(parts, m.op.ID+" "+why)
		}
	}
	slices.Sort(parts)
	return refuse(NotApplicable, near, "%s", strings.Join(slices.Compact(parts), "; ")), nearest
}

// Applies reports whether the operation applies here; see when.Place.
func (r Request) Applies(op *tcpdb.Operation) bool { return r.withDefaults().Here.Applies(*op) }

// Upwards returns the path of the nearest entry of that name in dir or above, or "".
func Upwards(dir, name string) string { return when.Upwards(dir, name) }
