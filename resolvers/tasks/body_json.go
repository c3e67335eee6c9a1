package tasks

import (
	"path/filepath"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/internal/jsonscan"
	"github.com/tool-mapping-protocol/tmp/resolvers"
)

// composer finds the scripts of composer.json: those that are named, and those
// that composer runs with a command of its own.
func (c *call) composer() {
	list, dash := operands(c.words, "-d", "--working-dir", "--timeout")
	if len(list) == 0 || resolvers.Has(c.words, "--no-scripts", "-l", "--list") {
		return
	}
	dir := c.dir
	if to, ok := resolvers.Option(c.words, true, "-d", "--working-dir"); ok {
		dir = disk.Within(dir, to)
	}
	path := filepath.Join(dir, "composer.json")
	if to := c.request().Env("COMPOSER"); to != "" {
		path = disk.Within(dir, to)
	}
	f := c.file(path, path, (*File).readComposer)
	if f == nil {
		return
	}
	var names []string
	verb, last := list[0].text, list[0].at
	switch verb {
	case "run", "run-script":
		if len(list) < 2 {
			return
		}
		names, last = []string{list[1].text}, list[1].at
	case "install", "i":
		names = []string{"pre-install-cmd", "pre-autoload-dump", "post-autoload-dump", "post-install-cmd"}
	case "update", "u", "upgrade", "require", "r", "remove", "rm":
		names = []string{"pre-update-cmd", "pre-autoload-dump", "post-autoload-dump", "post-update-cmd"}
	case "dump-autoload", "dumpautoload":
		names = []string{"pre-autoload-dump", "post-autoload-dump"}
	case "create-project":
		return // of a directory that is not there yet
	default:
		names = []string{verb}
	}
	var args []string
	for _, o := range list {
		if o.at > last {
			args = append(args, o.text)
		}
	}
	args = append(args, c.words[min(dash+1, len(c.words)):]...)
	if len(names) > 1 || len(args) == 0 {
		c.run(f, filepath.Dir(path), names, nil)
		return
	}
	c.withWords(f, filepath.Dir(path), names[0], args)
}

// readComposer takes the scripts of a composer.json: commands, "@NAME" for
// another script, "@php" and "@composer" for those programs. A method of PHP is
// no text to judge.
func (f *File) readComposer() error {
	f.Kind, f.Tool = "composer", "composer"
	data, err := disk.ReadRegular(f.Path, maxTaskFile)
	if err != nil {
		return err
	}
	entry := func(t *Task, text string) {
		name, rest, _ := strings.Cut(text, " ")
		switch {
		case name == "@php" || name == "@composer":
			t.commands = append(t.commands, name[1:]+" "+rest)
		case name == "@putenv":
			t.commands = append(t.commands, "export "+rest)
		case strings.HasPrefix(name, "@"):
			t.call(name[1:])
		case strings.Contains(name, "::") || strings.Contains(name, `\`) && rest == "":
		default:
			t.commands = append(t.commands, text)
		}
	}
	return jsonscan.Read(data, func(j *jsonscan.Reader) error {
		return j.Object(func(key string) error {
			if key != "scripts" || j.Peek() != '{' {
				return j.Skip()
			}
			return j.Object(func(name string) error {
				t := Task{Name: name, commands: []string{}}
				defer func() { f.Tasks = append(f.Tasks, t) }()
				if j.Peek() != '[' {
					text, err := j.MaybeText()
					entry(&t, text)
					return err
				}
				return j.Array(func() error {
					text, err := j.MaybeText()
					entry(&t, text)
					return err
				})
			})
		})
	})
}

// deno finds the tasks of deno.json and deno.jsonc, or the scripts of package.json.
func (c *call) deno() {
	list, _ := operands(c.words, "-c", "--config", "--cwd", "-f", "--filter")
	if len(list) < 2 || list[0].text != "task" {
		return
	}
	dir := c.dir
	if to, ok := resolvers.Option(c.words[:list[1].at], false, "--cwd"); ok {
		dir = disk.Within(dir, to)
	}
	var paths []string
	if to, ok := resolvers.Option(c.words[:list[1].at], false, "-c", "--config"); ok {
		paths = append(paths, disk.Within(c.dir, to))
	} else {
		for _, name := range [...]string{"deno.json", "deno.jsonc", "package.json"} {
			if path, ok := disk.FindUp(dir, name); ok {
				paths = append(paths, path)
			}
		}
	}
	for _, path := range paths {
		var f *File
		if filepath.Base(path) == "package.json" {
			f = c.plain(path)
		} else {
			f = c.file(path, path, (*File).readDeno)
		}
		if f != nil && f.task(list[1].text) != nil {
			c.withWords(f, filepath.Dir(path), list[1].text, c.words[list[1].at+1:])
			return
		}
	}
}

// readDeno takes the tasks of a deno.json: a line, or an object with "command"
// and "dependencies".
func (f *File) readDeno() error {
	f.Kind, f.Tool = "deno", "deno"
	data, err := disk.ReadRegular(f.Path, maxTaskFile)
	if err != nil {
		return err
	}
	return jsonscan.Read(withoutComments(data), func(j *jsonscan.Reader) error {
		return j.Object(func(key string) error {
			if key != "tasks" || j.Peek() != '{' {
				return j.Skip()
			}
			return j.Object(func(name string) error {
				t := Task{Name: name}
				defer func() { f.Tasks = append(f.Tasks, t) }()
				if j.Peek() != '{' {
					text, err := j.MaybeText()
					t.Shell = text
					return err
				}
				return j.Object(func(key string) (err error) {
					switch {
					case key == "command":
						t.Shell, err = j.MaybeText()
						return err
					case key == "dependencies" && j.Peek() == '[':
						return j.Array(func() error {
							need, err := j.MaybeText()
							t.call(need)
							return err
						})
					}
					return j.Skip()
				})
			})
		})
	})
}

// withoutComments puts blanks in the place of the comments of a JSONC text, and
// of commas before a closing bracket.
func withoutComments(data []byte) []byte {
	out := append([]byte(nil), data...)
	comma := -1
	for i := 0; i < len(out); i++ {
		switch b := out[i]; {
		case b == '"':
			comma = -1
			for i++; i < len(out) && out[i] != '"'; i++ {
				if out[i] == '\\' {
					i++
				}
			}
		case b == '/' && i+1 < len(out) && out[i+1] == '/':
			for ; i < len(out) && out[i] != '\n'; i++ {
				out[i] = ' '
			}
		case b == '/' && i+1 < len(out) && out[i+1] == '*':
			out[i], out[i+1] = ' ', ' '
			for i += 2; i < len(out); i++ {
				if end := out[i] == '*' && i+1 < len(out) && out[i+1] == '/'; end {
					out[i], out[i+1] = ' ', ' '
					break
				}
				if out[i] != '\n' {
					out[i] = ' '
				}
			}
		case b == ',':
			comma = i
		case b == '}' || b == ']':
			if comma >= 0 {
				out[comma] = ' '
			}
			comma = -1
		case b != ' ' && b != '\n' && b != '\t' && b != '\r':
			comma = -1
		}
	}
	return out
}

// mise finds the tasks of mise's configurations and directories of tasks, the
// nearest first.
func (c *call) mise() {
	list, _ := operands(c.words, "-C", "--cd", "-E", "--env", "-j", "--jobs", "-o", "--output", "-t", "--tool", "-s", "--shell", "--timeout")
	if len(list) > 1 && list[0].text == "tasks" {
		list = list[1:]
	}
	if len(list) > 1 && (list[0].text == "run" || list[0].text == "r") {
		list = list[1:]
	} else if len(list) == 0 {
		return
	}
	if resolvers.Has(c.before(list), "-n", "--dry-run") {
		return
	}
	dir := c.dir
	if to, ok := resolvers.Option(c.words, true, "-C", "--cd"); ok {
		dir = disk.Within(dir, to)
	}
	for ; filepath.IsAbs(dir) && !resolvers.Expired(c.ctx); dir = filepath.Dir(dir) {
		for _, name := range miseFiles {
			path := filepath.Join(dir, name)
			if !disk.IsFile(path) {
				continue
			}
			f := c.tomlFile("mise", path, (*File).miseTasks)
			if f != nil && f.task(list[0].text) != nil {
				c.withWords(f, dir, list[0].text, c.words[list[0].at+1:])
				return
			}
		}
		for _, name := range miseDirs {
			path := filepath.Join(dir, name, filepath.FromSlash(strings.ReplaceAll(list[0].text, ":", "/")))
			for _, end := range [...]string{"", ".sh", ".py", ".js", ".rb"} {
				if data, err := disk.ReadRegular(path+end, maxTaskFile); err == nil && filepath.IsLocal(list[0].text) {
					c.body(Body{Task: list[0].text, File: path + end, Dir: dir, Text: string(data), Language: shebang(string(data))})
					return
				}
			}
		}
		if dir == filepath.Dir(dir) {
			return
		}
	}
}

// MiseTasks takes the tasks of a mise.toml.
func (f *File) miseTasks(doc map[string]any) {
	tasks, _ := doc["tasks"].(map[string]any)
	for name, v := range tasks {
		t := Task{Name: name}
		take := func(v any) {
			switch v := v.(type) {
			case string:
				t.commands = append(t.commands, v)
			case []any:
				for _, item := range v {
					if text, ok := item.(string); ok {
						t.commands = append(t.commands, text)
					} else if of, ok := asTable(item)["task"].(string); ok {
						t.call(of)
					}
				}
			}
		}
		take(v)
		of := asTable(v)
		if of != nil {
			take(of["run"])
			for _, key := range [...]string{"depends", "depends_post", "wait_for"} {
				needs, ok := of[key].([]any)
				if text, is := of[key].(string); is && !ok {
					needs = []any{text}
				}
				for _, need := range needs {
					text, _ := need.(string)
					text, _, _ = strings.Cut(text, " ")
					t.call(text)
				}
			}
			if dir, ok := of["dir"].(string); ok && !strings.Contains(dir, "{{") {
				t.dir = dir
			}
			if alias, ok := of["alias"].(string); ok {
				t.aliases = append(t.aliases, alias)
			}
			if shell, ok := of["shell"].(string); ok && interpreter(strings.Fields(shell + " x")[0]) != "sh" {
				t.language = interpreter(strings.Fields(shell + " x")[0])
			}
		}
		f.Tasks = append(f.Tasks, t)
	}
}
