package forging

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/cli/tgp"
	"github.com/tool-mapping-protocol/tmp/internal/forge"
	"github.com/tool-mapping-protocol/tmp/internal/forge/law"
	"github.com/tool-mapping-protocol/tmp/internal/screen"
)

func runSync(c *call) error {
	f, err := c.open()
	if err != nil {
		return err
	}
	if c.Line.Given("--watch") {
		return c.watch(f)
	}
	return c.syncOnce(f)
}

func (c *call) syncOnce(f *forge.Forge) error {
	if c.Line.Given("--due") && !f.Due() {
		if c.Line.JSON {
			return c.JSON(&forge.Synced{V: 1, Pulled: []string{}, Pushed: []string{}, Skipped: []forge.Skipped{}, Conflicts: []string{}, Idle: true})
		}
		return nil
	}
	s, err := f.Sync(c.Context)
	if err != nil {
		return err
	}
	if c.Line.JSON {
		if err := c.JSON(s); err != nil {
			return err
		}
	} else {
		for _, p := range s.Pulled {
			c.Printf("pulled    %s\n", p)
		}
		for _, p := range s.Pushed {
			c.Printf("pushed    %s\n", p)
		}
		for _, p := range s.Skipped {
			c.Printf("skipped   %s: %s\n", p.Path, p.Reason)
		}
		for _, p := range s.Conflicts {
			c.Printf("conflict  %s: ours is kept\n", p)
		}
	}
	if len(s.Conflicts) > 0 {
		return tgp.Exit(1)
	}
	return nil
}

// watch syncs again and again until it is ended.
func (c *call) watch(f *forge.Forge) error {
	ctx, stop := signal.NotifyContext(c.Context, os.Interrupt)
	defer stop()
	for {
		if err := c.syncOnce(f); err != nil {
			tgp.Complain(c.Env, nil, err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(max(time.Second, time.Duration(f.Config.Upstream.PullIntervalSeconds)*time.Second)):
		}
		var err error
		if f, err = c.open(); err != nil {
			return err
		}
	}
}

func runHarvest(c *call) error {
	f, err := c.open()
	if err != nil {
		return err
	}
	tools, err := f.Harvest(c.Context, c.Line.Given("--push"))
	if err != nil {
		return err
	}
	refused := false
	for _, t := range tools {
		refused = refused || len(t.Findings) > 0
	}
	if c.Line.JSON {
		if err := c.JSON(map[string]any{"v": 1, "tools": tools}); err != nil {
			return err
		}
	} else {
		for _, t := range tools {
			pushed := ""
			if t.Pushed {
				pushed = "  pushed"
			}
			c.Printf("%s  %s%s\n", t.Path, screen.Count(t.Runs, "run"), pushed)
			for _, f := range t.Findings {
				c.Printf("%s\n", f.String())
			}
		}
	}
	if refused {
		return tgp.Exit(1)
	}
	return nil
}

func runJanitor(c *call) error {
	f, err := c.lenient()
	if err != nil {
		return err
	}
	o := law.JanitorOptions{Prefixes: f.Config.Janitor.CustomPrefixes}
	if s := c.Line.Value("--schema"); s != "" {
		data, err := readLimited(c.path(s))
		if err != nil {
			return forge.Fail(forge.NotFound, "%s cannot be read: %s", s, err)
		}
		o.Schema = law.SchemaNames(string(data))
	}
	all := []law.Finding{}
	for _, name := range c.Line.Args {
		data, err := readLimited(c.path(name))
		if err != nil {
			return forge.Fail(forge.NotFound, "%s cannot be read: %s", name, err)
		}
		o.File = name
		all = append(all, law.Janitor(string(data), o)...)
	}
	if c.Line.JSON {
		if err := c.JSON(map[string]any{"v": 1, "ok": len(all) == 0, "findings": all}); err != nil {
			return err
		}
	} else {
		for _, f := range all {
			c.Printf("%s\n", f.String())
		}
	}
	if len(all) > 0 {
		return tgp.Exit(1)
	}
	return nil
}

func (c *call) path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(c.Dir, name)
}

func runShow(c *call) error {
	f, err := c.open()
	if err != nil {
		return err
	}
	t, err := f.Show(c.Line.Args[0])
	if err != nil {
		return err
	}
	if c.Line.JSON {
		return c.JSON(t)
	}
	c.Printf("%s (v%s, %s)\n%s\n\neffect  %s (%s)\nnet     %s\nenv     %s\nruns    %d\n", t.Path, t.Version, t.State, t.Description, t.Effect, t.Level, tgp.List(t.Net), tgp.List(t.Env), t.Runs)
	for _, p := range t.Params {
		c.Printf("--%s <%s>  %s\n", p.Name, p.Type, p.Text)
	}
	fmt.Fprint(c.Stdout, "\n"+tgp.PlainText(t.Source))
	return nil
}

func runLog(c *call) error {
	f, err := c.open()
	if err != nil {
		return err
	}
	word := ""
	if len(c.Line.Args) > 0 {
		word = c.Line.Args[0]
	}
	l, err := f.Log(word)
	if err != nil {
		return err
	}
	if c.Line.JSON {
		return c.JSON(l)
	}
	for _, k := range l.Commits {
		c.Printf("%s  %s\n", k.Commit[:10], k.Subject)
	}
	for _, r := range l.Runs {
		state := "ok"
		if !r.Success {
			state = r.Code + " " + r.Message
		}
		c.Printf("%s  %s  %s\n", r.RunID, r.Tool, state)
	}
	return nil
}

func runConfig(c *call) error {
	f, err := c.open()
	if err != nil {
		return err
	}
	m := f.Config.Masked()
	m.RootDir = f.Root
	answer := map[string]any{"v": 1, "mode": f.Mode, "trusted": f.Settings.Trusted, "file": f.Settings.File, "config": m}
	if c.Line.JSON {
		return c.JSON(answer)
	}
	c.Printf("mode %s\n", f.Mode)
	if f.Settings.File != "" {
		c.Printf("file %s\n", f.Settings.File)
	}
	return c.JSON(m)
}

func runDoctor(c *call) error {
	f, err := c.lenient()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(c.Context, time.Minute)
	defer cancel()
	probes := f.Doctor(ctx)
	bad := false
	for _, p := range probes {
		bad = bad || !p.OK
	}
	if c.Line.JSON {
		if err := c.JSON(map[string]any{"v": 1, "checks": probes}); err != nil {
			return err
		}
	} else {
		for _, p := range probes {
			mark := "ok  "
			if !p.OK {
				mark = "FAIL"
			}
			c.Printf("%s  %-13s %s\n", mark, p.Name, strings.TrimSpace(p.Message))
		}
	}
	if bad {
		return tgp.Exit(1)
	}
	return nil
}
