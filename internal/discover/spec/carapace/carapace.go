// Package carapace reads command specs of carapace
// (https://carapace-sh.github.io/carapace-spec): YAML with a tree of commands,
// flags and the actions that complete them. Nothing of a spec is run: an action
// that runs a command is a gap, or one of our resolvers where that lists the same.
package carapace

import (
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
)

// Bounds of a spec.
const (
	maxDepth = 40      // of commands below commands
	maxItems = 400_000 // of values that are looked at, those that aliases repeat too
	maxNames = 20_000  // of commands and flags
)

// Read reads a spec. The error is a *draft.Fault.
func Read(data []byte) (*draft.Node, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		return nil, fault(err)
	}
	r := &reader{}
	if len(doc.Content) == 0 {
		return nil, draft.Faultf(1, "is empty")
	}
	top := r.follow(doc.Content[0])
	if top.Kind != yaml.MappingNode {
		return nil, draft.Faultf(top.Line, "is no object")
	}
	n := r.command(top, 0)
	switch {
	case r.fault != nil:
		return nil, r.fault
	case n.Name == "":
		return nil, draft.Faultf(top.Line, "has no name")
	}
	return n, nil
}

// fault makes one of an error of the YAML parser, which tells the line in text.
func fault(err error) *draft.Fault {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	line := 0
	if rest, ok := strings.CutPrefix(text, "line "); ok {
		digits, after, _ := strings.Cut(rest, ": ")
		for _, c := range digits {
			line = line*10 + int(c-'0')
		}
		text = after
	}
	return draft.Faultf(line, "not YAML: %s", text)
}

// reader reads the nodes of one document and stops at the first fault.
type reader struct {
	items int
	names int // commands and flags
	fault *draft.Fault
}

func (r *reader) failf(line int, format string, args ...any) {
	if r.fault == nil {
		r.fault = draft.Faultf(line, format, args...)
	}
}

// follow returns what an alias stands for and counts what is looked at.
func (r *reader) follow(n *yaml.Node) *yaml.Node {
	if r.items++; r.items > maxItems {
		r.failf(n.Line, "holds more than %d values", maxItems)
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Line: n.Line}
	}
	for n.Kind == yaml.AliasNode && n.Alias != nil {
		n = n.Alias
	}
	return n
}

// each calls do for the members of an object in their order; what "<<" takes
// over comes first, without what the object says itself.
func (r *reader) each(n *yaml.Node, do func(key string, line int, v *yaml.Node)) {
	r.members(n, 0, map[string]bool{}, do)
}

func (r *reader) members(n *yaml.Node, depth int, seen map[string]bool, do func(string, int, *yaml.Node)) {
	switch {
	case n.Kind == yaml.ScalarNode && n.Tag == "!!null":
		return
	case n.Kind != yaml.MappingNode:
		r.failf(n.Line, "is no object")
		return
	case depth > 8:
		r.failf(n.Line, "takes over objects more than 8 deep")
		return
	}
	own := map[string]int{}
	for i := 0; i+1 < len(n.Content) && r.fault == nil; i += 2 {
		key, v := n.Content[i], r.follow(n.Content[i+1])
		if first, twice := own[key.Value]; twice && key.Tag != "!!merge" {
			r.failf(key.Line, "%q is given a second time: line %d has it too", key.Value, first)
			return
		}
		own[key.Value] = key.Line
		if key.Tag == "!!merge" || seen[key.Value] {
			continue
		}
		seen[key.Value] = true
		do(key.Value, key.Line, v)
	}
	for i := 0; i+1 < len(n.Content) && r.fault == nil; i += 2 {
		if n.Content[i].Tag != "!!merge" {
			continue
		}
		v := r.follow(n.Content[i+1])
		if v.Kind != yaml.SequenceNode {
			r.members(v, depth+1, seen, do)
			continue
		}
		for _, one := range v.Content {
			r.members(r.follow(one), depth+1, seen, do)
		}
	}
}

// list returns the items of a list; one value alone is a list of it.
func (r *reader) list(n *yaml.Node) []*yaml.Node {
	switch n.Kind {
	case yaml.SequenceNode:
		out := make([]*yaml.Node, 0, len(n.Content))
		for _, c := range n.Content {
			out = append(out, r.follow(c))
		}
		return out
	case yaml.ScalarNode:
		if n.Tag == "!!null" {
			return nil
		}
		return []*yaml.Node{n}
	}
	r.failf(n.Line, "is no list")
	return nil
}

func (r *reader) text(n *yaml.Node) string {
	if n.Kind != yaml.ScalarNode {
		r.failf(n.Line, "is no text")
		return ""
	}
	if n.Tag == "!!null" {
		return ""
	}
	return n.Value
}

func (r *reader) texts(n *yaml.Node) []string {
	var out []string
	for _, item := range r.list(n) {
		out = append(out, r.text(item))
	}
	return out
}

func at(line int) draft.Place { return draft.Place{Source: draft.Spec, Line: line} }

func gap(n *draft.Node, line int, text string) {
	n.Gaps = append(n.Gaps, draft.Gap{At: at(line), Text: text})
}
