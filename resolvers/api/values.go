// Package api asks the servers of APIs for values, in the background and through a
// program of its own: nothing of it is linked into a program that runs on a key.
package api

import (
	"context"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/beside"
	"github.com/tool-mapping-protocol/tmp/internal/place"
	"github.com/tool-mapping-protocol/tmp/internal/toml"
	"github.com/tool-mapping-protocol/tmp/resolvers"
)

// program sends requests; it alone reads secrets.
const program = "tmp-surface"

// fresh is how long the values are taken as they are.
const fresh = time.Minute

// surroundings are the variables by which the program finds the map and whom it trusts.
var surroundings = []string{
	"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_DATA_DIRS",
	"TMP_CONFIG_DIR", "TMP_DATA_DIR", "TMP_STATE_DIR", "TMP_CACHE_DIR", "SSL_CERT_FILE",
}

// Values answers "api:OPERATION#PATH": what stands at the path in the answer of an
// operation that reads. Words of the request of the form NAME=VALUE are its
// parameters.
func Values(ctx context.Context, r resolvers.Request) resolvers.Answer {
	settings := place.Find(r.Env).Settings()
	path, err := beside.Find(program, "")
	if err != nil {
		if path, err = resolvers.ToolPath(r, program); err != nil {
			return resolvers.Answer{State: resolvers.Failed, Message: err.Error()}
		}
	}
	variables, stamp := configured(settings)
	q := resolvers.Query{
		Tool: program, Path: path, Args: []string{"values", settings, r.Dir, r.Name}, Quiet: true, Fresh: fresh, Depends: stamp,
		Env: append(slices.Clone(surroundings), variables...),
	}
	for _, word := range r.Words {
		if name, _, ok := strings.Cut(word, "="); ok && name != "" && !strings.HasPrefix(name, "-") {
			q.Args = append(q.Args, word)
		}
	}
	return q.Lines(ctx, r, func(line string) (resolvers.Value, bool) {
		return resolvers.Value{Value: line, Kind: "value"}, line != ""
	})
}

// configured are the variables that the tables [api.NAME] of a config.toml name, and
// what stands for what it says.
func configured(file string) (variables []string, stamp string) {
	if file == "" {
		return nil, ""
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, ""
	}
	all, err := toml.Parse(string(text))
	if err != nil {
		return nil, ""
	}
	tables, _ := all["api"].(map[string]any)
	for _, t := range tables {
		table, _ := t.(map[string]any)
		from, _ := table["from"].(string)
		if name, ok := strings.CutPrefix(from, "env:"); ok {
			variables = append(variables, name)
		}
	}
	slices.Sort(variables)
	return variables, string(text)
}
