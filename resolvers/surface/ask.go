// Package surface asks servers of APIs and databases for values, in the background and
// through a program of its own: nothing of it is linked into a program that runs on a key.
package surface

import (
	"context"
	"os"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/beside"
	"github.com/tool-mapping-protocol/tmp/internal/toml"
	"github.com/tool-mapping-protocol/tmp/resolvers"
)

// program sends requests and holds the drivers; it alone reads secrets.
const program = "tmp-surface"

// fresh is how long the values are taken as they are.
const fresh = time.Minute

// ask starts the program with the variables env beside the base; the answer is good as
// long as stamp is the same.
func ask(ctx context.Context, r resolvers.Request, args, env []string, stamp string) resolvers.Answer {
	path, err := beside.Find(program, "")
	if err != nil {
		if path, err = resolvers.ToolPath(r, program); err != nil {
			return resolvers.Answer{State: resolvers.Failed, Message: err.Error()}
		}
	}
	q := resolvers.Query{Tool: program, Path: path, Args: args, Quiet: true, Fresh: fresh, Depends: stamp, Env: env}
	return q.Lines(ctx, r, func(line string) (resolvers.Value, bool) {
		return resolvers.Value{Value: line, Kind: "value"}, line != ""
	})
}

// declared are the tables [SECTION.NAME] of a config.toml by name, and what stands for
// what it says.
func declared(file, section string) (tables map[string]any, stamp string) {
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
	tables, _ = all[section].(map[string]any)
	return tables, string(text)
}
