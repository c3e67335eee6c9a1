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
	// blind: what is typed begins with something that only the shell can expand.
	blind bool
	// withheld: something fits that stands in the line already, once and for all.
	withheld bool
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
	first := len(g.items)
	for _, spec := range s.specs {
		if !spec.Otherwise || len(g.items) == first {
			g.spec(spec)
		}
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
		g.withheld = true
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

// spec adds the values of one kind.
func (g *gatherer) spec(spec tcpdb.ValueSpec) {
	for _, v := range spec.Enum {
		if !g.keep(v.Value) {
			continue
		}
		if named(v) && g.stated(v.Value) {
			g.withheld = true
		} else {
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
	if p, within := strings.CutPrefix(t.livePrefix(), g.slot.prefix); within && p != "" && strings.HasPrefix(text, p) {
		var ok bool
		if expanded, ok = t.expandLive(p); !ok {
			g.blind = true
			return
		}
		live, text = p, expanded+text[len(p):]
	}
	var words []string
	if t.bound != nil {
		words = t.bound.Words
	}
	ans := g.engine.Resolvers.Resolve(g.ctx, resolvers.Request{
		Name: name, Dir: t.dirFor(name), Getenv: t.getenv, Words: words,
		Filter: resolvers.Filter{Text: text, Mode: g.mode},
		Limit:  g.limit, CacheDir: g.engine.CacheDir, Own: g.engine.own, Again: g.engine.Again,
	})
	g.note(name, ans)
	filter := resolvers.Filter{Text: text, Mode: g.mode}
	// These match the last part of a path and take the rest as it is.
	paths := pathResolver(name)
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

// pathResolver reports whether a resolver lists files.
func pathResolver(name string) bool {
	return name == "dirs" || name == "files" || name == "archives" || strings.HasPrefix(name, "files:")
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
