package tmp

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tool-mapping-protocol/tmp/internal/invoke"
	"github.com/tool-mapping-protocol/tmp/internal/workflow"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

type listOptions struct {
	all, json bool
	surface   string // only this one; "" for all
}

func newList(env *Env, f *flags) runFunc {
	var o listOptions
	f.Bool("all", &o.all)
	f.Bool("json", &o.json)
	return func(in input) error { return o.run(env, in.Args) }
}

// operation is an operation as JSON: the seed's record, and what this machine
// knows of it.
type operation struct {
	ID           string            `json:"id"`
	Surface      string            `json:"surface"`
	Tool         string            `json:"tool"`
	Description  string            `json:"description,omitempty"`
	Intent       []string          `json:"intent"`
	Template     string            `json:"template"`
	Parameters   []parameter       `json:"parameters"`
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
}

type parameter struct {
	Name        string `json:"name"`
	Type        string `json:"type,omitempty"`
	Required    bool   `json:"required"`
	Resolver    string `json:"resolver,omitempty"`
	Match       string `json:"match,omitempty"`
	Default     string `json:"default,omitempty"`
	Description string `json:"description,omitempty"`
}

func (w *world) operation(op *tcpdb.Operation) operation {
	o := operation{
		ID: op.ID, Surface: op.Surface, Tool: op.Tool, Description: op.Description,
		Intent: append([]string{}, op.Intents...), Template: strings.Join(op.Template, " "),
		Parameters: []parameter{}, Effect: op.Effect, Risk: w.leastLevel(op).String(), Approval: op.Approval,
		When: op.When, Manager: op.Managers, Values: op.Values,
		OutputPolicy: map[string]string{"mode": op.OutputMode, "raw_retention": op.Retention},
		Verified:     op.Standing.Verified(), Standing: op.Standing.String(), Evidence: append([]string{}, op.Evidence...),
		Layer: op.Layer.String(),
	}
	_, o.Lacks = w.request("").Here.Lacks(op)
	o.Applies = o.Lacks == ""
	if op.Layer >= tcpdb.UserLayer {
		d, _ := workflow.Parse(w.view.Detail(op.ID))
		o.Sources, o.Stale = d.Sources, w.staleness(op)
	}
	for _, p := range op.Params {
		q := parameter{p.Name, p.Type, p.Required, p.Resolver, "", p.Default, p.Description}
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

// leastLevel is the risk of an operation before it has its parameters: the
// maximum of what its map says and of the judgement of its template with only
// what it cannot do without; of a workflow, that of its steps.
func (w *world) leastLevel(op *tcpdb.Operation) tcpdb.Level {
	level := op.Risk
	if op.Surface == "workflow" {
		d, err := workflow.Parse(w.view.Detail(op.ID))
		if err != nil {
			return level
		}
		for _, s := range d.Steps {
			if own, ok := w.lookup(s.Run); ok && own.Surface != "workflow" {
				level = max(level, w.leastLevel(&own))
			}
		}
		return level
	}
	params := map[string]string{}
	for _, p := range op.Params {
		switch {
		case p.Required && p.Type == "flag":
			params[p.Name] = "true"
		case p.Required:
			params[p.Name] = "x"
		}
	}
	argv, err := invoke.Expand(op, params)
	if err != nil {
		return level // such a template never runs
	}
	return max(level, w.judge(argv, op).level)
}

func (o *listOptions) run(env *Env, tools []string) error {
	w, err := openWorld(env)
	if err != nil {
		return err
	}
	var ops []operation
	for _, op := range w.operations() {
		p := w.operation(&op)
		if (o.surface == "" || o.surface == op.Surface) && (o.all || p.Applies && p.Verified) && (len(tools) == 0 || slices.Contains(tools, op.Tool)) {
			ops = append(ops, p)
		}
	}
	if o.json {
		return env.printJSON(struct {
			V          int         `json:"v"`
			Operations []operation `json:"operations"`
		}{1, append([]operation{}, ops...)})
	}
	if len(ops) == 0 {
		what := "operation"
		if o.surface != "" {
			what = o.surface
		}
		if o.all {
			env.notice("no %s is mapped", what)
		} else {
			env.notice("no %s is mapped here; --all shows those for elsewhere, and drafts", what)
		}
		return nil
	}
	o.print(env, ops)
	return nil
}

// standingWord is the standing in a word, "stale" for one whose source has changed.
func standingWord(o *operation) string {
	if o.Stale != "" {
		return "stale"
	}
	return o.Standing
}

func (o *listOptions) print(env *Env, ops []operation) {
	st := env.styleOf(1)
	width := 0
	for _, op := range ops {
		width = max(width, utf8.RuneCountInString(op.ID))
	}
	for _, op := range ops {
		say := op.Description
		if len(op.Intent) > 0 {
			say = op.Intent[0]
		}
		var notes []string
		if !op.Verified {
			notes = append(notes, standingWord(&op))
		}
		if !op.Applies {
			notes = append(notes, "not here")
		}
		if len(notes) > 0 {
			say += " (" + strings.Join(notes, ", ") + ")"
		}
		level, _ := tcpdb.ParseLevel(op.Risk)
		pad := strings.Repeat(" ", len("MEDIUM_RISK")-min(len(op.Risk), len("MEDIUM_RISK")))
		fmt.Fprintf(env.Stdout, "%-*s  %s%s  %s\n", width, op.ID, st.level(level), pad, oneLine(say))
	}
}
