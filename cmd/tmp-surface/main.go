// Command tmp-surface runs operations of APIs and of databases for tmp.
package main

import (
	"os"

	"github.com/tool-mapping-protocol/tmp/internal/cli/surface"
)

func main() { os.Exit(surface.Main()) }
