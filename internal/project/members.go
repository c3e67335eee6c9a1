package project

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/internal/jsonscan"
	"github.com/tool-mapping-protocol/tmp/internal/toml"
	"github.com/tool-mapping-protocol/tmp/internal/yaml"
)

// Member is a package of a workspace.
type Member struct {
	Name string `json:"name"` // as its manifest has it, "" without one
	Dir  string `json:"dir"`  // from the root
	Kind string `json:"kind"` // the ecosystem that claims it

	dir string
}

// maxMembers bounds the packages of a workspace, maxWalk the directories that a
// walk visits, walkDepth how deep it goes.
const (
	maxMembers = 20_000
	maxWalk    = 20_000
	walkDepth  = 6
)

// Members are the packages of the root's workspaces, in the order of their
// directories. The root itself is none.
func (p *Project) Members() []Member {
	if p.built {
		return p.index
	}
	p.built = true
	if p.Recall != nil {
		if list, ok := p.Recall(); ok {
			for i := range list {
				list[i].dir = filepath.Join(p.Root, list[i].Dir)
			}
			p.index = list
			return p.index
		}
	}
	p.trace = map[string]bool{}
	p.gather()
	if p.Keep != nil && len(p.index) >= keepMembers {
		p.Keep(p.index, p.traced())
	}
	p.trace = nil
	return p.index
}

// keepMembers is from how many packages on it pays to keep the list of them.
const keepMembers = 50

// gather reads the workspace files of the root.
func (p *Project) gather() {
	seen := map[string]bool{p.Root: true}
	for _, name := range workspaceFiles {
		path := filepath.Join(p.Root, name)
		if !p.isFile(path) || name == "nx.json" {
			continue
		}
		data, ok := p.open(path)
		if !ok {
			continue
		}
		kind := kindOf(name)
		patterns := membersOf(name, data)
		if name == "rush.json" {
			patterns = rushProjects(p.json(path).At("projects").List())
		}
		for _, dir := range p.expand(patterns, manifestOf(kind)) {
			if !seen[dir] && len(p.index) < maxMembers {
				seen[dir] = true
				p.index = append(p.index, Member{Name: p.nameOf(dir, kind), Dir: p.rel(dir), Kind: kind, dir: dir})
			}
		}
	}
	p.nxProjects(seen)
	if p.isFile(filepath.Join(p.Root, moonFile)) {
		for name, at := range p.moonProjects() {
			if dir := filepath.Join(p.Root, at); !seen[dir] && p.isDir(dir) && len(p.index) < maxMembers {
				seen[dir] = true
				p.index = append(p.index, Member{Name: name, Dir: p.rel(dir), Kind: "moon", dir: dir})
			}
		}
	}
	slices.SortFunc(p.index, func(a, b Member) int { return strings.Compare(a.Dir, b.Dir) })
}

// nxProjects adds the directories that hold a project.json of nx.
func (p *Project) nxProjects(seen map[string]bool) {
	if !p.isFile(filepath.Join(p.Root, "nx.json")) {
		return
	}
	p.shallow(p.Root, 0, func(dir string) {
		if path := filepath.Join(dir, "project.json"); !seen[dir] && p.isFile(path) && len(p.index) < maxMembers {
			seen[dir] = true
			p.index = append(p.index, Member{Name: orElse(p.jsonName(path), filepath.Base(dir)), Dir: p.rel(dir), Kind: "nx", dir: dir})
		}
	})
}

func kindOf(file string) string {
	switch file {
	case "Cargo.toml":
		return "rust"
	case "pyproject.toml":
		return "python"
	case "go.work":
		return "go"
	case "settings.gradle", "settings.gradle.kts":
		return "gradle"
	case "pom.xml":
		return "maven"
	case "mix.exs":
		return "elixir"
	case "pubspec.yaml", "melos.yaml":
		return "dart"
	case "deno.json", "deno.jsonc":
		return "deno"
	}
	return "javascript"
}

// manifestOf is the file that a member of a kind has; "" for any.
func manifestOf(kind string) string {
	switch kind {
	case "rust":
		return "Cargo.toml"
	case "python":
		return "pyproject.toml"
	case "go":
		return "go.mod"
	case "javascript":
		return "package.json"
	case "elixir":
		return "mix.exs"
	case "dart":
		return "pubspec.yaml"
	case "maven":
		return "pom.xml"
	}
	return ""
}

// expand lists the directories that patterns name and that hold a manifest.
func (p *Project) expand(patterns []string, manifest string) []string {
	var out []string
	for _, pat := range patterns {
		if neg, ok := strings.CutPrefix(pat, "!"); ok {
			neg = cleanPattern(neg)
			out = slices.DeleteFunc(out, func(d string) bool { return matchPath(neg, p.rel(d)) })
			continue
		}
		pat = cleanPattern(pat)
		if pat == "" || strings.HasPrefix(pat, "/") || strings.Contains(pat, "..") {
			continue
		}
		if kind := manifest; (kind == "" || kind == "pom.xml") && !strings.ContainsAny(pat, "*?[") {
			out = append(out, filepath.Join(p.Root, pat)) // gradle and maven name each module
			continue
		}
		p.globDirs(p.Root, strings.Split(pat, "/"), 0, func(dir string) bool {
			if manifest == "" || p.hasManifest(dir, manifest) {
				out = append(out, dir)
			}
			return len(out) < maxMembers
		})
	}
	return out
}

// hasManifest asks for one file without listing its directory.
func (p *Project) hasManifest(dir, name string) bool { return p.isFile(filepath.Join(dir, name)) }

// globDirs calls found for the directories below dir that a pattern names; what a
// build or a manager makes is left out of "*" and "**".
func (p *Project) globDirs(dir string, parts []string, depth int, found func(string) bool) bool {
	if len(parts) == 0 {
		return found(dir)
	}
	if depth > walkDepth+4 {
		return true
	}
	part := parts[0]
	if !strings.ContainsAny(part, "*?[") {
		to := filepath.Join(dir, part)
		return !p.isDir(to) || p.globDirs(to, parts[1:], depth+1, found)
	}
	if part == "**" {
		if !p.globDirs(dir, parts[1:], depth+1, found) {
			return false
		}
	}
	for _, e := range p.list(dir) {
		if !e.Dir || skipped(e.Name) {
			continue
		}
		if p.walked++; p.walked > maxWalk {
			return false
		}
		to := filepath.Join(dir, e.Name)
		switch {
		case part == "**":
			if !p.globDirs(to, parts, depth+1, found) {
				return false
			}
		case disk.Match(part, e.Name):
			if !p.globDirs(to, parts[1:], depth+1, found) {
				return false
			}
		}
	}
	return true
}

// skipped are directories that hold no source of the project's.
func skipped(name string) bool {
	switch name {
	case "node_modules", "vendor", "target", "dist", "build", "out", "_build", "deps", "venv", "__pycache__", "third_party", "testdata", "fixtures", "bower_components":
		return true
	}
	return name[0] == '.'
}

// nameOf is the name that a member's manifest gives it.
func (p *Project) nameOf(dir, kind string) string {
	switch kind {
	case "javascript":
		return p.jsonName(filepath.Join(dir, "package.json"))
	case "deno":
		return orElse(p.jsonName(filepath.Join(dir, "deno.json")), p.jsonName(filepath.Join(dir, "deno.jsonc")))
	case "rust":
		return str(toml.In(p.toml(filepath.Join(dir, "Cargo.toml")), "package", "name"))
	case "python":
		return str(toml.In(p.toml(filepath.Join(dir, "pyproject.toml")), "project", "name"))
	case "go":
		for line := range strings.Lines(p.str(filepath.Join(dir, "go.mod"))) {
			if rest, ok := strings.CutPrefix(line, "module "); ok {
				return strings.TrimSpace(rest)
			}
		}
	case "maven":
		text := p.str(filepath.Join(dir, "pom.xml"))
		if _, rest, ok := strings.Cut(text, "</parent>"); ok {
			text = rest
		}
		if ids := between(text, "<artifactId>", "</artifactId>"); len(ids) > 0 {
			return ids[0]
		}
	case "dart":
		return p.yaml(filepath.Join(dir, "pubspec.yaml")).At("name").Str()
	}
	return ""
}

// jsonName reads the "name" of a manifest and nothing else.
func (p *Project) jsonName(path string) string {
	data, ok := p.open(path)
	if !ok {
		return ""
	}
	name := ""
	_ = jsonscan.Read(data, func(j *jsonscan.Reader) error {
		return j.Object(func(key string) (err error) {
			if key != "name" {
				return j.Skip()
			}
			name, err = j.MaybeText()
			return err
		})
	})
	if strings.ContainsFunc(strings.TrimPrefix(name, "@"), isOdd) || strings.HasPrefix(name, "-") || len(name) > maxName {
		return ""
	}
	return name
}

// walk visits the directories of the project, at most walkDepth deep.
func (p *Project) walk(dir string, depth int, visit func(dir string, entries []Entry)) {
	if depth > walkDepth {
		return
	}
	if p.walked++; p.walked > maxWalk {
		return
	}
	entries := p.list(dir)
	visit(dir, entries)
	for _, e := range entries {
		if e.Dir && !skipped(e.Name) {
			p.walk(filepath.Join(dir, e.Name), depth+1, visit)
		}
	}
}

// folders are the directories of that name, not deep, that hold a project file.
func (p *Project) folders(want string) []string {
	var out []string
	if dir := filepath.Join(p.Root, want); filepath.IsLocal(want) && p.isDir(dir) && p.anyProjectFile(dir) && within(p.Root, dir) && dir != p.Root {
		return []string{dir}
	}
	p.shallow(p.Root, 0, func(dir string) {
		if dir != p.Root && canonical(filepath.Base(dir)) == canonical(want) && p.anyProjectFile(dir) {
			out = append(out, dir)
		}
	})
	return out
}

func (p *Project) shallow(dir string, depth int, visit func(string)) {
	visit(dir)
	if depth == 3 {
		return
	}
	for _, e := range p.list(dir) {
		if e.Dir && !skipped(e.Name) {
			if p.walked++; p.walked > maxWalk {
				return
			}
			p.shallow(filepath.Join(dir, e.Name), depth+1, visit)
		}
	}
}

func (p *Project) anyProjectFile(dir string) bool {
	return slices.ContainsFunc(p.list(dir), func(e Entry) bool { return !e.Dir && isProjectFile(e.Name) })
}

// rushProjects are the folders that rush.json lists.
func rushProjects(list []*yaml.Node) []string {
	var out []string
	for _, n := range list {
		out = append(out, n.At("projectFolder").Str())
	}
	return out
}
