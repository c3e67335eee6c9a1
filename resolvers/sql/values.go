package sql

import (
	"context"
	"os"
	"strings"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/beside"
	"github.com/tool-mapping-protocol/tmp/internal/place"
	"github.com/tool-mapping-protocol/tmp/internal/toml"
	"github.com/tool-mapping-protocol/tmp/resolvers"
)

// surfaceProgram asks the databases of config.toml; it holds the drivers, and alone
// reads where the secrets are.
const surfaceProgram = "tmp-surface"

// valuesFresh is how long the values of a column are taken as they are.
const valuesFresh = time.Minute

// Values answers "sql:CONNECTION.TABLE.COLUMN": the distinct values of a column of a
// database that the user's config.toml declares, asked for in the background.
func Values(ctx context.Context, r resolvers.Request) resolvers.Answer {
	name, _, _ := strings.Cut(strings.TrimPrefix(r.Name, "sql:"), ".")
	settings := place.Find(r.Env).Settings()
	table, stamp := connectionTable(settings, name)
	if table == nil {
		return resolvers.Answer{State: resolvers.Failed, Message: "config.toml has no [sql." + name + "]"}
	}
	path, err := beside.Find(surfaceProgram, "")
	if err != nil {
		if path, err = resolvers.ToolPath(r, surfaceProgram); err != nil {
			return resolvers.Answer{State: resolvers.Failed, Message: err.Error()}
		}
	}
	from, _ := table["from"].(string)
	dir := "/"
	if file, ok := strings.CutPrefix(from, "file:"); ok && !strings.HasPrefix(file, "/") && !strings.HasPrefix(file, "~") {
		dir = r.Dir // it is another database in each project
	}
	q := resolvers.Query{
		Tool: surfaceProgram, Path: path, Args: []string{"values", settings, dir, r.Name}, Quiet: true, Fresh: valuesFresh, Depends: stamp,
		Env: []string{"PGSERVICEFILE", "PGPASSFILE", "PGSSLROOTCERT"},
	}
	if variable, ok := strings.CutPrefix(from, "env:"); ok {
		q.Env = append(q.Env, variable)
	}
	return q.Lines(ctx, r, func(line string) (resolvers.Value, bool) {
		return resolvers.Value{Value: line, Kind: "value"}, line != ""
	})
}

// connectionTable is a table [sql.NAME] of a config.toml, and what stands for what it
// says; nil if there is none.
func connectionTable(file, name string) (table map[string]any, stamp string) {
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
	tables, _ := all["sql"].(map[string]any)
	table, _ = tables[name].(map[string]any)
	return table, string(text)
}
