package generate

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/cli/command"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/rtk"
	"github.com/tool-mapping-protocol/tmp/internal/screen"
	"github.com/tool-mapping-protocol/tmp/internal/textdiff"
)

type rtkVerifyOptions struct {
	filter     string
	requireAll bool
	json       bool
}

// NewRTKVerify is tmp rtk verify.
func NewRTKVerify(env *term.Env, f *command.Flags) command.Run {
	var o rtkVerifyOptions
	f.String("filter", &o.filter)
	f.Bool("require-all", &o.requireAll)
	f.Bool("json", &o.json)
	return func(in command.Input) error { return o.run(env, in.Args) }
}

// rtkVerified is the JSON of tmp rtk verify.
type rtkVerified struct {
	V        int              `json:"v"`
	File     string           `json:"file"`
	Loads    bool             `json:"loads"` // RTK would take the file
	Filters  []string         `json:"filters"`
	Problems []rtkProblem     `json:"problems"`
	Tests    []rtkTestOutcome `json:"tests"`
	Passed   int              `json:"passed"`
	Failed   int              `json:"failed"`
	Untested []string         `json:"untested"`
}

type rtkProblem struct {
	Line    int    `json:"line,omitempty"`
	Key     string `json:"key,omitempty"`
	Effect  string `json:"effect"` // "remark", "filter_left_out", "file_rejected"
	Message string `json:"message"`
}

type rtkTestOutcome struct {
	Filter   string `json:"filter"`
	Name     string `json:"name"`
	Line     int    `json:"line"`
	Passed   bool   `json:"passed"`
	Expected string `json:"expected,omitempty"` // of those that failed
	Actual   string `json:"actual,omitempty"`
}

func (o *rtkVerifyOptions) run(env *term.Env, args []string) error {
	name := rtk.FilterFile
	if len(args) > 0 {
		name = args[0]
	}
	path, err := env.Path(name)
	if err != nil {
		return err
	}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) && len(args) == 0 {
		return term.Failf("there is no %s here", name).Hint("name a file, or draft a filter: tmp rtk draft OPERATION --sample FILE")
	}
	if err != nil {
		return term.Failf("%s", err)
	}
	file, problems := rtk.Parse(name, data)
	v := rtkVerified{V: 1, File: name, Loads: file != nil, Filters: []string{}, Problems: []rtkProblem{}, Tests: []rtkTestOutcome{}, Untested: []string{}}
	for _, p := range problems {
		v.Problems = append(v.Problems, rtkProblem{p.Line, p.Key, strings.ReplaceAll(p.Effect.String(), " ", "_"), p.Text})
	}
	if file != nil {
		if o.filter != "" && !slices.Contains(file.Names, o.filter) {
			return term.Failf("%s has no filter %s", name, o.filter).Hint("it has: %s", strings.Join(file.Names, ", "))
		}
		o.tests(&v, file)
	}
	if o.json {
		err = env.PrintJSON(v)
	} else {
		printVerified(env, &v, problems)
	}
	if err == nil && (rtk.Worst(problems) != rtk.Remark || v.Failed > 0 || o.requireAll && len(v.Untested) > 0) {
		return term.ExitStatus(1)
	}
	return err
}

func (o *rtkVerifyOptions) tests(v *rtkVerified, file *rtk.File) {
	for _, name := range file.Names {
		if o.filter == "" || o.filter == name {
			v.Filters = append(v.Filters, name)
		}
	}
	for _, t := range file.RunTests() {
		if o.filter != "" && o.filter != t.Filter {
			continue
		}
		row := rtkTestOutcome{Filter: t.Filter, Name: t.Name, Line: t.Line, Passed: t.Passed}
		if v.Passed++; !t.Passed {
			row.Expected, row.Actual = t.Expected, t.Actual
			v.Passed--
			v.Failed++
		}
		v.Tests = append(v.Tests, row)
	}
	for _, name := range file.Untested() {
		if o.filter == "" || o.filter == name {
			v.Untested = append(v.Untested, name)
		}
	}
}

func printVerified(env *term.Env, v *rtkVerified, problems []rtk.Problem) {
	w := env.Stdout
	for _, p := range problems {
		fmt.Fprintf(w, "%s (%s)\n", term.OneLine(p.Error()), p.Effect)
	}
	for _, t := range v.Tests {
		if !t.Passed {
			fmt.Fprintf(w, "%s:%d: the test %q of %s fails; - is expected, + is what the filter makes\n", v.File, t.Line, t.Name, term.OneLine(t.Filter))
			for l := range strings.Lines(textdiff.Unified(t.Expected+"\n", t.Actual+"\n")) {
				fmt.Fprintf(w, "  %s\n", term.OneLine(strings.TrimSuffix(l, "\n")))
			}
		}
	}
	for _, name := range v.Untested {
		fmt.Fprintf(w, "%s: filters.%s has no test\n", v.File, term.OneLine(name))
	}
	if v.Loads {
		fmt.Fprintf(w, "%s: %s, %s passed, %d failed\n", v.File, screen.Count(len(v.Filters), "filter"), screen.Count(v.Passed, "test"), v.Failed)
	}
	if v.Loads && strings.HasSuffix(filepath.ToSlash(filepath.Clean(v.File)), rtk.FilterFile) {
		env.Notice("RTK uses the filters of a project only after rtk trust, and again after each change")
	}
}
