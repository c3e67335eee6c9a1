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

// search finds the enabled tools and operations that words name, the best first:
// words of the ID count more than those of the description, and a tool that has
// all words comes before one that lacks some.
func search(list []inventory.Tool, query string, limit int) searchAnswer {
	if limit <= 0 || limit > maxFound {
		limit = maxFound
	}
	words := terms(query)
	type scored struct {
		tool  *inventory.Tool
		score int
	}
	var hits []scored
	for i := range list {
		t := &list[i]
		if !t.Row.Exposure.Enabled || strings.HasPrefix(t.Row.CanonicalID, "tmp.") || len(words) == 0 {
			continue
		}
		if n := score(t, words); n > 0 {
			hits = append(hits, scored{t, n})
		}
	}
	slices.SortStableFunc(hits, func(a, b scored) int { return b.score - a.score })
	a := searchAnswer{V: 1, Tools: []found{}}
	for _, h := range hits[:min(limit, len(hits))] {
		a.Tools = append(a.Tools, found{h.tool.Row.CanonicalID, firstSentence(h.tool.Row.Description), h.tool.Row.Level})
	}
	a.Omitted = len(hits) - len(a.Tools)
	return a
}

// score rates a tool for words; 0 is no hit. A hit holds at least half of them.
func score(t *inventory.Tool, words []string) int {
	id, text := terms(t.Row.CanonicalID), terms(t.Row.Description)
	n, matched := 0, 0
	for _, w := range words {
		switch {
		case slices.Contains(id, w):
			n += 6
		case slices.ContainsFunc(id, func(s string) bool { return like(s, w) }):
			n += 4
		case slices.Contains(text, w):
			n += 3
		case slices.ContainsFunc(text, func(s string) bool { return like(s, w) }):
			n += 2
		default:
			continue
		}
		matched++
	}
	if matched*2 < len(words) || matched == 0 {
		return 0
	}
	if matched == len(words) {
		n += 10
	}
	return n*16 - min(len(id), 15) // of equals the shorter name
}

// like reports whether two words are forms of one: one begins with the other.
func like(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	return len(a) >= 4 && strings.HasPrefix(b, a)
}

// fillers are words of a request that name nothing.
var fillers = []string{"a", "an", "the", "of", "in", "on", "for", "to", "with", "by", "from", "and", "or", "all", "my", "me", "please", "is", "that", "this", "it", "some", "mcp"}

// terms are the words of a text or of an ID, in lower case, plurals folded.
func terms(text string) []string {
	var out []string
	var b strings.Builder
	flush := func() {
		w := strings.ToLower(b.String())
		b.Reset()
		if len(w) > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") {
			w = w[:len(w)-1]
		}
		if w != "" && !slices.Contains(fillers, w) && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	lower := false
	for _, r := range text {
		letter := r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r >= 0x80
		upper := r >= 'A' && r <= 'Z'
		if !letter && !upper || upper && lower {
			flush()
		}
		if letter || upper {
			b.WriteRune(r)
		}
		lower = letter
	}
	flush()
	return out
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
