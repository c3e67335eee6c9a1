package session

import (
	"strings"
	"time"

	"github.com/tool-mapping-protocol/tmp/completion"
	"github.com/tool-mapping-protocol/tmp/internal/discover/drafts"
	"github.com/tool-mapping-protocol/tmp/internal/discover/machine"
	"github.com/tool-mapping-protocol/tmp/internal/recent"
	"github.com/tool-mapping-protocol/tmp/internal/risk/facts"
	"github.com/tool-mapping-protocol/tmp/resolvers"
	"github.com/tool-mapping-protocol/tmp/resolvers/all"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Engine completes lines of the caller's directory. Programs are those that a
// shell would start.
func (s *Session) Engine() *completion.Engine {
	ground := facts.Place{Paths: s.Paths, Dir: s.Dir, Getenv: s.Getenv}
	return &completion.Engine{
		Map: s.View, Resolvers: all.Table(), CacheDir: s.Paths.Resolvers(), Recent: recent.Ranker(s.Paths.Recent(), time.Now),
		Phrases: s.phrases,
		Trusted: ground.Trusted, Installed: ground.Installed, Proven: s.proven,
	}
}

// phrases are what the project can be asked to do, with the line of each.
func (s *Session) phrases(string) []resolvers.Value {
	p := s.Profile()
	if p == nil {
		return nil
	}
	var out []resolvers.Value
	for _, ph := range p.Phrases() {
		out = append(out, resolvers.Value{Value: ph.Words, Description: resolvers.OneLine(ph.Line, 80), Kind: "phrase"})
	}
	return out
}

// proven reports whether this machine has found the draft of a tool to be right.
func (s *Session) proven(tool string) bool {
	dir := drafts.Dir(s.Paths.Drafts())
	if dir == "" || tool == "" || strings.ContainsRune(tool, '/') {
		return false
	}
	src, err := dir.Read(tool)
	return err == nil && len(machine.Evidence(s.Paths, s.Getenv, "").Missing(src, nil)) == 0
}

// Completion is the answer of tmp complete.
type Completion struct {
	V          int                 `json:"v"`
	Operation  *string             `json:"operation"`
	Parameter  *string             `json:"parameter"`
	Values     []string            `json:"values"`
	Candidates []Candidate         `json:"candidates"`
	Message    string              `json:"message"`
	Omitted    int                 `json:"omitted"`
	Resolver   *CompletionResolver `json:"resolver"` // null if none was asked
	Handled    bool                `json:"handled"`
	Draft      bool                `json:"draft"`   // the map is a draft: nobody has verified it
	Partial    bool                `json:"partial"` // a draft that is known to lack something here
	Hold       bool                `json:"hold"`    // what would be inserted is risky: show it first
	Replace    tcpdb.Span          `json:"replace"` // bytes of the line, or of the last word
}

// Candidate is a candidate of a Completion.
type Candidate struct {
	Value       string   `json:"value"`
	Insert      string   `json:"insert"`
	Display     string   `json:"display"`
	Description string   `json:"description"`
	Kind        string   `json:"kind"`
	Level       string   `json:"level"`
	Flags       []string `json:"flags"`
	Raises      bool     `json:"raises"`
	NoSpace     bool     `json:"nospace"`
}

// CompletionResolver is the resolver that was asked for a Completion.
type CompletionResolver struct {
	Name  string          `json:"name"`
	State resolvers.State `json:"state"`
}

// NewCompletion is the answer of the engine as JSON.
func NewCompletion(a completion.Answer) Completion {
	out := Completion{
		V: 1, Values: []string{}, Candidates: []Candidate{}, Message: a.Message, Omitted: a.Omitted,
		Handled: a.Handled, Draft: a.Draft, Partial: a.Partial, Hold: a.Hold, Replace: a.Replace,
	}
	if a.Operation != "" {
		out.Operation = &a.Operation
	}
	if a.Parameter != "" {
		out.Parameter = &a.Parameter
	}
	if a.Resolver != "" {
		out.Resolver = &CompletionResolver{a.Resolver, a.State}
	}
	for _, c := range a.Candidates {
		out.Values = append(out.Values, c.Value)
		out.Candidates = append(out.Candidates, Candidate{
			c.Value, c.Insert, c.Display, c.Description, c.Kind, c.Level.String(), c.Flags.Names(), c.Raises, c.NoSpace,
		})
	}
	return out
}
