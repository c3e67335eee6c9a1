package help

import (
	"slices"
	"testing"
)

func TestBracesOfCommands(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"Usage: frob [--ring file] {add FILE | del KEY | list | {-v | --version}}\n", []string{"add", "del", "list"}},
		{"Usage: frob [ OPTIONS ] { show | list }\n", []string{"list", "show"}},
		{"Usage: frob [-4] [-b addr] destination [command]\n", nil},
		{"Usage: frob [-x] {-a | -b}\n", nil},
	} {
		n := Parse(c.text, []string{"frob"})
		var got []string
		for _, s := range n.Subs {
			got = append(got, s.Name)
		}
		slices.Sort(got)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s commands %q, want %q", c.text, got, c.want)
		}
	}
}
