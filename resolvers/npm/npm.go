// Package npm has the values of a package.json, for npm, pnpm, yarn and bun.
package npm

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/internal/jsonscan"
	"github.com/tool-mapping-protocol/tmp/internal/yaml"
	"github.com/tool-mapping-protocol/tmp/resolvers"
)

// Package is what is read of a package.json, in the order of the file.
type Package struct {
	Path         string
	name         string
	description  string
	Scripts      []Script
	workspaces   []string // patterns; one that begins with "!" takes away
	dependencies []dependency
	manager      string          // of packageManager
	devManager   string          // of devEngines
	engines      map[string]bool // names only
}

// Script is a named command of a package.json.
type Script struct{ Name, Text string }

type dependency struct {
	name, version string
	kind          string // "", "dev", "peer", "optional"
}

// Nearest reads the package.json that the words mean: the nearest upwards
// from the directory, --prefix and -C (yarn: --cwd, pnpm: --dir) lead elsewhere,
// -w and --workspace to a workspace by name or directory.
func Nearest(c *resolvers.Collector, r resolvers.Request) (*Package, error) {
	dir := r.Dir
	to, there := resolvers.Option(r.Words, false, "--prefix", "-C", "--cwd", "--dir")
	if there {
		dir = disk.Within(dir, to)
	}
	path, ok := disk.FindUp(dir, "package.json")
	if there {
		path = filepath.Join(dir, "package.json")
		ok = disk.IsFile(path)
	}
	if !ok {
		return nil, resolvers.Nowhere("no package.json", dir)
	}
	ws, ok := resolvers.Option(r.Words, false, "-w", "--workspace", "--filter", "-F")
	if !ok && len(r.Words) > 2 && r.Words[0] == "yarn" && r.Words[1] == "workspace" {
		ws, ok = r.Words[2], true
	}
	if !ok {
		return ReadPackage(path)
	}
	root, members, err := Members(c, filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	for _, m := range members {
		if m.name == ws || filepath.Dir(m.Path) == disk.Within(dir, ws) {
			return m, nil
		}
	}
	return nil, errors.New("no workspace " + resolvers.OneLine(ws, 80) + " in " + root)
}

// ReadPackage reads a package.json. Errors name the file, the line and the column.
func ReadPackage(path string) (*Package, error) {
	data, err := disk.ReadRegular(path, disk.MaxManifest)
	if err != nil {
		return nil, err
	}
	p := &Package{Path: path}
	if err := jsonscan.Read(data, p.read); err != nil {
		return nil, errors.New(path + ":" + err.Error())
	}
	return p, nil
}

func (p *Package) read(j *jsonscan.Reader) error {
	return j.Object(func(key string) error {
		var err error
		switch key {
		case "name":
			p.name, err = j.MaybeText()
		case "description":
			p.description, err = j.MaybeText()
		case "scripts":
			p.Scripts = nil // of two members with one name the last counts
			err = j.Texts(func(name, text string) { p.Scripts = append(p.Scripts, Script{name, text}) })
		case "dependencies":
			err = p.readDependencies(j, "")
		case "devDependencies":
			err = p.readDependencies(j, "dev")
		case "peerDependencies":
			err = p.readDependencies(j, "peer")
		case "optionalDependencies":
			err = p.readDependencies(j, "optional")
		case "workspaces":
			p.workspaces = nil
			err = p.readWorkspaces(j)
		case "packageManager":
			var text string
			text, err = j.MaybeText()
			p.manager = readManager(text)
		case "devEngines":
			err = p.readDevEngines(j)
		case "engines":
			p.engines = map[string]bool{}
			err = j.Texts(func(name, _ string) { p.engines[name] = true })
		default:
			err = j.Skip()
		}
		return err
	})
}

func (p *Package) readDependencies(j *jsonscan.Reader, kind string) error {
	return j.Texts(func(name, version string) {
		p.dependencies = append(p.dependencies, dependency{name, version, kind})
	})
}

// readWorkspaces takes the list and yarn's object {"packages": […]}.
func (p *Package) readWorkspaces(j *jsonscan.Reader) error {
	switch j.Peek() {
	case '[':
		return j.Array(func() error {
			s, err := j.MaybeText()
			if s != "" {
				p.workspaces = append(p.workspaces, s)
			}
			return err
		})
	case '{':
		return j.Object(func(key string) error {
			if key == "packages" && j.Peek() == '[' {
				return p.readWorkspaces(j)
			}
			return j.Skip()
		})
	}
	return j.Skip()
}

// Scripts answers npm:scripts: the scripts, each with its command, in the
// order of the file.
func Scripts(ctx context.Context, r resolvers.Request) resolvers.Answer {
	c := resolvers.NewCollector(ctx, r)
	p, err := Nearest(c, r)
	if err != nil {
		return resolvers.Failure(err)
	}
	for i, s := range p.Scripts {
		if s.Name != "" {
			c.Add(resolvers.Value{Value: s.Name, Description: resolvers.OneLine(s.Text, 120), Kind: "script", Weight: len(p.Scripts) - i})
		}
	}
	return c.Answer()
}

// Members finds the workspace that dir belongs to, from the nearest
// package.json upwards that lists workspaces (or has a pnpm-workspace.yaml
// beside it), and reads its members in order of their directories.
func Members(c *resolvers.Collector, dir string) (root string, members []*Package, err error) {
	for at := dir; ; at = filepath.Dir(at) {
		patterns, err := patterns(at)
		if err != nil {
			return "", nil, err
		}
		if patterns != nil {
			members, err := openWorkspaces(c, at, patterns)
			return at, members, err
		}
		if at == filepath.Dir(at) {
			return dir, nil, nil
		}
	}
}

// patterns is the list of workspaces of a directory, nil if it has none.
func patterns(dir string) ([]string, error) {
	if data, err := disk.ReadRegular(filepath.Join(dir, "pnpm-workspace.yaml"), disk.MaxManifest); err == nil {
		root, err := yaml.Parse(string(data))
		if err != nil {
			return nil, &fs.PathError{Op: "read", Path: filepath.Join(dir, "pnpm-workspace.yaml"), Err: err}
		}
		if list := root.At("packages"); list != nil {
			patterns := []string{}
			for _, n := range list.List() {
				if n.Text != "" {
					patterns = append(patterns, n.Text)
				}
			}
			return patterns, nil
		}
	}
	path := filepath.Join(dir, "package.json")
	if !disk.IsFile(path) {
		return nil, nil
	}
	p, err := ReadPackage(path)
	if err != nil {
		return nil, err
	}
	return p.workspaces, nil
}

func openWorkspaces(c *resolvers.Collector, root string, patterns []string) ([]*Package, error) {
	var dirs []string
	for _, pattern := range patterns {
		if out, ok := strings.CutPrefix(pattern, "!"); ok {
			gone := disk.Glob(root, out, c.Late)
			dirs = slices.DeleteFunc(dirs, func(d string) bool { return slices.Contains(gone, d) })
			continue
		}
		dirs = append(dirs, disk.Glob(root, pattern, c.Late)...)
	}
	slices.Sort(dirs)
	var members []*Package
	for _, dir := range slices.Compact(dirs) {
		path := filepath.Join(dir, "package.json")
		if c.Late() || dir == root || !disk.IsFile(path) {
			continue
		}
		p, err := ReadPackage(path)
		if err != nil {
			return nil, err
		}
		if p.name == "" {
			p.name = filepath.Base(dir)
		}
		members = append(members, p)
	}
	return members, nil
}

// Workspaces answers npm:workspaces: their names, each with its directory.
func Workspaces(ctx context.Context, r resolvers.Request) resolvers.Answer {
	c := resolvers.NewCollector(ctx, r)
	dir := r.Dir
	if to, ok := resolvers.Option(r.Words, false, "--prefix", "-C", "--cwd", "--dir"); ok {
		dir = disk.Within(dir, to)
	}
	root, members, err := Members(c, dir)
	if err != nil {
		return resolvers.Failure(err)
	}
	for _, m := range members {
		c.Add(resolvers.Value{Value: m.name, Kind: "workspace", Description: disk.Relative(root, filepath.Dir(m.Path))})
	}
	a := c.Answer()
	if members == nil && a.State == resolvers.Fresh {
		a.Message = "no workspaces in " + dir + " or above it"
	}
	return a
}

// Dependencies answers npm:dependencies: the packages that package.json
// names, each with its range and kind.
func Dependencies(ctx context.Context, r resolvers.Request) resolvers.Answer {
	c := resolvers.NewCollector(ctx, r)
	p, err := Nearest(c, r)
	if err != nil {
		return resolvers.Failure(err)
	}
	for _, d := range p.dependencies {
		text := resolvers.OneLine(d.version, 60)
		if d.kind != "" {
			text = strings.TrimPrefix(text+", "+d.kind, ", ")
		}
		c.Add(resolvers.Value{Value: d.name, Kind: "dependency", Description: text})
	}
	return c.Answer()
}

// Bins answers npm:bins: the programs in node_modules/.bin, nearest first.
func Bins(ctx context.Context, r resolvers.Request) resolvers.Answer {
	c := resolvers.NewCollector(ctx, r)
	for dir := r.Dir; filepath.IsAbs(dir); dir = filepath.Dir(dir) {
		bin := filepath.Join(dir, "node_modules", ".bin")
		entries, _ := os.ReadDir(bin)
		for _, e := range entries {
			if name := e.Name(); name[0] != '.' && filepath.Ext(name) != ".cmd" && filepath.Ext(name) != ".ps1" {
				c.Add(resolvers.Value{Value: name, Kind: "program", Description: disk.Relative(r.Dir, bin)})
			}
		}
		if dir == filepath.Dir(dir) || c.Late() {
			break
		}
	}
	return c.Answer()
}
