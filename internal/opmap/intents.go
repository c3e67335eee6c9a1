package opmap

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/phrase"
	"github.com/tool-mapping-protocol/tmp/internal/when"
	"github.com/tool-mapping-protocol/tmp/resolvers/all"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// claim is an intent of an operation, and where a map has it.
type claim struct {
	op     *Operation
	file   string
	field  string
	intent string   // as written
	words  []string // normalised
}

// claims lists the intents of maps.
func claims(sources []*Source) []claim {
	var out []claim
	for _, s := range sources {
		for i, op := range s.Operations {
			field := fmt.Sprintf("operations[%d].intent", i)
			if s.form == recordForm {
				field = "intent"
			}
			for _, intent := range op.Intents {
				out = append(out, claim{op, s.File, field, intent, strings.Fields(phrase.Normalize(intent))})
			}
		}
	}
	return out
}

// Generic finds intents that could mean anything, because they name no object.
// An operation that has one loads, and the intent finds it where it is the only
// one; what is verified or published is held to more.
func Generic(sources []*Source, severity Severity) Problems {
	var out Problems
	for _, c := range claims(sources) {
		if phrase.Vague(strings.Join(c.words, " ")) {
			out = append(out, &Problem{File: c.file, Line: c.op.line, Field: c.field, Severity: severity, Reason: fmt.Sprintf(
				"%q of %s names no object: say what is acted on", c.intent, c.op.ID)})
		}
	}
	return out
}

// Collisions finds intents of own maps that may mean an operation of another of
// the installed maps as well, or of another file among own: both would be
// refused as ambiguous. Of one operation in several layers the record of the
// highest counts; below are the maps of lower layers, the lowest first.
//
// It is an Error where both operations apply in the same places. Where one of
// them has a condition of its own it is a Warning; or with applies, which tells
// whether an operation applies in a project, an Error if both do and nothing else.
func Collisions(own []*Source, applies func(*Operation) bool, below ...[]*Source) Problems {
	mine := claims(own)
	ids := map[string]bool{}
	for _, c := range mine {
		ids[c.op.ID] = true
	}
	var rest []claim
	for _, layer := range slices.Backward(below) {
		theirs := claims(layer)
		for _, c := range theirs {
			if !ids[c.op.ID] {
				rest = append(rest, c)
			}
		}
		for _, c := range theirs {
			ids[c.op.ID] = true // it stands in place of those further below
		}
	}
	byLength := map[int][]claim{}
	for _, c := range append(slices.Clone(mine), rest...) {
		byLength[len(c.words)] = append(byLength[len(c.words)], c)
	}
	var out Problems
	for _, c := range mine {
		for _, other := range byLength[len(c.words)] {
			if c.op.ID == other.op.ID || !meet(c, other) || !together(c.op, other.op) {
				continue
			}
			severity := Error
			switch {
			case conditional(c.op) == conditional(other.op):
			case applies == nil:
				severity = Warning
			case !applies(c.op) || !applies(other.op):
				continue
			}
			where := other.file
			if other.op.line > 0 {
				where = fmt.Sprintf("%s:%d", other.file, other.op.line)
			}
			out = append(out, &Problem{File: c.file, Line: c.op.line, Field: c.field, Severity: severity, Reason: fmt.Sprintf(
				"%q of %s collides with %q of %s (%s: %s)", c.intent, c.op.ID, other.intent, other.op.ID, where, other.field)})
		}
	}
	return out
}

// Distinct takes from the intents of a map those that may mean an operation of other
// maps, or an earlier one of its own, as well, and says how many. What ships is among
// the others.
func (s *Source) Distinct(others ...[]*Source) (taken int) {
	byLength := map[int][]claim{}
	for _, c := range claims(slices.Concat(append(others, []*Source{shipped()})...)) {
		byLength[len(c.words)] = append(byLength[len(c.words)], c)
	}
	for _, op := range s.Operations {
		op.Intents = slices.DeleteFunc(op.Intents, func(intent string) bool {
			c := claim{op: op, intent: intent, words: strings.Fields(phrase.Normalize(intent))}
			if slices.ContainsFunc(byLength[len(c.words)], func(other claim) bool { return other.op.ID != op.ID && meet(c, other) }) {
				taken++
				return true
			}
			byLength[len(c.words)] = append(byLength[len(c.words)], c)
			return false
		})
	}
	return taken
}

// CheckIntents holds the intents of a layer's maps against each other and against
// those of the layers below: what ships, and for a project in dir the user's.
// Those that name no object are of the severity nameless.
func CheckIntents(own, user []*Source, dir string, nameless Severity) Problems {
	if !slices.ContainsFunc(own, func(s *Source) bool { return len(s.Operations) > 0 }) {
		return nil
	}
	var applies func(*Operation) bool
	if dir != "" {
		here := &when.Place{Dir: dir, Values: all.Table().Resolve}
		applies = func(op *Operation) bool { return here.Applies(compileOperation(op)) }
	}
	found := Collisions(own, applies, []*Source{shipped()}, user)
	if len(found) > 0 { // the sources say where
		l, _ := Core(ParseOptions{})
		found = Collisions(own, applies, l.Sources, user)
	}
	return append(Generic(own, nameless), found...)
}

// shipped are the operations that ship, read from the compiled map: their
// sources take a while.
func shipped() *Source {
	s := &Source{}
	for _, op := range tcpdb.NewView(tcpdb.Core()).Operations() {
		o := &Operation{ID: op.ID, Intents: op.Intents, Template: strings.Join(op.Template, " "), When: &When{Files: op.When, Managers: op.Managers, Values: op.Values}}
		for _, p := range op.Params {
			o.Parameters = append(o.Parameters, &Parameter{Name: p.Name, Type: p.Type, Resolver: p.Resolver})
		}
		s.Operations = append(s.Operations, o)
	}
	return s
}

func conditional(op *Operation) bool {
	return op.When != nil && len(op.When.Files)+len(op.When.Managers)+len(op.When.Values) > 0
}

// meet reports whether one line of words fits both intents: word for word, slots
// for slots, and a word for a slot that takes any. A slot with a resolver takes
// only what the resolver has, which a map cannot tell.
func meet(a, b claim) bool {
	for i := range a.words {
		x, y := a.words[i], b.words[i]
		switch sx, sy := phrase.IsSlot(x), phrase.IsSlot(y); {
		case sx && sy, x == y:
		case sx && !sy && a.op.takes(x, y), sy && !sx && b.op.takes(y, x):
		default:
			return false
		}
	}
	return true
}

// takes reports whether a slot of the operation's intents takes a word for all
// that the map says: it has no resolver and no type, and the word does not begin
// with a dash where the program would read it as an option.
func (op *Operation) takes(slot, word string) bool {
	p := op.Param(strings.Trim(slot, "<>"))
	if p == nil || p.Resolver != "" || p.Type != "" && p.Type != "string" {
		return false
	}
	before, _, _ := strings.Cut(op.Template+" ", " -- ")
	return !strings.HasPrefix(word, "-") || !slices.Contains(strings.Fields(before), slot)
}
