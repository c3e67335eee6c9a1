package policy

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"text/tabwriter"

	"github.com/tool-mapping-protocol/tmp/internal/ask/facts"
	"github.com/tool-mapping-protocol/tmp/internal/cli/command"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/place"
)

// allowList is the JSON of tmp allow list.
type allowList struct {
	V       int               `json:"v"`
	Allowed []facts.Allowance `json:"allowed"`
}

// NewAllowList is tmp allow list.
func NewAllowList(env *term.Env, f *command.Flags) command.Run {
	var asJSON bool
	f.Bool("json", &asJSON)
	return func(command.Input) error {
		state := place.Find(env.Getenv).State
		all, err := facts.Allowed(state)
		if old := (*facts.OldFormError)(nil); errors.As(err, &old) {
			env.Notice("%v", old)
			err = facts.Change(state, func(all []facts.Allowance) []facts.Allowance { return all })
		}
		if err != nil {
			return err
		}
		if asJSON {
			return env.PrintJSON(allowList{1, append([]facts.Allowance{}, all...)})
		}
		if len(all) == 0 {
			env.Notice("nothing is allowed without asking")
		}
		t := tabwriter.NewWriter(env.Stdout, 0, 8, 2, ' ', 0)
		for i, a := range all {
			fmt.Fprintf(t, "%d\t%s\t%s\t%s\n", i+1, a.Since.Local().Format("2006-01-02"), term.OneLine(a.Dir), term.OneLine(a.Form))
		}
		return t.Flush()
	}
}

type allowRemove struct{ here, all bool }

// NewAllowRemove is tmp allow remove.
func NewAllowRemove(env *term.Env, f *command.Flags) command.Run {
	var o allowRemove
	f.Bool("here", &o.here)
	f.Bool("all", &o.all)
	return func(in command.Input) error { return o.run(env, in.Args) }
}

func (o *allowRemove) run(env *term.Env, args []string) error {
	if len(args) == 0 && !o.here && !o.all {
		return term.Usagef("give a number, --here or --all").Hint("tmp allow list shows the numbers")
	}
	gone := map[int]bool{}
	for _, a := range args {
		n, err := strconv.Atoi(a)
		if err != nil || n < 1 {
			return term.Usagef("%q is no number of tmp allow list", a)
		}
		gone[n-1] = true
	}
	removed, most := 0, 0
	err := facts.Change(place.Find(env.Getenv).State, func(all []facts.Allowance) []facts.Allowance {
		most = len(all)
		for n := range gone {
			if n >= most {
				return all
			}
		}
		i := -1
		return slices.DeleteFunc(all, func(a facts.Allowance) bool {
			i++
			del := o.all || o.here && a.Dir == env.Dir || gone[i]
			if del {
				removed++
			}
			return del
		})
	})
	if err != nil {
		return err
	}
	for n := range gone {
		if n >= most {
			return term.Failf("there is no number %d: %d are allowed", n+1, most)
		}
	}
	fmt.Fprintf(env.Stdout, "%d removed\n", removed)
	return nil
}
