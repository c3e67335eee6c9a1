// Command te runs grep, cat, find and rg and answers with what matters first, the
// counts of what it leaves out, and a handle for the rest.
package main

import (
	"os"

	"github.com/tool-mapping-protocol/tmp/internal/cli/te"
)

func main() { os.Exit(te.Main(te.System())) }
