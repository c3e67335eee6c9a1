// Command tmp-hook answers a harness of a coding agent before a tool runs. The
// harness starts it for each call, so it links no more than it needs;
// tmp-agent install names it.
package main

import (
	"os"

	"github.com/tool-mapping-protocol/tmp/internal/cli/hook"
)

func main() { os.Exit(hook.Main(hook.System())) }
