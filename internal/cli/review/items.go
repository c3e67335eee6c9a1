package review

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/evidence"
	"github.com/tool-mapping-protocol/tmp/internal/opmap"
)

// state is what the person decided of an item.
type state uint8

const (
	open state = iota
	accepted
	rejected
)

// mark stands before an item; letters, so that nothing hangs on a colour.
func (s state) mark() string { return [...]string{" ", "+", "x"}[s] }

// item is one thing of the map that is decided by itself: a command, an option,
// an argument, an operation.
type item struct {
	depth   int
	path    []string // of the command it belongs to, without the tool
	names   []string // what to look for in the texts
	state   state
	edited  bool
	missing bool // no text names it

	node   *opmap.Node // a command, else nil
	flag   *opmap.Flag
	arg    *opmap.Arg
	op     *opmap.Operation
	parent *opmap.Node // of a command: the one above, nil for the root

	undo func() // takes the edits back; nil if there are none
}

// items lists what there is to decide, each command before what belongs to it.
func items(s *opmap.Source, missing []evidence.Missing) []*item {
	gone := map[string]bool{}
	for _, m := range missing {
		gone[m.Field] = true
	}
	b := &builder{gone: gone}
	if s.Node != nil {
		b.node(s.Node, nil, nil, "node", 0)
	}
	for i, op := range s.Operations {
		field := fmt.Sprintf("operations[%d].template", i)
		if s.Tool == "" && len(s.Operations) == 1 {
			field = "template"
		}
		b.items = append(b.items, &item{op: op, path: commandOf(s, op), names: optionsIn(op.Template), missing: gone[field]})
	}
	return b.items
}

type builder struct {
	items []*item
	gone  map[string]bool
}

func (b *builder) node(n, parent *opmap.Node, path []string, field string, depth int) {
	above := path[:max(0, len(path)-1)]
	it := &item{depth: depth, path: above, node: n, parent: parent, missing: b.gone[field]}
	if parent != nil {
		it.names = append([]string{n.Name}, n.Aliases...)
	}
	b.items = append(b.items, it)
	for i, f := range n.Flags {
		b.items = append(b.items, &item{
			depth: depth + 1, path: path, names: f.Names, flag: f, parent: n, missing: b.gone[fmt.Sprintf("%s.flags[%d]", field, i)],
		})
	}
	for _, a := range n.Args {
		b.items = append(b.items, &item{depth: depth + 1, path: path, names: []string{a.Name, strings.ToUpper(a.Name)}, arg: a, parent: n})
	}
	for i, sub := range n.Subcommands {
		b.node(sub, n, append(slices.Clone(path), sub.Name), fmt.Sprintf("%s.subcommands[%d]", field, i), depth+1)
	}
}

// commandOf is the command that a template runs, as far as the map's tree has it.
func commandOf(s *opmap.Source, op *opmap.Operation) []string {
	words := strings.Fields(op.Template)
	var path []string
	n := s.Node
	for i := 1; i < len(words) && n != nil; i++ {
		k := slices.IndexFunc(n.Subcommands, func(sub *opmap.Node) bool { return sub.Name == words[i] || slices.Contains(sub.Aliases, words[i]) })
		if k < 0 {
			break
		}
		n = n.Subcommands[k]
		path = append(path, n.Name)
	}
	return path
}

func optionsIn(template string) []string {
	var out []string
	for _, w := range strings.Fields(template) {
		if name, _, _ := strings.Cut(w, "="); strings.HasPrefix(name, "-") && len(name) > 1 && !strings.Contains(name, "<") {
			out = append(out, name)
		}
	}
	return out
}

// hash identifies an item by what it says and where: what was accepted once is
// accepted while it stays so.
func (it *item) hash(tool string) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%q\n", tool, it.path)
	switch {
	case it.flag != nil:
		f := *it.flag
		f.From = nil // lines move with every version
		h.Write(f.JSON())
	case it.arg != nil:
		h.Write(it.arg.JSON())
	case it.op != nil:
		h.Write(it.op.JSON())
	default:
		n := *it.node
		n.Flags, n.Args, n.Subcommands = nil, nil, nil
		h.Write(n.JSON())
	}
	return hex.EncodeToString(h.Sum(nil))
}

// label is an item in its row.
func (it *item) label() string {
	switch {
	case it.flag != nil:
		s := strings.Join(it.flag.Names, ", ")
		switch it.flag.Value {
		case "required":
			s += " VALUE"
		case "optional":
			s += " [VALUE]"
		}
		return s
	case it.arg != nil:
		s := "<" + it.arg.Name + ">"
		if it.arg.Repeatable {
			s += "…"
		}
		return s
	case it.op != nil:
		return "operation " + it.op.ID
	}
	return strings.Join(append([]string{it.node.Name}, it.node.Aliases...), ", ")
}

// says is what the map says of an item, a line each.
func (it *item) says() []string {
	var out []string
	add := func(name, text string) {
		if text != "" {
			out = append(out, name+": "+text)
		}
	}
	for _, f := range fieldsOf(it) {
		add(f.name, f.text)
	}
	switch {
	case it.flag != nil && it.flag.Repeatable:
		add("also", "may be repeated")
	case it.op != nil:
		add("also", "effect and risk are the map's word: no text of the tool has them")
	}
	return out
}

// snapshot returns a function that makes an item what it is now.
func (it *item) snapshot() func() {
	switch {
	case it.flag != nil:
		old := *it.flag
		return func() { *it.flag = old }
	case it.arg != nil:
		old := *it.arg
		return func() { *it.arg = old }
	case it.op != nil:
		old := *it.op
		return func() { *it.op = old }
	}
	old := *it.node
	return func() {
		n := it.node
		n.Name, n.Aliases, n.Description, n.Hidden = old.Name, old.Aliases, old.Description, old.Hidden
	}
}

// below reports whether the item is a command or belongs to it or to one beneath.
func (it *item) below(n *opmap.Node, all []*item) bool {
	for up := it; up != nil; {
		if up.node == n || up.parent == n {
			return true
		}
		up = commandItem(up.parent, all)
	}
	return false
}

// commandItem is the item of a command.
func commandItem(n *opmap.Node, all []*item) *item {
	for _, it := range all {
		if n != nil && it.node == n {
			return it
		}
	}
	return nil
}

// pruned is the map without what was rejected.
func pruned(s *opmap.Source, all []*item) *opmap.Source {
	gone := map[any]bool{}
	for _, it := range all {
		if it.state == rejected {
			switch {
			case it.flag != nil:
				gone[it.flag] = true
			case it.arg != nil:
				gone[it.arg] = true
			case it.op != nil:
				gone[it.op] = true
			default:
				gone[it.node] = true
			}
		}
	}
	out := *s
	if s.Node != nil {
		out.Node = prunedNode(s.Node, gone)
	}
	out.Operations = slices.DeleteFunc(slices.Clone(s.Operations), func(op *opmap.Operation) bool { return gone[op] })
	return &out
}

func prunedNode(n *opmap.Node, gone map[any]bool) *opmap.Node {
	out := *n
	out.Flags = slices.DeleteFunc(slices.Clone(n.Flags), func(f *opmap.Flag) bool { return gone[f] })
	out.Args = slices.DeleteFunc(slices.Clone(n.Args), func(a *opmap.Arg) bool { return gone[a] })
	out.Subcommands = nil
	for _, sub := range n.Subcommands {
		if !gone[sub] {
			out.Subcommands = append(out.Subcommands, prunedNode(sub, gone))
		}
	}
	return &out
}
