package shells_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/tool-mapping-protocol/tmp/completion"
	"github.com/tool-mapping-protocol/tmp/shells"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// A hook sends what stands left and right of the cursor, and what it will replace.
func ExampleParseCall() {
	call, err := shells.ParseCall([]string{"--wire", "1", "--shell", "bash"}, strings.NewReader("git swit\x00\x00swit\x00"))
	if err != nil {
		fmt.Println(err)
		return
	}
	engine := completion.Engine{Map: tcpdb.NewView(tcpdb.Core())}
	answer := engine.Complete(context.Background(), call.Request(func(string) string { return "" }))
	fmt.Print(call.Reply(answer))
	// Output:
	// ok
	// switch
}

func ExampleRCLine() {
	fmt.Println(shells.RCLine("fish", ""))
	// Output: tmp hook fish | source
}
