// Command tmp-fig evaluates the Fig spec on standard input and answers with a
// line of JSON. tmp schema import starts it; it is a program of its own because
// it carries a JavaScript engine, which no other command should have to load.
package main

import (
	"fmt"
	"os"

	"github.com/tool-mapping-protocol/tmp/internal/discover/spec/fig/evaluator"
)

func main() {
	if len(os.Args) > 1 {
		fmt.Fprintln(os.Stderr, "usage: tmp-fig < SPEC\nEvaluates a Fig spec for tmp schema import, which starts it.")
		os.Exit(2)
	}
	os.Exit(evaluator.Main(os.Stdin, os.Stdout))
}
