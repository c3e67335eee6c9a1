// Package tgp is the command line of the tool forge: a table of commands
// (commands.go), how a line is read (line.go), and the one of them that must start
// fast, run.go. The others are internal/cli/tgp/forging, in a program of their own.
package tgp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"golang.org/x/term"

	"github.com/tool-mapping-protocol/tmp/internal/account"
	"github.com/tool-mapping-protocol/tmp/internal/forge/run"
	"github.com/tool-mapping-protocol/tmp/internal/gate"
	"github.com/tool-mapping-protocol/tmp/internal/screen"
	"github.com/tool-mapping-protocol/tmp/internal/version"
)

// Env is everything that a command may see of the world.
type Env struct {
	Args       []string
	Stdin      io.Reader
	Stdout     io.Writer
	Stderr     io.Writer
	Getenv     func(string) string
	Dir        string
	Now        func() time.Time
	IsTerminal func(stream int) bool
	OpenTTY    func() (io.ReadWriteCloser, error)
	Context    context.Context
	// Account gives the home directory that the system's accounts name.
	Account func() string
}

// System is the environment of the process.
func System() Env {
	dir, err := os.Getwd()
	if err != nil {
		dir = ""
	}
	return Env{
		Args: os.Args[1:], Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Getenv: os.Getenv, Dir: dir, Now: time.Now,
		IsTerminal: term.IsTerminal, Account: account.Home,
		OpenTTY: func() (io.ReadWriteCloser, error) { return os.OpenFile("/dev/tty", os.O_RDWR, 0) },
		Context: context.Background(),
	}
}

// Exit ends a command with a status when everything has been said.
type Exit int

func (e Exit) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

// Main runs one command and returns the exit status. What is not among the commands
// is left to the program that has them all, which takes the place of this one.
func Main(env Env, commands map[string]func(*Call) error) (status int) {
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(env.Stderr, "tgp: internal error: %s\n", screen.Printable(fmt.Sprint(p)))
			if env.Getenv("TMP_DEBUG") != "" {
				fmt.Fprintf(env.Stderr, "%s\n", debug.Stack())
			}
			status = 1
		}
	}()
	l, err := parse(env.Args)
	if err != nil {
		return Complain(&env, l, err)
	}
	if l.help {
		help(&env, l.command)
		return 0
	}
	if l.version {
		fmt.Fprintln(env.Stdout, "tgp", version.Text())
		return 0
	}
	c := &Call{Env: &env, Line: l}
	if f := commands[l.command.name]; f != nil {
		return Complain(&env, l, f(c))
	}
	if l.command.name == "run" {
		if err = c.Run(open); !errors.Is(err, run.ErrWorkshop) {
			return Complain(&env, l, err)
		}
	}
	return Complain(&env, l, become(env.Args))
}

// open opens what runs tools, and has no workshop.
func open(c run.Caller) (*run.Runner, error) {
	r := run.New(c)
	return r, r.Open()
}

// Complain says what went wrong and returns the exit status.
func Complain(env *Env, l *Line, err error) int {
	if err == nil {
		return 0
	}
	var status Exit
	if errors.As(err, &status) {
		return int(status)
	}
	var lint *run.LintError
	if errors.As(err, &lint) {
		for _, f := range lint.Compiled.Findings {
			fmt.Fprintln(env.Stderr, screen.Printable(f.String()))
		}
		err = lint.Fault
	}
	var e *run.Error
	if !errors.As(err, &e) {
		e = &run.Error{Code: run.Internal, Message: err.Error()}
	}
	if l != nil && l.JSON {
		_ = printJSON(env, map[string]any{"v": 1, "error": e})
	}
	fmt.Fprintf(env.Stderr, "tgp: %s: %s\n", e.Code, screen.Printable(e.Error()))
	for _, h := range e.Hints {
		fmt.Fprintf(env.Stderr, "  %s\n", screen.Printable(h))
	}
	return e.ExitStatus()
}

func printJSON(env *Env, v any) error {
	enc := json.NewEncoder(env.Stdout)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// Call is one command that is run.
type Call struct {
	*Env
	Line *Line
}

func (c *Call) Who() gate.Who {
	switch {
	case c.Agent() != "":
		return gate.Agent
	case c.IsTerminal(0) && c.IsTerminal(2):
		return gate.Person
	}
	return gate.Nobody
}

// Agent is the name of the calling agent, "" for a person.
func (c *Call) Agent() string {
	if a := c.Getenv("TMP_AGENT_ID"); a != "" {
		return a
	}
	return c.Getenv("TE_AGENT_ID")
}

// accountState is the state directory of the account, "" where there is none.
func (c *Call) accountState() string {
	if c.Account == nil {
		return ""
	}
	return account.State(c.Account())
}

func (c *Call) Caller() run.Caller {
	return run.Caller{
		Dir: c.Dir, Getenv: c.Getenv, Now: c.Now, Who: c.Who(), Agent: c.Agent(), Account: c.accountState(), Root: c.Line.root, Config: c.Line.config, Context: c.Context,
		Notice: func(text string) { fmt.Fprintf(c.Stderr, "tgp: %s\n", screen.Printable(text)) },
		Ask:    c.Confirm,
	}
}

// Confirm asks the person at the terminal; word: yes must be written out.
func (c *Call) Confirm(question string, word bool) bool {
	tty, err := c.OpenTTY()
	if err != nil {
		return false
	}
	defer tty.Close()
	want := "y/N"
	if word {
		want = `type "yes"`
	}
	fmt.Fprintf(tty, "%s [%s] ", screen.Printable(question), want)
	var buf [64]byte
	n, _ := tty.Read(buf[:])
	answer := strings.TrimSpace(string(buf[:n]))
	if word {
		return answer == "yes"
	}
	return strings.EqualFold(answer, "y") || strings.EqualFold(answer, "yes")
}

// Person refuses agents, and whoever has no terminal, with what would be granted.
func (c *Call) Person(what string) error {
	switch c.Who() {
	case gate.Agent:
		return run.Fail(run.AgentRefused, "an agent may not %s", what)
	case gate.Person:
		return nil
	}
	return run.Fail(run.ApprovalRequired, "to %s a person at a terminal is needed", what)
}

func (c *Call) JSON(v any) error { return printJSON(c.Env, v) }

func (c *Call) Printf(format string, args ...any) {
	for i, a := range args {
		if s, ok := a.(string); ok {
			args[i] = screen.Printable(s)
		}
	}
	fmt.Fprintf(c.Stdout, format, args...)
}

// PlainText is a text of many lines, safe for a terminal.
func PlainText(s string) string {
	var b strings.Builder
	for l := range strings.Lines(s) {
		b.WriteString(screen.Printable(strings.TrimSuffix(l, "\n")))
		b.WriteByte('\n')
	}
	return b.String()
}
