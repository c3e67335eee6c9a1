package resolvers

import (
	"slices"
	"strings"
)

// readTaskfile takes the tasks of a Taskfile.
func (f *TaskFile) readTaskfile() error {
	f.Kind, f.Tool = "task", "task"
	data, err := readRegular(f.Path, maxManifest)
	if err != nil {
		return err
	}
	root := parseYAML(string(data))
	tasks := root.at("tasks")
	if tasks == nil {
		return nil
	}
	global := map[string]bool{}
	if v := root.at("vars"); v != nil {
		for _, k := range v.keys {
			global[k] = true
		}
	}
	for i, name := range tasks.keys {
		if name != "" {
			f.Tasks = append(f.Tasks, taskOf(name, tasks.values[i], global))
		}
	}
	return nil
}

func taskOf(name string, n *yamlNode, global map[string]bool) Task {
	t := Task{Name: name, Private: n.at("internal").str() == "true", Confirm: n.at("prompt") != nil}
	t.Description = n.at("desc").str()
	if t.Description == "" {
		t.Description, _, _ = strings.Cut(strings.TrimSpace(n.at("summary").str()), "\n")
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
	var b strings.Builder
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
		b.WriteString(braces(text) + "\n")
	}
	t.Shell = b.String()
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
		if n = strings.TrimPrefix(n, ":"); n != "" && !slices.Contains(t.Calls, n) {
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
