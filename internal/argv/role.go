package argv

import (
	"path"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Use is an option or a value of the command to which the map gives a role.
type Use struct {
	Role tcpdb.Role
	Flag *FlagUse // nil for an argument
	Arg  *tcpdb.Arg
	// Value is the option's or argument's, Word the word that holds it; -1 for an
	// option that has none.
	Value string
	Word  int
}

// Uses returns what has the role of that name, whatever its operand, in the
// order of flags, then arguments. A flag that is negated has none.
func (b *Bound) Uses(name tcpdb.Role) []Use {
	var uses []Use
	for u := range b.EachRole {
		if u.Role.Is(name) {
			uses = append(uses, u)
		}
	}
	return uses
}

// HasRole reports whether something given has the role of that name.
func (b *Bound) HasRole(name tcpdb.Role) bool {
	for u := range b.EachRole {
		if u.Role.Is(name) {
			return true
		}
	}
	return false
}

// EachRole yields everything given that has a role, in the order of Uses. The first
// word of a command that a wrapper carries has the role of the wrapper's first
// argument, as has a word that begins with "+" and is no option of the map's.
func (b *Bound) EachRole(yield func(Use) bool) {
	for i := range b.Flags {
		u := &b.Flags[i]
		if u.Flag == nil && u.Name[0] == '+' && len(b.Node().Args) > 0 {
			if a := &b.Node().Args[0]; a.Role != "" && b.roleHolds(a.RoleWith) && !yield(Use{Role: a.Role, Arg: a, Value: b.Words[u.Word], Word: u.Word}) {
				return
			}
			continue
		}
		if u.Flag == nil || u.Negated || u.Flag.Role == "" || !b.roleHolds(u.Flag.RoleWith) {
			continue
		}
		if !yield(Use{Role: u.Flag.Role, Flag: u, Value: u.Value, Word: u.ValueWord}) {
			return
		}
	}
	if !slices.ContainsFunc(b.Node().Args, func(a tcpdb.Arg) bool { return a.Role != "" }) {
		return
	}
	if len(b.Args) == 0 && len(b.Inner) > 0 && b.Inner[0].Start < len(b.Words) {
		if a := &b.Node().Args[0]; a.Role != "" && b.roleHolds(a.RoleWith) {
			yield(Use{Role: a.Role, Arg: a, Value: b.Words[b.Inner[0].Start], Word: b.Inner[0].Start})
		}
		return
	}
	var room [8]*tcpdb.Arg
	for i, a := range b.placed(room[:0]) {
		if a == nil || a.Role == "" || !b.roleHolds(a.RoleWith) {
			continue
		}
		if !yield(Use{Role: a.Role, Arg: a, Value: b.Args[i].Text, Word: b.Args[i].Word}) {
			return
		}
	}
}

// roleHolds reports whether one of the flags is given with which a role holds, and
// none of those without which, "!l".
func (b *Bound) roleHolds(with []string) bool {
	holds, asked := false, false
	for _, id := range with {
		if without, not := strings.CutPrefix(id, "!"); not {
			if b.Has(without) {
				return false
			}
			continue
		}
		asked, holds = true, holds || b.Has(id)
	}
	return holds || !asked
}

// Placed returns for each of Args the argument that it is in the whole command,
// nil where the command takes none. Other than ArgFor, which asks while a line is
// being typed, it gives the last words to the arguments behind one that is
// repeatable: the target of cp SOURCE... TARGET.
func (b *Bound) Placed() []*tcpdb.Arg {
	return b.placed(make([]*tcpdb.Arg, 0, len(b.Args)))
}

// placed is Placed in out, which is empty, if they fit.
func (b *Bound) placed(out []*tcpdb.Arg) []*tcpdb.Arg {
	var room [8]*tcpdb.Arg
	args := b.arguments(room[:0])
	for range b.Args {
		out = append(out, nil)
	}
	separate := slices.ContainsFunc(args, func(a *tcpdb.Arg) bool { return a.AfterDash })
	if !separate {
		place(out, args)
		return out
	}
	// Before and behind "--" are two lists.
	first := slices.IndexFunc(b.Args, func(a ArgUse) bool { return a.AfterDash })
	if first < 0 {
		first = len(b.Args)
	}
	var before, behind []*tcpdb.Arg
	for _, a := range args {
		if a.AfterDash {
			behind = append(behind, a)
		} else {
			before = append(before, a)
		}
	}
	place(out[:first], before)
	place(out[first:], behind)
	return out
}

// place fills out, one for each word, with the arguments that the words are.
func place(out, args []*tcpdb.Arg) {
	many := slices.IndexFunc(args, func(a *tcpdb.Arg) bool { return a.Repeatable })
	if many < 0 {
		copy(out, args)
		return
	}
	tail := len(args) - 1 - many
	for i := range out {
		switch left := len(out) - i; {
		case i < many:
			out[i] = args[i]
		case left <= tail && i > many:
			out[i] = args[len(args)-left]
		default:
			out[i] = args[many]
		}
	}
}

// Is reports whether the command is of a class; a sub-command without classes is
// of its parent's.
func (b *Bound) Is(class string) bool {
	for c := len(b.Chain) - 1; c >= 0; c-- {
		if len(b.Chain[c].Class) > 0 {
			return b.Chain[c].HasClass(class)
		}
	}
	return false
}

// Chdir returns the directory that the command works in when it is run in dir:
// what the options for that make of it (git -C, make -C, npm --prefix).
func (b *Bound) Chdir(dir string) string {
	parts := []string{dir}
	for u := range b.EachRole {
		if !u.Role.Is(tcpdb.ChdirRole) || u.Word < 0 || u.Value == "" {
			continue
		}
		if path.IsAbs(u.Value) {
			parts = parts[:0]
		}
		parts = append(parts, u.Value)
	}
	if len(parts) == 1 && parts[0] == dir {
		return dir
	}
	// Joined once: a line can hold the option a hundred thousand times.
	return path.Join(parts...)
}
