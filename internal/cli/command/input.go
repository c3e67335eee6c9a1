package command

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
)

// Run runs a command whose flags are bound.
type Run func(in Input) error

// Input is what stands on the command line beside the flags. Args are the
// words before "--", Rest those after it; Dashed tells "--" with nothing after
// it from no "--".
type Input struct {
	Args   []string
	Rest   []string
	Dashed bool
}

// Name is the command of a path as it is typed.
func Name(path string) string { return strings.TrimSpace("tmp " + path) }

// CheckArgs holds the words of the line against the node's arguments.
func (n *Node) CheckArgs(path string, in *Input) error {
	// Without arguments of its own after "--", the dashes only end the flags.
	if !slices.ContainsFunc(n.Args, func(a Arg) bool { return a.AfterDash }) {
		in.Args, in.Rest = append(in.Args, in.Rest...), nil
	}
	most, need := 0, 0
	for i := range n.Args {
		a := &n.Args[i]
		switch {
		case a.AfterDash:
			continue
		case a.Repeatable:
			most = len(in.Args)
		case most < len(in.Args) || need < len(in.Args):
			most++
		}
		if a.Required {
			need++
			if len(in.Args) < need {
				return term.Usagef("%s needs <%s>", Name(path), a.Name).Hint("%s", n.Usage(Name(path)))
			}
		}
		if i < len(in.Args) && len(a.Spec.Closed()) > 0 {
			if err := oneOf(a.Spec.Enum, in.Args[i]); err != nil {
				return term.Usagef("<%s>: %s", a.Name, err)
			}
		}
	}
	if len(in.Args) > most {
		return term.Usagef("unexpected argument %q", in.Args[most]).Hint("%s", n.Usage(Name(path)))
	}
	return nil
}

func oneOf(words []Word, s string) error {
	names := make([]string, len(words))
	for i, w := range words {
		if names[i] = w.Value; w.Value == s {
			return nil
		}
	}
	return fmt.Errorf("%q is not one of %s", s, strings.Join(names, ", "))
}
