// Package sql is tmp sql: it checks templates of SQL against their databases.
package sql

import (
	"fmt"
	"os"

	"github.com/tool-mapping-protocol/tmp/internal/cli/command"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/internal/session"
	"github.com/tool-mapping-protocol/tmp/internal/surface"
)

type options struct{ json bool }

// NewCheck is tmp sql check: 0 if every template is what it says, 1 if one is not.
func NewCheck(env *term.Env, f *command.Flags) command.Run {
	var o options
	f.Bool("json", &o.json)
	return func(in command.Input) error { return o.run(env, in.Args) }
}

// report is the answer.
type report struct {
	V         int                    `json:"v"`
	Templates []session.CheckedQuery `json:"templates"`
	Problems  []problem              `json:"problems"`
}

type problem struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Field  string `json:"field,omitempty"`
	Reason string `json:"reason"`
}

func (o *options) run(env *term.Env, files []string) error {
	s, err := env.Session()
	if err != nil {
		return err
	}
	r := report{V: 1, Templates: []session.CheckedQuery{}, Problems: []problem{}}
	for _, name := range files {
		file, err := env.Path(name)
		if err != nil {
			return err
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return term.Failf("%s", err)
		}
		src, problems := opmap.Parse(name, data, opmap.KnownResolvers())
		for _, p := range problems {
			if p.Severity == opmap.Error {
				r.Problems = append(r.Problems, problem{p.File, p.Line, p.Field, p.Reason})
			}
		}
		if src == nil || problems.Err() != nil {
			continue
		}
		for _, op := range src.Operations {
			if op.Surface == surface.SQL {
				r.Templates = append(r.Templates, s.CheckQuery(env.Context, src, op))
			}
		}
	}
	return o.tell(env, &r)
}

func (o *options) tell(env *term.Env, r *report) error {
	faults := len(r.Problems)
	for _, t := range r.Templates {
		if t.Error != "" {
			faults++
		}
	}
	if o.json {
		if err := env.PrintJSON(r); err != nil {
			return err
		}
		if faults > 0 {
			return term.ExitStatus(1)
		}
		return nil
	}
	for _, p := range r.Problems {
		fmt.Fprintf(env.Stdout, "%s:%d: %s\n", term.OneLine(p.File), p.Line, term.OneLine(p.Reason))
	}
	st := env.StyleOf(1)
	for _, t := range r.Templates {
		fmt.Fprintf(env.Stdout, "%s\n", st.Bold(t.Operation))
		for _, line := range t.Lines() {
			fmt.Fprintf(env.Stdout, "  %s\n", term.OneLine(line))
		}
	}
	if faults > 0 {
		return term.ExitStatus(1)
	}
	return nil
}
