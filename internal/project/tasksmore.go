package project

import (
	"path/filepath"
	"slices"
	"strings"
)

// pythonTasks are the scripts that managers and runners of Python keep.
func (u *unit) pythonTasks() {
	u.load()
	e := u.eco("python")
	if e == nil {
		return
	}
	var prefix []string
	if u.facts["py-prefix"] {
		prefix = e.fill["prefix"]
	}
	data, _ := u.open(u.at("pyproject.toml"))
	poe := table(u.py, "tool", "poe", "tasks")
	path := u.at("pyproject.toml")
	if doc := u.tomlOf("poe_tasks.toml"); doc != nil && poe == nil {
		poe, path = table(doc, "tasks"), u.at("poe_tasks.toml")
		data, _ = u.open(path)
	}
	u.pyTable("poe", append(slices.Clone(prefix), "poe"), poe, path, data, "")
	u.pyTable("pdm", []string{"pdm", "run"}, table(u.py, "tool", "pdm", "scripts"), u.at("pyproject.toml"), data, "")
	u.pyTable("rye", []string{"rye", "run"}, table(u.py, "tool", "rye", "scripts"), u.at("pyproject.toml"), data, "")
	u.pyTable("taskipy", append(slices.Clone(prefix), "task"), table(u.py, "tool", "taskipy", "tasks"), u.at("pyproject.toml"), data, "")
	u.pyTable("pixi", []string{"pixi", "run"}, table(u.tomlOf("pixi.toml"), "tasks"), u.at("pixi.toml"), data, "")
	u.pyTable("pixi", []string{"pixi", "run"}, table(u.py, "tool", "pixi", "tasks"), u.at("pyproject.toml"), data, "")
	if pip, ok := u.open(u.at("Pipfile")); ok {
		u.pyTable("pipenv", []string{"pipenv", "run"}, table(u.tomlOf("Pipfile"), "scripts"), u.at("Pipfile"), pip, "")
	}
	u.hatchTasks(table(u.py, "tool", "hatch", "envs"), u.at("pyproject.toml"), data)
	if doc := u.tomlOf("hatch.toml"); doc != nil {
		text, _ := u.open(u.at("hatch.toml"))
		u.hatchTasks(table(doc, "envs"), u.at("hatch.toml"), text)
	}
	u.toxTasks(prefix)
}

func (u *unit) hatchTasks(envs map[string]any, path string, data []byte) {
	for _, env := range keys(envs) {
		t, _ := envs[env].(map[string]any)
		prefix := env + ":"
		if env == "default" {
			prefix = ""
		}
		scripts, _ := t["scripts"].(map[string]any)
		u.pyTable("hatch", []string{"hatch", "run"}, scripts, path, data, prefix)
	}
}

// pyTable takes a table of scripts: lines, lists of lines or words, or tables with
// "cmd", "shell", "sequence" and their like.
func (u *unit) pyTable(runner string, lead []string, list map[string]any, path string, data []byte, prefix string) {
	for _, name := range keys(list) {
		t := Task{Name: prefix + name, Runner: runner, File: path, Argv: append(slices.Clone(lead), prefix+name)}
		for _, mark := range [...]string{"\n" + name + " =", "\n" + name + "=", "." + name + "]", `"` + name + `"`} {
			if t.Line = lineOf(data, mark); t.Line > 0 {
				if mark[0] == '\n' {
					t.Line++
				}
				break
			}
		}
		pyBody(&t, list[name], list, false, prefix, 0)
		if strings.HasPrefix(name, "_") {
			t.Private = true
		}
		u.put(t)
	}
}

// pyBody takes what a script runs; of a text in a list ref says that it names a task.
func pyBody(t *Task, v any, all map[string]any, ref bool, prefix string, depth int) {
	if depth > 6 {
		return
	}
	switch v := v.(type) {
	case string:
		first, _, _ := strings.Cut(strings.TrimSpace(v), " ")
		if _, ok := all[first]; ok && prefix+first != t.Name {
			t.Needs = append(t.Needs, prefix+first)
			return
		}
		if !ref {
			t.Body += v + "\n"
		}
	case []any:
		for _, item := range v {
			pyBody(t, item, all, false, prefix, depth+1)
		}
	case map[string]any:
		for _, key := range [...]string{"cmd", "shell", "script", "expr", "chain", "composite", "sequence", "parallel", "deps", "depends-on", "depends_on", "ref"} {
			if list, ok := v[key].([]any); ok && key == "cmd" {
				t.Body += strings.Join(texts(list), " ") + "\n"
			} else {
				pyBody(t, v[key], all, false, prefix, depth+1)
			}
		}
		t.Description = orElse(str(v["help"]), str(v["description"]))
		args, _ := v["args"].([]any)
		for _, a := range args {
			if m, ok := a.(map[string]any); ok && m["positional"] == true && !strings.ContainsFunc(str(m["name"]), isOdd) && str(m["name"]) != "" {
				req, _ := m["required"].(bool)
				t.Params = append(t.Params, Param{Name: str(m["name"]), Default: str(m["default"]), Required: req})
			}
		}
	}
}

// toxTasks are the environments that tox.ini names.
func (u *unit) toxTasks(prefix []string) {
	lead := []string{"tox"}
	if prefix != nil && u.deps["tox"] {
		lead = append(slices.Clone(prefix), "tox")
	}
	for _, env := range keys(table(u.py, "tool", "tox", "env")) {
		t := table(u.py, "tool", "tox", "env", env)
		var body strings.Builder
		list, _ := t["commands"].([]any)
		for _, c := range list {
			body.WriteString(strings.Join(texts(c), " ") + "\n")
		}
		data, _ := u.open(u.at("pyproject.toml"))
		u.put(Task{Name: env, Runner: "tox", Argv: append(slices.Clone(lead), "-e", env), File: u.at("pyproject.toml"), Line: lineOf(data, "tox.env."+env+"]"), Body: body.String(), Description: str(t["description"])})
	}
	name := u.first("tox.ini", "setup.cfg")
	if name == "" || !u.facts["tox"] {
		return
	}
	text := u.textOf(name)
	n, env, at := 0, "", 0
	body := ""
	flush := func() {
		if env != "" {
			u.put(Task{Name: env, Runner: "tox", Argv: append(slices.Clone(lead), "-e", env), File: u.at(name), Line: at, Body: body})
		}
		env, body = "", ""
	}
	commands := false
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimRight(line, "\r\n")
		if head, ok := strings.CutPrefix(line, "["); ok {
			flush()
			commands = false
			if rest, ok := strings.CutPrefix(head, "testenv:"); ok {
				env, at = strings.TrimSuffix(strings.TrimSpace(rest), "]"), n
				if strings.ContainsAny(env, "{},") {
					env = ""
				}
			}
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		if line != "" && line[0] != ' ' && line[0] != '\t' {
			if commands = ok && strings.TrimSpace(key) == "commands"; commands {
				body += strings.TrimSpace(value) + "\n"
			}
		} else if commands {
			body += strings.TrimSpace(line) + "\n"
		}
	}
	flush()
}

// cargoTasks are the aliases of .cargo/config.toml.
func (u *unit) cargoTasks() {
	name := u.first(".cargo/config.toml", ".cargo/config")
	if name == "" || u.cargo == nil {
		return
	}
	data, _ := u.open(u.at(name))
	list := table(u.tomlOf(name), "alias")
	for _, alias := range keys(list) {
		u.put(Task{
			Name: alias, Runner: "cargo", Argv: []string{"cargo", alias}, File: u.at(name), Line: lineOf(data, "\n"+alias) + 1,
			Body: "cargo " + strings.Join(texts(list[alias]), " "),
		})
	}
}

// rubyTasks are the tasks of a Rakefile as it writes them down.
func (u *unit) rubyTasks() {
	name := u.first("Rakefile", "rakefile", "Rakefile.rb")
	if name == "" {
		return
	}
	lead := []string{"rake"}
	if u.has("Gemfile") {
		lead = []string{"bundle", "exec", "rake"}
	}
	files := []string{name}
	for _, dir := range [...]string{"lib/tasks", "tasks", "rakelib"} {
		for _, e := range u.listOf(dir) {
			if strings.HasSuffix(e.Name, ".rake") {
				files = append(files, dir+"/"+e.Name)
			}
		}
	}
	for _, f := range files {
		u.rakefile(f, lead)
	}
}

func (u *unit) rakefile(name string, lead []string) {
	text := u.textOf(name)
	n, desc := 0, ""
	type open struct {
		name   string
		indent int
	}
	var spaces []open
	for line := range strings.Lines(text) {
		n++
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		indent := len(line) - len(strings.TrimLeft(line, " \t"))
		if word == "end" && len(spaces) > 0 && spaces[len(spaces)-1].indent == indent {
			spaces = spaces[:len(spaces)-1]
			continue
		}
		full := ""
		for _, s := range spaces {
			full += s.name + ":"
		}
		switch {
		case word == "desc":
			if q := quotedTexts(rest); len(q) > 0 {
				desc = q[0]
			}
		case word == "namespace":
			spaces = append(spaces, open{rubyName(rest), indent})
		case word == "task" || strings.HasSuffix(word, "TestTask.new") || strings.HasSuffix(word, "TestTask.new(:test)") || strings.Contains(word, "RakeTask.new") || strings.HasPrefix(word, "Minitest::TestTask.create"):
			task := rubyName(rest)
			if i := strings.IndexByte(word, '('); i >= 0 {
				task = rubyName(word[i+1:])
			}
			if task == "" || !strings.Contains(word, "(") && (strings.HasPrefix(rest, "do") || strings.HasPrefix(rest, "#")) {
				switch {
				case strings.Contains(word, "TestTask"):
					task = "test"
				case strings.Contains(word, "RSpec"):
					task = "spec"
				case strings.Contains(word, "RuboCop"):
					task = "rubocop"
				}
			}
			if task != "" {
				u.put(Task{Name: full + task, Runner: "rake", Argv: append(slices.Clone(lead), full+task), Description: desc, File: u.at(name), Line: n, Needs: rubyNeeds(rest)})
			}
			desc = ""
		}
	}
}

// rubyName is the symbol, key or text that a line begins with.
func rubyName(s string) string {
	s = strings.TrimLeft(s, " (")
	if q, ok := strings.CutPrefix(s, ":"); ok {
		s = strings.Trim(q, `"`)
	} else if q := quotedTexts(s); len(q) > 0 && (s[0] == '"' || s[0] == '\'') {
		return q[0]
	}
	end := strings.IndexFunc(s, func(r rune) bool { return !isNameRune(r) || r == '.' })
	if end < 0 {
		return s
	}
	return s[:end]
}

// rubyNeeds are the tasks named behind "=>" or "x:".
func rubyNeeds(s string) []string {
	_, after, ok := strings.Cut(s, "=>")
	if !ok {
		if _, after, ok = strings.Cut(s, ": "); !ok {
			return nil
		}
	}
	var out []string
	for _, w := range strings.FieldsFunc(after, func(r rune) bool { return strings.ContainsRune(" ,[]%wi()", r) }) {
		if w = strings.Trim(w, `:"'`); w != "" && w != "do" && w != "environment" {
			out = append(out, w)
		}
	}
	return out
}

// mixTasks are the aliases of mix.exs.
func (u *unit) mixTasks() {
	if !u.has("mix.exs") {
		return
	}
	n, in := 0, false
	for line := range strings.Lines(u.textOf("mix.exs")) {
		n++
		line = strings.TrimSpace(line)
		switch {
		case strings.Contains(line, "defp aliases") || strings.Contains(line, "def aliases"):
			in = true
			// The short form: defp aliases, do: [setup: ["deps.get"]]
			if _, list, ok := strings.Cut(line, "do: ["); ok {
				in = false
				u.mixShort(list, n)
			}
		case in && line == "end":
			in = false
		case in:
			name, rest, ok := strings.Cut(line, ": [")
			if !ok {
				name, rest, ok = strings.Cut(line, ": ")
			}
			if name = strings.Trim(name, `"[`); ok && name != "" {
				u.put(Task{Name: name, Runner: "mix", Argv: []string{"mix", name}, File: u.at("mix.exs"), Line: n, Body: strings.Join(quotedTexts(rest), "\n")})
			}
		}
	}
}

// mixShort reads the aliases of a list that stands on one line.
func (u *unit) mixShort(list string, line int) {
	for {
		name, rest, ok := strings.Cut(list, ": [")
		if !ok {
			return
		}
		body, after, ok := strings.Cut(rest, "]")
		if !ok {
			return
		}
		if name = strings.Trim(name, `", `); name != "" {
			u.put(Task{Name: name, Runner: "mix", Argv: []string{"mix", name}, File: u.at("mix.exs"), Line: line, Body: strings.Join(quotedTexts(body), "\n")})
		}
		list = after
	}
}

// otherTasks are what is named by further files: a Procfile, services of compose,
// tasks of an editor, targets of nx and turbo, presets of cmake.
func (u *unit) otherTasks() {
	n := 0
	for line := range strings.Lines(u.textOf("Procfile")) {
		n++
		name, body, ok := strings.Cut(line, ":")
		if ok && name != "" && name[0] != '#' {
			u.put(Task{Name: strings.TrimSpace(name), Runner: "procfile", Argv: procWords(strings.TrimSpace(body)), File: u.at("Procfile"), Line: n, Body: strings.TrimSpace(body), Private: true})
		}
	}
	if doc := u.jsonOf(".vscode/tasks.json"); doc != nil {
		data, _ := u.open(u.at(".vscode/tasks.json"))
		for _, t := range doc.At("tasks").List() {
			command := t.At("command").Str()
			words := strings.Fields(command)
			for _, a := range t.At("args").List() {
				words = append(words, a.Str())
			}
			if len(words) == 0 || strings.ContainsAny(strings.Join(words, ""), "$`;&|<>\"'\\{}()*?~\n") {
				continue
			}
			label := strings.ReplaceAll(orElse(t.At("label").Str(), t.At("taskName").Str()), " ", "-")
			u.put(Task{Name: label, Runner: "vscode", Argv: words, File: u.at(".vscode/tasks.json"), Line: lineOf(data, `"label"`), Body: strings.Join(words, " "), Private: true})
		}
	}
	u.presets()
	u.nxTasks()
}

// scriptFiles are the programs of the directories script and scripts, which many
// projects name by what they do: script/test, scripts/lint.sh.
func (u *unit) scriptFiles() {
	for _, dir := range [...]string{"script", "scripts"} {
		for _, e := range u.listOf(dir) {
			name, ext, dotted := strings.Cut(e.Name, ".")
			if e.Dir || name == "" || dotted && ext != "sh" {
				continue
			}
			path := u.at(dir + "/" + e.Name)
			in, ok := u.stat(path)
			if !ok || !in.Regular || !in.Exec && ext != "sh" && !strings.HasPrefix(u.str(path), "#!") {
				continue
			}
			argv := []string{dir + "/" + e.Name}
			if !in.Exec && ext == "sh" {
				argv = []string{"bash", dir + "/" + e.Name}
			}
			if py := u.eco("python"); py != nil && u.facts["py-prefix"] {
				argv = append(slices.Clone(py.fill["prefix"]), argv...)
			}
			u.put(Task{Name: name, Runner: "script", Argv: argv, File: path, Line: 1, Body: u.str(path)})
		}
	}
}

// procWords are the words of a process that needs no shell; else it is handed to one.
func procWords(body string) []string {
	if body == "" || strings.ContainsAny(body, "$`;&|<>\"'\\{}()*?~#=") {
		return []string{"sh", "-c", body}
	}
	return strings.Fields(body)
}

// presets are the workflows and builds of cmake's presets.
func (u *unit) presets() {
	doc := u.jsonOf("CMakePresets.json")
	if doc == nil {
		return
	}
	data, _ := u.open(u.at("CMakePresets.json"))
	for _, kind := range [...][2]string{{"configurePresets", "cmake --preset"}, {"buildPresets", "cmake --build --preset"}, {"testPresets", "ctest --preset"}, {"workflowPresets", "cmake --workflow --preset"}} {
		for _, p := range doc.At(kind[0]).List() {
			name := p.At("name").Str()
			if name == "" || p.At("hidden").Str() == "true" {
				continue
			}
			u.put(Task{
				Name: name, Runner: kind[0], Argv: append(strings.Fields(kind[1]), name), File: u.at("CMakePresets.json"),
				Line: lineOf(data, `"`+name+`"`), Description: p.At("description").Str(), Private: true,
			})
			if u.facts[kind[0]] {
				u.facts[kind[0]+"-many"] = true
			}
			u.facts[kind[0]] = true
			if e := u.eco("cmake"); e != nil {
				e.fill[kind[0]] = []string{name}
			}
		}
	}
}

// nxTasks are the targets of a project.json.
func (u *unit) nxTasks() {
	if !u.has("project.json") || !u.isFile(filepath.Join(u.root, "nx.json")) {
		return
	}
	doc := u.jsonOf("project.json")
	data, _ := u.open(u.at("project.json"))
	name := orElse(doc.At("name").Str(), filepath.Base(u.dir))
	list := doc.At("targets")
	for i, target := range list.Names() {
		if strings.ContainsFunc(name, isOdd) || strings.HasPrefix(name, "-") {
			return
		}
		n := list.Values[i]
		u.put(Task{Name: target, Runner: "nx", Argv: []string{"npx", "nx", "run", name + ":" + target}, File: u.at("project.json"), Line: yamlLine(data, `"`+target), Body: n.At("options").At("command").Str()})
	}
}
