// Command tmp is the companion of the shell integration: it resolves and runs
// operations, judges lines, and keeps the maps.
package main

import (
	"os"

	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/cli/tmp"
	"github.com/tool-mapping-protocol/tmp/internal/sandbox"
)

func main() {
	sandbox.Child()
	os.Exit(tmp.Main(term.System()))
}
