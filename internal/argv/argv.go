// Package argv binds the words of one command to the map: which sub-command,
// which flags with which values, which positional arguments, and what may stand
// next. Tab, the judge and the runner all read a command through it, so that
// they cannot disagree about what its words mean.
package argv

import (
	"path"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// FlagUse is one option as given.
type FlagUse struct {
	Flag *tcpdb.Flag // nil if the map does not know it
	Node int         // index into Bound.Chain of the command that has it
	Name string      // as typed, with dashes: "-f", "--forc"
	Word int         // index of the word that holds the name
	// Value and ValueWord are the value and the word that holds it, which is
	// Word itself for --x=v and -xv; ValueWord is -1 without one.
	Value     string
	ValueWord int
	Negated   bool // --no-x of a negatable flag
}

// ArgUse is one positional argument as given.
type ArgUse struct {
	Text      string
	Word      int
	AfterDash bool
}

// Inner is a command carried inside another: Words[Start:End] of the outer.
// Start may equal len(Words): the next word would be its command word.
type Inner struct {
	Start, End int
	// Open says that a word after the last one would still belong to it.
	Open bool
}

// Bound is a command whose words are bound to the map.
type Bound struct {
	Words []string
	Chain []*tcpdb.Node // the tool's root and the sub-commands down to the one that acts
	Subs  []int         // for each of Chain the word that names it; the first is 0
	Flags []FlagUse
	Args  []ArgUse
	// Dash is the index of the "--" that ended the options, or -1.
	Dash int
	// Inner are the commands that a wrapper carries as words.
	Inner []Inner
	// Pending is the flag that still wants its value after the last word, or nil.
	Pending *tcpdb.Flag
	// PendingNode is its index into Chain.
	PendingNode int
}

// Node is the command that acts: the last of the chain.
func (b *Bound) Node() *tcpdb.Node { return b.Chain[len(b.Chain)-1] }

// top is the first command of the chain whose options the one that acts takes:
// most tools take those of the root anywhere, some only before the verb.
func (b *Bound) top() int {
	last := len(b.Chain) - 1
	if b.Chain[0].Bits&tcpdb.OwnOptions != 0 {
		return last
	}
	for c := last; c > 0; c-- {
		if b.Chain[c].Bits&tcpdb.OwnOptions != 0 {
			return c
		}
	}
	return 0
}

// Scope returns the commands whose options may stand after the last word, the
// one that acts first.
func (b *Bound) Scope() []*tcpdb.Node {
	var s []*tcpdb.Node
	for c := len(b.Chain) - 1; c >= b.top(); c-- {
		s = append(s, b.Chain[c])
	}
	return s
}

// Has reports whether the flag of that ID is given (and not as its negation)
// to the command that acts or to one above it.
func (b *Bound) Has(id string) bool {
	for i := range b.Flags {
		if f := &b.Flags[i]; f.Flag != nil && f.Flag.ID == id && !f.Negated {
			return true
		}
	}
	return false
}

// Options reports whether a further word that begins with a dash would be read
// as an option.
func (b *Bound) Options() bool {
	if b.Dash >= 0 || b.Pending != nil {
		return false
	}
	n := b.Node()
	return n.Bits&tcpdb.Interspersed != 0 || len(b.Args) == 0
}

// Arg returns the argument that the word after the last one would be, or nil
// if the command takes no more.
func (b *Bound) Arg() *tcpdb.Arg { return b.argAfter(b.Args, b.Dash >= 0) }

// ArgFor returns the argument that Args[i] is, or nil if the command takes none there.
func (b *Bound) ArgFor(i int) *tcpdb.Arg { return b.argAfter(b.Args[:i], b.Args[i].AfterDash) }

// argAfter returns the argument that follows those in given. After "--" the
// arguments marked AfterDash count, if the command has any.
func (b *Bound) argAfter(given []ArgUse, dashed bool) *tcpdb.Arg {
	var room [8]*tcpdb.Arg
	args := b.arguments(room[:0])
	separate := false
	for _, a := range args {
		separate = separate || a.AfterDash
	}
	skip := 0
	for _, g := range given {
		if !separate || g.AfterDash == dashed {
			skip++
		}
	}
	for _, a := range args {
		if separate && a.AfterDash != dashed {
			continue
		}
		if skip == 0 || a.Repeatable {
			return a
		}
		skip--
	}
	return nil
}

// arguments are those of the command that acts with the options that it has:
// those that come with one of them, or else those that come with none; in room, which
// is empty, if they fit.
func (b *Bound) arguments(room []*tcpdb.Arg) []*tcpdb.Arg {
	n := b.Node()
	plain, with := room, []*tcpdb.Arg(nil)
	for i := range n.Args {
		a := &n.Args[i]
		switch {
		case i == 0 && n.Bits&tcpdb.Bundle != 0 && len(b.Words) > 1:
			// It describes the first word, which is there.
		case len(a.With) == 0:
			plain = append(plain, a)
		case slices.ContainsFunc(a.With, b.given):
			with = append(with, a)
		}
	}
	if with != nil {
		return with
	}
	return plain
}

// given reports whether the command that acts has the flag of that ID.
func (b *Bound) given(id string) bool {
	return slices.ContainsFunc(b.Flags, func(u FlagUse) bool {
		return u.Flag != nil && u.Flag.ID == id && !u.Negated && u.Node == len(b.Chain)-1
	})
}

// Bind reads words, the command word first. It returns nil if no layer of v
// maps the tool. A path before the command's name is not looked at: whether
// /tmp/git is git is not decided here.
func Bind(v *tcpdb.View, words []string) *Bound { return bind(v, words, false) }

// Outline is Bind for a command that is complete: a sub-command named by the
// last word is left shallow, since no word follows that its flags and arguments
// would have to explain. Judging a hundred sub-commands opens none of them.
func Outline(v *tcpdb.View, words []string) *Bound { return bind(v, words, true) }

func bind(v *tcpdb.View, words []string, outline bool) *Bound {
	if len(words) == 0 {
		return nil
	}
	root := v.Root(path.Base(words[0]))
	if root == nil {
		return nil
	}
	// One piece of memory, with room for two sub-commands, a flag and two arguments.
	x := &struct {
		b     Bound
		chain [3]*tcpdb.Node
		subs  [3]int
		flags [1]FlagUse
		args  [2]ArgUse
	}{chain: [3]*tcpdb.Node{root}}
	b := &x.b
	b.Words, b.Chain, b.Subs, b.Flags, b.Args, b.Dash = words, x.chain[:1], x.subs[:1], x.flags[:0], x.args[:0], -1
	p := parser{view: v, Bound: b, outline: outline}
	p.run()
	return b
}

// parser walks the words once, from left to right.
type parser struct {
	view    *tcpdb.View
	outline bool
	// waiting are the indices of the flags that want the next words as values;
	// several after a bundle without a dash (tar xfC a.tar dir).
	waiting []int
	*Bound
}

func (p *parser) run() {
	i := 1
	if i < len(p.Words) && p.isBundle(p.Words[i]) {
		p.bundleWord(i)
		i++
	}
	for i < len(p.Words) {
		if p.Pending != nil {
			p.take(i)
			i++
			continue
		}
		w := p.Words[i]
		switch n := p.Node(); {
		case n.Wrapper.Mode == tcpdb.WrapTrailer && contains(n.Wrapper.Markers, w):
			i = p.trailer(i)
		case p.Dash < 0 && w == "--":
			p.Dash = i
			i++
		case p.isOption(w):
			p.option(i)
			i++
		case p.wraps(w):
			p.Inner = append(p.Inner, Inner{Start: i, End: len(p.Words), Open: true})
			return
		default:
			p.positional(i)
			i++
		}
	}
	if p.Pending == nil && p.wraps("") {
		p.Inner = append(p.Inner, Inner{Start: len(p.Words), End: len(p.Words), Open: true})
	}
}

// take gives word i to the flag that waits for it.
func (p *parser) take(i int) {
	f := &p.Flags[p.waiting[0]]
	f.Value, f.ValueWord = p.Words[i], i
	p.waiting, p.Pending = p.waiting[1:], nil
	if len(p.waiting) > 0 {
		next := &p.Flags[p.waiting[0]]
		p.Pending, p.PendingNode = next.Flag, next.Node
	}
}

// wait makes the flag at an index take one of the next words as its value.
func (p *parser) wait(at int) {
	p.waiting = append(p.waiting, at)
	if p.Pending == nil {
		p.Pending, p.PendingNode = p.Flags[at].Flag, p.Flags[at].Node
	}
}

// isBundle reports whether a first word is a bundle of options without a dash:
// every letter of it is one.
func (p *parser) isBundle(w string) bool {
	n := p.Node()
	if n.Bits&tcpdb.Bundle == 0 || w == "" || w[0] == '-' {
		return false
	}
	for k := range len(w) {
		if n.Flag("-"+w[k:k+1]) == nil {
			return false
		}
	}
	return true
}

// bundleWord reads the letters of such a word; those that take a value take
// the next words, in order.
func (p *parser) bundleWord(i int) {
	w := p.Words[i]
	for k := range len(w) {
		name := "-" + w[k:k+1]
		f := p.Node().Flag(name)
		p.Flags = append(p.Flags, FlagUse{Flag: f, Name: name, Word: i, ValueWord: -1})
		if f.Value == tcpdb.RequiredValue {
			p.wait(len(p.Flags) - 1)
		}
	}
}

func (p *parser) isOption(w string) bool {
	if !p.Options() || len(w) < 2 {
		return false
	}
	n := p.Node()
	return w[0] == '-' || w[0] == '+' && n.Bits&tcpdb.Plus != 0 || n.Bits&tcpdb.Keywords != 0 && n.Flag(w) != nil
}

// wraps reports whether w would be the command word of the inner command.
func (p *parser) wraps(w string) bool {
	wr := &p.Node().Wrapper
	if wr.Mode != tcpdb.WrapWords && wr.Mode != tcpdb.WrapJoined {
		return false
	}
	if wr.Assignments && isAssignment(w) {
		return false
	}
	if p.Node().HasSubs() && len(p.Args) == 0 && p.Node().Sub(w) != nil {
		return false
	}
	return p.operands() >= wr.Skip
}

// operands counts the positionals that are not assignments before the inner command.
func (p *parser) operands() int {
	n := 0
	for _, a := range p.Args {
		if !p.Node().Wrapper.Assignments || !isAssignment(a.Text) {
			n++
		}
	}
	return n
}

// trailer reads the inner command after the marker at word i (find -exec … ;)
// and returns the index of the word after it.
func (p *parser) trailer(i int) int {
	p.Flags = append(p.Flags, FlagUse{
		Flag: p.Node().Flag(p.Words[i]), Node: len(p.Chain) - 1,
		Name: p.Words[i], Word: i, ValueWord: -1,
	})
	in := Inner{Start: i + 1, End: len(p.Words), Open: true}
	for j := i + 1; j < len(p.Words); j++ {
		if contains(p.Node().Wrapper.Terminators, p.Words[j]) {
			in.End, in.Open = j, false
			break
		}
	}
	p.Inner = append(p.Inner, in)
	return in.End + 1
}

func (p *parser) positional(i int) {
	w := p.Words[i]
	if n := p.Node(); len(p.Args) == 0 && p.Dash < 0 && n.HasSubs() {
		if sub := n.Sub(w); sub != nil {
			if !p.outline || i < len(p.Words)-1 {
				sub = p.view.Open(sub)
			} else if sub.Path == "" {
				shallow := *sub
				shallow.Path = n.Path + " " + sub.Name
				sub = &shallow
			}
			p.Chain = append(p.Chain, sub)
			p.Subs = append(p.Subs, i)
			return
		}
	}
	p.Args = append(p.Args, ArgUse{Text: w, Word: i, AfterDash: p.Dash >= 0})
}

func (p *parser) option(i int) {
	w := p.Words[i]
	n := p.Node()
	if w[0] != '-' && w[0] != '+' {
		p.keyword(i, n.Flag(w))
		return
	}
	if strings.HasPrefix(w, "--") || n.Bits&tcpdb.SingleDashLong != 0 || w[0] == '+' {
		if p.long(i, w) || n.Bits&tcpdb.SingleDashLong == 0 || w[1] == '-' {
			return
		}
		p.Flags = p.Flags[:len(p.Flags)-1] // not a long option after all: a bundle
	}
	if n.Bits&tcpdb.NumericFlags != 0 && isDigits(w[1:]) {
		p.Flags = append(p.Flags, FlagUse{
			Flag: n.Flag("-NUM"), Node: len(p.Chain) - 1,
			Name: w, Word: i, Value: w[1:], ValueWord: i,
		})
		return
	}
	p.bundle(i, w)
}

// keyword reads an option that is a plain word.
func (p *parser) keyword(i int, f *tcpdb.Flag) {
	p.Flags = append(p.Flags, FlagUse{Flag: f, Node: len(p.Chain) - 1, Name: p.Words[i], Word: i, ValueWord: -1})
	if f.Value == tcpdb.RequiredValue {
		p.wait(len(p.Flags) - 1)
	}
}

// long reads --name, --name=value, -name and their abbreviations. It appends
// one use and reports whether the map knows the flag.
func (p *parser) long(i int, w string) bool {
	name, value, attached := strings.Cut(w, "=")
	u := FlagUse{Node: len(p.Chain) - 1, Name: name, Word: i, ValueWord: -1}
	for c := len(p.Chain) - 1; c >= p.top() && u.Flag == nil; c-- {
		if f, negated := FindLong(p.Chain[c], name); f != nil {
			u.Flag, u.Node, u.Negated = f, c, negated
		}
	}
	if attached {
		u.Value, u.ValueWord = value, i
	}
	p.Flags = append(p.Flags, u)
	if u.Flag != nil && !attached && !u.Negated && u.Flag.Value == tcpdb.RequiredValue {
		p.wait(len(p.Flags) - 1)
	}
	return u.Flag != nil
}

// bundle reads -abc, -xVALUE and -x.
func (p *parser) bundle(i int, w string) {
	for k := 1; k < len(w); k++ {
		name := "-" + w[k:k+1]
		u := FlagUse{Node: len(p.Chain) - 1, Name: name, Word: i, ValueWord: -1}
		for c := len(p.Chain) - 1; c >= p.top() && u.Flag == nil; c-- {
			if f := p.Chain[c].Flag(name); f != nil {
				u.Flag, u.Node = f, c
			}
		}
		if u.Flag == nil || u.Flag.Value == tcpdb.NoValue {
			p.Flags = append(p.Flags, u)
			continue
		}
		if rest := w[k+1:]; rest != "" {
			u.Value, u.ValueWord = strings.TrimPrefix(rest, "="), i
		}
		p.Flags = append(p.Flags, u)
		if u.ValueWord < 0 && u.Flag.Value == tcpdb.RequiredValue {
			p.wait(len(p.Flags) - 1)
		}
		return
	}
}
