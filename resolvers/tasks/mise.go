package tasks

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/internal/toml"
	"github.com/tool-mapping-protocol/tmp/resolvers"
)

// MiseTasks answers mise:tasks: the tasks of the configurations in the directory
// (-C leads elsewhere) and above it, and those that are files in directories of
// tasks; hidden ones are left out. In a monorepo the tasks of its root and of the
// directories that it lists are named from the root: "//:build", "//web:build".
func MiseTasks(ctx context.Context, r resolvers.Request) resolvers.Answer {
	m := miseReader{c: resolvers.NewCollector(ctx, r), rooted: strings.HasPrefix(r.Filter.Text, "//")}
	dir := r.Dir
	if to, ok := resolvers.Option(r.Words, true, "-C", "--cd"); ok {
		dir = disk.Within(dir, to)
	}
	for filepath.IsAbs(dir) && !m.c.Late() {
		m.directory(dir, "")
		if dir == filepath.Dir(dir) {
			break
		}
		dir = filepath.Dir(dir)
	}
	if m.found == 0 {
		return resolvers.Failure(resolvers.Nowhere("no tasks of mise", r.Dir))
	}
	return m.c.Answer()
}

// miseFiles and miseDirs are where mise looks for tasks in a directory.
var (
	miseFiles = [...]string{
		"mise.toml", ".mise.toml", "mise.local.toml", ".mise.local.toml",
		"mise/config.toml", ".mise/config.toml", ".config/mise.toml", ".config/mise/config.toml",
	}
	miseDirs = [...]string{"mise-tasks", ".mise-tasks", "mise/tasks", ".mise/tasks", ".config/mise/tasks"}
)

type miseReader struct {
	c      *resolvers.Collector
	rooted bool // what is typed begins with "//"
	found  int  // configurations and directories of tasks
}

// directory reads what mise reads of a directory. Prefix stands before the names.
func (m *miseReader) directory(dir, prefix string) {
	for _, name := range miseFiles {
		if data, err := disk.ReadRegular(filepath.Join(dir, name), disk.MaxManifest); err == nil {
			m.found++
			m.config(dir, string(data), prefix)
		}
	}
	for _, name := range miseDirs {
		m.files(filepath.Join(dir, name), prefix, 0)
	}
}

func (m *miseReader) config(dir, text, prefix string) {
	root, err := toml.Parse(text)
	if err != nil {
		return // mise says so when it is started
	}
	tasks, _ := root["tasks"].(map[string]any)
	for name, v := range tasks {
		t, _ := v.(map[string]any) // else a line to run
		if hide, _ := t["hide"].(bool); hide {
			continue
		}
		text, _ := t["description"].(string)
		m.add(prefix, name, text)
	}
	if is, _ := root["experimental_monorepo_root"].(bool); !is || prefix != "" || !m.rooted {
		return
	}
	m.directory(dir, "//:")
	repo, _ := root["monorepo"].(map[string]any)
	roots, _ := repo["config_roots"].([]any)
	for _, v := range roots {
		if at, ok := v.(string); ok && !strings.ContainsAny(at, "*?[") && filepath.IsLocal(at) && !m.c.Late() {
			m.directory(filepath.Join(dir, at), "//"+at+":")
		}
	}
}

func (m *miseReader) add(prefix, name, text string) {
	if strings.HasPrefix(name, "//") { // written so in the file
		prefix = ""
	}
	m.c.Add(resolvers.Value{Value: prefix + name, Description: resolvers.OneLine(text, 120), Kind: "task"})
}

// files reads a directory of tasks: each program is one, named by its path with
// ":" in it and without what follows the last dot; "_default" is that of its
// directory.
func (m *miseReader) files(dir, prefix string, depth int) {
	if err := disk.ReadDir(dir, func(name []byte, typ disk.Type) bool {
		base := string(name)
		switch {
		case base[0] == '.':
		case typ == disk.Directory && depth < maxTaskDirs:
			m.files(filepath.Join(dir, base), prefix+base+":", depth+1)
		case typ != disk.Directory && disk.IsExecutable(filepath.Join(dir, base)):
			if i := strings.LastIndexByte(base, '.'); i > 0 {
				base = base[:i]
			}
			name := prefix + base
			if base == "_default" && depth > 0 {
				name = strings.TrimSuffix(prefix, ":")
			}
			m.add("", name, "")
		}
		return !m.c.Late()
	}); err == nil {
		m.found++
	}
}

// maxTaskDirs is how deep directories of tasks lie in each other.
const maxTaskDirs = 8
