package tcpdb_test

import (
	"fmt"

	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// The core map is part of every program; layers of the machine come on top of it.
func ExampleNewView() {
	view := tcpdb.NewView(tcpdb.Core())
	reset := view.Root("git").Sub("reset")
	fmt.Println(reset.Path)
	fmt.Println(view.Open(reset).Flag("--hard").Description)
	// Output:
	// git reset
	// Reset the index and the working tree; changes are lost
}

func ExampleParseLevel() {
	level, err := tcpdb.ParseLevel("high")
	fmt.Println(level, level >= tcpdb.Medium, err)
	// Output: HIGH_RISK true <nil>
}

// A map of one's own is built in memory, written with WriteFile and read with Map.
func ExampleBuilder() {
	b := tcpdb.NewBuilder()
	b.Tool(&tcpdb.Node{Name: "frob", Subs: []*tcpdb.Node{{Name: "polish", Description: "Make it shine"}}})
	data, err := b.Build()
	if err != nil {
		fmt.Println(err)
		return
	}
	image, err := tcpdb.Parse(data)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(tcpdb.NewView(image).Root("frob").Sub("polish").Description)
	// Output: Make it shine
}
