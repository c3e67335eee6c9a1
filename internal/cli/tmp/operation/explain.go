package operation

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/cli/command"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/session"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

type explainOptions struct{ json bool }

// NewExplain is tmp explain.
func NewExplain(env *term.Env, f *command.Flags) command.Run {
	var o explainOptions
	f.Bool("json", &o.json)
	return func(in command.Input) error { return o.run(env, in.Args[0]) }
}

func (o *explainOptions) run(env *term.Env, id string) error {
	w, err := env.Session()
	if err != nil {
		return err
	}
	op, ok := w.Lookup(id)
	if !ok {
		f := Unmapped(w, id)
		tool, _, _ := strings.Cut(id, ".")
		var near []string
		for _, other := range w.View.Operations() {
			if other.Tool == tool || strings.HasPrefix(other.ID, tool+".") {
				near = append(near, other.ID)
			}
		}
		slices.SortStableFunc(near, func(a, b string) int { return cmp.Compare(edits(a, id), edits(b, id)) })
		for _, other := range near[:min(5, len(near))] {
			f.Hint("there is %s", other)
		}
		if len(near) == 0 && len(f.Hints) == 0 {
			f.Hint("tmp list --all shows every operation")
		}
		return f
	}
	p := w.Describe(&op)
	if o.json {
		return env.PrintJSON(struct {
			V int `json:"v"`
			session.Operation
		}{1, p})
	}
	Print(env, &op, p)
	return nil
}

func Print(env *term.Env, op *tcpdb.Operation, p session.Operation) {
	st := env.StyleOf(1)
	line := func(name, value string) {
		if value != "" {
			fmt.Fprintf(env.Stdout, "  %-10s %s\n", name, term.OneLine(value))
		}
	}
	fmt.Fprintln(env.Stdout, st.Bold(op.ID))
	line("", op.Description)
	line("runs", p.Template)
	line("sends", sends(&p))
	for i, in := range p.Intent {
		if i == 0 {
			line("intents", in)
		} else {
			line("", in)
		}
	}
	for _, q := range p.Parameters {
		say := "<" + q.Name + ">"
		if q.Type != "" {
			say += ", " + q.Type
		}
		if len(q.Enum) > 0 {
			say += ", one of " + strings.Join(q.Enum, "|")
		}
		if q.Format != "" {
			say += ", " + q.Format
		}
		if q.Minimum != "" || q.Maximum != "" {
			say += fmt.Sprintf(", %s to %s", cmp.Or(string(q.Minimum), "any"), cmp.Or(string(q.Maximum), "any"))
		}
		if q.Required {
			say += ", required"
		}
		switch q.Match {
		case "closed":
			say += ", one of " + q.Resolver
		case "filter":
			say += ", matches some of " + q.Resolver
		}
		if q.Default != "" {
			say += ", default " + q.Default
		}
		if q.Description != "" {
			say += ": " + q.Description
		}
		line("parameter", say)
	}
	line("effect", p.Effect)
	level, _ := tcpdb.ParseLevel(p.Risk)
	fmt.Fprintf(env.Stdout, "  %-10s %s\n", "risk", st.Level(level))
	line("approval", p.Approval)
	if len(p.When) > 0 {
		line("needs", strings.Join(p.When, " or ")+" here or above")
	}
	if len(p.Manager) > 0 {
		line("needs", "a project of "+strings.Join(p.Manager, " or "))
	}
	if len(p.Values) > 0 {
		line("needs", "one of "+strings.Join(p.Values, ", "))
	}
	if !p.Applies {
		line("not here", "it "+p.Lacks)
	}
	line("output", p.OutputPolicy["mode"])
	line("standing", fmt.Sprintf("%s, from the %s layer", p.Standing, p.Layer))
	line("evidence", strings.Join(p.Evidence, ", "))
	for _, s := range p.Sources {
		line("source", fmt.Sprintf("%s (sha256 %s)", s.File, s.SHA256[:12]))
	}
	switch {
	case p.Stale != "":
		line("", "stale: "+p.Stale+"; resolve and run refuse it until it is read again and reviewed")
	case !p.Verified:
		line("", "a draft: it completes, but resolve and run refuse it")
	}
}

// sends is what an operation that is no command sends, in a line.
func sends(p *session.Operation) string {
	var r struct{ Query, Connection, Method, Server, Path, URL string }
	record := p.SQL
	if record == nil {
		record = p.API
	}
	if record == nil || json.Unmarshal(record, &r) != nil {
		return ""
	}
	if r.Query != "" {
		text := strings.Join(strings.Fields(r.Query), " ")
		if r.Connection != "" {
			text += "  (to " + r.Connection + ")"
		}
		return text
	}
	return strings.ToUpper(r.Method) + " " + r.Server + r.Path + r.URL
}

// edits is how many letters are to be put in, taken out, changed or swapped
// with the next to make b of a.
func edits(a, b string) int {
	x, y := []rune(a), []rune(b)
	var before, row, next []int
	for j := range len(y) + 1 {
		row = append(row, j)
	}
	for i := range x {
		next = []int{i + 1}
		for j := range y {
			n := row[j]
			if x[i] != y[j] {
				n = 1 + min(row[j], row[j+1], next[j])
				if i > 0 && j > 0 && x[i] == y[j-1] && x[i-1] == y[j] {
					n = min(n, before[j-1]+1)
				}
			}
			next = append(next, n)
		}
		before, row = row, next
	}
	return row[len(y)]
}
