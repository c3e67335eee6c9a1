package cargo

import (
	"context"
	"path/filepath"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/resolvers"
)

// Toolchains answers rustup:toolchains.
func Toolchains(ctx context.Context, r resolvers.Request) resolvers.Answer {
	dir := r.Env("RUSTUP_HOME")
	if dir == "" {
		dir = filepath.Join(r.Env("HOME"), ".rustup")
	}
	return resolvers.NamesOfDir(ctx, r, "toolchain", resolvers.AsItIs, filepath.Join(disk.Within(r.Dir, dir), "toolchains"))
}
