package sql

import (
	"context"
	"path/filepath"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/resolvers"
)

// PsqlServices answers psql:services: the connections that the user's own file declares.
func PsqlServices(ctx context.Context, r resolvers.Request) resolvers.Answer {
	path := r.Env("PGSERVICEFILE")
	if path == "" {
		path = filepath.Join(r.Env("HOME"), ".pg_service.conf")
	}
	return resolvers.IniSections(ctx, r, "service", "", disk.Within(r.Dir, path))
}
