package tasks

import (
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/internal/yaml"
)

// readTaskfile takes the tasks of a Taskfile, and of those that it includes
// ("docs:serve").
func (f *File) readTaskfile() error {
	f.Kind, f.Tool = "task", "task"
	data, err := disk.ReadRegular(f.Path, disk.MaxManifest)
	if err != nil {
		return err
	}
	root, err := yaml.Parse(string(data))
	if err != nil {
		return &fs.PathError{Op: "read", Path: f.Path, Err: err}
	}
	f.Files = f.Files[:0]
	l := includedTasks{f: f}
	l.take(f.Path, "", root, map[string]bool{}, false)
	return nil
}

// includedTasks takes tasks of Taskfiles that include each other.
type includedTasks struct {
	f      *File
	open   []string   // the files that are being read, each included by the one before
	values []variable // the variables of those files that are plain texts
	first  []string   // the commands that give others theirs
	bytes  int        // of the files that were included
	dir    string     // where the tasks of an included file run, from the first file's directory
}

// take adds the tasks of one file under a prefix. set are the variables that
// the files around and the entry that includes it give; of a private one no task
// is meant to be called by name.
func (l *includedTasks) take(path, prefix string, root *yaml.Node, set map[string]bool, private bool) {
	if !slices.Contains(l.f.Files, path) {
		l.f.Files = append(l.f.Files, path)
	}
	global := maps.Clone(set)
	for _, k := range root.At("vars").Names() {
		global[k] = true
	}
	values, first := len(l.values), len(l.first)
	l.given(root.At("vars"))
	if tasks := root.At("tasks"); tasks != nil {
		for i, name := range tasks.Keys {
			if name == "" {
				continue
			}
			t := taskOf(name, tasks.Values[i], global)
			l.finish(&t, path, tasks.Values[i])
			t.Private = t.Private || private
			l.within(&t, prefix)
			l.f.Tasks = append(l.f.Tasks, t)
		}
	}
	l.open = append(l.open, path)
	if includes := root.At("includes"); includes != nil {
		for i, name := range includes.Keys {
			l.include(filepath.Dir(path), prefix, name, includes.Values[i], global, private)
		}
	}
	l.open = l.open[:len(l.open)-1]
	l.values, l.first = l.values[:values], l.first[:first]
}

// given takes variables over.
func (l *includedTasks) given(vars *yaml.Node) {
	values, commands := taskVars(vars)
	l.values, l.first = append(l.values, values...), append(l.first, commands...)
}

// finish adds to a task what the files around it decide.
func (l *includedTasks) finish(t *Task, path string, n *yaml.Node) {
	own, commands := taskVars(n.At("vars"))
	t.vars = append(slices.Clone(l.values), own...)
	t.commands = slices.Concat(l.first, commands, t.commands)
	if t.Shell = joinLines(t.commands); len(t.commands) == 0 {
		t.Shell = ""
	}
	t.file, t.dir, t.depth = path, l.dir, len(l.open)
	if to := n.At("dir").Str(); to != "" {
		t.dir = disk.Within(l.dir, to)
	}
}

// taskVars are the variables of a mapping that are plain texts, and the commands
// that give others their values.
func taskVars(n *yaml.Node) (values []variable, commands []string) {
	for i, k := range n.Names() {
		v := n.Values[i]
		if sh := v.At("sh").Str(); sh != "" {
			commands = append(commands, braces(sh))
		} else if len(v.Keys) == 0 && len(v.Items) == 0 && !strings.Contains(v.Text, "{{") {
			values = append(values, variable{k, v.Text})
		}
	}
	return values, commands
}

// disk.Within puts a task, and those that it calls, under the prefix of its file. The
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
func (l *includedTasks) include(dir, prefix, name string, n *yaml.Node, set map[string]bool, private bool) {
	file := n.Str()
	if t := n.At("taskfile"); t != nil {
		file = t.Str()
	}
	if file == "" || name == "" || strings.Contains(file, "://") || strings.Contains(file, "{{") {
		return
	}
	path := disk.Within(dir, file)
	if disk.IsDir(path) {
		path, _ = taskfileIn(path)
	}
	if path == "" || slices.Contains(l.open, path) || len(l.open) > maxTaskIncludes || len(l.f.Files) > maxMakeFiles {
		return
	}
	data, err := disk.ReadRegular(path, maxTaskFile)
	if l.bytes += len(data); err != nil || l.bytes > maxTaskBytes {
		return
	}
	root, err := yaml.Parse(string(data))
	if err != nil {
		return
	}
	if n.At("flatten").Str() != "true" {
		prefix += name + ":"
	}
	given := maps.Clone(set)
	for _, k := range n.At("vars").Names() {
		given[k] = true
	}
	before, dir, values, first := len(l.f.Tasks), l.dir, len(l.values), len(l.first)
	if to := n.At("dir").Str(); to != "" {
		l.dir = disk.Within(l.dir, to)
	}
	l.given(n.At("vars"))
	l.take(path, prefix, root, given, private || n.At("internal").Str() == "true")
	l.dir, l.values, l.first = dir, l.values[:values], l.first[:first]
	excludes := n.At("excludes").List()
	added := slices.DeleteFunc(l.f.Tasks[before:], func(t Task) bool {
		return slices.ContainsFunc(excludes, func(x *yaml.Node) bool { return t.Name == prefix+x.Text })
	})
	l.f.Tasks = l.f.Tasks[:before+len(added)]
}

func taskOf(name string, n *yaml.Node, global map[string]bool) Task {
	t := Task{Name: name, Private: n.At("internal").Str() == "true", Confirm: n.At("prompt") != nil}
	t.Description = n.At("desc").Str()
	if t.Description == "" {
		t.Description, _, _ = strings.Cut(strings.TrimSpace(n.At("summary").Str()), "\n")
	}
	for _, a := range n.At("aliases").List() {
		t.aliases = append(t.aliases, a.Text)
	}
	own := map[string]bool{}
	if v := n.At("vars"); v != nil {
		for _, k := range v.Keys {
			own[k] = true
		}
	}
	if v := n.At("requires").At("vars"); v != nil {
		for _, item := range v.Items {
			p := Param{Name: item.Text, Required: true, Named: true}
			if name := item.At("name").Str(); name != "" {
				p.Name = name
			}
			if e := item.At("enum"); e != nil {
				for _, w := range e.Items {
					p.Values = append(p.Values, w.Text)
				}
			}
			if p.Name != "" {
				t.param(p)
			}
		}
	}
	for _, d := range n.At("deps").List() {
		t.call(d.Text, d.At("task").Str())
	}
	cmds := n.At("cmds").List()
	if n.At("cmd") != nil {
		cmds = append(cmds, n.At("cmd"))
	}
	if len(n.Keys) == 0 { // "build: go build", "build: [a, b]"
		cmds = n.List()
	}
	for _, checked := range slices.Concat(n.At("preconditions").List(), n.At("status").List()) {
		if sh := checked.At("sh"); sh != nil {
			checked = sh
		}
		t.commands = append(t.commands, braces(checked.Text))
	}
	for _, c := range cmds {
		text := c.Text
		for _, key := range [...]string{"cmd", "defer"} {
			if c.At(key) != nil {
				text = c.At(key).Text
				t.call("", c.At(key).At("task").Str())
			}
		}
		t.call("", c.At("task").Str())
		if text == "" {
			continue
		}
		for _, v := range taskVariables(text) {
			switch {
			case v == "CLI_ARGS":
				t.param(Param{Name: v, Many: true})
			case !own[v] && !global[v]:
				t.param(Param{Name: v, Named: true})
			}
		}
		t.commands = append(t.commands, braces(text))
	}
	return t
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
