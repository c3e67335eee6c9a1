package resolvers

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// packageJSON is what is read of a package.json, in the order of the file.
type packageJSON struct {
	path         string
	name         string
	description  string
	scripts      []pair
	workspaces   []string // patterns; one that begins with "!" takes away
	dependencies []npmDependency
	manager      string          // of packageManager
	devManager   string          // of devEngines
	engines      map[string]bool // names only
}

type pair struct{ name, text string }

type npmDependency struct {
	name, version string
	kind          string // "", "dev", "peer", "optional"
}

// npmPackage reads the package.json that the words mean: the nearest upwards
// from the directory, --prefix and -C (yarn: --cwd, pnpm: --dir) lead elsewhere,
// -w and --workspace to a workspace by name or directory.
func npmPackage(c *collector, r Request) (*packageJSON, error) {
	dir := r.Dir
	to, there := option(r.Words, false, "--prefix", "-C", "--cwd", "--dir")
	if there {
		dir = within(dir, to)
	}
	path, ok := findUp(dir, "package.json")
	if there {
		path = filepath.Join(dir, "package.json")
		ok = isFile(path)
	}
	if !ok {
		return nil, nowhere("no package.json", dir)
	}
	ws, ok := option(r.Words, false, "-w", "--workspace", "--filter", "-F")
	if !ok && len(r.Words) > 2 && r.Words[0] == "yarn" && r.Words[1] == "workspace" {
		ws, ok = r.Words[2], true
	}
	if !ok {
		return readPackage(path)
	}
	root, members, err := npmMembers(c, filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	for _, m := range members {
		if m.name == ws || filepath.Dir(m.path) == within(dir, ws) {
			return m, nil
		}
	}
	return nil, errors.New("no workspace " + oneLine(ws, 80) + " in " + root)
}

// readPackage reads a package.json. Errors name the file, the line and the column.
func readPackage(path string) (*packageJSON, error) {
	data, err := readRegular(path, maxManifest)
	if err != nil {
		return nil, err
	}
	p := &packageJSON{path: path}
	if err := readJSON(data, p.read); err != nil {
		return nil, errors.New(path + ":" + err.Error())
	}
	return p, nil
}

func (p *packageJSON) read(j *jsonReader) error {
	return j.object(func(key string) error {
		var err error
		switch key {
		case "name":
			p.name, err = j.maybeText()
		case "description":
			p.description, err = j.maybeText()
		case "scripts":
			p.scripts = nil // of two members with one name the last counts
			err = j.texts(func(name, text string) { p.scripts = append(p.scripts, pair{name, text}) })
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
			text, err = j.maybeText()
			p.manager = readManager(text)
		case "devEngines":
			err = p.readDevEngines(j)
		case "engines":
			p.engines = map[string]bool{}
			err = j.texts(func(name, _ string) { p.engines[name] = true })
		default:
			err = j.skip()
		}
		return err
	})
}

func (p *packageJSON) readDependencies(j *jsonReader, kind string) error {
	return j.texts(func(name, version string) {
		p.dependencies = append(p.dependencies, npmDependency{name, version, kind})
	})
}

// readWorkspaces takes the list and yarn's object {"packages": […]}.
func (p *packageJSON) readWorkspaces(j *jsonReader) error {
	switch j.peek() {
	case '[':
		return j.array(func() error {
			s, err := j.maybeText()
			if s != "" {
				p.workspaces = append(p.workspaces, s)
			}
			return err
		})
	case '{':
		return j.object(func(key string) error {
			if key == "packages" && j.peek() == '[' {
				return p.readWorkspaces(j)
			}
			return j.skip()
		})
	}
	return j.skip()
}

// maybeText reads a string; another kind of value is passed and is "".
func (j *jsonReader) maybeText() (string, error) {
	if j.peek() == '"' {
		return j.text()
	}
	return "", j.skip()
}

// texts reads an object of strings; members and values of other kinds are passed.
func (j *jsonReader) texts(f func(name, text string)) error {
	if j.peek() != '{' {
		return j.skip()
	}
	return j.object(func(name string) error {
		if j.peek() != '"' {
			return j.skip()
		}
		text, err := j.text()
		if err == nil {
			f(name, text)
		}
		return err
	})
}

// npmScripts answers npm:scripts: the scripts, each with its command, in the
// order of the file.
func npmScripts(ctx context.Context, r Request) Answer {
	c := newCollector(ctx, r)
	p, err := npmPackage(c, r)
	if err != nil {
		return failed(err)
	}
	for i, s := range p.scripts {
		if s.name != "" {
			c.add(Value{Value: s.name, Description: oneLine(s.text, 120), Kind: "script", Weight: len(p.scripts) - i})
		}
	}
	return c.answer()
}

// npmMembers finds the workspace that dir belongs to, from the nearest
// package.json upwards that lists workspaces (or has a pnpm-workspace.yaml
// beside it), and reads its members in order of their directories.
func npmMembers(c *collector, dir string) (root string, members []*packageJSON, err error) {
	for at := dir; ; at = filepath.Dir(at) {
		patterns, err := npmPatterns(at)
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

// npmPatterns is the list of workspaces of a directory, nil if it has none.
func npmPatterns(dir string) ([]string, error) {
	if data, err := readRegular(filepath.Join(dir, "pnpm-workspace.yaml"), maxManifest); err == nil {
		if list := yamlList(string(data), "packages"); list != nil {
			return list, nil
		}
	}
	path := filepath.Join(dir, "package.json")
	if !isFile(path) {
		return nil, nil
	}
	p, err := readPackage(path)
	if err != nil {
		return nil, err
	}
	return p.workspaces, nil
}

func openWorkspaces(c *collector, root string, patterns []string) ([]*packageJSON, error) {
	var dirs []string
	for _, pattern := range patterns {
		if out, ok := strings.CutPrefix(pattern, "!"); ok {
			gone := globDirs(c, root, out)
			dirs = slices.DeleteFunc(dirs, func(d string) bool { return slices.Contains(gone, d) })
			continue
		}
		dirs = append(dirs, globDirs(c, root, pattern)...)
	}
	slices.Sort(dirs)
	var members []*packageJSON
	for _, dir := range slices.Compact(dirs) {
		path := filepath.Join(dir, "package.json")
		if c.late() || dir == root || !isFile(path) {
			continue
		}
		p, err := readPackage(path)
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

// yamlList reads a top-level list of plain or quoted scalars from a YAML text,
// as block ("- x" lines) or flow ("[x, y]"); nil if the key is not there. It is
// no YAML parser: what it does not know it leaves out.
func yamlList(text, key string) []string {
	var list []string
	inside := false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \t\r\n")
		trimmed := strings.TrimLeft(line, " \t")
		if trimmed == "" || trimmed[0] == '#' {
			continue
		}
		if item, ok := strings.CutPrefix(trimmed, "- "); ok && inside {
			if s := yamlScalar(item); s != "" {
				list = append(list, s)
			}
			continue
		}
		if len(trimmed) == len(line) { // a key at the left margin
			rest, ok := strings.CutPrefix(line, key+":")
			inside = ok
			if !ok {
				continue
			}
			list = []string{}
			rest = strings.TrimSpace(rest)
			if flow, ok := strings.CutPrefix(rest, "["); ok {
				flow, _, _ = strings.Cut(flow, "]")
				for item := range strings.SplitSeq(flow, ",") {
					if s := yamlScalar(item); s != "" {
						list = append(list, s)
					}
				}
			}
		}
	}
	return list
}

func yamlScalar(s string) string {
	s = strings.TrimSpace(s)
	if len(s) > 0 && (s[0] == '\'' || s[0] == '"') {
		if end := strings.IndexByte(s[1:], s[0]); end >= 0 {
			return s[1 : 1+end]
		}
		return ""
	}
	s, _, _ = strings.Cut(s, " #")
	return strings.TrimSpace(s)
}

// npmWorkspaces answers npm:workspaces: their names, each with its directory.
func npmWorkspaces(ctx context.Context, r Request) Answer {
	c := newCollector(ctx, r)
	dir := r.Dir
	if to, ok := option(r.Words, false, "--prefix", "-C", "--cwd", "--dir"); ok {
		dir = within(dir, to)
	}
	root, members, err := npmMembers(c, dir)
	if err != nil {
		return failed(err)
	}
	for _, m := range members {
		c.add(Value{Value: m.name, Kind: "workspace", Description: relative(root, filepath.Dir(m.path))})
	}
	a := c.answer()
	if members == nil && a.State == Fresh {
		a.Message = "no workspaces in " + dir + " or above it"
	}
	return a
}

// npmDependencies answers npm:dependencies: the packages that package.json
// names, each with its range and kind.
func npmDependencies(ctx context.Context, r Request) Answer {
	c := newCollector(ctx, r)
	p, err := npmPackage(c, r)
	if err != nil {
		return failed(err)
	}
	for _, d := range p.dependencies {
		text := oneLine(d.version, 60)
		if d.kind != "" {
			text = strings.TrimPrefix(text+", "+d.kind, ", ")
		}
		c.add(Value{Value: d.name, Kind: "dependency", Description: text})
	}
	return c.answer()
}

// npmBins answers npm:bins: the programs in node_modules/.bin, nearest first.
func npmBins(ctx context.Context, r Request) Answer {
	c := newCollector(ctx, r)
	for dir := r.Dir; filepath.IsAbs(dir); dir = filepath.Dir(dir) {
		bin := filepath.Join(dir, "node_modules", ".bin")
		entries, _ := os.ReadDir(bin)
		for _, e := range entries {
			if name := e.Name(); name[0] != '.' && filepath.Ext(name) != ".cmd" && filepath.Ext(name) != ".ps1" {
				c.add(Value{Value: name, Kind: "program", Description: relative(r.Dir, bin)})
			}
		}
		if dir == filepath.Dir(dir) || c.late() {
			break
		}
	}
	return c.answer()
}
