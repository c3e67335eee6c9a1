package opmap

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/surface"
)

// Rule is what a map asks for before it counts as verified: the "verify" of a
// source map, which holds for its tree and its operations, or of one operation.
//
// A review by a person is asked for in any case: what a machine finds supports
// a review and does not stand in for it, or else whoever writes a map could let
// it run. Without a rule an operation asks for the review alone, and a tree for
// parsed_help too.
type Rule struct {
	Require []string // kinds of evidence
	// DryRun, of an operation, is the template of a form of it that changes
	// nothing: "cargo test --no-run <test_filter>".
	DryRun string
	Extra  []Extra
}

// Required lists what makes an operation of the map verified, or with a nil op
// what makes its tree so, in the order of the kinds.
func (s *Source) Required(op *Operation) []string {
	var asked []string
	if s.Verify != nil {
		asked = append(asked, s.Verify.Require...)
	}
	switch {
	case op == nil && s.Verify == nil:
		asked = append(asked, "parsed_help")
	case op != nil && op.Verify != nil:
		asked = append(asked, op.Verify.Require...)
	}
	var out []string
	for _, kind := range evidenceKinds {
		if kind == "human_review" || slices.Contains(asked, kind) && concerns(kind, op) {
			out = append(out, kind)
		}
	}
	return out
}

// concerns reports whether a kind of evidence can be had of an operation, or
// with nil of a tree.
func concerns(kind string, op *Operation) bool {
	switch kind {
	case "parsed_help":
		return op == nil || op.Surface == "cli"
	case "dry_run":
		return op != nil && (op.Surface == "cli" || op.Surface == "script" || op.Surface == surface.SQL)
	case "sample_test":
		return op != nil
	}
	return true
}

var evidenceKinds = [...]string{"parsed_help", "dry_run", "sample_test", "human_review", "signature"}

// rule reads the "verify" of a map, or of an operation.
func (d *decoder) rule(o *object, op *Operation) *Rule {
	v := o.get("verify")
	if v == nil {
		return nil
	}
	in := d.object(v, o.field("verify"))
	if in == nil {
		return nil
	}
	r := &Rule{Require: in.texts("require")}
	for _, kind := range r.Require {
		if !knownEvidence(kind) {
			in.errorf("require", "%q: want %s", kind, strings.Join(evidenceKinds[:], ", "))
		}
	}
	if op != nil {
		r.DryRun = in.line1("dry_run")
		d.dryRun(in, op, r.DryRun)
	}
	r.Extra = in.rest()
	return r
}

// dryRun holds the template of a dry form to what is asked of the operation's
// own: it runs the same command.
func (d *decoder) dryRun(o *object, op *Operation, template string) {
	words, own := strings.Fields(template), strings.Fields(op.Template)
	if len(words) == 0 {
		return
	}
	if len(own) == 0 || words[0] != own[0] {
		o.errorf("dry_run", "runs %q: want a form of the operation's own command", words[0])
	}
	for _, word := range words {
		name, ok := templateSlot(word)
		switch {
		case !ok:
			o.errorf("dry_run", "%q: a parameter is a word <p> or the end of one, --x=<p>", word)
		case name != "" && op.Param(name) == nil:
			o.errorf("dry_run", "<%s> is not among the parameters", name)
		}
	}
}

func (r *Rule) value() *value {
	w := newObject()
	w.add("require", arrayOf(values(r.Require, textValue))) // an empty list says that there is a rule
	w.text("dry_run", r.DryRun)
	return w.done(r.Extra)
}

// versionRange warns of a range that cannot be told.
func (o *object) versionRange(name string) string {
	s := o.text(name)
	if _, err := ParseRange(s); err != nil {
		o.warnf(name, "%v", fmt.Errorf("%w: the map holds for the version alone that it is verified with", err))
	}
	return s
}
