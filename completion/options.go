package completion

import (
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/resolvers"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// flags adds the options of the command and those that it takes from the
// commands above it, each once, without those already given.
func (g *gatherer) flags() {
	b := g.target.bound
	// From "--n" on the negations are worth their place in the list.
	t := g.slot.text
	negations := strings.HasPrefix(t, "--no-") || len(t) > len("--") && strings.HasPrefix("--no-", t)
	negatable := false
	scope := b.Scope()
	count := 1
	for _, n := range scope {
		count += len(n.Flags)
	}
	g.items = slices.Grow(g.items, count)
	for depth, n := range scope {
		for i := range n.Flags {
			f := &n.Flags[i]
			if f.Hidden || shadowed(scope[:depth], f) {
				continue
			}
			if g.given(f) {
				g.withheld = g.withheld || slices.ContainsFunc(f.Names, func(s string) bool { return strings.HasPrefix(s, t) })
				continue
			}
			negatable = negatable || f.Negatable
			g.flag(f, negations)
		}
	}
	if negatable && t == "--" && g.mode == resolvers.Prefix {
		g.add(item{value: "--no-", description: "the negation of an option", kind: "flag", partial: true})
	}
	g.bundle(scope)
	if n := b.Node(); strings.HasPrefix("--", t) && g.mode == resolvers.Prefix && t != "" && endsOptions(n) {
		g.add(item{value: "--", description: "what follows is no option", kind: "flag", weight: lastWeight})
	}
}

// keywords adds the options of the command that are plain words.
func (g *gatherer) keywords() {
	n := g.target.bound.Node()
	for i := range n.Flags {
		f := &n.Flags[i]
		if !f.Hidden && !strings.HasPrefix(f.Names[0], "-") && !g.given(f) {
			g.flag(f, false)
		}
	}
}

// lastWeight puts an item after those that have no weight.
const lastWeight = -2

// endsOptions reports whether a command has arguments that only stand behind
// "--", or such as are another command's words: kubectl exec pod -- sh, uv run
// -- x, cargo run -- x.
func endsOptions(n *tcpdb.Node) bool {
	switch {
	case n.Wrapper.Mode == tcpdb.WrapWords:
		return true
	case n.Bits&tcpdb.Interspersed == 0 && !n.HasSubs() && len(n.Args) > 0 && n.Args[len(n.Args)-1].Repeatable:
		return true
	}
	return slices.ContainsFunc(n.Args, func(a tcpdb.Arg) bool { return a.AfterDash })
}

// bundle goes on with options of one letter that are typed together: after
// "-rf" each letter that can join them.
func (g *gatherer) bundle(scope []*tcpdb.Node) {
	t := g.slot.text
	n := g.target.bound.Node()
	if len(t) < 2 || t[1] == '-' || n.Bits&tcpdb.SingleDashLong != 0 || g.mode != resolvers.Prefix {
		return
	}
	last := tcpdb.NoValue
	for k := 1; k < len(t); k++ {
		f := shortFlag(scope, t[k:k+1])
		if f == nil || last != tcpdb.NoValue {
			return
		}
		last = f.Value
	}
	if len(t) > 2 {
		g.add(item{value: t, kind: "flag"})
	}
	usual := shortFlag(scope, t[1:2])
	if usual.Value == tcpdb.NoValue {
		g.usual(scope, usual.Spec.Enum)
	}
	if last != tcpdb.NoValue {
		return // its value follows
	}
	for _, n := range scope {
		for i := range n.Flags {
			f := &n.Flags[i]
			letter := letterOf(f)
			if letter == "" || f.Hidden || g.given(f) || strings.Contains(t[1:], letter) && !f.Repeatable || shortFlag(scope, letter) != f || usual.Value == tcpdb.NoValue && among(usual.Spec.Enum, t+letter) {
				continue
			}
			g.add(item{value: t + letter, description: f.Description, kind: "flag", weight: aliasWeight, deprecated: f.Deprecated})
		}
	}
}

// usual adds the words that people often type of options of one letter.
func (g *gatherer) usual(scope []*tcpdb.Node, words []tcpdb.EnumValue) {
	for _, w := range words {
		if w.Value == g.slot.text || !g.keep(w.Value) {
			continue
		}
		var texts []string
		for k := 1; k < len(w.Value); k++ {
			f := shortFlag(scope, w.Value[k:k+1])
			if f == nil {
				break
			}
			texts = append(texts, f.Description)
			if f.Value != tcpdb.NoValue {
				break
			}
		}
		g.add(item{value: w.Value, description: strings.Join(texts, "; "), kind: "flag"})
	}
}

func among(words []tcpdb.EnumValue, text string) bool {
	return slices.ContainsFunc(words, func(w tcpdb.EnumValue) bool { return w.Value == text })
}

// letterOf is the letter of an option's short name, or "".
func letterOf(f *tcpdb.Flag) string {
	for _, s := range f.Names {
		if len(s) == 2 && s[0] == '-' && s[1] != '-' {
			return s[1:]
		}
	}
	return ""
}

// flag adds the name of f that fits what is typed best, and "--name=" for an
// optional value.
func (g *gatherer) flag(f *tcpdb.Flag, negations bool) {
	name := g.fittingName(f)
	if negations && name == "" && f.Negatable {
		for _, s := range f.Names {
			if long, ok := strings.CutPrefix(s, "--"); ok && g.keep("--no-"+long) {
				g.add(item{value: "--no-" + long, description: "not: " + f.Description, kind: "flag", deprecated: f.Deprecated})
				return
			}
		}
	}
	if name == "" {
		return
	}
	it := item{value: name, description: f.Description, kind: "flag", deprecated: f.Deprecated}
	g.add(it)
	if t := g.slot.text; len(t) == 2 && name != t && slices.Contains(f.Names, t) {
		it.value = t // ip -c is whole, though -color goes on from it
		g.add(it)
		it.value = name
	}
	if len(name) == 2 && name == g.slot.text {
		g.joined(f, name)
	}
	if f.Value == tcpdb.OptionalValue && strings.HasPrefix(name, "--") {
		it.value, it.partial = name+"=", true
		g.add(it)
	}
}

// joined adds the words of a closed set that may follow a short option in the
// same word: -DskipTests, -XPOST.
func (g *gatherer) joined(f *tcpdb.Flag, name string) {
	if f.Value == tcpdb.NoValue || g.mode != resolvers.Prefix || g.target.bound.Node().Bits&tcpdb.SingleDashLong != 0 {
		return
	}
	for _, v := range f.Spec.Enum {
		g.add(item{value: name + v.Value, description: v.Description, kind: "flag", weight: aliasWeight, partial: open(v)})
	}
}

// fittingName prefers long names, and a short one only when it is being typed.
func (g *gatherer) fittingName(f *tcpdb.Flag) string {
	short := ""
	for _, s := range f.Names {
		if !g.keep(s) {
			continue
		}
		if strings.HasPrefix(s, "--") || len(s) > 2 {
			return s
		}
		if short == "" {
			short = s
		}
	}
	return short
}

// given reports whether f can no longer be used: it is there already and not
// repeatable, or another of its exclusive group is.
func (g *gatherer) given(f *tcpdb.Flag) bool {
	for _, u := range g.target.bound.Flags {
		if u.Flag == nil {
			continue
		}
		if u.Flag.ID == f.ID && !f.Repeatable {
			return true
		}
		if f.Group != "" && u.Flag.Group == f.Group && u.Flag.ID != f.ID {
			return true
		}
	}
	return false
}

// shadowed reports whether a command further down has a flag of one of f's names.
func shadowed(below []*tcpdb.Node, f *tcpdb.Flag) bool {
	for _, n := range below {
		for _, s := range f.Names {
			if n.Flag(s) != nil {
				return true
			}
		}
	}
	return false
}
