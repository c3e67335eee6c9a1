// Package script holds the commands that draft operations from files: tmp script
// add and import, with what writes such drafts (drafted.go).
package script

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/cli/command"
	"github.com/tool-mapping-protocol/tmp/internal/cli/term"
	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/internal/phrase"
	"github.com/tool-mapping-protocol/tmp/internal/printed"
	"github.com/tool-mapping-protocol/tmp/internal/recipe"
	"github.com/tool-mapping-protocol/tmp/internal/sandbox"
	"github.com/tool-mapping-protocol/tmp/internal/session"
	"github.com/tool-mapping-protocol/tmp/internal/toolid"
	"github.com/tool-mapping-protocol/tmp/internal/workflow"
	"github.com/tool-mapping-protocol/tmp/resolvers/tasks"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

type addOptions struct {
	id              string
	intents         []string
	ask, user, json bool
}

// NewAdd is tmp script add.
func NewAdd(env *term.Env, f *command.Flags) command.Run {
	var o addOptions
	f.String("id", &o.id)
	f.Strings("intent", &o.intents)
	f.Bool("ask", &o.ask)
	f.Bool("user", &o.user)
	f.Bool("json", &o.json)
	return func(in command.Input) error { return o.run(env, in.Args[0]) }
}

// maxScript bounds what is read of a script, in bytes.
const maxScript = 1 << 20

func (o *addOptions) run(env *term.Env, file string) error {
	w, err := env.Session()
	if err != nil {
		return err
	}
	source, path, err := newSource(w, file, o.user)
	if err != nil {
		return err
	}
	if _, err := tasks.Read(path); err == nil {
		return term.Failf("%s is a file of tasks, no script", file).Hint("tmp script import %s drafts an operation for each task", file)
	}
	if task := runsOnly(w, source.File); task != "" && o.id == "" && !o.user {
		return term.Failf("%s runs %s and nothing else: that is one operation", task, file).Hint("--id ID drafts another one of the script all the same")
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	text := string(data)
	if len(text) > maxScript || strings.IndexByte(text, 0) >= 0 {
		return term.Failf("%s is no script: it is a binary, or larger than 1 MiB", file).Hint("tmp generate drafts the maps of programs in PATH")
	}
	d := Drafted{User: o.user, JSON: o.json, again: true}
	help := ""
	if o.ask {
		if help, err = jailedHelp(env.Context, path); err != nil {
			d.notes = append(d.notes, err.Error()+": only its text was read")
		}
	}
	s := recipe.Read(source.File, text, help)
	id := o.id
	if id == "" {
		id = scriptID(w, source.File)
	}
	if err := toolid.Check(id); err != nil {
		return term.Usagef("--id: %s", err)
	}
	command, runnable := commandOf(source, path, s)
	op, ok := s.Operation(id, command, source, judged(w), taken(w, id))
	if !ok || !runnable {
		return term.Failf("%s: its path holds blanks or signs that no template can hold", file).Hint("give it a plain name")
	}
	op.Intents = append(slices.Clone(o.intents), op.Intents...)
	op.Intents = slices.Compact(op.Intents)
	tree := s.Tree()
	tree.Operations = []*opmap.Operation{op}
	d.Name = "script." + strings.TrimPrefix(id, "script.")
	return d.Write(env, w, tree)
}

// runsOnly is the operation of a task that runs a script of the project and
// nothing else, "" if there is none.
func runsOnly(w *session.Session, script string) string {
	for _, op := range w.OfProject() {
		if op.Surface != "script" || len(op.Sources) == 0 || op.Sources[0].File == script {
			continue
		}
		f, err := tasks.Read(filepath.Join(w.Project, op.Sources[0].File))
		if err != nil {
			continue
		}
		for i := range f.Tasks {
			if t := &f.Tasks[i]; onlyScript(w, f, t) == script && strings.HasSuffix(op.ID, "."+recipe.Segment(t.Name)) {
				return op.ID
			}
		}
	}
	return ""
}

// onlyScript is the script of the project, named from its root, that is all a
// task runs, without arguments; "" if it does anything else.
func onlyScript(w *session.Session, f *tasks.File, t *tasks.Task) string {
	words := strings.Fields(strings.TrimLeft(strings.TrimSpace(t.Shell), "@-+"))
	if len(words) == 2 && (words[0] == "sh" || words[0] == "bash") {
		words = words[1:]
	}
	if len(words) != 1 || len(t.Calls) > 0 || len(t.Params) > 0 || w.Project == "" {
		return ""
	}
	rel, err := filepath.Rel(w.Project, filepath.Join(filepath.Dir(f.Path), words[0]))
	if err != nil || !strings.Contains(words[0], "/") && words[0] == filepath.Base(words[0]) && filepath.Ext(words[0]) == "" {
		return "" // a command of PATH
	}
	return filepath.ToSlash(rel)
}

// scripts are the operations of the project's scripts, by the script's name from
// its root.
func scripts(w *session.Session) map[string]string {
	out := map[string]string{}
	for _, op := range w.OfProject() {
		if op.Surface == "script" && len(op.Sources) == 1 {
			out[op.Sources[0].File] = op.ID
		}
	}
	return out
}

// newSource is a file as a source of an operation: named from the project's
// root, or for the user's own maps by its absolute path.
func newSource(w *session.Session, file string, user bool) (s workflow.Source, path string, err error) {
	path = file
	if !filepath.IsAbs(path) {
		path = filepath.Join(w.Dir, path)
	}
	path = filepath.Clean(path)
	s.File = path
	if !user {
		if w.Project == "" {
			return s, "", term.Failf("there is no .tmp here or above: this is no project of tmp's yet").Hint("tmp init makes one; tmp script add --user adds a script to your own maps instead")
		}
		rel, err := filepath.Rel(w.Project, path)
		if err != nil || !filepath.IsLocal(rel) {
			return s, "", term.Failf("%s is not in the project %s", file, w.Project).Hint("tmp script add --user adds a script from elsewhere to your own maps")
		}
		s.File = filepath.ToSlash(rel)
	}
	s.SHA256, err = opmap.HashFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return s, "", term.Failf("there is no file %s", file)
	case err != nil:
		return s, "", term.Failf("%s", err)
	}
	return s, path, nil
}

// scriptID is the ID of a script's operation: its name, with its directory if
// another file's operation has that.
func scriptID(w *session.Session, file string) string {
	name := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	id := "script." + recipe.Segment(name)
	if op, ok := w.View.Operation(id); ok {
		d, _ := workflow.Parse(w.View.Detail(op.ID))
		if len(d.Sources) == 0 || d.Sources[0].File != file {
			return "script." + recipe.Segment(filepath.Base(filepath.Dir(file))+" "+name)
		}
	}
	return id
}

// commandOf is how a script is started: by its path, or by what its language
// says if it may not be executed itself.
func commandOf(s workflow.Source, path string, script *recipe.Script) (string, bool) {
	name := s.File
	st, err := os.Stat(path)
	executable := err == nil && st.Mode()&0o111 != 0
	if !filepath.IsAbs(name) && executable {
		name = "./" + name
	}
	words := []string{name}
	if !executable {
		words = append(script.Runner(), name)
	}
	return strings.Join(words, " "), !strings.ContainsAny(name, " \t\n<>") && !strings.HasPrefix(name, "-")
}

// judged rates whole scripts.
func judged(w *session.Session) recipe.Judge {
	return func(text, language string) recipe.Risk {
		level, flags, rules := w.JudgeScript(text, language)
		return recipe.Risk{
			Level: level, Flags: flags, Builds: printed.Builds(w.View, text),
			Deploys: slices.ContainsFunc(rules, func(rule string) bool { return deploys(w.View, rule) }),
		}
	}
}

// deploys reports whether a rule that spoke, "kubectl.apply", is of a program that
// sends something to where others use it, or of a command that does.
func deploys(v *tcpdb.View, rule string) bool {
	tool, rest, _ := strings.Cut(rule, ".")
	if root := v.Root(tool); root != nil && root.HasClass(tcpdb.DeployerClass) {
		return true
	}
	verb, _, _ := strings.Cut(rest, ".")
	return verb == "publish" || verb == "push"
}

// taken reports intents that operations other than those of the given IDs have.
func taken(w *session.Session, own ...string) recipe.Taken {
	ops := w.View.Operations()
	return func(intent string) bool {
		said := phrase.Split(intent)
		for i := range ops {
			if slices.Contains(own, ops[i].ID) || !w.Request("").Applies(&ops[i]) {
				continue
			}
			for _, in := range ops[i].Intents {
				if _, ok := phrase.Parse(in).Match(said); ok || in == intent {
					return true
				}
			}
		}
		return false
	}
}

// jailedHelp is what a script prints for --help in a jail.
func jailedHelp(ctx context.Context, path string) (string, error) {
	r, err := sandbox.Run(ctx, sandbox.Spec{Argv: []string{path, "--help"}, Output: 1 << 20, Show: []string{filepath.Dir(path)}})
	switch {
	case err != nil:
		return "", fmt.Errorf("%s was not run: %w", path, err)
	case r.TimedOut || r.Cut:
		return "", fmt.Errorf("%s did not answer --help", path)
	}
	return string(r.Stdout) + "\n" + string(r.Stderr), nil
}

type importOptions struct {
	only []string
	json bool
}

// NewImport is tmp script import.
func NewImport(env *term.Env, f *command.Flags) command.Run {
	var o importOptions
	f.Strings("only", &o.only)
	f.Bool("json", &o.json)
	return func(in command.Input) error { return o.run(env, in.Args) }
}

func (o *importOptions) run(env *term.Env, files []string) error {
	w, err := env.Session()
	if err != nil {
		return err
	}
	if len(files) == 0 {
		if files = tasks.Files(env.Dir); len(files) == 0 {
			return term.Failf("there is no Taskfile, justfile, Makefile or package.json here").Hint("name the file, or cd to where it is")
		}
	}
	var answers []*draftsJSON
	found := map[string]bool{}
	for _, file := range files {
		a, err := o.one(w, file, found)
		if err != nil {
			return err
		}
		answers = append(answers, a)
	}
	for _, name := range o.only {
		if !found[name] {
			return term.Failf("no file has a task %q that can be called by name", name)
		}
	}
	if o.json {
		return env.PrintJSON(struct {
			V     int           `json:"v"`
			Files []*draftsJSON `json:"files"`
		}{1, answers})
	}
	for _, a := range answers {
		(&Drafted{}).tell(env, a)
	}
	return nil
}

// one drafts the operations of one task file.
func (o *importOptions) one(w *session.Session, file string, found map[string]bool) (*draftsJSON, error) {
	first, path, err := newSource(w, file, false)
	if err != nil {
		return nil, err
	}
	f, err := tasks.Read(path)
	if err != nil {
		return nil, term.Failf("%s", err)
	}
	sources := []workflow.Source{first}
	d := Drafted{again: true, Name: "tasks." + recipe.Segment(first.File)}
	for _, other := range f.Files {
		if other == path {
			continue
		}
		s, _, err := newSource(w, other, false)
		if err != nil {
			d.notes = append(d.notes, fmt.Sprintf("%s: %s is not watched for changes", first.File, err))
			continue
		}
		sources = append(sources, s)
	}
	var own []string
	for _, op := range w.View.Operations() {
		if detail, err := workflow.Parse(w.View.Detail(op.ID)); err == nil && len(detail.Sources) > 0 && detail.Sources[0].File == first.File {
			own = append(own, op.ID)
		}
	}
	if len(o.only) > 0 {
		for i := range f.Tasks {
			found[f.Tasks[i].Name] = found[f.Tasks[i].Name] || !f.Tasks[i].Private && slices.Contains(o.only, f.Tasks[i].Name)
			f.Tasks[i].Private = f.Tasks[i].Private || !slices.Contains(o.only, f.Tasks[i].Name)
		}
	}
	drafted := scripts(w)
	for i := range f.Tasks {
		t := &f.Tasks[i]
		if id := drafted[onlyScript(w, f, t)]; id != "" && !t.Private && !slices.Contains(o.only, t.Name) {
			t.Private = true
			d.notes = append(d.notes, fmt.Sprintf("%s runs the script of %s and nothing else: it is not drafted again", t.Name, id))
		}
	}
	ops := recipe.Tasks(f, sources, judged(w), taken(w, own...))
	if len(ops) == 0 {
		if len(d.notes) == 0 {
			d.notes = []string{first.File + " has no task that can be called by name"}
		}
		return &draftsJSON{V: 1, Operations: []session.Operation{}, Notes: d.notes, Next: []string{}}, nil
	}
	return d.put(w, &opmap.Source{Schema: opmap.SchemaVersion, Tool: f.Tool, Provenance: "user", Operations: ops})
}
