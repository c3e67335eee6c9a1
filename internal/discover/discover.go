// Package discover drafts the map of a tool from what is written about it: help
// output, manual pages, completion scripts. It starts no process and opens no
// file of the tool; whoever has the texts hands them in.
//
// A draft is not verified. Every flag and command says which texts name it, and
// what the texts leave open is a gap, not a guess.
package discover

import (
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
	"github.com/tool-mapping-protocol/tmp/internal/discover/help"
	"github.com/tool-mapping-protocol/tmp/internal/discover/man"
)

// Text is what is written about one command of a tool. Each field may be empty.
type Text struct {
	Path []string // the words after the tool's name; none for the tool itself
	Help string   // what the command prints for --help, standard output and error
	Man  []byte   // source of its manual page: man or mdoc macros, decompressed
	// Include gives the page that a ".so" line of Man names; nil includes none.
	Include func(name string) []byte
}

// Texts are the texts about one tool.
type Texts struct {
	Tool  string // the name that it is called by, "git"
	Nodes []Text
}

// Parse drafts the tree of a tool. Texts of one command are merged: names are
// joined; where facts differ, the source that is trusted more is believed.
func Parse(t Texts) (*draft.Node, []draft.Gap) {
	root := &draft.Node{Name: t.Tool}
	nodes := slices.Clone(t.Nodes)
	slices.SortStableFunc(nodes, func(a, b Text) int { return len(a.Path) - len(b.Path) })
	for _, text := range nodes {
		n := root
		for _, word := range text.Path {
			n = n.AddSub(word, draft.Place{})
		}
		read := readNode(t.Tool, text)
		read.Name = n.Name
		n.Merge(read)
	}
	inherit(root, nodes)
	return root, gaps(root, nil, nil)
}

// readNode reads the texts of one command.
func readNode(tool string, text Text) *draft.Node {
	path := append([]string{tool}, text.Path...)
	n := &draft.Node{}
	if text.Help != "" {
		n = help.Parse(text.Help, path)
	}
	if len(text.Man) > 0 {
		n.Merge(man.Parse(text.Man, path, text.Include))
	}
	return n
}

// inherit removes from commands that have texts of their own what is only
// guessed from the usage line of the command above.
func inherit(root *draft.Node, texts []Text) {
	for _, t := range texts {
		if len(t.Path) == 0 {
			continue
		}
		n := find(root, t.Path)
		if n == nil || !hasOwn(n) {
			continue
		}
	}
}

func hasOwn(n *draft.Node) bool {
	return slices.ContainsFunc(n.Flags, func(f *draft.Flag) bool { return len(f.At) > 0 && f.At[0].Source > draft.Usage })
}

func find(root *draft.Node, path []string) *draft.Node {
	n := root
	for _, word := range path {
		if n = n.Sub(word); n == nil {
			return nil
		}
	}
	return n
}

// gaps collects what the texts of a tree leave open.
func gaps(n *draft.Node, above []string, out []draft.Gap) []draft.Gap {
	path := append(slices.Clone(above), n.Name)
	name := strings.Join(path, " ")
	for _, g := range n.Gaps {
		g.Node = name
		out = append(out, g)
	}
	if len(n.Flags) == 0 && len(n.Subs) == 0 && len(n.Args) == 0 {
		out = append(out, draft.Gap{Node: name, At: n.At, Text: "no text describes its options"})
	}
	for _, s := range n.Subs {
		out = gaps(s, path, out)
	}
	return out
}
