package main

import (
	"testing"

	"github.com/tool-mapping-protocol/tmp/internal/discover"
)

// TestFloors holds the figures that the parsers reached on the corpus. They may
// rise; a change that lets one fall needs a reason.
//
// Git is judged apart: its truth is git's own list of a command's options, which
// leaves out those that other code reads (git log's of diff, for one), while the
// manual pages name them.
func TestFloors(t *testing.T) {
	tools, err := unpack()
	if err != nil {
		t.Fatal(err)
	}
	if len(tools) != 25 {
		t.Fatalf("%d tools, want 25", len(tools))
	}
	trees := map[string][]discover.TreeNode{}
	for _, x := range tools {
		root, _ := discover.Parse(x.texts)
		trees[x.name] = discover.Tree(root)
	}
	for src, floor := range map[source]struct{ git, others rates }{
		helpText: {rates{.72, .99, .99, .99, .85, .94, .95, -1}, rates{.99, .995, .995, .99, .96, .985, .985, .80}},
		manText:  {rates{.70, .98, .99, .98, .77, -1, -1, -1}, rates{.985, .98, .99, .98, .90, -1, -1, .80}},
		anyText:  {rates{.72, .98, .99, .98, .83, .94, .95, -1}, rates{.99, .99, .99, .99, .94, .985, .985, .80}},
	} {
		var git, others counts
		for i := range tools {
			x := &tools[i]
			c, _ := score(x, trees[x.name], src)
			if x.name == "git" {
				git = c
				continue
			}
			others.add(c)
			if r := c.rates(); r.Recall >= 0 && r.Recall < 0.8 {
				t.Errorf("%s from %s: finds %.3f of the names", x.name, src, r.Recall)
			}
		}
		above(t, string(src)+", git", git.rates(), floor.git)
		above(t, string(src)+", others", others.rates(), floor.others)
	}
}

func above(t *testing.T, what string, got, floor rates) {
	t.Helper()
	for _, x := range []struct {
		name       string
		got, floor float64
	}{
		{"flag precision", got.Precision, floor.Precision},
		{"flag recall", got.Recall, floor.Recall},
		{"takes a value", got.Value, floor.Value},
		{"name and value", got.NameValue, floor.NameValue},
		{"exact commands", got.Exact, floor.Exact},
		{"sub-command precision", got.SubPrecision, floor.SubPrecision},
		{"sub-command recall", got.SubRecall, floor.SubRecall},
		{"words of closed sets", got.Enum, floor.Enum},
	} {
		if x.floor >= 0 && x.got < x.floor {
			t.Errorf("%s: %s %.4f, want at least %.3f", what, x.name, x.got, x.floor)
		}
	}
}

// TestTruthAgainstItself checks the scorer: a draft that says what the truth
// says scores full marks, and an empty one none.
func TestTruthAgainstItself(t *testing.T) {
	tools, err := unpack()
	if err != nil {
		t.Fatal(err)
	}
	for i := range tools {
		x := &tools[i]
		var nodes []discover.TreeNode
		for _, n := range x.truth.Nodes {
			d := discover.TreeNode{Path: n.Path, Subcommands: n.Subs}
			for _, f := range n.Flags {
				d.Flags = append(d.Flags, discover.TreeFlag{Names: f.Names, TakesValue: f.TakesValue, Values: f.Values})
			}
			nodes = append(nodes, d)
		}
		c, faults := score(x, nodes, anyText)
		if c.wrong > 0 || c.found != c.documented || c.exact != c.judged || c.subsWrong > 0 {
			t.Errorf("%s: %+v %v", x.name, c, faults[:min(3, len(faults))])
		}
		if c, _ := score(x, nil, anyText); c.found != 0 || c.right != 0 {
			t.Errorf("%s: an empty draft finds %d names", x.name, c.found)
		}
	}
}
