package session

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/internal/surface"
	"github.com/tool-mapping-protocol/tmp/internal/workflow"
)

// CheckedQuery is what a template of SQL was found to be.
type CheckedQuery struct {
	Operation string `json:"operation"`
	// Effect and Level are what the map says, or what the statement says where it does not.
	Effect string `json:"effect"`
	Level  string `json:"level"`
	// Checked says that its database has prepared it; Why says why not.
	Checked bool            `json:"checked"`
	Why     string          `json:"why,omitempty"`
	Error   string          `json:"error,omitempty"`    // what is wrong with it
	Facts   json.RawMessage `json:"evidence,omitempty"` // what the database says that it does
	// Lies says that the map says of it that it reads, and that it can do more.
	Lies  bool `json:"lies,omitempty"`
	lines []string
}

// Lines say the same to a person.
func (c *CheckedQuery) Lines() []string {
	out := []string{c.Effect + ", " + c.Level}
	out = append(out, c.lines...)
	switch {
	case c.Error != "":
		out = append(out, "wrong: "+c.Error)
	case !c.Checked:
		out = append(out, "not prepared: "+c.Why)
	}
	return out
}

// Text is what was found, in a line.
func (c *CheckedQuery) Text() string {
	if c.Error != "" {
		return c.Error
	}
	if !c.Checked {
		return c.Why
	}
	return strings.Join(c.lines, "; ")
}

// CheckQuery asks the database of a template what it does, by preparing it. Nothing is
// run. Without a database its words have to do.
func (s *Session) CheckQuery(ctx context.Context, src *opmap.Source, own *opmap.Operation) CheckedQuery {
	c := s.askQuery(ctx, src, own)
	if !c.Checked && c.Error == "" {
		c.belie(own)
	}
	return c
}

// CheckWords is CheckQuery by the words alone: no database is asked; why says why not.
func CheckWords(src *opmap.Source, own *opmap.Operation, why string) CheckedQuery {
	op := src.Compiled(own)
	c := CheckedQuery{Operation: op.ID, Effect: op.Effect, Level: op.Risk.String(), Why: why}
	c.belie(own)
	return c
}

// belie notes what the words of a template say that it does, if its effect says that it
// only reads.
func (c *CheckedQuery) belie(own *opmap.Operation) {
	if what := own.Belied(); what != "" {
		c.Error, c.Why, c.Lies = own.ID+" says that it reads and can do more: "+what, "", true
	}
}

func (s *Session) askQuery(ctx context.Context, src *opmap.Source, own *opmap.Operation) CheckedQuery {
	op := src.Compiled(own)
	c := CheckedQuery{Operation: op.ID, Effect: op.Effect, Level: op.Risk.String()}
	p, err := s.planCall(&op, map[string]string{}, workflow.Detail{Record: src.Record(own)})
	if err != nil {
		c.Why = err.Error()
		return c
	}
	r, err := s.askCall(ctx, p, surface.Check)
	switch {
	case err != nil:
		c.Why = err.Error()
		return c
	case r.Status != 0 && !r.Started:
		// The database was not reached: that says nothing of the template.
		c.Why, c.lines = r.Message, r.Lines
		if r.Code == "refused" && len(r.Facts) > 0 {
			c.Error, c.Why, c.Lies = r.Message, "", true
		}
	case r.Status != 0:
		c.Error = r.Message
	default:
		c.Checked = true
	}
	c.Facts, c.lines = r.Facts, r.Lines
	c.Error = strings.TrimSpace(c.Error)
	return c
}
