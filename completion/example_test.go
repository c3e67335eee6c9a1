package completion_test

import (
	"context"
	"fmt"

	"github.com/tool-mapping-protocol/tmp/completion"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

func ExampleEngine_Complete() {
	engine := completion.Engine{Map: tcpdb.NewView(tcpdb.Core())}
	line := "git reset --h"
	answer := engine.Complete(context.Background(), completion.Request{Shell: "bash", Line: line, Point: len(line)})
	for _, c := range answer.Candidates {
		fmt.Println(c.Value, c.Level, c.Raises)
	}
	// Output:
	// --help SAFE false
	// --hard CRITICAL true
}

// A program that has the words already needs no shell.
func ExampleEngine_Complete_words() {
	engine := completion.Engine{Map: tcpdb.NewView(tcpdb.Core())}
	answer := engine.Complete(context.Background(), completion.Request{Words: []string{"sudo", "git", "swit"}})
	for _, c := range answer.Candidates {
		fmt.Println(c.Value, c.Kind)
	}
	// Output: switch subcommand
}

func ExampleClean() {
	fmt.Println(completion.Clean("red \x1b[31m and\nmore"))
	// Output: red \x1b[31m and\nmore
}
