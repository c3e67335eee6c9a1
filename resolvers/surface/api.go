package surface

import (
	"context"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/place"
	"github.com/tool-mapping-protocol/tmp/resolvers"
)

// surroundings are the variables by which the program finds the map and whom it trusts.
var surroundings = []string{
	"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_DATA_DIRS",
	"TMP_CONFIG_DIR", "TMP_DATA_DIR", "TMP_STATE_DIR", "TMP_CACHE_DIR", "SSL_CERT_FILE",
}

// APIValues answers "api:OPERATION#PATH": what stands at the path in the answer of an
// operation that reads. Words of the request of the form NAME=VALUE are its
// parameters.
func APIValues(ctx context.Context, r resolvers.Request) resolvers.Answer {
	settings := place.Find(r.Env).Settings()
	tables, stamp := declared(settings, "api")
	env := slices.Clone(surroundings)
	for _, t := range tables {
		table, _ := t.(map[string]any)
		from, _ := table["from"].(string)
		if name, ok := strings.CutPrefix(from, "env:"); ok {
			env = append(env, name)
		}
	}
	slices.Sort(env)
	args := []string{"values", settings, r.Dir, r.Name}
	for _, word := range r.Words {
		if name, _, ok := strings.Cut(word, "="); ok && name != "" && !strings.HasPrefix(name, "-") {
			args = append(args, word)
		}
	}
	return ask(ctx, r, args, env, stamp)
}
