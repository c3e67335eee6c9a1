// Package discover drafts the map of a tool from what is written about it: help
// output, manual pages, completion scripts. It starts no process and opens no
// file of the tool; whoever has the texts hands them in.
//
// A draft is not verified. Every flag and command says which texts name it, and
// what the texts leave open is a gap, not a guess.
package discover

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/discover/code"
	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
	"github.com/tool-mapping-protocol/tmp/internal/discover/help"
	"github.com/tool-mapping-protocol/tmp/internal/discover/man"
	"github.com/tool-mapping-protocol/tmp/internal/discover/script"
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
	// Completion scripts for the tool, "" if there is none.
	Fish, Zsh, Bash string
	// Code is the tool's own source where it is a script and its help cannot be
	// had; "" elsewhere.
	Code string
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
	inherit(root, nil)
	scripts(root, t)
	if t.Code != "" {
		root.Merge(guarded(draft.Code, func() *draft.Node { return code.Parse(t.Code, t.Tool) }))
	}
	return root, gaps(root, nil, nil)
}

// readNode reads the texts of one command.
func readNode(tool string, text Text) *draft.Node {
	path := append([]string{tool}, text.Path...)
	n := &draft.Node{}
	if text.Help != "" {
		n.Merge(guarded(draft.Help, func() *draft.Node { return help.Parse(text.Help, path) }))
	}
	if len(text.Man) > 0 {
		n.Merge(guarded(draft.Man, func() *draft.Node { return man.Parse(text.Man, path, text.Include) }))
	}
	return n
}

// guarded reads one text. A fault of ours in reading a stranger's text costs
// that text and is a gap; the other texts are still read.
func guarded(from draft.Source, read func() *draft.Node) (n *draft.Node) {
	defer func() {
		if r := recover(); r != nil {
			n = &draft.Node{Gaps: []draft.Gap{{At: draft.Place{Source: from}, Text: fmt.Sprintf("the text could not be read: %v", r)}}}
		}
	}()
	return read()
}

// scripts merges what completion scripts offer.
func scripts(root *draft.Node, t Texts) {
	if t.Fish != "" {
		root.Merge(confirmed(guarded(draft.Script, func() *draft.Node { return script.Fish(t.Fish, t.Tool) }), root, t))
	}
	if t.Zsh != "" {
		root.Merge(confirmed(guarded(draft.Script, func() *draft.Node { return script.Zsh(t.Zsh, t.Tool) }), root, t))
	}
	if t.Bash != "" {
		root.Merge(confirmed(guarded(draft.Script, func() *draft.Node { return script.Bash(t.Bash, t.Tool) }), root, t))
	}
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
