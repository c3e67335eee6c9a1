// Command completed is a Go program that completes itself through the map of tmp.
// It has a command of its own, and one that hands its words on to git:
//
//	completed open BRANCH      a branch of this repository
//	completed git WORDS…       whatever git takes
//
// Bash asks the program itself:
//
//	complete -C completed completed
package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"

	"github.com/posener/complete/v2"

	"github.com/tool-mapping-protocol/tmp/completion"
	"github.com/tool-mapping-protocol/tmp/completion/posener"
	"github.com/tool-mapping-protocol/tmp/resolvers/all"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

func main() {
	engine := &completion.Engine{Map: tcpdb.NewView(tcpdb.Core()), Resolvers: all.Table()}
	complete.Complete("completed", program{engine}) // exits if bash asked
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "completed:", err)
		os.Exit(1)
	}
}

// program is the tree that the library walks. Below "git" it is that of the map.
type program struct{ engine *completion.Engine }

func (program) SubCmdList() []string { return []string{"git", "open"} }

func (p program) SubCmdGet(name string) complete.Completer {
	switch name {
	case "git":
		return posener.New(p.engine, "git")
	case "open":
		return &complete.Command{Args: complete.PredictFunc(p.branches)}
	}
	return nil
}

// branches asks the engine what may stand after "git switch".
func (p program) branches(typed string) []string {
	a := p.engine.Complete(context.Background(), completion.Request{Words: []string{"git", "switch", typed}})
	var names []string
	for _, c := range a.Candidates {
		if c.Kind == "branch" {
			names = append(names, c.Value)
		}
	}
	return names
}

func (program) FlagList() []string                { return nil }
func (program) FlagGet(string) complete.Predictor { return nil }
func (program) ArgsGet() complete.Predictor       { return nil }

func run(args []string) error {
	switch {
	case len(args) == 2 && args[0] == "open":
		args = []string{"git", "switch", args[1]}
	case len(args) == 0 || args[0] != "git":
		return fmt.Errorf("usage: completed open BRANCH, completed git WORDS…")
	}
	git := exec.Command(args[0], args[1:]...)
	git.Stdin, git.Stdout, git.Stderr = os.Stdin, os.Stdout, os.Stderr
	return git.Run()
}
