// Command tmp-registry is what tmp registry and tmp key become: it finds, checks,
// installs and publishes packs of maps.
package main

import (
	"os"

	"github.com/tool-mapping-protocol/tmp/internal/cli/registry"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
)

func main() { os.Exit(registry.Main(term.System())) }
