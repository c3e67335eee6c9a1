// Genroles writes internal/project/rolesdata.go from core/roles.json: the roles as
// values that lie in the program as they are, so that nothing is parsed when a
// project is asked about.
package main

import (
	"fmt"
	"os"

	"github.com/tool-mapping-protocol/tmp/internal/opmap/core"
	"github.com/tool-mapping-protocol/tmp/internal/project/rolesource"
)

func main() {
	text, err := rolesource.Go(core.Roles)
	if err == nil {
		err = os.WriteFile("rolesdata.go", text, 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "genroles:", err)
		os.Exit(1)
	}
}
