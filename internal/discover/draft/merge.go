package draft

import (
	"slices"
	"strings"
)

// AddFlag puts a flag into a node. Where it shares a name with a flag that is
// there the two become one: names are joined, and of two facts that differ the
// one from the source that is trusted more stays.
//
// Names that are known as those of different options stay so, whoever lists them
// together: of such a flag only the names that are new are added.
func (n *Node) AddFlag(f *Flag) {
	var shared []*Flag
	for _, have := range n.Flags {
		if slices.ContainsFunc(f.Names, have.Has) {
			shared = append(shared, have)
		}
	}
	switch {
	case len(shared) == 0:
		n.Flags = append(n.Flags, f)
	case len(shared) == 1 && !shared[0].otherThan(f):
		shared[0].join(f)
	case len(shared) == 2 && halves(shared[0], shared[1]):
		shared[0].join(shared[1])
		shared[0].join(f)
		n.Flags = slices.DeleteFunc(n.Flags, func(o *Flag) bool { return o == shared[1] })
	default:
		rest := *f
		rest.Names = slices.DeleteFunc(slices.Clone(f.Names), func(name string) bool {
			return slices.ContainsFunc(shared, func(have *Flag) bool { return have.Has(name) })
		})
		if len(rest.Names) > 0 {
			n.Flags = append(n.Flags, &rest)
		}
	}
}

// otherThan reports whether two flags that share a letter are different options:
// each has a word of its own for it, "-s, --silent" and "-s, --size".
func (f *Flag) otherThan(o *Flag) bool {
	long := false
	for _, name := range o.Names {
		if f.Has(name) && !Short(name) {
			return false
		}
		long = long || Long(name)
	}
	return long && slices.ContainsFunc(f.Names, Long)
}

// halves reports whether two flags may be the short and the long name of one,
// which another text gives together.
func halves(a, b *Flag) bool {
	if len(a.Names) != 1 || len(b.Names) != 1 || Short(a.Names[0]) == Short(b.Names[0]) {
		return false
	}
	return a.Arity == b.Arity || a.Arity == Unsaid || b.Arity == Unsaid || a.ArityAt.Source != b.ArityAt.Source
}

func (f *Flag) join(o *Flag) {
	for _, name := range o.Names {
		if !f.Has(name) {
			f.Names = append(f.Names, name)
		}
	}
	f.joinArity(o)
	if len(o.Values) > 0 && (len(f.Values) == 0 || o.ValuesAt.Source > f.ValuesAt.Source && len(o.Values) >= len(f.Values)) {
		f.Values, f.ValuesAt = o.Values, o.ValuesAt
	}
	f.Kind = first(f.Kind, o.Kind)
	f.Resolver = first(f.Resolver, o.Resolver)
	f.List = first(f.List, o.List)
	f.Default = first(f.Default, o.Default)
	f.Description = first(f.Description, o.Description)
	f.Text = first(f.Text, o.Text)
	f.Metavar = first(f.Metavar, o.Metavar)
	f.Group = first(f.Group, o.Group)
	f.Repeatable = f.Repeatable || o.Repeatable
	f.Negated = f.Negated || o.Negated
	f.Hidden = f.Hidden || o.Hidden
	f.Deprecated = f.Deprecated || o.Deprecated
	f.At = append(f.At, o.At...)
}

// joinArity settles whether a flag takes a value when two texts say it. One
// that shows a value is believed over one that leaves it out, whatever its
// source: texts forget values, they do not make them up. But where manual and
// help agree that there is none, a completion script alone does not count. Rows
// that stand together, one with a value and one without, mean that it is optional.
func (f *Flag) joinArity(o *Flag) {
	f.Bare |= o.Bare | f.bare() | o.bare()
	const both = 1<<Man | 1<<Help
	switch {
	case f.Bare&both == both && (f.valueOfScript() || o.valueOfScript()):
		if f.Arity != None && o.Arity == None {
			f.ArityAt = o.ArityAt
		}
		f.Arity = None
	case o.Arity == Unsaid || f.Arity == o.Arity:
	case f.Arity == Unsaid:
		f.Arity, f.ArityAt = o.Arity, o.ArityAt
	case o.ArityAt.Source == Answer || f.ArityAt.Source == Answer:
		if o.ArityAt.Source > f.ArityAt.Source {
			f.Arity, f.ArityAt = o.Arity, o.ArityAt
		}
	case f.Arity == None:
		if f.near(o) {
			f.Arity, f.ArityAt = Optional, o.ArityAt
			break
		}
		f.Arity, f.ArityAt = o.Arity, o.ArityAt
	case o.Arity == None && f.near(o):
		f.Arity = Optional
	case o.Arity == None:
	case o.ArityAt.Source > f.ArityAt.Source:
		f.Arity, f.ArityAt = o.Arity, o.ArityAt
	}
}

// bare is the bit of the source that shows the flag without a value.
func (f *Flag) bare() uint8 {
	if f.Arity != None {
		return 0
	}
	return 1 << f.ArityAt.Source
}

// valueOfScript reports whether a completion script is what gives the flag a value.
func (f *Flag) valueOfScript() bool {
	return (f.Arity == Required || f.Arity == Optional) && f.ArityAt.Source == Script
}

// near reports whether two rows of one text stand together: "--color" and
// "--color=WHEN" below it.
func (f *Flag) near(o *Flag) bool {
	apart := o.ArityAt.Line - f.ArityAt.Line
	return f.ArityAt.Source == o.ArityAt.Source && f.ArityAt.Line > 1 && apart >= -4 && apart <= 4 && apart != 0
}

func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// Merge joins what another text says of the same command into n.
func (n *Node) Merge(o *Node) {
	if o == nil {
		return
	}
	for _, f := range o.Flags {
		n.AddFlag(f)
	}
	if len(n.Args) == 0 || len(o.Args) > 0 && o.Args[0].At.Source > n.Args[0].At.Source && len(o.Args) >= len(n.Args) {
		n.Args = o.Args
	}
	for _, s := range o.Subs {
		have := n.Sub(s.Name)
		if have == nil {
			n.Subs = append(n.Subs, s)
			continue
		}
		have.Merge(s)
	}
	for _, a := range o.Aliases {
		if a != n.Name && !slices.Contains(n.Aliases, a) {
			n.Aliases = append(n.Aliases, a)
		}
	}
	n.Description = first(n.Description, o.Description)
	n.Hidden = n.Hidden || o.Hidden
	n.Deprecated = n.Deprecated || o.Deprecated
	n.SingleDashLong = n.SingleDashLong || o.SingleDashLong
	n.NumericFlags = n.NumericFlags || o.NumericFlags
	n.OptionsFirst = n.OptionsFirst || o.OptionsFirst
	n.Gaps = append(n.Gaps, o.Gaps...)
	if len(n.Examples) == 0 {
		n.Examples = o.Examples
	}
}

// Short reports whether a name is a dash and one character.
func Short(name string) bool {
	return len(name) > 1 && name[0] == '-' && name[1] != '-' && len([]rune(name)) == 2
}

// Long reports whether a name begins with two dashes.
func Long(name string) bool { return strings.HasPrefix(name, "--") && len(name) > 2 }
