package tgp

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/forge"
	"github.com/tool-mapping-protocol/tmp/internal/forge/law"
	"github.com/tool-mapping-protocol/tmp/internal/screen"
)

func runSync(c *call) error {
	f, err := c.open()
	if err != nil {
		return err
	}
	if c.line.given("--watch") {
		return c.watch(f)
	}
	return c.syncOnce(f)
}

func (c *call) syncOnce(f *forge.Forge) error {
	if c.line.given("--due") && !f.Due() {
		if c.line.json {
			return c.json(&forge.Synced{V: 1, Pulled: []string{}, Pushed: []string{}, Skipped: []forge.Skipped{}, Conflicts: []string{}, Idle: true})
		}
		return nil
	}
	s, err := f.Sync(c.Context)
	if err != nil {
		return err
	}
	if c.line.json {
		if err := c.json(s); err != nil {
			return err
		}
	} else {
		for _, p := range s.Pulled {
			c.printf("pulled    %s\n", p)
		}
		for _, p := range s.Pushed {
			c.printf("pushed    %s\n", p)
		}
		for _, p := range s.Skipped {
			c.printf("skipped   %s: %s\n", p.Path, p.Reason)
		}
		for _, p := range s.Conflicts {
			c.printf("conflict  %s: ours is kept\n", p)
		}
	}
	if len(s.Conflicts) > 0 {
		return exit(1)
	}
	return nil
}

// watch syncs again and again until it is ended.
func (c *call) watch(f *forge.Forge) error {
	ctx, stop := signal.NotifyContext(c.Context, os.Interrupt)
	defer stop()
	for {
		if err := c.syncOnce(f); err != nil {
			report(c.Env, nil, err)
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
	tools, err := f.Harvest(c.Context, c.line.given("--push"))
	if err != nil {
		return err
	}
	refused := false
	for _, t := range tools {
		refused = refused || len(t.Findings) > 0
	}
	if c.line.json {
		if err := c.json(map[string]any{"v": 1, "tools": tools}); err != nil {
			return err
		}
	} else {
		for _, t := range tools {
			pushed := ""
			if t.Pushed {
				pushed = "  pushed"
			}
			c.printf("%s  %s%s\n", t.Path, screen.Count(t.Runs, "run"), pushed)
			for _, f := range t.Findings {
				c.printf("%s\n", f.String())
			}
		}
	}
	if refused {
		return exit(1)
	}
	return nil
}

func runJanitor(c *call) error {
	f, err := c.lenient()
	if err != nil {
		return err
	}
	o := law.JanitorOptions{Prefixes: f.Config.Janitor.CustomPrefixes}
	if s := c.line.value("--schema"); s != "" {
		data, err := readLimited(c.path(s))
		if err != nil {
			return forge.Fail(forge.NotFound, "%s cannot be read: %s", s, err)
		}
		o.Schema = law.SchemaNames(string(data))
	}
	all := []law.Finding{}
	for _, name := range c.line.args {
		data, err := readLimited(c.path(name))
		if err != nil {
			return forge.Fail(forge.NotFound, "%s cannot be read: %s", name, err)
		}
		o.File = name
		all = append(all, law.Janitor(string(data), o)...)
	}
	if c.line.json {
		if err := c.json(map[string]any{"v": 1, "ok": len(all) == 0, "findings": all}); err != nil {
			return err
		}
	} else {
		for _, f := range all {
			c.printf("%s\n", f.String())
		}
	}
	if len(all) > 0 {
		return exit(1)
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
	t, err := f.Show(c.line.args[0])
	if err != nil {
		return err
	}
	if c.line.json {
		return c.json(t)
	}
	c.printf("%s (v%s, %s)\n%s\n\neffect  %s (%s)\nnet     %s\nenv     %s\nruns    %d\n", t.Path, t.Version, t.State, t.Description, t.Effect, t.Level, list(t.Net), list(t.Env), t.Runs)
	for _, p := range t.Params {
		c.printf("--%s <%s>  %s\n", p.Name, p.Type, p.Text)
	}
	fmt.Fprint(c.Stdout, "\n"+plainText(t.Source))
	return nil
}

func runLog(c *call) error {
	f, err := c.open()
	if err != nil {
		return err
	}
	word := ""
	if len(c.line.args) > 0 {
		word = c.line.args[0]
	}
	l, err := f.Log(word)
	if err != nil {
		return err
	}
	if c.line.json {
		return c.json(l)
	}
	for _, k := range l.Commits {
		c.printf("%s  %s\n", k.Commit[:10], k.Subject)
	}
	for _, r := range l.Runs {
		state := "ok"
		if !r.Success {
			state = r.Code + " " + r.Message
		}
		c.printf("%s  %s  %s\n", r.RunID, r.Tool, state)
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
	if c.line.json {
		return c.json(answer)
	}
	c.printf("mode %s\n", f.Mode)
	if f.Settings.File != "" {
		c.printf("file %s\n", f.Settings.File)
	}
	return c.json(m)
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
	if c.line.json {
		if err := c.json(map[string]any{"v": 1, "checks": probes}); err != nil {
			return err
		}
	} else {
		for _, p := range probes {
			mark := "ok  "
			if !p.OK {
				mark = "FAIL"
			}
			c.printf("%s  %-13s %s\n", mark, p.Name, strings.TrimSpace(p.Message))
		}
	}
	if bad {
		return exit(1)
	}
	return nil
}
