// Package term is what a command has of the world: its streams and how they are
// written (terminal.go), the person at the terminal who is asked (question.go,
// asker.go), the session of its directory (session.go), progress and tables.
package term

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"golang.org/x/term"

	"github.com/tool-mapping-protocol/tmp/internal/account"
	"github.com/tool-mapping-protocol/tmp/internal/beside"
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
	// Account gives the home directory in the passwd entry of the user, "" without
	// one; nil: there is none.
	Account func() string
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
		Account: account.Home,
		Context: context.Background(),
	}
}

// Width is how wide a line on standard output may be: 80 where it is no terminal.
func (e *Env) Width() int {
	if e.Columns != nil && e.IsTerminal(1) {
		if n := e.Columns(); n > 0 {
			return n
		}
	}
	return 80
}

// Columns is the width of the file that standard output is, or COLUMNS, or 80.
func Columns(env *Env) int {
	if f, ok := env.Stdout.(*os.File); ok {
		if w, _, err := term.GetSize(int(f.Fd())); err == nil && w > 0 {
			return w
		}
	}
	if n, err := strconv.Atoi(env.Getenv("COLUMNS")); err == nil && n > 0 {
		return n
	}
	return 80
}

// Path makes a path from the command line absolute. The trailing slash stays:
// it asks for a directory.
func (e *Env) Path(p string) (string, error) {
	if filepath.IsAbs(p) || p == "" {
		return p, nil
	}
	if e.Dir == "" {
		return "", errors.New("the working directory cannot be read: give an absolute path")
	}
	return e.Dir + "/" + p, nil
}

// BesideOrPath finds a program beside this one, else on PATH.
func BesideOrPath(env *Env, name string) string {
	path, err := beside.Find(name, env.Getenv("PATH"))
	if err != nil {
		return ""
	}
	return path
}

// LookPath finds a program in the absolute directories of PATH.
func LookPath(env *Env, name string) string {
	for _, dir := range filepath.SplitList(env.Getenv("PATH")) {
		if !filepath.IsAbs(dir) {
			continue
		}
		file := filepath.Join(dir, name)
		if st, err := os.Stat(file); err == nil && st.Mode().IsRegular() && st.Mode()&0o111 != 0 {
			return file
		}
	}
	return ""
}
