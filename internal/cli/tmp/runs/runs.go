// Package runs shows what was run: tmp runs and tmp output, and tmp shape, which
// shortens an output as a run does.
package runs

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/tool-mapping-protocol/tmp/internal/cli/command"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/runlog"
	"github.com/tool-mapping-protocol/tmp/internal/screen"
	"github.com/tool-mapping-protocol/tmp/internal/session"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Row is a run in the answer of tmp runs list and prune.
type Row struct {
	RunID       string    `json:"run_id"`
	Time        time.Time `json:"time"`
	OperationID *string   `json:"operation_id"`
	Command     string    `json:"command"`
	State       string    `json:"state"` // "done", "failed", "running", "cut_short"
	ExitStatus  *int      `json:"exit_status"`
	Level       *string   `json:"level"`
	Bytes       int64     `json:"bytes"`
	ElapsedMS   *int64    `json:"elapsed_ms"`
	RawPath     string    `json:"raw_path"`
}

func RowOf(k runlog.Kept) Row {
	r := Row{RunID: k.ID, Time: k.Began(), State: "cut_short", Bytes: k.Bytes, RawPath: k.RawPath}
	var e session.Envelope
	switch {
	case k.InProgress:
		r.State = "running"
	case k.Summary != nil && json.Unmarshal(k.Summary, &e) == nil:
		r.State = "failed"
		if e.Success {
			r.State = "done"
		}
		r.OperationID, r.Level, r.ExitStatus, r.ElapsedMS = e.OperationID, e.Level, &e.ExitStatus, &e.ElapsedMS
		if e.Invocation != nil {
			r.Command = *e.Invocation
		}
	}
	return r
}

type listOptions struct {
	limit        int
	failed, json bool
	all          bool // of other directories too
	operation    string
}

// NewList is tmp runs list.
func NewList(env *term.Env, f *command.Flags) command.Run {
	o := listOptions{limit: 20}
	f.Int("limit", &o.limit)
	f.Bool("failed", &o.failed)
	f.Bool("all", &o.all)
	f.String("operation", &o.operation)
	f.Bool("json", &o.json)
	return func(in command.Input) error { return o.run(env) }
}

func (o *listOptions) run(env *term.Env) error {
	if o.limit < 0 {
		return term.Usagef("--limit: %d: want a number of runs, 0 for all", o.limit)
	}
	w, err := env.Session()
	if err != nil {
		return err
	}
	_, places, err := w.Runs()
	if err != nil {
		return err
	}
	kept, err := runlog.List(places...)
	if err != nil {
		env.Notice("%s", err)
	}
	rows, omitted, elsewhere := []Row{}, 0, 0
	for _, k := range kept {
		r := RowOf(k)
		switch {
		case !o.all && !w.Own(k):
			elsewhere++
		case o.failed && r.State != "failed" && r.State != "cut_short":
		case o.operation != "" && (r.OperationID == nil || *r.OperationID != o.operation):
		case o.limit > 0 && len(rows) == o.limit:
			omitted++
		default:
			rows = append(rows, r)
		}
	}
	if o.json {
		return env.PrintJSON(struct {
			V       int   `json:"v"`
			Runs    []Row `json:"runs"`
			Omitted int   `json:"omitted"`
		}{1, rows, omitted})
	}
	switch {
	case len(rows) == 0 && elsewhere > 0:
		env.Notice("no run is kept here; --all shows %s of other directories", screen.Count(elsewhere, "run"))
		return nil
	case len(rows) == 0:
		env.Notice("no run is kept here")
		return nil
	}
	printRuns(env, rows)
	if omitted > 0 {
		env.Notice("%d more; --limit 0 lists all", omitted)
	}
	return nil
}

// printRuns writes a table, the newest run first.
func printRuns(env *term.Env, rows []Row) {
	st := env.StyleOf(1)
	cells := [][]string{{"RUN", "STATUS", "LEVEL", "BYTES", "ELAPSED", "WHAT"}}
	for _, r := range rows {
		status, level, elapsed, what := strings.ReplaceAll(r.State, "_", " "), "", "", r.Command
		if r.ExitStatus != nil {
			status = strconv.Itoa(*r.ExitStatus)
		}
		if r.Level != nil {
			level = *r.Level
		}
		if r.ElapsedMS != nil {
			elapsed = (time.Duration(*r.ElapsedMS) * time.Millisecond).String()
		}
		if r.OperationID != nil {
			what = *r.OperationID + ": " + what
		}
		cells = append(cells, []string{r.RunID, status, level, screen.Size(r.Bytes), elapsed, term.OneLine(what)})
	}
	var width [5]int
	for _, c := range cells {
		for i := range width {
			width[i] = max(width[i], utf8.RuneCountInString(c[i]))
		}
	}
	for n, c := range cells {
		level := st.Dim(c[2])
		if l, err := tcpdb.ParseLevel(c[2]); err == nil && n > 0 && c[2] != "" {
			level = st.Level(l)
		}
		fmt.Fprintf(env.Stdout, "%-*s  %*s  %s%*s  %*s  %*s  %s\n", width[0], c[0], width[1], c[1],
			level, width[2]-len(c[2]), "", width[3], c[3], width[4], c[4], c[5])
	}
}

type showOptions struct{ json bool }

// NewShow is tmp runs show.
func NewShow(env *term.Env, f *command.Flags) command.Run {
	var o showOptions
	f.Bool("json", &o.json)
	return func(in command.Input) error { return o.run(env, in.Args) }
}

func (o *showOptions) run(env *term.Env, args []string) error {
	w, err := env.Session()
	if err != nil {
		return err
	}
	k, err := w.Kept(named(args))
	if err != nil {
		return err
	}
	if o.json {
		return showJSON(env, k)
	}
	printRun(env, k)
	return nil
}

// printRun shows the plan of a run and how it ended, without its output.
func printRun(env *term.Env, k runlog.Kept) {
	line := func(name, value string) {
		if value != "" {
			fmt.Fprintf(env.Stdout, "  %-12s %s\n", name, term.OneLine(value))
		}
	}
	fmt.Fprintln(env.Stdout, env.StyleOf(1).Bold(k.ID))
	var e session.Envelope
	if k.Summary == nil || json.Unmarshal(k.Summary, &e) != nil {
		line("state", RowOf(k).State)
	}
	line("runs", deref(e.Invocation))
	line("operation", deref(e.OperationID))
	for _, name := range slices.Sorted(maps.Keys(e.Parameters)) {
		line("parameter", name+" = "+e.Parameters[name])
	}
	line("directory", e.Dir)
	line("level", deref(e.Level))
	line("digest", deref(e.PlanDigest))
	line("began", k.Began().Format(time.RFC3339))
	if e.Invocation != nil {
		line("ended", fmt.Sprintf("%s after %s", ending(&e), time.Duration(e.ElapsedMS)*time.Millisecond))
	}
	if e.Error != nil {
		line("error", e.Error.Message)
	}
	line("policy", e.Policy)
	for _, name := range slices.Sorted(maps.Keys(e.Summary)) {
		line(name, plainValue(e.Summary[name]))
	}
	if n, ok := e.Omitted["lines"]; ok {
		line("left out", plainValue(n)+" lines of the summary")
	}
	line("raw output", fmt.Sprintf("%s, %s", k.RawPath, screen.Size(k.Bytes)))
	if parts, err := k.Stderr(); err == nil {
		var n int64
		for _, p := range parts {
			n += p.Len
		}
		line("", screen.Size(n)+" of it from standard error")
	} else if !errors.Is(err, runlog.ErrOneStream) {
		line("", err.Error())
	}
}

func ending(e *session.Envelope) string {
	switch {
	case e.TimedOut:
		return "stopped when its time was over"
	case e.Signal != "":
		return "ended by " + e.Signal
	}
	return fmt.Sprintf("exit status %d", e.ExitStatus)
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// plainValue writes a value of a summary in one line.
func plainValue(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(data)
}

type pruneOptions struct {
	keep           int
	older, size    string
	dryRun, asJSON bool
	all            bool // of other directories too
}

// NewPrune is tmp runs prune.
func NewPrune(env *term.Env, f *command.Flags) command.Run {
	o := pruneOptions{keep: -1}
	f.Int("keep", &o.keep)
	f.String("older", &o.older)
	f.String("max-size", &o.size)
	f.Bool("dry-run", &o.dryRun)
	f.Bool("all", &o.all)
	f.Bool("json", &o.asJSON)
	return func(in command.Input) error { return o.run(env) }
}

func (o *pruneOptions) run(env *term.Env) error {
	w, err := env.Session()
	if err != nil {
		return err
	}
	_, places, err := w.Runs()
	if err != nil {
		return err
	}
	r := w.Retention()
	if o.keep >= 0 || o.older != "" || o.size != "" {
		r = runlog.Retention{} // what is asked for alone counts
	}
	if o.keep >= 0 {
		r.Keep = o.keep
	}
	if o.older != "" {
		if r.MaxAge, err = runlog.ParseAge(o.older); err != nil {
			return term.Usagef("--older: %s", err)
		}
	}
	if o.size != "" {
		if r.MaxSize, err = runlog.ParseSize(o.size); err != nil {
			return term.Usagef("--max-size: %s", err)
		}
	}
	gone, problem, bytes := []Row{}, error(nil), int64(0)
	own := w.Own
	if o.all {
		own = nil
	}
	for _, p := range places {
		runs, err := runlog.PruneOf(p, own, r, env.Now(), o.dryRun)
		problem = errors.Join(problem, err)
		for _, k := range runs {
			if full, err := runlog.Find(k.ID, p); err == nil { // only with --dry-run are they still there
				k = full
			}
			gone, bytes = append(gone, RowOf(k)), bytes+k.Bytes
		}
	}
	if o.asJSON {
		err = env.PrintJSON(struct {
			V      int   `json:"v"`
			DryRun bool  `json:"dry_run"`
			Runs   []Row `json:"runs"`
			Bytes  int64 `json:"bytes"`
		}{1, o.dryRun, gone, bytes})
	} else {
		for _, g := range gone {
			fmt.Fprintf(env.Stdout, "%s  %s\n", g.RunID, screen.Size(g.Bytes))
		}
		verb := "removed"
		if o.dryRun {
			verb = "would be removed"
		}
		env.Notice("%s, %s: %s", screen.Count(len(gone), "run"), screen.Size(bytes), verb)
	}
	if problem != nil {
		return term.Failf("%s", problem)
	}
	return err
}
