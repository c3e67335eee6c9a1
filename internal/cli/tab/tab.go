// Package tab is the program behind the Tab key: it reads what a shell's hook
// sends, asks the engine, and answers in the form that the shell inserts.
package tab

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/tool-mapping-protocol/tmp/completion"
	"github.com/tool-mapping-protocol/tmp/shells"
)

// Engine answers one Tab.
type Engine func(context.Context, completion.Request) completion.Answer

// Exit statuses. With any but the first a hook lets its shell complete by itself.
const (
	statusOK      = 0
	statusFailed  = 1
	statusUsage   = 2
	statusTimeout = 124
)

// Patience is how long a Tab may take in all. Resolvers have less; this is for
// a file system that does not answer.
const Patience = 3 * time.Second

// Main runs tmp-tab with its arguments (without the program's name).
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer, getenv func(string) string) int {
	if growStack(len(args)) != 0 {
		return statusFailed
	}
	return Run(engine, args, stdin, stdout, stderr, getenv)
}

// growStack makes the stack grow once to what a Tab needs: its frame is large,
// though nothing of it is touched. Left to itself the stack doubles twice on the
// way, and each time all frames are looked up and copied and new pages touched.
//
//go:noinline
func growStack(n int) byte {
	if n >= 0 {
		return 0
	}
	var room [18 << 10]byte
	for i := range room {
		room[i] = byte(n * i)
	}
	return room[-n%len(room)]
}

// Run is Main with another engine.
func Run(e Engine, args []string, stdin io.Reader, stdout, stderr io.Writer, getenv func(string) string) (status int) {
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(stderr, "tmp-tab: internal error: %v\n", p)
			status = statusFailed
		}
	}()
	if len(args) > 2 && args[0] == againFlag {
		lookAgain(args[1:], getenv)
		return statusOK
	}
	// A system call that hangs cannot be cancelled: only the process can end.
	watch := time.AfterFunc(Patience, func() { os.Exit(statusTimeout) })
	defer watch.Stop()

	if len(args) == 2 && args[0] == "--fish-files" {
		return writeFish(args[1], stderr, getenv)
	}
	if len(args) == 1 && args[0] == "--tools" {
		fmt.Fprintln(stdout, strings.Join(shells.FishTools(NewEngine(getenv, "").Map), "\n"))
		return statusOK
	}
	call, err := parse(args, stdin, getenv)
	if err != nil {
		fmt.Fprintf(stderr, "tmp-tab: %v\n", err)
		return statusUsage
	}
	call.ASCII = !shells.UTF8Locale(getenv)
	answer := e(context.Background(), call.Request(getenv))
	draft := answer.Tool != "" && wants(answer, call.Dir, getenv)
	if draft && !answer.Handled {
		answer.Mapped = true // soon: bash is to ask again
	}
	reply := call.Reply(answer)
	if call.Shell == "tcsh" && !answer.Handled {
		reply = names(call.Dir, call.Typed())
	}
	if f, ok := stdout.(*os.File); ok { // io.WriteString would look for the method
		_, _ = f.WriteString(reply)
	} else {
		_, _ = io.WriteString(stdout, reply)
	}
	if draft {
		haveDrafted(answer.Tool, call.Dir, getenv)
	}
	return statusOK
}

// parse reads a call of a hook or, with COMP_LINE in the environment, one of
// bash's "complete -C tmp-tab".
func parse(args []string, stdin io.Reader, getenv func(string) string) (*shells.Call, error) {
	if len(args) > 0 && args[0] == "--tcsh" {
		call := shells.TcshCall(getenv("COMMAND_LINE"))
		var err error
		call.Dir, err = os.Getwd()
		return call, err
	}
	line := getenv("COMP_LINE")
	if line == "" || len(args) > 0 && strings.HasPrefix(args[0], "--") {
		return shells.ParseCall(args, stdin)
	}
	dir, _ := os.Getwd()
	call, err := shells.ParseCommandCall(args, line, getenv("COMP_POINT"), getenv("COMP_TYPE"), shells.UTF8Locale(getenv))
	if err == nil {
		call.Dir = dir
	}
	return call, err
}
