package opmap

import (
	"slices"
	"strings"
	"testing"
)

// TestOptionsAreSaidOnce: where a tool has a map, its risk file does not repeat
// options that the map has of the same command. What remains in a risk file is of
// commands that the map does not have.
func TestOptionsAreSaidOnce(t *testing.T) {
	l, _ := Core(ParseOptions{})
	maps := map[string]*Node{}
	for _, s := range l.Sources {
		maps[s.Tool] = s.Node
	}
	for _, r := range l.Risks {
		home, _, _ := strings.Cut(strings.TrimPrefix(r.File, "core/tools/"), "/")
		if maps[home] == nil || !strings.HasPrefix(r.File, "core/tools/") {
			continue
		}
		byLine := map[int][]*RiskCommand{} // commands that share an entry share its options
		for _, c := range r.Commands {
			byLine[c.line] = append(byLine[c.line], c)
		}
		for line, group := range byLine {
			var keys []string
			for _, c := range group {
				keys = append(keys, c.Key)
			}
			for _, o := range repeated(maps[home], keys, group[0].Options) {
				t.Errorf("%s:%d: %q is in the map", r.File, line, o)
			}
		}
		for _, x := range r.Programs {
			for _, o := range repeated(maps[home], x.keys(), x.Options) {
				t.Errorf("%s: program %v: %q is in the map", r.File, x.keys(), o)
			}
		}
	}
}

// repeated are the options all of whose names the map has of each of the commands;
// one that adds a role is none.
func repeated(root *Node, keys, options []string) []string {
	var out []string
	for _, text := range options {
		f, err := parseOption(text)
		if err != nil || f.Role != "" {
			continue
		}
		if !slices.ContainsFunc(keys, func(key string) bool { return !hasAll(nodeOf(root, key), f.Names) }) {
			out = append(out, text)
		}
	}
	return out
}

// nodeOf is the command of a canonical path, nil if the map does not have it.
func nodeOf(n *Node, key string) *Node {
	words := strings.Fields(key)
	if words[0] != n.Name {
		return nil
	}
	for _, w := range words[1:] {
		i := slices.IndexFunc(n.Subcommands, func(s *Node) bool { return s.Name == w })
		if i < 0 {
			return nil
		}
		n = n.Subcommands[i]
	}
	return n
}

func hasAll(n *Node, names []string) bool {
	if n == nil || n.Partial {
		return false
	}
	for _, name := range names {
		if !slices.ContainsFunc(n.Flags, func(f *Flag) bool { return slices.Contains(f.Names, name) }) {
			return false
		}
	}
	return true
}
