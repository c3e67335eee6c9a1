// Gencore writes the core image of the map: gencore FILE. It is run by
// "go generate ./internal/opmap".
package main

import (
	"fmt"
	"os"

	"github.com/tool-mapping-protocol/tmp/internal/opmap"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: gencore FILE")
		os.Exit(2)
	}
	data, err := opmap.BuildCore()
	if err == nil {
		err = os.WriteFile(os.Args[1], data, 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
