package layers

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/mapset"
	"github.com/tool-mapping-protocol/tmp/internal/place"
	"github.com/tool-mapping-protocol/tmp/internal/wanted"
	"github.com/tool-mapping-protocol/tmp/shells"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// maxProjects bounds how many projects' maps are looked into.
const maxProjects = 256

// fishDir holds the lines by which fish knows what to ask tmp-tab about.
func fishDir(paths place.Paths) string { return filepath.Join(paths.Data, "fish") }

// RefreshFish brings that directory up to the maps as they are now, where there
// is one: the hook of fish makes it.
func RefreshFish(env *term.Env, paths place.Paths) {
	if paths.Data == "" {
		return
	}
	if _, err := os.Stat(fishDir(paths)); err == nil {
		writeFish(env, paths)
	}
}

// writeFish makes the directory hold a line for each tool of the machine, the
// user and the trusted projects.
func writeFish(env *term.Env, paths place.Paths) {
	tools := shells.FishTools(mapset.OpenView(paths, ""))
	files, _ := filepath.Glob(filepath.Join(filepath.Dir(paths.ProjectMap("/")), "*.tcpdb"))
	for _, file := range files[:min(len(files), maxProjects)] {
		im, err := tcpdb.Map(file)
		if err != nil {
			continue // said where that project is worked in
		}
		for _, tool := range shells.FishTools(tcpdb.NewView(im)) {
			tools = append(tools, strings.Clone(tool)) // the file goes
		}
		im.Close()
	}
	slices.Sort(tools)
	if err := shells.WriteFish(fishDir(paths), slices.Compact(tools), wanted.Programs(paths, env.Getenv("PATH"))...); err != nil {
		env.Notice("fish will not complete what is new: %v", err)
	}
}
