package opmap

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tool-mapping-protocol/tmp/tcpdb"
)

// Layering is one layer's content on its way into an image.
type Layering struct {
	Layer   tcpdb.Layer
	Sources []*Source
	Risks   []*Risks
	// Dir is the project whose layer it is, "" for none: its scripts are bound to
	// what they hold now.
	Dir string
	// Below is what lower layers say, for conditions that name their flags; nil
	// if there is none.
	Below *tcpdb.View
	// Standing says what this machine knows of an operation; nil takes the
	// file's word for a draft or a claim.
	Standing func(s *Source, op *Operation) tcpdb.Standing
	// Program returns what stands for the program of an operation, to be kept with
	// one that stands on evidence; nil keeps none.
	Program func(s *Source, op *Operation) string
	// Versions returns the ranges of versions of its tool for which a signature
	// verifies an operation; nil keeps none.
	Versions func(s *Source, op *Operation) []string
}

// Compile puts the layer into b. The error is a *Problem where the content of
// two files does not go together: sources of one tool in one layer are merged
// by tool, operations are unique by ID.
func (l *Layering) Compile(b *tcpdb.Builder) error {
	trees, err := l.trees()
	if err != nil {
		return err
	}
	for _, t := range trees {
		b.Tool(t)
	}
	for _, r := range l.Risks {
		for _, c := range r.Commands {
			l.risk(b, trees, c)
		}
	}
	for _, op := range l.operations() {
		b.Operation(op)
	}
	for _, s := range l.Sources {
		for _, op := range s.Operations {
			program := ""
			if l.Program != nil && l.standing(s, op) == tcpdb.Evidence {
				program = l.Program(s, op)
			}
			var versions []string
			if l.Versions != nil {
				versions = l.Versions(s, op)
			}
			if text := op.detail(l.Dir, s.File, program, versions); text != "" {
				b.Detail(op.ID, text)
			}
		}
	}
	return nil
}

// trees returns the command trees by name, with the options of risk files
// merged in.
func (l *Layering) trees() ([]*tcpdb.Node, error) {
	byTool := map[string]*tcpdb.Node{}
	from := map[string]string{}
	for _, s := range l.Sources {
		if s.Node == nil {
			continue
		}
		if first, twice := from[s.Tool]; twice {
			return nil, &Problem{File: s.File, Field: "tool", Severity: Error, Reason: fmt.Sprintf("%q is mapped by %s too", s.Tool, first)}
		}
		from[s.Tool] = s.File
		root := compileNode(s.Node, "", l.Layer)
		switch s.Provenance {
		case "help", "manual", "script", "package", "import":
			root.Bits |= tcpdb.DraftNode
			markGaps(root, s.Gaps)
		}
		byTool[s.Tool] = root
	}
	for _, r := range l.Risks {
		for _, c := range r.Commands {
			mergeOptions(byTool, c, l.chain(nil, c.Key))
		}
	}
	for _, r := range l.Risks {
		for _, x := range r.Carriers {
			mergeCarrier(byTool, x)
		}
	}
	for _, like := range [...]bool{false, true} { // what is like another follows that
		for _, r := range l.Risks {
			for _, x := range r.Programs {
				if (x.Like != "") == like {
					mergeProgram(byTool, x)
				}
			}
		}
	}
	var trees []*tcpdb.Node
	for _, t := range byTool {
		trees = append(trees, t)
	}
	slices.SortFunc(trees, func(a, b *tcpdb.Node) int { return strings.Compare(a.Name, b.Name) })
	return trees, nil
}

// mergeOptions adds to the tree what a risk entry needs to be found and its
// conditions to be met: the nodes of its key, the flags it lists, and those that
// its variants ask for where no full map knows the command. A node made for this
// alone is Partial, so that it serves judgement and not completion, and a draft,
// so that a full map in another layer decides how its words are read.
func mergeOptions(byTool map[string]*tcpdb.Node, c *RiskCommand, below []*tcpdb.Node) {
	words := strings.Fields(c.Key)
	asked := c.asked()
	if len(words) == 0 || len(words) == 1 && len(c.Options) == 0 && len(asked) == 0 && !c.Arguments {
		return
	}
	const made = tcpdb.Interspersed | tcpdb.Partial | tcpdb.DraftNode
	root := byTool[words[0]]
	if root == nil {
		root = &tcpdb.Node{Path: words[0], Name: words[0], Bits: made}
		byTool[words[0]] = root
	}
	chain := []*tcpdb.Node{root}
	for i, w := range words[1:] {
		n := chain[len(chain)-1]
		sub := n.Sub(w)
		if sub == nil {
			sub = &tcpdb.Node{Path: n.Path + " " + w, Name: w, Bits: made | tcpdb.HiddenNode | n.Bits&tcpdb.SingleDashLong}
			if i+2 < len(words) && n.Bits&tcpdb.Partial != 0 {
				sub.Args = n.Args // a word on the way: what is not listed below it is the parent's to answer
			}
			n.Subs = append(n.Subs, sub)
		}
		chain = append(chain, sub)
	}
	n := chain[len(chain)-1]
	if c.Arguments && n.Bits&tcpdb.Partial != 0 && len(n.Args) == 0 {
		n.Args = []tcpdb.Arg{{Name: "word", Repeatable: true}}
	}
	for _, o := range c.Options {
		if f, err := parseOption(o); err == nil { // else reported by ParseRisks
			addFlag(n, f)
		}
	}
	for _, f := range asked {
		if idOf(below, f.ID) == "" && idOf(chain, f.ID) == "" && (n.Bits&tcpdb.Partial != 0 || f.ID == "help") {
			addFlag(n, f)
		}
	}
}

// asked are the flags that the variants of a command ask for, by the names that
// their IDs stand for: --help of "help", -f of "f".
func (c *RiskCommand) asked() []*Flag {
	var out []*Flag
	add := func(ids []string, value string) {
		for _, id := range ids {
			name := "--" + id
			if len(id) == 1 {
				name = "-" + id
			}
			if badFlagName(name, false, false) == "" {
				out = append(out, &Flag{ID: id, Names: []string{name}, Value: value, Hidden: true})
			}
		}
	}
	for _, v := range c.Variants {
		add(classFlags(v.Args), "required")
		add(v.All, "none")
		add(v.Any, "none")
		add(v.None, "none")
	}
	return out
}

func hasFlagID(n *tcpdb.Node, id string) bool {
	return slices.ContainsFunc(n.Flags, func(f tcpdb.Flag) bool { return f.ID == id })
}

// addFlag adds a flag unless the map knows one of its names already, and then better.
func addFlag(n *tcpdb.Node, f *Flag) {
	for _, name := range f.Names {
		if known := n.Flag(name); known != nil {
			if known.Hidden && known.Value == tcpdb.NoValue {
				known.Value = compileFlag(f).Value // a rule asks for it, which does not say whether it takes one
			}
			if known.Role == "" {
				known.Role, known.RoleWith = flagRole(f, known.Value), f.RoleWith
			}
			return
		}
	}
	if n.Bits&tcpdb.Partial != 0 && slices.ContainsFunc(f.Names, isWordFlag) {
		n.Bits |= tcpdb.SingleDashLong
	}
	n.Flags = append(n.Flags, compileFlag(f))
}

// isWordFlag reports whether a name has one dash and several letters (-exec).
func isWordFlag(name string) bool {
	return len(name) > 2 && name[0] == '-' && name[1] != '-'
}

func compileNode(n *Node, parent string, layer tcpdb.Layer) *tcpdb.Node {
	out := &tcpdb.Node{
		Path: strings.TrimSpace(parent + " " + n.Name), Name: n.Name, Aliases: n.Aliases,
		Description: n.Description, Exec: n.Exec, Bits: nodeBits(n, layer), Class: n.Class, Output: n.Output,
	}
	for _, f := range n.Flags {
		out.Flags = append(out.Flags, compileFlag(f))
	}
	for _, a := range n.Args {
		out.Args = append(out.Args, compileArg(a))
	}
	if n.Wrapper != nil {
		out.Wrapper = compileWrapper(n.Wrapper)
	}
	for _, s := range n.Subcommands {
		out.Subs = append(out.Subs, compileNode(s, out.Path, layer))
	}
	return out
}

// DraftTree compiles the tree of a draft. Every command in it is marked as one,
// so that no layer takes its word for how a line is read where people wrote it
// down.
func DraftTree(s *Source) *tcpdb.Node {
	root := compileNode(s.Node, "", tcpdb.SystemLayer)
	markDraft(root)
	markGaps(root, s.Gaps)
	return root
}

// markGaps marks the commands that the gaps of a draft name. A gap of a command
// that the draft does not have is one of the nearest above it.
func markGaps(root *tcpdb.Node, gaps []Gap) {
	for _, g := range gaps {
		words := strings.Fields(g.Node)
		if g.Note || len(words) == 0 || words[0] != root.Name {
			continue
		}
		n := root
		for _, w := range words[1:] {
			sub := n.Sub(w)
			if sub == nil {
				break
			}
			n = sub
		}
		n.Bits |= tcpdb.Gap
	}
}

func markDraft(n *tcpdb.Node) {
	n.Bits = n.Bits&^tcpdb.Replaces | tcpdb.DraftNode
	for _, s := range n.Subs {
		markDraft(s)
	}
}

func nodeBits(n *Node, layer tcpdb.Layer) tcpdb.NodeBits {
	var bits tcpdb.NodeBits
	for _, b := range [...]struct {
		set bool
		bit tcpdb.NodeBits
	}{
		{n.Hidden, tcpdb.HiddenNode},
		{n.Deprecated, tcpdb.DeprecatedNode},
		{n.Interspersed, tcpdb.Interspersed},
		{n.SingleDashLong, tcpdb.SingleDashLong},
		{n.NoAbbreviation, tcpdb.NoAbbreviation},
		{n.Plus, tcpdb.Plus},
		{n.Keywords, tcpdb.Keywords},
		{n.OwnOptions, tcpdb.OwnOptions},
		{n.NumericFlags, tcpdb.NumericFlags},
		{n.Bundle, tcpdb.Bundle},
		{n.Partial, tcpdb.Partial | tcpdb.DraftNode},
		{n.Replace && (layer == tcpdb.UserLayer || layer == tcpdb.SystemLayer), tcpdb.Replaces},
	} {
		if b.set {
			bits |= b.bit
		}
	}
	return bits
}

func compileFlag(f *Flag) tcpdb.Flag {
	mode, _ := valueMode(f.Value)
	spec := compileSpec(f.Spec)
	if len(f.Bundles) > 0 {
		spec.Kind = tcpdb.EnumSpec
		for _, word := range f.Bundles {
			spec.Enum = append(spec.Enum, tcpdb.EnumValue{Value: word})
		}
	}
	return tcpdb.Flag{
		ID: f.id(), Names: f.Names, Value: mode, Spec: spec, Repeatable: f.Repeatable,
		Hidden: f.Hidden, Deprecated: f.Deprecated, Negatable: f.Negatable, Group: f.Group, Description: f.Description,
		Role: flagRole(f, mode), RoleWith: f.RoleWith,
	}
}

// flagRole is the role of a flag. Where a flag takes the name of a command it is to
// start it, unless the map says what else.
func flagRole(f *Flag, mode tcpdb.ValueMode) tcpdb.Role {
	if f.Role == "" && f.Spec != nil && f.Spec.Command && mode != tcpdb.NoValue {
		return tcpdb.ProgramRole
	}
	return tcpdb.Role(f.Role)
}

func compileArg(a *Arg) tcpdb.Arg {
	out := tcpdb.Arg{
		Name: a.Name, Spec: compileSpec(a.Spec), Required: a.Required, Repeatable: a.Repeatable,
		AfterDash: a.AfterDash, With: a.With, Description: a.Description,
		Role: tcpdb.Role(a.Role), RoleWith: a.RoleWith,
	}
	for _, s := range a.Alt {
		out.Alt = append(out.Alt, compileSpec(s))
	}
	return out
}

func compileSpec(s *Spec) tcpdb.ValueSpec {
	if s == nil {
		return tcpdb.ValueSpec{}
	}
	out := tcpdb.ValueSpec{List: s.List, Otherwise: s.Otherwise}
	switch {
	case s.Resolver != "":
		out.Kind, out.Name = tcpdb.ResolverSpec, s.Resolver
	case s.File:
		out.Kind = tcpdb.FileSpec
	case s.Dir:
		out.Kind = tcpdb.DirSpec
	case s.Command:
		out.Kind = tcpdb.CommandSpec
	case s.Type != "":
		out.Kind, out.Name = tcpdb.TypeSpec, s.Type
	case len(s.Enum) > 0:
		out.Kind = tcpdb.EnumSpec
	}
	for _, e := range s.Enum {
		x := tcpdb.EnumValue{Value: e.Value, Description: e.Description}
		if e.Spec != nil {
			next := compileSpec(e.Spec)
			x.Next = &next
		}
		out.Enum = append(out.Enum, x)
	}
	if t := s.Then; t != nil {
		out.Then = &tcpdb.Continuation{Separator: t.Separator, Required: t.Required, Spec: compileSpec(t.Spec)}
	}
	return out
}

func compileWrapper(w *Wrapper) tcpdb.Wrapper {
	out := tcpdb.Wrapper{
		Mode: wrapMode(w.Mode), Skip: w.Skip, ShellFlag: w.ShellFlag, Assignments: w.Assignments,
		Markers: w.Markers, Terminators: w.Terminators, Elsewhere: w.Elsewhere, Dialect: w.Dialect,
	}
	for _, name := range w.Adds {
		f, _ := tcpdb.ParseFlag(name) // checked by Parse
		out.Adds |= f
	}
	return out
}

func (l *Layering) risk(b *tcpdb.Builder, trees []*tcpdb.Node, c *RiskCommand) {
	provenance := "curated"
	if l.Layer == tcpdb.UserLayer {
		provenance = "user"
	}
	base := c.entry(c.Key, c)
	base.Provenance = provenance
	b.Entry(base)
	chain := l.chain(trees, c.Key)
	for _, v := range c.Variants {
		effect, _ := effectOf(v.Effect)
		if effect == tcpdb.HarmlessEffect && l.Layer > tcpdb.SystemLayer {
			continue // no user or project file may call a command harmless
		}
		e := v.entry(c.Key, c)
		if v.Rule == "" {
			e.Rule += v.ruleSuffix()
		}
		e.Provenance = provenance
		b.Variant(tcpdb.Variant{
			Entry: e, All: idsOf(chain, v.All), Any: idsOf(chain, v.Any), None: idsOf(chain, v.None),
			ArgClass: v.Args, Effect: effect,
		})
	}
}

// chain returns the nodes of a key from the tool's root down, those of lower
// layers first, as far as they exist.
func (l *Layering) chain(trees []*tcpdb.Node, key string) []*tcpdb.Node {
	words := strings.Fields(key)
	if len(words) == 0 {
		return nil
	}
	var chain []*tcpdb.Node
	if l.Below != nil {
		for n, i := l.Below.Root(words[0]), 1; n != nil; i++ {
			chain = append(chain, n)
			if i == len(words) {
				break
			}
			n = l.Below.Open(n.Sub(words[i]))
		}
	}
	if i := slices.IndexFunc(trees, func(t *tcpdb.Node) bool { return t.Name == words[0] }); i >= 0 {
		for n, i := trees[i], 1; n != nil; i++ {
			chain = append(chain, n)
			if i == len(words) {
				break
			}
			n = n.Sub(words[i])
		}
	}
	return chain
}

// idsOf replaces what names a flag by another of its names, "f" for the flag
// with the ID "force" and the name -f, by the flag's ID.
func idsOf(chain []*tcpdb.Node, names []string) []string {
	var ids []string
	for _, name := range names {
		id := idOf(chain, name)
		if id == "" {
			id = name
		}
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// idOf returns the ID of the flag that is meant, "" if there is none. The last
// node goes first: a command's own flag hides one of its parent.
func idOf(chain []*tcpdb.Node, name string) string {
	for _, n := range chain {
		if hasFlagID(n, name) {
			return name
		}
	}
	for i := len(chain) - 1; i >= 0; i-- {
		for _, dashes := range [...]string{"--", "-"} {
			if f := chain[i].Flag(dashes + name); f != nil {
				return f.ID
			}
		}
	}
	return ""
}

// entry compiles a body; c gives the costs, which variants share.
func (body *RiskBody) entry(key string, c *RiskCommand) tcpdb.Entry {
	level, _ := tcpdb.ParseLevel(body.Level)
	scope, _ := scopeOf(body.Scope)
	stake, _ := body.stake()
	var flags tcpdb.Flags
	for _, name := range body.Flags {
		f, _ := tcpdb.ParseFlag(name)
		flags |= f
	}
	rule := body.Rule
	if rule == "" {
		rule = strings.ReplaceAll(key, " ", ".")
	}
	return tcpdb.Entry{
		Key: key, Descriptor: tcpdb.NewDescriptor(key, level, flags, c.TimeMS, c.MemoryMB, c.OutputKB),
		Rule: rule, Reason: body.Reason, Safer: body.Safer, Scope: scope, Stake: stake,
	}
}
