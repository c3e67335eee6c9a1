package risk

import (
	"github.com/tool-mapping-protocol/tmp/internal/argv"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Rule is an entry or variant of a command's descriptor and what became of it.
type Rule struct {
	tcpdb.Variant // of a base entry only Entry is set
	Base          bool
	Holds         bool // its conditions are met
	Counts        bool // it is part of the verdict
}

// Explanation is how a command was read and what its descriptors say.
type Explanation struct {
	Bound *argv.Bound // nil if the map does not know the tool
	Key   string      // the command whose descriptor decides, "" if none does
	Rules []Rule      // of the tool first, of the command last; in each the lowest layer first
}

// Explain tells which rules Judge looks at for the simple command that words
// are, and which of them count. Commands that it carries are not followed.
func Explain(v *tcpdb.View, words []string, f Facts) Explanation {
	j := judge{view: v, facts: f}
	var x Explanation
	if len(words) == 0 {
		return x
	}
	b := argv.Outline(v, words)
	if b != nil {
		x.Bound = b
	} else {
		b = unmapped(words)
	}
	key, known := j.key(b)
	if known {
		x.Key = key
	}
	harmless := false
	for c, n := range b.Chain {
		r := v.Risk(n.Path)
		if r == nil {
			continue
		}
		for i := range r.Entries {
			e := &r.Entries[i]
			counts := known && n.Path == key && !harmless && !overruled(r, e.Layer, b, c)
			x.Rules = append(x.Rules, Rule{Variant: tcpdb.Variant{Entry: *e}, Base: true, Holds: true, Counts: counts})
		}
		for i := range r.Variants {
			y := &r.Variants[i]
			rule := Rule{Variant: *y, Holds: holds(y, b, c)}
			rule.Counts = known && rule.Holds && !harmless && (y.Effect != tcpdb.SetEffect || n.Path == key)
			x.Rules = append(x.Rules, rule)
			harmless = harmless || rule.Counts && y.Effect == tcpdb.HarmlessEffect
		}
	}
	if harmless {
		for i := range x.Rules {
			r := &x.Rules[i]
			r.Counts = r.Counts && r.Effect == tcpdb.HarmlessEffect && !r.Base
		}
	}
	return x
}
