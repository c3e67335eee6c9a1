package help

import (
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/discover/draft"
)

// commandTree reads a list that has no texts but shows the commands below each
// command deeper than it:
//
//	alert
//	  query* [<flags>]
//	  add [<flags>] [<labels>...]
//
// It is empty if a line is anything else than a name with its arguments.
func commandTree(lines []Line) []*draft.Node {
	type level struct {
		indent int
		node   *draft.Node
	}
	root := &draft.Node{}
	above := []level{{-1, root}}
	deep, args := false, false
	for _, l := range lines {
		if l.Text == "" {
			continue
		}
		name, rest, _ := strings.Cut(l.Text, " ")
		name = strings.TrimSuffix(name, "*") // the one that is taken if none is named
		if l.Tag || !commandWord(name) || !onlyArguments(rest) {
			return nil
		}
		for l.Indent <= above[len(above)-1].indent {
			above = above[:len(above)-1]
		}
		deep, args = deep || len(above) > 1, args || rest != ""
		if len(above) > 5 {
			return nil
		}
		n := above[len(above)-1].node.AddSub(name, draft.Place{Source: draft.Help, Line: l.No})
		above = append(above, level{l.Indent, n})
	}
	if !deep || !args {
		return nil
	}
	return root.Subs
}

// onlyArguments reports whether every word of s is an argument or an option.
func onlyArguments(s string) bool {
	for w := range strings.FieldsSeq(s) {
		if strings.IndexByte("[<({-", w[0]) < 0 {
			return false
		}
	}
	return !strings.Contains(s, "  ")
}
