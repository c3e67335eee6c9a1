// Package mapdiff compares two source maps: commands by their path, options by
// any name that they share, operations by their ID.
package mapdiff

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/opmap"
)

// Kind says what became of something.
type Kind string

// The kinds of change, from the old map to the new one.
const (
	Added   Kind = "added"
	Removed Kind = "removed"
	Changed Kind = "changed"
)

// Change is one difference.
type Change struct {
	Kind  Kind   `json:"kind"`
	What  string `json:"what"`            // "map", "command", "option", "argument", "operation"
	Where string `json:"where"`           // "frob add --force"
	Field string `json:"field,omitempty"` // of what changed, "value"
	Old   string `json:"old,omitempty"`
	New   string `json:"new,omitempty"`
}

// Maps compares two maps; none differ in nothing.
func Maps(old, new *opmap.Source) []Change {
	d := &differ{}
	d.fields("map", first(new.Tool, old.Tool), [][3]string{
		{"version", old.Version, new.Version},
		{"version_range", old.VersionRange, new.VersionRange},
		{"provenance", old.Provenance, new.Provenance},
		{"licence", licence(old), licence(new)},
	})
	switch {
	case old.Node != nil && new.Node != nil:
		d.node(old.Node, new.Node, new.Node.Name)
	case old.Node != nil:
		d.one(Removed, "command", old.Node.Name)
	case new.Node != nil:
		d.one(Added, "command", new.Node.Name)
	}
	d.operations(old.Operations, new.Operations)
	return d.changes
}

func licence(s *opmap.Source) string {
	if s.Origin == nil {
		return ""
	}
	return s.Origin.Licence
}

func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

type differ struct{ changes []Change }

func (d *differ) one(kind Kind, what, where string) {
	d.changes = append(d.changes, Change{Kind: kind, What: what, Where: where})
}

// fields reports the fields that differ, each a name with the old and the new text.
func (d *differ) fields(what, where string, fields [][3]string) {
	for _, f := range fields {
		if f[1] != f[2] {
			d.changes = append(d.changes, Change{Changed, what, where, f[0], f[1], f[2]})
		}
	}
}

func (d *differ) node(old, new *opmap.Node, path string) {
	d.fields("command", path, [][3]string{
		{"description", old.Description, new.Description},
		{"aliases", words(old.Aliases), words(new.Aliases)},
		{"hidden", yes(old.Hidden), yes(new.Hidden)},
		{"deprecated", yes(old.Deprecated), yes(new.Deprecated)},
		{"interspersed", yes(old.Interspersed), yes(new.Interspersed)},
		{"single_dash_long", yes(old.SingleDashLong), yes(new.SingleDashLong)},
		{"no_abbreviation", yes(old.NoAbbreviation), yes(new.NoAbbreviation)},
		{"plus", yes(old.Plus), yes(new.Plus)},
		{"keywords", yes(old.Keywords), yes(new.Keywords)},
		{"own_options", yes(old.OwnOptions), yes(new.OwnOptions)},
		{"numeric_flags", yes(old.NumericFlags), yes(new.NumericFlags)},
		{"replace", yes(old.Replace), yes(new.Replace)},
		{"bundle", yes(old.Bundle), yes(new.Bundle)},
		{"partial", yes(old.Partial), yes(new.Partial)},
		{"class", words(old.Class), words(new.Class)},
		{"output", old.Output, new.Output},
		{"wrapper", wrapper(old.Wrapper), wrapper(new.Wrapper)},
		{"exec", old.Exec, new.Exec},
	})
	d.flags(old.Flags, new.Flags, path)
	d.args(old.Args, new.Args, path)
	for _, o := range old.Subcommands {
		i := slices.IndexFunc(new.Subcommands, func(n *opmap.Node) bool { return n.Name == o.Name })
		if i < 0 {
			d.one(Removed, "command", path+" "+o.Name)
			continue
		}
		d.node(o, new.Subcommands[i], path+" "+o.Name)
	}
	for _, n := range new.Subcommands {
		if !slices.ContainsFunc(old.Subcommands, func(o *opmap.Node) bool { return o.Name == n.Name }) {
			d.one(Added, "command", path+" "+n.Name)
		}
	}
}

func (d *differ) flags(old, new []*opmap.Flag, path string) {
	owner := map[string]*opmap.Flag{}
	for _, f := range new {
		for _, name := range f.Names {
			owner[name] = f
		}
	}
	met := map[*opmap.Flag]bool{}
	for _, o := range old {
		var n *opmap.Flag
		for _, name := range o.Names {
			if f := owner[name]; f != nil && !met[f] {
				n = f
				break
			}
		}
		if n == nil {
			d.one(Removed, "option", path+" "+words(o.Names))
			continue
		}
		met[n] = true
		d.fields("option", path+" "+n.Names[0], [][3]string{
			{"names", words(o.Names), words(n.Names)},
			{"id", o.ID, n.ID},
			{"role", role(o.Role, o.RoleWith), role(n.Role, n.RoleWith)},
			{"bundles", words(o.Bundles), words(n.Bundles)},
			{"value", value(o.Value), value(n.Value)},
			{"value_spec", spec(o.Spec), spec(n.Spec)},
			{"repeatable", yes(o.Repeatable), yes(n.Repeatable)},
			{"negatable", yes(o.Negatable), yes(n.Negatable)},
			{"group", o.Group, n.Group},
			{"hidden", yes(o.Hidden), yes(n.Hidden)},
			{"deprecated", yes(o.Deprecated), yes(n.Deprecated)},
			{"description", o.Description, n.Description},
			{"default", o.Default, n.Default},
		})
	}
	for _, n := range new {
		if !met[n] {
			d.one(Added, "option", path+" "+words(n.Names))
		}
	}
}

// args compares arguments by their place.
func (d *differ) args(old, new []*opmap.Arg, path string) {
	for i := range max(len(old), len(new)) {
		switch {
		case i >= len(new):
			d.one(Removed, "argument", path+" <"+old[i].Name+">")
		case i >= len(old):
			d.one(Added, "argument", path+" <"+new[i].Name+">")
		default:
			o, n := old[i], new[i]
			d.fields("argument", path+" <"+n.Name+">", [][3]string{
				{"name", o.Name, n.Name},
				{"role", role(o.Role, o.RoleWith), role(n.Role, n.RoleWith)},
				{"with", words(o.With), words(n.With)},
				{"value_spec", specs(o), specs(n)},
				{"required", yes(o.Required), yes(n.Required)},
				{"repeatable", yes(o.Repeatable), yes(n.Repeatable)},
				{"after_dash", yes(o.AfterDash), yes(n.AfterDash)},
				{"description", o.Description, n.Description},
			})
		}
	}
}

func (d *differ) operations(old, new []*opmap.Operation) {
	byID := func(list []*opmap.Operation, id string) *opmap.Operation {
		for _, op := range list {
			if op.ID == id {
				return op
			}
		}
		return nil
	}
	for _, o := range old {
		n := byID(new, o.ID)
		if n == nil {
			d.one(Removed, "operation", o.ID)
			continue
		}
		d.fields("operation", o.ID, [][3]string{
			{"version", o.Version, n.Version},
			{"surface", o.Surface, n.Surface},
			{"description", o.Description, n.Description},
			{"intent", strings.Join(o.Intents, " | "), strings.Join(n.Intents, " | ")},
			{"template", o.Template, n.Template},
			{"sends", o.Sends(), n.Sends()},
			{"parameters", parameters(o), parameters(n)},
			{"effect", o.Effect, n.Effect},
			{"risk", o.Risk, n.Risk},
			{"approval", o.Approval, n.Approval},
			{"verified", yes(o.Verified), yes(n.Verified)},
			{"when", when(o.When), when(n.When)},
			{"output_policy", policy(o.OutputPolicy), policy(n.OutputPolicy)},
			{"env", environment(o), environment(n)},
			{"timeout", o.Timeout, n.Timeout},
			{"idempotent", yes(o.Idempotent), yes(n.Idempotent)},
			{"steps", all(o.Steps), all(n.Steps)},
			{"sources", all(o.Sources), all(n.Sources)},
			{"directory", o.Directory, n.Directory},
			{"inputs", words(o.Inputs), words(n.Inputs)},
			{"outputs", words(o.Outputs), words(n.Outputs)},
		})
	}
	for _, n := range new {
		if byID(old, n.ID) == nil {
			d.one(Added, "operation", n.ID)
		}
	}
}

func words(list []string) string { return strings.Join(list, ", ") }

// yes is "true", or nothing for what does not hold.
func yes(b bool) string {
	if b {
		return "true"
	}
	return ""
}

func value(s string) string { return first(s, "none") }

// role is what something does, and with which options.
func role(name string, with []string) string {
	if len(with) == 0 {
		return name
	}
	return name + " with " + words(with)
}

// when is where an operation applies, in one line.
func when(w *opmap.When) string {
	if w == nil {
		return ""
	}
	return all([]any{w.Files, w.Managers, w.Values})
}

func policy(p *opmap.OutputPolicy) string {
	if p == nil {
		return ""
	}
	return strings.TrimSuffix(p.Mode+" "+p.RawRetention, " ")
}

func environment(op *opmap.Operation) string {
	if op.EnvGiven && len(op.Env) == 0 {
		return "nothing"
	}
	return words(op.Env)
}

// all is a list as JSON, "" for none.
func all[T any](list []T) string {
	if len(list) == 0 {
		return ""
	}
	text, _ := json.Marshal(list)
	return string(text)
}

// spec is where values come from, in one line.
func spec(s *opmap.Spec) string {
	if s == nil {
		return ""
	}
	var parts []string
	for _, e := range s.Enum {
		parts = append(parts, e.Value)
	}
	out := strings.Join(parts, "|")
	switch {
	case s.Resolver != "":
		out = strings.TrimSuffix(s.Resolver+" "+out, " ")
	case s.File:
		out = "file"
	case s.Dir:
		out = "dir"
	case s.Command:
		out = "command"
	case s.Type != "":
		out = s.Type
	}
	if t := s.Then; t != nil {
		out += " then " + strconv.Quote(t.Separator) + spec(t.Spec) + yes(t.Required)
	}
	if s.List != "" {
		out += " separated by " + strconv.Quote(s.List)
	}
	return out
}

func specs(a *opmap.Arg) string {
	text := spec(a.Spec)
	for _, s := range a.Alt {
		or := " or "
		if s != nil && s.Otherwise {
			or = " or else "
		}
		text += or + spec(s)
	}
	return text
}

func wrapper(w *opmap.Wrapper) string {
	if w == nil {
		return ""
	}
	return fmt.Sprintf("%s skip %d flag %q markers %q terminators %q adds %q dialect %q assignments %t elsewhere %t",
		w.Mode, w.Skip, w.ShellFlag, w.Markers, w.Terminators, w.Adds, w.Dialect, w.Assignments, w.Elsewhere)
}

func parameters(op *opmap.Operation) string {
	var parts []string
	for _, p := range op.Parameters {
		text := p.Name
		for _, more := range []string{p.Type, strings.Join(p.Enum, "|"), p.Format, p.Minimum, p.Maximum, p.Resolver, p.Match, p.Default, p.Description} {
			if more != "" {
				text += ":" + more
			}
		}
		if p.Required {
			text += "!"
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ", ")
}

// Spec is where the values of something come from, in one line for a person.
func Spec(s *opmap.Spec) string { return spec(s) }
