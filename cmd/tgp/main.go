// Command tgp is the tool forge: agents write tools, people approve them, they run in
// an isolate.
package main

import (
	"os"

	"github.com/tool-mapping-protocol/tmp/internal/cli/tgp"
	"github.com/tool-mapping-protocol/tmp/internal/forge/worker"
)

func main() {
	worker.Child()
	os.Exit(tgp.Main(tgp.System()))
}
