package tmp

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/benchmark"
	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

func newSchemaPrint(env *Env, _ *flags) runFunc {
	return func(in input) error {
		schema := opmap.Schema()
		if len(in.Args) > 0 {
			switch in.Args[0] {
			case "map":
			case "config":
				schema = opmap.ConfigSchema()
			case "benchmark":
				schema = benchmark.Schema()
			default:
				return usagef("no schema of %q: want map, config or benchmark", in.Args[0])
			}
		}
		_, err := env.Stdout.Write(schema)
		return err
	}
}

type schemaCheckOptions struct{ strict, json bool }

func newSchemaCheck(env *Env, f *flags) runFunc {
	var o schemaCheckOptions
	f.Bool("strict", &o.strict)
	f.Bool("json", &o.json)
	return func(in input) error { return o.run(env, in.Args) }
}

func (o *schemaCheckOptions) run(env *Env, files []string) error {
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
			V        int           `json:"v"`
			Valid    bool          `json:"valid"`
			Problems []problemJSON `json:"problems"`
		}{1, err == nil, problemsJSON(problems)}
		if err := env.printJSON(answer); err != nil {
			return err
		}
	} else {
		for _, p := range problems {
			fmt.Fprintln(env.Stdout, oneLine(p.Error()))
		}
	}
	if err != nil {
		return exitStatus(1)
	}
	return nil
}
