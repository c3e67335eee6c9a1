package opmap

import (
	"bytes"
	"iter"
	"os"
	"slices"
	"testing"

	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// TestCoreMapsAreSound holds what ships to the strict measure: no warning.
func TestCoreMapsAreSound(t *testing.T) {
	l, problems := Core(ParseOptions{})
	for _, p := range problems {
		t.Errorf("%v", p)
	}
	for _, s := range l.Sources {
		if s.Tool == "" || s.Schema != SchemaVersion {
			t.Errorf("%s: tool %q, schema %d", s.File, s.Tool, s.Schema)
		}
	}
}

// TestCoreLint: no generic or colliding intent, no risk of a command or flag
// that is not mapped.
func TestCoreLint(t *testing.T) {
	l, _ := Core(ParseOptions{})
	for _, p := range l.Lint() {
		t.Errorf("%v", p)
	}
}

func TestCoreImageIsFresh(t *testing.T) {
	want, err := BuildCore()
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../../tcpdb/core.tcpdb")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("tcpdb/core.tcpdb is stale: run go generate ./internal/opmap")
	}
}

func TestCoreOperationsAreShipped(t *testing.T) {
	data, err := BuildCore()
	if err != nil {
		t.Fatal(err)
	}
	im, err := tcpdb.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	v := tcpdb.NewView(im)
	for _, op := range v.Operations() {
		if op.Standing != tcpdb.Shipped || !op.Standing.Verified() {
			t.Errorf("%s stands as %v", op.ID, op.Standing)
		}
	}
	if p := v.Problems(); len(p) > 0 {
		t.Errorf("problems: %v", p)
	}
	if root := v.Root("git"); root == nil || root.Sub("reset") == nil {
		t.Errorf("git reset is not in the core: %v", root)
	}
}

// TestCoreBundles: of a word that people type of short options, each letter is
// an option of the command, up to one that takes the rest as its value.
func TestCoreBundles(t *testing.T) {
	l, _ := Core(ParseOptions{})
	for _, s := range l.Sources {
		if s.Node == nil {
			continue
		}
		for node, above := range nodesOf(s.Node, nil) {
			for _, f := range node.Flags {
				for _, word := range f.Bundles {
					if letter := unknownLetter(append(above, node), word); letter != "" {
						t.Errorf("%s: %s: %s has no -%s", s.File, node.Name, word, letter)
					}
				}
			}
		}
	}
}

// nodesOf yields a node and those below it, each with those above it.
func nodesOf(n *Node, above []*Node) iter.Seq2[*Node, []*Node] {
	return func(yield func(*Node, []*Node) bool) {
		if !yield(n, above) {
			return
		}
		for _, sub := range n.Subcommands {
			for m, up := range nodesOf(sub, append(slices.Clip(above), n)) {
				if !yield(m, up) {
					return
				}
			}
		}
	}
}

func unknownLetter(scope []*Node, word string) string {
	for _, c := range word[1:] {
		var flag *Flag
		for _, n := range scope {
			for _, f := range n.Flags {
				if slices.Contains(f.Names, "-"+string(c)) {
					flag = f
				}
			}
		}
		switch {
		case flag == nil:
			return string(c)
		case flag.Value != "" && flag.Value != "none":
			return ""
		}
	}
	return ""
}
