//go:build !linux || !(amd64 || arm64)

package sandbox

import (
	"context"
	"fmt"
	"runtime"
)

// Run makes no jail on this system.
func Run(context.Context, Spec) (Result, error) { return Result{}, Available(context.Background()) }

// Available says that there is none.
func Available(context.Context) error {
	return fmt.Errorf("%w: there is no jail for %s on %s", ErrUnavailable, runtime.GOOS, runtime.GOARCH)
}

// Child does nothing.
func Child() {}
