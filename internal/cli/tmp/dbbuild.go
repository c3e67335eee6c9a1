package tmp

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/tool-mapping-protocol/tmp/internal/cli/command"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/discover/machine"
	"github.com/tool-mapping-protocol/tmp/internal/discover/systemmap"
	"github.com/tool-mapping-protocol/tmp/internal/mapset"
	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/internal/place"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

type dbBuildOptions struct{ json bool }

func newDBBuild(env *term.Env, f *command.Flags) command.Run {
	var o dbBuildOptions
	f.Bool("json", &o.json)
	return func(command.Input) error { return o.run(env) }
}

// builtTool is a tool that was asked about itself.
type builtTool struct {
	Tool    string `json:"tool"`
	Version string `json:"version,omitempty"`
	Left    string `json:"left_out,omitempty"`
}

func (o *dbBuildOptions) run(env *term.Env) error {
	begin := env.Now()
	paths := place.Find(env.Getenv)
	built, err := buildSystemMap(env, paths, machine.New(machine.Options{Getenv: env.Getenv, NoRun: true}), false, term.NewProgress)
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
			Tools    []builtTool       `json:"tools"`
			Found    *systemmap.Report `json:"found"`
			Imported int               `json:"imported"`
			MS       int64             `json:"ms"`
		}{1, built.file, built.bytes, built.tools, built.found, built.kept, took.Milliseconds()})
	}
	for _, t := range built.tools {
		if t.Left != "" {
			env.Notice("%s: left out: %s", t.Tool, t.Left)
			continue
		}
		fmt.Fprintf(env.Stdout, "%s %s\n", term.OneLine(t.Tool), term.OneLine(t.Version))
	}
	if built.kept > 0 {
		fmt.Fprintf(env.Stdout, "%d imported descriptors kept\n", built.kept)
	}
	f := built.found
	fmt.Fprintf(env.Stdout, "%d programs: %d described by people; rated by manual %d, help %d, package %d, without a text %d; %d drafts\n",
		f.Programs, f.Core, f.Rated["manual"], f.Rated["help"], f.Rated["package"], f.Rated["name"], f.Drafts)
	fmt.Fprintf(env.Stdout, "%s: %d bytes in %v\n", term.OneLine(built.file), built.bytes, round(took))
	return nil
}

// tellIntents says which intents of the user's maps collide with others: tmp
// compile refuses them.
func tellIntents(env *term.Env, paths place.Paths) {
	c := newCompiler(env, true)
	c.paths = paths
	for _, p := range opmap.CheckIntents(c.userSources(), nil, "", opmap.Warning) {
		env.Notice("%s", p)
	}
}

// systemBuild is a system map that was built.
type systemBuild struct {
	file  string
	bytes int
	tools []builtTool
	found *systemmap.Report
	kept  int // imported descriptors
	view  *tcpdb.View
}

// buildSystemMap builds the system map and puts it in its place. With noRun no
// program is asked: what git said before counts while it is the same git. bar
// makes what shows how far it is; nil shows nothing.
func buildSystemMap(env *term.Env, paths place.Paths, m *machine.Machine, noRun bool, bar func(*term.Env, int) *term.Progress) (*systemBuild, error) {
	lock, err := lockSystemMap(paths)
	if err != nil {
		return nil, err
	}
	defer lock.Unlock()
	built := &systemBuild{file: paths.SystemMap(), tools: []builtTool{}}
	image, report, err := opmap.BuildSystem(env.Context, opmap.SystemOptions{
		Paths: paths, PATH: env.Getenv("PATH"), NoRun: noRun,
		Add: func(b *tcpdb.Builder) error {
			built.kept = keepImported(env, paths, b)
			var err error
			built.found, err = addFound(env, paths, m, bar, b)
			return err
		},
	})
	if err != nil {
		return nil, err
	}
	if err := lock.Write(image, 0o644); err != nil {
		return nil, err
	}
	built.bytes, built.view = len(image), mapset.OpenView(paths, "")
	writeFish(env, paths)
	for _, t := range report.Tools {
		row := builtTool{Tool: t.Tool, Version: t.Version}
		if t.Err != nil {
			row.Left = t.Err.Error()
		}
		built.tools = append(built.tools, row)
	}
	return built, nil
}

// addFound puts drafts and ratings of the programs of PATH into the map.
func addFound(env *term.Env, paths place.Paths, m *machine.Machine, bar func(*term.Env, int) *term.Progress, b *tcpdb.Builder) (*systemmap.Report, error) {
	o := systemmap.Options{Paths: paths, Machine: m, Programs: machine.Programs(env.Getenv("PATH")), Skip: []string{"git"}}
	if bar != nil {
		p := bar(env, len(o.Programs))
		defer p.Close()
		o.Progress = p.Set
	}
	found, err := systemmap.Add(env.Context, b, o)
	if err != nil {
		return nil, err
	}
	for _, problem := range found.Problems {
		env.Notice("draft left out: %v", problem)
	}
	return found, nil
}

// imported is the provenance of descriptors that a build keeps.
const imported = "imported"

// keepImported takes over what was imported into the map that is to be
// replaced, and returns how many there are. A map that cannot be read is
// replaced all the same.
func keepImported(env *term.Env, paths place.Paths, b *tcpdb.Builder) int {
	im, err := tcpdb.Map(paths.SystemMap())
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			env.Notice("%s: what was imported into it is lost", err)
		}
		return 0
	}
	defer im.Close()
	entries, err := im.Entries()
	if err != nil {
		env.Notice("%s: what was imported into it is lost: %s", paths.SystemMap(), err)
		return 0
	}
	n := 0
	for _, e := range entries {
		if e.Provenance == imported {
			b.Raise(e)
			n++
		}
	}
	return n
}

// lockSystemMap takes the right to write the system map and makes its directory.
func lockSystemMap(paths place.Paths) (*tcpdb.FileLock, error) {
	file := paths.SystemMap()
	if file == "" {
		return nil, term.Failf("there is no place for the system map").Hint("set HOME, XDG_DATA_HOME or TMP_DATA_DIR")
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return nil, err
	}
	lock, err := tcpdb.Lock(file)
	if err != nil {
		return nil, term.Locked(err)
	}
	return lock, nil
}
