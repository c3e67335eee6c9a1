package draft

import (
	"slices"
	"testing"
)

// Whether a flag takes a value, as its sources say in any order.
func TestArityOfSources(t *testing.T) {
	type said struct {
		source Source
		arity  Arity
	}
	for _, c := range []struct {
		name string
		said []said
		want Arity
	}{
		{"manual and help agree against a script", []said{{Man, None}, {Help, None}, {Script, Required}}, None},
		{"a manual that forgets the value", []said{{Man, None}, {Help, Required}, {Script, Required}}, Required},
		{"a manual alone", []said{{Man, None}, {Script, Required}}, Required},
		{"help alone", []said{{Help, None}, {Script, Optional}}, Optional},
		{"nobody says otherwise", []said{{Script, Required}, {Help, Unsaid}}, Required},
		{"the tool's own answer", []said{{Man, None}, {Help, None}, {Answer, Required}}, Required},
	} {
		// Every order in which three texts can be read.
		orders := [][]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}
		for _, order := range orders {
			n := &Node{}
			for _, i := range order {
				if i < len(c.said) {
					s := c.said[i]
					n.AddFlag(&Flag{Names: []string{"-d"}, Arity: s.arity, ArityAt: Place{Source: s.source, Line: 1 + 10*i}})
				}
			}
			if got := n.Flags[0].Arity; got != c.want {
				t.Errorf("%s, in the order %v: %s, want %s", c.name, order, got, c.want)
			}
		}
	}
}

// Which names are one option, by what texts list together.
func TestNamesOfSources(t *testing.T) {
	type row struct {
		source Source
		arity  Arity
		names  []string
	}
	for _, c := range []struct {
		name string
		rows []row
		want [][]string
	}{
		{"a group of what are options of their own", []row{
			{Help, None, []string{"-8", "--8-bit"}}, {Help, None, []string{"-I", "--ignore"}}, {Help, None, []string{"--del"}}, {Man, None, []string{"-8", "-I", "--del", "--new"}},
		}, [][]string{{"-8", "--8-bit"}, {"-I", "--ignore"}, {"--del"}, {"--new"}}},
		{"one letter, two words", []row{{Help, Required, []string{"-s", "--size"}}, {Script, None, []string{"-s", "--silent"}}}, [][]string{{"-s", "--size"}, {"--silent"}}},
		{"two rows that a third joins", []row{{Help, None, []string{"-q"}}, {Help, None, []string{"--quiet"}}, {Man, None, []string{"-q", "--quiet"}}}, [][]string{{"-q", "--quiet"}}},
		{"another name of what is known", []row{{Help, None, []string{"-q"}}, {Man, None, []string{"-q", "--quiet", "--silent"}}}, [][]string{{"-q", "--quiet", "--silent"}}},
	} {
		n := &Node{}
		for i, r := range c.rows {
			n.AddFlag(&Flag{Names: r.names, Arity: r.arity, ArityAt: Place{Source: r.source, Line: 1 + 10*i}})
		}
		var got [][]string
		for _, f := range n.Flags {
			got = append(got, f.Names)
		}
		if !slices.EqualFunc(got, c.want, slices.Equal[[]string]) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
