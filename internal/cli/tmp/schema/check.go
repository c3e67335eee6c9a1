package schema

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/benchmark"
	"github.com/tool-mapping-protocol/tmp/internal/cli/command"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/cli/tmp/layers"
	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// NewPrint is tmp schema print.
func NewPrint(env *term.Env, _ *command.Flags) command.Run {
	return func(in command.Input) error {
		schema := opmap.Schema()
		if len(in.Args) > 0 {
			switch in.Args[0] {
			case "map":
			case "config":
				schema = opmap.ConfigSchema()
			case "benchmark":
				schema = benchmark.Schema()
			default:
				return term.Usagef("no schema of %q: want map, config or benchmark", in.Args[0])
			}
		}
		_, err := env.Stdout.Write(schema)
		return err
	}
}

type checkOptions struct{ strict, json bool }

// NewCheck is tmp schema check.
func NewCheck(env *term.Env, f *command.Flags) command.Run {
	var o checkOptions
	f.Bool("strict", &o.strict)
	f.Bool("json", &o.json)
	return func(in command.Input) error { return o.run(env, in.Args) }
}

func (o *checkOptions) run(env *term.Env, files []string) error {
	l := &opmap.Layering{Layer: tcpdb.UserLayer}
	var problems opmap.Problems
	for _, name := range files {
		path := name
		if !filepath.IsAbs(path) && env.Dir != "" {
			path = filepath.Join(env.Dir, path)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if strings.HasSuffix(name, ".toml") {
			r, ps := opmap.ParseRisks(name, data)
			problems = append(problems, ps...)
			if r != nil {
				l.Risks = append(l.Risks, r)
			}
			continue
		}
		s, ps := opmap.Parse(name, data, opmap.KnownResolvers())
		problems = append(problems, ps...)
		if s != nil {
			l.Sources = append(l.Sources, s)
		}
	}
	err := problems.Err()
	if o.strict {
		problems = append(problems, l.Lint()...)
		err = problems.Strict()
	}
	if o.json {
		answer := struct {
			V        int              `json:"v"`
			Valid    bool             `json:"valid"`
			Problems []layers.Problem `json:"problems"`
		}{1, err == nil, layers.Problems(problems)}
		if err := env.PrintJSON(answer); err != nil {
			return err
		}
	} else {
		for _, p := range problems {
			fmt.Fprintln(env.Stdout, term.OneLine(p.Error()))
		}
	}
	if err != nil {
		return term.ExitStatus(1)
	}
	return nil
}
