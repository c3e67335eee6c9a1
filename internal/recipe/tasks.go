package recipe

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/opmap"
	"github.com/tool-mapping-protocol/tmp/internal/workflow"
	"github.com/tool-mapping-protocol/tmp/resolvers/tasks"
)

// Tasks drafts an operation for each task of a file that is meant to be called
// by name. Sources are the files that it was read from, as the map names them;
// the first is the task file itself.
func Tasks(f *tasks.File, sources []workflow.Source, judge Judge, taken Taken) []*opmap.Operation {
	d := &drafter{file: f, sources: sources, judge: judge, taken: taken, ids: namer{}, seen: map[string]bool{}, byName: map[string]*tasks.Task{}}
	for i := range f.Tasks {
		d.byName[f.Tasks[i].Name] = &f.Tasks[i]
	}
	var out []*opmap.Operation
	for i := range f.Tasks {
		if t := &f.Tasks[i]; !t.Private {
			if op := d.operation(t); op != nil {
				out = append(out, op)
			}
		}
	}
	return out
}

type drafter struct {
	file    *tasks.File
	sources []workflow.Source
	judge   Judge
	taken   Taken
	ids     namer
	seen    map[string]bool
	byName  map[string]*tasks.Task
}

func (d *drafter) operation(t *tasks.Task) *opmap.Operation {
	text, confirm := d.whole(t, map[string]bool{})
	risk := d.judge(text, "bash")
	op := &opmap.Operation{
		ID: validID(d.prefix()+Segment(t.Name), d.ids), Surface: "script", Description: description(t.Description),
		Effect: risk.effect(t.Name), Risk: risk.word(), OutputPolicy: output(), Sources: d.sources,
		When: &opmap.When{Files: []string{d.sources[0].File}},
	}
	if confirm {
		op.Approval = "required"
	}
	if op.Description == "" {
		op.Description = description(d.file.Tool + " " + t.Name)
	}
	if d.file.Kind == "make" {
		op.Directory = "source" // make looks nowhere but where it stands
	}
	line := append(d.command(), t.Name)
	names := namer{}
	var slots []string
	for _, p := range t.Params {
		q := &opmap.Parameter{Name: names.free(parameterName(p.Name), "value"), Type: "string", Required: p.Required}
		if len(p.Values) > 0 {
			q.Type = "enum:" + strings.Join(p.Values, ",")
		}
		if p.Default != "" {
			q.Description = description("by default " + p.Default)
		}
		word := "<" + q.Name + ">"
		if p.Named {
			word = p.Name + "=" + word
		} else if d.file.Kind == "task" {
			line = append(line, "--")
		}
		line = append(line, word)
		op.Parameters = append(op.Parameters, q)
		if p.Required {
			slots = append(slots, "<"+q.Name+">")
		}
	}
	tmpl, ok := template(line)
	if !ok || op.ID == "" || strings.ContainsAny(t.Name, "<>") || strings.HasPrefix(t.Name, "-") {
		return nil
	}
	op.Template = tmpl
	if op.Intents = intents(d.candidates(t, slots), d.taken, d.seen); len(op.Intents) == 0 {
		last := strings.Join(append(append(words(t.Name), "this", "project"), slots...), " ") + " with " + d.file.Tool
		op.Intents = intents([]string{last}, d.taken, d.seen)
	}
	return op
}

// whole is the text of a task with those of the tasks that it calls.
func (d *drafter) whole(t *tasks.Task, done map[string]bool) (text string, confirm bool) {
	if done[t.Name] || len(done) > 200 {
		return "", false
	}
	done[t.Name] = true
	var b strings.Builder
	confirm = t.Confirm
	for _, name := range t.Calls {
		if c := d.byName[name]; c != nil {
			inner, asks := d.whole(c, done)
			b.WriteString(inner)
			confirm = confirm || asks
		}
	}
	b.WriteString(strings.TrimRight(t.Shell, "\n") + "\n")
	return b.String(), confirm
}

// candidates are intents: the name with its tool, the name itself, and what the
// file says of it, each with the parameters that it needs.
func (d *drafter) candidates(t *tasks.Task, slots []string) []string {
	name := strings.Join(words(t.Name), " ")
	end := ""
	if len(slots) > 0 {
		end = " " + strings.Join(slots, " ")
	}
	out := []string{name + end}
	if say := saying(t.Description); say != "" {
		out = append(out, say+end)
	}
	return append(out, name+end+" with "+d.file.Tool)
}

func (d *drafter) prefix() string {
	return map[string]string{"make": "make.target.", "just": "just.recipe.", "npm": "npm.script.", "task": "task.run."}[d.file.Kind]
}

// found are the names, in small letters or as they stand, under which a tool finds
// its file by itself.
var found = map[string][]string{
	"make": {"makefile", "GNUmakefile"},
	"just": {"justfile", ".justfile"},
}

// command is what comes before a task's name. A file that its tool would not
// find by itself is named.
func (d *drafter) command() []string {
	base, kind := filepath.Base(d.file.Path), d.file.Kind
	names, named := found[kind]
	switch {
	case kind == "npm":
		return []string{d.file.Tool, "run"}
	case !named || slices.Contains(names, base) || slices.Contains(names, strings.ToLower(base)):
		return []string{kind}
	case kind == "make":
		return []string{kind, "-f", base} // it is run where the file is
	}
	return []string{kind, "-f", d.sources[0].File}
}
