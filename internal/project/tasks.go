package project

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/yaml"
	"github.com/tool-mapping-protocol/tmp/resolvers/tasks"
)

// all are the tasks of the unit's runners, each runner's in the order of its file.

func (u *unit) all() []Task {
	if u.made {
		return u.tasks
	}
	u.load()
	u.made, u.runs = true, map[string]bool{}
	u.makeTasks()
	u.justTasks()
	u.taskfileTasks()
	u.miseTasks()
	u.mageTasks()
	u.composerTasks()
	u.pythonTasks()
	u.denoTasks()
	u.cargoTasks()
	u.rubyTasks()
	u.mixTasks()
	u.scriptTasks()
	u.scriptFiles()
	u.zigTasks()
	u.thorTasks()
	u.turboTasks()
	u.moonTasks()
	u.otherTasks()
	return u.tasks
}

// put adds a task. A name that no shell and no screen should see is left out, and

// said once.

func (u *unit) put(t Task) {
	if t.Name == "" || len(t.Name) > maxName || t.Name[0] == '-' || strings.ContainsFunc(t.Name, isOdd) {
		if t.Name != "" {
			u.skip(t.File, "holds a task whose name is none that is typed")
		}
		return
	}
	if len(u.tasks) >= maxTasks {
		u.skip(t.File, "holds more tasks than are read")
		return
	}
	key := t.Runner + " " + t.Name
	if u.named[key] { // of two with one name the first
		return
	}
	if u.named == nil {
		u.named = map[string]bool{}
	}
	u.named[key] = true
	t.parts = nameParts(t.Name)
	if t.Runner == "hatch" { // the script "test" of the environment "test"
		t.parts = slices.Compact(t.parts)
	}
	t.canon = strings.Join(t.parts, "-")
	t.Dir, t.File = u.rdir(), u.rel(t.File)
	t.Description = plain(t.Description)
	u.runs[t.Runner] = true
	u.tasks = append(u.tasks, t)
}

// isOdd reports signs that a name of a task does not have.

func isOdd(r rune) bool {
	return r < ' ' || r == 0x7f || r == ' ' || r == 0xfffd || strings.ContainsRune("$`\"'\\;&|<>(){}!#", r) || r >= 0x80 && r < 0xa0 || r >= 0x200b && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0xfeff
}

// plain is a text for one line of a screen.

func plain(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 || r >= 0x200b && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "?"))
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > 160 {
		s = string(r[:160]) + "…"
	}
	return s
}

func params(list []tasks.Param) []Param {
	var out []Param
	for _, p := range list {
		if !strings.ContainsFunc(p.Name, isOdd) {
			out = append(out, Param{p.Name, p.Default, p.Required, p.Many, p.Values, p.Named})
		}
	}
	return out
}

// makeTasks are the targets of the makefile that make would read.

// forwards are the prefixes of rules that make any target by another one: "common-"

// of "%: common-%".

// makePatterns notes the pattern rules of a makefile that make no file, and the

// words that its variables list.

// optional are the parameters of a target: make takes a variable that nobody sets

// for an empty one.

func orElse(s, or string) string {
	if s == "" {
		return or
	}
	return s
}

func (u *unit) justTasks() {
	for _, e := range u.list(u.dir) {
		if e.Dir || !strings.EqualFold(e.Name, "justfile") && !strings.EqualFold(e.Name, ".justfile") {
			continue
		}
		list, _ := tasks.ParseJust(u.look, u.at(e.Name))
		for i, t := range list {
			u.put(Task{
				Name: t.Name, Runner: "just", Argv: []string{"just", t.Name}, Params: params(t.Params), Description: t.Description,
				File: t.File, Line: t.Line, Body: t.Shell, Needs: t.Calls, First: i == 0,
			})
		}
		return
	}
}

// taskfileTasks are the tasks of a Taskfile and of those that it includes.

func (u *unit) taskfileTasks() {
	name := u.first("Taskfile.yml", "taskfile.yml", "Taskfile.yaml", "taskfile.yaml", "Taskfile.dist.yml", "Taskfile.dist.yaml")
	if name != "" {
		u.taskfile(u.at(name), "", false, 0)
	}
}

func (u *unit) taskfile(path, prefix string, internal bool, depth int) {
	doc := u.yaml(path)
	if doc == nil || depth > 8 {
		return
	}
	data, _ := u.open(path)
	list := doc.At("tasks")
	for i, name := range list.Names() {
		n := list.Values[i]
		body, needs := taskfileBody(n, prefix)
		full := prefix + name
		if prefix != "" && name == "default" {
			full = strings.TrimSuffix(prefix, ":")
		}
		t := Task{
			Name: full, Runner: "task", Argv: []string{"task", full}, Description: n.At("desc").Str(), File: path, Line: yamlLine(data, name),
			Body: body, Needs: needs, Private: internal || n.At("internal").Str() == "true", First: full == "default",
		}
		for _, v := range n.At("requires").At("vars").List() {
			p := Param{Name: orElse(v.At("name").Str(), v.Str()), Required: true, Named: true, Values: yamlTexts(v.At("enum"))}
			if p.Name != "" && !strings.ContainsFunc(p.Name, isOdd) {
				t.Params = append(t.Params, p)
			}
		}
		u.put(t)
		for _, a := range n.At("aliases").List() {
			t.Name = prefix + a.Str()
			t.Argv, t.Private = []string{"task", t.Name}, true
			u.put(t)
		}
	}
	in := doc.At("includes")
	for i, name := range in.Names() {
		n := in.Values[i]
		file := orElse(n.At("taskfile").Str(), n.Str())
		if file == "" || strings.Contains(file, "://") || strings.Contains(file, "{{") || !filepath.IsLocal(filepath.Join(".", file)) && !strings.HasPrefix(file, "../") {
			continue
		}
		at := filepath.Join(filepath.Dir(path), file)
		if u.isDir(at) {
			sub := &unit{look: u.look, dir: at}
			at = sub.at(orElse(sub.first("Taskfile.yml", "taskfile.yml", "Taskfile.yaml", "taskfile.yaml"), "Taskfile.yml"))
		}
		if !within(u.root, at) {
			continue
		}
		to := prefix + name + ":"
		if n.At("flatten").Str() == "true" {
			to = prefix
		}
		u.taskfile(at, to, internal || n.At("internal").Str() == "true", depth+1)
	}
}

// taskfileBody is what a task of a Taskfile runs.

func taskfileBody(n *yaml.Node, prefix string) (body string, needs []string) {
	need := func(name string) {
		if rest, ok := strings.CutPrefix(name, ":"); ok {
			needs = append(needs, rest)
		} else if name != "" {
			needs = append(needs, prefix+name)
		}
	}
	for _, d := range n.At("deps").List() {
		need(orElse(d.At("task").Str(), d.Str()))
	}
	cmds := n.At("cmds").List()
	if n.At("cmd") != nil {
		cmds = append(cmds, n.At("cmd"))
	}
	if n != nil && n.Kind != yaml.Map {
		cmds = n.List()
	}
	var b strings.Builder
	for _, c := range cmds {
		need(c.At("task").Str())
		if text := orElse(c.Str(), c.At("cmd").Str()); text != "" {
			b.WriteString(text + "\n")
		}
	}
	return b.String(), needs
}

// yamlLine is the line where a key begins, 0 if it is not found.

func yamlLine(data []byte, key string) int {
	n := 0
	for line := range strings.Lines(string(data)) {
		n++
		word := strings.Trim(strings.TrimSpace(line), `"'`)
		if strings.HasPrefix(word, key) {
			if rest := strings.TrimLeft(word[len(key):], `"' `); strings.HasPrefix(rest, ":") {
				return n
			}
		}
	}
	return 0
}

// scriptTasks are the scripts of package.json.

func (u *unit) scriptTasks() {
	if u.pkg == nil {
		return
	}
	names := map[string]bool{}
	for _, s := range u.pkg.scripts {
		names[s.name] = true
	}
	e := u.eco("javascript")
	for _, s := range u.pkg.scripts {
		t := Task{Name: s.name, Runner: "npm", Argv: scriptArgv(orElse(e.Manager, "npm"), s.name), File: u.at("package.json"), Line: s.line, Body: s.text}
		for _, around := range [...]string{"pre", "post"} {
			if names[around+s.name] {
				t.Needs = append(t.Needs, around+s.name)
			}
			if of, ok := strings.CutPrefix(s.name, around); ok && names[of] {
				t.Private = true // runs with the other
			}
		}
		if slices.Contains(lifecycle, s.name) {
			t.Private = true
		}
		u.put(t)
	}
}

// lifecycle are scripts that a manager runs by itself.

var lifecycle = []string{
	"preinstall", "postinstall", "prepare", "prepublish", "prepublishOnly", "prepack", "postpack", "preversion", "postversion", "dependencies",
}

// scriptArgv are the words that run a script.

func scriptArgv(manager, name string) []string {
	switch {
	case manager == "npm" && (name == "test" || name == "start"), manager == "pnpm" && name == "test":
		return []string{manager, name}
	}
	return []string{manager, "run", name}
}

// composerTasks are the scripts of composer.json, but for those of composer's own

// events.

func (u *unit) composerTasks() {
	doc := u.jsonOf("composer.json")
	if doc == nil {
		return
	}
	data, _ := u.open(u.at("composer.json"))
	lines := jsonLines(data, "scripts")
	about := doc.At("scripts-descriptions")
	list := doc.At("scripts")
	for i, name := range list.Names() {
		if strings.HasPrefix(name, "pre-") || strings.HasPrefix(name, "post-") {
			continue
		}
		t := Task{Name: name, Runner: "composer", Argv: []string{"composer", "run", name}, Description: about.At(name).Str(), File: u.at("composer.json"), Line: lines[name]}
		var b strings.Builder
		for _, item := range list.Values[i].List() {
			if rest, ok := strings.CutPrefix(item.Str(), "@"); ok && !strings.HasPrefix(rest, "php ") && !strings.HasPrefix(rest, "composer ") && !strings.HasPrefix(rest, "putenv ") {
				first, _, _ := strings.Cut(rest, " ")
				t.Needs = append(t.Needs, first)
				continue
			}
			b.WriteString(strings.TrimPrefix(item.Str(), "@") + "\n")
		}
		t.Body = b.String()
		u.put(t)
	}
}

// denoTasks are the tasks of deno.json.

func (u *unit) denoTasks() {
	name := u.first("deno.json", "deno.jsonc")
	if name == "" {
		return
	}
	doc := u.jsonOf(name)
	data, _ := u.open(u.at(name))
	lines := jsonLines(data, "tasks")
	list := doc.At("tasks")
	for i, task := range list.Names() {
		n := list.Values[i]
		u.put(Task{
			Name: task, Runner: "deno", Argv: []string{"deno", "task", task}, Description: n.At("description").Str(), File: u.at(name), Line: lines[task],
			Body: orElse(n.Str(), n.At("command").Str()), Needs: yamlTexts(n.At("dependencies")),
		})
	}
}

// miseTasks are the tasks of mise's configuration and of its directories of tasks.

func (u *unit) miseTasks() {
	for _, name := range [...]string{"mise.toml", ".mise.toml", "mise/config.toml", ".mise/config.toml", ".config/mise.toml", ".config/mise/config.toml"} {
		if !u.has(name) {
			continue
		}
		doc := u.tomlOf(name)
		data, _ := u.open(u.at(name))
		u.miseTable(table(doc, "tasks"), u.at(name), data, "[tasks.")
		for _, in := range texts(table(doc, "task_config")["includes"]) {
			if path := u.at(in); filepath.IsLocal(in) && strings.HasSuffix(in, ".toml") {
				text, _ := u.open(path)
				u.miseTable(u.toml(path), path, text, "[")
			} else if filepath.IsLocal(in) {
				u.miseFiles(in, "", 0)
			}
		}
	}
	for _, dir := range [...]string{"mise-tasks", ".mise-tasks", "mise/tasks", ".mise/tasks", ".config/mise/tasks"} {
		u.miseFiles(dir, "", 0)
	}
}

func (u *unit) miseTable(list map[string]any, path string, data []byte, open string) {
	for _, name := range keys(list) {
		t := Task{Name: name, Runner: "mise", Argv: []string{"mise", "run", name}, File: path}
		for _, mark := range [...]string{open + name + "]", open + `"` + name + `"]`, name + " ="} {
			if t.Line == 0 {
				t.Line = lineOf(data, mark)
			}
		}
		take := func(v any) {
			for _, line := range texts(v) {
				t.Body += line + "\n"
			}
		}
		take(list[name])
		if of, ok := list[name].(map[string]any); ok {
			take(of["run"])
			t.Description = str(of["description"])
			for _, key := range [...]string{"depends", "depends_post"} {
				for _, need := range texts(of[key]) {
					need, _, _ = strings.Cut(need, " ")
					t.Needs = append(t.Needs, need)
				}
			}
			if hide, _ := of["hide"].(bool); hide {
				t.Private = true
			}
		}
		u.put(t)
	}
}

// miseFiles are programs in a directory of tasks, named by their paths.

func (u *unit) miseFiles(dir, prefix string, depth int) {
	for _, e := range u.listOf(dir) {
		path := u.at(dir + "/" + e.Name)
		switch {
		case e.Name[0] == '.' || depth > 4:
		case e.Dir:
			u.miseFiles(dir+"/"+e.Name, prefix+e.Name+":", depth+1)
		default:
			base, _, _ := strings.Cut(e.Name, ".")
			if base == "_default" {
				base = ""
			}
			name := strings.TrimSuffix(prefix+base, ":")
			u.put(Task{Name: name, Runner: "mise", Argv: []string{"mise", "run", name}, File: path, Line: 1, Body: u.str(path)})
		}
	}
}

// mageTasks are the exported functions of a magefile.

func (u *unit) mageTasks() {
	names := []string{"magefile.go"}
	for _, e := range u.listOf("magefiles") {
		names = append(names, "magefiles/"+e.Name)
	}
	for _, name := range names {
		text := u.textOf(name)
		if !strings.HasSuffix(name, ".go") || !strings.Contains(text, "go:build mage") && !strings.HasPrefix(name, "magefiles/") {
			continue
		}
		n := 0
		for line := range strings.Lines(text) {
			n++
			rest, ok := strings.CutPrefix(line, "func ")
			if !ok || rest == "" {
				continue
			}
			space := ""
			if in, after, ok := strings.Cut(rest, ") "); ok && rest[0] == '(' {
				space, rest = strings.ToLower(strings.Trim(strings.TrimSpace(in[1:]), "*"))+":", after
				if i := strings.LastIndexByte(space, ' '); i >= 0 {
					space = space[i+1:]
				}
			}
			fn, args, ok := strings.Cut(rest, "(")
			if !ok || fn == "" || fn[0] < 'A' || fn[0] > 'Z' || args != "" && !strings.HasPrefix(args, ")") && !strings.HasPrefix(args, "ctx") && !strings.HasPrefix(args, "_ context") {
				continue
			}
			target := space + strings.ToLower(fn[:1]) + fn[1:]
			u.put(Task{Name: target, Runner: "mage", Argv: []string{"mage", target}, File: u.at(name), Line: n})
		}
	}
}
