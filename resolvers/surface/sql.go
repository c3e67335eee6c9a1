package surface

import (
	"context"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/place"
	"github.com/tool-mapping-protocol/tmp/resolvers"
)

// SQLValues answers "sql:CONNECTION.TABLE.COLUMN": the distinct values of a column of a
// database that the user's config.toml declares, asked for in the background.
func SQLValues(ctx context.Context, r resolvers.Request) resolvers.Answer {
	name, _, _ := strings.Cut(strings.TrimPrefix(r.Name, "sql:"), ".")
	settings := place.Find(r.Env).Settings()
	tables, stamp := declared(settings, "sql")
	table, _ := tables[name].(map[string]any)
	if table == nil {
		return resolvers.Answer{State: resolvers.Failed, Message: "config.toml has no [sql." + name + "]"}
	}
	from, _ := table["from"].(string)
	dir := "/"
	if file, ok := strings.CutPrefix(from, "file:"); ok && !strings.HasPrefix(file, "/") && !strings.HasPrefix(file, "~") {
		dir = r.Dir // it is another database in each project
	}
	env := []string{"PGSERVICEFILE", "PGPASSFILE", "PGSSLROOTCERT"}
	if variable, ok := strings.CutPrefix(from, "env:"); ok {
		env = append(env, variable)
	}
	return ask(ctx, r, []string{"values", settings, dir, r.Name}, env, stamp)
}
