// Package agent is the command line of tmp-agent: hook answers a harness, install
// enters the hook in a harness's file, doctor tries what is entered.
package agent

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/tool-mapping-protocol/tmp/internal/account"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/place"
	"github.com/tool-mapping-protocol/tmp/internal/session"
	"github.com/tool-mapping-protocol/tmp/internal/version"
)

// Exit statuses.
const (
	statusDone    = 0
	statusFailed  = 1
	statusUsage   = 2
	statusRefused = 125
)

// Env is what the program sees of the world.
type Env struct {
	Args           []string // without the program's name
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Getenv         func(string) string
	Environ        []string
	Dir            string // the working directory
	// Self is this program's file, beside which tmp-hook is.
	Self    string
	Version string
	// Account gives the home directory that the system's accounts name.
	Account func() string
	// IsTerminal reports whether one of the standard streams is a terminal.
	IsTerminal func(stream int) bool
	// Become puts another program in the place of this one; it returns only on
	// failure.
	Become func(argv []string) error
}

// System returns the process's own environment.
func System() Env {
	dir, _ := os.Getwd()
	self, _ := os.Executable()
	own := term.System()
	return Env{
		Version: version.Text(), Account: account.Home, IsTerminal: own.IsTerminal,
		Args: os.Args[1:], Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Getenv: os.Getenv, Environ: os.Environ(), Dir: dir, Self: self,
		Become: func(argv []string) error { return syscall.Exec(argv[0], argv, os.Environ()) },
	}
}

const help = `tmp-agent: the judgement of Enter and the short answer where coding agents are

  tmp-agent serve                     serve agents over MCP (a client starts this)
  tmp-agent refresh [SERVER…]         ask the user's MCP servers for their tools
  tmp-agent install CLIENT            write the entry of an MCP client
  tmp-agent install HARNESS --hook    enter the hook with a harness
  tmp-agent install HARNESS --hook --remove
  tmp-agent doctor                    try what is entered
  tmp-agent hook HARNESS              answer an event (a harness starts this)
  tmp-agent measure WHAT              what listing tools would cost (tmp benchmark starts this)

CLIENT: claude claude-desktop codex cursor vscode gemini
HARNESS: claude vscode qwen droid codex kimi gemini copilot cursor cline windsurf kiro opencode
tmp-agent COMMAND --help says more.

  tmp-agent install claude --hook     Claude Code asks before each tool runs
  tmp-agent install claude            Claude Code has the tools of tmp
`

// errQuiet is a failure of which everything has been said.
var errQuiet = errors.New("failed")

// usageError is a call that says nothing that can be done.
type usageError struct{ text string }

func (e *usageError) Error() string { return e.text }

func usagef(format string, args ...any) error { return &usageError{fmt.Sprintf(format, args...)} }

// refusedError is what is not done for this caller.
type refusedError struct{ text string }

func (e *refusedError) Error() string { return e.text }

// Main runs one command: 0 done, 1 failed, 2 used wrongly, 125 refused.
func Main(env Env) int {
	command := ""
	if len(env.Args) > 0 {
		command = env.Args[0]
	}
	var err error
	switch command {
	case keeperWord:
		return env.keep(env.Args[1:])
	case "serve":
		err = env.serve(env.Args[1:])
	case "refresh":
		err = env.refresh(env.Args[1:])
	case "measure":
		err = env.measure(env.Args[1:])
	case "hook":
		return env.hook(env.Args[1:])
	case "install":
		if slices.Contains(env.Args, "--hook") {
			err = env.install(env.Args[1:])
		} else {
			err = env.enter(env.Args[1:])
		}
	case "doctor":
		var ok bool
		if ok, err = env.doctor(env.Args[1:]); err == nil && !ok {
			return statusFailed
		}
	case "help", "-h", "--help":
		if command == "help" && len(env.Args) > 1 && !strings.HasPrefix(env.Args[1], "-") {
			env.Args = append(slices.Clone(env.Args[1:]), "--help")
			return Main(env)
		}
		fmt.Fprint(env.Stdout, help)
		return statusDone
	case "version", "--version":
		fmt.Fprintf(env.Stdout, "tmp-agent %s\n", env.Version)
		return statusDone
	default:
		if command != "" && !strings.HasPrefix(command, "-") {
			err = usagef("%q is no command: known are serve, refresh, install, doctor, hook and measure", command)
			break
		}
		if command == "" && env.IsTerminal != nil && env.IsTerminal(0) {
			fmt.Fprint(env.Stderr, help)
			return statusUsage
		}
		err = env.serve(env.Args) // a client starts it without a word
	}
	return env.report(err)
}

// report says what went wrong, if anything did, and returns the exit status. A
// call that wants JSON gets it said in JSON too.
func (env *Env) report(err error) int {
	if err == nil {
		return statusDone
	}
	if errors.Is(err, errQuiet) {
		return statusFailed
	}
	fmt.Fprintf(env.Stderr, "tmp-agent: %v\n", err)
	var usage *usageError
	var refused *refusedError
	status, code := statusFailed, session.Failed
	switch {
	case errors.As(err, &usage):
		status, code = statusUsage, session.Usage
	case errors.As(err, &refused):
		status, code = statusRefused, session.Denied
	}
	if slices.Contains(env.Args, "--json") {
		type fault struct {
			Code    session.Code `json:"code"`
			Message string       `json:"message"`
		}
		_ = env.printJSON(struct {
			V     int   `json:"v"`
			Error fault `json:"error"`
		}{1, fault{code, err.Error()}})
	}
	return status
}

// hook becomes the small program that answers.
func (env *Env) hook(args []string) int {
	program, err := env.program()
	if err == nil {
		err = env.Become(append([]string{program}, args...))
	}
	return env.report(err)
}

// program is the file of the hook.
func (env *Env) program() (string, error) {
	file := filepath.Join(filepath.Dir(env.Self), "tmp-hook")
	if st, err := os.Stat(file); err != nil || !st.Mode().IsRegular() || st.Mode()&0o111 == 0 || !filepath.IsAbs(file) {
		return "", fmt.Errorf("tmp-hook is not beside tmp-agent in %s: install both", filepath.Dir(env.Self))
	}
	return file, nil
}

func (env *Env) paths() place.Paths { return place.Find(env.Getenv) }

// asAgent reports whether the caller says that it is an agent.
func (env *Env) asAgent() bool {
	return env.Getenv("TMP_AGENT_ID") != "" || env.Getenv("TE_AGENT_ID") != ""
}

// isHelp reports whether help is asked for.
func isHelp(args []string) bool {
	for _, a := range args {
		if a == "-h" || a == "--help" {
			return true
		}
	}
	return false
}

// option reads the value of --name or --name=value at args[*i].
func option(args []string, i *int, name string) (value string, is bool, err error) {
	if v, ok := strings.CutPrefix(args[*i], name+"="); ok {
		return v, true, nil
	}
	if args[*i] != name {
		return "", false, nil
	}
	if *i++; *i == len(args) {
		return "", true, usagef("%s is without its value", name)
	}
	return args[*i], true, nil
}
