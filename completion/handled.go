package completion

import (
	"slices"

	"github.com/tool-mapping-protocol/tmp/resolvers"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// This file says when an answer stands and when the shell's own completion is
// to run. It is one rule: a map may say more than the shell did alone, or say
// with reason that there is nothing; it never takes away what the shell has.
//
//	what the map has of the place          candidates           none
//	no command, or one that is there only
//	because a risk entry names it          –                    the shell's
//	a command whose arguments it does
//	not know, or a word it cannot place    the shell's ¹        the shell's
//	a draft that has a gap there           ours, marked Partial the shell's
//	any other draft                        ours                 the shell's
//	names that people wrote down: another
//	version, a plug-in may have more       ours                 the shell's
//	files, free text                       ours                 the shell's
//	what is given already, and only once   –                    ours: it is not offered again
//	a value of a type: a number, a time    –                    ours: nothing to choose from
//	a resolver that answered               ours                 ours: there is nothing
//	a resolver that failed                 ours                 ours: its message
//	in a container, on another machine     ours                 ours: what is here is not there
//
// ¹ ours, files, where no shell asks.
//
// A draft counts as one until evidence is found for it. With Partial a shell
// takes its own completion of the command, if it has one, and ours if not. Where
// no shell asks, or only for a line inside a word, nobody else would answer: then
// what there is a map for is handled.

// unhandled is the answer that leaves this Tab to the shell.
func (a Answer) unhandled(t *target) Answer {
	return Answer{State: a.State, Message: Clean(a.Message), Mapped: true, Draft: a.Draft, Tool: a.Tool, Inner: t.inner, Resolver: a.Resolver, Replace: a.Replace}
}

// settles reports whether an answer without candidates stands: people have said
// what may stand there, and it was looked up, or is nothing that can be listed.
func (g *gatherer) settles() bool {
	t, s, a := g.target, &g.slot, g.answer
	switch {
	case t.elsewhere:
		return true
	case t.place != argument, s.guessed, g.blind, a.Draft, shellsOwn(t.bound.Chain[0]):
		return false
	case a.State != resolvers.Fresh, g.withheld:
		return true
	}
	for i := range s.specs {
		if tells(&s.specs[i]) {
			return true
		}
	}
	return false
}

// tells reports whether a spec has all values that there are, or says that they
// cannot be listed. A shell has more ways to write the name of a file.
func tells(s *tcpdb.ValueSpec) bool {
	switch s.Kind {
	case tcpdb.ResolverSpec:
		return !pathResolver(s.Name)
	case tcpdb.TypeSpec:
		return true
	}
	return false
}

// shellsOwn reports whether a command's arguments may be what only the shell has:
// its variables, functions and aliases.
func shellsOwn(root *tcpdb.Node) bool {
	builtin := root.HasClass(tcpdb.ShellBuiltinClass)
	return slices.ContainsFunc(root.Args, func(a tcpdb.Arg) bool {
		return a.Spec.Kind == tcpdb.ResolverSpec && (a.Spec.Name == "env" && builtin || a.Spec.Name == "executables")
	})
}
