// Command tgp is the tool forge: agents write tools, people approve them, they run in
// an isolate. This program runs them, and is the process that holds the isolate; for
// the other commands it becomes tgp-forge, which lies beside it.
package main

import (
	"os"

	"github.com/tool-mapping-protocol/tmp/internal/cli/tgp"
	"github.com/tool-mapping-protocol/tmp/internal/forge/worker"
)

func main() {
	worker.Child()
	os.Exit(tgp.Main(tgp.System(), nil))
}
