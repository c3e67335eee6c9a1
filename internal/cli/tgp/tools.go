package tgp

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/forge"
	"github.com/tool-mapping-protocol/tmp/internal/forge/law"
	"github.com/tool-mapping-protocol/tmp/internal/screen"
)

func runInit(c *call) error {
	actions, err := forge.Init(c.caller(), c.line.value("--rules"))
	if err != nil {
		return err
	}
	if c.line.json {
		return c.json(map[string]any{"v": 1, "actions": actions})
	}
	for _, a := range actions {
		detail := a.File
		if d := a.Detail; d != nil {
			var parts []string
			for _, p := range []string{d.ORM, d.Driver, d.Dialect, d.SchemaPath} {
				if p != "" {
					parts = append(parts, p)
				}
			}
			if detail = strings.Join(parts, ", "); detail == "" {
				detail = "no ORM"
			}
		}
		c.printf("%-12s %s  %s\n", a.Name, a.State, detail)
	}
	return nil
}

func runList(c *call) error {
	f, err := c.lenient()
	if err != nil {
		return err
	}
	tools, err := f.List(c.line.value("--query"))
	var e *forge.Error
	if errors.As(err, &e) && e.Code == forge.NotFound {
		tools, err = nil, nil
	}
	if err != nil {
		return err
	}
	missed := c.line.given("--query") && len(tools) == 0
	if c.line.json {
		if tools == nil {
			tools = []*forge.Tool{}
		}
		if err := c.json(map[string]any{"v": 1, "tools": tools}); err != nil {
			return err
		}
	} else {
		for _, t := range tools {
			state := ""
			if t.State != forge.Approved {
				state = "  " + t.State
			}
			c.printf("%s (v%s - \"%s\")%s\n", t.Path, t.Version, t.Description, state)
		}
		if missed {
			fmt.Fprintln(c.Stderr, "tgp: no tool fits; forge one: tgp check DRAFT, then tgp add")
		}
	}
	if missed {
		return exit(1)
	}
	return nil
}

// checked is the answer about one file.
type checked struct {
	V        int           `json:"v"`
	OK       bool          `json:"ok"`
	File     string        `json:"file"`
	Findings []law.Finding `json:"findings"`
	SHA256   string        `json:"sha256"`
	Params   []law.Param   `json:"params"`
	Effect   string        `json:"effect"`
	Level    string        `json:"level"`
	Types    string        `json:"types"` // "not checked"
}

func checkFile(f *forge.Forge, name string, data []byte, abs string) (*checked, error) {
	res, err := f.Check(data, abs, name)
	if err != nil {
		return nil, err
	}
	a := &checked{
		V: 1, OK: len(res.Findings) == 0, File: name, Findings: res.Findings, SHA256: res.SHA256, Params: res.Manifest.Params,
		Effect: res.Manifest.Effect(), Level: res.Manifest.Level(), Types: "not checked",
	}
	if a.Findings == nil {
		a.Findings = []law.Finding{}
	}
	if a.Params == nil {
		a.Params = []law.Param{}
	}
	return a, nil
}

func runCheck(c *call) error {
	f, err := c.lenient()
	if err != nil {
		return err
	}
	var all []*checked
	ok := true
	for _, name := range c.line.args {
		var data []byte
		abs := name
		if !filepath.IsAbs(abs) {
			abs = filepath.Join(c.Dir, name)
		}
		if name == "-" {
			abs = filepath.Join(c.Dir, "stdin.ts")
			data, err = io.ReadAll(io.LimitReader(c.Stdin, 8*law.MaxSource))
			name = "stdin.ts"
		} else if st, statErr := os.Stat(abs); statErr == nil && !st.Mode().IsRegular() {
			err = errors.New("it is no file")
		} else {
			data, err = readLimited(abs)
		}
		if err != nil {
			return forge.Fail(forge.NotFound, "%s cannot be read: %s", name, err)
		}
		a, err := checkFile(f, name, data, abs)
		if err != nil {
			return err
		}
		all = append(all, a)
		ok = ok && a.OK
	}
	if c.line.json {
		var v any = all[0]
		if len(all) > 1 {
			v = map[string]any{"v": 1, "ok": ok, "files": all}
		}
		if err := c.json(v); err != nil {
			return err
		}
	} else {
		for _, a := range all {
			for _, f := range a.Findings {
				fmt.Fprintln(c.Stdout, screen.Printable(f.String()))
			}
			if a.OK {
				c.printf("%s: ok (%s, %s; types are not checked)\n", a.File, a.Effect, a.Level)
			}
		}
	}
	if !ok {
		return exit(1)
	}
	return nil
}

func readLimited(file string) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		var p *os.PathError
		if errors.As(err, &p) {
			return nil, p.Err
		}
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, 8*law.MaxSource))
}

func runRun(c *call) error {
	f, err := c.open()
	if err != nil {
		return c.failedRun(err)
	}
	defer f.Close()
	o := forge.Order{Tool: c.line.args[0], Args: forge.Arguments{Words: c.line.args[1:], JSON: c.line.value("--args")}, DryRun: c.line.given("--dry-run")}
	if o.Args.JSON == "-" {
		data, err := io.ReadAll(io.LimitReader(c.Stdin, 2<<20))
		if err != nil {
			return c.failedRun(forge.Fail(forge.Usage, "%s", err))
		}
		o.Args.JSON = string(data)
	}
	if t := c.line.value("--timeout"); t != "" {
		if o.Timeout, err = duration(t); err != nil {
			return c.failedRun(err)
		}
	}
	if !c.line.json {
		o.Output = func(isErr bool, text []byte) {
			if isErr {
				_, _ = c.Stderr.Write(text)
			}
		}
	}
	r := f.Run(c.Context, o)
	return c.ran(r)
}

func duration(t string) (time.Duration, error) {
	d, err := time.ParseDuration(t)
	if err != nil {
		if d, err = time.ParseDuration(t + "s"); err != nil {
			return 0, usage("%q is not a time such as 5s or 1m", t)
		}
	}
	if d <= 0 {
		return 0, usage("%q is not a time such as 5s or 1m", t)
	}
	return d, nil
}

// failedRun answers a run that never was.
func (c *call) failedRun(err error) error {
	var e *forge.Error
	if c.line.json && errors.As(err, &e) {
		r := &forge.Report{V: 1, Result: []byte("null"), Error: e, Exit: e.ExitStatus()}
		if len(c.line.args) > 0 {
			r.Tool = c.line.args[0]
		}
		return c.ran(r)
	}
	return err
}

// ran prints how a run ended.
func (c *call) ran(r *forge.Report) error {
	if c.line.json {
		if err := c.json(r); err != nil {
			return err
		}
	} else if r.Plan != nil {
		c.printf("%s would run (%s, %s, %s mode)\nsource  %s\nreaches net %s, env %s, writes %s\nwall    %dms\nplan    %s\n", r.Tool, r.Effect, r.Level, r.Mode, r.Plan.Source,
			list(r.Plan.Net), list(r.Plan.Env), list(r.Plan.Dirs), r.Plan.WallMS, r.Plan.Digest)
	} else if r.Error == nil {
		fmt.Fprintf(c.Stdout, "%s\n", r.Result)
	} else if r.Printed {
		fmt.Fprintf(c.Stdout, "%s\n", r.Result)
	}
	if r.Draft && r.Started && r.Error == nil {
		fmt.Fprintf(c.Stderr, "tgp: %s is a draft: nobody has approved it (god mode)\n", screen.Printable(r.Tool))
	}
	if r.Error != nil {
		if !c.line.json {
			return r.Error
		}
		fmt.Fprintf(c.Stderr, "tgp: %s: %s\n", r.Error.Code, screen.Printable(r.Error.Error()))
		for _, h := range r.Error.Hints {
			fmt.Fprintf(c.Stderr, "  %s\n", screen.Printable(h))
		}
		return exit(r.Error.ExitStatus())
	}
	return nil
}

func list(l []string) string {
	if len(l) == 0 {
		return "-"
	}
	return strings.Join(l, " ")
}

func runAdd(c *call) error {
	f, err := c.open()
	if err != nil {
		return err
	}
	a, err := f.Add(c.line.args[0], c.line.args[1], c.line.value("--message"))
	if err != nil {
		return err
	}
	return c.added(a)
}

// added prints what became of a tool.
func (c *call) added(a *forge.Added) error {
	if c.line.json {
		return c.json(a)
	}
	switch {
	case a.State == forge.Pending:
		c.printf("%s waits for an approval on %s: tgp review %s\n", a.Tool, a.Branch, a.Tool)
	case a.State == forge.Approved:
		c.printf("%s is approved\n", a.Tool)
	default:
		c.printf("%s: %s (%s)\n", a.Path, a.Subject, a.State)
	}
	return nil
}

func runFix(c *call) error {
	f, err := c.open()
	if err != nil {
		return err
	}
	tool := c.line.args[0]
	switch {
	case c.line.given("--abort"):
		a, err := f.AbortFix(tool)
		if err != nil {
			return err
		}
		if c.line.json {
			return c.json(a)
		}
		c.printf("%s is as it was\n", a.Tool)
		return nil
	case c.line.given("--commit"):
		a, err := f.CommitFix(tool, c.line.value("--message"))
		if err != nil {
			return err
		}
		return c.added(a)
	}
	a, err := f.Fix(tool)
	if err != nil {
		return err
	}
	if c.line.json {
		return c.json(a)
	}
	c.printf("%s\n", a.File)
	if l, ok := a.LastFailure.(*forge.RunLine); ok {
		fmt.Fprintf(c.Stderr, "tgp: it failed last with %s: %s\n", l.Code, screen.Printable(l.Message))
	}
	fmt.Fprintf(c.Stderr, "  edit it, then: tgp fix %s --commit -m TEXT\n", tool)
	return nil
}
