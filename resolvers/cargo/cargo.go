// Package cargo has the values of cargo and rustup: packages, targets, features,
// tests of the crate at hand.
package cargo

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/resolvers"
)

// cargoPackage is one package of a workspace.
type cargoPackage struct {
	manifest
	dir  string
	name string
}

// project is the manifest that cargo would use and its workspace.
type project struct {
	c *resolvers.Collector
	// here is the directory of the manifest that cargo starts from.
	here string
	// root is the directory of the workspace; a package without a workspace is
	// a workspace of one.
	root         string
	rootManifest manifest
	// read holds what was read already, by directory.
	read map[string]*manifest
}

// openSelected finds the project and the packages that the command's words select.
func openSelected(c *resolvers.Collector, r resolvers.Request) (*project, []*cargoPackage, error) {
	p, err := openCargo(c, r)
	if err != nil {
		return nil, nil, err
	}
	packages, err := p.selected(r.Words)
	return p, packages, err
}

// openCargo finds the manifest: --manifest-path, or the nearest Cargo.toml
// upwards; and the root of its workspace.
func openCargo(c *resolvers.Collector, r resolvers.Request) (*project, error) {
	dir := r.Dir
	for _, to := range resolvers.Options(r.Words, false, "-C") {
		dir = disk.Within(dir, to)
	}
	path, ok := resolvers.Option(r.Words, false, "--manifest-path")
	if ok {
		path = disk.Within(dir, path)
		if disk.IsDir(path) { // accepted by cargo for scripts' sake; its manifest is meant
			path = filepath.Join(path, "Cargo.toml")
		}
	} else if path, ok = disk.FindUp(dir, "Cargo.toml"); !ok {
		return nil, resolvers.Nowhere("no Cargo.toml", dir)
	}
	p := &project{c: c, here: filepath.Dir(path), read: map[string]*manifest{}}
	m, err := readCargo(path)
	if err != nil {
		return nil, err
	}
	p.read[p.here] = m
	return p, p.findRoot(m)
}

// findRoot walks up to the [workspace] that takes the package in.
func (p *project) findRoot(m *manifest) error {
	p.root, p.rootManifest = p.here, *m
	if m.Workspace != nil {
		return nil
	}
	if pkg := m.Package; pkg != nil && pkg.Workspace != "" {
		dir := disk.Within(p.here, pkg.Workspace)
		root, err := readCargo(filepath.Join(dir, "Cargo.toml"))
		if err != nil {
			return err
		}
		p.root, p.rootManifest, p.read[dir] = dir, *root, root
		return nil
	}
	for dir := filepath.Dir(p.here); ; dir = filepath.Dir(dir) {
		root, err := readCargo(filepath.Join(dir, "Cargo.toml"))
		switch {
		case err == nil && root.Workspace != nil:
			if !root.Workspace.leavesOut(dir, p.here) {
				p.root, p.rootManifest, p.read[dir] = dir, *root, root
			}
			return nil
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return err
		}
		if dir == filepath.Dir(dir) {
			return nil
		}
	}
}

// leavesOut reports whether dir is excluded: a literal path, or one above it,
// is in exclude and none in members.
func (w *workspaceTable) leavesOut(root, dir string) bool {
	above := func(list []string) bool {
		return slices.ContainsFunc(list, func(e string) bool { return disk.IsUnder(dir, disk.Within(root, e)) })
	}
	return above(w.Exclude) && !above(w.Members)
}

// open reads the package in a directory, once.
func (p *project) open(dir string) (*cargoPackage, error) {
	m := p.read[dir]
	if m == nil {
		var err error
		if m, err = readCargo(filepath.Join(dir, "Cargo.toml")); err != nil {
			return nil, err
		}
		p.read[dir] = m
	}
	pkg := m.Package
	if pkg == nil {
		return nil, errVirtual
	}
	return &cargoPackage{manifest: *m, dir: dir, name: pkg.Name}, nil
}

// errVirtual: the manifest has no [package].
var errVirtual = errors.New("a virtual manifest")

// members lists the packages of the workspace in order of their directories:
// the root package, what members names, and path dependencies below the root.
func (p *project) members() ([]*cargoPackage, error) {
	var dirs []string
	if p.rootManifest.Package != nil {
		dirs = append(dirs, p.root)
	}
	if w := p.rootManifest.Workspace; w != nil {
		for _, pattern := range w.Members {
			found := disk.Glob(p.root, pattern, p.c.Late)
			for _, dir := range found {
				if !w.leavesOut(p.root, dir) {
					dirs = append(dirs, dir)
				}
			}
		}
	}
	return p.openAll(dirs, true)
}

// openAll opens the directories and, if follow, the path dependencies that
// belong to the workspace. A directory without a manifest is no member.
func (p *project) openAll(dirs []string, follow bool) ([]*cargoPackage, error) {
	var all []*cargoPackage
	seen := map[string]bool{}
	for len(dirs) > 0 && !p.c.Late() {
		dir := dirs[0]
		dirs = dirs[1:]
		if seen[dir] {
			continue
		}
		seen[dir] = true
		pkg, err := p.open(dir)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, errVirtual) {
			continue
		}
		if err != nil {
			return nil, err
		}
		all = append(all, pkg)
		if follow && p.rootManifest.Workspace != nil {
			dirs = append(dirs, p.pathDependencies(pkg)...)
		}
	}
	slices.SortFunc(all, func(a, b *cargoPackage) int { return strings.Compare(a.dir, b.dir) })
	return all, nil
}

// pathDependencies lists the directories below the workspace's root that the
// package depends on by path.
func (p *project) pathDependencies(pkg *cargoPackage) []string {
	var dirs []string
	for _, d := range pkg.dependencies() {
		dir := ""
		if path, ok := d.table["path"].(string); ok {
			dir = disk.Within(pkg.dir, path)
		} else if d.table["workspace"] == true {
			if shared, ok := p.rootManifest.Workspace.Dependencies[d.name].(map[string]any); ok {
				if path, ok := shared["path"].(string); ok {
					dir = disk.Within(p.root, path)
				}
			}
		}
		if dir != "" && disk.IsUnder(dir, p.root) && !p.rootManifest.Workspace.leavesOut(p.root, dir) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// selected lists the packages that the words choose: -p, --workspace, or what
// cargo takes by itself (the package we stand in; in the root of a workspace
// its default members, its own package, or all members).
func (p *project) selected(words []string) ([]*cargoPackage, error) {
	if specs := resolvers.Options(words, true, "-p", "--package"); len(specs) > 0 {
		all, err := p.members()
		if err != nil {
			return nil, err
		}
		chosen := slices.DeleteFunc(slices.Clone(all), func(pkg *cargoPackage) bool {
			return !slices.ContainsFunc(specs, func(s string) bool { return matchesSpec(s, pkg.name) })
		})
		if len(chosen) == 0 {
			return nil, errors.New("no package " + strings.Join(specs, ", ") + " in the workspace " + p.root)
		}
		return chosen, nil
	}
	if resolvers.Has(words, "--workspace", "--all") {
		return p.members()
	}
	w := p.rootManifest.Workspace
	switch {
	case p.here != p.root:
	case w != nil && w.DefaultMembers != nil:
		var dirs []string
		for _, pattern := range w.DefaultMembers {
			dirs = append(dirs, disk.Glob(p.root, pattern, p.c.Late)...)
		}
		return p.openAll(dirs, false)
	case p.rootManifest.Package == nil:
		return p.members()
	}
	return p.openAll([]string{p.here}, false)
}

// matchesSpec compares a name with a package specification as typed: a name or
// a pattern, perhaps with "@version", perhaps a URL whose end names the package.
func matchesSpec(spec, name string) bool {
	if i := strings.LastIndexByte(spec, '#'); i >= 0 {
		spec = spec[i+1:]
	}
	spec, _, _ = strings.Cut(spec, "@")
	return disk.Match(spec, name)
}

// dependency is one entry of a dependency table.
type dependency struct {
	name  string
	kind  string // "", "dev" or "build"
	table map[string]any
	// version is the requirement, "" if there is none.
	version string
}

// dependencies lists the direct dependencies of all kinds and platforms.
func (m *manifest) dependencies() []dependency {
	var all []dependency
	add := func(kind string, table map[string]any) {
		for name, v := range table {
			d := dependency{name: name, kind: kind}
			switch v := v.(type) {
			case string:
				d.version = v
			case map[string]any:
				d.table = v
				d.version, _ = v["version"].(string)
			}
			all = append(all, d)
		}
	}
	add("", m.Dependencies)
	add("build", m.Build)
	add("dev", m.Dev)
	for _, t := range m.Target {
		add("", t.Dependencies)
		add("build", t.Build)
		add("dev", t.Dev)
	}
	slices.SortStableFunc(all, func(a, b dependency) int {
		if a.kind != b.kind {
			return strings.Compare(a.kind, b.kind)
		}
		return strings.Compare(a.name, b.name)
	})
	return all
}
