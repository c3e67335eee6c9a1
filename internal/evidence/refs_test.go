package evidence

import (
	"slices"
	"testing"

	"github.com/tool-mapping-protocol/tmp/internal/discover"
)

func TestReferences(t *testing.T) {
	for _, x := range []struct {
		text string
		want []string
	}{
		{"For more about build flags, see 'go help build'.\n", []string{"build"}},
		{"Run 'go help mod tidy' for details.", []string{"mod", "mod tidy"}},
		{"See 'go run --help' or go vet -h", []string{"run"}},
		{"go help me with <this>", []string{"me", "me with"}},
		{"nothing", nil},
	} {
		if got := references("go", x.text); !slices.Equal(got, x.want) {
			t.Errorf("%q: %q, want %q", x.text, got, x.want)
		}
	}
}

// TestNamesElsewhere holds that an option counts where the command's own text
// sends to the text that names it, and a word without dashes where a form shows
// it; neither counts for a command that does not say so.
func TestNamesElsewhere(t *testing.T) {
	x := NewTexts(discover.Texts{Tool: "frob", Nodes: []discover.Text{
		{Path: []string{"build"}, Help: "usage: frob build [-o output]\n\n\t-race\n\t\tdetect them\n"},
		{Path: []string{"run"}, Help: "usage: frob run [flags]\n\nFor the flags see 'frob help build'.\n"},
		{Path: []string{"list"}, Help: "usage: frob list\n\nLists them.\n"},
		{Path: []string{"address"}, Help: "Usage: frob address [ show [ dev IFNAME ] ]\n\nIt always shows up there in the end.\n"},
	}}, nil)
	for _, c := range []struct {
		path, name string
		want       bool
	}{
		{"build", "-race", true},
		{"run", "-race", true},
		{"list", "-race", false},
		{"address", "dev", true},
		{"address", "there", false},
	} {
		if got := x.NamesOption([]string{c.path}, c.name); got != c.want {
			t.Errorf("%s %s: %v, want %v", c.path, c.name, got, c.want)
		}
	}
}
