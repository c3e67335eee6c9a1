package forging

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/cli/tgp"
	"github.com/tool-mapping-protocol/tmp/internal/forge"
	"github.com/tool-mapping-protocol/tmp/internal/forge/law"
	"github.com/tool-mapping-protocol/tmp/internal/screen"
)

func runInit(c *call) error {
	actions, err := forge.Init(c.Caller(), c.Line.Value("--rules"))
	if err != nil {
		return err
	}
	if c.Line.JSON {
		return c.JSON(map[string]any{"v": 1, "actions": actions})
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
		c.Printf("%-12s %s  %s\n", a.Name, a.State, detail)
	}
	return nil
}

func runList(c *call) error {
	f, err := c.lenient()
	if err != nil {
		return err
	}
	tools, err := f.List(c.Line.Value("--query"))
	var e *forge.Error
	if errors.As(err, &e) && e.Code == forge.NotFound {
		tools, err = nil, nil
	}
	if err != nil {
		return err
	}
	missed := c.Line.Given("--query") && len(tools) == 0
	if c.Line.JSON {
		if tools == nil {
			tools = []*forge.Tool{}
		}
		if err := c.JSON(map[string]any{"v": 1, "tools": tools}); err != nil {
			return err
		}
	} else {
		for _, t := range tools {
			state := ""
			if t.State != forge.Approved {
				state = "  " + t.State
			}
			c.Printf("%s (v%s - \"%s\")%s\n", t.Path, t.Version, t.Description, state)
		}
		if missed {
			fmt.Fprintln(c.Stderr, "tgp: no tool fits; forge one: tgp check DRAFT, then tgp add")
		}
	}
	if missed {
		return tgp.Exit(1)
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
	for _, name := range c.Line.Args {
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
	if c.Line.JSON {
		var v any = all[0]
		if len(all) > 1 {
			v = map[string]any{"v": 1, "ok": ok, "files": all}
		}
		if err := c.JSON(v); err != nil {
			return err
		}
	} else {
		for _, a := range all {
			for _, f := range a.Findings {
				fmt.Fprintln(c.Stdout, screen.Printable(f.String()))
			}
			if a.OK {
				c.Printf("%s: ok (%s, %s; types are not checked)\n", a.File, a.Effect, a.Level)
			}
		}
	}
	if !ok {
		return tgp.Exit(1)
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

func runAdd(c *call) error {
	f, err := c.open()
	if err != nil {
		return err
	}
	a, err := f.Add(c.Line.Args[0], c.Line.Args[1], c.Line.Value("--message"))
	if err != nil {
		return err
	}
	return c.added(a)
}

// added prints what became of a tool.
func (c *call) added(a *forge.Added) error {
	if c.Line.JSON {
		return c.JSON(a)
	}
	switch {
	case a.State == forge.Pending:
		c.Printf("%s waits for an approval on %s: tgp review %s\n", a.Tool, a.Branch, a.Tool)
	case a.State == forge.Approved:
		c.Printf("%s is approved\n", a.Tool)
	default:
		c.Printf("%s: %s (%s)\n", a.Path, a.Subject, a.State)
	}
	return nil
}

func runFix(c *call) error {
	f, err := c.open()
	if err != nil {
		return err
	}
	tool := c.Line.Args[0]
	switch {
	case c.Line.Given("--abort"):
		a, err := f.AbortFix(tool)
		if err != nil {
			return err
		}
		if c.Line.JSON {
			return c.JSON(a)
		}
		c.Printf("%s is as it was\n", a.Tool)
		return nil
	case c.Line.Given("--commit"):
		a, err := f.CommitFix(tool, c.Line.Value("--message"))
		if err != nil {
			return err
		}
		return c.added(a)
	}
	a, err := f.Fix(tool)
	if err != nil {
		return err
	}
	if c.Line.JSON {
		return c.JSON(a)
	}
	c.Printf("%s\n", a.File)
	if l, ok := a.LastFailure.(*forge.RunLine); ok {
		fmt.Fprintf(c.Stderr, "tgp: it failed last with %s: %s\n", l.Code, screen.Printable(l.Message))
	}
	fmt.Fprintf(c.Stderr, "  edit it, then: tgp fix %s --commit -m TEXT\n", tool)
	return nil
}
