package opmap

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
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
		w.add("operations", &value{kind: arrayKind, items: operationValues(s.Operations)})
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
		w.add(name, &value{kind: arrayKind, items: items})
	}
}

func (w objectWriter) texts(name string, texts []string) {
	var items []*value
	for _, s := range texts {
		items = append(items, textValue(s))
	}
	w.list(name, items)
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
	w.list("evidence", evidenceValues(s.Evidence))
	if s.Verify != nil {
		w.add("verify", s.Verify.value())
	}
	if s.Node != nil {
		w.add("node", s.Node.value())
	}
	w.list("operations", operationValues(s.Operations))
	var gaps []*value
	for _, g := range s.Gaps {
		x := newObject()
		x.text("node", g.Node)
		x.text("text", g.Text)
		gaps = append(gaps, x.v)
	}
	w.list("gaps", gaps)
	if o := s.Origin; o != nil {
		x := newObject()
		x.text("format", o.Format)
		x.text("from", o.From)
		x.text("digest", o.Digest)
		x.text("licence", o.Licence)
		x.text("provenance", o.Provenance)
		x.text("date", o.Date)
		w.add("origin", x.done(o.Extra))
	}
	if s.Shared != nil {
		x := newObject()
		x.text("digest", s.Shared.Digest)
		x.text("date", s.Shared.Date)
		x.text("by", s.Shared.By)
		w.add("shared", x.done(s.Shared.Extra))
	}
	return w.done(s.Extra)
}

func operationValues(ops []*Operation) []*value {
	var out []*value
	for _, op := range ops {
		out = append(out, op.value())
	}
	return out
}

func evidenceValues(list []Evidence) []*value {
	var out []*value
	for _, e := range list {
		if e.Date == "" && e.ToolVersion == "" && e.Hash == "" && e.By == "" && len(e.Extra) == 0 {
			out = append(out, textValue(e.Kind))
			continue
		}
		w := newObject()
		w.text("kind", e.Kind)
		w.text("date", e.Date)
		w.text("tool_version", e.ToolVersion)
		w.text("hash", e.Hash)
		w.text("by", e.By)
		out = append(out, w.done(e.Extra))
	}
	return out
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
	w.flag("numeric_flags", n.NumericFlags)
	w.flag("partial", n.Partial)
	var flags, args, subs, examples []*value
	for _, f := range n.Flags {
		flags = append(flags, f.value())
	}
	for _, a := range n.Args {
		args = append(args, a.value())
	}
	for _, s := range n.Subcommands {
		subs = append(subs, s.value())
	}
	for _, e := range n.Examples {
		x := newObject()
		x.text("line", e.Line)
		x.text("text", e.Text)
		examples = append(examples, x.v)
	}
	w.list("flags", flags)
	w.list("args", args)
	w.list("subcommands", subs)
	if n.Wrapper != nil {
		w.add("wrapper", n.Wrapper.value())
	}
	w.text("exec", n.Exec)
	w.list("examples", examples)
	return w.done(n.Extra)
}

func (f *Flag) value() *value {
	w := newObject()
	w.text("id", f.ID)
	w.texts("names", f.Names)
	w.text("value", f.Value)
	if f.Spec != nil {
		w.add("value_spec", f.Spec.value())
	}
	w.flag("repeatable", f.Repeatable)
	w.text("group", f.Group)
	w.flag("hidden", f.Hidden)
	w.flag("deprecated", f.Deprecated)
	w.flag("negatable", f.Negatable)
	w.text("description", f.Description)
	w.text("default", f.Default)
	w.texts("from", f.From)
	return w.done(f.Extra)
}

func (a *Arg) value() *value {
	w := newObject()
	w.text("name", a.Name)
	if a.Spec != nil {
		w.add("value_spec", a.Spec.value())
	}
	var alt []*value
	for _, s := range a.Alt {
		alt = append(alt, s.value())
	}
	w.list("alt", alt)
	w.flag("required", a.Required)
	w.flag("repeatable", a.Repeatable)
	w.flag("after_dash", a.AfterDash)
	w.text("description", a.Description)
	return w.done(a.Extra)
}

func (s *Spec) value() *value {
	w := newObject()
	var enum []*value
	for _, e := range s.Enum {
		if e.Description == "" {
			enum = append(enum, textValue(e.Value))
			continue
		}
		x := newObject()
		x.add("value", textValue(e.Value))
		x.text("description", e.Description)
		enum = append(enum, x.v)
	}
	w.list("enum", enum)
	w.flag("file", s.File)
	w.flag("dir", s.Dir)
	w.text("resolver", s.Resolver)
	w.text("type", s.Type)
	w.flag("command", s.Command)
	w.text("list", s.List)
	return w.done(s.Extra)
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
	var params []*value
	for _, p := range op.Parameters {
		params = append(params, p.value())
	}
	w.list("parameters", params)
	w.text("effect", op.Effect)
	w.text("risk", op.Risk)
	w.text("approval", op.Approval)
	if op.When != nil {
		x := newObject()
		x.texts("files", op.When.Files)
		w.add("when", x.done(op.When.Extra))
	}
	if p := op.OutputPolicy; p != nil {
		x := newObject()
		x.text("mode", p.Mode)
		x.text("raw_retention", p.RawRetention)
		w.add("output_policy", x.done(p.Extra))
	}
	if op.EnvGiven {
		env := &value{kind: arrayKind}
		for _, name := range op.Env {
			env.items = append(env.items, textValue(name))
		}
		w.add("env", env)
	}
	w.text("timeout", op.Timeout)
	w.flag("idempotent", op.Idempotent)
	w.list("steps", stepValues(op.Steps))
	w.flag("verified", op.Verified)
	w.list("evidence", evidenceValues(op.Evidence))
	if op.Verify != nil {
		w.add("verify", op.Verify.value())
	}
	return w.done(op.Extra)
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
	return w.done(p.Extra)
}
