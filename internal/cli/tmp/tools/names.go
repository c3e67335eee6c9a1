package tools

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/tool-mapping-protocol/tmp/internal/agent/conf"
	"github.com/tool-mapping-protocol/tmp/internal/cli/command"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/toolid"
)

// maxInput bounds a file that is read, in bytes.
const maxInput = 64 << 20

// readTable reads a table of aliases; "" is the platform's own.
func readTable(file string) (toolid.Table, error) {
	if file == "" {
		return toolid.Aliases(), nil
	}
	data, err := readFile(file)
	if err != nil {
		return toolid.Table{}, term.Usagef("%s", err)
	}
	t, err := toolid.ReadTable(data)
	if err != nil {
		return t, term.Usagef("%s: %s", file, err)
	}
	return t, nil
}

// readFile reads a regular file of a bounded size.
func readFile(file string) ([]byte, error) {
	info, err := os.Stat(file)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s: is no regular file", file)
	case info.Size() > maxInput:
		return nil, fmt.Errorf("%s: is larger than %d MiB", file, maxInput>>20)
	}
	return os.ReadFile(file)
}

type classifyOptions struct {
	table, at, plugin string
	json              bool
}

// NewClassify is tmp tools classify.
func NewClassify(env *term.Env, f *command.Flags) command.Run {
	var o classifyOptions
	f.String("table", &o.table)
	f.String("at", &o.at)
	f.String("plugin", &o.plugin)
	f.Bool("json", &o.json)
	return func(in command.Input) error { return o.run(env, in.Args) }
}

func (o *classifyOptions) run(env *term.Env, ids []string) error {
	q := toolid.Question{At: o.at, Plugin: o.plugin}
	if o.at != "" && !toolid.Version(o.at) {
		return term.Usagef("--at: %q is no version such as 1.4 or 1.4.0", o.at)
	}
	if o.plugin != "" && toolid.Check(o.plugin) != nil {
		return term.Usagef("--plugin: %q is no name of a plugin", o.plugin)
	}
	var err error
	if o.table != "" {
		if q.Table, err = readTable(o.table); err != nil {
			return err
		}
	}
	results := make([]toolid.Classified, len(ids))
	bad := false
	for i, id := range ids {
		results[i] = toolid.Classify(id, q)
		bad = bad || results[i].Status == toolid.Invalid || results[i].Status == toolid.Retired
	}
	if o.json {
		err = env.PrintJSON(struct {
			V       int                 `json:"v"`
			Results []toolid.Classified `json:"results"`
		}{1, results})
		if err != nil {
			return err
		}
	} else {
		rows := make([][]string, len(results))
		for i := range results {
			rows[i] = classifiedRow(&results[i])
		}
		env.PrintTable(rows)
	}
	if bad {
		return term.ExitStatus(1)
	}
	return nil
}

// classifiedRow is a line of the table: the text, what it is, what else there is to say.
func classifiedRow(c *toolid.Classified) []string {
	say := ""
	switch {
	case c.Error != nil:
		say = *c.Error
	case c.Replacement != nil:
		say = "write " + *c.Replacement
	case c.Family != nil:
		say = fmt.Sprintf("%s, %s, %s", *c.Family, *c.Group, *c.Tier)
	}
	return []string{term.OneLine(c.Input), string(c.Status), term.OneLine(say)}
}

type lintFinding struct {
	toolid.Finding
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
}

// NewLint is tmp tools lint: a table of aliases, a configuration, or what stands.
func NewLint(env *term.Env, f *command.Flags) command.Run {
	var table, config string
	var asJSON bool
	f.String("table", &table)
	f.String("config", &config)
	f.Bool("json", &asJSON)
	return func(command.Input) error {
		t, err := readTable(table)
		if err != nil {
			return err
		}
		findings := []lintFinding{}
		for _, found := range t.Lint() {
			findings = append(findings, lintFinding{Finding: found, File: table})
		}
		own, err := lintConfig(env, config, table == "")
		if err != nil {
			return err
		}
		findings = append(findings, own...)
		if asJSON {
			err = env.PrintJSON(struct {
				V        int           `json:"v"`
				Findings []lintFinding `json:"findings"`
			}{1, findings})
			if err != nil {
				return err
			}
		} else {
			for _, l := range findings {
				fmt.Fprintln(env.Stdout, term.OneLine(lintText(&l)))
			}
		}
		if len(findings) > 0 {
			return term.ExitStatus(1)
		}
		return nil
	}
}

func lintText(l *lintFinding) string {
	text := l.Rule + ": " + l.Detail
	switch {
	case l.File != "" && l.Line > 0:
		return fmt.Sprintf("%s:%d: %s", l.File, l.Line, text)
	case l.File != "":
		return l.File + ": " + text
	}
	return text
}

// lintConfig lists the faults of a configuration: the named one, else with
// standing the one that is in use.
func lintConfig(env *term.Env, file string, standing bool) ([]lintFinding, error) {
	named := file != ""
	if !named {
		w, err := env.Session()
		if err != nil {
			return nil, err
		}
		if !standing || w.Paths.Config == "" {
			return nil, nil
		}
		file = filepath.Join(w.Paths.Config, "agent.toml")
	}
	data, err := readFile(file)
	switch {
	case err != nil && !named && errors.Is(err, os.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, term.Usagef("%s", err)
	}
	var out []lintFinding
	_, warnings, problems := conf.Read(file, string(data))
	for _, p := range problems {
		out = append(out, lintFinding{toolid.Finding{Rule: "config", Detail: p.Err.Error()}, p.File, p.Line})
	}
	for _, p := range warnings {
		out = append(out, lintFinding{toolid.Finding{Rule: "legacy", Detail: p.Err.Error()}, p.File, p.Line})
	}
	return out, nil
}
