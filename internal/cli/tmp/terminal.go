package tmp

// What goes where:
//
// Standard output carries the answer that was asked for and nothing else: the
// list, the plan, the envelope, the child's output. With --json it is exactly
// one JSON object with "v":1 (or one per record where a command reads records).
//
// Standard error carries what went wrong, as one line "tmp: …" followed by
// hint lines indented by two blanks, and notices about missing or ignored
// layers of the map. The standard error of a command that tmp runs arrives
// there too when it is streamed.
//
// The terminal itself (/dev/tty) carries questions to a person and their
// answers, never data; without a terminal nothing is asked and the answer is no.
//
// Colour and bold are used on a stream only if it is a terminal, NO_COLOR is
// unset or empty, and TERM is set and not "dumb".

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/tool-mapping-protocol/tmp/internal/screen"
	"github.com/tool-mapping-protocol/tmp/internal/session"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// failure is an error that a person sees: one line, hints, and an exit status.
type failure struct {
	status int
	msg    string
	hints  []string
	err    error // the cause, or nil
}

func (f *failure) Error() string {
	if f.err != nil {
		return f.msg + ": " + f.err.Error()
	}
	return f.msg
}

func (f *failure) Unwrap() error { return f.err }

// hint adds a line that says what to do.
func (f *failure) hint(format string, args ...any) *failure {
	f.hints = append(f.hints, fmt.Sprintf(format, args...))
	return f
}

// failf is a failure with exit status 1.
func failf(format string, args ...any) *failure {
	return &failure{status: 1, msg: fmt.Sprintf(format, args...)}
}

// usagef is a failure with exit status 2: the command was used wrongly.
func usagef(format string, args ...any) *failure {
	return &failure{status: 2, msg: fmt.Sprintf(format, args...)}
}

// exitStatus ends the program with a status when everything has been said.
type exitStatus int

func (s exitStatus) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

// report prints the error, if any, and returns the exit status.
func report(env *Env, err error) int {
	if err == nil {
		return 0
	}
	var s exitStatus
	if errors.As(err, &s) {
		return int(s)
	}
	var f *failure
	var r *session.Refusal
	switch {
	case errors.As(err, &f):
	case errors.As(err, &r):
		f = &failure{status: 1, msg: err.Error(), hints: r.Hints}
		if r.Code == session.Usage {
			f.status = 2
		}
	default:
		f = &failure{status: 1, msg: err.Error()}
	}
	fmt.Fprintf(env.Stderr, "tmp: %s\n", oneLine(f.Error()))
	for _, h := range f.hints {
		fmt.Fprintf(env.Stderr, "  %s\n", oneLine(h))
	}
	return f.status
}

// notice prints one line about something that the answer goes on without.
func (e *Env) notice(format string, args ...any) {
	fmt.Fprintf(e.Stderr, "tmp: %s\n", oneLine(fmt.Sprintf(format, args...)))
}

// printJSON writes v as one indented JSON object.
func (e *Env) printJSON(v any) error {
	enc := json.NewEncoder(e.Stdout)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// oneLine makes text safe for one line of a terminal.
func oneLine(s string) string { return screen.Printable(s) }

// style writes with or without escape sequences.
type style bool

// styleOf returns the style for the stream 1 or 2.
func (e *Env) styleOf(stream int) style {
	t := e.Getenv("TERM")
	return style(e.IsTerminal(stream) && e.Getenv("NO_COLOR") == "" && t != "" && t != "dumb")
}

func (s style) wrap(code, text string) string {
	if !s || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

func (s style) bold(text string) string { return s.wrap("1", text) }
func (s style) dim(text string) string  { return s.wrap("2", text) }

// level writes the name of a level in its colour.
func (s style) level(l tcpdb.Level) string {
	switch {
	case l >= tcpdb.Critical:
		return s.wrap("1;31", l.String())
	case l == tcpdb.High:
		return s.wrap("31", l.String())
	case l == tcpdb.Medium || l == tcpdb.Unknown:
		return s.wrap("33", l.String())
	}
	return s.wrap("32", l.String())
}
