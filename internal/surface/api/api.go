// Package api sends the requests of operations of surface "api".
package api

import (
	"context"

	"github.com/tool-mapping-protocol/tmp/internal/surface"
)

// Do carries a request out.
func Do(context.Context, surface.World, *surface.Request) *surface.Report {
	return surface.Refuse("this build sends no requests")
}
