package door

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tool-mapping-protocol/tmp/internal/agent/inventory"
	"github.com/tool-mapping-protocol/tmp/internal/session"
)

// Bounds of what a search shows.
const (
	maxFound = 8
	maxShort = 140 // characters of a description
)

// found is a tool in the answer of a search.
type found struct {
	ID          string `json:"id"`
	Description string `json:"description"`
	Level       string `json:"level"`
}

type searchAnswer struct {
	V       int     `json:"v"`
	Tools   []found `json:"tools"`
	Omitted int     `json:"omitted"`
}

// search finds the enabled tools and operations that words name, the best first
// (rank).
func search(list []inventory.Tool, query string, limit int) searchAnswer {
	if limit <= 0 || limit > maxFound {
		limit = maxFound
	}
	hits := rank(list, query)
	a := searchAnswer{V: 1, Tools: []found{}}
	for _, t := range hits[:min(limit, len(hits))] {
		a.Tools = append(a.Tools, found{t.Row.CanonicalID, firstSentence(t.Row.Description), t.Row.Level})
	}
	a.Omitted = len(hits) - len(a.Tools)
	return a
}

func firstSentence(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if end := strings.Index(s, ". "); end > 0 {
		s = s[:end+1]
	}
	if r := []rune(s); len(r) > maxShort {
		s = string(r[:maxShort-1]) + "…"
	}
	return s
}

// shownTool is one tool with all that a call needs.
type shownTool struct {
	found
	InputSchema json.RawMessage     `json:"input_schema,omitempty"`
	Parameters  []session.Parameter `json:"parameters,omitempty"`
	Call        string              `json:"call"`
}

// one shows a tool with its schema, or an operation with its parameters.
func (c *call) one(w *session.Session, id string) (*mcp.CallToolResult, error) {
	for _, t := range c.door.Inventory(w) {
		if t.Row.CanonicalID != id && t.Row.WireName != id && !slices.Contains(t.Row.Aliases, id) {
			continue
		}
		if !t.Row.Exposure.Enabled {
			return nil, hidden(t.Row.CanonicalID, t.Row.Exposure)
		}
		s := shownTool{found: found{t.Row.CanonicalID, t.Row.Description, t.Row.Level}}
		switch {
		case t.Server != "":
			s.InputSchema, s.Call = t.Definition.Shown().InputSchema, "tmp_call"
		case t.Subject.Operation:
			for _, op := range w.Operations() {
				if inventory.PublicID(op.ID) == t.Row.CanonicalID {
					s.Parameters, s.Call = w.Describe(&op).Parameters, "tmp_run"
				}
			}
		default:
			for _, o := range own() {
				if o.id == t.Row.CanonicalID {
					s.InputSchema, s.Call = json.RawMessage(o.schema), t.Row.WireName
				}
			}
		}
		return answer(struct {
			V    int       `json:"v"`
			Tool shownTool `json:"tool"`
		}{1, s})
	}
	return nil, fault(unknownTool, "no tool %q is known", id).Next("tmp_tools finds tools by words")
}
