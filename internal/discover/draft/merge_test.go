package draft

import "testing"

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
