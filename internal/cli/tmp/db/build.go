package db

import (
	"fmt"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/cli/command"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/cli/tmp/layers"
	"github.com/tool-mapping-protocol/tmp/internal/discover/drafts"
	"github.com/tool-mapping-protocol/tmp/internal/discover/machine"
	"github.com/tool-mapping-protocol/tmp/internal/discover/systemmap"
	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/internal/place"
	"github.com/tool-mapping-protocol/tmp/internal/screen"
)

type buildOptions struct{ json bool }

// NewBuild is tmp db build.
func NewBuild(env *term.Env, f *command.Flags) command.Run {
	var o buildOptions
	f.Bool("json", &o.json)
	return func(command.Input) error { return o.run(env) }
}

func (o *buildOptions) run(env *term.Env) error {
	begin := env.Now()
	paths := env.Places()
	sweep(env, paths)
	built, err := layers.BuildSystem(env, paths, machine.New(machine.Options{Getenv: env.Getenv, NoRun: true}), false, term.NewProgress)
	if err != nil {
		return err
	}
	tellIntents(env, paths)
	took := env.Now().Sub(begin)
	if o.json {
		return env.PrintJSON(struct {
			V        int               `json:"v"`
			File     string            `json:"file"`
			Bytes    int               `json:"bytes"`
			Tools    []layers.Tool     `json:"tools"`
			Found    *systemmap.Report `json:"found"`
			Imported int               `json:"imported"`
			MS       int64             `json:"ms"`
		}{1, built.File, built.Bytes, built.Tools, built.Found, built.Kept, took.Milliseconds()})
	}
	for _, t := range built.Tools {
		if t.Left != "" {
			env.Notice("%s: left out: %s", t.Tool, t.Left)
			continue
		}
		fmt.Fprintf(env.Stdout, "%s %s\n", term.OneLine(t.Tool), term.OneLine(t.Version))
	}
	if built.Kept > 0 {
		fmt.Fprintf(env.Stdout, "%d imported descriptors kept\n", built.Kept)
	}
	f := built.Found
	fmt.Fprintf(env.Stdout, "%s: %d described by people; rated by manual %d, help %d, package %d, without a text %d; %s\n",
		screen.Count(f.Programs, "program"), f.Core, f.Rated["manual"], f.Rated["help"], f.Rated["package"], f.Rated["name"], screen.Count(f.Drafts, "draft"))
	fmt.Fprintf(env.Stdout, "%s: %d bytes in %v\n", term.OneLine(built.File), built.Bytes, took.Round(time.Millisecond))
	return layers.Offer(env, paths, built)
}

// sweep takes the drafts of removed programs away, unless drafts are being written.
func sweep(env *term.Env, paths place.Paths) {
	dir := drafts.Dir(paths.Drafts())
	if len(dir.Tools()) == 0 {
		return
	}
	if lock, err := dir.Lock(); err == nil {
		defer lock.Unlock()
		layers.SweepDrafts(env, dir)
	}
}

// tellIntents says which intents of the user's maps collide with others: tmp
// compile refuses them.
func tellIntents(env *term.Env, paths place.Paths) {
	c := layers.NewCompiler(env, true)
	c.Paths = paths
	for _, p := range opmap.CheckIntents(c.UserSources(), nil, "", opmap.Warning) {
		env.Notice("%s", p)
	}
}
