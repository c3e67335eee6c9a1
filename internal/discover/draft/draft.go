// Package draft holds what the texts of a tool say of it, before it becomes a
// map: commands, flags and arguments with the place that each fact was read
// from. It reads nothing itself.
package draft

import "slices"

// Source is where a fact comes from. A higher one is trusted more.
type Source uint8

// The sources in rising order of trust.
const (
	Unknown Source = iota
	Code           // the source of a script
	Usage          // a usage line or a synopsis
	Help           // help output
	Script         // a completion script of a shell
	Spec           // a spec for another completion engine
	Man            // a manual page
	Answer         // the tool's own machine-readable answer
)

func (s Source) String() string {
	return [...]string{"unknown", "code", "usage", "help", "script", "spec", "man", "answer"}[min(s, Answer)]
}

// Arity says whether a flag takes a value.
type Arity uint8

// Arities. Unsaid is a flag of which the text does not tell.
const (
	Unsaid Arity = iota
	None
	Required
	Optional
)

func (a Arity) String() string {
	return [...]string{"", "none", "required", "optional"}[min(a, Optional)]
}

// Place is where a fact was read: the source and its line, counted from 1.
type Place struct {
	Source Source
	Line   int
}

// Value is one word of a closed set.
type Value struct{ Text, Description string }

// Flag is an option with all its names.
type Flag struct {
	Names       []string // "-m", "--message", "-Xlinker"
	Arity       Arity
	ArityAt     Place  // what said so
	Bare        uint8  // which sources show it without a value, a bit for each
	Metavar     string // "FILE", "name=value"
	Kind        string // "file", "dir", "user", "host", "number", "size", "duration", "url"; "" if not known
	Values      []Value
	ValuesAt    Place
	Resolver    string // where valid values come from, "git:branches"
	List        string // what separates the items of a value that is a list
	Default     string
	Repeatable  bool
	Negated     bool // some of Names are "--no-x" of others
	Group       string
	Hidden      bool
	Deprecated  bool
	Description string
	Text        string  // the whole text that Description is the beginning of
	At          []Place // every place that names it
}

// Has reports whether the flag has a name.
func (f *Flag) Has(name string) bool { return slices.Contains(f.Names, name) }

// Arg is a positional argument.
type Arg struct {
	Name        string
	Kind        string
	Values      []Value
	Resolver    string
	List        string
	Also        []Choice // what is accepted in this place beside that
	Required    bool
	Repeatable  bool
	AfterDash   bool
	Description string
	At          Place
}

// Kinds of values that are more than a type.
const (
	FileKind    = "file"
	DirKind     = "dir"
	CommandKind = "command"
	NumberKind  = "number"
)

// Choice is one way in which a value may be given.
type Choice struct {
	Kind     string // "file", "dir", "command", "number" …
	Values   []Value
	Resolver string
	List     string
}

// Example is a line to type and what it is for.
type Example struct{ Line, Text string }

// Gap is something that a text does not tell, or that could not be read.
type Gap struct {
	Node string // the command's path, "git remote add"
	At   Place
	Text string // a clause, "no text describes this command"
}

// Node is a command.
type Node struct {
	Name           string
	Aliases        []string
	Description    string
	Hidden         bool
	Deprecated     bool
	SingleDashLong bool // "-name" is one option, not four letters
	NumericFlags   bool // "-5"
	OptionsFirst   bool // what follows the first argument is not read as an option
	Flags          []*Flag
	Args           []*Arg
	Subs           []*Node
	Examples       []Example
	Gaps           []Gap
	At             Place
}

// Flag returns the flag that has a name, nil if there is none.
func (n *Node) Flag(name string) *Flag {
	for _, f := range n.Flags {
		if f.Has(name) {
			return f
		}
	}
	return nil
}

// Sub returns the sub-command of a name or alias, nil if there is none.
func (n *Node) Sub(name string) *Node {
	for _, s := range n.Subs {
		if s.Name == name || slices.Contains(s.Aliases, name) {
			return s
		}
	}
	return nil
}

// AddSub returns the sub-command of a name, made if it is not there.
func (n *Node) AddSub(name string, at Place) *Node {
	if s := n.Sub(name); s != nil {
		return s
	}
	s := &Node{Name: name, At: at}
	n.Subs = append(n.Subs, s)
	return s
}
