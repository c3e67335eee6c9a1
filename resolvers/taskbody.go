package resolvers

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
)

// TaskBody is one text that a task runner hands to a shell or another interpreter.
type TaskBody struct {
	Task string // its name in the file; "" for what runs while the file is read
	File string // absolute; "" for what the words of the command hold themselves
	Dir  string // absolute: where it runs
	Text string
	// Language names the program that reads Text, without a version: "sh" for any
	// of the shells, "python"; "" if it is not known.
	Language string
}

// TaskReader reads what task runners would run. It keeps the files that it has
// read, so that one serves a line, or a list of candidates. It is not for several
// goroutines.
type TaskReader struct {
	ctx    context.Context
	getenv func(string) string
	files  map[string]*TaskFile // by what they were asked for; nil where they cannot be read
	bytes  int64
}

// NewTaskReader returns a reader that stops at the context's deadline. getenv nil
// means the process's environment.
func NewTaskReader(ctx context.Context, getenv func(string) string) *TaskReader {
	return &TaskReader{ctx: ctx, getenv: getenv, files: map[string]*TaskFile{}}
}

// Bounds of what is read for one line: the bytes of one file and of all, and the
// tasks of one call.
const (
	maxTaskFile  = 2 << 20
	maxTaskBytes = 8 << 20
	maxTaskCalls = 200
	// maxTaskBodies bounds the texts of one call.
	maxTaskBodies = 1000
)

// Bodies returns what a command runs from a task file, in the order in which it
// does: the task that its words name with those that it needs. dir is where the
// command starts, absolute. There are none where the words name no task, the file
// is not there or cannot be read; nothing is run to find out.
func (t *TaskReader) Bodies(dir string, words []string) []TaskBody {
	if len(words) == 0 || !filepath.IsAbs(dir) || expired(t.ctx) {
		return nil
	}
	c := &taskCall{TaskReader: t, dir: dir, words: words, tool: filepath.Base(words[0])}
	if read := taskRunners[c.tool]; read != nil {
		read(c)
	}
	return c.out
}

// taskRunners are the programs whose files can be read.
var taskRunners = map[string]func(*taskCall){
	"npm": (*taskCall).npm, "pnpm": (*taskCall).npm, "yarn": (*taskCall).npm, "bun": (*taskCall).npm,
	"run-s": (*taskCall).runAll, "run-p": (*taskCall).runAll, "npm-run-all": (*taskCall).runAll, "npm-run-all2": (*taskCall).runAll,
	"concurrently": (*taskCall).concurrently,
	"make":         (*taskCall).make, "gmake": (*taskCall).make,
	"just": (*taskCall).just,
	"task": (*taskCall).task, "go-task": (*taskCall).task,
	"composer": (*taskCall).composer,
	"poe":      (*taskCall).poe,
	"pdm":      (*taskCall).python, "hatch": (*taskCall).python, "pipenv": (*taskCall).python, "rye": (*taskCall).python,
	"deno": (*taskCall).deno,
	"mise": (*taskCall).mise,
}

// taskCall is one command whose bodies are looked for.
type taskCall struct {
	*TaskReader
	dir   string
	words []string
	tool  string
	out   []TaskBody
	seen  map[TaskBody]bool
}

func (c *taskCall) request() Request { return Request{Dir: c.dir, Getenv: c.getenv, Words: c.words} }

// file reads a task file once; nil if it cannot be read. key is what it was asked
// for, path its name for the bound of its size.
func (c *taskCall) file(key, path string, read func(*TaskFile) error) *TaskFile {
	if f, ok := c.files[key]; ok {
		return f
	}
	var f *TaskFile
	if st, ok := statFile(path); ok && st.Size <= maxTaskFile && c.bytes+st.Size <= maxTaskBytes && !expired(c.ctx) {
		c.bytes += st.Size
		f = &TaskFile{Path: path, Files: []string{path}}
		if err := read(f); err != nil {
			f = nil
		}
	}
	c.files[key] = f
	return f
}

// plain reads a file that ReadTasks knows by its name.
func (c *taskCall) plain(path string) *TaskFile {
	return c.file(path, path, func(f *TaskFile) error {
		read, err := ReadTasks(path)
		if err == nil {
			*f = *read
		}
		return err
	})
}

// task returns the task of that name, or nil. The tasks must be complete.
func (f *TaskFile) task(name string) *Task {
	if f.index == nil {
		f.index = make(map[string]int, len(f.Tasks))
		for i := len(f.Tasks) - 1; i >= 0; i-- {
			for _, a := range f.Tasks[i].aliases {
				f.index[a] = i
			}
		}
		for i := len(f.Tasks) - 1; i >= 0; i-- { // of two with one name the first
			f.index[f.Tasks[i].Name] = i
		}
	}
	if i, ok := f.index[name]; ok {
		return &f.Tasks[i]
	}
	return nil
}

// run adds the bodies of tasks with those that they call, each once, what they
// need before them. before is put ahead of each text.
func (c *taskCall) run(f *TaskFile, dir string, names []string, before func(*Task) string) {
	done := map[string]bool{}
	var visit func(name string)
	visit = func(name string) {
		t := f.task(name)
		if t == nil || done[name] || len(done) >= maxTaskCalls {
			return
		}
		done[name] = true
		for _, need := range t.Calls {
			visit(need)
		}
		lead := ""
		if before != nil {
			lead = before(t)
		}
		c.add(f, t, dir, lead, "")
	}
	for _, name := range names {
		visit(name)
	}
}

// add adds the bodies of one task, with a text before and one behind each.
func (c *taskCall) add(f *TaskFile, t *Task, dir, before, behind string) {
	file := t.file
	if file == "" {
		file = f.Path
	}
	if t.dir != "" {
		dir = within(dir, t.dir)
	}
	list := t.commands
	if list == nil {
		list = []string{t.Shell}
	}
	for _, text := range list {
		if strings.TrimSpace(text) == "" {
			continue
		}
		lang := t.language
		if lang == "" {
			lang = shebang(text)
		}
		if lang == "sh" {
			text = before + text + behind
		}
		c.body(TaskBody{Task: t.Name, File: file, Dir: dir, Text: text, Language: lang})
	}
}

// body adds one that is not there yet.
func (c *taskCall) body(b TaskBody) {
	if c.seen == nil {
		c.seen = map[TaskBody]bool{}
	}
	if !c.seen[b] && len(c.out) < maxTaskBodies {
		c.seen[b] = true
		c.out = append(c.out, b)
	}
}

// shebang is the language of a text by its first line; without one it is a shell's.
func shebang(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	line, ok := strings.CutPrefix(strings.TrimSpace(line), "#!")
	if !ok {
		return "sh"
	}
	words := strings.Fields(line)
	for _, w := range words {
		if name := interpreter(w); name != "env" && w != "-S" {
			return name
		}
	}
	return ""
}

// interpreter is the base name of a program without the version in it; "sh" for
// all shells whose words are alike.
func interpreter(name string) string {
	name = strings.TrimRight(filepath.Base(name), "0123456789.")
	if slices.Contains([]string{"bash", "dash", "zsh", "ash", "ksh"}, name) {
		return "sh"
	}
	return name
}

// operand is a word that is no option and no value of one.
type operand struct {
	text string
	at   int // index into the words
}

// operands returns those of a command up to "--", whose index is dash, or the
// number of words. valued are the options that take the next word.
func operands(words []string, valued ...string) (list []operand, dash int) {
	for i := 1; i < len(words); i++ {
		w := words[i]
		switch {
		case w == "--":
			return list, i
		case len(w) > 1 && w[0] == '-':
			if slices.Contains(valued, w) {
				i++
			}
		default:
			list = append(list, operand{w, i})
		}
	}
	return list, len(words)
}

// quoted writes words as a shell reads them, each after a blank.
func quoted(words []string) string {
	var b strings.Builder
	for _, w := range words {
		b.WriteString(" ")
		if w != "" && strings.Trim(w, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:@%+,$") == "" {
			b.WriteString(w)
			continue
		}
		b.WriteString("'" + strings.ReplaceAll(w, "'", `'\''`) + "'")
	}
	return b.String()
}

// assigned writes a variable of the shell for a name and value of a task file;
// "" for a name that no shell has.
func assigned(name, value string) string {
	if name == "" || name[0] >= '0' && name[0] <= '9' || strings.IndexFunc(name, func(r rune) bool { return !isVariableRune(r) }) >= 0 {
		return ""
	}
	return name + "=" + strings.TrimPrefix(quoted([]string{value}), " ") + "\n"
}
