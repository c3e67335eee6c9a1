package completion

import (
	"context"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/argv"
	"github.com/tool-mapping-protocol/tmp/resolvers"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// item is a value that fits, before it is judged and quoted.
type item struct {
	value       string // the whole word
	display     string // "" for the value
	description string
	kind        string
	weight      int
	recent      int   // how it ranks by its uses
	group       uint8 // place of its source in the slot's order
	deprecated  bool
	partial     bool // no blank follows
	plain       bool // a value like any other: its text cannot change the verdict
}

// gatherer collects the items of one slot.
type gatherer struct {
	engine *Engine
	ctx    context.Context
	target *target
	slot   slot
	limit  int
	answer *Answer

	mode  resolvers.Match
	items []item
	group uint8
}

// gather tries the ways of matching from strict to loose and stops at the
// first that finds something.
func (g *gatherer) gather() []item {
	for g.mode = resolvers.Prefix; ; g.mode++ {
		g.items, g.group = g.items[:0], 0
		g.answer.Omitted = 0
		g.collect()
		g.answer.Match = g.mode
		if len(g.items) > 0 || g.slot.text == "" || g.mode == resolvers.Subsequence || g.ctx.Err() != nil {
			break
		}
	}
	if n := len(g.items); n > 0 && g.items[0].group != g.items[n-1].group {
		g.items = distinct(g.items)
	}
	return g.items
}

func (g *gatherer) collect() {
	s := &g.slot
	if s.subcommands {
		g.subcommands()
		g.group++
	}
	if s.flags {
		g.flags()
		g.group++
	}
	for _, spec := range s.specs {
		g.spec(spec)
		g.group++
	}
	if s.keywords {
		g.keywords()
		g.group++
	}
}

func (g *gatherer) keep(value string) bool {
	return resolvers.Filter{Text: g.slot.text, Mode: g.mode}.Keep(value)
}

func (g *gatherer) add(it item) {
	if slices.Contains(g.slot.members, it.value) {
		return
	}
	it.value = g.slot.prefix + it.value
	it.group = g.group
	g.items = append(g.items, it)
}

func (g *gatherer) subcommands() {
	n := g.target.bound.Node()
	g.items = slices.Grow(g.items, len(n.AllSubs()))
	for _, sub := range n.AllSubs() {
		if sub.Bits&tcpdb.HiddenNode != 0 && sub.Name != g.slot.text && !g.extension(n, sub) {
			continue
		}
		name, weight := sub.Name, 0
		typed := g.slot.text != "" && slices.Contains(sub.Aliases, g.slot.text)
		if typed {
			g.add(item{value: g.slot.text, description: sub.Description, kind: "subcommand", weight: aliasWeight})
		}
		if !g.keep(name) {
			// An alias stands in where only it fits what is typed, after the names.
			aliases := g.fittingAliases(sub)
			if aliases[0] == "" {
				continue
			}
			if name = aliases[0]; aliases[1] != "" && len(g.slot.text) == 1 {
				// "remove" and "rm" of uninstall are both typed.
				g.add(item{value: aliases[1], description: sub.Description, kind: "subcommand", weight: aliasWeight})
			}
			weight = aliasWeight
		} else if len(g.slot.text) == 1 && name != g.slot.text {
			// One letter tells little yet: "ls" stands beside "list".
			if a := g.fittingAliases(sub)[0]; a != "" {
				g.add(item{value: a, description: sub.Description, kind: "subcommand", weight: aliasWeight})
			}
		}
		g.add(item{
			value: name, description: sub.Description, kind: "subcommand", weight: weight,
			deprecated: sub.Bits&tcpdb.DeprecatedNode != 0,
		})
	}
	if n.Path == "git" && !g.target.elsewhere {
		g.resolver("git:aliases")
	}
}

// extension reports whether a hidden sub-command is a program of another
// package that is installed: git-standup stands behind "git standup". Before a
// letter is typed nobody looks for one.
func (g *gatherer) extension(n, sub *tcpdb.Node) bool {
	t := g.target
	if g.slot.text == "" || t.elsewhere || t.getenv == nil || !g.keep(sub.Name) {
		return false
	}
	return tcpdb.FindProgram(n.Name+"-"+sub.Name, t.getenv("PATH"), "").Path != ""
}

// aliasWeight puts an alias after names.
const aliasWeight = -1

// fittingAliases are the first two aliases of n that go on from what is typed,
// "" where there is none.
func (g *gatherer) fittingAliases(n *tcpdb.Node) (fit [2]string) {
	if g.slot.text == "" {
		return fit
	}
	k := 0
	for _, a := range n.Aliases {
		if a != g.slot.text && g.keep(a) {
			fit[k] = a
			if k++; k == len(fit) {
				break
			}
		}
	}
	return fit
}

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
			if f.Hidden || g.given(f) || shadowed(scope[:depth], f) {
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

// spec adds the values of one kind.
func (g *gatherer) spec(spec tcpdb.ValueSpec) {
	for _, v := range spec.Enum {
		if g.keep(v.Value) && !(named(v) && g.stated(v.Value)) {
			g.add(item{value: v.Value, description: v.Description, kind: "value", partial: open(v)})
		}
	}
	if t := spec.Then; t != nil && t.Required {
		first := len(g.items)
		defer func() {
			for i := first; i < len(g.items); i++ {
				if it := &g.items[i]; !it.partial {
					it.value, it.partial = it.value+t.Separator, true
				}
			}
		}()
	}
	switch spec.Kind {
	case tcpdb.FileSpec:
		g.resolver("files")
	case tcpdb.DirSpec:
		g.resolver("dirs")
	case tcpdb.CommandSpec:
		g.resolver("executables")
	case tcpdb.ResolverSpec:
		g.resolver(spec.Name)
	}
}

// named reports whether a word of a closed set is a name that takes a value.
func named(v tcpdb.EnumValue) bool { return v.Next != nil || strings.HasSuffix(v.Value, "=") }

// open reports whether a word of a closed set is the beginning of a value.
func open(v tcpdb.EnumValue) bool {
	n := len(v.Value)
	return v.Next != nil || n > 1 && strings.IndexByte("=:/. ", v.Value[n-1]) >= 0
}

// stated reports whether a name such as "of=" is there already, among the
// members of the list that the value is one of, or else the command's arguments.
func (g *gatherer) stated(name string) bool {
	begins := func(word string) bool { return strings.HasPrefix(word, name) }
	if g.slot.members != nil || g.slot.flag != nil || g.slot.prefix != "" || g.target.bound == nil {
		return slices.ContainsFunc(g.slot.members, begins)
	}
	return slices.ContainsFunc(g.target.bound.Args, func(a argv.ArgUse) bool { return begins(a.Text) })
}

// local reports whether a resolver's values hold for a command that runs elsewhere.
func local(name string) bool { return name == "signals" }

// maxText is longer than any value that is worth asking for, in bytes: a path
// may have 4 096, and so may the name of a loose ref.
const maxText = 16 << 10

// resolver adds the values of a resolver.
func (g *gatherer) resolver(name string) {
	t := g.target
	if t.elsewhere && !local(name) {
		return
	}
	live, expanded := "", ""
	text := g.slot.text
	if len(text) > maxText {
		return
	}
	if p := t.livePrefix(); p != "" && g.slot.prefix == "" && strings.HasPrefix(text, p) {
		var ok bool
		if expanded, ok = t.expandLive(p); !ok {
			return
		}
		live, text = p, expanded+text[len(p):]
	}
	var words []string
	if t.bound != nil {
		words = t.bound.Words
	}
	ans := resolvers.Resolve(g.ctx, resolvers.Request{
		Name: name, Dir: t.dirFor(name), Getenv: t.getenv, Words: words,
		Filter: resolvers.Filter{Text: text, Mode: g.mode},
		Limit:  g.limit, CacheDir: g.engine.CacheDir, Own: g.engine.own,
	})
	g.note(name, ans)
	filter := resolvers.Filter{Text: text, Mode: g.mode}
	// These match the last part of a path and take the rest as it is.
	paths := name == "dirs" || name == "files" || name == "archives" || strings.HasPrefix(name, "files:")
	if n := len(g.items) + len(ans.Values); n > cap(g.items) {
		g.items = append(make([]item, 0, n), g.items...)
	}
	for _, v := range ans.Values {
		if !paths && !filter.Keep(v.Value) {
			continue
		}
		it := item{
			value: v.Value, description: v.Description, kind: v.Kind, weight: v.Weight,
			partial: v.Partial, plain: plain(v.Value),
		}
		if live != "" {
			if !strings.HasPrefix(it.value, expanded) {
				continue
			}
			it.value = live + it.value[len(expanded):]
		}
		if g.optionLike(it.value) {
			if it.kind != "file" && it.kind != "directory" {
				continue
			}
			it.value = "./" + it.value
		}
		g.add(it)
	}
}

// optionLike reports whether the command would read a value in this place as
// an option: a branch named "-f" must never be inserted, a file can be "./-f".
func (g *gatherer) optionLike(value string) bool {
	return strings.HasPrefix(value, "-") && g.slot.prefix == "" && g.slot.flag == nil &&
		g.target.place == argument && g.target.bound.Options()
}

// note records a resolver's state: the first one asked gives its name, the
// worst one its state and message.
func (g *gatherer) note(name string, ans resolvers.Answer) {
	a := g.answer
	if a.Resolver == "" {
		a.Resolver = name
	}
	a.Omitted += ans.Omitted
	if ans.State != resolvers.Fresh && ans.State != "" {
		a.State = ans.State
	}
	if ans.Message != "" && a.Message == "" {
		a.Message = ans.Message
	}
}

// distinct drops later items of a value that is already there.
func distinct(items []item) []item {
	seen := make(map[string]bool, len(items))
	out := items[:0]
	for _, it := range items {
		if !seen[it.value] {
			seen[it.value] = true
			out = append(out, it)
		}
	}
	return out
}

// plain reports whether a value is an ordinary word, of which no rule of risk
// can tell one from another: letters, digits and the marks of names.
func plain(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' {
			continue
		}
		if i == 0 || c != '-' && c != '_' && c != '.' && c != '/' {
			return false
		}
	}
	return s != ""
}
