package policy

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"text/tabwriter"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/ask/facts"
	"github.com/tool-mapping-protocol/tmp/internal/cli/command"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/invoke"
	"github.com/tool-mapping-protocol/tmp/internal/runlog"
)

// allowList is the JSON of tmp allow list.
type allowList struct {
	V       int               `json:"v"`
	Allowed []facts.Allowance `json:"allowed"`
	// Approved are lines that tmp run runs for a while without asking.
	Approved []approvedLine `json:"approved"`
}

// approvedLine is a line that a person approved for a while.
type approvedLine struct {
	Line    string    `json:"line"`
	Dir     string    `json:"cwd"`
	Level   string    `json:"level"`
	Agent   string    `json:"agent,omitempty"`
	Except  []string  `json:"except,omitempty"` // what may change meanwhile
	Since   time.Time `json:"since"`
	Expires time.Time `json:"expires"`

	record runlog.Approval
}

// approvedLines are the lines that are approved for a while, the newest first.
func approvedLines(env *term.Env) []approvedLine {
	c := env.Caller()
	out := []approvedLine{}
	for _, a := range c.Allowances() {
		var plan invoke.Canonical
		if json.Unmarshal([]byte(a.Plan), &plan) == nil {
			out = append(out, approvedLine{invoke.Display(plan.Argv), plan.Dir, a.Level, a.Agent, a.Except, a.Time, a.Expires(), a})
		}
	}
	return out
}

// NewAllowList is tmp allow list.
func NewAllowList(env *term.Env, f *command.Flags) command.Run {
	var asJSON bool
	f.Bool("json", &asJSON)
	return func(command.Input) error {
		state := env.Places().State
		all, err := facts.Allowed(state)
		if old := (*facts.OldFormError)(nil); errors.As(err, &old) {
			env.Notice("%v", old)
			err = facts.Change(state, func(all []facts.Allowance) []facts.Allowance { return all })
		}
		if err != nil {
			return err
		}
		lines := approvedLines(env)
		if asJSON {
			return env.PrintJSON(allowList{1, append([]facts.Allowance{}, all...), lines})
		}
		if len(all)+len(lines) == 0 {
			env.Notice("nothing is allowed without asking")
		}
		t := tabwriter.NewWriter(env.Stdout, 0, 8, 2, ' ', 0)
		for i, a := range all {
			fmt.Fprintf(t, "%d\t%s\t%s\t%s\n", i+1, a.Since.Local().Format("2006-01-02"), term.OneLine(a.Dir), term.OneLine(a.Form))
		}
		for i, a := range lines {
			fmt.Fprintf(t, "%d\tuntil %s\t%s\t%s\n", len(all)+i+1, a.Expires.Local().Format("15:04"), term.OneLine(a.Dir), term.OneLine(a.Line))
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
	lines := approvedLines(env)
	err := facts.Change(env.Places().State, func(all []facts.Allowance) []facts.Allowance {
		most = len(all)
		for n := range gone {
			if n >= most+len(lines) {
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
		if n >= most+len(lines) {
			return term.Failf("there is no number %d: %d are allowed", n+1, most+len(lines))
		}
	}
	caller := env.Caller()
	for i := range lines {
		if o.all || o.here && lines[i].Dir == env.Dir || gone[most+i] {
			caller.Disallow(&lines[i].record)
			removed++
		}
	}
	fmt.Fprintf(env.Stdout, "%d removed\n", removed)
	return nil
}
