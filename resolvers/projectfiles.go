package resolvers

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
)

// taskTasks answers task:tasks: the tasks of the nearest Taskfile upwards (-t
// and -d lead elsewhere), with their descriptions, and of those that it includes
// ("docs:serve"); internal ones are left out.
func taskTasks(ctx context.Context, r Request) Answer {
	c := newCollector(ctx, r)
	path, err := taskfile(r)
	if err != nil {
		return failed(err)
	}
	l := taskLoader{c: c}
	if err := l.load(path, ""); err != nil {
		return failed(err)
	}
	return c.answer()
}

// taskfile is the one that task would read by its words.
func taskfile(r Request) (string, error) {
	dir := r.Dir
	if to, ok := option(r.Words, true, "-d", "--dir"); ok {
		dir = within(dir, to)
	}
	if path, ok := option(r.Words, true, "-t", "--taskfile"); ok {
		return within(r.Dir, path), nil
	}
	if has(r.Words, "-g", "--global") {
		dir = r.getenv("HOME")
	}
	path, ok := findTaskfile(dir)
	if !ok {
		return "", nowhere("no Taskfile", dir)
	}
	return path, nil
}

// taskLoader adds the tasks of Taskfiles that include each other.
type taskLoader struct {
	c     *collector
	open  []string // the files that are being read, each included by the one before
	count int      // of files read
}

// maxTaskIncludes bounds how deep Taskfiles include each other.
const maxTaskIncludes = 8

func (l *taskLoader) load(path, prefix string) error {
	if slices.Contains(l.open, path) || len(l.open) > maxTaskIncludes || l.count > maxMakeFiles || l.c.late() {
		return nil
	}
	data, err := readRegular(path, maxManifest)
	if err != nil {
		return err
	}
	entries := yamlEntries(string(data), "tasks")
	for i, e := range entries {
		if e.values["internal"] != "true" && e.name != "" {
			text := e.values["desc"]
			if text == "" {
				text = e.values["summary"]
			}
			// What is included comes after what is the file's own.
			weight := len(entries) - i - 1000*len(l.open)
			l.c.add(Value{Value: prefix + e.name, Description: oneLine(text, 120), Kind: "task", Weight: weight})
		}
	}
	l.open = append(l.open, path)
	l.count++
	for _, e := range yamlEntries(string(data), "includes") {
		l.include(filepath.Dir(path), prefix, e)
	}
	l.open = l.open[:len(l.open)-1]
	return nil
}

// include reads the Taskfile of an entry of "includes"; one on the network and
// one that is not there are passed over.
func (l *taskLoader) include(dir, prefix string, e yamlEntry) {
	file := e.values[""]
	if file == "" {
		file = e.values["taskfile"]
	}
	if file == "" || e.name == "" || e.values["internal"] == "true" || strings.Contains(file, "://") {
		return
	}
	path := within(dir, file)
	if isDir(path) {
		path, _ = taskfileIn(path)
	}
	if e.values["flatten"] != "true" {
		prefix += e.name + ":"
	}
	_ = l.load(path, prefix)
}

func findTaskfile(dir string) (string, bool) {
	for filepath.IsAbs(dir) {
		if path, ok := taskfileIn(dir); ok {
			return path, true
		}
		if dir == filepath.Dir(dir) {
			break
		}
		dir = filepath.Dir(dir)
	}
	return "", false
}

// taskfileIn looks in one directory.
func taskfileIn(dir string) (string, bool) {
	for _, name := range [...]string{"Taskfile.yml", "taskfile.yml", "Taskfile.yaml", "taskfile.yaml", "Taskfile.dist.yml", "Taskfile.dist.yaml"} {
		if path := filepath.Join(dir, name); isFile(path) {
			return path, true
		}
	}
	return "", false
}

// terraformDir is where terraform works: -chdir leads elsewhere.
func terraformDir(r Request) string {
	for _, w := range r.Words {
		if to, ok := strings.CutPrefix(w, "-chdir="); ok {
			return within(r.Dir, to)
		}
	}
	return r.Dir
}

// terraformWorkspaces answers terraform:workspaces: those whose state is kept
// in files, and the one that is selected.
func terraformWorkspaces(ctx context.Context, r Request) Answer {
	c := newCollector(ctx, r)
	dir := terraformDir(r)
	selected := ""
	if data, err := readRegular(filepath.Join(dir, ".terraform", "environment"), 4096); err == nil {
		selected = strings.TrimSpace(string(data))
	}
	add := func(name string) {
		v := Value{Value: name, Kind: "workspace"}
		if name == selected {
			v.Description, v.Weight = "selected", 1
		}
		c.add(v)
	}
	if selected != "" && selected != "default" && !isDir(filepath.Join(dir, "terraform.tfstate.d", selected)) {
		add(selected) // its state is kept elsewhere
	}
	add("default")
	_ = readDir(filepath.Join(dir, "terraform.tfstate.d"), func(name []byte, typ entryType) bool {
		if typ != entryFile {
			add(string(name))
		}
		return !c.late()
	})
	return c.answer()
}

// terraformAddresses answers terraform:addresses: the resources and modules that the
// configuration declares.
func terraformAddresses(ctx context.Context, r Request) Answer {
	c := newCollector(ctx, r)
	dir := terraformDir(r)
	eachTerraform(c, dir, func(words []string) {
		switch {
		case words[0] == "resource" && len(words) >= 3:
			c.add(Value{Value: words[1] + "." + words[2], Kind: "resource"})
		case words[0] == "module" && len(words) >= 2:
			c.add(Value{Value: "module." + words[1], Kind: "module"})
		case words[0] == "data" && len(words) >= 3:
			c.add(Value{Value: "data." + words[1] + "." + words[2], Kind: "data", Weight: -1})
		}
	})
	return c.answer()
}

// terraformBlocks answers terraform:variables and terraform:outputs.
func terraformBlocks(block, end string) Func {
	return func(ctx context.Context, r Request) Answer {
		c := newCollector(ctx, r)
		eachTerraform(c, terraformDir(r), func(words []string) {
			if words[0] == block && len(words) >= 2 {
				c.add(Value{Value: words[1] + end, Kind: block, Partial: end != ""})
			}
		})
		return c.answer()
	}
}

// eachTerraform gives the words of the lines that begin a block at the left margin.
func eachTerraform(c *collector, dir string, f func(words []string)) {
	_ = readDir(dir, func(name []byte, typ entryType) bool {
		if !strings.HasSuffix(view(name), ".tf") {
			return !c.late()
		}
		_ = eachLine(filepath.Join(dir, string(name)), func(line string) {
			if line == "" || line[0] < 'a' || line[0] > 'z' || !strings.Contains(line, "{") {
				return
			}
			line, _, _ = strings.Cut(line, "{")
			words := strings.Fields(line)
			for i, w := range words {
				words[i] = strings.Trim(w, `"`)
			}
			if len(words) > 0 {
				f(words)
			}
		})
		return !c.late()
	})
}

// cmakePresets answers cmake:presets: the names in CMakePresets.json and
// CMakeUserPresets.json.
func cmakePresets(ctx context.Context, r Request) Answer {
	c := newCollector(ctx, r)
	dir := r.Dir
	if to, ok := option(r.Words, true, "-S"); ok {
		dir = within(dir, to)
	}
	section := "configurePresets"
	switch {
	case has(r.Words, "--build"):
		section = "buildPresets"
	case len(r.Words) > 0 && r.Words[0] == "ctest":
		section = "testPresets"
	}
	found := false
	for _, name := range [...]string{"CMakePresets.json", "CMakeUserPresets.json"} {
		data, err := readRegular(filepath.Join(dir, name), maxManifest)
		if err != nil {
			continue
		}
		found = true
		if err := readJSON(data, func(j *jsonReader) error { return cmakeSection(j, section, c) }); err != nil {
			return failed(err)
		}
	}
	if !found {
		return failed(nowhere("no CMakePresets.json", dir))
	}
	return c.answer()
}

func cmakeSection(j *jsonReader, section string, c *collector) error {
	return j.object(func(key string) error {
		if key != section {
			return j.skip()
		}
		return j.array(func() error {
			name, hidden := "", false
			err := j.object(func(key string) (err error) {
				switch key {
				case "name":
					name, err = j.text()
					return err
				case "hidden":
					hidden = j.peek() == 't'
				}
				return j.skip()
			})
			if err == nil && name != "" && !hidden {
				c.add(Value{Value: name, Kind: "preset"})
			}
			return err
		})
	})
}

// ninjaTargets answers ninja:targets: the outputs of the phony edges of
// build.ninja first, then the others.
func ninjaTargets(ctx context.Context, r Request) Answer {
	c := newCollector(ctx, r)
	dir := r.Dir
	if to, ok := option(r.Words, true, "-C"); ok {
		dir = within(dir, to)
	}
	file := "build.ninja"
	if to, ok := option(r.Words, true, "-f"); ok {
		file = to
	}
	err := eachLine(within(dir, file), func(line string) {
		rest, ok := strings.CutPrefix(line, "build ")
		if !ok || c.late() {
			return
		}
		outputs, rule, ok := strings.Cut(rest, ": ")
		if !ok {
			return
		}
		v := Value{Kind: "target"}
		if strings.HasPrefix(rule, "phony") {
			v.Weight = 1
		}
		for name := range strings.FieldsSeq(outputs) {
			if name != "|" && name != "||" && !strings.Contains(name, "$") {
				v.Value = name
				c.add(v)
			}
		}
	})
	if err != nil {
		return failed(err)
	}
	return c.answer()
}

// pythonDirs are the directories of modules: the virtual environment's, the
// project's .venv, and the system's.
func pythonDirs(r Request) []string {
	var roots []string
	if env := r.getenv("VIRTUAL_ENV"); filepath.IsAbs(env) {
		roots = append(roots, env)
	} else if env, ok := findUpDir(r.Dir, ".venv"); ok {
		roots = append(roots, env)
	}
	roots = append(roots, filepath.Join(r.getenv("HOME"), ".local"), "/usr/local", "/usr")
	var dirs []string
	for _, root := range roots {
		if !filepath.IsAbs(root) {
			continue
		}
		for _, lib := range [...]string{"lib", "lib64"} {
			base := filepath.Join(root, lib)
			_ = readDir(base, func(name []byte, typ entryType) bool {
				if strings.HasPrefix(view(name), "python3") {
					dirs = append(dirs, filepath.Join(base, string(name), "site-packages"), filepath.Join(base, string(name), "dist-packages"), filepath.Join(base, string(name)))
				}
				return true
			})
		}
	}
	return slices.Compact(dirs)
}

// pythonModules answers python:modules, for python -m: the modules of the
// working directory, of the environment and of the library. Nothing is imported.
func pythonModules(ctx context.Context, r Request) Answer {
	c := newCollector(ctx, r)
	for i, name := range [...]string{"pytest", "pip", "venv", "http.server", "unittest", "json.tool", "build", "pdb", "timeit", "cProfile", "mypy", "black", "ruff", "uvicorn", "flask", "compileall", "zipfile", "ensurepip"} {
		c.add(Value{Value: name, Kind: "module", Weight: 100 - i})
	}
	for i, dir := range append([]string{r.Dir}, pythonDirs(r)...) {
		_ = readDir(dir, func(name []byte, typ entryType) bool {
			text := view(name)
			module, py := strings.CutSuffix(text, ".py")
			if !py && (typ == entryFile || !isFile(filepath.Join(dir, text, "__init__.py"))) || !isIdentifier(module) {
				return !c.late()
			}
			v := Value{Value: strings.Clone(module), Kind: "module"}
			if i == 0 {
				v.Weight = 200
			}
			c.add(v)
			return !c.late()
		})
	}
	return c.answer()
}

func isIdentifier(s string) bool {
	for i := 0; i < len(s); i++ {
		if b := s[i] | 0x20; (b < 'a' || b > 'z') && (s[i] < '0' || s[i] > '9' || i == 0) && s[i] != '_' || i == 0 && s[i] == '_' {
			return false
		}
	}
	return s != ""
}

// pythonPackages answers python:packages: the distributions that are installed,
// by their *.dist-info directories.
func pythonPackages(ctx context.Context, r Request) Answer {
	c := newCollector(ctx, r)
	for _, dir := range pythonDirs(r) {
		_ = readDir(dir, func(name []byte, typ entryType) bool {
			if text, ok := strings.CutSuffix(view(name), ".dist-info"); ok {
				if i := strings.LastIndexByte(text, '-'); i > 0 {
					c.add(Value{Value: strings.ReplaceAll(text[:i], "_", "-"), Description: strings.Clone(text[i+1:]), Kind: "package"})
				}
			}
			return !c.late()
		})
	}
	return c.answer()
}

// pyproject reads the nearest pyproject.toml upwards.
func pyproject(r Request) (map[string]any, error) {
	path, ok := findUp(r.Dir, "pyproject.toml")
	if !ok {
		return nil, nowhere("no pyproject.toml", r.Dir)
	}
	data, err := readRegular(path, maxManifest)
	if err != nil {
		return nil, err
	}
	return parseTOML(string(data))
}

// inTable goes down a TOML document.
func inTable(t map[string]any, path ...string) any {
	var v any = t
	for _, key := range path {
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = m[key]
	}
	return v
}

// pythonDependencies answers python:dependencies: what pyproject.toml asks for,
// in the project's table, its groups and poetry's own tables.
func pythonDependencies(ctx context.Context, r Request) Answer {
	doc, err := pyproject(r)
	if err != nil {
		return failed(err)
	}
	c := newCollector(ctx, r)
	pythonRequirements(c, inTable(doc, "project", "dependencies"), "")
	for _, at := range [][]string{{"dependency-groups"}, {"project", "optional-dependencies"}} {
		groups, _ := inTable(doc, at...).(map[string]any)
		for name, list := range groups {
			pythonRequirements(c, list, name)
		}
	}
	poetry := func(v any, text string) {
		t, _ := v.(map[string]any)
		for name := range t {
			if name != "python" {
				c.add(Value{Value: name, Description: text, Kind: "package"})
			}
		}
	}
	poetry(inTable(doc, "tool", "poetry", "dependencies"), "")
	poetry(inTable(doc, "tool", "poetry", "dev-dependencies"), "dev")
	groups, _ := inTable(doc, "tool", "poetry", "group").(map[string]any)
	for name, g := range groups {
		t, _ := g.(map[string]any)
		poetry(t["dependencies"], name)
	}
	return c.answer()
}

// pythonRequirements adds the names of requirements ("requests[x]>=2; …").
func pythonRequirements(c *collector, list any, text string) {
	items, _ := list.([]any)
	for _, it := range items {
		s, ok := it.(string)
		if !ok {
			continue
		}
		if i := strings.IndexAny(s, " [<>=!~;@("); i >= 0 {
			s = s[:i]
		}
		if s != "" {
			c.add(Value{Value: s, Description: oneLine(text, 60), Kind: "package"})
		}
	}
}

// pythonTables answers with the keys of tables of pyproject.toml.
func pythonTables(kind string, paths ...[]string) Func {
	return func(ctx context.Context, r Request) Answer {
		doc, err := pyproject(r)
		if err != nil {
			return failed(err)
		}
		c := newCollector(ctx, r)
		for _, path := range paths {
			t, _ := inTable(doc, path...).(map[string]any)
			for name, v := range t {
				text, _ := v.(string)
				if name != "" {
					c.add(Value{Value: name, Description: oneLine(text, 100), Kind: kind})
				}
			}
		}
		return c.answer()
	}
}

// pythonScripts answers python:scripts.
func pythonScripts(ctx context.Context, r Request) Answer {
	return pythonTables("script", []string{"project", "scripts"}, []string{"tool", "poetry", "scripts"}, []string{"project", "gui-scripts"})(ctx, r)
}

// pythonGroups answers python:groups, of dependencies.
func pythonGroups(ctx context.Context, r Request) Answer {
	return pythonTables("group", []string{"dependency-groups"}, []string{"tool", "poetry", "group"})(ctx, r)
}

// pythonExtras answers python:extras.
func pythonExtras(ctx context.Context, r Request) Answer {
	return pythonTables("extra", []string{"project", "optional-dependencies"}, []string{"tool", "poetry", "extras"})(ctx, r)
}
