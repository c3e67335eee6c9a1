package opmap

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
)

// decoder turns values into source types and collects what is wrong.
type decoder struct {
	file          string
	knownResolver func(string) bool
	problems      Problems
}

func (d *decoder) report(s Severity, line int, field, format string, args ...any) {
	d.problems = append(d.problems, &Problem{
		File: d.file, Line: line, Field: field, Severity: s, Reason: fmt.Sprintf(format, args...),
	})
}

func (d *decoder) errorf(line int, field, format string, args ...any) {
	d.report(Error, line, field, format, args...)
}

// object reads the members of one JSON object by name.
type object struct {
	d    *decoder
	v    *value
	path string
	read []bool
}

// object returns v as an object, or nil after reporting that it is none.
func (d *decoder) object(v *value, path string) *object {
	if v.kind != objectKind {
		d.errorf(v.line, path, "is %s: want an object", v.kind)
		return nil
	}
	return &object{d: d, v: v, path: path, read: make([]bool, len(v.members))}
}

func (o *object) field(name string) string {
	if o.path == "" {
		return name
	}
	return o.path + "." + name
}

// get returns the member of that name and marks it read; null counts as absent.
func (o *object) get(name string) *value {
	for i := range o.v.members {
		if o.v.members[i].name == name {
			o.read[i] = true
			if v := o.v.members[i].value; v.kind != nullKind {
				return v
			}
			return nil
		}
	}
	return nil
}

// line is that of the member, or of the object if it has no such member.
func (o *object) line(name string) int {
	for i := range o.v.members {
		if o.v.members[i].name == name {
			return o.v.members[i].line
		}
	}
	return o.v.line
}

func (o *object) errorf(name, format string, args ...any) {
	o.d.errorf(o.line(name), o.field(name), format, args...)
}

func (o *object) warnf(name, format string, args ...any) {
	o.d.report(Warning, o.line(name), o.field(name), format, args...)
}

// want returns the member if it is of the kind, and reports another one.
func (o *object) want(name string, k kind) *value {
	v := o.get(name)
	if v != nil && v.kind != k {
		o.d.errorf(v.line, o.field(name), "is %s: want %s", v.kind, k)
		return nil
	}
	return v
}

func (o *object) text(name string) string {
	if v := o.want(name, stringKind); v != nil {
		return v.text
	}
	return ""
}

func (o *object) flag(name string, missing bool) bool {
	if v := o.want(name, boolKind); v != nil {
		return v.yes
	}
	return missing
}

func (o *object) count(name string) int {
	v := o.want(name, numberKind)
	if v == nil {
		return 0
	}
	n, err := strconv.Atoi(v.text)
	if err != nil || n < 0 || n > 1<<16 {
		o.errorf(name, "is %s: want a whole number from 0 to 65536", v.text)
		return 0
	}
	return n
}

func (o *object) list(name string) []*value {
	if v := o.want(name, arrayKind); v != nil {
		return v.items
	}
	return nil
}

// texts reads a list of strings; a single string stands for a list of one.
func (o *object) texts(name string) []string {
	v := o.get(name)
	if v == nil {
		return nil
	}
	if v.kind == stringKind {
		return []string{v.text}
	}
	if v.kind != arrayKind {
		o.d.errorf(v.line, o.field(name), "is %s: want a list of strings", v.kind)
		return nil
	}
	var out []string
	for i, item := range v.items {
		if item.kind != stringKind {
			o.d.errorf(item.line, fmt.Sprintf("%s[%d]", o.field(name), i), "is %s: want a string", item.kind)
			continue
		}
		out = append(out, item.text)
	}
	return out
}

// rest returns the members nobody read, and reports each that is not among
// the expected ones.
func (o *object) rest(expected ...string) []Extra {
	var extra []Extra
	for i, m := range o.v.members {
		if o.read[i] {
			continue
		}
		extra = append(extra, Extra{m.name, json.RawMessage(m.value.append(nil))})
		if slices.Contains(expected, m.name) {
			continue
		}
		o.d.problems = append(o.d.problems, &Problem{
			File: o.d.file, Line: m.line, Field: o.field(m.name),
			Reason: "is not a known field" + didYouMean(m.name, o.path), Unknown: true, Severity: Warning,
		})
	}
	return extra
}

// didYouMean helps with the few names that people mix up.
func didYouMean(name, _ string) string {
	switch name {
	case "intents":
		return `: write "intent"`
	case "options":
		return `: write "flags"`
	case "arguments":
		return `: write "args" for a command, "parameters" for an operation`
	case "params":
		return `: write "parameters"`
	case "commands", "children":
		return `: write "subcommands"`
	case "values":
		return `: write "value_spec": {"enum": […]}`
	case "spec":
		return `: write "value_spec"`
	}
	return ""
}
