package term

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
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/tool-mapping-protocol/tmp/internal/screen"
	"github.com/tool-mapping-protocol/tmp/internal/session"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Failure is an error that a person sees: one line, hints, and an exit status.
type Failure struct {
	Status int
	Msg    string
	Hints  []string
	Err    error  // the cause, or nil
	Code   string // for programs, or ""
}

func (f *Failure) Error() string {
	if f.Err != nil {
		return f.Msg + ": " + screen.Plain(f.Err)
	}
	return f.Msg
}

func (f *Failure) Unwrap() error { return f.Err }

// Hint adds a line that says what to do.
func (f *Failure) Hint(format string, args ...any) *Failure {
	f.Hints = append(f.Hints, fmt.Sprintf(format, args...))
	return f
}

// Coded gives the failure a code for programs.
func (f *Failure) Coded(code string) *Failure {
	f.Code = code
	return f
}

// Failf is a failure with exit status 1.
func Failf(format string, args ...any) *Failure {
	return &Failure{Status: 1, Msg: fmt.Sprintf(format, screen.PlainArgs(args)...)}
}

// Usagef is a failure with exit status 2: the command was used wrongly.
func Usagef(format string, args ...any) *Failure {
	return &Failure{Status: 2, Msg: fmt.Sprintf(format, screen.PlainArgs(args)...)}
}

// ExitStatus ends the program with a status when everything has been said.
type ExitStatus int

func (s ExitStatus) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

// Report prints the error, if any, and returns the exit status.
func Report(env *Env, err error) int {
	if err == nil {
		return 0
	}
	var s ExitStatus
	if errors.As(err, &s) {
		return int(s)
	}
	f := failure(err)
	fmt.Fprintf(env.Stderr, "tmp: %s\n", OneLine(f.Error()))
	for _, h := range f.Hints {
		fmt.Fprintf(env.Stderr, "  %s\n", OneLine(h))
	}
	return f.Status
}

// failure is any error as one that a person sees.
func failure(err error) *Failure {
	var f *Failure
	var r *session.Refusal
	switch {
	case errors.As(err, &f):
	case errors.As(err, &r):
		f = &Failure{Status: 1, Msg: err.Error(), Hints: r.Hints, Code: string(r.Code)}
		if r.Code == session.Usage {
			f.Status = 2
		}
	default:
		f = &Failure{Status: 1, Msg: screen.Plain(err)}
	}
	return f
}

// ReportJSON is Report of a command that was asked for JSON and has printed
// nothing: an object {v, error:{code, message, hints}} stands for the answer.
func ReportJSON(env *Env, err error) int {
	var s ExitStatus
	if err == nil || errors.As(err, &s) {
		return Report(env, err)
	}
	f := failure(err)
	type fault struct {
		Code    string   `json:"code"`
		Message string   `json:"message"`
		Hints   []string `json:"hints,omitempty"`
	}
	code := f.Code
	switch {
	case code != "":
	case f.Status == 2:
		code = string(session.Usage)
	case f.Status == 125:
		code = string(session.Denied)
	default:
		code = string(session.Failed)
	}
	_ = env.PrintJSON(struct {
		V     int   `json:"v"`
		Error fault `json:"error"`
	}{1, fault{code, f.Error(), f.Hints}})
	return Report(env, err)
}

// Notice prints one line about something that the answer goes on without.
func (e *Env) Notice(format string, args ...any) {
	fmt.Fprintf(e.Stderr, "tmp: %s\n", OneLine(fmt.Sprintf(format, screen.PlainArgs(args)...)))
}

// PrintJSON writes v as one indented JSON object. Characters that steer a
// terminal or are not seen are escaped.
func (e *Env) PrintJSON(v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return err
	}
	_, err := e.Stdout.Write(screen.JSON(b.Bytes()))
	return err
}

// OneLine makes text safe for one line of a terminal.
func OneLine(s string) string { return screen.Printable(s) }

// Style writes with or without escape sequences.
type Style bool

// StyleOf returns the style for the stream 1 or 2.
func (e *Env) StyleOf(stream int) Style {
	t := e.Getenv("TERM")
	return Style(e.IsTerminal(stream) && e.Getenv("NO_COLOR") == "" && t != "" && t != "dumb")
}

func (s Style) Wrap(code, text string) string {
	if !s || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

func (s Style) Bold(text string) string { return s.Wrap("1", text) }
func (s Style) Dim(text string) string  { return s.Wrap("2", text) }

// Level writes the name of a level in its colour.
func (s Style) Level(l tcpdb.Level) string {
	switch {
	case l >= tcpdb.Critical:
		return s.Wrap("1;31", l.String())
	case l == tcpdb.High:
		return s.Wrap("31", l.String())
	case l == tcpdb.Medium || l == tcpdb.Unknown:
		return s.Wrap("33", l.String())
	}
	return s.Wrap("32", l.String())
}
