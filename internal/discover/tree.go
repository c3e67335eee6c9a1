package discover

import (
	"slices"

	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
)

// TreeNode is a command of a draft laid out flat, for programs and for scoring.
type TreeNode struct {
	Path        []string   `json:"path"`
	Description string     `json:"description,omitempty"`
	Aliases     []string   `json:"aliases,omitempty"`
	Flags       []TreeFlag `json:"flags"`
	Args        []TreeArg  `json:"args,omitempty"`
	Subcommands []string   `json:"subcommands"`
}

// TreeFlag is an option. TakesValue is true, false, "optional" or null.
type TreeFlag struct {
	Names       []string `json:"names"`
	TakesValue  any      `json:"takes_value"`
	Values      []string `json:"values,omitempty"`
	Kind        string   `json:"kind,omitempty"`
	Metavar     string   `json:"metavar,omitempty"`
	Default     string   `json:"default,omitempty"`
	Repeatable  bool     `json:"repeatable,omitempty"`
	Deprecated  bool     `json:"deprecated,omitempty"`
	Description string   `json:"description,omitempty"`
	From        []string `json:"from,omitempty"`
}

// TreeArg is a positional argument.
type TreeArg struct {
	Name       string   `json:"name"`
	Values     []string `json:"values,omitempty"`
	Kind       string   `json:"kind,omitempty"`
	Required   bool     `json:"required,omitempty"`
	Repeatable bool     `json:"repeatable,omitempty"`
}

// Tree lays the commands of a draft out flat, each before those below it.
func Tree(root *draft.Node) []TreeNode { return flatten(root, []string{}, nil) }

func flatten(n *draft.Node, path []string, out []TreeNode) []TreeNode {
	t := TreeNode{Path: path, Description: n.Description, Aliases: n.Aliases, Flags: []TreeFlag{}, Subcommands: []string{}}
	for _, f := range n.Flags {
		t.Flags = append(t.Flags, treeFlag(f))
	}
	for _, a := range n.Args {
		t.Args = append(t.Args, TreeArg{Name: a.Name, Values: texts(a.Values), Kind: a.Kind, Required: a.Required, Repeatable: a.Repeatable})
	}
	for _, s := range n.Subs {
		t.Subcommands = append(t.Subcommands, s.Name)
		t.Subcommands = append(t.Subcommands, s.Aliases...)
	}
	out = append(out, t)
	for _, s := range n.Subs {
		out = flatten(s, append(slices.Clone(path), s.Name), out)
	}
	return out
}

func treeFlag(f *draft.Flag) TreeFlag {
	t := TreeFlag{
		Names: f.Names, Values: texts(f.Values), Kind: f.Kind, Metavar: f.Metavar, Default: f.Default,
		Repeatable: f.Repeatable, Deprecated: f.Deprecated, Description: f.Description,
	}
	switch f.Arity {
	case draft.None:
		t.TakesValue = false
	case draft.Required:
		t.TakesValue = true
	case draft.Optional:
		t.TakesValue = "optional"
	}
	for _, at := range f.At {
		if s := at.Source.String(); !slices.Contains(t.From, s) {
			t.From = append(t.From, s)
		}
	}
	return t
}

func texts(values []draft.Value) []string {
	var out []string
	for _, v := range values {
		out = append(out, v.Text)
	}
	return out
}

// TreeGap is what no text tells.
type TreeGap struct {
	Node string `json:"node"`
	From string `json:"from,omitempty"`
	Line int    `json:"line,omitempty"`
	Text string `json:"text"`
}

// TreeGaps lays gaps out for programs.
func TreeGaps(gaps []draft.Gap) []TreeGap {
	out := []TreeGap{}
	for _, g := range gaps {
		t := TreeGap{Node: g.Node, Line: g.At.Line, Text: g.Text}
		if g.At.Source != draft.Unknown {
			t.From = g.At.Source.String()
		}
		out = append(out, t)
	}
	return out
}
