// Package argv binds the words of one command to the map: which sub-command,
// which flags with which values, which positional arguments, and what may stand
// next. Tab, the judge and the runner all read a command through it, so that
// they cannot disagree about what its words mean.
package argv

import "github.com/tool-mapping-protocol/tmp/tcpdb"

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

// Bound is a command whose words are bound to the map.
type Bound struct {
	Words []string
	Chain []*tcpdb.Node // the tool's root and the sub-commands down to the one that acts
	Subs  []int         // for each of Chain the word that names it; the first is 0
	Flags []FlagUse
	Args  []ArgUse
	// Dash is the index of the "--" that ended the options, or -1.
	Dash int
	// Inner is the index of the word at which the command carried by a
	// wrapper begins, or -1. It may equal len(Words): the next word is it.
	Inner int
	// Pending is the flag that still wants its value after the last word, or nil.
	Pending *tcpdb.Flag
	// PendingNode is its index into Chain.
	PendingNode int
}

// Node is the command that acts: the last of the chain.
func (b *Bound) Node() *tcpdb.Node { return b.Chain[len(b.Chain)-1] }
