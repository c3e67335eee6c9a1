// Package tgp is the command line of the tool forge: a table of commands
// (commands.go), how a line is read (line.go), and a file for each group of them
// over internal/forge, which does the work.
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

	"github.com/tool-mapping-protocol/tmp/internal/account"
	"github.com/tool-mapping-protocol/tmp/internal/forge"
	"github.com/tool-mapping-protocol/tmp/internal/gate"
	"github.com/tool-mapping-protocol/tmp/internal/screen"
	"github.com/tool-mapping-protocol/tmp/internal/version"
	"golang.org/x/term"
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

// exit ends a command with a status when everything has been said.
type exit int

func (e exit) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

// Main runs one command and returns the exit status.
func Main(env Env) (status int) {
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
		return report(&env, l, err)
	}
	if l.help {
		help(&env, l.command)
		return 0
	}
	if l.version {
		fmt.Fprintln(env.Stdout, "tgp", version.Text())
		return 0
	}
	return report(&env, l, l.command.run(&call{Env: &env, line: l}))
}

// report says what went wrong and returns the exit status.
func report(env *Env, l *line, err error) int {
	if err == nil {
		return 0
	}
	var status exit
	if errors.As(err, &status) {
		return int(status)
	}
	var lint *forge.LintError
	if errors.As(err, &lint) {
		for _, f := range lint.Compiled.Findings {
			fmt.Fprintln(env.Stderr, screen.Printable(f.String()))
		}
		err = lint.Fault
	}
	var e *forge.Error
	if !errors.As(err, &e) {
		e = &forge.Error{Code: forge.Internal, Message: err.Error()}
	}
	if l != nil && l.json {
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

// call is one command that is run.
type call struct {
	*Env
	line *line
}

func (c *call) who() gate.Who {
	switch {
	case c.agent() != "":
		return gate.Agent
	case c.IsTerminal(0) && c.IsTerminal(2):
		return gate.Person
	}
	return gate.Nobody
}

// agent is the name of the calling agent, "" for a person.
func (c *call) agent() string {
	if a := c.Getenv("TMP_AGENT_ID"); a != "" {
		return a
	}
	return c.Getenv("TE_AGENT_ID")
}

// accountState is the state directory of the account, "" where there is none.
func (c *call) accountState() string {
	if c.Account == nil {
		return ""
	}
	return account.State(c.Account())
}

func (c *call) caller() forge.Caller {
	return forge.Caller{
		Dir: c.Dir, Getenv: c.Getenv, Now: c.Now, Who: c.who(), Agent: c.agent(), Account: c.accountState(), Root: c.line.root, Config: c.line.config, Context: c.Context,
		Notice: func(text string) { fmt.Fprintf(c.Stderr, "tgp: %s\n", screen.Printable(text)) },
		Ask:    c.ask,
	}
}

func (c *call) open() (*forge.Forge, error) { return forge.Open(c.caller()) }

// lenient opens the forge for a command that goes on without a trusted configuration.
func (c *call) lenient() (*forge.Forge, error) {
	caller := c.caller()
	caller.Lenient = true
	return forge.Open(caller)
}

// ask asks the person at the terminal; word: yes must be written out.
func (c *call) ask(question string, word bool) bool {
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

// person refuses agents, and whoever has no terminal, with what would be granted.
func (c *call) person(what string) error {
	switch c.who() {
	case gate.Agent:
		return forge.Fail(forge.AgentRefused, "an agent may not %s", what)
	case gate.Person:
		return nil
	}
	return forge.Fail(forge.ApprovalRequired, "to %s a person at a terminal is needed", what)
}

func (c *call) json(v any) error { return printJSON(c.Env, v) }

func (c *call) printf(format string, args ...any) {
	for i, a := range args {
		if s, ok := a.(string); ok {
			args[i] = screen.Printable(s)
		}
	}
	fmt.Fprintf(c.Stdout, format, args...)
}

// plainText is a text of many lines, safe for a terminal.
func plainText(s string) string {
	var b strings.Builder
	for l := range strings.Lines(s) {
		b.WriteString(screen.Printable(strings.TrimSuffix(l, "\n")))
		b.WriteByte('\n')
	}
	return b.String()
}
