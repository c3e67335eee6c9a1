// Package tmp is the command line of tmp: the table of commands, each in the
// package of its noun below, over the packages that do the work. Names, flags,
// help and manual pages come from the map of tmp itself
// (internal/opmap/core/tools/tmp/map.json).
package tmp

import (
	"context"
	"fmt"
	"runtime/debug"

	"github.com/tool-mapping-protocol/tmp/internal/cli/command"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/cli/tmp/tools"
)

// Main runs one command and returns the exit status: 0 done, 1 failed or
// refused, 2 used wrongly; commands that pass on another program's status, and
// the statuses of check, complete and run, say so in their own files.
func Main(env term.Env) (status int) {
	if env.Context == nil {
		env.Context = context.Background()
	}
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(env.Stderr, "tmp: internal error: %s\n", term.OneLine(fmt.Sprint(p)))
			if env.Getenv("TMP_DEBUG") != "" {
				fmt.Fprintf(env.Stderr, "%s\n", debug.Stack())
			} else {
				fmt.Fprintln(env.Stderr, "  this is a fault of tmp itself; TMP_DEBUG=1 shows where")
			}
			status = 1
		}
	}()
	if completed(&env) {
		return 0
	}
	report := term.Report
	if tools.WantsJSON(env.Args) {
		report = term.ReportJSON
	}
	if cmd := quick(&env); cmd != nil {
		return report(&env, cmd.ExecuteContext(env.Context))
	}
	root, err := command.Load()
	if err != nil {
		return report(&env, err)
	}
	cmd := newProgram(&env, root)
	cmd.SetArgs(env.Args)
	return report(&env, cmd.ExecuteContext(env.Context))
}
