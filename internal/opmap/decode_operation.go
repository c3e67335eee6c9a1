package opmap

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/phrase"
	"github.com/tool-mapping-protocol/tmp/internal/surface"
	"github.com/tool-mapping-protocol/tmp/internal/toolid"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

func (d *decoder) operation(v *value, path string) *Operation {
	o := d.object(v, path)
	if o == nil {
		return nil
	}
	op := &Operation{
		ID: o.text("id"), Version: o.text("version"), Surface: o.text("surface"),
		Description: o.line1("description"), Intents: o.texts("intent"), Template: o.line1("template"),
		Effect: o.text("effect"), Risk: o.text("risk"), Approval: o.text("approval"),
		Verified: o.flag("verified", false), line: o.line("id"),
	}
	op.Evidence = d.evidence(o)
	if op.ID == "" { // the seed's examples name it so
		op.ID = o.text("operation")
	}
	d.operationID(o, op)
	d.parameters(o, op)
	if op.Effect == "read" {
		op.Effect = "read-only"
	}
	d.when(o, op)
	if p := o.get("output_policy"); p != nil {
		op.OutputPolicy = d.outputPolicy(p, o.field("output_policy"))
	}
	d.running(o, op)
	d.steps(o, op)
	expected := d.surface(o, op)
	d.effectAndRisk(o, op)
	d.template(o, op)
	op.Verify = d.rule(o, op)
	d.intents(o, op)
	op.Extra = o.rest(expected...)
	return op
}

func (d *decoder) operationID(o *object, op *Operation) {
	if err := toolid.Check(op.ID); err != nil {
		o.errorf("id", "%v", err)
		return
	}
	if name := toolid.Reserved(op.ID); name != "" {
		o.warnf("id", "%q is reserved in the public taxonomy: %s works here as a local operation only", name, op.ID)
	}
}

func (d *decoder) effectAndRisk(o *object, op *Operation) {
	found := op.Surface == surface.SQL || op.Surface == surface.API // from what it sends
	switch {
	case op.Effect == "" && !found:
		o.errorf("effect", "is missing")
	case op.Effect != "":
		for part := range strings.SplitSeq(op.Effect, "+") {
			if part = strings.TrimSpace(part); !slices.Contains(effects[:], part) {
				o.errorf("effect", "%q: want %s, joined by +", part, strings.Join(effects[:], ", "))
			}
		}
	}
	if level, err := tcpdb.ParseLevel(op.Risk); (op.Risk != "" || !found) && (err != nil || level == tcpdb.Unknown) {
		o.errorf("risk", "%q: want safe, low, medium, high or critical", op.Risk)
	}
	if op.Approval != "" && op.Approval != "required" && op.Approval != "none" {
		o.errorf("approval", `%q: want "required" or nothing`, op.Approval)
	}
}

var effects = [...]string{"read-only", "build-test", "local-write", "network", "network-write", "deployment", "destructive"}

func (d *decoder) when(o *object, op *Operation) {
	v := o.get("when")
	if v == nil {
		return
	}
	w := d.object(v, o.field("when"))
	if w == nil {
		return
	}
	op.When = &When{Files: w.texts("files"), Managers: w.texts("manager"), Values: w.texts("values")}
	for _, f := range op.When.Files {
		if f == "" || path.IsAbs(f) || path.Clean(f) != f || f == ".." || strings.HasPrefix(f, "../") {
			w.errorf("files", "%q: want a relative name such as Cargo.toml", f)
		}
	}
	for _, m := range op.When.Managers {
		if reason := badCommandName(m); reason != "" {
			w.errorf("manager", "%q %s", m, reason)
		}
	}
	for _, v := range op.When.Values {
		name, value, _ := strings.Cut(v, "=")
		if value == "" {
			w.errorf("values", "%q: want RESOLVER=VALUE", v)
		} else {
			d.resolver(w, "values", name)
		}
	}
	op.When.Extra = w.rest()
}

func (d *decoder) outputPolicy(v *value, path string) *OutputPolicy {
	o := d.object(v, path)
	if o == nil {
		return nil
	}
	p := &OutputPolicy{Mode: o.text("mode"), RawRetention: o.text("raw_retention")}
	for _, name := range [...]string{"mode", "raw_retention"} {
		if reason := badWord(o.text(name)); reason != "" {
			o.errorf(name, "%s", reason)
		}
	}
	p.Extra = o.rest("select") // of an answer of an API; see recordText
	return p
}

func (d *decoder) parameters(o *object, op *Operation) {
	if m := o.peek("parameters"); m != nil && m.kind == objectKind && surface.Is(op.Surface) {
		d.parameterMap(o, op)
		return
	}
	for i, v := range o.list("parameters") {
		path := fmt.Sprintf("%s[%d]", o.field("parameters"), i)
		p := d.parameter(v, path, op.Surface)
		if p == nil {
			continue
		}
		if op.Param(p.Name) != nil {
			d.errorf(v.line, path+".name", "%q is given twice", p.Name)
		}
		op.Parameters = append(op.Parameters, p)
	}
}

// parameterMap reads the seed's short form: names with the values that they have
// unless another one is given.
func (d *decoder) parameterMap(o *object, op *Operation) {
	w := d.object(o.get("parameters"), o.field("parameters"))
	for _, m := range w.v.members {
		p := &Parameter{Name: m.name, Default: w.scalar(m.name)}
		if !validParameterName(p.Name) {
			w.errorf(m.name, "%q: want lower-case letters, digits and _, beginning with a letter", p.Name)
		}
		if p.Default == "current_git_branch" { // as the seed's example says it
			p.Default = "<git:current_branch>"
		}
		op.Parameters = append(op.Parameters, p)
	}
}

func (d *decoder) parameter(v *value, path, where string) *Parameter {
	o := d.object(v, path)
	if o == nil {
		return nil
	}
	p := &Parameter{
		Name: o.text("name"), Type: o.text("type"), Required: o.flag("required", false),
		Resolver: o.text("resolver"), Match: o.text("match"), Description: o.line1("description"),
	}
	name := p.Name
	if where == surface.API { // fields of a body
		name = strings.TrimPrefix(name, "body.")
	}
	if !validParameterName(name) {
		o.errorf("name", "%q: want lower-case letters, digits and _, beginning with a letter", p.Name)
	}
	p.Default = o.scalar("default")
	p.Enum, p.Format, p.Minimum, p.Maximum = o.words("enum"), o.text("format"), o.constraint("minimum"), o.constraint("maximum")
	switch p.Match {
	case "", "closed":
	case "filter":
		if p.Resolver == "" {
			o.errorf("match", "is filter without a resolver to filter")
		}
	default:
		o.errorf("match", "%q: want closed or filter", p.Match)
	}
	if p.Resolver != "" {
		d.resolver(o, "resolver", p.Resolver)
	}
	p.Extra = o.rest()
	return p
}

// scalar is a text, a number or a boolean as it is written.
func (o *object) scalar(name string) string {
	v := o.get(name)
	if v == nil {
		return ""
	}
	text := ""
	switch v.kind {
	case stringKind, numberKind:
		text = v.text
	case boolKind:
		text = fmt.Sprint(v.yes)
	default:
		o.errorf(name, "is %s: want a string", v.kind)
	}
	if reason := badText(text); reason != "" {
		o.errorf(name, "%s", reason)
	}
	return text
}

func validParameterName(s string) bool {
	if s == "" || len(s) > 64 || s[0] < 'a' || s[0] > 'z' {
		return false
	}
	return !strings.ContainsFunc(s, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '_'
	})
}

// Param returns the parameter of that name, nil if there is none.
func (op *Operation) Param(name string) *Parameter {
	for _, p := range op.Parameters {
		if p.Name == name {
			return p
		}
	}
	return nil
}

// template checks the words of an operation's template.
func (d *decoder) template(o *object, op *Operation) {
	if op.Template == "" || op.Surface == "workflow" || surface.Is(op.Surface) {
		return
	}
	used := map[string]bool{}
	optional := false // in "[--env <env>]": both words, or none
	for i, word := range strings.Fields(op.Template) {
		if optional {
			word, optional = strings.TrimSuffix(word, "]"), false
		} else if inner, ok := strings.CutPrefix(word, "[-"); ok && i > 0 {
			word, optional = "-"+inner, true
		}
		name, ok := templateSlot(word)
		switch {
		case !ok:
			o.errorf("template", "%q: a parameter is a word <p> or the end of one, --x=<p>", word)
			continue
		case name == "":
			continue
		case i == 0:
			o.errorf("template", "begins with the parameter <%s>: the command must be written out", name)
		case op.Param(name) == nil:
			o.errorf("template", "<%s> is not among the parameters", name)
		}
		used[name] = true
	}
	for i, p := range op.Parameters {
		if p.Name != "" && !used[p.Name] {
			o.errorf("parameters", "parameters[%d] %q does not stand in the template", i, p.Name)
		}
	}
}

// templateSlot returns the parameter that a word of a template ends with, ""
// if it has none. It is not ok if "<" or ">" stand anywhere else.
func templateSlot(word string) (name string, ok bool) {
	start := strings.IndexByte(word, '<')
	if start < 0 {
		return "", !strings.Contains(word, ">")
	}
	name, closed := strings.CutSuffix(word[start+1:], ">")
	if !closed || !validParameterName(name) {
		return "", false
	}
	return name, true
}

// intents checks the intents' slots and that none is written twice.
func (d *decoder) intents(o *object, op *Operation) {
	seen := map[string]bool{}
	for _, intent := range op.Intents {
		norm := phrase.Normalize(intent)
		if reason := badText(intent); reason != "" {
			o.errorf("intent", "%q %s", intent, reason)
			continue
		}
		if norm == "" {
			o.errorf("intent", "%q holds no words", intent)
			continue
		}
		if seen[norm] {
			o.warnf("intent", "%q is given twice", norm)
		}
		seen[norm] = true
		d.intentSlots(o, op, norm)
	}
}

func (d *decoder) intentSlots(o *object, op *Operation, intent string) {
	slots := map[string]bool{}
	for word := range strings.SplitSeq(intent, " ") {
		if !phrase.IsSlot(word) {
			if strings.ContainsAny(word, "<>") {
				o.errorf("intent", "%q: a slot is a word of its own, <name>", intent)
			}
			continue
		}
		name := word[1 : len(word)-1]
		if op.Param(name) == nil {
			o.errorf("intent", "%q: <%s> is not among the parameters", intent, name)
		}
		if slots[name] {
			o.errorf("intent", "%q names <%s> twice", intent, name)
		}
		slots[name] = true
	}
}
