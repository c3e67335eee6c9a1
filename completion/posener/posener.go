// Package posener offers the engine to programs that complete themselves with
// github.com/posener/complete: as a Completer for that library's own tree, and
// with a Run of its own in place of the library's Complete, which panics on a
// COMP_POINT that is no number and answers with everything when nothing fits.
//
//	func main() {
//		if posener.Run(engine, os.Args[1:], os.Getenv, os.Stdout) {
//			return // bash asked: complete -C prog prog
//		}
//		…
//	}
package posener

import (
	"context"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/posener/complete/v2"
	"github.com/tool-mapping-protocol/tmp/completion"
	"github.com/tool-mapping-protocol/tmp/shells"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Run answers a call of bash's "complete -C", which is told from COMP_LINE in
// the environment, and reports whether there was one; args are the program's
// arguments without its name. It never panics, and prints nothing when nothing
// fits or the map does not know the command.
func Run(e *completion.Engine, args []string, getenv func(string) string, stdout io.Writer) bool {
	line := getenv("COMP_LINE")
	if line == "" {
		return false
	}
	if len(args) != 3 { // called by hand, or by something that is not bash
		args = []string{"", "", ""}
	}
	call, err := shells.ParseCommandCall(args, line, getenv("COMP_POINT"), getenv("COMP_TYPE"), shells.UTF8Locale(getenv))
	if err != nil {
		return true
	}
	if args[1] == "" {
		call.Word = call.Left[strings.LastIndexAny(call.Left, " \t")+1:]
	}
	if dir, err := os.Getwd(); err == nil {
		call.Dir = dir
	}
	_, _ = io.WriteString(stdout, call.Reply(e.Complete(context.Background(), call.Request(getenv))))
	return true
}

// Completer is a command of the map as a complete.Completer.
type Completer struct {
	engine *completion.Engine
	path   []string // the words that lead to the command, the tool first
	node   *tcpdb.Node
}

var _ complete.Completer = (*Completer)(nil)

// New returns the Completer of a tool, nil if the map does not know it.
func New(e *completion.Engine, tool string) *Completer {
	root := e.Map.Root(tool)
	if root == nil {
		return nil
	}
	return &Completer{engine: e, path: []string{tool}, node: root}
}

// SubCmdList returns the names of the sub-commands that are offered.
func (c *Completer) SubCmdList() []string {
	var names []string
	for _, sub := range c.node.AllSubs() {
		if sub.Bits&tcpdb.HiddenNode == 0 {
			names = append(names, sub.Name)
		}
	}
	return names
}

// SubCmdGet returns the sub-command of a name or alias, nil if there is none.
func (c *Completer) SubCmdGet(name string) complete.Completer {
	sub := c.node.Sub(name)
	if sub == nil {
		return nil // a nil interface, not a nil *Completer in one
	}
	return &Completer{engine: c.engine, path: slices.Concat(c.path, []string{sub.Name}), node: c.engine.Map.Open(sub)}
}

// FlagList returns the names of the flags without their dashes.
func (c *Completer) FlagList() []string {
	var names []string
	for i := range c.node.Flags {
		f := &c.node.Flags[i]
		if f.Hidden {
			continue
		}
		for _, name := range f.Names {
			names = append(names, strings.TrimLeft(name, "-"))
		}
	}
	return names
}

// FlagGet returns the values of a flag, nil for one that takes none or is not
// there.
func (c *Completer) FlagGet(name string) complete.Predictor {
	for _, dashed := range []string{"--" + name, "-" + name} {
		f := c.node.Flag(dashed)
		switch {
		case f == nil:
		case f.Value == tcpdb.RequiredValue:
			return c.predict("", dashed)
		case f.Value == tcpdb.OptionalValue && strings.HasPrefix(dashed, "--"):
			return c.predict(dashed + "=")
		}
	}
	return nil
}

// ArgsGet returns the values of the first argument.
func (c *Completer) ArgsGet() complete.Predictor { return c.predict("") }

// predict asks the engine for the word that begins with attached, after the
// command and the words. Only values that begin with what is typed are given:
// the library, where none does, would offer all it gets.
func (c *Completer) predict(attached string, words ...string) complete.Predictor {
	before := slices.Concat(c.path, words)
	return complete.PredictFunc(func(typed string) []string {
		dir, _ := os.Getwd()
		a := c.engine.Complete(context.Background(), completion.Request{
			Words: slices.Concat(before, []string{attached + typed}), Dir: dir, Limit: -1,
		})
		var values []string
		for _, cand := range a.Candidates {
			if v, ok := strings.CutPrefix(cand.Value, attached); ok && strings.HasPrefix(v, typed) {
				values = append(values, v)
			}
		}
		return values
	})
}
