package completion

import (
	"context"
	"testing"

	"github.com/tool-mapping-protocol/tmp/resolvers/all"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// One Tab on the core map from nothing, as a process does it.
func BenchmarkTab(b *testing.B) {
	for _, line := range []string{"git commit --", "git ", "git reset --ha", "cargo build --"} {
		b.Run(line, func(b *testing.B) {
			b.ReportAllocs()
			for range b.N {
				e := &Engine{Map: tcpdb.NewView(tcpdb.Core()), Resolvers: all.Table()}
				a := e.Complete(context.Background(), Request{Shell: "bash", Line: line, Point: len(line), Dir: "/", Limit: -1})
				if len(a.Candidates) == 0 {
					b.Fatal("no candidates")
				}
			}
		})
	}
}
