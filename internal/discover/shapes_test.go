package discover_test

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tool-mapping-protocol/tmp/internal/discover"
)

// shapes are texts with made-up names, one a line: the kind, the form ("help",
// "man"; what a program prints when it is run is not read here), the text, and
// what is right of it as claims:
//
//	--x req, --x opt, --x none    whether it takes a value
//	--x in a,b                    values that it lists; --x noenum: it lists none
//	-a~--b, -a!~--b               one option, two options
//	!--x, root!--x                no option at all, none of the program itself
//	sub x, !sub x                 a command
//
//go:embed testdata/shapes.tsv
var shapes string

func TestShapes(t *testing.T) {
	for _, line := range strings.Split(strings.TrimSpace(shapes), "\n")[1:] {
		cells := strings.Split(line, "\t")
		if len(cells) < 4 {
			t.Fatalf("%q has no four cells", line)
		}
		text := discover.Text{}
		switch source := unescaped(cells[2]); cells[1] {
		case "help":
			text.Help = source
		case "man":
			text.Man = []byte(source)
		default:
			continue
		}
		root, _ := discover.Parse(discover.Texts{Tool: "kelp", Nodes: []discover.Text{text}})
		tree := discover.Tree(root)
		for claim := range strings.SplitSeq(cells[3], ";") {
			if claim = strings.TrimSpace(claim); !holds(tree, claim) {
				t.Errorf("%s: not so: %s\n%s", cells[0], claim, show(tree))
			}
		}
	}
}

func unescaped(s string) string {
	return strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, "\t").Replace(s)
}

func show(tree []discover.TreeNode) string {
	var b strings.Builder
	for _, n := range tree {
		fmt.Fprintf(&b, "  %q:", strings.Join(n.Path, " "))
		for _, f := range n.Flags {
			fmt.Fprintf(&b, " %s=%v%q", strings.Join(f.Names, "/"), f.TakesValue, f.Values)
		}
		fmt.Fprintf(&b, " > %q\n", n.Subcommands)
	}
	return b.String()
}

// find is the option of a name in any command.
func find(tree []discover.TreeNode, name string) *discover.TreeFlag {
	for i := range tree {
		for j := range tree[i].Flags {
			if f := &tree[i].Flags[j]; slices.Contains(f.Names, name) {
				return f
			}
		}
	}
	return nil
}

func holds(tree []discover.TreeNode, claim string) bool {
	command := func(name string) bool {
		return slices.ContainsFunc(tree, func(n discover.TreeNode) bool {
			return slices.Contains(n.Subcommands, name) || len(n.Path) > 0 && n.Path[len(n.Path)-1] == name
		})
	}
	if name, ok := strings.CutPrefix(claim, "sub "); ok {
		return command(name)
	}
	if name, ok := strings.CutPrefix(claim, "!sub "); ok {
		return !command(name)
	}
	if a, b, ok := strings.Cut(claim, "!~"); ok {
		f := find(tree, a)
		return f == nil || !slices.Contains(f.Names, b)
	}
	if a, b, ok := strings.Cut(claim, "~"); ok {
		f := find(tree, a)
		return f != nil && slices.Contains(f.Names, b)
	}
	if name, ok := strings.CutPrefix(claim, "root!"); ok {
		return len(tree[0].Flags) > 0 && find(tree[:1], name) == nil
	}
	if name, ok := strings.CutPrefix(claim, "!"); ok {
		return find(tree, name) == nil
	}
	name, said, _ := strings.Cut(claim, " ")
	f := find(tree, name)
	if f == nil {
		return false
	}
	switch said {
	case "req":
		return f.TakesValue == true
	case "opt":
		return f.TakesValue == "optional"
	case "none":
		return f.TakesValue == false
	case "noenum":
		return len(f.Values) == 0
	}
	words, ok := strings.CutPrefix(said, "in ")
	for w := range strings.SplitSeq(words, ",") {
		ok = ok && slices.Contains(f.Values, w)
	}
	return ok
}
