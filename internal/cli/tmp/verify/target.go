package verify

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/discover/drafts"
	"github.com/tool-mapping-protocol/tmp/internal/evidence"
	"github.com/tool-mapping-protocol/tmp/internal/mapset"
	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/internal/place"
)

// target is a map that is to be verified.
type target struct {
	source *opmap.Source
	file   string // absolute; "" for a map that ships
	layer  string // "project", "user", "draft", "core"; "file" for one that is in no place of maps
	dir    string // of the project, where scripts named by a path are
	// trusted: its own commands may be run, in a jail. A project's are a
	// stranger's until it is trusted.
	trusted bool

	samples   *evidence.Samples // beside the file; nil if there are none
	sampleErr error
	sampled   bool // they were looked for
}

// installedMaps are the maps of this machine, those that win first.
type installedMaps struct {
	targets  []*target
	project  *opmap.Project
	problems opmap.Problems
}

// findMaps reads the maps of the project and of the user.
func findMaps(env *term.Env, paths place.Paths) (*installedMaps, error) {
	found := &installedMaps{}
	dir, err := mapset.FindProject(paths, env.Dir)
	if err != nil {
		return nil, term.Failf("%s: %s", filepath.Join(dir, ".tmp"), err)
	}
	if dir != "" {
		p, problems, err := opmap.ReadProject(dir, opmap.KnownResolvers())
		if err != nil {
			return nil, err
		}
		found.project, found.problems = p, problems
		for _, s := range p.Sources {
			found.add(&target{source: s, file: filepath.Join(dir, s.File), layer: "project", dir: dir, trusted: p.Trusted(paths)})
		}
	}
	u, problems, err := opmap.ReadUser(paths, opmap.KnownResolvers())
	if err != nil {
		return nil, err
	}
	found.problems = append(found.problems, problems...)
	for _, s := range u.Sources {
		found.add(&target{source: s, file: s.File, layer: "user", trusted: true})
	}
	return found, nil
}

func (m *installedMaps) add(t *target) { m.targets = append(m.targets, t) }

// sources are the maps of a layer.
func (m *installedMaps) sources(layer string) []*opmap.Source {
	var out []*opmap.Source
	for _, t := range m.targets {
		if t.layer == layer {
			out = append(out, t.source)
		}
	}
	return out
}

// pick returns the maps that the words of the command line mean, all of the
// project and of the user without any.
func (m *installedMaps) pick(env *term.Env, paths place.Paths, args []string) ([]*target, error) {
	if len(args) == 0 {
		if len(m.targets) == 0 {
			return nil, term.Failf("there are no maps here").Hint("name one: a file, or a tool that has a draft (tmp generate TOOL makes one)")
		}
		return m.targets, nil
	}
	var out []*target
	for _, arg := range args {
		var found []*target
		var err error
		if strings.Contains(arg, "/") || mapset.IsSource(arg) {
			found, err = m.byFile(env, paths, arg)
		} else {
			found, err = m.byTool(paths, arg)
		}
		if err != nil {
			return nil, err
		}
		out = append(out, found...)
	}
	return out, nil
}

// byFile is the map in a file: one of those that are installed, or any other.
func (m *installedMaps) byFile(env *term.Env, paths place.Paths, name string) ([]*target, error) {
	file := name
	if !filepath.IsAbs(file) {
		file = filepath.Join(env.Dir, file)
	}
	for _, t := range m.targets {
		if sameFile(t.file, file) {
			return []*target{t}, nil
		}
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	s, problems := opmap.Parse(name, data, opmap.KnownResolvers())
	m.problems = append(m.problems, problems...)
	if s == nil {
		s = &opmap.Source{File: name} // the problems say why
	}
	t := &target{source: s, file: file, layer: "file", trusted: true}
	if paths.Drafts() != "" && sameFile(filepath.Dir(file), paths.Drafts()) {
		t.layer = "draft"
	}
	return []*target{t}, nil
}

// problemsOf are the faults of the maps that are meant; those of others are told
// by tmp compile.
func (m *installedMaps) problemsOf(targets []*target, all bool) opmap.Problems {
	var out opmap.Problems
	for _, p := range m.problems {
		if all || slices.ContainsFunc(targets, func(t *target) bool { return t.source.File == p.File }) {
			out = append(out, p)
		}
	}
	return out
}

func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// byTool are the maps of a tool, those of the highest layer that has one:
// several files of it may have operations.
func (m *installedMaps) byTool(paths place.Paths, tool string) ([]*target, error) {
	var out []*target
	for _, t := range m.targets {
		if t.isOf(tool) && (len(out) == 0 || out[0].layer == t.layer) {
			out = append(out, t)
		}
	}
	if len(out) > 0 {
		return out, nil
	}
	if dir := drafts.Dir(paths.Drafts()); dir != "" {
		s, err := dir.Read(tool)
		if err == nil {
			return []*target{{source: s, file: dir.File(tool), layer: "draft", trusted: true}}, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	data, err := opmap.CoreSource(tool)
	if err != nil {
		return nil, term.Failf("there is no map of %q", tool).Hint("tmp generate %s drafts one; a file is named with a slash or .json", tool)
	}
	s, problems := opmap.Parse("core/tools/"+tool+"/map.json", data, opmap.KnownResolvers())
	if err := problems.Err(); err != nil {
		return nil, err
	}
	return []*target{{source: s, layer: "core", trusted: true}}, nil
}

// isOf reports whether a map is of a tool, as a whole or by an operation.
func (t *target) isOf(tool string) bool {
	if t.source.Tool != "" {
		return t.source.Tool == tool
	}
	for _, op := range t.source.Operations {
		if t.source.ToolOf(op) == tool {
			return true
		}
	}
	return false
}

// name is how a person is told which map is meant.
func (t *target) name() string {
	if t.file == "" {
		return t.source.Tool + " (ships with tmp)"
	}
	return t.file
}
