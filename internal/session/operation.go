package session

import (
	"encoding/json"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/surface"
	"github.com/tool-mapping-protocol/tmp/internal/workflow"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Operation is an operation as JSON: the seed's record, and what this machine
// knows of it.
type Operation struct {
	ID           string            `json:"id"`
	Surface      string            `json:"surface"`
	Tool         string            `json:"tool"`
	Description  string            `json:"description,omitempty"`
	Intent       []string          `json:"intent"`
	Template     string            `json:"template"`
	Parameters   []Parameter       `json:"parameters"`
	Effect       string            `json:"effect"`
	Risk         string            `json:"risk"`
	Approval     string            `json:"approval,omitempty"`
	When         []string          `json:"when,omitempty"`
	Manager      []string          `json:"manager,omitempty"`
	Values       []string          `json:"values,omitempty"` // RESOLVER=VALUE
	OutputPolicy map[string]string `json:"output_policy"`
	Verified     bool              `json:"verified"`
	Standing     string            `json:"standing"`
	Evidence     []string          `json:"evidence"`
	Layer        string            `json:"layer"`
	Applies      bool              `json:"applies"`
	Lacks        string            `json:"lacks,omitempty"` // what keeps it from applying here
	Sources      []workflow.Source `json:"sources,omitempty"`
	Stale        string            `json:"stale,omitempty"` // which source has changed
	// What an operation that is no command sends, by its surface.
	API json.RawMessage `json:"api,omitempty"`
	SQL json.RawMessage `json:"sql,omitempty"`
}

// Parameter is a parameter of an Operation.
type Parameter struct {
	Name        string `json:"name"`
	Type        string `json:"type,omitempty"`
	Required    bool   `json:"required"`
	Resolver    string `json:"resolver,omitempty"`
	Match       string `json:"match,omitempty"`
	Default     string `json:"default,omitempty"`
	Description string `json:"description,omitempty"`
	// What values are held against, as in JSON Schema.
	Enum    []string    `json:"enum,omitempty"`
	Format  string      `json:"format,omitempty"`
	Minimum json.Number `json:"minimum,omitempty"`
	Maximum json.Number `json:"maximum,omitempty"`
}

// Describe is what is known of an operation here.
func (s *Session) Describe(op *tcpdb.Operation) Operation {
	o := Operation{
		ID: op.ID, Surface: op.Surface, Tool: op.Tool, Description: op.Description,
		Intent: append([]string{}, op.Intents...), Template: strings.Join(op.Template, " "),
		Parameters: []Parameter{}, Effect: op.Effect, Risk: s.LeastLevel(op).String(), Approval: op.Approval,
		When: op.When, Manager: op.Managers, Values: op.Values,
		OutputPolicy: map[string]string{"mode": op.OutputMode, "raw_retention": op.Retention},
		Verified:     op.Standing.Verified(), Standing: op.Standing.String(), Evidence: append([]string{}, op.Evidence...),
		Layer: op.Layer.String(),
	}
	_, o.Lacks = s.Here().Lacks(op)
	o.Applies = o.Lacks == ""
	if op.Layer >= tcpdb.UserLayer || surface.Is(op.Surface) {
		d, _ := workflow.Parse(s.View.Detail(op.ID))
		switch op.Surface {
		case surface.API:
			o.API = d.Record
		case surface.SQL:
			o.SQL = d.Record
		}
		o.Sources, o.Stale = d.Sources, s.Staleness(op)
	}
	for _, p := range op.Params {
		t := tcpdb.TypeOf(p.Type)
		q := Parameter{
			Name: p.Name, Type: t.Name, Required: p.Required, Resolver: p.Resolver, Default: p.Default, Description: p.Description,
			Enum: t.Enum, Format: t.Format, Minimum: json.Number(t.Minimum), Maximum: json.Number(t.Maximum),
		}
		if strings.HasPrefix(p.Type, "enum:") { // as it is written
			q.Type, q.Enum = p.Type, nil
		}
		if p.Resolver != "" {
			q.Match = "closed"
			if p.Filter {
				q.Match = "filter"
			}
		}
		o.Parameters = append(o.Parameters, q)
	}
	return o
}
