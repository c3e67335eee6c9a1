package tasks

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/resolvers"
)

// Body is one text that a task runner hands to a shell or another interpreter.
type Body struct {
	Task string // its name in the file; "" for what runs while the file is read
	File string // absolute; "" for what the words of the command hold themselves
	Dir  string // absolute: where it runs
	Text string
	// Language names the program that reads Text, without a version: "sh" for any
	// of the shells, "python"; "" if it is not known.
	Language string
}

// Reader reads what task runners would run. It keeps the files that it has
// read, so that one serves a line, or a list of candidates. It is not for several
// goroutines.
type Reader struct {
	ctx    context.Context
	getenv func(string) string
	files  map[string]*File // by what they were asked for; nil where they cannot be read
	bytes  int64
}

// NewReader returns a reader that stops at the context's deadline. getenv nil
// means the process's environment.
func NewReader(ctx context.Context, getenv func(string) string) *Reader {
	return &Reader{ctx: ctx, getenv: getenv, files: map[string]*File{}}
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
func (t *Reader) Bodies(dir string, words []string) []Body {
	if len(words) == 0 || !filepath.IsAbs(dir) || resolvers.Expired(t.ctx) {
		return nil
	}
	c := &call{Reader: t, dir: dir, words: words, tool: filepath.Base(words[0])}
	for i := range taskRunners {
		if taskRunners[i].name == c.tool {
			taskRunners[i].read(c)
		}
	}
	return c.out
}

// taskRunners are the programs whose files can be read: no map, which would be
// made at every start of a program that links this.
var taskRunners = [...]struct {
	name string
	read func(*call)
}{
	{"npm", (*call).npm},
	{"pnpm", (*call).npm},
	{"yarn", (*call).npm},
	{"bun", (*call).npm},
	{"node", (*call).node},
	{"nodejs", (*call).node},
	{"run-s", (*call).runAll},
	{"run-p", (*call).runAll},
	{"npm-run-all", (*call).runAll},
	{"npm-run-all2", (*call).runAll},
	{"concurrently", (*call).concurrently},
	{"make", (*call).make},
	{"gmake", (*call).make},
	{"just", (*call).just},
	{"task", (*call).task},
	{"go-task", (*call).task},
	{"composer", (*call).composer},
	{"poe", (*call).poe},
	{"pdm", (*call).python},
	{"hatch", (*call).python},
	{"pipenv", (*call).python},
	{"rye", (*call).python},
	{"deno", (*call).deno},
	{"mise", (*call).mise},
}

// call is one command whose bodies are looked for.
type call struct {
	*Reader
	dir   string
	words []string
	tool  string
	out   []Body
	seen  map[Body]bool
	trial bool // only what runs all the same is wanted
}

func (c *call) request() resolvers.Request {
	return resolvers.Request{Dir: c.dir, Getenv: c.getenv, Words: c.words}
}

// file reads a task file once; nil if it cannot be read. key is what it was asked
// for, path its name for the bound of its size.
func (c *call) file(key, path string, read func(*File) error) *File {
	if f, ok := c.files[key]; ok {
		return f
	}
	var f *File
	if st, ok := disk.Stat(path); ok && st.Size <= maxTaskFile && c.bytes+st.Size <= maxTaskBytes && !resolvers.Expired(c.ctx) {
		c.bytes += st.Size
		f = &File{Path: path, Files: []string{path}}
		if err := read(f); err != nil {
			f = nil
		}
	}
	c.files[key] = f
	return f
}

// plain reads a file that Read knows by its name.
func (c *call) plain(path string) *File {
	return c.file(path, path, func(f *File) error {
		read, err := Read(path)
		if err == nil {
			*f = *read
		}
		return err
	})
}

// task returns the task of that name, or nil. The tasks must be complete.
func (f *File) task(name string) *Task {
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
func (c *call) run(f *File, dir string, names []string, before func(*Task) string) {
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
func (c *call) add(f *File, t *Task, dir, before, behind string) {
	file := t.file
	if file == "" {
		file = f.Path
	}
	if t.dir != "" {
		dir = disk.Within(dir, t.dir)
	}
	list := t.commands
	if c.trial {
		list = t.always
	} else if list == nil {
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
		c.body(Body{Task: t.Name, File: file, Dir: dir, Text: text, Language: lang})
	}
}

// body adds one that is not there yet.
func (c *call) body(b Body) {
	if c.seen == nil {
		c.seen = map[Body]bool{}
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

// before are the words of a command before its first operand: its own options.
func (c *call) before(list []operand) []string {
	if len(list) == 0 {
		return c.words
	}
	return c.words[:list[0].at]
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
