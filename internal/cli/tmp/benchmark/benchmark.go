// Package benchmark holds the commands of tmp benchmark, which runs tasks by
// several conditions and compares what they cost.
package benchmark

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/benchmark"
	"github.com/tool-mapping-protocol/tmp/internal/cli/command"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

type runOptions struct {
	tasks string
	only  []string
	out   string
	show  bool
	json  bool
}

// NewRun is tmp benchmark run.
func NewRun(env *term.Env, f *command.Flags) command.Run {
	var o runOptions
	f.String("tasks", &o.tasks)
	f.Bool("list", &o.show)
	f.String("out", &o.out)
	f.Bool("json", &o.json)
	return func(in command.Input) error { o.only = in.Args; return o.run(env) }
}

func (o *runOptions) run(env *term.Env) error {
	tasks, err := o.read()
	if err != nil {
		return term.Failf("%s", err)
	}
	if o.show {
		return o.printTasks(env, tasks)
	}
	self, err := os.Executable()
	if err != nil {
		return term.Failf("the program cannot be found: %s", err)
	}
	run := benchmark.Runner{Self: self, Getenv: env.Getenv, Now: env.Now}
	if err := run.Open(); err != nil {
		return term.Failf("%s", err)
	}
	defer func() {
		if err := run.Close(); err != nil {
			env.Notice("%s", err)
		}
	}()
	bar := term.NewProgress(env, len(tasks))
	records := []benchmark.Record{}
	for i := range tasks {
		t := &tasks[i]
		if name := t.Missing(besides(env.Getenv, self)); name != "" {
			env.Notice("%s: skipped, there is no %s", t.ID, name)
			bar.Step(t.ID)
			continue
		}
		recs, err := run.Do(env.Context, t)
		if err != nil {
			return term.Failf("%s", err)
		}
		records = append(records, recs...)
		bar.Step(t.ID)
	}
	bar.Close()
	return o.finish(env, records)
}

// besides adds the directory of this program to PATH: te lies beside it.
func besides(getenv func(string) string, self string) func(string) string {
	return func(name string) string {
		if v := getenv(name); name != "PATH" {
			return v
		} else {
			return v + string(filepath.ListSeparator) + filepath.Dir(self)
		}
	}
}

// read gives the tasks that are asked for.
func (o *runOptions) read() ([]benchmark.Task, error) {
	tasks, err := benchmark.Own()
	if o.tasks != "" {
		tasks, err = benchmark.ReadTasks(os.DirFS(o.tasks))
		if err == nil && len(tasks) == 0 {
			return nil, errors.New(o.tasks + ": there is no task (*.toml) in it")
		}
	}
	if err != nil || len(o.only) == 0 {
		return tasks, err
	}
	var out []benchmark.Task
	for _, id := range o.only {
		i := slices.IndexFunc(tasks, func(t benchmark.Task) bool { return t.ID == id })
		if i < 0 {
			return nil, errors.New("no task " + term.OneLine(id) + "; tmp benchmark run --list shows them")
		}
		out = append(out, tasks[i])
	}
	return out, nil
}

func (o *runOptions) printTasks(env *term.Env, tasks []benchmark.Task) error {
	if o.json {
		type row struct {
			ID    string   `json:"id"`
			Title string   `json:"title"`
			Needs []string `json:"needs"`
		}
		rows := []row{}
		for _, t := range tasks {
			rows = append(rows, row{t.ID, t.Title, append([]string{}, t.Needs...)})
		}
		return env.PrintJSON(struct {
			V     int   `json:"v"`
			Tasks []row `json:"tasks"`
		}{1, rows})
	}
	for _, t := range tasks {
		fmt.Fprintf(env.Stdout, "%-20s  %s\n", term.OneLine(t.ID), term.OneLine(t.Title))
	}
	return nil
}

// finish keeps the records and prints what they say.
func (o *runOptions) finish(env *term.Env, records []benchmark.Record) error {
	var text strings.Builder
	if err := benchmark.WriteRecords(&text, records); err != nil {
		return term.Failf("%s", err)
	}
	name := o.out
	if name == "" {
		var err error
		if name, err = keptRecords(env); err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			return term.Failf("%s", err)
		}
	}
	if err := tcpdb.WriteFile(name, []byte(text.String())); err != nil {
		return term.Failf("%s", err)
	}
	if o.json {
		return writeText(env, text.String())
	}
	report := benchmark.NewReport(records)
	if err := report.WriteTable(env.Stdout); err != nil {
		return term.Failf("%s", err)
	}
	env.Notice("kept in %s; tmp benchmark report --format html makes a page of it", name)
	return nil
}

// keptRecords is the file of the last run.
func keptRecords(env *term.Env) (string, error) {
	state := env.Places().State
	if state == "" {
		return "", term.Failf("there is no state directory").Hint("set HOME or TMP_STATE_DIR, or give --out")
	}
	return filepath.Join(state, "benchmark.jsonl"), nil
}

type reportOptions struct{ format, out string }

// NewReport is tmp benchmark report.
func NewReport(env *term.Env, f *command.Flags) command.Run {
	o := reportOptions{format: "table"}
	f.String("format", &o.format)
	f.String("out", &o.out)
	return func(in command.Input) error { return o.run(env, in.Args) }
}

func (o *reportOptions) run(env *term.Env, args []string) error {
	name := ""
	if len(args) > 0 {
		name = args[0]
	} else {
		var err error
		if name, err = keptRecords(env); err != nil {
			return err
		}
	}
	records, err := readRecords(env, name)
	if errors.Is(err, fs.ErrNotExist) && len(args) == 0 {
		return term.Failf("no benchmark was run yet").Hint("tmp benchmark run")
	}
	if err != nil {
		return term.Failf("%s: %s", name, err)
	}
	report := benchmark.NewReport(records)
	var text strings.Builder
	switch o.format {
	case "html":
		err = report.WriteHTML(&text)
	case "json":
		enc := json.NewEncoder(&text)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		err = enc.Encode(report)
	default:
		err = report.WriteTable(&text)
	}
	if err != nil {
		return term.Failf("%s", err)
	}
	if o.out == "" {
		return writeText(env, text.String())
	}
	if err := tcpdb.WriteFile(o.out, []byte(text.String())); err != nil {
		return term.Failf("%s", err)
	}
	return nil
}

func writeText(env *term.Env, text string) error {
	_, err := io.WriteString(env.Stdout, text)
	return err
}

func readRecords(env *term.Env, name string) ([]benchmark.Record, error) {
	if name == "-" {
		return benchmark.ReadRecords(env.Stdin)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return benchmark.ReadRecords(io.LimitReader(f, 64<<20))
}
