package resolvers

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// readTaskfile takes the tasks of a Taskfile, and of those that it includes
// ("docs:serve").
func (f *TaskFile) readTaskfile() error {
	f.Kind, f.Tool = "task", "task"
	data, err := readRegular(f.Path, maxManifest)
	if err != nil {
		return err
	}
	f.Files = f.Files[:0]
	l := includedTasks{f: f}
	l.take(f.Path, "", parseYAML(string(data)), map[string]bool{}, false)
	return nil
}

// includedTasks takes tasks of Taskfiles that include each other.
type includedTasks struct {
	f      *TaskFile
	open   []string // the files that are being read, each included by the one before
	values []pair   // the variables of those files that are plain texts
	first  []string // the commands that give others theirs
	bytes  int      // of the files that were included
	dir    string   // where the tasks of an included file run, from the first file's directory
}

// take adds the tasks of one file under a prefix. set are the variables that
// the files around and the entry that includes it give; of a private one no task
// is meant to be called by name.
func (l *includedTasks) take(path, prefix string, root *yamlNode, set map[string]bool, private bool) {
	if !slices.Contains(l.f.Files, path) {
		l.f.Files = append(l.f.Files, path)
	}
	global := maps.Clone(set)
	for _, k := range root.at("vars").names() {
		global[k] = true
	}
	values, first := len(l.values), len(l.first)
	l.given(root.at("vars"))
	if tasks := root.at("tasks"); tasks != nil {
		for i, name := range tasks.keys {
			if name == "" {
				continue
			}
			t := taskOf(name, tasks.values[i], global)
			l.finish(&t, path, tasks.values[i])
			t.Private = t.Private || private
			l.within(&t, prefix)
			l.f.Tasks = append(l.f.Tasks, t)
		}
	}
	l.open = append(l.open, path)
	if includes := root.at("includes"); includes != nil {
		for i, name := range includes.keys {
			l.include(filepath.Dir(path), prefix, name, includes.values[i], global, private)
		}
	}
	l.open = l.open[:len(l.open)-1]
	l.values, l.first = l.values[:values], l.first[:first]
}

// given takes variables over.
func (l *includedTasks) given(vars *yamlNode) {
	values, commands := taskVars(vars)
	l.values, l.first = append(l.values, values...), append(l.first, commands...)
}

// finish adds to a task what the files around it decide.
func (l *includedTasks) finish(t *Task, path string, n *yamlNode) {
	own, commands := taskVars(n.at("vars"))
	t.vars = append(slices.Clone(l.values), own...)
	t.commands = slices.Concat(l.first, commands, t.commands)
	if t.Shell = joinLines(t.commands); len(t.commands) == 0 {
		t.Shell = ""
	}
	t.file, t.dir = path, l.dir
	if to := n.at("dir").str(); to != "" {
		t.dir = within(l.dir, to)
	}
}

// taskVars are the variables of a mapping that are plain texts, and the commands
// that give others their values.
func taskVars(n *yamlNode) (values []pair, commands []string) {
	for i, k := range n.names() {
		v := n.values[i]
		if sh := v.at("sh").str(); sh != "" {
			commands = append(commands, braces(sh))
		} else if len(v.keys) == 0 && len(v.items) == 0 && !strings.Contains(v.text, "{{") {
			values = append(values, pair{k, v.text})
		}
	}
	return values, commands
}

// within puts a task, and those that it calls, under the prefix of its file. The
// default task of an included file has the name of the entry alone.
func (l *includedTasks) within(t *Task, prefix string) {
	for i, c := range t.Calls {
		if root, ok := strings.CutPrefix(c, ":"); ok {
			t.Calls[i] = root
		} else {
			t.Calls[i] = prefix + c
		}
	}
	for i := range t.aliases {
		t.aliases[i] = prefix + t.aliases[i]
	}
	if t.Name = prefix + t.Name; prefix != "" && t.Name == prefix+"default" {
		t.Name = strings.TrimSuffix(prefix, ":")
	}
}

// include reads the Taskfile of an entry of "includes". One on the network, one
// that is not there, one whose name needs a variable and one that is being read
// are passed over.
func (l *includedTasks) include(dir, prefix, name string, n *yamlNode, set map[string]bool, private bool) {
	file := n.str()
	if t := n.at("taskfile"); t != nil {
		file = t.str()
	}
	if file == "" || name == "" || strings.Contains(file, "://") || strings.Contains(file, "{{") {
		return
	}
	path := within(dir, file)
	if isDir(path) {
		path, _ = taskfileIn(path)
	}
	if path == "" || slices.Contains(l.open, path) || len(l.open) > maxTaskIncludes || len(l.f.Files) > maxMakeFiles {
		return
	}
	data, err := readRegular(path, maxTaskFile)
	if l.bytes += len(data); err != nil || l.bytes > maxTaskBytes {
		return
	}
	if n.at("flatten").str() != "true" {
		prefix += name + ":"
	}
	given := maps.Clone(set)
	for _, k := range n.at("vars").names() {
		given[k] = true
	}
	before, dir, values, first := len(l.f.Tasks), l.dir, len(l.values), len(l.first)
	if to := n.at("dir").str(); to != "" {
		l.dir = within(l.dir, to)
	}
	l.given(n.at("vars"))
	l.take(path, prefix, parseYAML(string(data)), given, private || n.at("internal").str() == "true")
	l.dir, l.values, l.first = dir, l.values[:values], l.first[:first]
	excludes := items(n.at("excludes"))
	added := slices.DeleteFunc(l.f.Tasks[before:], func(t Task) bool {
		return slices.ContainsFunc(excludes, func(x *yamlNode) bool { return t.Name == prefix+x.text })
	})
	l.f.Tasks = l.f.Tasks[:before+len(added)]
}

func taskOf(name string, n *yamlNode, global map[string]bool) Task {
	t := Task{Name: name, Private: n.at("internal").str() == "true", Confirm: n.at("prompt") != nil}
	t.Description = n.at("desc").str()
	if t.Description == "" {
		t.Description, _, _ = strings.Cut(strings.TrimSpace(n.at("summary").str()), "\n")
	}
	for _, a := range items(n.at("aliases")) {
		t.aliases = append(t.aliases, a.text)
	}
	own := map[string]bool{}
	if v := n.at("vars"); v != nil {
		for _, k := range v.keys {
			own[k] = true
		}
	}
	if v := n.at("requires").at("vars"); v != nil {
		for _, item := range v.items {
			p := TaskParam{Name: item.text, Required: true, Named: true}
			if name := item.at("name").str(); name != "" {
				p.Name = name
			}
			if e := item.at("enum"); e != nil {
				for _, w := range e.items {
					p.Values = append(p.Values, w.text)
				}
			}
			if p.Name != "" {
				t.param(p)
			}
		}
	}
	for _, d := range items(n.at("deps")) {
		t.call(d.text, d.at("task").str())
	}
	cmds := items(n.at("cmds"))
	if n.at("cmd") != nil {
		cmds = append(cmds, n.at("cmd"))
	}
	if len(n.keys) == 0 { // "build: go build", "build: [a, b]"
		cmds = items(n)
	}
	for _, checked := range slices.Concat(items(n.at("preconditions")), items(n.at("status"))) {
		if sh := checked.at("sh"); sh != nil {
			checked = sh
		}
		t.commands = append(t.commands, braces(checked.text))
	}
	for _, c := range cmds {
		text := c.text
		for _, key := range [...]string{"cmd", "defer"} {
			if c.at(key) != nil {
				text = c.at(key).text
				t.call("", c.at(key).at("task").str())
			}
		}
		t.call("", c.at("task").str())
		if text == "" {
			continue
		}
		for _, v := range taskVariables(text) {
			switch {
			case v == "CLI_ARGS":
				t.param(TaskParam{Name: v, Many: true})
			case !own[v] && !global[v]:
				t.param(TaskParam{Name: v, Named: true})
			}
		}
		t.commands = append(t.commands, braces(text))
	}
	return t
}

// items are those of a list; a text alone is a list of one.
func items(n *yamlNode) []*yamlNode {
	switch {
	case n == nil:
		return nil
	case len(n.items) == 0 && n.text != "":
		return []*yamlNode{n}
	}
	return n.items
}

func (t *Task) call(names ...string) {
	for _, n := range names {
		if n != "" && !slices.Contains(t.Calls, n) {
			t.Calls = append(t.Calls, n)
		}
	}
}

// taskVariables are the names that "{{.NAME}}" asks for, without those that
// task itself sets.
func taskVariables(text string) []string {
	var out []string
	for {
		_, rest, ok := strings.Cut(text, "{{")
		if !ok {
			return out
		}
		inner, after, ok := strings.Cut(rest, "}}")
		if !ok {
			return out
		}
		for i := 0; i < len(inner); i++ {
			if inner[i] != '.' || i > 0 && isVariableRune(rune(inner[i-1])) {
				continue
			}
			end := i + 1
			for end < len(inner) && isVariableRune(rune(inner[end])) {
				end++
			}
			switch name := inner[i+1 : end]; name {
			case "", "TASK", "ROOT_DIR", "TASKFILE", "TASKFILE_DIR", "USER_WORKING_DIR", "CHECKSUM", "TIMESTAMP", "TASK_VERSION", "ITEM", "EXIT_CODE", "TASK_DIR", "TASK_EXE", "ALIAS", "MATCH":
			default:
				if !slices.Contains(out, name) {
					out = append(out, name)
				}
			}
		}
		text = after
	}
}
