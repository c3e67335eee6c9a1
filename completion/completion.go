// Package completion answers one Tab: from the words of a line to the slot at
// the cursor, from the slot to the candidates, ranked and each with its risk.
//
//	Request → target (which command, which word) → slot (what may stand there)
//	→ items (values that fit what is typed) → Candidates (judged and quoted)
package completion

import (
	"context"
	"os"
	"strings"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/shline"
	"github.com/tool-mapping-protocol/tmp/resolvers"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// DefaultLimit and MaxLimit bound how many candidates a shell is given: a menu
// of more helps nobody, and fish takes half a second to read 20 000 lines.
const (
	DefaultLimit = 200
	MaxLimit     = 1000
)

// defaultDeadline is how long the resolvers of one Tab may take together.
const defaultDeadline = 900 * time.Millisecond

// maxWords bounds the command that is completed: each candidate is judged with
// all of its words.
const maxWords = 20_000

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
	// Aliases are the shell's aliases, name to text.
	Aliases map[string]string
	// Vars are variables of the shell that the line may name; those of Getenv need not
	// be among them.
	Vars map[string]string
	// Limit caps the candidates; 0 means no cap, negative the default.
	Limit int
	// Armed says that the previous Tab stood at this very place and held a
	// risky only match back: this one may insert it.
	Armed bool
	// Explain asks for what no shell shows: Answer.Operation and Answer.Parameter,
	// and a damaged layer of the map in the message of a Tab that has candidates.
	Explain bool
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
	// Notice is one line that a person should read once, not with every Tab: a
	// layer of the map that is left out or older than its sources. It is "" where
	// Message says it.
	Notice   string
	Omitted  int    // candidates beyond the limit
	Resolver string // the resolver asked, or ""
	State    resolvers.State
	// Handled is false if the shell's own completion is to run: there is no map for
	// the command, or it does not say what stands here (handled.go has the rule).
	Handled bool
	// Mapped is true if there is a map for the command, though this Tab may be the
	// shell's.
	Mapped bool
	// Partial says that the candidates come from a draft that is known to lack
	// something here: a completion that the shell has of the command goes first.
	Partial bool
	// Inner is where in Line the command begins that the line's wrappers (sudo,
	// timeout …) run here, if that is what is not handled; else 0.
	Inner int
	// Draft says that what completes the command is a draft, which nobody has
	// verified.
	Draft bool
	// Tool is the word of the command that the cursor's word belongs to, where no
	// person has mapped it: there is no map for it, or a draft.
	Tool string
	// Replace is the part of Line that Insert stands in place of; with Words,
	// the part of the last word. Its End lies beyond the cursor when the
	// candidates hold the text that is right of it.
	Replace tcpdb.Span
	// Match is how the candidates fit what is typed; with anything looser than
	// Prefix a shell must not insert their common prefix.
	Match resolvers.Match
	// Common is what all matches begin with, those beyond the limit too, where
	// the list is cut and that is more than what is typed; CommonInsert is the
	// same, quoted for the shell.
	Common, CommonInsert string
	// Hold says that what a shell would insert on its own, the only match or
	// the common prefix, is risky: this Tab shows it, the next one inserts it.
	Hold bool
}

// Engine answers Tabs from a map. The zero value of every field but Map is
// ready for use. An Engine keeps no state between calls.
type Engine struct {
	Map *tcpdb.View
	// Resolvers find the values that are valid in a place; resolvers/all has them
	// all. Without any a slot has the values that the map itself lists.
	Resolvers resolvers.Table
	// Trusted reports whether a command word stands for the program of that
	// name; nil trusts plain names.
	Trusted func(word string) bool
	// Installed reports whether a program is on PATH; nil: none is.
	Installed func(name string) bool
	// Proven reports whether evidence was found for the draft of a tool; nil: for
	// none.
	Proven func(tool string) bool
	// Phrases are what the project of a directory can be asked to do, in words, each
	// with the line that it stands for; nil: none is known.
	Phrases func(dir string) []resolvers.Value
	// CacheDir is where slow resolvers keep answers; "" means nowhere.
	CacheDir string
	// Again has a resolver's answer looked for in the background, for the next Tab;
	// see resolvers.Request. nil: nothing is.
	Again func(resolvers.Request) error
	// Recent returns how a word ranks by its uses in a directory as a word of a
	// command, or as a value of its flag, which may be nil; 0 is never. nil, and a
	// nil answer, mean that nothing is known.
	Recent func(dir string, command *tcpdb.Node, flag *tcpdb.Flag) func(word string) int
	// Deadline bounds the resolvers of one Tab; 0 is 900 ms.
	Deadline time.Duration
}

// maxLine bounds the line that is looked at, in bytes: to read a longer one
// takes as long as a person notices.
const maxLine = 256 << 10

// Complete answers one Tab. It never fails: what went wrong is in the
// answer's Message, and never among its candidates.
func (e *Engine) Complete(ctx context.Context, r Request) Answer {
	if r.Getenv == nil {
		r.Getenv = os.Getenv
	}
	if r.Limit < 0 {
		r.Limit = DefaultLimit
	}
	d := e.Deadline
	if d == 0 {
		d = defaultDeadline
	}
	ctx, cancel := context.WithTimeout(ctx, d)
	defer cancel()

	if len(r.Line) > maxLine {
		return Answer{State: resolvers.Fresh} // the shell's own completion runs
	}
	return e.answer(ctx, r, carrier{})
}

// answer completes a line, which may stand inside a word of another.
func (e *Engine) answer(ctx context.Context, r Request, c carrier) Answer {
	t := e.target(r, c)
	mapped := t.place != unmapped
	a := Answer{State: resolvers.Fresh, Handled: mapped, Mapped: mapped, Replace: t.replace()}
	if t.place == unmapped {
		if in, ok := e.carried(t, slot{}); ok && c.depth < maxCarried {
			return e.within(ctx, r, t, in, c)
		}
		a.Inner, a.Tool = t.inner, t.tool
		return a
	}
	if len(t.outer)+len(t.after) > maxWords {
		a.Message = "too many words to complete the command"
		return a
	}
	a.Draft = t.bound != nil && t.bound.Node().Bits&tcpdb.DraftNode != 0 && !e.proven(t.bound.Node())
	if a.Draft {
		a.Tool = t.tool
	}
	s := e.slot(t)
	if w, ok := e.sqlAt(t); ok {
		return e.statement(ctx, r, t, s, w)
	}
	if in, ok := e.carried(t, s); ok && c.depth < maxCarried {
		return e.within(ctx, r, t, in, c)
	}
	g := gatherer{engine: e, ctx: ctx, target: t, slot: s, limit: r.Limit, answer: &a}
	others := r.Shell != "" && c.depth == 0
	if others && s.guessed && !t.elsewhere {
		return a.unhandled(t)
	}
	items := g.gather()
	if others && len(items) == 0 && !g.settles() {
		return a.unhandled(t)
	}
	a.Partial = a.Draft && t.bound.Node().Bits&tcpdb.Gap != 0
	if r.Limit > 0 && len(items)+a.Omitted > r.Limit && a.Match == resolvers.Prefix && t.suffix == "" {
		a.Common = g.common(items)
	}
	items, covers := t.fitSuffix(items)
	if covers {
		a.Replace.End += len(t.suffix)
	}
	e.recall(t, s, items)
	items = rank(items, s.prefix+s.text)
	endInSight(items)
	// What raises the risk comes last, also where the list is cut: judge first,
	// unless there are too many to judge them all.
	if r.Limit > 0 && len(items) > max(r.Limit, MaxLimit) {
		a.Omitted += len(items) - r.Limit
		items = items[:r.Limit]
	}
	a.Candidates = e.judge(t, items)
	riskyLast(a.Candidates, items, t.cursor.Text)
	if r.Limit > 0 && len(items) > r.Limit {
		a.Omitted += len(items) - r.Limit
		items, a.Candidates = items[:r.Limit], a.Candidates[:r.Limit]
	}
	t.insertions(a.Candidates, items, covers)
	if a.Common != "" {
		a.CommonInsert = shline.Quote(t.dialect, a.Common, t.cursor, true)
	}
	a.Hold = !r.Armed && holds(a.Candidates, t.cursor.Text, a.Match)
	if r.Explain {
		a.Operation, a.Parameter = e.operation(t, s)
	}
	// As the message of each Tab it would be in the way of the list.
	a.Notice = Clean(e.problem())
	if a.Message == "" && (r.Explain || len(a.Candidates) == 0) {
		a.Message, a.Notice = a.Notice, ""
	}
	a.Message = Clean(a.Message)
	return a
}

// problem names the first layer of the map that could not be read, or "".
func (e *Engine) problem() string {
	ps := e.Map.Problems()
	if len(ps) == 0 {
		return ""
	}
	text := ps[0].Err.Error()
	if !strings.Contains(text, ps[0].File) {
		text = ps[0].File + ": " + text
	}
	return text
}

// proven reports whether evidence was found for the draft that a command is of.
func (e *Engine) proven(n *tcpdb.Node) bool {
	tool, _, _ := strings.Cut(n.Path, " ")
	return e.Proven != nil && e.Proven(tool)
}
