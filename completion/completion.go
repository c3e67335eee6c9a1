// Package completion answers one Tab: from the words of a line to the slot at
// the cursor, from the slot to the candidates, ranked and each with its risk.
package completion

import (
	"github.com/tool-mapping-protocol/tmp/resolvers"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Request is one Tab.
type Request struct {
	// Shell is the asking shell: "bash", "zsh", "fish", or "" for none; it
	// decides how the line is read and how insertions are quoted.
	Shell string
	// Line and Point are the line and the cursor in bytes; Point past the end
	// clamps, inside a rune rounds down. Used when Words is nil.
	Line  string
	Point int
	// Words are the words already split, the last one being completed.
	Words []string
	// Dir is the working directory; it need not exist.
	Dir string
	// Getenv reads the environment; nil means os.Getenv.
	Getenv func(string) string
	// Aliases are the shell's aliases, name to text; Functions the names of its functions.
	Aliases   map[string]string
	Functions map[string]bool
	// Limit caps the candidates; 0 means no cap, negative the default of 200.
	Limit int
	// Armed says that the previous Tab stood at this very place and held a
	// risky only match back: this one may insert it.
	Armed bool
}

// Candidate is one thing that may stand at the cursor.
type Candidate struct {
	Value       string      // what the tool receives
	Insert      string      // what replaces the word, quoted for the shell
	Display     string      // what a list shows, without control characters
	Description string      // one line, without control characters; may be ""
	Kind        string      // "subcommand", "flag", "branch", "file" …
	Level       tcpdb.Level // of the line with the candidate in place
	Flags       tcpdb.Flags
	Raises      bool // the candidate raises the line to HIGH or above
	NoSpace     bool // nothing follows: the value goes on
}

// Answer is the result of one Tab.
type Answer struct {
	Operation  string // ID of the operation being typed, or ""
	Parameter  string // its parameter in this slot, or ""
	Candidates []Candidate
	Message    string // one line for a person, or ""
	Omitted    int    // candidates beyond the limit
	Resolver   string // the resolver asked, or ""
	State      resolvers.State
	// Handled is false if there is no map for the command: the shell's own
	// completion is to run.
	Handled bool
	// Replace is the part of Line that Insert stands in place of.
	Replace tcpdb.Span
	// Match is how the candidates fit what is typed; with anything looser than
	// Prefix a shell must not insert their common prefix.
	Match resolvers.Match
	// Hold says that the only match is risky and not to be inserted by this Tab.
	Hold bool
}
