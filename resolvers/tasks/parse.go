package tasks

import (
	"path/filepath"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
)

// Source hands out the files of a project by absolute names: their texts, and
// what a pattern stands for.
type Source interface {
	Text(path string) (string, bool)
	Glob(pattern string) []string
}

// ParseMake reads a makefile with what it includes from a source: the targets
// that a person may name, each with its Shell and its Calls, and where they stand.
// catchAll says that a rule makes whatever is asked for (".DEFAULT", "%:").
func ParseMake(src Source, path string) (list []Placed, files []string, catchAll bool) {
	p := newMakeParser()
	p.whole, p.open, p.tested, p.fixed = true, map[string]bool{}, map[string]bool{}, map[string]bool{}
	dir := filepath.Dir(path)
	p.vars["CURDIR"] = dir
	at := map[string]Placed{}
	depth, bytes := 0, 0
	load := func(path string) bool {
		text, ok := src.Text(path)
		if bytes += len(text); !ok || depth > 20 || len(files) > maxMakeFiles || bytes > maxMakeBytes {
			return false
		}
		files = append(files, path)
		catchAll = placeTargets(text, path, at) || catchAll
		outer := *p
		p.current, p.define, p.above = nil, 0, ""
		p.dependencies = filepath.Ext(path) == ".d"
		depth++
		p.parse(text)
		depth--
		p.current, p.define, p.above, p.dependencies = outer.current, outer.define, outer.above, outer.dependencies
		return true
	}
	p.include = func(_ *makeParser, name string) {
		full := disk.Within(dir, name)
		if !strings.ContainsAny(name, "*?[") {
			load(full)
			return
		}
		for _, f := range src.Glob(full) {
			load(f)
		}
	}
	if !load(path) {
		return nil, nil, false
	}
	for _, t := range p.targets {
		task := Task{Name: t.name, Description: t.help, Calls: append([]string(nil), t.needs...)}
		for _, line := range t.lines {
			task.Shell += p.shell(strings.TrimLeft(line, "@-+ \t"), t, &task, 0) + "\n"
		}
		task.Private = !p.phony[t.name] && t.help == "" && strings.ContainsAny(t.name, "./")
		where := at[t.name]
		where.Task = task
		list = append(list, where)
	}
	for i := range list {
		if p.first != nil && list[i].Name == p.first.name {
			list[i].First = true
		}
	}
	return list, files, catchAll
}

// Placed is a task with where it stands.
type Placed struct {
	Task
	File  string
	Line  int
	First bool // it is what runs where none is named
}

// placeTargets notes the lines where rules begin, and says whether one makes
// whatever is asked for.
func placeTargets(text, path string, at map[string]Placed) (catchAll bool) {
	n := 0
	for line := range strings.Lines(text) {
		n++
		if line[0] == '\t' || line[0] == '#' || line[0] == ' ' {
			continue
		}
		left, _, ok := strings.Cut(line, ":")
		if !ok || strings.ContainsAny(left, "=") {
			continue
		}
		for _, name := range strings.Fields(left) {
			if name == ".DEFAULT" || name == "%" {
				catchAll = true
			}
			if _, known := at[name]; !known && len(at) < maxTargetsPlaced {
				at[name] = Placed{File: path, Line: n}
			}
		}
	}
	return catchAll
}

const maxTargetsPlaced = 100_000

// ParseJust reads a justfile with what it imports from a source.
func ParseJust(src Source, path string) (list []Placed, files []string) {
	depth := 0
	var load func(path, prefix string) bool
	load = func(path, prefix string) bool {
		text, ok := src.Text(path)
		if !ok || depth > 20 || len(files) > maxMakeFiles {
			return false
		}
		files = append(files, path)
		lines := map[string]Placed{}
		placeTargets(strings.ReplaceAll(text, "\n@", "\n"), path, lines)
		depth++
		defer func() { depth-- }()
		emit := func(r justRecipe) {
			if r.offered() {
				t := lines[r.name]
				if t.Line == 0 {
					t = Placed{File: path, Line: 1 + strings.Count(text[:max(0, strings.Index(text, "\n"+r.name)+1)], "\n")}
				}
				t.Task = r.task()
				t.Name = prefix + t.Name
				list = append(list, t)
			}
		}
		scanJust(text, emit, nil, func(file string) { load(disk.Within(filepath.Dir(path), file), prefix) }, func(name, file string) {
			for _, f := range [...]string{file, name + ".just", name + "/mod.just", name + "/justfile"} {
				if f != "" && load(disk.Within(filepath.Dir(path), f), prefix+name+"::") {
					return
				}
			}
		})
		return true
	}
	load(path, "")
	return list, files
}

// PlainJSON puts blanks in the place of the comments of a JSON text, and of commas
// before a closing bracket.
func PlainJSON(data []byte) []byte { return withoutComments(data) }
