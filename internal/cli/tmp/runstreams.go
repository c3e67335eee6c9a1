package tmp

import (
	"errors"
	"os"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/invoke"
	"github.com/tool-mapping-protocol/tmp/internal/runlog"
	"github.com/tool-mapping-protocol/tmp/internal/shape"
)

// newRun makes the place for the output: in the project, or where that cannot be
// written in the state directory.
func (e *execution) newRun() (*runlog.Run, error) {
	where, all, err := e.world.runs()
	if err != nil {
		return nil, err
	}
	run, err := runlog.New(where, e.env.Now())
	if err != nil && len(all) > 1 && !errors.Is(err, runlog.ErrLink) {
		if other, e2 := runlog.New(all[1], e.env.Now()); e2 == nil {
			e.env.notice("the output is kept in %s: %s", all[1].Dir, err)
			return other, nil
		}
	}
	if err != nil {
		r := refuse("failed", "cannot keep the output: %s", err)
		r.hints = append(r.hints, "set TMP_STATE_DIR to a directory that can be written")
		return nil, r
	}
	return run, nil
}

// how says where the streams of the program go.
func (e *execution) how(run *runlog.Run) invoke.Options {
	o := invoke.Options{Stdin: e.input(), Log: run.Raw, Timeout: e.limit()}
	switch {
	case e.env.IsTerminal(0) && e.env.IsTerminal(1):
		o.Job = invoke.Foreground
	case e.env.IsTerminal(0):
		o.Job = invoke.OurGroup
	}
	switch out, isFile := e.env.Stdout.(*os.File); {
	case isFile && o.Job == invoke.Foreground && e.env.IsTerminal(2) && !e.options.json && shape.Interactive(e.plan.Argv):
		o.Terminal, o.TerminalErr = out, out
		if errs, ok := e.env.Stderr.(*os.File); ok {
			o.TerminalErr = errs
		}
		e.onTerminal = true
	case e.streams():
		o.Stream = e.env.Stdout
	case run.Scarce():
		// The program is not to fail because its output finds no room: it writes
		// to a pipe, and what the log cannot take is told, and shown out of memory.
		e.spill = &spill{}
		o.Stream = e.spill
	}
	return o
}

// limit is the time that was asked for, or the operation's own.
func (e *execution) limit() time.Duration {
	if e.options.timeout > 0 || e.plan == nil {
		return e.options.timeout
	}
	return e.plan.Timeout
}

// streams reports whether the output is shown as it comes: whole if that was
// asked for, to a person who watches, and of a command that goes on until it is
// stopped.
func (e *execution) streams() bool {
	watched := e.options.compressor == "" && e.env.IsTerminal(1)
	return !e.options.json && (e.options.raw || watched || e.plan != nil && shape.Follows(e.plan.Argv)) &&
		(e.plan == nil || len(e.plan.Steps) == 0)
}
