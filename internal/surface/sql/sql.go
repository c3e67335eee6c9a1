// Package sql runs the statements of operations of surface "sql".
package sql

import (
	"context"

	"github.com/tool-mapping-protocol/tmp/internal/surface"
)

// Do carries a request out.
func Do(context.Context, surface.World, *surface.Request) *surface.Report {
	return surface.Refuse("this build asks no database")
}
