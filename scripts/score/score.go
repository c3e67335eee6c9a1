package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/discover"
)

// counts are what is counted over nodes. Every spelling of a flag is one item.
type counts struct {
	nodes, exact, judged     int
	right, wrong             int // names that the tool has, that it has not
	documented, found        int // true names in the texts, those of them found
	values, valuesRight      int // names found whose arity is known
	both, bothRight          int // documented names whose arity is known, found with it
	subsRight, subsWrong     int
	subsDocumented, subsSeen int
	words, wordsSeen         int // words of closed sets
}

func (c *counts) add(o counts) {
	c.nodes, c.exact, c.judged = c.nodes+o.nodes, c.exact+o.exact, c.judged+o.judged
	c.right, c.wrong = c.right+o.right, c.wrong+o.wrong
	c.documented, c.found = c.documented+o.documented, c.found+o.found
	c.values, c.valuesRight = c.values+o.values, c.valuesRight+o.valuesRight
	c.both, c.bothRight = c.both+o.both, c.bothRight+o.bothRight
	c.subsRight, c.subsWrong = c.subsRight+o.subsRight, c.subsWrong+o.subsWrong
	c.subsDocumented, c.subsSeen = c.subsDocumented+o.subsDocumented, c.subsSeen+o.subsSeen
	c.words, c.wordsSeen = c.words+o.words, c.wordsSeen+o.wordsSeen
}

// rates are shares from 0 to 1, -1 where nothing was to be judged.
type rates struct {
	Precision, Recall, Value, NameValue, Exact, SubPrecision, SubRecall, Enum float64
}

func share(part, whole int) float64 {
	if whole == 0 {
		return -1
	}
	return float64(part) / float64(whole)
}

func (c counts) rates() rates {
	return rates{
		share(c.right, c.right+c.wrong), share(c.found, c.documented), share(c.valuesRight, c.values), share(c.bothRight, c.both),
		share(c.exact, c.judged), share(c.subsRight, c.subsRight+c.subsWrong), share(c.subsSeen, c.subsDocumented), share(c.wordsSeen, c.words),
	}
}

// source says which texts count: a name is documented where they name it.
type source string

const (
	helpText source = "help"
	manText  source = "man"
	anyText  source = "any"
)

// ignored are names that are not judged: every tool has them.
func ignored(name string) bool {
	switch name {
	case "-h", "--help", "-help", "-?", "-V", "--version", "-version", "--usage", "--help-all", "help", "completion", "__complete", "-", "--":
		return true
	}
	return false
}

// plainName is a name without a value.
func plainName(n string) string {
	if len(n) > 1 && n[0] == '-' {
		n, _, _ = strings.Cut(n, "=")
	}
	return n
}

// fault is something that differs from the truth.
type fault struct {
	path []string
	what string
}

// score compares what was drafted of a tool with its truth.
func score(t *tool, nodes []discover.TreeNode, src source) (c counts, faults []fault) {
	for i := range t.truth.Nodes {
		n := &t.truth.Nodes[i]
		if src == helpText && !set(n.Help) || src == manText && !set(n.Man) {
			continue
		}
		var drafted *discover.TreeNode
		if j := slices.IndexFunc(nodes, func(d discover.TreeNode) bool { return slices.Equal(d.Path, n.Path) }); j >= 0 {
			drafted = &nodes[j]
		}
		one, what := scoreNode(n, drafted, src)
		if src != manText && (n.Subs != nil || t.truth.Family != "getopt") {
			what = append(what, scoreSubs(n, drafted, &one)...)
		}
		c.add(one)
		for _, w := range what {
			faults = append(faults, fault{n.Path, w})
		}
	}
	return c, faults
}

func set(v any) bool { return v != nil && v != false && v != "" }

// judges reports whether a name is judged in a node.
func (n *truthNode) judges(name string) bool {
	if ignored(name) {
		return false
	}
	if len(name) == 2 && name[0] == '-' {
		return n.Scope == nil || n.Scope.Short == nil || *n.Scope.Short
	}
	return n.judgesLong()
}

func (n *truthNode) judgesLong() bool { return n.Scope == nil || n.Scope.Long == nil || *n.Scope.Long }

// wanted is what the truth says of one command's options, by plain name.
type wanted struct {
	takes      map[string]any // true, false, or nil where it is not known
	documented map[string]bool
	words      map[string][]string
}

// wanted collects what is judged of a command.
func (n *truthNode) wanted(src source) wanted {
	w := wanted{map[string]any{}, map[string]bool{}, map[string][]string{}}
	for _, f := range n.Flags {
		for _, name := range f.Names {
			k := plainName(name)
			if !n.judges(k) {
				continue
			}
			w.takes[k] = f.TakesValue
			if len(f.Values) > 0 {
				w.words[k] = f.Values
			}
			if src != manText && slices.Contains(f.InHelp, name) || src != helpText && slices.Contains(f.InMan, name) {
				w.documented[k] = true
			}
		}
	}
	return w
}

// scoreNode holds the draft of one command against the truth; what names each
// difference.
func scoreNode(n *truthNode, drafted *discover.TreeNode, src source) (c counts, what []string) {
	want := n.wanted(src)
	c.nodes = 1
	if len(want.takes) == 0 && !n.judgesLong() {
		return c, nil
	}
	has, hasWords := map[string]any{}, map[string][]string{}
	if drafted != nil {
		for _, f := range drafted.Flags {
			for _, name := range f.Names {
				if k := plainName(name); n.judges(k) {
					has[k], hasWords[k] = f.TakesValue, f.Values
				}
			}
		}
	}
	what = append(c.drafted(n, has, want), c.missing(has, hasWords, want)...)
	c.judged = 1
	if c.wrong == 0 && c.found == c.documented {
		c.exact = 1
	}
	slices.Sort(what)
	return c, what
}

// drafted counts the options of a draft that are right and wrong.
func (c *counts) drafted(n *truthNode, has map[string]any, want wanted) (what []string) {
	for k, arity := range has {
		takes, ok := want.takes[k]
		switch {
		case ok:
			c.right++
			if yes, known := takes.(bool); known {
				c.values++
				if agrees(arity, yes) {
					c.valuesRight++
				} else {
					what = append(what, fmt.Sprintf("%s: takes a value %v, want %v", k, arity, yes))
				}
			}
		case !slices.ContainsFunc(n.Accept, func(a string) bool { return plainName(a) == k }):
			c.wrong++
			what = append(what, k+": is no option")
		}
	}
	return what
}

// missing counts the documented options that a draft has and lacks.
func (c *counts) missing(has map[string]any, hasWords map[string][]string, want wanted) (what []string) {
	for k := range want.documented {
		arity, found := has[k]
		c.documented++
		if found {
			c.found++
		} else {
			what = append(what, k+": is missing")
		}
		if yes, known := want.takes[k].(bool); known {
			c.both++
			if found && agrees(arity, yes) {
				c.bothRight++
			}
		}
		if found {
			for _, w := range want.words[k] {
				c.words++
				if slices.Contains(hasWords[k], w) {
					c.wordsSeen++
				} else {
					what = append(what, k+": its value "+w+" is missing")
				}
			}
		}
	}
	return what
}

// agrees compares a drafted arity with a true one. An optional value is one.
func agrees(arity any, takes bool) bool {
	return arity != nil && (arity != false && arity != "") == takes
}

func scoreSubs(n *truthNode, drafted *discover.TreeNode, c *counts) (what []string) {
	var have []string
	if drafted != nil {
		have = drafted.Subcommands
	}
	seen := map[string]bool{}
	for _, s := range have {
		if ignored(s) || seen[s] {
			continue
		}
		seen[s] = true
		if slices.Contains(n.Subs, s) {
			c.subsRight++
		} else {
			c.subsWrong++
			what = append(what, s+": is no sub-command")
		}
	}
	for _, s := range n.SubInHelp {
		if ignored(s) {
			continue
		}
		c.subsDocumented++
		if seen[s] {
			c.subsSeen++
		} else {
			what = append(what, s+": sub-command is missing")
		}
	}
	return what
}
