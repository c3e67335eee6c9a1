// Package layers builds the layers of the map and decides which count: tmp
// compile, init, trust and untrust. The system's map is built here for every
// command that changes what it is made of (system.go).
package layers

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
	"github.com/tool-mapping-protocol/tmp/internal/discover/systemmap"
	"github.com/tool-mapping-protocol/tmp/internal/mapset"
	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/internal/place"
	"github.com/tool-mapping-protocol/tmp/internal/session"
	"github.com/tool-mapping-protocol/tmp/internal/surface"
	"github.com/tool-mapping-protocol/tmp/resolvers"
	"github.com/tool-mapping-protocol/tmp/resolvers/all"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

const (
	valueTime  = 2 * time.Second // for one resolver of a context
	systemTime = 2 * time.Minute // for asking every installed tool
)

type compileOptions struct{ check, system, json bool }

// NewCompile is tmp compile.
func NewCompile(env *term.Env, f *command.Flags) command.Run {
	var o compileOptions
	f.Bool("check", &o.check)
	f.Bool("system", &o.system)
	f.Bool("json", &o.json)
	return func(command.Input) error {
		c := NewCompiler(env, o.check)
		if o.system {
			c.systemLayer()
		} else {
			c.whole = !o.check
			c.UserLayer()
			if dir := c.projectLayer(); c.put() && dir != "" {
				c.context(dir)
				c.queries(dir)
			}
		}
		return c.report(o.json)
	}
}

// State of one output of a compile.
const (
	Written   = "written"
	Unchanged = "unchanged"
	stale     = "stale"   // with --check: not what would be written
	nothing   = "nothing" // there are no sources
	ignored   = "ignored" // the project is not trusted
	Failed    = "failed"
	colliding = "refused" // intents that collide with those of other maps
	wrong     = "wrong"   // a statement that its database does not take, or that does more than it says
	held      = "held"    // would be written, had nothing else failed
)

// Compiler builds layers and remembers what became of each.
type Compiler struct {
	Env      *term.Env
	Paths    place.Paths
	check    bool
	whole    bool // all is written or nothing: images wait for put
	waiting  []waitingImage
	Results  []Result
	Problems opmap.Problems
	tools    []opmap.SystemTool
	status   int // of a failure that has one of its own, such as 75 for a held lock
}

// waitingImage is one that is to be written; result is its place in the results.
type waitingImage struct {
	result int
	image  []byte
}

type Result struct {
	Layer   string `json:"layer"` // "system", "user", "project", "context"
	State   string `json:"state"`
	File    string `json:"file,omitempty"`
	Message string `json:"message,omitempty"`
}

func NewCompiler(env *term.Env, check bool) *Compiler {
	return &Compiler{Env: env, Paths: env.Places(), check: check, Results: []Result{}}
}

func (c *Compiler) add(layer, state, file, format string, args ...any) {
	c.Results = append(c.Results, Result{layer, state, file, fmt.Sprintf(format, args...)})
}

func (c *Compiler) fail(layer, file string, err error) {
	if f := (*term.Failure)(nil); errors.As(term.Busy(err), &f) {
		c.status = f.Status
	}
	c.add(layer, Failed, file, "%v", err)
}

// output puts an image in its place, or with --check compares it.
func (c *Compiler) output(layer, file string, image []byte, err error) {
	switch {
	case err != nil:
		c.fail(layer, file, err)
	case c.check && opmap.Installed(file, image):
		c.add(layer, Unchanged, file, "")
	case c.check:
		c.add(layer, stale, file, "")
	case c.whole:
		c.waiting = append(c.waiting, waitingImage{len(c.Results), image})
		c.add(layer, held, file, "")
	default:
		changed, err := opmap.Install(file, image)
		switch {
		case err != nil:
			c.fail(layer, file, err)
		case changed:
			c.add(layer, Written, file, "")
		default:
			c.add(layer, Unchanged, file, "")
		}
	}
}

// put writes the images that wait, unless something failed: then the maps that
// are in use stay as they are, all of them. It reports whether all is well.
func (c *Compiler) put() bool {
	if c.failed() {
		return c.check
	}
	for _, w := range c.waiting {
		r := &c.Results[w.result]
		changed, err := opmap.Install(r.File, w.image)
		switch {
		case err != nil:
			r.State, r.Message = Failed, err.Error()
			return false
		case changed:
			r.State = Written
		default:
			r.State = Unchanged
		}
	}
	return true
}

// failed reports whether the status is to be 1.
func (c *Compiler) failed() bool {
	return slices.ContainsFunc(c.Results, func(r Result) bool {
		return r.State == Failed || r.State == stale || r.State == ignored || r.State == colliding || r.State == wrong
	})
}

// found keeps the problems of sources and reports whether they can be used.
func (c *Compiler) found(layer string, problems opmap.Problems) bool {
	c.Problems = append(c.Problems, problems...)
	if problems.Err() != nil {
		c.add(layer, Failed, "", "its sources have faults")
		return false
	}
	return true
}

// intents tells which intents of a layer's maps name no object, and which
// collide with those of other maps. Those are refused: asked for, they are
// ambiguous, and nothing runs. The rest of the maps counts.
func (c *Compiler) intents(layer string, own, user []*opmap.Source, dir string) {
	problems := opmap.CheckIntents(own, user, dir, opmap.Warning)
	c.Problems = append(c.Problems, problems...)
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

// UserSources are the user's maps, none if they cannot be read.
func (c *Compiler) UserSources() []*opmap.Source {
	u, _, err := opmap.ReadUser(c.Paths, opmap.KnownResolvers())
	if err != nil {
		return nil
	}
	return u.Sources
}

func (c *Compiler) systemLayer() {
	if c.Paths.Data == "" {
		c.add("system", Failed, "", "%v", mapset.ErrNoHome)
		return
	}
	file := c.Paths.SystemMap()
	var lock *tcpdb.FileLock
	if !c.check { // an import must not come between reading and writing the map
		var err error
		if lock, err = LockSystem(c.Paths); err != nil {
			c.fail("system", file, err)
			return
		}
		defer lock.Unlock()
	}
	ctx, cancel := context.WithTimeout(c.Env.Context, systemTime)
	defer cancel()
	image, report, err := opmap.BuildSystem(ctx, opmap.SystemOptions{
		Paths: c.Paths, PATH: c.Env.Getenv("PATH"),
		Add: func(b *tcpdb.Builder) error {
			keepImported(c.Env, c.Paths, b)
			_, err := addFound(c.Env, c.Paths, systemmap.Options{Machine: machine.New(machine.Options{Getenv: c.Env.Getenv, NoRun: true})}, nil, b)
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
		c.add("system", Unchanged, file, "")
	case c.check:
		c.add("system", stale, file, "")
	default:
		if err := lock.Write(image, 0o644); err != nil {
			c.fail("system", file, err)
			return
		}
		c.add("system", Written, file, "")
	}
}

func (c *Compiler) UserLayer() {
	if c.Paths.Config == "" || c.Paths.Data == "" {
		c.add("user", nothing, "", "%v", mapset.ErrNoHome)
		return
	}
	u, problems, err := opmap.ReadUser(c.Paths, opmap.KnownResolvers())
	if err != nil {
		c.fail("user", "", err)
		return
	}
	if !c.found("user", problems) {
		return
	}
	c.intents("user", u.Sources, nil, "")
	if _, err := os.Lstat(c.Paths.UserMap()); u.Empty() && errors.Is(err, fs.ErrNotExist) {
		c.add("user", nothing, c.Paths.Schemas(), "")
		return
	}
	image, err := u.Build(machine.Evidence(c.Paths, c.Env.Getenv, ""))
	c.output("user", c.Paths.UserMap(), image, err)
}

// projectLayer compiles the project's map and returns its directory, "" where
// there is none.
func (c *Compiler) projectLayer() string {
	if c.Env.Dir == "" {
		return ""
	}
	dir, err := mapset.FindProject(c.Paths, c.Env.Dir)
	switch {
	case err != nil:
		c.fail("project", dir, fmt.Errorf("%s: %w", filepath.Join(dir, ".tmp"), err))
		return ""
	case dir == "":
		c.add("project", nothing, "", "no project here: tmp init makes one")
		return ""
	}
	p, problems, err := opmap.ReadProject(dir, opmap.KnownResolvers())
	if err != nil {
		c.fail("project", dir, err)
		return ""
	}
	if c.found("project", problems) {
		c.intents("project", p.Sources, c.UserSources(), dir)
		c.ProjectImage(p)
	}
	return dir
}

// checkTime is how long the databases of templates are asked in a compile.
const checkTime = 5 * time.Second

// queries has the templates of SQL prepared by their databases, where these are there,
// and tells what is wrong with them.
func (c *Compiler) queries(dir string) {
	p, problems, err := opmap.ReadProject(dir, opmap.KnownResolvers())
	if err != nil || problems.Err() != nil || !p.Trusted(c.Paths) {
		return
	}
	s, err := c.Env.Session()
	if err != nil {
		return
	}
	ctx, cancel := context.WithTimeout(c.Env.Context, checkTime)
	defer cancel()
	for _, src := range p.Sources {
		for _, op := range src.Operations {
			if op.Surface != surface.SQL || ctx.Err() != nil {
				continue
			}
			if found := s.CheckQuery(ctx, src, op); found.Error != "" {
				c.add("sql", wrong, src.File, "%s", found.Error)
			}
		}
	}
}

// ProjectImage compiles a project's map if its sources are trusted as they are.
func (c *Compiler) ProjectImage(p *opmap.Project) {
	if !p.Trusted(c.Paths) {
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
	image, err := p.Build(machine.Evidence(c.Paths, c.Env.Getenv, p.Dir))
	c.output("project", c.Paths.ProjectMap(p.Dir), image, err)
}

func (c *Compiler) everTrusted(dir string) bool {
	_, err := opmap.ReadTrust(c.Paths, dir)
	return err == nil
}

// context writes .tmp/context.json and .tmp/context.md.
func (c *Compiler) context(dir string) {
	view := mapset.OpenView(c.Paths, dir)
	caller := c.Env.Caller()
	caller.Dir = dir
	here := session.At(caller)
	ctx := opmap.NewContext(view, dir, opmap.ContextFacts{Values: c.values(dir), Level: here.LeastLevel, Installed: here.Installed, Project: here.ContextRoles()})
	for _, out := range []struct {
		name string
		data []byte
	}{{"context.json", ctx.JSON()}, {"context.md", ctx.Markdown()}} {
		file := filepath.Join(dir, ".tmp", out.name)
		old, err := os.ReadFile(file)
		same := err == nil && bytes.Equal(old, out.data)
		switch {
		case same:
			c.add("context", Unchanged, file, "")
		case c.check:
			c.add("context", stale, file, "")
		default:
			if err := tcpdb.WriteFile(file, out.data); err != nil {
				c.fail("context", file, err)
				continue
			}
			c.add("context", Written, file, "")
		}
	}
}

// values asks a resolver for a context.
func (c *Compiler) values(dir string) opmap.Values {
	return func(name string, limit int) ([]string, int, error) {
		ctx, cancel := context.WithTimeout(c.Env.Context, valueTime)
		defer cancel()
		a := all.Table().Resolve(ctx, resolvers.Request{
			Name: name, Dir: dir, Getenv: c.Env.Getenv, Limit: limit, CacheDir: c.Paths.Resolvers(),
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
func (c *Compiler) report(asJSON bool) error {
	c.fish()
	if asJSON {
		if err := c.Env.PrintJSON(c.answer()); err != nil {
			return err
		}
	} else {
		c.Print()
	}
	if c.status != 0 {
		return term.ExitStatus(c.status)
	}
	if c.failed() {
		return term.ExitStatus(1)
	}
	return nil
}

// fish makes what a new map has complete in a new fish.
func (c *Compiler) fish() {
	if slices.ContainsFunc(c.Results, func(r Result) bool { return r.Layer != "context" && r.State == Written }) {
		RefreshFish(c.Env, c.Paths)
	}
}

func (c *Compiler) Print() {
	for _, p := range c.Problems {
		c.Env.Notice("%s", p)
	}
	for _, t := range c.tools {
		if t.Err != nil {
			c.Env.Notice("%s is left out: %s", t.Tool, t.Err)
		} else {
			fmt.Fprintf(c.Env.Stdout, "asked     %s %s\n", term.OneLine(t.Tool), term.OneLine(t.Version))
		}
	}
	for _, r := range c.Results {
		switch {
		case r.State == Failed:
			c.Env.Notice("%s: %s", r.Layer, r.Message)
		case r.Message != "":
			c.Env.Notice("%s", r.Message)
		case r.State != nothing:
			fmt.Fprintf(c.Env.Stdout, "%-9s %s\n", r.State, term.OneLine(r.File))
		}
	}
	if c.whole && c.failed() && !slices.ContainsFunc(c.Results, func(r Result) bool { return r.State == wrong }) {
		c.Env.Notice("nothing is written until that is mended")
	}
}

// Problem is a fault of a source as it stands in JSON.
type Problem struct {
	File     string `json:"file"`
	Line     int    `json:"line"`
	Field    string `json:"field"`
	Reason   string `json:"reason"`
	Severity string `json:"severity"`
}

func Problems(problems opmap.Problems) []Problem {
	out := []Problem{}
	for _, p := range problems {
		severity := "warning"
		if p.Severity == opmap.Error {
			severity = "error"
		}
		out = append(out, Problem{p.File, p.Line, p.Field, p.Reason, severity})
	}
	return out
}

func (c *Compiler) answer() any {
	type tool struct {
		Tool    string `json:"tool"`
		Version string `json:"version"`
		Error   string `json:"error,omitempty"`
	}
	a := struct {
		V        int       `json:"v"`
		Outputs  []Result  `json:"outputs"`
		Problems []Problem `json:"problems"`
		Tools    []tool    `json:"tools,omitempty"`
	}{V: 1, Outputs: c.Results, Problems: Problems(c.Problems)}
	for _, t := range c.tools {
		x := tool{Tool: t.Tool, Version: t.Version}
		if t.Err != nil {
			x.Error = t.Err.Error()
		}
		a.Tools = append(a.Tools, x)
	}
	return a
}
