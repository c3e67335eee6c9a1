package opmap

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strconv"
)

// Encode writes a source in the form that it was read in: known fields in a
// fixed order, then those that are not known, as they were. Parse gives the
// same source back.
func (s *Source) Encode() []byte {
	var v *value
	switch {
	case s.form == recordForm && len(s.Operations) == 1:
		v = s.Operations[0].value()
	case s.form == operationForm:
		w := newObject()
		w.add("operations", arrayOf(values(s.Operations, (*Operation).value)))
		v = w.done(s.Extra)
	default:
		v = s.value()
	}
	var out bytes.Buffer
	if json.Indent(&out, v.append(nil), "", "  ") != nil { // cannot fail on what append writes
		return nil
	}
	out.WriteByte('\n')
	return out.Bytes()
}

// Hash identifies what an operation does, hex SHA-256 over its tool, the map's
// range of versions and rule, and its record without "verified" and "evidence":
// evidence is bound to it.
func (s *Source) Hash(op *Operation) string {
	plain := *op
	plain.Verified, plain.Evidence = false, nil
	return s.hash(s.ToolOf(op), plain.value())
}

// TreeHash identifies the map's tree as Hash does an operation; "" if there is
// none.
func (s *Source) TreeHash() string {
	if s.Node == nil {
		return ""
	}
	w := newObject()
	w.add("node", s.Node.value())
	return s.hash(s.Tool, w.v)
}

func (s *Source) hash(tool string, content *value) string {
	h := sha256.New()
	h.Write([]byte(tool + "\n"))
	if s.VersionRange != "" || s.Verify != nil {
		w := newObject()
		w.text("version_range", s.VersionRange)
		if s.Verify != nil {
			w.add("verify", s.Verify.value())
		}
		h.Write(append(w.v.append(nil), '\n'))
	}
	h.Write(content.append(nil))
	return hex.EncodeToString(h.Sum(nil))
}

// Digest identifies the content of a map, "sha256:" and hex over its compact
// form without the seal of a shared one.
func (s *Source) Digest() string {
	plain := *s
	plain.Shared = nil
	sum := sha256.Sum256(plain.value().append(nil))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// ContentDigest identifies the operations of a map, "sha256:" and hex over their
// records.
func (s *Source) ContentDigest() string {
	sum := sha256.Sum256(arrayOf(values(s.Operations, (*Operation).value)).append(nil))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// JSON is the flag as it stands in a map.
func (f *Flag) JSON() []byte { return f.value().append(nil) }

// JSON is the argument as it stands in a map.
func (a *Arg) JSON() []byte { return a.value().append(nil) }

// JSON is the command as it stands in a map, with all that belongs to it.
func (n *Node) JSON() []byte { return n.value().append(nil) }

// JSON is the record of the operation.
func (op *Operation) JSON() []byte { return op.value().append(nil) }

// objectWriter builds an object and leaves out members that say nothing.
type objectWriter struct{ v *value }

func newObject() objectWriter { return objectWriter{&value{kind: objectKind}} }

func (w objectWriter) add(name string, v *value) {
	w.v.members = append(w.v.members, member{name: name, value: v})
}

func (w objectWriter) text(name, s string) {
	if s != "" {
		w.add(name, textValue(s))
	}
}

func (w objectWriter) flag(name string, set bool) {
	if set {
		w.add(name, &value{kind: boolKind, yes: true})
	}
}

func (w objectWriter) count(name string, n int) {
	if n != 0 {
		w.add(name, &value{kind: numberKind, text: strconv.Itoa(n)})
	}
}

func (w objectWriter) list(name string, items []*value) {
	if len(items) > 0 {
		w.add(name, arrayOf(items))
	}
}

func (w objectWriter) texts(name string, texts []string) { w.list(name, values(texts, textValue)) }

// values writes each item of a list.
func values[T any](items []T, one func(T) *value) []*value {
	out := make([]*value, 0, len(items))
	for _, x := range items {
		out = append(out, one(x))
	}
	return out
}

func arrayOf(items []*value) *value { return &value{kind: arrayKind, items: items} }

// child adds an object that may be missing.
func child[T any](w objectWriter, name string, x *T, one func(*T) *value) {
	if x != nil {
		w.add(name, one(x))
	}
}

// done adds the members that are kept without being known.
func (w objectWriter) done(extra []Extra) *value {
	for _, e := range extra {
		if v, err := readJSON("", e.Value); err == nil {
			w.add(e.Name, v)
		}
	}
	return w.v
}

func textValue(s string) *value { return &value{kind: stringKind, text: s} }

func (s *Source) value() *value {
	w := newObject()
	w.count("schema", s.Schema)
	w.text("tool", s.Tool)
	w.text("version", s.Version)
	w.text("version_range", s.VersionRange)
	w.text("provenance", s.Provenance)
	w.flag("verified", s.Verified)
	w.list("evidence", values(s.Evidence, Evidence.value))
	child(w, "verify", s.Verify, (*Rule).value)
	child(w, "node", s.Node, (*Node).value)
	w.list("operations", values(s.Operations, (*Operation).value))
	w.list("gaps", values(s.Gaps, Gap.value))
	child(w, "origin", s.Origin, (*Origin).value)
	child(w, "shared", s.Shared, (*Shared).value)
	return w.done(s.Extra)
}

func (o *Origin) value() *value {
	w := newObject()
	w.text("format", o.Format)
	w.text("from", o.From)
	w.text("digest", o.Digest)
	w.text("licence", o.Licence)
	w.text("provenance", o.Provenance)
	w.text("date", o.Date)
	w.text("content", o.Content)
	return w.done(o.Extra)
}

func (x *Shared) value() *value {
	w := newObject()
	w.text("digest", x.Digest)
	w.text("date", x.Date)
	w.text("by", x.By)
	return w.done(x.Extra)
}

func (g Gap) value() *value {
	w := newObject()
	w.text("node", g.Node)
	w.text("text", g.Text)
	w.flag("note", g.Note)
	return w.v
}

// value is the bare kind where nothing else is known.
func (e Evidence) value() *value {
	if e.Date == "" && e.ToolVersion == "" && e.Hash == "" && e.By == "" && len(e.Extra) == 0 {
		return textValue(e.Kind)
	}
	w := newObject()
	w.text("kind", e.Kind)
	w.text("date", e.Date)
	w.text("tool_version", e.ToolVersion)
	w.text("hash", e.Hash)
	w.text("by", e.By)
	return w.done(e.Extra)
}

func (n *Node) value() *value {
	w := newObject()
	w.text("name", n.Name)
	w.texts("aliases", n.Aliases)
	w.text("description", n.Description)
	w.flag("hidden", n.Hidden)
	w.flag("deprecated", n.Deprecated)
	w.flag("replace", n.Replace)
	if !n.Interspersed {
		w.add("interspersed", &value{kind: boolKind})
	}
	w.flag("single_dash_long", n.SingleDashLong)
	w.flag("no_abbreviation", n.NoAbbreviation)
	w.flag("plus", n.Plus)
	w.flag("keywords", n.Keywords)
	w.flag("own_options", n.OwnOptions)
	w.flag("numeric_flags", n.NumericFlags)
	w.flag("bundle", n.Bundle)
	w.flag("partial", n.Partial)
	w.texts("class", n.Class)
	w.text("output", n.Output)
	w.list("flags", values(n.Flags, (*Flag).value))
	w.list("args", values(n.Args, (*Arg).value))
	w.list("subcommands", values(n.Subcommands, (*Node).value))
	child(w, "wrapper", n.Wrapper, (*Wrapper).value)
	w.text("exec", n.Exec)
	w.list("examples", values(n.Examples, Example.value))
	return w.done(n.Extra)
}

func (e Example) value() *value {
	w := newObject()
	w.text("line", e.Line)
	w.text("text", e.Text)
	return w.v
}

func (f *Flag) value() *value {
	w := newObject()
	w.text("id", f.ID)
	w.texts("names", f.Names)
	w.text("value", f.Value)
	child(w, "value_spec", f.Spec, (*Spec).value)
	w.texts("bundles", f.Bundles)
	w.flag("repeatable", f.Repeatable)
	w.text("group", f.Group)
	w.flag("hidden", f.Hidden)
	w.flag("deprecated", f.Deprecated)
	w.flag("negatable", f.Negatable)
	w.text("role", f.Role)
	w.texts("role_with", f.RoleWith)
	w.text("description", f.Description)
	w.text("default", f.Default)
	w.texts("from", f.From)
	return w.done(f.Extra)
}

func (a *Arg) value() *value {
	w := newObject()
	w.text("name", a.Name)
	child(w, "value_spec", a.Spec, (*Spec).value)
	w.list("alt", values(a.Alt, (*Spec).value))
	w.flag("required", a.Required)
	w.flag("repeatable", a.Repeatable)
	w.flag("after_dash", a.AfterDash)
	w.texts("with", a.With)
	w.text("role", a.Role)
	w.texts("role_with", a.RoleWith)
	w.text("description", a.Description)
	return w.done(a.Extra)
}

func (s *Spec) value() *value {
	w := newObject()
	w.list("enum", values(s.Enum, EnumValue.value))
	w.flag("file", s.File)
	w.flag("dir", s.Dir)
	w.text("resolver", s.Resolver)
	w.text("type", s.Type)
	w.flag("command", s.Command)
	w.text("list", s.List)
	child(w, "then", s.Then, (*Then).value)
	w.flag("otherwise", s.Otherwise)
	return w.done(s.Extra)
}

// value is the bare word where nothing else is known.
func (e EnumValue) value() *value {
	if e.Description == "" && e.Spec == nil {
		return textValue(e.Value)
	}
	w := newObject()
	w.add("value", textValue(e.Value))
	w.text("description", e.Description)
	child(w, "value_spec", e.Spec, (*Spec).value)
	return w.v
}

func (t *Then) value() *value {
	w := newObject()
	w.text("separator", t.Separator)
	w.flag("required", t.Required)
	child(w, "value_spec", t.Spec, (*Spec).value)
	return w.done(t.Extra)
}

func (x *Wrapper) value() *value {
	w := newObject()
	w.text("mode", x.Mode)
	w.count("skip", x.Skip)
	w.text("shell_flag", x.ShellFlag)
	w.flag("assignments", x.Assignments)
	w.texts("markers", x.Markers)
	w.texts("terminators", x.Terminators)
	w.flag("elsewhere", x.Elsewhere)
	w.texts("adds", x.Adds)
	w.text("dialect", x.Dialect)
	return w.done(x.Extra)
}

func (op *Operation) value() *value {
	w := newObject()
	w.text("id", op.ID)
	w.text("version", op.Version)
	w.text("surface", op.Surface)
	w.text("description", op.Description)
	w.texts("intent", op.Intents)
	w.text("template", op.Template)
	w.list("parameters", values(slices.DeleteFunc(slices.Clone(op.Parameters), func(p *Parameter) bool { return p.found }), (*Parameter).value))
	w.text("effect", op.Effect)
	w.text("risk", op.Risk)
	w.text("approval", op.Approval)
	child(w, "when", op.When, (*When).value)
	child(w, "output_policy", op.OutputPolicy, (*OutputPolicy).value)
	if op.EnvGiven {
		w.add("env", arrayOf(values(op.Env, textValue)))
	}
	w.text("timeout", op.Timeout)
	w.flag("idempotent", op.Idempotent)
	w.texts("outputs", op.Outputs)
	w.texts("inputs", op.Inputs)
	w.list("steps", values(op.Steps, stepValue))
	w.list("sources", values(op.Sources, sourceValue))
	w.text("directory", op.Directory)
	w.flag("verified", op.Verified)
	w.list("evidence", values(op.Evidence, Evidence.value))
	child(w, "verify", op.Verify, (*Rule).value)
	return w.done(op.Extra)
}

func (x *When) value() *value {
	w := newObject()
	w.texts("files", x.Files)
	w.texts("manager", x.Managers)
	w.texts("values", x.Values)
	return w.done(x.Extra)
}

func (p *OutputPolicy) value() *value {
	w := newObject()
	w.text("mode", p.Mode)
	w.text("raw_retention", p.RawRetention)
	return w.done(p.Extra)
}

func (p *Parameter) value() *value {
	w := newObject()
	w.text("name", p.Name)
	w.text("type", p.Type)
	w.flag("required", p.Required)
	w.text("resolver", p.Resolver)
	w.text("match", p.Match)
	w.text("default", p.Default)
	w.text("description", p.Description)
	w.texts("enum", p.Enum)
	w.text("format", p.Format)
	w.text("minimum", p.Minimum)
	w.text("maximum", p.Maximum)
	return w.done(p.Extra)
}
