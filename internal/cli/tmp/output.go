package tmp

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/tool-mapping-protocol/tmp/internal/runlog"
)

type outputShowOptions struct{ last, raw, path, json bool }

func newOutputShow(env *Env, f *flags) runFunc {
	var o outputShowOptions
	f.Bool("last", &o.last)
	f.Bool("raw", &o.raw)
	f.Bool("path", &o.path)
	f.Bool("json", &o.json)
	return func(in input) error { return o.run(env, in.Args) }
}

func (o *outputShowOptions) run(env *Env, args []string) error {
	if o.last && len(args) > 0 {
		return usagef("--last and a run's ID exclude each other")
	}
	if o.raw && o.json || o.raw && o.path || o.json && o.path {
		return usagef("--raw, --path and --json exclude each other")
	}
	w, err := openWorld(env)
	if err != nil {
		return err
	}
	_, places, err := w.runs()
	if err != nil {
		return err
	}
	var k runlog.Kept
	if len(args) > 0 {
		k, err = runlog.Find(args[0], places...)
	} else {
		k, err = runlog.Last(places...)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return failf("%s", err).hint("tmp run keeps the output of what it runs")
	}
	if err != nil {
		return err
	}
	switch {
	case o.path:
		fmt.Fprintln(env.Stdout, k.RawPath)
		return nil
	case o.raw || k.Summary == nil && !o.json:
		if k.Summary == nil {
			env.notice("%s", unfinished(k))
		}
		return copyRaw(env, k)
	case o.json:
		return showJSON(env, k)
	}
	return showSummary(env, k)
}

func unfinished(k runlog.Kept) string {
	if k.InProgress {
		return "run " + k.ID + " is still going on: this is its output so far"
	}
	return "run " + k.ID + " was cut short and has no summary: this is its output"
}

func copyRaw(env *Env, k runlog.Kept) error {
	raw, err := k.OpenRaw()
	if err != nil {
		return err
	}
	defer raw.Close()
	_, err = io.Copy(env.Stdout, raw)
	return err
}

func showJSON(env *Env, k runlog.Kept) error {
	if k.Summary != nil {
		_, err := env.Stdout.Write(k.Summary)
		return err
	}
	e := envelope{
		V: 1, RunID: &k.ID, Argv: []string{}, Started: true, Compressor: "none", ExitStatus: -1,
		Summary: map[string]any{}, Omitted: map[string]any{},
		RawOutput: rawOutput{Retained: true, Location: k.RawPath, Path: k.RawPath},
		Error:     &envelopeError{Code: "failed", Message: unfinished(k)},
	}
	if st, err := os.Lstat(k.RawPath); err == nil {
		e.RawOutput.Bytes = st.Size()
	}
	return env.printJSON(&e)
}

func showSummary(env *Env, k runlog.Kept) error {
	var e envelope
	if err := json.Unmarshal(k.Summary, &e); err != nil || e.Invocation == nil {
		return failf("the summary of %s cannot be read", k.ID).hint("tmp output show %s --raw shows its output", k.ID)
	}
	if e.Output == "" && e.RawOutput.Bytes > 0 {
		return copyRaw(env, k) // it was shown whole and never shaped
	}
	if _, err := io.WriteString(env.Stdout, e.Output); err != nil {
		return err
	}
	x := execution{env: env, options: &runOptions{}, result: e}
	env.notice("%s", x.outcomeLine())
	return nil
}
