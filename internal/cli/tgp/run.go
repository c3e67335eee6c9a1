package tgp

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/forge/run"
	"github.com/tool-mapping-protocol/tmp/internal/screen"
)

// Run runs a tool; open opens what does. run.ErrWorkshop: nothing was done.
func (c *Call) Run(open func(run.Caller) (*run.Runner, error)) error {
	f, err := open(c.Caller())
	if errors.Is(err, run.ErrWorkshop) {
		return err
	}
	if err != nil {
		return c.failedRun(err)
	}
	defer f.Close()
	o := run.Order{Tool: c.Line.Args[0], Args: run.Arguments{Words: c.Line.Args[1:], JSON: c.Line.Value("--args")}, DryRun: c.Line.Given("--dry-run")}
	if o.Args.JSON == "-" {
		data, err := io.ReadAll(io.LimitReader(c.Stdin, 2<<20))
		if err != nil {
			return c.failedRun(run.Fail(run.Usage, "%s", err))
		}
		o.Args.JSON = string(data)
	}
	if t := c.Line.Value("--timeout"); t != "" {
		if o.Timeout, err = duration(t); err != nil {
			return c.failedRun(err)
		}
	}
	if !c.Line.JSON {
		o.Output = func(isErr bool, text []byte) {
			if isErr {
				_, _ = c.Stderr.Write(text)
			}
		}
	}
	r, err := f.Run(c.Context, o)
	if err != nil {
		return err
	}
	return c.ran(r)
}

func duration(t string) (time.Duration, error) {
	d, err := time.ParseDuration(t)
	if err != nil {
		if d, err = time.ParseDuration(t + "s"); err != nil {
			return 0, Usage("%q is not a time such as 5s or 1m", t)
		}
	}
	if d <= 0 {
		return 0, Usage("%q is not a time such as 5s or 1m", t)
	}
	return d, nil
}

// failedRun answers a run that never was.
func (c *Call) failedRun(err error) error {
	var e *run.Error
	if c.Line.JSON && errors.As(err, &e) {
		r := &run.Report{V: 1, Result: []byte("null"), Error: e, Exit: e.ExitStatus()}
		if len(c.Line.Args) > 0 {
			r.Tool = c.Line.Args[0]
		}
		return c.ran(r)
	}
	return err
}

// ran prints how a run ended.
func (c *Call) ran(r *run.Report) error {
	if c.Line.JSON {
		if err := c.JSON(r); err != nil {
			return err
		}
	} else if r.Plan != nil {
		c.Printf("%s would run (%s, %s, %s mode)\nsource  %s\nreaches net %s, env %s, writes %s\nwall    %dms\nplan    %s\n", r.Tool, r.Effect, r.Level, r.Mode, r.Plan.Source,
			List(r.Plan.Net), List(r.Plan.Env), List(r.Plan.Dirs), r.Plan.WallMS, r.Plan.Digest)
	} else if r.Error == nil {
		fmt.Fprintf(c.Stdout, "%s\n", r.Result)
	} else if r.Printed {
		fmt.Fprintf(c.Stdout, "%s\n", r.Result)
	}
	if r.Draft && r.Started && r.Error == nil {
		fmt.Fprintf(c.Stderr, "tgp: %s is a draft: nobody has approved it (god mode)\n", screen.Printable(r.Tool))
	}
	if r.Error != nil {
		if !c.Line.JSON {
			return r.Error
		}
		fmt.Fprintf(c.Stderr, "tgp: %s: %s\n", r.Error.Code, screen.Printable(r.Error.Error()))
		for _, h := range r.Error.Hints {
			fmt.Fprintf(c.Stderr, "  %s\n", screen.Printable(h))
		}
		return Exit(r.Error.ExitStatus())
	}
	return nil
}

// List shows a list in a line.
func List(l []string) string {
	if len(l) == 0 {
		return "-"
	}
	return strings.Join(l, " ")
}
