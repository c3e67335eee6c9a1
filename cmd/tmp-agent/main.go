// Command tmp-agent is the door for coding agents: it enters the hook with their
// harnesses and says whether it works there.
package main

import (
	"os"

	"github.com/tool-mapping-protocol/tmp/internal/cli/agent"
)

func main() { os.Exit(agent.Main(agent.System())) }
