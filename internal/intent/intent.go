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
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/phrase"
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
)

// Request is an intent and the world it is said in.
type Request struct {
	Text       string
	Operations []tcpdb.Operation
	Dir        string // absolute; values and `when` files are looked for from here
	Getenv     func(string) string
	CacheDir   string
	// Values asks a resolver; nil means resolvers.Resolve.
	Values func(context.Context, resolvers.Request) resolvers.Answer
	// Exists reports whether a file of that name is in Dir or above; nil looks.
	Exists func(name string) bool
}

// Suggestion is an operation that a person may have meant.
type Suggestion struct {
	OperationID string  `json:"operation_id"`
	Intent      string  `json:"intent"`
	Score       float64 `json:"score"`
}

// Resolution is the answer: an operation with its parameters, or a Reason.
type Resolution struct {
	Operation   tcpdb.Operation
	Parameters  map[string]string // only those that have a value
	Reason      Reason            // "" if resolved
	Message     string            // what to tell a person about the refusal
	Suggestions []Suggestion
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
	res := r.choose(ctx, ready)
	switch {
	case res.Reason != NotMapped:
	case len(drafts) > 0:
		res = refuse(Draft, drafts, "%s is a draft: it completes, but nothing runs it until it is verified", names(drafts))
	case len(elsewhere) > 0:
		res = refuse(NotApplicable, elsewhere, "%s", r.elsewhere(elsewhere))
	}
	if !res.Resolved() && len(res.Suggestions) == 0 {
		res.Suggestions = r.suggest(words)
	}
	return res
}

// matches returns how the operation's intents fit the words. One that fits word
// for word is meant before one whose slot would take a word of it: "run all
// tests", where it stands, is never a filter for "all". Between operations
// nothing is preferred.
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
		r.Values = resolvers.Resolve
	}
	if r.Exists == nil {
		r.Exists = func(name string) bool { return Upwards(r.Dir, name) != "" }
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
		params, err := r.fill(ctx, m.op, m.slots, states)
		if err != nil && err.Reason == ResolverFailed {
			res := refuse(ResolverFailed, []match{m}, "%s", err)
			res.Resolvers = states
			return res
		}
		if err != nil {
			lacking, why = append(lacking, m), append(why, err.Error())
			continue
		}
		if !slices.ContainsFunc(whole, func(f filled) bool { return f.op.ID == m.op.ID && maps.Equal(f.params, params) }) {
			whole = append(whole, filled{m, params})
		}
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
		s := Suggestion{m.op.ID, m.intent, 1}
		if !slices.Contains(res.Suggestions, s) {
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

func (r Request) elsewhere(ms []match) string {
	var parts []string
	for _, m := range ms {
		p := fmt.Sprintf("%s needs %s here or above", m.op.ID, strings.Join(m.op.When, " or "))
		if !slices.Contains(parts, p) {
			parts = append(parts, p)
		}
	}
	slices.Sort(parts)
	return strings.Join(parts, "; ")
}

// Applies reports whether one of the operation's `when` files is here or
// above; an operation without any applies everywhere.
func (r Request) Applies(op *tcpdb.Operation) bool {
	r = r.withDefaults()
	return len(op.When) == 0 || slices.ContainsFunc(op.When, r.Exists)
}

// Upwards returns the path of the nearest entry of that name in dir or above,
// or "". A name that is not a plain file name is found nowhere.
func Upwards(dir, name string) string {
	if name == "" || !filepath.IsAbs(dir) || !filepath.IsLocal(name) {
		return ""
	}
	for {
		path := filepath.Join(dir, name)
		if _, err := os.Lstat(path); err == nil {
			return path
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}
