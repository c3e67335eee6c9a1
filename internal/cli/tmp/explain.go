package tmp

import (
	"fmt"
	"strings"

	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

type explainOptions struct{ json bool }

func newExplain(env *Env, f *flags) runFunc {
	var o explainOptions
	f.Bool("json", &o.json)
	return func(in input) error { return o.run(env, in.Args[0]) }
}

func (o *explainOptions) run(env *Env, id string) error {
	w, err := openWorld(env)
	if err != nil {
		return err
	}
	op, ok := w.lookup(id)
	if !ok {
		f := failf("no operation %q is mapped", id)
		tool, _, _ := strings.Cut(id, ".")
		for _, other := range w.view.Operations() {
			if len(f.hints) < 5 && (other.Tool == tool || strings.HasPrefix(other.ID, tool+".")) {
				f.hint("there is %s", other.ID)
			}
		}
		if len(f.hints) == 0 {
			f.hint("tmp list --all shows every operation")
		}
		return f
	}
	p := w.operation(&op)
	if o.json {
		return env.printJSON(struct {
			V int `json:"v"`
			operation
		}{1, p})
	}
	o.print(env, &op, p)
	return nil
}

func (o *explainOptions) print(env *Env, op *tcpdb.Operation, p operation) {
	st := env.styleOf(1)
	line := func(name, value string) {
		if value != "" {
			fmt.Fprintf(env.Stdout, "  %-10s %s\n", name, oneLine(value))
		}
	}
	fmt.Fprintln(env.Stdout, st.bold(op.ID))
	line("", op.Description)
	line("runs", p.Template)
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
	fmt.Fprintf(env.Stdout, "  %-10s %s\n", "risk", st.level(level))
	line("approval", p.Approval)
	if len(p.When) > 0 {
		line("needs", strings.Join(p.When, " or ")+" here or above"+map[bool]string{true: " (there is)", false: " (there is none)"}[p.Applies])
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
