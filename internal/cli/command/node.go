// Package command is a command as the map of tmp describes it: its flags and
// arguments (node.go), of the source of the map or of its compiled form
// (compiled.go), and how they are bound (flags.go) and held against what stands
// on the line (input.go).
package command

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/opmap"
)

// Node is a command in the map of tmp: the part of a source map's node that a
// command line is made of.
type Node struct {
	Name        string    `json:"name"`
	Aliases     []string  `json:"aliases"`
	Description string    `json:"description"`
	Hidden      bool      `json:"hidden"`
	Flags       []Flag    `json:"flags"`
	Args        []Arg     `json:"args"`
	Examples    []example `json:"examples"`
	Subs        []*Node   `json:"subcommands"`
}

type Flag struct {
	ID          string   `json:"id"`
	Names       []string `json:"names"`
	Value       string   `json:"value"`
	Spec        Spec     `json:"value_spec"`
	Hidden      bool     `json:"hidden"`
	Repeatable  bool     `json:"repeatable"`
	Description string   `json:"description"`
}

type Arg struct {
	Name        string `json:"name"`
	Spec        Spec   `json:"value_spec"`
	Required    bool   `json:"required"`
	Repeatable  bool   `json:"repeatable"`
	AfterDash   bool   `json:"after_dash"`
	Description string `json:"description"`
}

type Spec struct {
	Enum     []Word `json:"enum"`
	Type     string `json:"type"`
	Dir      bool   `json:"dir"`
	File     bool   `json:"file"`
	Resolver string `json:"resolver"`

	open bool // other values than the words of the enum are taken too
}

// Closed are the only words that are values, none if others are too: beside a
// resolver an enum is a word more that it offers.
func (s *Spec) Closed() []Word {
	if s.open || s.Resolver != "" {
		return nil
	}
	return s.Enum
}

// Word is a word of a closed set; in JSON a string or an object with
// "value" and "description".
type Word struct{ Value, Description string }

func (w *Word) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '"' {
		return json.Unmarshal(data, &w.Value)
	}
	type plain Word
	return json.Unmarshal(data, (*plain)(w))
}

// example is a command line and what it does.
type example struct {
	Line string `json:"line"`
	Text string `json:"text"`
}

// Load reads the map of tmp that ships with it.
func Load() (*Node, error) {
	data, err := opmap.CoreSource("tmp")
	if err != nil {
		return nil, err
	}
	var m struct {
		Node *Node `json:"node"`
	}
	if err := json.Unmarshal(data, &m); err != nil {
		return nil, fmt.Errorf("the map of tmp itself: %w", err)
	}
	if m.Node == nil {
		return nil, fmt.Errorf("the map of tmp itself has no node")
	}
	Walk(m.Node, "", openValues)
	return m.Node, nil
}

// openValues marks the values of a command for which the map's words are
// examples: ages, sizes and licences, and tasks, of which --tasks brings others.
func openValues(n *Node, path string) {
	open := ""
	switch path {
	case "runs prune":
		open = "older max-size"
	case "schema import", "schema share":
		open = "licence"
	case "benchmark run":
		open = "task"
	default:
		return
	}
	for id := range strings.FieldsSeq(open) {
		for i := range n.Flags {
			if n.Flags[i].Key() == id {
				n.Flags[i].Spec.open = true
			}
		}
		for i := range n.Args {
			if n.Args[i].Name == id {
				n.Args[i].Spec.open = true
			}
		}
	}
}

// Find returns the node of the path "output show", or nil.
func (n *Node) Find(path string) *Node {
	for _, name := range strings.Fields(path) {
		var next *Node
		for _, s := range n.Subs {
			if s.Name == name {
				next = s
			}
		}
		if n = next; n == nil {
			return nil
		}
	}
	return n
}

// Long returns the flag's long name without dashes, short its letter; either may be "".
func (f *Flag) Long() string {
	for _, n := range f.Names {
		if strings.HasPrefix(n, "--") {
			return n[2:]
		}
	}
	return ""
}

func (f *Flag) Short() string {
	for _, n := range f.Names {
		if len(n) == 2 && n[0] == '-' && n[1] != '-' {
			return n[1:]
		}
	}
	return ""
}

// Key is the name by which a command binds the flag.
func (f *Flag) Key() string {
	switch {
	case f.ID != "":
		return f.ID
	case f.Long() != "":
		return f.Long()
	}
	return f.Short()
}

// Placeholder names the flag's value in help: "<duration>", "bash|zsh|fish".
func (f *Flag) Placeholder() string {
	if f.Value != "required" && f.Value != "optional" {
		return ""
	}
	var s string
	switch {
	case len(f.Spec.Closed()) > 0:
		words := make([]string, len(f.Spec.Enum))
		for i, w := range f.Spec.Enum {
			words[i] = w.Value
		}
		s = strings.Join(words, "|")
	case f.Spec.Type != "":
		s = "<" + f.Spec.Type + ">"
	case f.Spec.Dir:
		s = "<dir>"
	case f.Spec.File:
		s = "<file>"
	default:
		s = "<" + f.Key() + ">"
	}
	if f.Value == "optional" {
		return "[=" + s + "]"
	}
	return " " + s
}

// Usage is the command's one-line synopsis, "tmp resolve [flags] <intent>…".
func (n *Node) Usage(path string) string {
	var b strings.Builder
	b.WriteString(path)
	for i := range n.Flags {
		if !n.Flags[i].Hidden {
			b.WriteString(" [flags]")
			break
		}
	}
	if len(n.Subs) > 0 && len(n.Args) == 0 {
		b.WriteString(" <command>")
	}
	var after []string
	for _, a := range n.Args {
		w := "<" + a.Name + ">"
		if a.Repeatable {
			w += "…"
		}
		if a.AfterDash {
			after = append(after, w)
			continue
		}
		if !a.Required {
			w = "[" + w + "]"
		}
		b.WriteString(" " + w)
	}
	if len(after) > 0 {
		b.WriteString(" [-- " + strings.Join(after, " ") + "]")
	}
	return b.String()
}

// Walk visits the node and all below it in the map's order.
func Walk(n *Node, path string, visit func(n *Node, path string)) {
	visit(n, path)
	for _, s := range n.Subs {
		Walk(s, strings.TrimSpace(path+" "+s.Name), visit)
	}
}
