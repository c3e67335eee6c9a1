// Package resolvers finds the values that are valid in a place here and now:
// the branches of this repository, the binaries of this crate, the scripts of
// this package. A resolver only reads. It never runs code that the project
// controls (hooks, filters, fsmonitor, build scripts), so a Tab in a stranger's
// checkout is safe; the few that must ask a tool run it outside the working
// tree with a reduced environment.
package resolvers

import (
	"context"
	"strings"
)

// Value is one valid value. Value is raw bytes as the tool takes them, never
// quoted or cleaned: that is the caller's work.
type Value struct {
	Value       string
	Description string
	// Kind is a word for the list: "branch", "tag", "file", "directory", "script" …
	Kind string
	// Weight orders before the alphabet: higher first, 0 for no opinion
	// (recent branches have positive ones, the most recent the highest).
	Weight int
	// Partial: the value is a prefix to be continued ("src/"), so no blank follows.
	Partial bool
}

// Match is how a typed text selects values, from strict to loose.
type Match uint8

const (
	Prefix      Match = iota // the value begins with the text
	SmartCase                // the same, letters of the text in lower case match either case
	Substring                // the text is in the value, smart case
	Subsequence              // the letters of the text are in the value in order, smart case
)

// Filter selects values by what is typed.
type Filter struct {
	Text string
	Mode Match
}

// Keep reports whether the value passes.
func (f Filter) Keep(value string) bool {
	if f.Text == "" {
		return true
	}
	switch f.Mode {
	case Prefix:
		return strings.HasPrefix(value, f.Text)
	case SmartCase:
		return len(value) >= len(f.Text) && equalSmart(value[:len(f.Text)], f.Text)
	case Substring:
		for i := 0; i+len(f.Text) <= len(value); i++ {
			if equalSmart(value[i:i+len(f.Text)], f.Text) {
				return true
			}
		}
		return false
	default:
		i := 0
		for j := 0; j < len(value) && i < len(f.Text); j++ {
			if equalSmart(value[j:j+1], f.Text[i:i+1]) {
				i++
			}
		}
		return i == len(f.Text)
	}
}

// equalSmart compares texts of one length: a lower-case ASCII letter of typed
// matches both cases, an upper-case one only itself.
func equalSmart(value, typed string) bool {
	for i := 0; i < len(typed); i++ {
		v, t := value[i], typed[i]
		if v != t && !(t >= 'a' && t <= 'z' && v == t-'a'+'A') {
			return false
		}
	}
	return true
}

// Request asks a resolver for values.
type Request struct {
	// Name is the resolver's, "git:branches".
	Name string
	// Dir is the absolute working directory. Options that lead elsewhere (git -C,
	// make -C, cargo --manifest-path) the resolver finds in Words itself.
	Dir string
	// Getenv reads the environment; nil means os.Getenv.
	Getenv func(string) string
	// Filter narrows the values. A resolver over many values applies it before
	// it builds them and may return only what passes; others may ignore it.
	Filter Filter
	// Words are the words of the command before the place, the tool's name
	// first, for resolvers whose values depend on them (make -f x, npm -w x).
	Words []string
	// Limit is how many values are wanted, 0 for all. Omitted counts the rest.
	Limit int
	// CacheDir is where slow resolvers keep answers; "" means no cache.
	CacheDir string
	// Own returns what the map that is in use holds of the kind that the name
	// says ("tmp:operations"); nil where no map is at hand.
	Own func(Request) []Value
	// Wait says that a person did not just press a key: what a Tab would leave to
	// the background, a database's answer, is waited for, up to the deadline.
	Wait bool
	// Again starts the same question in the background and returns at once; see
	// Table.LookAgain. With it a resolver that takes long may give an earlier answer as
	// stale; nil: it answers anew.
	Again func(Request) error
}

// State is how current an answer is.
type State string

const (
	Fresh   State = "fresh"
	Stale   State = "stale"
	Timeout State = "timeout"
	Failed  State = "failed"
)

// Answer is what a resolver found. An empty answer with State Fresh means that
// there are no values here; a failure is never an empty success.
type Answer struct {
	Values  []Value
	Omitted int // further values that pass the filter
	State   State
	// Message is one line for a person, for states other than Fresh and for
	// answers that need a word ("not in a git repository").
	Message string
}

// Func is one resolver. It returns by the context's deadline.
type Func func(ctx context.Context, r Request) Answer
