package resolvers_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/tool-mapping-protocol/tmp/resolvers"
	"github.com/tool-mapping-protocol/tmp/resolvers/all"
)

func ExampleTable_Resolve() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	_ = os.WriteFile(filepath.Join(dir, "package.json"), []byte(`{"scripts": {"build": "tsc", "test": "vitest"}}`), 0o600)

	answer := all.Table().Resolve(context.Background(), resolvers.Request{
		Name: "npm:scripts", Dir: dir, Words: []string{"npm", "run", ""},
	})
	for _, v := range answer.Values {
		fmt.Println(v.Value, "is", v.Description)
	}
	// Output:
	// build is tsc
	// test is vitest
}

func ExampleFilter_Keep() {
	f := resolvers.Filter{Text: "par", Mode: resolvers.Substring}
	fmt.Println(f.Keep("feature/parser"), f.Keep("feature/login"))
	// Output: true false
}
