package risk

import (
	"os"
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// TestCore holds the shipped map to what was decided of each command by hand.
func TestCore(t *testing.T) {
	data, err := os.ReadFile("testdata/core.tsv")
	if err != nil {
		t.Fatal(err)
	}
	v := tcpdb.NewView(tcpdb.Core())
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || line[0] == '#' {
			continue
		}
		f := strings.Split(line, "\t")
		if len(f) != 3 {
			t.Fatalf("%q: want command, level, capabilities", line)
		}
		want := f[2]
		if want == "-" {
			want = ""
		}
		got := Judge(v, strings.Fields(f[0]), Facts{})
		if got.Level.String() != f[1] || strings.Join(got.Flags.Names(), "|") != want {
			t.Errorf("%s: %v %v, want %s %s", f[0], got.Level, got.Flags.Names(), f[1], want)
		}
	}
	if p := v.Problems(); len(p) > 0 {
		t.Errorf("problems: %v", p)
	}
}
