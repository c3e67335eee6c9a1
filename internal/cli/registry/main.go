// Package registry is the command line of tmp registry and tmp key: a table of commands
// over internal/registry, which does the work. tmp shows their help and checks their
// words; it becomes this program then.
package registry

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strings"

	"github.com/spf13/pflag"

	"github.com/tool-mapping-protocol/tmp/internal/cli/command"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/registry/fault"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// maker makes a command: it binds the flags of its node.
type maker func(c *call, f *command.Flags) command.Run

func table() map[string]maker {
	return map[string]maker{
		"registry search": newSearch, "registry show": newShow, "registry install": newInstall,
		"registry verify": newVerify, "registry update": newUpdate, "registry outdated": newOutdated,
		"registry remove": newRemove, "registry list": newList, "registry publish": newPublish, "registry yank": newYank,
		"key generate": newGenerate, "key list": newKeys, "key show": newKey, "key trust": newTrust, "key revoke": newRevoke,
	}
}

// Main runs one command and returns the exit status: 0 done, 1 refused, 2 used wrongly,
// 75 where the network is in the way, 125 where a person has to decide.
func Main(env term.Env) (status int) {
	if env.Context == nil {
		env.Context = context.Background()
	}
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(env.Stderr, "tmp: internal error: %s\n", term.OneLine(fmt.Sprint(p)))
			if env.Getenv("TMP_DEBUG") != "" {
				fmt.Fprintf(env.Stderr, "%s\n", debug.Stack())
			}
			status = 1
		}
	}()
	c := &call{Env: &env}
	return c.report(run(c))
}

// run finds the command of the line in the compiled map, and runs it.
func run(c *call) error {
	if len(c.Args) < 2 {
		return term.Usagef("want a command").Hint("tmp registry --help and tmp key --help list them")
	}
	path := c.Args[0] + " " + c.Args[1]
	newRun := table()[path]
	node := nodeOf(path)
	if newRun == nil || node == nil {
		return term.Usagef("unknown command %q", path).Hint("tmp registry --help and tmp key --help list them")
	}
	set := pflag.NewFlagSet(path, pflag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.Usage = func() {}
	do := newRun(c, command.NewFlags(set, node))
	err := set.Parse(c.Args[2:])
	if errors.Is(err, pflag.ErrHelp) {
		return term.Usagef("tmp %s --help shows its help", path)
	}
	if err != nil {
		return term.Usagef("%s", err).Hint("tmp %s --help shows the flags", path)
	}
	in := command.Input{Args: set.Args()}
	if dash := set.ArgsLenAtDash(); dash >= 0 {
		in = command.Input{Args: set.Args()[:dash], Rest: set.Args()[dash:], Dashed: true}
	}
	if err := node.CheckArgs(path, &in); err != nil {
		return err
	}
	return do(in)
}

func nodeOf(path string) *command.Node {
	view := tcpdb.NewView(tcpdb.Core())
	at := view.Root("tmp")
	for word := range strings.SplitSeq(path, " ") {
		if at == nil {
			return nil
		}
		at = view.Open(at.Sub(word))
	}
	if at == nil {
		return nil
	}
	return command.Compiled(at)
}

// report says what went wrong, by its name, and returns the exit status.
func (c *call) report(err error) int {
	var f *fault.Fault
	var busy *tcpdb.BusyError
	switch {
	case errors.As(err, &f):
	case errors.As(err, &busy):
		f = fault.New(fault.Network, "%s", busy)
	default:
		return term.Report(c.Env, err)
	}
	if c.json {
		_ = c.PrintJSON(errorAnswer{1, errorOf(f)})
	}
	said := &term.Failure{Status: f.Status(), Msg: term.OneLine(f.Error()), Hints: f.Hints}
	return term.Report(c.Env, said)
}

type errorAnswer struct {
	V     int         `json:"v"`
	Error errorInJSON `json:"error"`
}

type errorInJSON struct {
	Code    fault.Code `json:"code"`
	Message string     `json:"message"`
	File    string     `json:"file,omitempty"`
	Line    int        `json:"line,omitempty"`
	Hints   []string   `json:"hints,omitempty"`
}

func errorOf(f *fault.Fault) errorInJSON {
	text := f.Reason
	if f.Err != nil {
		text += ": " + f.Err.Error()
	}
	return errorInJSON{f.Code, term.OneLine(text), f.File, f.Line, f.Hints}
}
