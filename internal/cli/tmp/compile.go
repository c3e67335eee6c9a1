package tmp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/cli/command"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/discover/machine"
	"github.com/tool-mapping-protocol/tmp/internal/mapset"
	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/internal/place"
	"github.com/tool-mapping-protocol/tmp/resolvers"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

const (
	valueTime  = 2 * time.Second // for one resolver of a context
	systemTime = 2 * time.Minute // for asking every installed tool
)

type compileOptions struct{ check, system, json bool }

func newCompile(env *term.Env, f *command.Flags) command.Run {
	var o compileOptions
	f.Bool("check", &o.check)
	f.Bool("system", &o.system)
	f.Bool("json", &o.json)
	return func(command.Input) error {
		c := newCompiler(env, o.check)
		if o.system {
			c.systemLayer()
		} else {
			c.userLayer()
			c.projectLayer()
		}
		return c.report(o.json)
	}
}

// State of one output of a compile.
const (
	written   = "written"
	unchanged = "unchanged"
	stale     = "stale"   // with --check: not what would be written
	nothing   = "nothing" // there are no sources
	ignored   = "ignored" // the project is not trusted
	failed    = "failed"
	colliding = "refused" // intents that collide with those of other maps
)

// compiler builds layers and remembers what became of each.
type compiler struct {
	env      *term.Env
	paths    place.Paths
	check    bool
	results  []compileResult
	problems opmap.Problems
	tools    []opmap.SystemTool
	status   int // of a failure that has one of its own, such as 75 for a held lock
}

type compileResult struct {
	Layer   string `json:"layer"` // "system", "user", "project", "context"
	State   string `json:"state"`
	File    string `json:"file,omitempty"`
	Message string `json:"message,omitempty"`
}

func newCompiler(env *term.Env, check bool) *compiler {
	return &compiler{env: env, paths: place.Find(env.Getenv), check: check, results: []compileResult{}}
}

func (c *compiler) add(layer, state, file, format string, args ...any) {
	c.results = append(c.results, compileResult{layer, state, file, fmt.Sprintf(format, args...)})
}

func (c *compiler) fail(layer, file string, err error) {
	if f := (*term.Failure)(nil); errors.As(term.Busy(err), &f) {
		c.status = f.Status
	}
	c.add(layer, failed, file, "%v", err)
}

// output puts an image in its place, or with --check compares it.
func (c *compiler) output(layer, file string, image []byte, err error) {
	switch {
	case err != nil:
		c.fail(layer, file, err)
	case c.check && opmap.Installed(file, image):
		c.add(layer, unchanged, file, "")
	case c.check:
		c.add(layer, stale, file, "")
	default:
		changed, err := opmap.Install(file, image)
		switch {
		case err != nil:
			c.fail(layer, file, err)
		case changed:
			c.add(layer, written, file, "")
		default:
			c.add(layer, unchanged, file, "")
		}
	}
}

// found keeps the problems of sources and reports whether they can be used.
func (c *compiler) found(layer string, problems opmap.Problems) bool {
	c.problems = append(c.problems, problems...)
	if problems.Err() != nil {
		c.add(layer, failed, "", "its sources have faults")
		return false
	}
	return true
}

// intents tells which intents of a layer's maps name no object, and which
// collide with those of other maps. Those are refused: asked for, they are
// ambiguous, and nothing runs. The rest of the maps counts.
func (c *compiler) intents(layer string, own, user []*opmap.Source, dir string) {
	problems := opmap.CheckIntents(own, user, dir, opmap.Warning)
	c.problems = append(c.problems, problems...)
	n := 0
	for _, p := range problems {
		if p.Severity == opmap.Error {
			n++
		}
	}
	if n > 0 {
		c.add(layer, colliding, "", "what collides with an intent of another map is refused (%d)", n)
	}
}

// userSources are the user's maps, none if they cannot be read.
func (c *compiler) userSources() []*opmap.Source {
	u, _, err := opmap.ReadUser(c.paths, opmap.KnownResolvers())
	if err != nil {
		return nil
	}
	return u.Sources
}

func (c *compiler) systemLayer() {
	if c.paths.Data == "" {
		c.add("system", failed, "", "%v", mapset.ErrNoHome)
		return
	}
	file := c.paths.SystemMap()
	var lock *tcpdb.FileLock
	if !c.check { // an import must not come between reading and writing the map
		var err error
		if lock, err = lockSystemMap(c.paths); err != nil {
			c.fail("system", file, err)
			return
		}
		defer lock.Unlock()
	}
	ctx, cancel := context.WithTimeout(c.env.Context, systemTime)
	defer cancel()
	image, report, err := opmap.BuildSystem(ctx, opmap.SystemOptions{
		Paths: c.paths, PATH: c.env.Getenv("PATH"),
		Add: func(b *tcpdb.Builder) error {
			keepImported(c.env, c.paths, b)
			_, err := addFound(c.env, c.paths, machine.New(machine.Options{Getenv: c.env.Getenv, NoRun: true}), nil, b)
			return err
		},
	})
	if report != nil {
		c.tools = report.Tools
	}
	switch {
	case err != nil:
		c.fail("system", file, err)
	case opmap.Installed(file, image):
		c.add("system", unchanged, file, "")
	case c.check:
		c.add("system", stale, file, "")
	default:
		if err := lock.Write(image, 0o644); err != nil {
			c.fail("system", file, err)
			return
		}
		c.add("system", written, file, "")
	}
}

func (c *compiler) userLayer() {
	if c.paths.Config == "" || c.paths.Data == "" {
		c.add("user", nothing, "", "%v", mapset.ErrNoHome)
		return
	}
	u, problems, err := opmap.ReadUser(c.paths, opmap.KnownResolvers())
	if err != nil {
		c.fail("user", "", err)
		return
	}
	if !c.found("user", problems) {
		return
	}
	c.intents("user", u.Sources, nil, "")
	if _, err := os.Lstat(c.paths.UserMap()); u.Empty() && errors.Is(err, fs.ErrNotExist) {
		c.add("user", nothing, c.paths.Schemas(), "")
		return
	}
	image, err := u.Build(machine.Evidence(c.paths, c.env.Getenv, ""))
	c.output("user", c.paths.UserMap(), image, err)
}

func (c *compiler) projectLayer() {
	if c.env.Dir == "" {
		return
	}
	dir, err := mapset.FindProject(c.paths, c.env.Dir)
	switch {
	case err != nil:
		c.fail("project", dir, fmt.Errorf("%s: %w", filepath.Join(dir, ".tmp"), err))
		return
	case dir == "":
		c.add("project", nothing, "", "no project here: tmp init makes one")
		return
	}
	p, problems, err := opmap.ReadProject(dir, opmap.KnownResolvers())
	if err != nil {
		c.fail("project", dir, err)
		return
	}
	if c.found("project", problems) {
		c.intents("project", p.Sources, c.userSources(), dir)
		c.projectImage(p)
	}
	c.context(dir)
}

// projectImage compiles a project's map if its sources are trusted as they are.
func (c *compiler) projectImage(p *opmap.Project) {
	if !p.Trusted(c.paths) {
		switch {
		case len(p.Sources) == 0:
			c.add("project", nothing, p.Dir, "")
		case c.everTrusted(p.Dir):
			c.add("project", ignored, p.Dir, "%v", mapset.ErrChanged)
		default:
			c.add("project", ignored, p.Dir, "%v", mapset.ErrUntrusted)
		}
		return
	}
	image, err := p.Build(machine.Evidence(c.paths, c.env.Getenv, p.Dir))
	c.output("project", c.paths.ProjectMap(p.Dir), image, err)
}

func (c *compiler) everTrusted(dir string) bool {
	_, err := opmap.ReadTrust(c.paths, dir)
	return err == nil
}

// context writes .tmp/context.json and .tmp/context.md.
func (c *compiler) context(dir string) {
	view := mapset.OpenView(c.paths, dir)
	ctx := opmap.NewContext(view, dir, c.values(dir))
	for _, out := range []struct {
		name string
		data []byte
	}{{"context.json", ctx.JSON()}, {"context.md", ctx.Markdown()}} {
		file := filepath.Join(dir, ".tmp", out.name)
		old, err := os.ReadFile(file)
		same := err == nil && bytes.Equal(old, out.data)
		switch {
		case same:
			c.add("context", unchanged, file, "")
		case c.check:
			c.add("context", stale, file, "")
		default:
			if err := tcpdb.WriteFile(file, out.data); err != nil {
				c.fail("context", file, err)
				continue
			}
			c.add("context", written, file, "")
		}
	}
}

// values asks a resolver for a context.
func (c *compiler) values(dir string) opmap.Values {
	return func(name string, limit int) ([]string, int, error) {
		ctx, cancel := context.WithTimeout(c.env.Context, valueTime)
		defer cancel()
		a := resolvers.Resolve(ctx, resolvers.Request{
			Name: name, Dir: dir, Getenv: c.env.Getenv, Limit: limit, CacheDir: c.paths.Resolvers(),
		})
		if a.State == resolvers.Failed || a.State == resolvers.Timeout {
			if a.Message == "" {
				a.Message = string(a.State)
			}
			return nil, 0, errors.New(a.Message)
		}
		omitted := a.Omitted
		if len(a.Values) > limit {
			omitted += len(a.Values) - limit
			a.Values = a.Values[:limit]
		}
		values := make([]string, len(a.Values))
		for i, v := range a.Values {
			values[i] = v.Value
		}
		return values, omitted, nil
	}
}

// report prints what became of each output and returns the status: 1 if one
// failed, is stale or was ignored, 75 if another process holds a lock.
func (c *compiler) report(asJSON bool) error {
	c.fish()
	if asJSON {
		if err := c.env.PrintJSON(c.answer()); err != nil {
			return err
		}
	} else {
		c.print()
	}
	if c.status != 0 {
		return term.ExitStatus(c.status)
	}
	for _, r := range c.results {
		if r.State == failed || r.State == stale || r.State == ignored || r.State == colliding {
			return term.ExitStatus(1)
		}
	}
	return nil
}

// fish makes what a new map has complete in a new fish.
func (c *compiler) fish() {
	if slices.ContainsFunc(c.results, func(r compileResult) bool { return r.Layer != "context" && r.State == written }) {
		refreshFish(c.env, c.paths)
	}
}

func (c *compiler) print() {
	for _, p := range c.problems {
		c.env.Notice("%s", p)
	}
	for _, t := range c.tools {
		if t.Err != nil {
			c.env.Notice("%s is left out: %s", t.Tool, t.Err)
		} else {
			fmt.Fprintf(c.env.Stdout, "asked     %s %s\n", term.OneLine(t.Tool), term.OneLine(t.Version))
		}
	}
	for _, r := range c.results {
		switch {
		case r.State == failed:
			c.env.Notice("%s: %s", r.Layer, r.Message)
		case r.Message != "":
			c.env.Notice("%s", r.Message)
		case r.State != nothing:
			fmt.Fprintf(c.env.Stdout, "%-9s %s\n", r.State, term.OneLine(r.File))
		}
	}
}

// problemJSON is a fault of a source as it stands in JSON.
type problemJSON struct {
	File     string `json:"file"`
	Line     int    `json:"line"`
	Field    string `json:"field"`
	Reason   string `json:"reason"`
	Severity string `json:"severity"`
}

func problemsJSON(problems opmap.Problems) []problemJSON {
	out := []problemJSON{}
	for _, p := range problems {
		severity := "warning"
		if p.Severity == opmap.Error {
			severity = "error"
		}
		out = append(out, problemJSON{p.File, p.Line, p.Field, p.Reason, severity})
	}
	return out
}

func (c *compiler) answer() any {
	type tool struct {
		Tool    string `json:"tool"`
		Version string `json:"version"`
		Error   string `json:"error,omitempty"`
	}
	a := struct {
		V        int             `json:"v"`
		Outputs  []compileResult `json:"outputs"`
		Problems []problemJSON   `json:"problems"`
		Tools    []tool          `json:"tools,omitempty"`
	}{V: 1, Outputs: c.results, Problems: problemsJSON(c.problems)}
	for _, t := range c.tools {
		x := tool{Tool: t.Tool, Version: t.Version}
		if t.Err != nil {
			x.Error = t.Err.Error()
		}
		a.Tools = append(a.Tools, x)
	}
	return a
}
