// Package te is the command te: it starts the tool, reads what it prints, and
// answers with an envelope. It is light: no framework, since it runs in the place
// of a command that takes a millisecond.
package te

import (
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/tool-mapping-protocol/tmp/internal/envelope/settings"
	"github.com/tool-mapping-protocol/tmp/internal/place"
)

// Env is what the command has of the world.
type Env struct {
	Args    []string // without the program's name
	Stdin   *os.File
	Stdout  *os.File
	Stderr  *os.File
	Getenv  func(string) string
	Environ []string
	Dir     string // the working directory, "" if it cannot be read
	Now     func() time.Time
}

// System is the process's own environment.
func System() Env {
	dir, err := os.Getwd()
	if err != nil {
		dir = ""
	}
	return Env{
		Args: os.Args[1:], Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		Getenv: os.Getenv, Environ: os.Environ(), Dir: dir, Now: time.Now,
	}
}

// call is one call of te.
type call struct {
	Env
	options  options
	paths    place.Paths
	settings settings.Settings
	agent    string
	person   bool // nobody but a person at a terminal
	began    time.Time
	event    event
	signals  chan os.Signal
}

func (c *call) isTerminal(f *os.File) bool {
	_, err := unix.IoctlGetTermios(int(f.Fd()), getTermios)
	return err == nil
}

// noInput reports whether standard input holds nothing to read: a terminal, or
// /dev/null.
func (c *call) noInput() bool {
	var st, null syscall.Stat_t
	if syscall.Fstat(int(c.Stdin.Fd()), &st) != nil {
		return true
	}
	if syscall.Stat(os.DevNull, &null) == nil && st.Mode&syscall.S_IFMT == syscall.S_IFCHR && st.Rdev == null.Rdev {
		return true
	}
	return c.isTerminal(c.Stdin)
}

func isDir(path string) bool {
	st, err := os.Stat(path)
	return err == nil && st.IsDir()
}
