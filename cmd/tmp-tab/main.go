// Command tmp-tab answers one Tab. The shell hooks start it on every press, so
// it links nothing that a Tab does not need.
package main

import (
	"os"

	"github.com/tool-mapping-protocol/tmp/internal/cli/tab"
	_ "github.com/tool-mapping-protocol/tmp/internal/stack"
)

func main() {
	os.Exit(tab.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Getenv))
}
