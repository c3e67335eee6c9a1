// Package tmp is the command line of tmp: a table of commands, each in a file
// of its own, over the packages that do the work. Names, flags, help and manual
// pages come from the map of tmp itself (internal/opmap/core/maps/tmp.json).
package tmp

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"time"

	"golang.org/x/term"
)

// Env is everything a command may see of the world.
type Env struct {
	Args    []string // without the program's name
	Stdin   io.Reader
	Stdout  io.Writer
	Stderr  io.Writer
	Getenv  func(string) string
	Environ []string // NAME=value, for the commands that are run
	Dir     string   // the working directory, absolute; "" if it cannot be read
	Now     func() time.Time
	// IsTerminal reports whether the stream 0, 1 or 2 is a terminal.
	IsTerminal func(stream int) bool
	// Columns is how wide the terminal on standard output is; nil or 0 for 80.
	Columns func() int
	// OpenTTY opens the terminal itself, for questions.
	OpenTTY func() (io.ReadWriteCloser, error)
	// Context ends when the caller gives up; nil means never.
	Context context.Context
}

// System returns the process's own environment.
func System() Env {
	dir, err := os.Getwd()
	if err != nil {
		dir = ""
	}
	return Env{
		Args:   os.Args[1:],
		Stdin:  os.Stdin,
		Stdout: os.Stdout,
		Stderr: os.Stderr,
		Getenv: os.Getenv, Environ: os.Environ(),
		Dir:        dir,
		Now:        time.Now,
		IsTerminal: func(stream int) bool { return term.IsTerminal(stream) },
		Columns: func() int {
			width, _, err := term.GetSize(1)
			if err != nil {
				return 0
			}
			return width
		},
		OpenTTY: func() (io.ReadWriteCloser, error) {
			return os.OpenFile("/dev/tty", os.O_RDWR, 0)
		},
		Context: context.Background(),
	}
}

// columns is how wide a line on standard output may be.
func (e *Env) columns() int {
	if e.Columns != nil && e.IsTerminal(1) {
		if n := e.Columns(); n > 0 {
			return n
		}
	}
	return 80
}

// Main runs one command and returns the exit status: 0 done, 1 failed or
// refused, 2 used wrongly; commands that pass on another program's status, and
// the statuses of check, complete and run, say so in their own files.
func Main(env Env) (status int) {
	if env.Context == nil {
		env.Context = context.Background()
	}
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(env.Stderr, "tmp: internal error: %s\n", oneLine(fmt.Sprint(p)))
			if env.Getenv("TMP_DEBUG") != "" {
				fmt.Fprintf(env.Stderr, "%s\n", debug.Stack())
			} else {
				fmt.Fprintln(env.Stderr, "  this is a fault of tmp itself; TMP_DEBUG=1 shows where")
			}
			status = 1
		}
	}()
	if cmd := quick(&env); cmd != nil {
		return report(&env, cmd.ExecuteContext(env.Context))
	}
	root, err := loadMap()
	if err != nil {
		return report(&env, err)
	}
	cmd := newProgram(&env, root)
	cmd.SetArgs(env.Args)
	return report(&env, cmd.ExecuteContext(env.Context))
}
