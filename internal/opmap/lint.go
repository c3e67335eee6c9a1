package opmap

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Lint holds a layer to what is asked of maps that are shipped or published,
// beyond being readable: intents that name an object and do not collide, and
// risk that speaks of commands and flags that exist. The problems are Errors.
func (l *Layering) Lint() Problems {
	c := &linter{}
	c.intents(l.Sources)
	c.steps(l.Sources)
	for _, s := range l.Sources {
		if s.Node != nil {
			c.specs(s.File, s.Node, s.Tool)
		}
	}
	trees, err := l.trees()
	if err != nil {
		c.errorf("", 0, "", "%v", err)
	}
	for _, r := range l.Risks {
		for i, next := 0, 0; i < len(r.Commands); i = next {
			for next = i + 1; next < len(r.Commands) && r.Commands[next].line == r.Commands[i].line; next++ {
			}
			c.risk(l, r.File, i, r.Commands[i:next], trees)
		}
	}
	return c.problems
}

// specs refuses words that name a resolver where its values are meant, and
// arguments that come with flags that the command does not have.
func (c *linter) specs(file string, n *Node, path string) {
	spec := func(s *Spec) {
		if s == nil {
			return
		}
		for _, e := range s.Enum {
			if strings.HasPrefix(e.Value, "files:") {
				c.errorf(file, 0, path, "the word %q is the name of a resolver", e.Value)
			}
		}
	}
	var ids []string
	for _, f := range n.Flags {
		spec(f.Spec)
		ids = append(ids, f.id())
	}
	for _, a := range n.Args {
		for _, s := range append([]*Spec{a.Spec}, a.Alt...) {
			spec(s)
		}
		for _, id := range a.With {
			if !slices.Contains(ids, id) {
				c.errorf(file, 0, path, "argument %s comes with %q, which is no flag here", a.Name, id)
			}
		}
	}
	for _, s := range n.Subcommands {
		c.specs(file, s, path+" "+s.Name)
	}
}

type linter struct{ problems Problems }

func (c *linter) errorf(file string, line int, field, format string, args ...any) {
	c.problems = append(c.problems, &Problem{File: file, Line: line, Field: field, Reason: fmt.Sprintf(format, args...), Severity: Error})
}

// intents refuses those that could mean anything, and pairs that one
// directory can make ambiguous.
func (c *linter) intents(sources []*Source) {
	for _, s := range sources {
		for i, op := range s.Operations {
			if len(op.Intents) == 0 {
				c.errorf(s.File, op.line, fmt.Sprintf("operations[%d].intent", i), "%s has no intent: nobody can ask for it", op.ID)
			}
		}
	}
	c.problems = append(c.problems, Generic(sources, Error)...)
	for _, p := range Collisions(sources, nil) {
		p.Severity = Error
		c.problems = append(c.problems, p)
	}
}

// steps refuses those that run an operation of the same sources with parameters
// that it lacks or without ones that it needs, that are repeated though the
// operation is not declared idempotent, and that are workflows themselves.
// Operations of other layers are held to the same when the workflow is planned.
func (c *linter) steps(sources []*Source) {
	byID := map[string]*Operation{}
	for _, s := range sources {
		for _, op := range s.Operations {
			byID[op.ID] = op
		}
	}
	for _, s := range sources {
		for i, flow := range s.Operations {
			for j, step := range flow.Steps {
				field := fmt.Sprintf("operations[%d].steps[%d]", i, j)
				op := byID[step.Run]
				switch {
				case op == nil:
					if tool, _, _ := strings.Cut(step.Run, "."); tool == s.Tool {
						c.errorf(s.File, flow.stepLines[j], field, "%q is no operation", step.Run)
					}
					continue
				case op.Surface == "workflow":
					c.errorf(s.File, flow.stepLines[j], field, "%s is a workflow: a step runs a single operation", step.Run)
				case step.Retry > 0 && !op.Idempotent:
					c.errorf(s.File, flow.stepLines[j], field, "%s is not declared idempotent: it is not retried", step.Run)
				}
				for name := range step.With {
					if op.Param(name) == nil {
						c.errorf(s.File, flow.stepLines[j], field, "%s has no parameter %q", step.Run, name)
					}
				}
				for _, p := range op.Parameters {
					if p.Required && p.Default == "" && step.With[p.Name] == "" {
						c.errorf(s.File, flow.stepLines[j], field, "%s needs <%s>", step.Run, p.Name)
					}
				}
			}
		}
	}
}

// together reports whether two operations compete wherever one of them applies:
// one has no condition, or they share a file of theirs and a manager.
func together(a, b *Operation) bool {
	if a.When == nil || b.When == nil {
		return true
	}
	return share(a.When.Files, b.When.Files) && share(a.When.Managers, b.When.Managers)
}

// share reports whether two conditions can hold for the same reason; an empty one
// always holds.
func share(a, b []string) bool {
	return len(a) == 0 || len(b) == 0 || slices.ContainsFunc(a, func(s string) bool { return slices.Contains(b, s) })
}

// risk checks that the key is a command of the tool's tree, if it has a full
// one, and that each condition names a flag of the command or of those above
// it. Commands that share an entry share its conditions: one that has the flag
// is enough.
func (c *linter) risk(l *Layering, file string, i int, group []*RiskCommand, trees []*tcpdb.Node) {
	var chains [][]*tcpdb.Node
	for _, cmd := range group {
		chain := l.chain(trees, cmd.Key)
		chains = append(chains, chain)
		words := strings.Fields(cmd.Key)
		for j, n := range chain {
			if j > 0 && (n.Bits&^chain[j-1].Bits&tcpdb.Partial != 0 || n.Name != words[j]) {
				c.errorf(file, cmd.line, fmt.Sprintf("command[%d].key", i), "%q: the map of %s has no command %q", cmd.Key, words[0], words[j])
				break
			}
		}
	}
	for j, v := range group[0].Variants {
		for _, id := range slices.Concat(v.All, v.Any, v.None, classFlags(v.Args)) {
			if !slices.ContainsFunc(chains, func(chain []*tcpdb.Node) bool { return idOf(chain, id) != "" }) {
				c.errorf(file, v.line, fmt.Sprintf("command[%d].variant[%d]", i, j), "%q has no flag of the id %q", group[0].Key, id)
			}
		}
	}
}
