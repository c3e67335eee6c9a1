package opmap

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/tool-mapping-protocol/tmp/internal/workflow"
)

// running reads what running an operation needs beside its words.
func (d *decoder) running(o *object, op *Operation) {
	op.EnvGiven = o.get("env") != nil
	op.Env, op.Timeout, op.Idempotent = o.texts("env"), o.text("timeout"), o.flag("idempotent", false)
	op.Outputs, op.Inputs = d.patterns(o, "outputs"), d.patterns(o, "inputs")
	for _, name := range op.Env {
		if !validVariable(strings.TrimSuffix(name, "*")) {
			o.errorf("env", "%q: want the name of a variable, or its beginning as AWS_*", name)
		}
	}
	if t, err := time.ParseDuration(op.Timeout); op.Timeout != "" && (err != nil || t <= 0) {
		o.errorf("timeout", "%q: want a time such as 90s or 5m", op.Timeout)
	}
	for i, v := range o.list("sources") {
		if s := d.object(v, fmt.Sprintf("%s[%d]", o.field("sources"), i)); s != nil {
			op.Sources = append(op.Sources, s.source())
		}
	}
	switch op.Directory = o.text("directory"); {
	case op.Directory != "" && op.Directory != "source":
		o.errorf("directory", `%q: want "source" or nothing`, op.Directory)
	case op.Directory != "" && len(op.Sources) == 0:
		o.errorf("directory", "is that of the source, and there are no sources")
	}
}

// patterns reads a list of patterns of paths.
func (d *decoder) patterns(o *object, field string) []string {
	list := o.texts(field)
	for _, one := range list {
		if one == "" || strings.HasPrefix(one, "/") || strings.HasPrefix(one, "~") || slices.Contains(strings.Split(one, "/"), "..") || badText(one) != "" {
			o.errorf(field, "%q: want a pattern below the project, such as dist/** or *.log", one)
		}
	}
	return list
}

// source reads a file that an operation was read from.
func (o *object) source() workflow.Source {
	s := workflow.Source{File: o.text("file"), SHA256: o.text("sha256")}
	if s.File == "" || path.Clean(s.File) != s.File || s.File == ".." || strings.HasPrefix(s.File, "../") || badText(s.File) != "" {
		o.errorf("file", "%q: want an absolute name, or one such as Makefile", s.File)
	}
	if len(s.SHA256) != 64 || strings.Trim(s.SHA256, "0123456789abcdef") != "" {
		o.errorf("sha256", "%q: want 64 hex digits", s.SHA256)
	}
	o.rest()
	return s
}

func sourceValue(s workflow.Source) *value {
	w := newObject()
	w.text("file", s.File)
	w.text("sha256", s.SHA256)
	return w.v
}

func validVariable(s string) bool {
	return s != "" && (s[0] < '0' || s[0] > '9') &&
		strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") == ""
}

// steps reads the steps of a workflow. One is an object, or the ID of an
// operation; one without "needs" follows the one before it.
func (d *decoder) steps(o *object, op *Operation) {
	given := o.get("steps") != nil
	switch {
	case op.Surface != "workflow" && given:
		o.errorf("steps", "only an operation of surface workflow has steps")
	case op.Surface == "workflow" && op.Template != "":
		o.errorf("template", "a workflow has steps and no template")
	case op.Surface == "workflow" && !given:
		o.errorf("steps", "are missing: an operation of surface workflow needs them")
	}
	for i, v := range o.list("steps") {
		s, ok := d.step(v, fmt.Sprintf("%s[%d]", o.field("steps"), i))
		if !ok {
			continue
		}
		if s.Needs == nil {
			s.Needs = []string{}
			if n := len(op.Steps); n > 0 {
				s.Needs = []string{op.Steps[n-1].ID}
			}
		}
		op.Steps, op.stepLines = append(op.Steps, s), append(op.stepLines, v.line)
	}
	var params []string
	for _, p := range op.Parameters {
		params = append(params, p.Name)
	}
	if !given {
		return
	}
	for _, err := range workflow.Check(op.Steps, params) {
		o.errorf("steps", "%v", err)
	}
}

func (d *decoder) step(v *value, at string) (workflow.Step, bool) {
	if v.kind == stringKind {
		return workflow.Step{ID: stepID(v.text), Run: v.text}, true
	}
	o := d.object(v, at)
	if o == nil {
		return workflow.Step{}, false
	}
	s := workflow.Step{ID: o.text("id"), Run: o.text("run"), If: o.line1("if"), On: o.text("on"), Retry: o.count("retry")}
	if s.ID == "" {
		s.ID = stepID(s.Run)
	}
	if o.get("needs") != nil {
		s.Needs = append([]string{}, o.texts("needs")...)
	}
	if w := o.get("with"); w != nil {
		if in := d.object(w, o.field("with")); in != nil {
			s.With = map[string]string{}
			for _, m := range in.v.members {
				s.With[m.name] = in.text(m.name)
			}
		}
	}
	o.rest()
	return s, true
}

// stepID is the name of a step that gives none: its operation with "-" for ".".
func stepID(run string) string { return strings.ReplaceAll(run, ".", "-") }

func stepValue(s workflow.Step) *value {
	w := newObject()
	w.text("id", s.ID)
	w.text("run", s.Run)
	if len(s.With) > 0 {
		x := newObject()
		for _, name := range slices.Sorted(maps.Keys(s.With)) {
			x.add(name, textValue(s.With[name]))
		}
		w.add("with", x.v)
	}
	w.add("needs", arrayOf(values(s.Needs, textValue)))
	w.text("if", s.If)
	w.text("on", s.On)
	w.count("retry", s.Retry)
	return w.v
}

// detail is what the compiled map keeps beside the operation. One that runs a
// script of the project in dir is bound to it even if it names no source.
func (op *Operation) detail(dir, file, program string, versions []string) string {
	env := op.Env
	if op.EnvGiven && env == nil {
		env = []string{}
	}
	sources := op.Sources
	if len(sources) == 0 {
		sources = scripts(dir, op)
	}
	return workflow.Detail{Env: env, Bare: op.EnvGiven, Timeout: op.Timeout, Idempotent: op.Idempotent, Outputs: op.Outputs, Inputs: op.Inputs, Steps: op.Steps, Sources: sources, Directory: op.Directory, Program: program, Versions: versions, Record: op.recordText(file)}.Text()
}
