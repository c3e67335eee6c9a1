// Package hook is the program that a harness of a coding agent starts before a
// tool runs: an event on standard input, an answer on standard output.
//
// Whatever happens, it answers in the form of the harness: what it cannot read
// or judge counts as HIGH and is never let through without a word. It starts no
// other program and reaches no network; it writes the audit log and, for what a
// person may approve, the request.
package hook

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/term"

	"github.com/tool-mapping-protocol/tmp/internal/account"
	"github.com/tool-mapping-protocol/tmp/internal/hook"
	"github.com/tool-mapping-protocol/tmp/internal/place"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// StatusUsage is that of a call that names no harness.
const StatusUsage = 2

// patience is how long an answer may take; then it is that of what cannot be
// judged.
const patience = time.Second

// Env is what the program sees of the world.
type Env struct {
	Args           []string // without the program's name
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Getenv         func(string) string
	Environ        []string // NAME=value
	Dir            string   // the working directory, "" if it cannot be read
	Now            func() time.Time
	// Terminal: standard input is a terminal, so that a person has typed this.
	Terminal bool
	// Account is the home directory that the system's accounts name, "" if it
	// cannot be told: records lie there, whatever the environment says.
	Account func() string
	// Exit ends the process when the answer is late; nil waits for it.
	Exit func(status int)
}

// System returns the process's own environment.
func System() Env {
	dir, err := os.Getwd()
	if err != nil {
		dir = ""
	}
	return Env{
		Args: os.Args[1:], Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Getenv: os.Getenv, Environ: os.Environ(), Dir: dir, Now: time.Now,
		Terminal: term.IsTerminal(0), Account: account.Home, Exit: os.Exit,
	}
}

// options are the arguments.
type options struct {
	harness          *hook.Harness
	agent            string
	noAsk, noRewrite bool
	wrong            string // what is wrong with the others, "" for nothing
}

// errUsage: the arguments name no harness.
var errUsage = errors.New("usage")

func parse(args []string) (o options, err error) {
	for i := 0; i < len(args); i++ {
		name, value, attached := strings.Cut(args[i], "=")
		switch {
		case args[i] == "--no-ask":
			o.noAsk = true
		case args[i] == "--no-rewrite":
			o.noRewrite = true
		case name == "--agent":
			if !attached {
				if i++; i == len(args) {
					o.wrong = "--agent is without its key"
					continue
				}
				value = args[i]
			}
			if !hook.ValidAgent(value) {
				o.wrong = fmt.Sprintf("--agent %q is no key", value)
				continue
			}
			o.agent = value
		case strings.HasPrefix(args[i], "-") || o.harness != nil:
			o.wrong = fmt.Sprintf("the argument %q is unknown", args[i])
		default:
			h, ok := hook.Find(args[i])
			if !ok {
				return o, fmt.Errorf("%w: %q is no harness: known are %s", errUsage, args[i], hook.Keys())
			}
			o.harness = h
		}
	}
	if o.harness == nil {
		return o, fmt.Errorf("%w: name the harness: %s", errUsage, hook.Keys())
	}
	return o, nil
}

func isHelp(arg string) bool { return arg == "-h" || arg == "--help" }

const usage = `usage: tmp-agent hook HARNESS [--agent KEY] [--no-ask] [--no-rewrite]
Reads the event of a tool call on standard input and answers it. A harness
starts this; tmp-agent install HARNESS --hook enters it there.
`

const examples = `
  tmp-agent hook claude < event.json   what it answers to an event
  tmp-agent install claude --hook      has Claude Code ask it
  tmp-agent doctor                     tries each harness that asks it

  --agent KEY     the name under which its calls are written down
  --no-ask        refuse where it would ask: nobody is there
  --no-rewrite    change no line
`

// Main answers one event. The status is 0, or what the harness takes for a
// refusal; 2 where no harness is named.
func Main(env Env) int {
	// A harness names itself first, and is answered in its form whatever comes behind.
	if n := len(env.Args); n > 0 && isHelp(env.Args[0]) || n > 1 && env.Terminal && isHelp(env.Args[n-1]) {
		io.WriteString(env.Stdout, usage+examples)
		return 0
	}
	o, err := parse(env.Args)
	if err == nil && env.Terminal {
		err = errUsage
		if o.wrong != "" {
			err = fmt.Errorf("%w: %s", errUsage, o.wrong)
		}
	}
	if err != nil {
		if text := strings.TrimPrefix(strings.TrimPrefix(err.Error(), "usage"), ": "); text != "" {
			fmt.Fprintf(env.Stderr, "tmp-hook: %s\n", text)
		}
		fmt.Fprint(env.Stderr, usage)
		return StatusUsage
	}
	c := &call{env: &env, o: o, paths: place.Find(env.Getenv), event: hook.Event{Form: o.harness.Form}, settings: hook.Default()}
	var late *time.Timer
	var said sync.Once
	status := 0
	say := func(a hook.Answer) {
		said.Do(func() {
			io.WriteString(env.Stdout, a.Stdout)
			io.WriteString(env.Stderr, a.Stderr)
			status = a.Status
		})
	}
	if env.Exit != nil {
		late = time.AfterFunc(patience, func() {
			// With the event read, a machine that gives no time is waited for longer, and
			// what an approval is for, which is all of a place; a harness waits five times
			// as long.
			for i := 0; i < 3 && (c.binds.Load() || c.read.Load() && idle()); i++ {
				time.Sleep(patience)
			}
			e := hook.Event{Form: o.harness.Form}
			f := unread("it took longer than a second")
			r := hook.Rule(&hook.Call{Harness: o.harness, Event: &e, Found: []hook.Found{f}}, hook.Default(), o.noAsk || !o.harness.Asks)
			say(hook.Write(o.harness, &e, &r, hook.Reason(&f, "", "", same), nil))
			env.Exit(status)
		})
	}
	a := c.answer()
	if late != nil {
		late.Stop()
	}
	say(a)
	return status
}

// idle reports whether this process has had little of the processor so far.
func idle() bool {
	var used syscall.Rusage
	err := syscall.Getrusage(syscall.RUSAGE_SELF, &used)
	return err == nil && used.Utime.Nano()+used.Stime.Nano() < int64(patience/4)
}

func same(s string) string { return s }

// unread is what is found of a call that nobody could judge.
func unread(why string) hook.Found {
	return hook.Found{
		Level: tcpdb.High, Part: "not analysed", Rule: "unread",
		Why: why + "; say in plain words what it is to do, or make it shorter",
	}
}

// read returns the event, up to a byte more than what is read of one. It grows by
// pieces, so that a long one is held twice at most.
func read(r io.Reader) ([]byte, error) {
	var pieces [][]byte
	size := 4 << 10
	for total := 0; total <= hook.MaxEvent; {
		piece := make([]byte, size)
		n, err := io.ReadFull(r, piece)
		pieces = append(pieces, piece[:n])
		total += n
		if err != nil {
			if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
				err = nil
			}
			if len(pieces) == 1 {
				return pieces[0], err
			}
			return slices.Concat(pieces...), err
		}
		size = min(2*size, 1<<20)
	}
	return slices.Concat(pieces...), nil
}
