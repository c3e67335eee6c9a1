// Command tgp-forge has all commands of tgp, which becomes it for those that need a
// compiler, a repository or a database. Nobody starts it by this name.
package main

import (
	"os"

	"github.com/tool-mapping-protocol/tmp/internal/cli/tgp"
	"github.com/tool-mapping-protocol/tmp/internal/cli/tgp/forging"
	"github.com/tool-mapping-protocol/tmp/internal/forge/worker"
)

func main() {
	worker.Child()
	os.Exit(tgp.Main(tgp.System(), forging.Commands()))
}
