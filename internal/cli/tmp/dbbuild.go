package tmp

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/mapset"
	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/internal/place"
	"github.com/tool-mapping-protocol/tmp/shells"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

type dbBuildOptions struct{ json bool }

func newDBBuild(env *Env, f *flags) runFunc {
	var o dbBuildOptions
	f.Bool("json", &o.json)
	return func(input) error { return o.run(env) }
}

// builtTool is a tool that was asked about itself.
type builtTool struct {
	Tool    string `json:"tool"`
	Version string `json:"version,omitempty"`
	Left    string `json:"left_out,omitempty"`
}

func (o *dbBuildOptions) run(env *Env) error {
	begin := env.Now()
	paths := place.Find(env.Getenv)
	lock, err := lockSystemMap(paths)
	if err != nil {
		return err
	}
	defer lock.Unlock()
	kept := 0
	image, report, err := opmap.BuildSystem(env.Context, opmap.SystemOptions{
		Paths: paths, PATH: env.Getenv("PATH"),
		Add: func(b *tcpdb.Builder) error {
			kept = keepImported(env, paths, b)
			return nil
		},
	})
	if err != nil {
		return err
	}
	if err := lock.Write(image, 0o644); err != nil {
		return err
	}
	if err := shells.WriteFish(filepath.Join(paths.Data, "fish"), shells.FishTools(mapset.OpenView(paths, ""))); err != nil {
		env.notice("fish will not complete what is new: %v", err)
	}
	tools := []builtTool{}
	for _, t := range report.Tools {
		row := builtTool{Tool: t.Tool, Version: t.Version}
		if t.Err != nil {
			row.Left = t.Err.Error()
		}
		tools = append(tools, row)
	}
	took := env.Now().Sub(begin)
	if o.json {
		return env.printJSON(struct {
			V        int         `json:"v"`
			File     string      `json:"file"`
			Bytes    int         `json:"bytes"`
			Tools    []builtTool `json:"tools"`
			Imported int         `json:"imported"`
			MS       int64       `json:"ms"`
		}{1, paths.SystemMap(), len(image), tools, kept, took.Milliseconds()})
	}
	for _, t := range tools {
		if t.Left != "" {
			env.notice("%s: left out: %s", t.Tool, t.Left)
			continue
		}
		fmt.Fprintf(env.Stdout, "%s %s\n", oneLine(t.Tool), oneLine(t.Version))
	}
	if kept > 0 {
		fmt.Fprintf(env.Stdout, "%d imported descriptors kept\n", kept)
	}
	fmt.Fprintf(env.Stdout, "%s: %d bytes in %v\n", oneLine(paths.SystemMap()), len(image), took.Round(time.Millisecond))
	return nil
}

// imported is the provenance of descriptors that a build keeps.
const imported = "imported"

// keepImported takes over what was imported into the map that is to be
// replaced, and returns how many there are. A map that cannot be read is
// replaced all the same.
func keepImported(env *Env, paths place.Paths, b *tcpdb.Builder) int {
	im, err := tcpdb.Map(paths.SystemMap())
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			env.notice("%s: what was imported into it is lost", err)
		}
		return 0
	}
	defer im.Close()
	entries, err := im.Entries()
	if err != nil {
		env.notice("%s: what was imported into it is lost: %s", paths.SystemMap(), err)
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
		return nil, failf("there is no place for the system map").hint("set HOME, XDG_DATA_HOME or TMP_DATA_DIR")
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return nil, err
	}
	lock, err := tcpdb.Lock(file)
	var busy *tcpdb.BusyError
	if errors.As(err, &busy) {
		return nil, &failure{status: busy.ExitCode(), msg: busy.Error(), hints: []string{"try again when it is done"}}
	}
	return lock, err
}
