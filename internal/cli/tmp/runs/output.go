package runs

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/tool-mapping-protocol/tmp/internal/cli/command"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/runlog"
	"github.com/tool-mapping-protocol/tmp/internal/session"
)

type outputOptions struct {
	last, raw, stderr, path, json bool
	lines, grep                   string
}

// NewOutput is tmp output show.
func NewOutput(env *term.Env, f *command.Flags) command.Run {
	var o outputOptions
	f.Bool("last", &o.last)
	f.Bool("raw", &o.raw)
	f.Bool("stderr", &o.stderr)
	f.String("lines", &o.lines)
	f.String("grep", &o.grep)
	f.Bool("path", &o.path)
	f.Bool("json", &o.json)
	return func(in command.Input) error { return o.run(env, in.Args) }
}

func (o *outputOptions) run(env *term.Env, args []string) error {
	if o.last && len(args) > 0 {
		return term.Usagef("--last and a run's ID exclude each other").Hint("tmp runs list shows the IDs")
	}
	part := o.raw || o.stderr || o.lines != "" || o.grep != ""
	if part && o.json || part && o.path || o.json && o.path {
		return term.Usagef("--path, --json and what shows the output itself exclude each other")
	}
	pick, err := newPicker(o.lines, o.grep)
	if err != nil {
		return err
	}
	w, err := env.Session()
	if err != nil {
		return err
	}
	k, err := w.Kept(named(args))
	if err != nil {
		return err
	}
	switch {
	case o.path:
		fmt.Fprintln(env.Stdout, k.RawPath)
		return nil
	case part || k.Summary == nil && !o.json:
		if k.Summary == nil {
			env.Notice("%s", unfinished(k))
		}
		return o.part(env, k, pick)
	case o.json:
		return showJSON(env, k)
	}
	return showSummary(env, k)
}

// named is the ID of the run that the words of a line name, or the last one.
func named(args []string) string {
	if len(args) == 0 {
		return session.Last
	}
	return args[0]
}

// part prints the raw output, or what was asked for of it.
func (o *outputOptions) part(env *term.Env, k runlog.Kept, pick *picker) error {
	raw, err := k.OpenRaw()
	if err != nil {
		return err
	}
	defer raw.Close()
	var from io.Reader = raw
	if o.stderr {
		parts, err := k.Stderr()
		if errors.Is(err, runlog.ErrOneStream) {
			return term.Failf("run %s kept standard output and standard error as one stream, in the exact order in which they were written", k.ID).
				Hint("tmp run --separate keeps them apart; the order between the two is then the one in which tmp read them")
		}
		if err != nil {
			return err
		}
		from = sections(raw, parts)
	}
	return pick.copy(env.Stdout, from)
}

func sections(f io.ReaderAt, parts []runlog.Range) io.Reader {
	readers := make([]io.Reader, len(parts))
	for i, p := range parts {
		readers[i] = io.NewSectionReader(f, p.Start, p.Len)
	}
	return io.MultiReader(readers...)
}

func unfinished(k runlog.Kept) string {
	if k.InProgress {
		return "run " + k.ID + " is still going on: this is its output so far"
	}
	return "run " + k.ID + " was cut short and has no summary: this is its output"
}

func copyRaw(env *term.Env, k runlog.Kept) error {
	raw, err := k.OpenRaw()
	if err != nil {
		return err
	}
	defer raw.Close()
	_, err = io.Copy(env.Stdout, raw)
	return err
}

func showJSON(env *term.Env, k runlog.Kept) error {
	if k.Summary != nil {
		_, err := env.Stdout.Write(k.Summary)
		return err
	}
	e := session.NewEnvelope("")
	e.RunID, e.Started, e.ExitStatus = &k.ID, true, -1
	e.RawOutput = session.RawOutput{Retained: true, Location: k.RawPath, Path: k.RawPath}
	e.Error = &session.Fault{Code: session.Failed, Message: unfinished(k)}
	if st, err := os.Lstat(k.RawPath); err == nil {
		e.RawOutput.Bytes = st.Size()
	}
	return env.PrintJSON(e)
}

func showSummary(env *term.Env, k runlog.Kept) error {
	var e session.Envelope
	if err := json.Unmarshal(k.Summary, &e); err != nil || e.Invocation == nil {
		return term.Failf("the summary of %s cannot be read", k.ID).Hint("tmp output show %s --raw shows its output", k.ID)
	}
	if e.Output == "" && e.RawOutput.Bytes > 0 {
		return copyRaw(env, k) // it was shown whole and never shaped
	}
	if _, err := io.WriteString(env.Stdout, e.Output); err != nil {
		return err
	}
	env.Notice("%s", e.Outcome(0))
	return nil
}
