package tasks

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/internal/toml"
	"github.com/tool-mapping-protocol/tmp/resolvers"
)

// tomlFile reads a TOML file once, and makes tasks of it.
func (c *call) tomlFile(key, path string, read func(f *File, doc map[string]any)) *File {
	return c.file(key+"\x00"+path, path, func(f *File) error {
		data, err := disk.ReadRegular(path, maxTaskFile)
		if err != nil {
			return err
		}
		doc, err := toml.Parse(string(data))
		if err != nil {
			return err
		}
		read(f, doc)
		return nil
	})
}

// poe finds tasks of poethepoet: [tool.poe.tasks] of pyproject.toml, or
// poe_tasks.toml.
func (c *call) poe() {
	valued := []string{"-C", "--directory", "--root", "-e", "--executor", "-X", "--executor-opt"}
	list, _ := operands(c.words, valued...)
	if len(list) == 0 || resolvers.Has(c.before(list), "-d", "--dry-run") {
		return
	}
	dir := c.dir
	to, named := resolvers.Option(c.words, true, "-C", "--directory", "--root")
	if named {
		dir = disk.Within(dir, to)
	}
	for _, name := range [...]string{"pyproject.toml", "poe_tasks.toml"} {
		path, ok := disk.FindUp(dir, name)
		if !ok {
			continue
		}
		f := c.tomlFile("poe", path, func(f *File, doc map[string]any) {
			at := []string{"tool", "poe", "tasks"}
			if name == "poe_tasks.toml" {
				at = at[2:]
			}
			tasks, _ := toml.In(doc, at...).(map[string]any)
			f.poeTasks(tasks, 0)
			groups, _ := toml.In(doc, append(at[:len(at)-1:len(at)-1], "groups")...).(map[string]any)
			for _, g := range groups {
				tasks, _ := toml.In(asTable(g), "tasks").(map[string]any)
				f.poeTasks(tasks, 0)
			}
		})
		if f != nil && f.task(list[0].text) != nil {
			c.withWords(f, filepath.Dir(path), list[0].text, c.words[list[0].at+1:])
			return
		}
	}
}

func asTable(v any) map[string]any {
	t, _ := v.(map[string]any)
	return t
}

// poeTasks takes a table of tasks.
func (f *File) poeTasks(tasks map[string]any, depth int) {
	for name, v := range tasks {
		t := Task{Name: name}
		f.poeTask(&t, v, false, depth)
		f.Tasks = append(f.Tasks, t)
	}
}

// poeTask takes what a task is: a command, a table that says which kind, or a
// list of tasks; of a text in a list ref says that it names one.
func (f *File) poeTask(t *Task, v any, ref bool, depth int) {
	if depth > maxTaskDirs {
		return
	}
	switch v := v.(type) {
	case string:
		if ref {
			name, _, _ := strings.Cut(strings.TrimSpace(v), " ")
			t.call(name)
			return
		}
		t.commands = append(t.commands, v)
	case []any:
		for _, item := range v {
			f.poeTask(t, item, true, depth+1)
		}
	case map[string]any:
		for _, key := range [...]string{"deps", "uses"} {
			switch of := v[key].(type) {
			case []any:
				f.poeTask(t, of, true, depth+1)
			case map[string]any:
				for _, name := range of {
					f.poeTask(t, name, true, depth+1)
				}
			}
		}
		for _, key := range [...]string{"cmd", "shell"} {
			if text, ok := v[key].(string); ok {
				t.commands = append(t.commands, text)
			}
		}
		if lang, ok := v["interpreter"].(string); ok && interpreter(lang) != "sh" {
			t.language = interpreter(lang)
		}
		if text, ok := v["expr"].(string); ok {
			t.commands, t.language = append(t.commands, text), "python"
		}
		if name, ok := v["ref"].(string); ok {
			f.poeTask(t, name, true, depth+1)
		}
		if dir, ok := v["cwd"].(string); ok && !strings.Contains(dir, "$") {
			t.dir = dir
		}
		commands := v["default_item_type"] == "cmd"
		for _, key := range [...]string{"sequence", "parallel", "switch"} {
			of, _ := v[key].([]any)
			for _, item := range of {
				f.poeTask(t, item, !commands, depth+1)
			}
		}
	}
}

// withWords adds a task with the words that it gets.
func (c *call) withWords(f *File, dir, name string, words []string) {
	t := f.task(name)
	if t == nil {
		return
	}
	if len(words) > 0 && words[0] == "--" {
		words = words[1:]
	}
	if len(words) == 0 {
		c.run(f, dir, []string{name}, nil)
		return
	}
	c.run(f, dir, slices.DeleteFunc(slices.Clone(t.Calls), func(n string) bool { return n == name }), nil)
	c.add(f, t, dir, "", quoted(words))
}

// scriptFiles is where a tool keeps its scripts: the file, and the table in it. Of
// hatch the table holds environments, each with scripts of its own.
var scriptFiles = [...]struct {
	tool, name string
	table      []string
}{
	{"pdm", "pyproject.toml", []string{"tool", "pdm", "scripts"}},
	{"rye", "pyproject.toml", []string{"tool", "rye", "scripts"}},
	{"pipenv", "Pipfile", []string{"scripts"}},
	{"hatch", "hatch.toml", []string{"envs"}},
	{"hatch", "pyproject.toml", []string{"tool", "hatch", "envs"}},
}

// python finds the scripts of pdm, hatch, pipenv and rye.
func (c *call) python() {
	list, _ := operands(c.words, "-p", "--project", "-e", "--env", "-v", "--venv", "--pyproject")
	if len(list) > 1 && list[0].text == "run" {
		list = list[1:]
	} else if c.tool != "pdm" || len(list) == 0 { // which takes them without run
		return
	}
	name := list[0].text
	dir := c.dir
	if to, ok := resolvers.Option(c.words[:list[0].at], false, "-p", "--project"); ok {
		dir = disk.Within(dir, to)
	}
	for _, at := range scriptFiles {
		if at.tool != c.tool {
			continue
		}
		path, ok := disk.FindUp(dir, at.name)
		if !ok {
			continue
		}
		f := c.tomlFile(c.tool, path, func(f *File, doc map[string]any) {
			table := asTable(toml.In(doc, at.table...))
			if at.table[len(at.table)-1] != "envs" {
				f.scriptTable(table, "")
				return
			}
			for env, v := range table {
				prefix := env + ":"
				if env == "default" {
					prefix = ""
				}
				f.scriptTable(asTable(asTable(v)["scripts"]), prefix)
			}
		})
		if f != nil {
			c.withWords(f, filepath.Dir(path), strings.TrimPrefix(name, "default:"), c.words[list[0].at+1:])
		}
	}
}

// scriptTable takes scripts of pdm and its like: a line, a list of lines, or a
// table with "cmd", "shell", "chain" or "composite". A line that begins with the
// name of another script runs that.
func (f *File) scriptTable(scripts map[string]any, prefix string) {
	for name, v := range scripts {
		t := Task{Name: prefix + name}
		var take func(v any, words bool)
		take = func(v any, words bool) {
			switch v := v.(type) {
			case string:
				first, _, _ := strings.Cut(strings.TrimSpace(v), " ")
				if _, ok := scripts[first]; ok && first != name {
					t.call(prefix + first)
					return
				}
				t.commands = append(t.commands, v)
			case []any:
				if words { // the words of one command
					var list []string
					for _, w := range v {
						text, _ := w.(string)
						list = append(list, text)
					}
					t.commands = append(t.commands, strings.TrimSpace(quoted(list)))
					return
				}
				for _, item := range v {
					take(item, true)
				}
			case map[string]any:
				take(v["cmd"], true)
				take(v["shell"], true)
				take(v["chain"], false)
				take(v["composite"], false)
				if dir, ok := v["working_dir"].(string); ok {
					t.dir = dir
				}
			}
		}
		take(v, false)
		for _, around := range [...]string{"pre_" + name, "post_" + name} {
			if _, ok := scripts[around]; ok {
				t.call(prefix + around)
			}
		}
		f.Tasks = append(f.Tasks, t)
	}
}
