package opmap

import (
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/phrase"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// operations compiles the layer's operations in the order of their IDs.
func (l *Layering) operations() []tcpdb.Operation {
	var out []tcpdb.Operation
	for _, s := range l.Sources {
		for _, op := range s.Operations {
			o := compileOperation(op)
			o.Tool = s.ToolOf(op)
			if o.Standing = l.standing(s, op); o.Standing == tcpdb.Signed && !slices.Contains(o.Evidence, "signature") {
				o.Evidence = append(o.Evidence, "signature")
			}
			out = append(out, o)
		}
	}
	slices.SortStableFunc(out, func(a, b tcpdb.Operation) int { return strings.Compare(a.ID, b.ID) })
	return out
}

// Compiled are the operations of a source as the map of a layer holds them, by
// ID, drafts all.
func Compiled(s *Source, layer tcpdb.Layer) []tcpdb.Operation {
	l := &Layering{Sources: []*Source{s}, Standing: func(*Source, *Operation) tcpdb.Standing { return tcpdb.Draft }}
	ops := l.operations()
	for i := range ops {
		ops[i].Layer = layer
	}
	return ops
}

func (l *Layering) standing(s *Source, op *Operation) tcpdb.Standing {
	if l.Standing != nil {
		return l.Standing(s, op)
	}
	if op.Verified {
		return tcpdb.Claimed
	}
	return tcpdb.Draft
}

// ToolOf is the tool that an operation belongs to: the map's; of a bare
// record the command that it runs; of anything else the first segment of the ID.
func (s *Source) ToolOf(op *Operation) string {
	if s.Tool != "" {
		return s.Tool
	}
	if words := strings.Fields(op.Template); op.Surface == "cli" && len(words) > 0 && badCommandName(words[0]) == "" {
		return words[0]
	}
	tool, _, _ := strings.Cut(op.ID, ".")
	return tool
}

// Compiled is an operation as the map holds it, for trying it before it is in one.
func (s *Source) Compiled(op *Operation) tcpdb.Operation {
	out := compileOperation(op)
	out.Tool = s.ToolOf(op)
	return out
}

func compileOperation(op *Operation) tcpdb.Operation {
	level, _ := tcpdb.ParseLevel(op.Risk)
	out := tcpdb.Operation{
		ID: op.ID, Surface: op.Surface, Description: op.Description, Template: strings.Fields(op.Template),
		Effect: normalEffect(op.Effect), Risk: level,
	}
	if op.Approval == "required" {
		out.Approval = op.Approval
	}
	for _, intent := range op.Intents {
		if norm := phrase.Normalize(intent); norm != "" && !slices.Contains(out.Intents, norm) {
			out.Intents = append(out.Intents, norm)
		}
	}
	if op.When != nil {
		out.When, out.Managers, out.Values = op.When.Files, op.When.Managers, op.When.Values
	}
	if op.OutputPolicy != nil {
		out.OutputMode, out.Retention = op.OutputPolicy.Mode, op.OutputPolicy.RawRetention
	}
	for _, e := range op.Evidence {
		out.Evidence = append(out.Evidence, e.Kind)
	}
	for _, p := range op.Parameters {
		out.Params = append(out.Params, tcpdb.Param{
			Name: p.Name, Type: p.typeText(), Required: p.Required, Resolver: p.Resolver,
			Filter: p.Match == "filter", Default: p.Default, Description: p.Description,
		})
	}
	return out
}

// typeText is what the values of a parameter are held against, as a map holds it.
func (p *Parameter) typeText() string {
	if len(p.Enum) == 0 && p.Format == "" && p.Minimum == "" && p.Maximum == "" {
		return p.Type
	}
	return tcpdb.ParamType{Name: p.Type, Enum: p.Enum, Format: p.Format, Minimum: p.Minimum, Maximum: p.Maximum}.Text()
}

func normalEffect(s string) string {
	var parts []string
	for part := range strings.SplitSeq(s, "+") {
		parts = append(parts, strings.TrimSpace(part))
	}
	return strings.Join(parts, " + ")
}
