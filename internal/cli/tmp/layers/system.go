package layers

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/discover/machine"
	"github.com/tool-mapping-protocol/tmp/internal/discover/systemmap"
	"github.com/tool-mapping-protocol/tmp/internal/mapset"
	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/internal/place"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Tool is a tool that was asked about itself.
type Tool struct {
	Tool    string `json:"tool"`
	Version string `json:"version,omitempty"`
	Left    string `json:"left_out,omitempty"`
}

// Built is a system map that was built.
type Built struct {
	File  string
	Bytes int
	Tools []Tool
	Found *systemmap.Report
	Kept  int // imported descriptors
	View  *tcpdb.View
}

// BuildSystem builds the system map and puts it in its place. With noRun no
// program is asked: what git said before counts while it is the same git. bar
// makes what shows how far it is; nil shows nothing.
func BuildSystem(env *term.Env, paths place.Paths, m *machine.Machine, noRun bool, bar func(*term.Env, int) *term.Progress) (*Built, error) {
	return buildSystem(env, paths, noRun, systemmap.Options{Machine: m}, bar)
}

// BuildDrafted builds the system map of the programs that have a draft, and of those
// alone, where there is none yet: in a fraction of the time.
func BuildDrafted(env *term.Env, paths place.Paths, m *machine.Machine) error {
	_, err := buildSystem(env, paths, true, systemmap.Options{Machine: m, Drafted: true}, nil)
	return err
}

func buildSystem(env *term.Env, paths place.Paths, noRun bool, o systemmap.Options, bar func(*term.Env, int) *term.Progress) (*Built, error) {
	lock, err := LockSystem(paths)
	if err != nil {
		return nil, err
	}
	defer lock.Unlock()
	built := &Built{File: paths.SystemMap(), Tools: []Tool{}}
	image, report, err := opmap.BuildSystem(env.Context, opmap.SystemOptions{
		Paths: paths, PATH: env.Getenv("PATH"), NoRun: noRun,
		Add: func(b *tcpdb.Builder) error {
			built.Kept = keepImported(env, paths, b)
			var err error
			built.Found, err = addFound(env, paths, o, bar, b)
			return err
		},
	})
	if err != nil {
		return nil, err
	}
	if err := lock.Write(image, 0o644); err != nil {
		return nil, err
	}
	built.Bytes, built.View = len(image), mapset.OpenView(paths, "")
	writeFish(env, paths)
	for _, t := range report.Tools {
		row := Tool{Tool: t.Tool, Version: t.Version}
		if t.Err != nil {
			row.Left = t.Err.Error()
		}
		built.Tools = append(built.Tools, row)
	}
	return built, nil
}

// addFound puts drafts and ratings of the programs of PATH into the map.
func addFound(env *term.Env, paths place.Paths, o systemmap.Options, bar func(*term.Env, int) *term.Progress, b *tcpdb.Builder) (*systemmap.Report, error) {
	o.Paths, o.Programs, o.Skip = paths, machine.Programs(env.Getenv("PATH")), []string{"git"}
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

// Imported is the provenance of descriptors that a build keeps.
const Imported = "imported"

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
		if e.Provenance == Imported {
			b.Raise(e)
			n++
		}
	}
	return n
}

// LockSystem takes the right to write the system map and makes its directory.
func LockSystem(paths place.Paths) (*tcpdb.FileLock, error) {
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
