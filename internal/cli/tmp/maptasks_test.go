package tmp

import (
	"slices"
	"testing"

	"github.com/tool-mapping-protocol/tmp/internal/benchmark"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// The map offers the tasks that there are behind "tmp benchmark run".
func TestMapNamesEveryTask(t *testing.T) {
	tasks, err := benchmark.Own()
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, task := range tasks {
		want = append(want, task.ID)
	}
	slices.Sort(want)
	m := tcpdb.NewView(tcpdb.Core())
	n := m.Root("tmp")
	for _, name := range []string{"benchmark", "run"} {
		if n = m.Open(n).Sub(name); n == nil {
			t.Fatalf("the map has no %s", name)
		}
	}
	var got []string
	for _, v := range m.Open(n).Args[0].Spec.Enum {
		got = append(got, v.Value)
	}
	if !slices.Equal(got, want) {
		t.Errorf("the map offers %q, the tasks are %q", got, want)
	}
}
