package opmap

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tool-mapping-protocol/tmp/resolvers/all"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// ParseOptions tune what Parse knows of the world.
type ParseOptions struct {
	// KnownResolver reports whether a resolver exists; nil accepts every name
	// of the right form.
	KnownResolver func(name string) bool
}

// KnownResolvers are the options that refuse resolvers which there are not.
func KnownResolvers() ParseOptions { return ParseOptions{KnownResolver: all.Table().Known} }

// Parse reads one source file: a source map, a bare operation record (seed
// 000) or {"operations": […]}. It reports everything that is wrong, not only
// the first; the Source is nil only if the file is not JSON or not an object.
//
// A file named .sql holds templates of SQL, one named .yaml the same as one of JSON.
func Parse(file string, data []byte, opts ParseOptions) (*Source, Problems) {
	var v *value
	var problem *Problem
	switch {
	case strings.HasSuffix(file, ".sql"):
		v, problem = readTemplates(file, data)
	case strings.HasSuffix(file, ".yaml"), strings.HasSuffix(file, ".yml"):
		v, problem = readYAML(file, data)
	default:
		v, problem = readJSON(file, data)
	}
	if problem != nil {
		return nil, Problems{problem}
	}
	d := &decoder{file: file, knownResolver: opts.KnownResolver}
	o := d.object(v, "")
	if o == nil {
		return nil, d.problems
	}
	s := &Source{File: file, Schema: SchemaVersion}
	switch {
	case has(v, "node") || has(v, "tool") && !has(v, "surface"):
		d.sourceMap(o, s)
	case has(v, "operations"):
		s.form = operationForm
		d.operations(o, s)
		s.Extra = o.rest()
	case has(v, "id"), has(v, "operation") && has(v, "surface"):
		s.form = recordForm
		if op := d.operation(v, ""); op != nil {
			s.Operations = []*Operation{op}
		}
	default:
		d.errorf(v.line, "", `neither a source map ("tool"), nor an operation ("id"), nor a list of "operations"`)
	}
	d.uniqueOperations(s)
	sortProblems(d.problems)
	return s, d.problems
}

func has(v *value, name string) bool {
	return slices.ContainsFunc(v.members, func(m member) bool { return m.name == name })
}

func sortProblems(ps Problems) {
	slices.SortStableFunc(ps, func(a, b *Problem) int { return a.Line - b.Line })
}

func (d *decoder) sourceMap(o *object, s *Source) {
	if v := o.want("schema", numberKind); v != nil && v.text != "1" {
		o.errorf("schema", "is %s: this program reads schema %d", v.text, SchemaVersion)
	}
	s.Tool = o.text("tool")
	if reason := badTool(s.Tool); reason != "" {
		o.errorf("tool", "%s", reason)
	}
	s.Version = o.text("version")
	s.VersionRange = o.versionRange("version_range")
	s.Provenance = o.text("provenance")
	s.Verified = o.flag("verified", false)
	s.Evidence = d.evidence(o)
	s.Verify = d.rule(o, nil)
	if v := o.get("node"); v != nil {
		s.Node = d.node(v, o.field("node"))
		if s.Node != nil && s.Node.Name == "" {
			s.Node.Name = s.Tool
		}
		if s.Node != nil && s.Node.Name != s.Tool {
			o.errorf("node", "is named %q: want the tool's name %q", s.Node.Name, s.Tool)
		}
	}
	d.operations(o, s)
	for i, v := range o.list("gaps") {
		if g := d.object(v, fmt.Sprintf("%s[%d]", o.field("gaps"), i)); g != nil {
			s.Gaps = append(s.Gaps, Gap{Node: g.line1("node"), Text: g.line1("text"), Note: g.flag("note", false)})
			g.rest()
		}
	}
	s.Origin, s.Shared = d.origin(o), d.shared(o)
	s.Extra = o.rest()
}

// origin reads what a map was imported from, nil if it does not say.
func (d *decoder) origin(o *object) *Origin {
	v := o.get("origin")
	if v == nil {
		return nil
	}
	x := d.object(v, o.field("origin"))
	if x == nil {
		return nil
	}
	return &Origin{
		Format: x.line1("format"), From: x.line1("from"), Digest: x.line1("digest"), Licence: x.line1("licence"),
		Provenance: x.line1("provenance"), Date: x.line1("date"), Content: x.line1("content"), Extra: x.rest(),
	}
}

// shared reads the seal of a shared map, nil if there is none. Whether it holds
// is for the reader to find out.
func (d *decoder) shared(o *object) *Shared {
	v := o.get("shared")
	if v == nil {
		return nil
	}
	x := d.object(v, o.field("shared"))
	if x == nil {
		return nil
	}
	return &Shared{Digest: x.line1("digest"), Date: x.line1("date"), By: x.line1("by"), Extra: x.rest()}
}

func (d *decoder) operations(o *object, s *Source) {
	for i, v := range o.list("operations") {
		if op := d.operation(v, fmt.Sprintf("%s[%d]", o.field("operations"), i)); op != nil {
			s.Operations = append(s.Operations, op)
		}
	}
}

func (d *decoder) uniqueOperations(s *Source) {
	first := map[string]int{}
	for i, op := range s.Operations {
		if op.ID == "" {
			continue
		}
		if line, twice := first[op.ID]; twice {
			d.errorf(op.line, fmt.Sprintf("operations[%d].id", i), "%q is given twice, first on line %d", op.ID, line)
			continue
		}
		first[op.ID] = op.line
	}
}

func (d *decoder) evidence(o *object) []Evidence {
	var out []Evidence
	for i, v := range o.list("evidence") {
		path := fmt.Sprintf("%s[%d]", o.field("evidence"), i)
		var e Evidence
		if v.kind == stringKind {
			e.Kind = v.text
		} else {
			item := d.object(v, path)
			if item == nil {
				continue
			}
			e = Evidence{
				Kind: item.text("kind"), Date: item.text("date"),
				ToolVersion: item.text("tool_version"), Hash: item.text("hash"), By: item.text("by"),
			}
			e.Extra = item.rest()
		}
		if !knownEvidence(e.Kind) {
			d.errorf(v.line, path, "kind %q: want parsed_help, dry_run, sample_test, human_review or signature", e.Kind)
		}
		out = append(out, e)
	}
	return out
}

func knownEvidence(kind string) bool {
	return slices.Contains(evidenceKinds[:], kind)
}

// badCommandName says why a text cannot be the name of a command, or "".
func badCommandName(s string) string {
	switch {
	case s == "":
		return "is empty"
	case strings.HasPrefix(s, "-"):
		return fmt.Sprintf("%q begins with a dash", s)
	case strings.Contains(s, "/"):
		return fmt.Sprintf("%q holds a slash: want the name, not a path", s)
	}
	return badWord(s)
}

// badTool says why a text cannot be the name of a tool, or "".
func badTool(s string) string {
	if reason := badCommandName(s); reason != "" {
		return reason
	}
	if sign := ShellSign(s); sign != "" {
		return fmt.Sprintf("%q holds %q, which a shell reads otherwise", s, sign)
	}
	return ""
}

// ShellSign returns the first sign of a tool's name that a shell reads as
// something else than a letter of a word, "" if there is none. Such a name is
// refused: it stands in lines that shells read and in files of theirs.
func ShellSign(name string) string {
	if i := strings.IndexAny(name, "$`\"'\\;&|<>(){}*?!~#="); i >= 0 {
		return name[i : i+1]
	}
	return ""
}

// badWord says why a text cannot be one word of a command, or "".
func badWord(s string) string {
	if len(s) > 256 {
		return "is longer than 256 bytes"
	}
	for _, r := range s {
		if unicode.IsSpace(r) || unicode.IsControl(r) || !unicode.IsPrint(r) || r == utf8.RuneError {
			return fmt.Sprintf("%q holds a blank or a control character", s)
		}
	}
	return ""
}

// badText says why a text cannot be shown on one line, or "".
func badText(s string) string {
	if len(s) > 2000 {
		return "is longer than 2000 bytes"
	}
	if strings.ContainsFunc(s, unicode.IsControl) {
		return "holds a control character: want one line"
	}
	return ""
}

func (o *object) line1(name string) string {
	s := o.text(name)
	if reason := badText(s); reason != "" {
		o.errorf(name, "%s", reason)
	}
	return s
}

func (d *decoder) node(v *value, path string) *Node {
	o := d.object(v, path)
	if o == nil {
		return nil
	}
	n := &Node{
		Name: o.text("name"), Aliases: o.texts("aliases"), Description: o.line1("description"),
		Hidden: o.flag("hidden", false), Deprecated: o.flag("deprecated", false), Replace: o.flag("replace", false),
		Interspersed: o.flag("interspersed", true), SingleDashLong: o.flag("single_dash_long", false),
		NoAbbreviation: o.flag("no_abbreviation", false), Plus: o.flag("plus", false), Keywords: o.flag("keywords", false), OwnOptions: o.flag("own_options", false),
		NumericFlags: o.flag("numeric_flags", false), Bundle: o.flag("bundle", false), Partial: o.flag("partial", false), Exec: o.text("exec"),
	}
	n.Class, n.Output = o.texts("class"), o.text("output")
	for _, class := range n.Class {
		if !tcpdb.ValidClass(class) {
			o.errorf("class", "%q is no class that this program knows: see \"class\" in tmp schema print", class)
		}
	}
	if n.Output != "" && !tcpdb.ValidOutput(n.Output) {
		o.errorf("output", "%q: want one of %s", n.Output, strings.Join(tcpdb.Outputs(), ", "))
	}
	if n.Name != "" || o.v.members == nil {
		if reason := badCommandName(n.Name); reason != "" {
			o.errorf("name", "%s", reason)
		}
	}
	for _, a := range n.Aliases {
		if reason := badCommandName(a); reason != "" {
			o.errorf("aliases", "%s", reason)
		}
	}
	for i, item := range o.list("flags") {
		if f := d.flag(item, fmt.Sprintf("%s.flags[%d]", path, i), n); f != nil {
			n.Flags = append(n.Flags, f)
		}
	}
	d.uniqueFlags(o, n)
	d.args(o, n)
	if n.Bundle && len(n.Args) == 0 {
		o.errorf("bundle", `needs a first argument that describes the word of options`)
	}
	d.subcommands(o, n)
	if w := o.get("wrapper"); w != nil {
		n.Wrapper = d.wrapper(w, o.field("wrapper"))
	}
	for i, item := range o.list("examples") {
		if e := d.object(item, fmt.Sprintf("%s.examples[%d]", path, i)); e != nil {
			n.Examples = append(n.Examples, Example{Line: e.line1("line"), Text: e.line1("text")})
			e.rest()
		}
	}
	n.Extra = o.rest()
	return n
}

func (d *decoder) subcommands(o *object, n *Node) {
	names := map[string]bool{}
	for i, item := range o.list("subcommands") {
		path := fmt.Sprintf("%s.subcommands[%d]", o.path, i)
		sub := d.node(item, path)
		if sub == nil {
			continue
		}
		if sub.Name == "" {
			d.errorf(item.line, path+".name", "is missing")
			continue
		}
		for _, name := range append([]string{sub.Name}, sub.Aliases...) {
			if names[name] {
				d.errorf(item.line, path+".name", "%q is the name of another sub-command here", name)
			}
			names[name] = true
		}
		n.Subcommands = append(n.Subcommands, sub)
	}
}

func (d *decoder) args(o *object, n *Node) {
	names := map[string]bool{}
	for i, item := range o.list("args") {
		path := fmt.Sprintf("%s.args[%d]", o.path, i)
		a := d.arg(item, path)
		if a == nil {
			continue
		}
		// Arguments that come with different options may share a name.
		key := a.Name + " " + strings.Join(a.With, " ")
		if names[key] {
			d.errorf(item.line, path+".name", "%q is the name of another argument here", a.Name)
		}
		names[key] = true
		n.Args = append(n.Args, a)
	}
}

func (d *decoder) arg(v *value, path string) *Arg {
	o := d.object(v, path)
	if o == nil {
		return nil
	}
	a := &Arg{
		Name: o.line1("name"), Required: o.flag("required", false), Repeatable: o.flag("repeatable", false),
		AfterDash: o.flag("after_dash", false), With: o.texts("with"), Description: o.line1("description"),
		Role: o.role(), RoleWith: o.texts("role_with"),
	}
	for _, id := range a.With {
		if reason := badWord(id); reason != "" || id == "" {
			o.errorf("with", "%q is not the id of a flag", id)
		}
	}
	if a.Name == "" {
		o.errorf("name", "is missing")
	}
	if s := o.get("value_spec"); s != nil {
		a.Spec = d.spec(s, o.field("value_spec"))
	}
	for i, s := range o.list("alt") {
		if spec := d.spec(s, fmt.Sprintf("%s[%d]", o.field("alt"), i)); spec != nil {
			a.Alt = append(a.Alt, spec)
		}
	}
	a.Extra = o.rest()
	return a
}

func (d *decoder) spec(v *value, path string) *Spec {
	o := d.object(v, path)
	if o == nil {
		return nil
	}
	s := &Spec{
		File: o.flag("file", false), Dir: o.flag("dir", false), Resolver: o.text("resolver"),
		Type: o.text("type"), Command: o.flag("command", false), List: o.text("list"),
		Otherwise: o.flag("otherwise", false),
	}
	for i, item := range o.list("enum") {
		s.Enum = append(s.Enum, d.enumValue(item, fmt.Sprintf("%s.enum[%d]", path, i)))
	}
	kinds := 0
	for _, set := range []bool{len(s.Enum) > 0 && s.Resolver == "", s.File, s.Dir, s.Resolver != "", s.Type != "", s.Command} {
		if set {
			kinds++
		}
	}
	if kinds != 1 {
		d.errorf(v.line, path, "names %d kinds of value: want one of enum, file, dir, resolver, type, command", kinds)
	}
	if s.Resolver != "" {
		d.resolver(o, "resolver", s.Resolver)
	}
	if v := o.get("then"); v != nil {
		s.Then = d.then(v, o.field("then"))
	}
	if strings.Count(path, ".then")+strings.Count(path, ".enum[") > maxSpecDepth {
		d.errorf(v.line, path, "lies deeper than %d kinds of value within each other", maxSpecDepth)
	}
	s.Extra = o.rest()
	return s
}

// maxSpecDepth is how many kinds of value may lie within each other, one less
// than the compiled map holds.
const maxSpecDepth = 6

func (d *decoder) then(v *value, path string) *Then {
	o := d.object(v, path)
	if o == nil {
		return nil
	}
	t := &Then{Separator: o.line1("separator"), Required: o.flag("required", false)}
	if t.Separator == "" {
		o.errorf("separator", "is missing")
	}
	if s := o.get("value_spec"); s != nil {
		t.Spec = d.spec(s, o.field("value_spec"))
	}
	t.Extra = o.rest()
	return t
}

func (d *decoder) enumValue(v *value, path string) EnumValue {
	if v.kind == stringKind {
		if strings.ContainsFunc(v.text, unicode.IsControl) {
			d.errorf(v.line, path, "holds a control character")
		}
		return EnumValue{Value: v.text}
	}
	o := d.object(v, path)
	if o == nil {
		return EnumValue{}
	}
	e := EnumValue{Value: o.line1("value"), Description: o.line1("description")}
	if s := o.get("value_spec"); s != nil {
		e.Spec = d.spec(s, o.field("value_spec"))
	}
	o.rest()
	return e
}

func (d *decoder) wrapper(v *value, path string) *Wrapper {
	o := d.object(v, path)
	if o == nil {
		return nil
	}
	w := &Wrapper{
		Mode: o.text("mode"), Skip: o.count("skip"), ShellFlag: o.text("shell_flag"),
		Assignments: o.flag("assignments", false), Markers: o.texts("markers"), Terminators: o.texts("terminators"),
		Elsewhere: o.flag("elsewhere", false), Adds: o.texts("adds"), Dialect: o.text("dialect"),
	}
	if wrapMode(w.Mode) == tcpdb.NoWrap {
		o.errorf("mode", "%q: want words, shell, joined or trailer", w.Mode)
	}
	if !slices.Contains([]string{"", "bash", "posix", "zsh", "fish"}, w.Dialect) {
		o.errorf("dialect", "%q: want bash, posix, zsh or fish", w.Dialect)
	}
	for _, name := range w.Adds {
		if _, err := tcpdb.ParseFlag(name); err != nil {
			o.errorf("adds", "%v", err)
		}
	}
	w.Extra = o.rest()
	return w
}

func wrapMode(s string) tcpdb.WrapMode {
	switch s {
	case "words":
		return tcpdb.WrapWords
	case "shell":
		return tcpdb.WrapShell
	case "joined":
		return tcpdb.WrapJoined
	case "trailer":
		return tcpdb.WrapTrailer
	}
	return tcpdb.NoWrap
}
