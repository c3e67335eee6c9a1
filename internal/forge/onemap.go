package forge

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/tool-mapping-protocol/tmp/internal/mapset"
	"github.com/tool-mapping-protocol/tmp/internal/phrase"
	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// publish writes the tools as a layer of the one map: they complete on Tab, are judged
// on Enter, and those that are approved are resolved and run.
func (f *Forge) publish(ix *Index) {
	file := f.Paths.ForgeMap(f.Root)
	if file == "" || os.MkdirAll(filepath.Dir(file), 0o700) != nil {
		return
	}
	data, err := f.image(ix)
	if err == nil {
		err = tcpdb.WriteFile(file, data)
	}
	if err != nil {
		f.Say("the map of the tools is not written: %s", err)
	}
}

func (f *Forge) image(ix *Index) ([]byte, error) {
	b := tcpdb.NewBuilder()
	b.Source(mapset.Owner(f.Root))
	run := &tcpdb.Node{Path: "tgp run", Name: "run"}
	names := map[string]int{}
	for _, t := range ix.Tools {
		names[t.Name]++
	}
	for _, t := range ix.Tools {
		if t.State == Broken || t.State == Pending {
			continue
		}
		run.Subs = append(run.Subs, t.node(names[t.Name] == 1))
		b.Entry(t.entry())
		b.Operation(t.operation())
	}
	b.Tool(&tcpdb.Node{Path: "tgp", Name: "tgp", Subs: []*tcpdb.Node{run}})
	return b.Build()
}

// key is the tool as a command.
func (t *Tool) key() string { return "tgp run " + t.Category + "/" + t.Name }

func (t *Tool) node(unique bool) *tcpdb.Node {
	n := &tcpdb.Node{
		Path: t.key(), Name: t.Category + "/" + t.Name, Description: strings.TrimSuffix(t.Description, "."),
		Aliases: []string{t.ID, t.Path}, Bits: tcpdb.NoAbbreviation | tcpdb.OwnOptions, // all that stands after a tool is the tool's
	}
	if unique {
		n.Aliases = append(n.Aliases, t.Name)
	}
	for _, p := range t.Params {
		flag := tcpdb.Flag{ID: p.Name, Names: []string{"--" + p.Name}, Value: tcpdb.RequiredValue, Description: p.Text}
		switch p.Type {
		case "boolean":
			flag.Value = tcpdb.NoValue
		case "enum":
			flag.Spec.Kind = tcpdb.EnumSpec
			for _, c := range p.Choices {
				flag.Spec.Enum = append(flag.Spec.Enum, tcpdb.EnumValue{Value: c})
			}
		case "integer", "number":
			flag.Spec.Kind, flag.Spec.Name = tcpdb.TypeSpec, map[string]string{"integer": "int", "number": "number"}[p.Type]
		}
		n.Flags = append(n.Flags, flag)
	}
	return n
}

// entry is the risk of the tool: that of the effect that the isolate enforces.
func (t *Tool) entry() tcpdb.Entry {
	level, _ := tcpdb.ParseLevel(t.Level)
	var flags tcpdb.Flags
	reason := "a tool that only reads"
	for e := range strings.SplitSeq(t.Effect, "+") {
		name := map[string]string{"local-write": "FILE_MODIFICATION", "network": "NETWORK_ACCESS", "db-write": "SYSTEM_MODIFICATION"}[e]
		if f, err := tcpdb.ParseFlag(name); err == nil {
			flags |= f
			reason = "a tool whose effect is " + t.Effect
		}
	}
	return tcpdb.Entry{
		Key: t.key(), Descriptor: tcpdb.NewDescriptor(t.key(), level, flags, 100, 100, 10),
		Rule: "tgp." + t.Category, Reason: reason, Scope: tcpdb.NoScope, Provenance: "tgp",
	}
}

// operation is the tool as a unit of work.
func (t *Tool) operation() tcpdb.Operation {
	level, _ := tcpdb.ParseLevel(t.Level)
	op := tcpdb.Operation{
		ID: t.ID, Surface: "script", Tool: "tgp", Description: strings.TrimSuffix(t.Description, "."), Template: []string{"tgp", "run", t.Category + "/" + t.Name},
		Effect: strings.ReplaceAll(t.Effect, "+", " + "), Risk: level, Standing: tcpdb.Draft,
	}
	if t.State == Approved {
		op.Standing, op.Evidence = tcpdb.Signed, []string{"signature"}
	}
	names := map[string]string{}
	for _, p := range t.Params {
		id := strings.ToLower(strings.ReplaceAll(p.Name, "-", "_"))
		names[p.Name] = id
		op.Template = append(op.Template, "--"+p.Name+"=<"+id+">")
		kind := p.Type
		if kind == "enum" {
			kind = "string"
		}
		param := tcpdb.Param{Name: id, Type: kind, Required: p.Required, Description: p.Text}
		if p.Default != nil {
			param.Default = *p.Default
		}
		op.Params = append(op.Params, param)
	}
	intents := append([]string{strings.ReplaceAll(t.Name, "-", " "), strings.TrimSuffix(t.Description, ".")}, t.Intents...)
	seen := map[string]bool{}
	for _, in := range intents {
		for from, to := range names {
			in = strings.ReplaceAll(in, "<"+from+">", "<"+to+">")
		}
		if norm := phrase.Normalize(in); norm != "" && !seen[norm] {
			seen[norm] = true
			op.Intents = append(op.Intents, norm)
		}
	}
	return op
}
