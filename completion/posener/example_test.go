package posener_test

import (
	"os"

	"github.com/tool-mapping-protocol/tmp/completion"
	"github.com/tool-mapping-protocol/tmp/completion/posener"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Bash asks a program that was given to "complete -C" through its environment.
func ExampleRun() {
	engine := &completion.Engine{Map: tcpdb.NewView(tcpdb.Core())}
	asked := map[string]string{"COMP_LINE": "git swit", "COMP_POINT": "8", "COMP_TYPE": "9"}
	posener.Run(engine, []string{"git", "swit", "git"}, func(name string) string { return asked[name] }, os.Stdout)
	// Output: switch
}
