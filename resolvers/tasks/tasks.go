// Package tasks reads task files (Makefile, justfile, Taskfile, package.json …): the
// names of the tasks for Tab, and what each would run for who judges it.
package tasks

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/resolvers/npm"
)

// Task is one named entry of a task file: a target, a recipe, a script, a task.
type Task struct {
	Name        string
	Description string // what the file says of it, "" for nothing
	Params      []Param
	// Shell is what it runs, in the words of a shell. What the tool would put in
	// place of its own variables stands there as a variable of the shell.
	Shell string
	// Calls are the other tasks of the file that it runs, before or within.
	Calls []string
	// Private ones are not meant to be called by name; Confirm asks before it runs.
	Private, Confirm bool

	// commands are Shell by the shells that it is handed to, nil for one; language
	// is theirs, "" for that of their first line; dir is where they run, from the
	// directory of the runner; file is where the task stands, "" for File.Path.
	// always are those of commands that run in a trial run too (make -n).
	commands, always    []string
	language, dir, file string
	vars                []variable // of a Taskfile, with their plain values
	aliases             []string
	depth               int // of the files that include the one where it stands
}

// variable is one of a task file, with its value.
type variable struct{ name, value string }

// Param is a value that a caller may or must give to a task.
type Param struct {
	Name     string // as the file spells it
	Default  string
	Required bool
	Many     bool     // several words
	Values   []string // the only ones that are accepted, if the file lists them
	// Named: it is given as NAME=value, else as a word in its place.
	Named bool
}

// File is what a task file holds.
type File struct {
	Kind  string   // "make", "just", "npm", "task"
	Tool  string   // the program that runs them: Kind, or of a package.json the one whose lock file is there
	Path  string   // absolute
	Files []string // every file that was read, Path first
	Tasks []Task

	index   map[string]int
	first   string     // the task that runs where none is named
	reading []string   // commands that run while the file is read
	vars    []variable // of a justfile, with their plain values
}

// ErrNotTasks says that a file is none of those that Read reads.
var ErrNotTasks = errors.New("is no Makefile, justfile, Taskfile or package.json")

// Files lists the task files of a directory, by the names that their tools
// look for.
func Files(dir string) []string {
	var out []string
	for _, n := range [...]string{"GNUmakefile", "makefile", "Makefile"} {
		if path := filepath.Join(dir, n); disk.IsFile(path) {
			out = append(out, path)
			break
		}
	}
	if path, ok := findJustfile(dir); ok && filepath.Dir(path) == filepath.Clean(dir) {
		out = append(out, path)
	}
	if path, ok := findTaskfile(dir); ok && filepath.Dir(path) == filepath.Clean(dir) {
		out = append(out, path)
	}
	if path := filepath.Join(dir, "package.json"); disk.IsFile(path) {
		out = append(out, path)
	}
	return out
}

// Read reads a task file with what it includes. Nothing of it is run.
func Read(path string) (*File, error) {
	if !filepath.IsAbs(path) {
		return nil, errors.New(path + ": want an absolute name")
	}
	path = filepath.Clean(path)
	f := &File{Path: path, Files: []string{path}}
	base := strings.ToLower(filepath.Base(path))
	switch {
	case base == "package.json":
		return f, f.readScripts()
	case base == "justfile", base == ".justfile", strings.HasSuffix(base, ".just"):
		return f, f.readJust()
	case strings.HasPrefix(base, "taskfile.") && (strings.HasSuffix(base, ".yml") || strings.HasSuffix(base, ".yaml")):
		return f, f.readTaskfile()
	case base == "makefile", base == "gnumakefile", strings.HasSuffix(base, ".mk"):
		return f, f.readMake()
	}
	return nil, errors.New(path + " " + ErrNotTasks.Error())
}

// readScripts takes the scripts of a package.json.
func (f *File) readScripts() error {
	f.Kind, f.Tool = "npm", "npm"
	for _, l := range [...][2]string{{"pnpm-lock.yaml", "pnpm"}, {"yarn.lock", "yarn"}, {"bun.lock", "bun"}, {"bun.lockb", "bun"}} {
		if f.Tool == "npm" && disk.IsFile(filepath.Join(filepath.Dir(f.Path), l[0])) {
			f.Tool = l[1]
		}
	}
	p, err := npm.ReadPackage(f.Path)
	if err != nil {
		return err
	}
	names := map[string]bool{}
	for _, s := range p.Scripts {
		names[s.Name] = true
	}
	for _, s := range p.Scripts {
		t := Task{Name: s.Name, Shell: s.Text}
		for _, around := range [...]string{"pre" + s.Name, "post" + s.Name} {
			if names[around] {
				t.Calls = append(t.Calls, around)
			}
		}
		for _, called := range scriptCalls(s.Text) {
			if names[called] && called != s.Name {
				t.Calls = append(t.Calls, called)
			}
		}
		for _, hook := range [...]string{"pre", "post"} {
			if of, ok := strings.CutPrefix(s.Name, hook); ok && names[of] {
				t.Private = true // npm runs it with the other
			}
		}
		if s.Name != "" {
			f.Tasks = append(f.Tasks, t)
		}
	}
	return nil
}

// scriptCalls are the names that a script may run by a package manager.
func scriptCalls(text string) []string {
	var out []string
	words := strings.FieldsFunc(text, func(r rune) bool {
		return r == ' ' || r == '\t' || r == '&' || r == '|' || r == ';' || r == '(' || r == ')'
	})
	for i, w := range words {
		if len(out) > maxTaskCalls {
			break
		}
		managed := i > 0 && slices.Contains(scriptManagers[:], words[i-1])
		switch {
		case managed && (w == "test" || w == "start"):
			out = append(out, w)
		case managed && (w == "run" || w == "run-script"):
			out = append(out, words[i+1:min(len(words), i+2)]...)
		case slices.Contains(scriptRunners[:], w):
			out = append(out, words[i+1:min(len(words), i+1+maxTaskCalls)]...)
		}
	}
	return out
}

var (
	scriptManagers = [...]string{"npm", "yarn", "pnpm", "bun"}                                    // whose run names a script
	scriptRunners  = [...]string{"npm-run-all", "run-s", "run-p", "yarn", "pnpm", "concurrently"} // whose words do
)

// readJust takes the recipes of a justfile and of what it imports.
func (f *File) readJust() error {
	f.Kind, f.Tool = "just", "just"
	l := justLoader{emit: func(r justRecipe) { f.Tasks = append(f.Tasks, r.task()) }}
	err := l.load(f.Path, 0)
	f.Files = l.files
	return err
}

func (r *justRecipe) task() Task {
	t := Task{Name: r.name, Description: r.comment, Private: !r.offered(), Confirm: r.confirm, Calls: justNeeds(r.needs)}
	if strings.HasPrefix(r.comment, "alias of ") {
		t.Private = true // the recipe itself is there
	}
	var b strings.Builder
	for i, line := range r.lines {
		if i > 0 || !strings.HasPrefix(line, "#!") {
			line = strings.TrimLeft(line, "@-")
		}
		b.WriteString(braces(line) + "\n")
	}
	t.Shell = b.String()
	if !strings.HasPrefix(t.Shell, "#!") {
		t.commands = strings.Split(strings.TrimSuffix(t.Shell, "\n"), "\n")
	}
	for _, word := range justWords(r.parameters) {
		name, value, has := strings.Cut(word, "=")
		p := Param{Default: strings.Trim(value, `"'`), Required: !has}
		switch {
		case strings.HasPrefix(name, "*"):
			p.Many, p.Required = true, false
		case strings.HasPrefix(name, "+"):
			p.Many = true
		}
		if p.Name = strings.TrimLeft(name, "*+$"); p.Name != "" {
			t.Params = append(t.Params, p)
		}
	}
	return t
}

// justNeeds are the recipes named after the colon: "a (b 'x') && c".
func justNeeds(text string) []string {
	var out []string
	text, _, _ = strings.Cut(text, "#")
	for _, word := range justWords(strings.ReplaceAll(text, "&&", " ")) {
		name, _, _ := strings.Cut(strings.Trim(word, "()"), " ")
		if name != "" {
			out = append(out, name)
		}
	}
	return out
}

// justWords splits at blanks outside of quotes and brackets.
func justWords(s string) []string {
	var out []string
	var quote byte
	depth, start := 0, -1
	for i := 0; i <= len(s); i++ {
		if i == len(s) || quote == 0 && depth == 0 && (s[i] == ' ' || s[i] == '\t') {
			if start >= 0 {
				out = append(out, s[start:i])
			}
			start = -1
			continue
		}
		if start < 0 {
			start = i
		}
		switch b := s[i]; {
		case quote != 0:
			if b == quote {
				quote = 0
			}
		case b == '"' || b == '\'' || b == '`':
			quote = b
		case b == '(':
			depth++
		case b == ')':
			depth = max(0, depth-1)
		}
	}
	return out
}

// braces makes each "{{…}}" a variable of the shell, named by the first name in it.
func braces(s string) string {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(s, "{{")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		inner, after, ok := strings.Cut(rest, "}}")
		if !ok {
			b.WriteString("{{" + rest)
			return b.String()
		}
		name := strings.TrimFunc(inner, func(r rune) bool { return !isVariableRune(r) })
		if i := strings.IndexFunc(name, func(r rune) bool { return !isVariableRune(r) }); i >= 0 {
			name = name[:i]
		}
		if name == "" || name[0] >= '0' && name[0] <= '9' {
			name = "value"
		}
		b.WriteString("${" + name + "}")
		s = after
	}
}
