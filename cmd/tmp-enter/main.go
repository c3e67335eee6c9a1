// Command tmp-enter judges a line when Enter is pressed, before the shell runs
// it. The shell hooks start it on every press.
package main

import (
	"os"

	"github.com/tool-mapping-protocol/tmp/internal/cli/enter"
	_ "github.com/tool-mapping-protocol/tmp/internal/stack"
)

func main() { os.Exit(enter.Main(enter.System())) }
