package tasks

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/disk"
	"github.com/tool-mapping-protocol/tmp/resolvers"
)

// make finds the recipes of the targets that make would make, those that they
// need before them, and what runs while the makefile is read.
func (c *call) make() {
	dir, files, err := makefiles(c.request())
	if err != nil {
		return
	}
	c.trial = triesOnly(c.words)
	list, dash := operands(c.words, "-C", "--directory", "-f", "--file", "--makefile", "-I", "--include-dir", "-o", "--old-file", "--assume-old", "-W", "--what-if", "--new-file", "--assume-new", "--eval", "-E")
	given := map[string]string{}
	var targets []string
	for _, w := range operandTexts(list, c.words[min(dash+1, len(c.words)):]) {
		if name, value, ok := strings.Cut(w, "="); ok {
			given[strings.TrimRight(name, ":?+")] = value
		} else if strings.Trim(w, "0123456789") != "" { // the number of -j
			targets = append(targets, w)
		}
	}
	var p *makeParser
	key := strings.Join(append([]string{"make", dir}, files...), "\x00") + "\x00" + strings.Join(sortedPairs(given), "\x00")
	f := c.file(key, files[0], func(f *File) (err error) {
		p, err = f.readMakefiles(dir, files, resolvers.Options(c.words, true, "-I", "--include-dir"), given, func() bool { return resolvers.Expired(c.ctx) })
		if err != nil {
			return err
		}
		none := &makeTarget{}
		for _, text := range p.reading {
			f.reading = append(f.reading, p.shell(text, none, &Task{}, 0))
		}
		if goal, ok := p.expand(p.vars[".DEFAULT_GOAL"]); ok && goal != "" {
			f.first = goal
		} else if p.first != nil {
			f.first = p.first.name
		}
		return nil
	})
	if f == nil {
		return
	}
	for _, text := range f.reading {
		c.body(Body{File: f.Path, Dir: dir, Text: text, Language: "sh"})
	}
	for _, code := range resolvers.Options(c.words, true, "--eval", "-E") {
		for _, text := range makeShells(code) {
			c.body(Body{Dir: dir, Text: text, Language: "sh"})
		}
	}
	if len(targets) == 0 && f.first != "" {
		targets = []string{f.first}
	}
	c.run(f, dir, targets, nil)
}

// triesOnly reports whether make is only to show or to say what it would run.
func triesOnly(words []string) bool {
	return resolvers.Has(words, "--dry-run", "--just-print", "--recon", "--question") || slices.ContainsFunc(words, func(w string) bool {
		letters, ok := strings.CutPrefix(w, "-")
		i := strings.IndexAny(letters, "nq")
		return ok && i >= 0 && strings.Trim(letters[:i], "Bdeikprstvw") == ""
	})
}

// operandTexts are those of operands and of the words behind "--".
func operandTexts(list []operand, rest []string) []string {
	var out []string
	for _, o := range list {
		out = append(out, o.text)
	}
	return append(out, rest...)
}

func sortedPairs(m map[string]string) []string {
	var out []string
	for k, v := range m {
		out = append(out, k+"="+v)
	}
	slices.Sort(out)
	return out
}

// just finds the recipes that just would run. What their words give to their
// parameters stands before the text as variables of the shell.
func (c *call) just() {
	if resolvers.Has(c.words, "-l", "--list", "-s", "--show", "--summary", "--dump", "--fmt", "-e", "--edit", "--init", "--completions", "--groups", "--variables", "--usage") {
		return
	}
	r := c.request()
	list, dash := operands(c.words, "-f", "--justfile", "-d", "--working-directory", "--shell", "--shell-arg", "--dotenv-path", "--dotenv-filename", "-E", "--color", "--chooser", "--tempdir", "--timestamp-format")
	if resolvers.Has(c.before(list), "-n", "--dry-run") {
		return
	}
	args := operandTexts(list, c.words[min(dash+1, len(c.words)):])
	for i, o := range list {
		if !strings.Contains(o.text, "=") { // what follows a recipe is its own, options too
			args = append(args[:i:i], c.words[o.at:]...)
			break
		}
	}
	if len(args) > 0 && strings.Contains(args[0], "/") && !strings.Contains(args[0], "=") { // just sub/recipe
		r.Dir, args[0] = disk.Within(r.Dir, filepath.Dir(args[0])), filepath.Base(args[0])
	}
	path, dir, err := justfile(r)
	if err != nil {
		return
	}
	f := c.file("just\x00"+path, path, func(f *File) error { return f.readModules(resolvers.NewCollector(c.ctx, r)) })
	if f == nil {
		return
	}
	for _, text := range f.reading {
		c.body(Body{File: f.Path, Dir: dir, Text: text, Language: "sh"})
	}
	if resolvers.Has(c.words, "--evaluate") {
		return
	}
	vars := slices.Clone(f.vars)
	for i := 1; i+2 < len(c.words); i++ {
		if c.words[i] == "--set" {
			vars = append(vars, variable{c.words[i+1], c.words[i+2]})
			args = slices.DeleteFunc(args, func(a string) bool { return a == c.words[i+1] || a == c.words[i+2] })
		}
	}
	for len(args) > 0 {
		name, value, ok := strings.Cut(args[0], "=")
		if !ok {
			break
		}
		vars, args = append(vars, variable{name, value}), args[1:]
	}
	if len(args) == 0 && f.first != "" {
		args = []string{f.first}
	}
	for len(args) > 0 {
		args = c.recipe(f, dir, vars, args)
	}
}

// recipe adds the recipe that the first word names, with the words that are its
// arguments, and returns the words behind them.
func (c *call) recipe(f *File, dir string, vars []variable, args []string) []string {
	name, rest := args[0], args[1:]
	for f.task(name) == nil && len(rest) > 0 { // just module recipe
		name, rest = name+"::"+rest[0], rest[1:]
	}
	t := f.task(name)
	if t == nil {
		return args[1:]
	}
	if to, ok := strings.CutPrefix(t.Description, "alias of "); ok && f.task(to) != nil {
		name, t = to, f.task(to)
	}
	given := slices.Clone(vars)
	for i := range t.Params {
		p := &t.Params[i]
		switch {
		case p.Many && len(rest) > 0:
			given, rest = append(given, variable{p.Name, strings.Join(rest, " ")}), nil
		case len(rest) > 0:
			given, rest = append(given, variable{p.Name, rest[0]}), rest[1:]
		case p.Default != "":
			given = append(given, variable{p.Name, p.Default})
		}
	}
	c.run(f, dir, []string{name}, func(of *Task) string {
		var b strings.Builder
		list := vars
		if of.Name == name {
			list = given
		} else {
			for i := range of.Params {
				if p := &of.Params[i]; p.Default != "" {
					list = append(slices.Clip(list), variable{p.Name, p.Default})
				}
			}
		}
		for _, v := range list {
			b.WriteString(assigned(v.name, v.value))
		}
		return b.String()
	})
	return rest
}

// readModules takes the recipes of a justfile with those of its imports and
// modules, and its variables as far as they are plain texts.
func (f *File) readModules(c *resolvers.Collector) error {
	f.Kind, f.Tool = "just", "just"
	shell := ""
	l := justLoader{c: c, modules: true}
	l.emit = func(r justRecipe) {
		t := r.task()
		for i, n := range t.Calls {
			t.Calls[i] = l.prefix + n
		}
		t.Name = l.prefix + t.Name
		if f.first == "" && l.prefix == "" && !strings.HasPrefix(r.comment, "alias of ") {
			f.first = t.Name
		}
		if path := l.files[len(l.files)-1]; path != f.Path {
			if t.file = path; l.prefix != "" {
				t.dir = filepath.Dir(path)
			}
		}
		f.Tasks = append(f.Tasks, t)
	}
	l.assign = func(name, value string) {
		quote := value + " "
		switch {
		case name == "set shell":
			shell = strings.Trim(strings.TrimSpace(strings.SplitN(strings.TrimLeft(value, "[ "), ",", 2)[0]), `"'] `)
		case quote[0] == '`' && len(value) > 2:
			f.reading = append(f.reading, strings.Trim(value, "`"))
		case strings.HasPrefix(value, "shell("):
			f.reading = append(f.reading, strings.Trim(strings.TrimSuffix(strings.TrimPrefix(value, "shell("), ")"), `"'`))
		case len(value) > 1 && (quote[0] == '\'' || quote[0] == '"') && value[len(value)-1] == value[0] && strings.Count(value, value[:1]) == 2:
			f.vars = append(f.vars, variable{name, value[1 : len(value)-1]})
		}
	}
	err := l.load(f.Path, 0)
	f.Files = l.files
	if shell != "" {
		if lang := interpreter(shell); lang != "sh" {
			for i := range f.Tasks {
				if t := &f.Tasks[i]; !strings.HasPrefix(t.Shell, "#!") {
					t.language = lang
				}
			}
		}
	}
	return err
}

// task finds the tasks that task would run. Variables with plain values stand
// before the text as those of the shell.
func (c *call) task() {
	if resolvers.Has(c.words, "-l", "--list", "-a", "--list-all", "--summary", "--status", "-i", "--init", "--completion", "--version") {
		return
	}
	path, err := taskfile(c.request())
	if err != nil {
		return
	}
	f := c.file(path, path, (*File).readTaskfile)
	if f == nil {
		return
	}
	list, dash := operands(c.words, "-t", "--taskfile", "-d", "--dir", "-o", "--output", "-C", "--concurrency", "-I", "--interval", "--sort", "--output-group-begin", "--output-group-end")
	if resolvers.Has(c.words[:dash], "-n", "--dry") {
		return
	}
	var given []variable
	var names []string
	for _, o := range list {
		if name, value, ok := strings.Cut(o.text, "="); ok {
			given = append(given, variable{name, value})
		} else {
			names = append(names, o.text)
		}
	}
	if dash < len(c.words) {
		given = append(given, variable{"CLI_ARGS", strings.TrimSpace(quoted(c.words[dash+1:]))})
	}
	if len(names) == 0 {
		names = []string{"default"}
	}
	c.run(f, filepath.Dir(path), names, func(t *Task) string {
		var b strings.Builder
		for _, v := range slices.Concat(t.vars, given) {
			b.WriteString(assigned(v.name, v.value))
		}
		return b.String()
	})
}
