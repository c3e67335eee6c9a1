package risk

import (
	"github.com/tool-mapping-protocol/tmp/internal/argv"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// TaskBody is one text that a task runner hands to an interpreter.
type TaskBody struct {
	Task string // "" for what runs while the file is read
	File string // its name, for people
	Dir  string // where it runs, as seen from the directory of the judged line
	Text string
	// Language names the program that reads Text, as Language takes it: "sh" for any
	// shell, "python"; "" if it is not known.
	Language string
}

// runsTasks reports whether a command runs tasks that a project's file defines, so
// that Facts.Tasks is asked about it.
func (j *judge) runsTasks(b *argv.Bound) bool {
	return j.facts.Tasks != nil && (b.Chain[0].HasClass(tcpdb.TaskRunnerClass) || b.HasRole(tcpdb.TaskRole))
}

// Away reports whether a command, or one that carries it, runs what it carries in
// another place: on another machine, in a container, below another root.
func Away(c *Command) bool {
	for ; c != nil; c = c.Outer {
		if c.Bound != nil && c.Bound.Node().Wrapper.Elsewhere {
			return true
		}
	}
	return false
}
