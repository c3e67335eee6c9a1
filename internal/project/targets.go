package project

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/yaml"
)

// turboTasks are the tasks that turbo.json names for the packages of the workspace.
// What a package does for one is its script of that name.
func (u *unit) turboTasks() {
	name := u.first("turbo.json", "turbo.jsonc")
	if name == "" || u.dir != u.root {
		return
	}
	data, _ := u.open(u.at(name))
	for _, task := range turboNames(u.jsonOf(name)) {
		u.put(Task{
			Name: task, Runner: "turbo", Argv: []string{"npx", "turbo", "run", task}, File: u.at(name), Line: lineOf(data, `"`+task+`"`), Body: "turbo run " + task,
		})
	}
}

// turboNames are the tasks of a turbo.json, without those of one package.
func turboNames(doc *yaml.Node) []string {
	list := doc.At("tasks")
	if list == nil {
		list = doc.At("pipeline")
	}
	var out []string
	for _, name := range list.Names() {
		if name = strings.TrimPrefix(name, "//#"); !strings.Contains(name, "#") {
			out = append(out, name)
		}
	}
	return out
}

// moonFile is where moon lists the projects of a workspace.
const moonFile = ".moon/workspace.yml"

// moonProjects are the directories of a workspace of moon, from its root, by the
// names that moon knows them by.
func (l *look) moonProjects() map[string]string {
	out := map[string]string{}
	doc := l.yaml(filepath.Join(l.root, moonFile)).At("projects")
	take := func(n *yaml.Node) {
		for i, name := range n.Names() {
			if dir := cleanPattern(n.Values[i].Str()); filepath.IsLocal(dir) && !strings.ContainsFunc(name, isOdd) && name[0] != '-' {
				out[name] = dir
			}
		}
	}
	globs := yamlTexts(doc)
	if sources := doc.At("sources"); sources != nil {
		take(sources)
		globs = append(globs, yamlTexts(doc.At("globs"))...)
	} else if len(globs) == 0 {
		take(doc)
	}
	for _, g := range globs {
		parent, last := filepath.Split(cleanPattern(g))
		if strings.ContainsAny(parent, "*?[") || !filepath.IsLocal(filepath.Join(".", parent)) {
			continue
		}
		for _, e := range l.list(filepath.Join(l.root, parent)) {
			if ok, _ := filepath.Match(last, e.Name); ok && e.Dir && !skipped(e.Name) && !strings.ContainsFunc(e.Name, isOdd) {
				out[e.Name] = filepath.Join(parent, e.Name)
			}
		}
	}
	return out
}

// moonTasks are the tasks that moon knows of the directory: those of its moon.yml
// and those that the workspace gives to projects of its kind; at the root the
// latter, for all projects that have them.
func (u *unit) moonTasks() {
	if !u.isFile(filepath.Join(u.root, moonFile)) {
		return
	}
	rel := u.rel(u.dir)
	for name, dir := range u.moonProjects() {
		if dir != rel {
			continue
		}
		own := u.yamlOf("moon.yml")
		u.moonTable(u.at("moon.yml"), name, nil)
		exclude := yamlTexts(own.At("workspace").At("inheritedTasks").At("exclude"))
		for _, f := range u.moonInherited() {
			if u.moonApplies(strings.TrimSuffix(filepath.Base(f), ".yml"), own) {
				u.moonTable(f, name, exclude)
			}
		}
		return
	}
	if u.dir == u.root {
		for _, f := range u.moonInherited() {
			u.moonTable(f, "", nil)
		}
	}
}

// moonInherited are the files of tasks that projects inherit.
func (u *unit) moonInherited() []string {
	out := []string{}
	if at := filepath.Join(u.root, ".moon/tasks.yml"); u.isFile(at) {
		out = append(out, at)
	}
	for _, dir := range [...]string{".moon/tasks", ".moon/tasks/all"} {
		for _, e := range u.list(filepath.Join(u.root, dir)) {
			if !e.Dir && strings.HasSuffix(e.Name, ".yml") {
				out = append(out, filepath.Join(u.root, dir, e.Name))
			}
		}
	}
	return out
}

// moonApplies reports whether a file of tasks is for the project: by its language,
// its platform, those with its type behind them, or a tag.
func (u *unit) moonApplies(file string, own *yaml.Node) bool {
	kind := orElse(own.At("layer").Str(), own.At("type").Str())
	if file == "tasks" || file == "all" || file == kind && kind != "" {
		return true
	}
	if tag, ok := strings.CutPrefix(file, "tag-"); ok {
		return slices.Contains(yamlTexts(own.At("tags")), tag)
	}
	langs := []string{own.At("language").Str(), own.At("platform").Str()}
	if u.has("package.json") {
		langs = append(langs, "node", "javascript")
		if u.has("tsconfig.json") {
			langs = append(langs, "typescript")
		}
	}
	for name, lang := range map[string]string{"Cargo.toml": "rust", "go.mod": "go", "pyproject.toml": "python", "deno.json": "deno", "composer.json": "php", "Gemfile": "ruby"} {
		if u.has(name) {
			langs = append(langs, lang)
		}
	}
	base, of, typed := strings.Cut(file, "-")
	return slices.Contains(langs, base) && base != "" && (!typed || of == kind)
}

// moonTable takes the tasks of one file for a project, "" for all of them.
func (u *unit) moonTable(path, project string, exclude []string) {
	doc := u.yaml(path).At("tasks")
	data, _ := u.open(path)
	for i, name := range doc.Names() {
		n := doc.Values[i]
		local := n.At("local").Str() == "true" || n.At("preset").Str() == "server" || n.At("options").At("persistent").Str() == "true"
		if slices.Contains(exclude, name) || project == "" && local {
			continue
		}
		words := append(yamlTexts(n.At("command")), yamlTexts(n.At("args"))...)
		if len(words) == 0 {
			words = []string{orElse(n.At("command").Str(), n.At("script").Str()), n.At("args").Str()}
		}
		u.put(Task{
			Name: name, Runner: "moon", Argv: []string{"moon", "run", project + ":" + name}, Description: n.At("description").Str(),
			File: path, Line: yamlLine(data, name), Body: strings.TrimSpace(strings.Join(words, " ")),
		})
	}
}

// literalTarget is a command of a runner of many packages as it was said: "nx serve
// cart", "turbo run lint", "moon run web:build", where what it names is there.
func (p *Project) literalTarget(runner string, words []string) *Play {
	u := p.root
	if len(words) > 1 && words[0] == "run" {
		words = words[1:]
	}
	play := func(file string, argv ...string) *Play {
		return &Play{Runner: runner, Name: words[0], Argv: argv, Dir: ".", Manager: runner, Evidence: []Evidence{u.why(file, `"`+words[0]+`"`, words[0])}, Task: true}
	}
	switch runner {
	case "turbo":
		if name := u.first("turbo.json", "turbo.jsonc"); name != "" && len(words) == 1 && slices.Contains(turboNames(u.jsonOf(name)), words[0]) {
			pl := play(name, "npx", "turbo", "run", words[0])
			pl.Body = "turbo run " + words[0]
			return pl
		}
	case "moon":
		project, task, ok := strings.Cut(words[0], ":")
		dir, known := u.look.moonProjects()[project]
		if !ok || !known || len(words) > 1 {
			return nil
		}
		at := p.unit(filepath.Join(p.Root, dir))
		at.all()
		if t := at.task("moon", task); t != nil {
			return at.playTask(t)
		}
	case "nx":
		target, project := words[0], ""
		if of, name, ok := strings.Cut(target, ":"); ok {
			project, target = of, name
		} else if len(words) == 2 {
			project = words[1]
		}
		if !u.has("nx.json") || len(words) > 2 || !p.nxTarget(target, project) {
			return nil
		}
		if project == "" {
			return play("nx.json", "npx", "nx", target)
		}
		return play("nx.json", "npx", "nx", "run", project+":"+target)
	}
	return nil
}

// nxTarget reports whether nx has a target, of a project where one is named: one
// that a project.json, the defaults or a plugin of nx.json, or a script names.
func (p *Project) nxTarget(target, project string) bool {
	found := false
	for _, m := range p.Members() {
		doc := p.json(filepath.Join(m.dir, "project.json"))
		names := []string{orElse(doc.At("name").Str(), filepath.Base(m.Dir)), m.Name}
		if project != "" && !slices.Contains(names, project) {
			continue
		}
		found = found || project != "" && p.nxDefault(target)
		found = found || doc.At("targets").At(target) != nil || p.json(filepath.Join(m.dir, "package.json")).At("scripts").At(target) != nil
		if found {
			return true
		}
	}
	return project == "" && p.root.jsonOf("nx.json").At("defaultProject") != nil && p.nxDefault(target)
}

// nxDefault reports whether nx.json speaks of a target for all projects.
func (p *Project) nxDefault(target string) bool {
	doc := p.root.jsonOf("nx.json")
	if doc.At("targetDefaults").At(target) != nil {
		return true
	}
	for _, plugin := range doc.At("plugins").List() {
		options := plugin.At("options")
		for i, key := range options.Names() {
			v := options.Values[i]
			if strings.HasSuffix(strings.ToLower(key), "targetname") && v.Str() == target || v.At("targetName").Str() == target {
				return true
			}
		}
	}
	return false
}
